use crd2idx::prelude::*;

fn zeros(rows: usize) {
    let _ = Owned::<f32, _, 32>::filled(layout!((rows, 8) : (8, 1)), 0.0);
}

fn main() {
    zeros(4);
}
