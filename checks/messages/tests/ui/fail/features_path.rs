use crd2idx::prelude::*;

fn main() {
    let _ = crd2idx::program::Program::new();
}
