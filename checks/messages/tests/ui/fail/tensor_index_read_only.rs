use crd2idx::prelude::*;

fn main() {
    let data = [0; 16];
    let mut t = Tensor::new(&data, layout!((4, 4) : (4, 1))).unwrap();
    t[(1, 2)] = 1;
}
