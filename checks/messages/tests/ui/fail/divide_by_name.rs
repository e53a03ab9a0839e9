use crd2idx::prelude::*;

fn main() {
    const BM: usize = 8;
    let _ = layout!(zipped_divide((30, 16) : (1, 30), (BM, 4)));
}
