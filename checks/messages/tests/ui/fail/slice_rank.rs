use crd2idx::prelude::*;

fn main() {
    let _ = layout!((4, 8) : (8, 1)).slice(coord!(1, _, _));
}
