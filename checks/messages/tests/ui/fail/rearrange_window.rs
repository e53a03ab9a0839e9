use crd2idx::prelude::*;

fn main() {
    let t = Tensor::new(&[0; 16], layout!((4, 4) : (4, 1))).unwrap();
    let window = t.window((1, 1), shape!(2, 2)).unwrap();
    let _ = window.slice((1, Keep));
}
