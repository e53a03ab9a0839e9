use crd2idx::prelude::*;

struct Image {
    layout: impl Layout,
}

fn main() {}
