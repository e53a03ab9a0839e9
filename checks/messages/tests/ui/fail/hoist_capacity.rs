use crd2idx::prelude::*;

fn hoisted(m: usize, n: usize, ld: usize) {
    let _ = layout!((m, n) : (1, ld)).hoist::<2>();
}

fn main() {
    hoisted(4, 4, 4);
}
