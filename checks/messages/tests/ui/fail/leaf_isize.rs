use crd2idx::prelude::*;

fn main() {
    let back: isize = -8;
    let _ = layout!((4, 8) : (back, 1));
}
