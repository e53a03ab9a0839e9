use crd2idx::prelude::*;

fn main() {
    let (m, n) = (4, 4);
    let mut data = [0; 16];
    let mut t = Tensor::new(&mut data, layout!((m, n) : (n, 1))).unwrap();
    t.tiles_mut(shape!(2, 2)).for_each(|mut tile| tile.fill(1));
}
