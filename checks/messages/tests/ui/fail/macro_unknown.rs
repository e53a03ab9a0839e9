use crd2idx::prelude::*;

fn main() {
    let _ = layout!((BLOCK_M, 8) : (1, ld));
}
