use crd2idx::prelude::*;

fn main() {
    let a = layout!((4, (2, 8)) : (1, (4, 8)));
    let _ = a.checked_crd2idx(((1, 2), 3));
}
