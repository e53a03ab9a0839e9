#![allow(non_snake_case)]
use crd2idx::prelude::*;

const BM: usize = 8;

fn row_major(M: usize, N: usize) -> usize {
    layout!((M, N) : (N, 1)).crd2idx((1, 2))
}

fn area(h: usize, w: usize) -> usize {
    layout!(({ h * w }, 4) : (4, 1)).crd2idx((1, 2))
}

fn main() {
    let _ = layout!(coalesce(BM));
    let _ = try_layout!((4, 8) : (8, 1));
    println!("{}", row_major(3, 5) + area(1, 2));
}
