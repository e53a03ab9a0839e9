use crd2idx::prelude::*;

fn first<L: Layout>(t: &View<f32, L>) -> f32 {
    t[0]
}

fn main() {
    let t = Tensor::new([0.0; 16], layout!((4, 4) : (4, 1))).unwrap();
    first(&t);
}
