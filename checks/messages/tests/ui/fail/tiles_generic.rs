use crd2idx::prelude::*;

fn tiles<L: Layout>(t: View<f32, L>) {
    let _ = t.tiles(shape!(2, 2));
}

fn main() {}
