use crd2idx::prelude::*;

struct Image {
    layout: Layout,
}

fn main() {}
