use crd2idx::prelude::*;

fn main() {
    let tile = {
        let data = [0; 16];
        let t = Tensor::new(&data, layout!((4, 4) : (4, 1))).unwrap();
        t.tiles(shape!(2, 2)).next()
    };
    assert_eq!(tile.unwrap().size(), 4);
}
