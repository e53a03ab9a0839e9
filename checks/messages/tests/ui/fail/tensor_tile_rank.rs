use crd2idx::prelude::*;

fn main() {
    let data = [0; 16];
    let t = Tensor::new(&data, layout!((4, 4) : (4, 1))).unwrap();
    assert_eq!(t.tiles(shape!(2, 2, 2)).count(), 4);
}
