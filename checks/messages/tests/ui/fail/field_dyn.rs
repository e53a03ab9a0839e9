use crd2idx::prelude::*;

struct Layouts {
    all: Vec<Box<dyn Layout>>,
}

fn main() {}
