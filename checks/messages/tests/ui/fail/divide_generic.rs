use crd2idx::prelude::*;

fn tiles<const M: usize, const BM: usize>() {
    let _ = layout!((M, 16) : (1, M)).zipped_divide(shape!((BM)));
}

fn main() {
    tiles::<32, 8>();
    tiles::<30, 8>();
}
