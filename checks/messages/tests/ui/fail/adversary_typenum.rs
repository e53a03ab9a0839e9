//! A static integer that does not fit is no negative number.

use crd2idx::{Int, make_layout, typenum};

fn main() {
    type TooLarge = typenum::operator_aliases::Shleft<typenum::U1, typenum::U63>;
    let _ = make_layout(TooLarge::default(), Int::<1>);
}
