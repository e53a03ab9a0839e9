use crd2idx::prelude::*;

fn main() {
    let _ = layout!(zipped_divide((30, 16) : (1, 30), (8, 4)));
    let _ = layout!(coalesce(logical_divide(((8, 30):(1, 8)), [4:1;7:1])));
    layout! { type Tiles = logical_divide((30, 16) : (1, 30), 7); }
}
