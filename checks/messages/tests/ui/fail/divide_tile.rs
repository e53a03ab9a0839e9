use crd2idx::prelude::*;

fn main() {
    let a = make_layout((Int::<30>, Int::<16>), (Int::<1>, Int::<30>));
    let _ = a.zipped_divide((Int::<8>,));
}
