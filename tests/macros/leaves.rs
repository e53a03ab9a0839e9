//! The spelling of each kind of leaf.

use crd2idx::number::typenum::U8;
use crd2idx::number::{Prod, Quot};
use crd2idx::prelude::*;
use static_assertions::{assert_type_eq_all, const_assert_eq};

const BLOCK_M: usize = 128;
const LD: usize = 40;

mod tiles {
    pub const K8: usize = 8;
    #[allow(non_upper_case_globals)]
    pub const wide: usize = 16;
}

/// Compiles only if both arguments have one type.
fn same<T>(_: T, _: T) {}

#[test]
fn literals_and_constants_are_static() {
    same(int!(8), Int::<8>);
    same(int!(0x40), Int::<64>);
    same(int!(1_024), Int::<1024>);
    same(int!(_4), Int::<4>);
    same(int!(BLOCK_M), Int::<128>);
    same(int!(tiles::K8), Int::<8>);
    same(int!(self::tiles::K8), Int::<8>);
    same(int!(const tiles::wide), Int::<16>);
    same(int!({ LD / 2 }), Int::<20>);
    same(int!(const { LD / 2 }), Int::<20>);
    same(int!({ size_of::<f32>() }), Int::<4>);
    same(int!(type U8), U8::new());
    same(int!(type Quot<Int<40>, Int<4>>), Quot::<Int<40>, Int<4>>::default());
}

#[test]
fn a_sign_makes_a_negative() {
    same(int!(-3), Neg::<Int<3>>::new());
    same(int!(-0), Int::<0>);
    same(int!(-LD), Neg::<Int<LD>>::new());
    same(int!(-{ LD / 2 }), Neg::<Int<20>>::new());
    same(int!(-const { LD / 2 }), Neg::<Int<20>>::new());
    same(int!(-type U8), Neg::<U8>::new());
    same(stride!(-1, LD), (Neg::<Int<1>>::new(), Int::<40>));
}

struct Matrix {
    rows: usize,
    extents: [usize; 2],
}

impl Matrix {
    const BM: usize = 32;

    fn cols(&self) -> usize {
        self.extents[1]
    }

    fn shape(&self) -> (Int<32>, usize, usize, usize) {
        shape!(Self::BM, self.rows, self.extents[0], self.cols())
    }
}

#[test]
fn other_expressions_are_values() {
    let (m, n, narrow) = (3, 5usize, 9u8);
    let a = Matrix { rows: 7, extents: [11, 13] };
    assert_eq!(shape!(m, (n, 4)), (3, (5, Int::<4>)));
    assert_eq!(a.shape(), (Int::<32>, 7, 11, 13));
    assert_eq!(shape!(2 * m, (m + 3) / 2, n.max(9), narrow as usize), (6, 3, 9, 9));
    assert_eq!(shape!(usize::max(m, n), core::cmp::max::<usize>(m, n), Vec::<(u8, u8)>::new().len()), (5, 5, 0));
    assert_eq!(shape!(if m > n { m } else { n }, 1), (5, Int::<1>));
    assert_eq!(shape!([1, 2, 3].iter().map(|x: &usize| x * 2).sum::<usize>(), 4), (12, Int::<4>));
    // A static value stays static, a tuple stays a tuple, and facts stay with the value.
    let eight = int!(8);
    let inner = shape!(m, 2);
    same(shape!(eight, inner), (Int::<8>, (m, Int::<2>)));
    same(shape!(Dyn::<8>::new(64).unwrap()), Dyn::<8>::new(64).unwrap());
    same(stride!(1, Signed(-3)), (Int::<1>, Signed(-3)));
}

#[test]
fn parentheses_alone_make_a_tuple() {
    let n = 6;
    same(shape!(8), Int::<8>);
    same(shape!((8)), (Int::<8>,));
    same(shape!(8,), (Int::<8>,));
    same(shape!((n)), (n,));
    same(shape!((n) * 2), n);
    same(shape!(()), ());
    same(shape!(2, 4), shape!((2, 4)));
    same(shape!((2, 4), (3, 5),), ((Int::<2>, Int::<4>), (Int::<3>, Int::<5>)));
    same(coord!(_), Keep);
    same(coord!(n, (_, 1)), (n, (Keep, Int::<1>)));
    same(shape!(8, _), (Int::<8>, Keep));
}

#[test]
fn static_tuples_are_types_too() {
    assert_type_eq_all!(shape!(2, (4, LD)), (Int<2>, (Int<4>, Int<40>)));
    assert_type_eq_all!(Strided<shape!((4, 8)), stride!((8, 1))>, Strided<(Int<4>, Int<8>), (Int<8>, Int<1>)>);
    const_assert_eq!(size_of::<shape!(2, (4, LD))>(), 0);
}

const CONSTANT: Strided<shape!((4, 8)), stride!((8, 1))> = layout!((4, 8) : (8, 1));
const TUPLE: (Int<4>, Neg<Int<1>>) = stride!(4, -1);
static SHARED: Strided<shape!((4, LD)), stride!((LD, 1))> = layout!((4, LD) : (LD, 1));

#[test]
fn static_values_are_constants() {
    const_assert_eq!(size_of_val(&CONSTANT), 0);
    assert_eq!(CONSTANT.crd2idx((3, 7)), 31);
    assert_eq!(SHARED.crd2idx((3, 7)), 127);
    assert_eq!(<Neg<Int<1>> as StaticInt>::VALUE, -1);
    same(TUPLE, stride!(4, -1));
}

fn in_generics<const BM: usize, const BN: usize, K: StaticInt + IntTuple>(rows: usize) -> usize {
    let tile = layout!((BM, type Prod<Int<BN>, K>, rows) : (1, BM, { 4 }));
    assert_eq!(size_of_val(&tile), size_of::<usize>());
    same(int!({ BM }), Int::<BM>);
    tile.crd2idx(coord!(1, 2, 3)) + tile.mode_size::<1>()
}

#[test]
fn const_parameters_are_constants() {
    assert_eq!(in_generics::<8, 16, Int<2>>(100), 1 + 2 * 8 + 3 * 4 + 32);
    assert_eq!(in_generics::<3, 1, U8>(1), 1 + 2 * 3 + 3 * 4 + 8);
}

/// Tokens passed on by `macro_rules` arrive in invisible groups.
macro_rules! passes_on {
    ($lit:literal $id:ident $ex:expr, $block:block $name:ident $ty:ty) => {
        (shape!($lit, $id, ($ex, $ex * 2), $block, $name, type $ty), layout!(($lit, $ex) : (1, -$lit)))
    };
}

#[test]
fn fragments_of_other_macros_are_read_through() {
    let m = 3;
    let (shape, layout) = passes_on!(4 m m + 1, { LD + 2 } LD U8);
    same(shape, (Int::<4>, m, (4, 8), Int::<42>, Int::<40>, U8::new()));
    assert_eq!((shape.1, shape.2), (3, (4, 8)));
    assert_eq!(layout.to_dyn::<4>().unwrap().to_string(), "(4,4):(1,-4)");
}
