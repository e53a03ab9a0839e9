use crd2idx::prelude::*;

fn main() {
    let _ = Boxed::filled(layout!((4, 4) : (4, 1)), 0.0);
}
