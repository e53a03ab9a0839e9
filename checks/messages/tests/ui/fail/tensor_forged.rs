use crd2idx::tensor::Injective;
use crd2idx::prelude::*;

fn main() {
    let overlapping = make_layout((3, 3), (1, 1));
    let _ = Injective(overlapping);
}
