use crd2idx::prelude::*;

fn transposed_sum<L: Layout>(t: View<i32, L>) -> i32 {
    let transposed = t.select((Int::<1>, Int::<0>));
    transposed.iter().sum()
}

fn main() {}
