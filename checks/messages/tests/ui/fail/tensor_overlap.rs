use crd2idx::prelude::*;

fn main() {
    let mut data = [0; 16];
    let mut t = Tensor::new(&mut data, layout!((4, 4) : (4, 1))).unwrap();
    let first = t.tiles_mut(shape!(2, 2));
    let second = t.tiles_mut(shape!(2, 2));
    first.zip(second).for_each(|(mut a, mut b)| {
        a.fill(1);
        b.fill(2);
    });
}
