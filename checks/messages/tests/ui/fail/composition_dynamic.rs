use crd2idx::prelude::*;

fn main() {
    let t = Tensor::new(&[0; 16], layout!((4, 4) : (4, 1))).unwrap();
    let columns: DynLayout = "(4,2):(1,8)".parse().unwrap();
    let _ = t.composition(columns);
}
