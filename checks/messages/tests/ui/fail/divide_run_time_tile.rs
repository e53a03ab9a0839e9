use crd2idx::prelude::*;

fn main() {
    let _ = layout!((32, 16) : (16, 1)).zipped_divide((8, 4));
}
