use crd2idx::number::Quot;
use crd2idx::prelude::*;

fn vectors<const BN: usize>() -> i64 {
    <Quot<Int<BN>, Int<4>> as StaticInt>::VALUE
}

fn main() {
    println!("{} {}", vectors::<64>(), vectors::<30>());
}
