//! Layouts with a name.

use crd2idx::number::typenum::Unsigned;
use crd2idx::prelude::*;
use static_assertions::{assert_impl_all, const_assert_eq};

const LD: usize = 33;

layout! {
    /// A tile of a matrix.
    pub type Tile = (32,16):(1,32);

    /// Padded by one column.
    pub(crate) type Padded = (32, 32) : (LD, 1);
    type Warps = zipped_divide(Padded, (8, 4));
    type Pairs = logical_divide(((4,2,3):(2,1,8)), 4:2);
    type Reversed = (4, 500) : (-500, 1);
    type Empty = (4, 0) : (1, 4);
    type One = ():();
    type Point = 1:0;
    #[cfg(any())]
    type Absent = (Nothing, 1) : (1, 1);
}

assert_impl_all!(Tile: Layout, StaticCosize, Copy, Default, core::fmt::Debug, Eq, Send, Sync);
const_assert_eq!(size_of::<Tile>() + size_of::<Padded>() + size_of::<Warps>(), 0);
const_assert_eq!(Tile::RANK, 2);
const INDEX: usize = crd2idx::layouts::Const::<Tile, shape!(3, 5)>::VALUE;
const_assert_eq!(INDEX, 163);

fn made<L: Layout + Default>() -> L {
    L::default()
}

#[test]
fn a_name_is_its_layout() {
    assert_eq!(Tile::NOTATION, "(32,16):(1,32)");
    assert_eq!(Padded::NOTATION, "(32,32):(33,1)");
    assert_eq!(Warps::NOTATION, "((8,4),(4,8)):((33,1),(264,4))");
    assert_eq!(Pairs::NOTATION, "((2,2),(2,3)):((4,1),(2,8))");
    assert_eq!(Tile.crd2idx((3, 5)), 163);
    assert_eq!(made::<Tile>(), Tile);
    assert_eq!(format!("{Tile:?}"), "Tile");
    assert_eq!(Warps.crd2idx(((1, 2), (3, 4))), Padded.crd2idx((25, 18)));
    assert_eq!(crd2idx::ops::crd2idx((3, 5), Tile), 163);
}

#[test]
fn a_name_is_an_operand() {
    let n = 4;
    assert_eq!(layout!(zipped_divide(Tile, (8, 4))).crd2idx(((1, 2), (3, 1))), Tile.crd2idx((25, 6)));
    assert_eq!(Tile.zipped_divide((int!(8), int!(4))).crd2idx(((1, 2), (3, 1))), Tile.crd2idx((25, 6)));
    type Alias = Strided<shape!(32, 16), stride!(1, 32)>;
    assert_eq!(layout!(zipped_divide(type Alias, (8, 4))).crd2idx(((1, 2), (3, 1))), Tile.crd2idx((25, 6)));
    assert_eq!(layout!(append(Tile, (n : 512))).crd2idx((3, 5, 2)), 163 + 1024);
}

#[test]
fn storage_of_any_size() {
    const_assert_eq!(<<Tile as StaticCosize>::Cosize as Unsigned>::USIZE, 512);
    const_assert_eq!(<<Pairs as StaticCosize>::Cosize as Unsigned>::USIZE, 24);
    const_assert_eq!(<<Reversed as StaticCosize>::Cosize as Unsigned>::USIZE, 2000);
    const_assert_eq!(<<Empty as StaticCosize>::Cosize as Unsigned>::USIZE, 0);
    const_assert_eq!(<<One as StaticCosize>::Cosize as Unsigned>::USIZE, 1);
    const_assert_eq!(<<Point as StaticCosize>::Cosize as Unsigned>::USIZE, 1);
    let mut tile = Stored::filled(Tile, 0u8);
    tile[(31, 15)] = 7;
    assert_eq!(tile.as_slice()[511], 7);
    let padded = Owned::<f32, Padded, 1055>::filled(Padded, 1.0);
    assert_eq!(padded.get((31, 31)), Some(&1.0));
}

fn storage_in_generic_code<L: StaticCosize + Default>() -> usize {
    Stored::filled(L::default(), 0u16).as_slice().len()
}

#[test]
fn names_in_functions_and_generic_code() {
    layout! { type Local = (60,50):(50,1); }
    assert_eq!(storage_in_generic_code::<Local>(), 60 * 50);
    assert_eq!(storage_in_generic_code::<Tile>(), 512);
}
