use crd2idx::prelude::*;

fn first<L: Layout>(t: &Tensor<&[f32], L>) -> f32 {
    t[0]
}

fn main() {}
