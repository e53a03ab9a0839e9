//! Implementations of safe public traits that lie. The library checks their answers where memory depends on them.

use crd2idx::algebra::bits::BitMatrix;
use crd2idx::error::Op;
use crd2idx::{layouts::*, number::*, ops::*, tensor::*};

/// A type of the test that stands for an operation of the table.
#[derive(Clone, Copy)]
struct Renamed;

impl Operation for Renamed {
    const OP: Op = Op::ZippedDivide;
}

#[test]
fn operations() {
    type Tile = Strided<(Int<4>, Int<6>), (Int<1>, Int<4>)>;
    let renamed = Derived::<Renamed, (Tile, (Int<2>, Int<3>))>::default();
    let data: Vec<usize> = (0..24).collect();
    let (t, of) = (Tensor::new(&data, renamed).unwrap(), Tensor::new(&data, Tile::default()).unwrap());
    assert_eq!(t[((1, 2), (1, 1))], of[(3, 5)]);
    assert!(Tensor::new(&data[..23], renamed).is_err());
    // The type has no value for numbers that the operation refuses.
    type Open = Derived<Renamed, (Strided<(usize,), (Int<1>,)>, (Int<4>,))>;
    assert!(Open::try_new((make_layout((6,), (Int::<1>,)), (Int,))).is_err());
    assert!(Open::try_new((make_layout((8,), (Int::<1>,)), (Int,))).is_ok());
    assert!(Open::try_new((make_layout((usize::MAX - 3,), (Int::<1>,)), (Int,))).is_err());
}

/// A map of bits that maps two indices to one.
#[derive(Clone, Copy)]
struct Folding;

impl BitMap for Folding {
    const MATRIX: BitMatrix = match BitMatrix::from_columns(&[1, 1, 4], 3) {
        Some(matrix) => matrix,
        None => panic!("three columns of three bits"),
    };
}

/// A map of bits with more outputs than inputs.
#[derive(Clone, Copy)]
struct Spreading;

impl BitMap for Spreading {
    const MATRIX: BitMatrix = match BitMatrix::from_columns(&[16, 2], 5) {
        Some(matrix) => matrix,
        None => panic!("two columns of five bits"),
    };
}

#[test]
fn maps_of_bits() {
    let data: Vec<usize> = (0..8).collect();
    let folded = Bits::<Folding>::NEW.composition(make_layout(Int::<8>, Int::<1>));
    let t = Tensor::new(&data, folded).unwrap();
    assert_eq!(t.iter().copied().collect::<Vec<_>>(), [0, 1, 1, 0, 4, 5, 5, 4]);
    assert!(t.injective().is_err() && Injective::new(Bits::<Folding>::NEW.composition(make_layout(8, 1))).is_err());
    let spread = Bits::<Spreading>::NEW.composition(make_layout(Int::<2>, Int::<1>));
    assert!(Tensor::new(&data, spread).is_err());
    let data: Vec<usize> = (0..32).collect();
    let t = Tensor::new(&data, spread).unwrap();
    assert_eq!((t[0], t[1], t.get(2)), (0, 16, None));
}

/// An alignment larger than any element needs.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[repr(align(4096))]
struct Page;

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Anything;

#[test]
fn alignments() {
    let data = [[1u8; 4096], [2; 4096]];
    let t = Tensor::new(&data, make_layout(Int::<2>, Int::<1>)).unwrap();
    match t.aligned::<Page>() {
        Ok(pages) => assert!(data.as_ptr().addr().is_multiple_of(4096) && pages[1].vector[0] == 2),
        Err(error) => assert_eq!(error.to_string(), "the memory is not aligned to 4096 bytes"),
    }
    assert_eq!(t.aligned::<Anything>().unwrap()[1].vector[5], 2);
}

/// A static integer defined by a user, without arithmetic of its own.
#[derive(Clone, Copy, Default)]
struct Hidden;

impl StaticInt for Hidden {
    const VALUE: i64 = 1 << (usize::BITS - 3);
}

#[test]
fn static_integers() {
    let layout = make_layout((2, 2), (Int::<1>, Neg::<Hidden>::new()));
    assert!(Tensor::with_origin(&[0u8; 4], 2, layout).is_err() && layout.offset((0, 2)) < 0);
    // Integers of typenum have their values, even beyond the range of typenum's own constants. Larger ones do not compile.
    assert_eq!(<typenum::U1000 as StaticInt>::VALUE, 1000);
    assert_eq!(<typenum::UInt<typenum::U4, typenum::B1> as StaticInt>::VALUE, 9);
    type Most = typenum::Sub1<typenum::operator_aliases::Shleft<typenum::U1, typenum::U63>>;
    assert_eq!(<Most as StaticInt>::VALUE, i64::MAX);
}

/// `same_as`, which transfers rely on, is false for layouts with other indices.
#[test]
fn equality() {
    let (a, b) = (make_layout((2, 4), (4, Int::<1>)), make_layout((2, 4), (8, Int::<1>)));
    assert!(a.same_as(&a) && !a.same_as(&b));
    let tiles = (Window::clipped(a, (2, 3)), Window::clipped(a, (2, 2)));
    assert!(tiles.0.same_as(&tiles.0) && !tiles.0.same_as(&tiles.1));
    let windows = [(0, 1), (0, 0)].map(|corner| Window::new(a, corner, (2, 2)).unwrap());
    assert!(windows[0].same_as(&windows[0]) && !windows[0].same_as(&windows[1]));
    let swizzles = [1, 2].map(|bits| Composed::of(Swizzle::new(bits, 0, 2).unwrap(), a));
    assert!(swizzles[0].same_as(&swizzles[0]) && !swizzles[0].same_as(&swizzles[1]));
    let offsets = [0, 1].map(|offset| Composed::new(Swizzle::new(1, 0, 2).unwrap(), offset, a));
    assert!(offsets[0].same_as(&offsets[0]) && !offsets[0].same_as(&offsets[1]));
    let dynamic = ["(2,4):(4,1)", "(2,(2,2)):(4,(1,2))"].map(|text| DynLayout::<4>::parse(text).unwrap());
    assert!(dynamic[0].same_as(&dynamic[0]) && !dynamic[0].same_as(&dynamic[1]));
    assert!(
        Injective::new(a).unwrap().same_as(&Injective::new(a).unwrap()) && !Injective::new(a).unwrap().same_as(&Injective::new(b).unwrap())
    );
}
