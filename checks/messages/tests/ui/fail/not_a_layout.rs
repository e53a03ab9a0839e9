use crd2idx::prelude::*;

fn size<L: Layout>(layout: L) -> usize {
    layout.size()
}

fn main() {
    let _ = size((4, 8));
    let _ = crd2idx(3, 4);
}
