use crd2idx::prelude::*;

fn main() {
    let t = Tensor::new(&[0; 16], layout!((4, 4) : (4, 1))).unwrap();
    let _ = t.len();
}
