//! A static span does not bound a run-time size: an extent with stride 0 may be any number.

use crd2idx::{Int, Owned, make_layout};

fn main() {
    let _ = Owned::<u8, _, 4>::filled(make_layout((Int::<4>, 1 << 62), (Int::<1>, Int::<0>)), 0);
}
