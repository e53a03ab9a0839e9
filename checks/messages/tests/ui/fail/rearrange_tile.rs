use crd2idx::prelude::*;

fn main() {
    let t = Tensor::new(&[0; 16], layout!((4, 4) : (4, 1))).unwrap();
    t.tiles(shape!(3, 3)).for_each(|tile| {
        tile.slice((1, Keep));
    });
}
