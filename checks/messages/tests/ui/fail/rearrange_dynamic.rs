use crd2idx::prelude::*;

fn main() {
    let layout: DynLayout = "(4,4):(4,1)".parse().unwrap();
    let t = Tensor::new(&[0; 16], layout).unwrap();
    let _ = t.zipped_divide(shape!(2, 2));
}
