use crd2idx::prelude::*;

fn main() {
    let _ = Tensor::new(vec![0; 16], layout!((4, 4) : (4, 1)));
}
