use crd2idx::prelude::*;

fn main() {
    let _ = int!(type usize);
}
