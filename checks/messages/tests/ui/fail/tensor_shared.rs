use crd2idx::prelude::*;

fn main() {
    let mut data = [0; 16];
    let mut windows = Tensor::new(&mut data, layout!((4, 4) : (1, 2))).unwrap();
    windows.tiles_mut(shape!(4, 1)).for_each(|mut tile| tile.fill(1));
}
