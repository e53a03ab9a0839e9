use crd2idx::prelude::*;

const HUGE: usize = 1 << 62;

fn main() {
    let _ = layout!((HUGE, 4) : (1, HUGE));
}
