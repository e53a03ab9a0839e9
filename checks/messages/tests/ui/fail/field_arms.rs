use crd2idx::prelude::*;

fn order(rows: bool) -> impl Layout {
    if rows { layout!((2, 3) : (3, 1)) } else { layout!((2, 3) : (1, 2)) }
}

fn main() {}
