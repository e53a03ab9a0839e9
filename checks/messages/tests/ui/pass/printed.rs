use crd2idx::prelude::*;

fn main() {
    println!("{}", layout!((4, 8) : (8, 1)));
    println!("{}", layout!((8, 12) : (12, 1)).zipped_divide(shape!(4, 6)));
}
