use crd2idx::prelude::*;

fn elements<L: StaticCosize>(_: L) {}

fn main() {
    elements(layout!((1500) : (1)));
}
