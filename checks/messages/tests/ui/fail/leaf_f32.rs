use crd2idx::prelude::*;

fn main() {
    let _ = make_layout((4, 8), (8, 1.0));
}
