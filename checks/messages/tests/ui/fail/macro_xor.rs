use crd2idx::prelude::*;

fn main() {
    let pitch = 64;
    let _ = layout!((8, 8) : (^pitch, ^1));
    let _ = layout!((^8, 8) : (^9, ^1));
    let _ = stride!(^-9, ^1);
    let _ = coord!(^3, 5);
    let _ = layout!(composition((3, 8) : (1, ^3), 24 : 1));
}
