use crd2idx::prelude::*;

fn main() {
    let mut t = Owned::<i32, _, 16>::filled(layout!((4, 4) : (4, 1)), 0);
    for x in &mut t {
        *x = 1;
    }
}
