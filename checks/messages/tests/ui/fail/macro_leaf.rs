use crd2idx::prelude::*;

const LD: usize = 40;

fn main() {
    let _ = shape!(4, 8i32);
    let _ = stride!(1, LD / 2);
    let rows = 4;
    let _ = int!(rows);
    let _ = layout!((4, 8) : (1, _));
}
