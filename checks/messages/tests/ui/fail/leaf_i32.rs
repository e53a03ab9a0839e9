use crd2idx::prelude::*;

fn main() {
    let rows: i32 = 4;
    let _ = layout!((rows, 8) : (8, 1));
}
