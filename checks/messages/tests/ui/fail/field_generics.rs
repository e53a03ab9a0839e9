use crd2idx::prelude::*;

struct Image {
    layout: Strided,
}

fn main() {}
