use crd2idx::prelude::*;

fn main() {
    let _ = make_layout((4, (2, 8)), (1, 4, 8));
}
