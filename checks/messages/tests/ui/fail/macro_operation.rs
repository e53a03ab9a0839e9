use crd2idx::prelude::*;

fn main() {
    let a = layout!((4, 8) : (1, 4));
    let _ = layout!(logical_devide(a, 2));
    let _ = layout!(composition((4, 8) : (8, 1), (3, 3) : (1, 2)));
    let _ = layout!(complement((4, 2) : (1, 3), 24));
    let _ = layout!(try_coalesce((4, 2) : (1, 4)));
    let _ = layout!(size((4, 2) : (1, 4)));
    let _ = layout!((4, 8));
}
