use crd2idx::prelude::*;

fn main() {
    let _ = vec![layout!((2, 3) : (3, 1)), layout!((4, 3) : (3, 1))];
}
