//! A span that is static says nothing of a size that is not: extents with a stride of 0 may be any.

use crd2idx::{Int, Owned, make_layout};

fn main() {
    let _ = Owned::<u8, _, 4>::filled(make_layout((Int::<4>, 1 << 62), (Int::<1>, Int::<0>)), 0);
}
