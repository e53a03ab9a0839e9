//! Layouts with XOR strides in kernels, and tensors over them: elements are at their indices, and tiles begin at offsets or are refused.

use super::agrees;
use crd2idx::layouts::RawLayout;
use crd2idx::number::Xor;
use crd2idx::prelude::*;
use crd2idx::tensor::Injective;

layout! {
    /// Rows of 8, each exchanged with its number.
    type Tile = (8, 8) : (^9, ^1);
    type Quarters = zipped_divide(Tile, (4, 4));
}

const ROW: usize = 9;

fn by_hand(i: usize, j: usize) -> usize {
    (i ^ i << 3) ^ j
}

#[test]
fn one_function_in_every_form() -> Result<(), LayoutError> {
    let want = DynLayout::parse("(8,4):(^5,^1)")?;
    let rows = std::hint::black_box(4);
    agrees(&layout!((8, 4) : (^5, ^1)), &want, "static");
    agrees(&layout!(((2, 4), 4) : ((^5, ^10), ^1)), &DynLayout::parse("(8,4):(^5,^1)")?, "nested");
    agrees(&layout!((8, rows) : (^5, 64)), &DynLayout::parse("(8,4):(^5,64)")?, "mixed");
    agrees(&layout!((8, rows) : (^5, 64)).hoist::<1>(), &DynLayout::parse("(8,4):(^5,64)")?, "hoisted");
    agrees(&layout!((4, 8) : (^1, ^5)).select(shape!(1, 0)), &want, "derived");
    agrees(&want, &want, "dynamic");
    agrees(&StaticSwizzle::<2, 0, 2>.composition(layout!((8, 4) : (4, 1))), &DynLayout::parse("((4,2),4):((^5,^16),^1)")?, "swizzled");
    agrees(&StaticSwizzle::<0, 0, 0>.composition(layout!((8, 4) : (^5, ^1))), &want, "composed");
    Ok(())
}

#[test]
fn named_and_in_constants() {
    assert_eq!((Tile::NOTATION, Quarters::NOTATION), ("(8,8):(^9,^1)", "((4,4),(2,2)):((^9,^1),(^36,^4))"));
    assert_eq!((Tile::SIZE, Tile::COSIZE, Tile::INJECTIVE), (Some(64), Some(64), Some(true)));
    const INDEX: usize = crd2idx::layouts::const_index::<Tile, 2>([3, 5]);
    assert_eq!(INDEX, by_hand(3, 5));
    assert_eq!(<crd2idx::layouts::Const<Tile, (Int<3>, Int<5>)>>::VALUE, by_hand(3, 5));
    let named = layout!((8, 8) : (^ROW, ^{ ROW - 8 }));
    assert_eq!(named.to_string(), "(8,8):(^9,^1)");
    type Strides = Strided<shape!(8, 8), stride!(^9, ^1)>;
    assert_eq!(Strides::default(), named);
    // A static stride of any bits, with more shifted digits than are written out.
    let dense = layout!((8, 8, 8) : (^0xffff, ^0x7fffe, ^0x3ffffc));
    let want: DynLayout = "(8,8,8):(^65535,^524286,^4194300)".parse().expect("a layout");
    assert!((0..512).all(|k| dense.crd2idx(k) == Layout::crd2idx(&want, k)));
}

/// An index beyond all numbers is none, also where an extent is open.
#[test]
fn indices_that_do_not_fit() {
    let rows = std::hint::black_box(1usize << (usize::BITS - 2));
    let open = layout!((rows, 2) : (^8, ^1));
    assert_eq!(open.checked_crd2idx((rows / 8, 1)), Some(rows + 1));
    assert_eq!(open.checked_crd2idx((rows / 2, 1)), None);
    // With negative strides an index is signed.
    let signed = make_layout((rows, Int::<2>), (Xor::<8>, std::hint::black_box(Signed(-1))));
    assert_eq!((signed.checked_crd2idx((1, 1)), signed.checked_crd2idx((rows / 4, 1))), (Some(7), None));
}

#[test]
fn types_of_dynamic_layouts() -> Result<(), LayoutError> {
    type Ring = Strided<(Int<8>, usize), (Xor<9>, usize)>;
    let ring = Ring::try_from(&DynLayout::<16>::parse("(8,5):(^9,64)")?)?;
    assert_eq!(ring.crd2idx((3, 4)), 27 + 256);
    let refusal = |text: &str| Ring::try_from(&DynLayout::<16>::parse(text).expect(text)).expect_err(text).to_string();
    assert_eq!(refusal("(8,5):(^10,64)"), "make_layout: mode 0 has 10, where the type has 9");
    assert_eq!(refusal("(8,5):(9,64)"), "make_layout: mode 0 has 9, where the type has 9");
    assert_eq!(refusal("(8,5):(^9,^64)"), "make_layout: mode 1 has the XOR stride ^64");
    Ok(())
}

#[test]
fn what_is_checked_overflows_as_sums_do() {
    let pitch = std::hint::black_box(isize::MAX as usize);
    let ring = layout!((8, 8, 4) : (^9, ^1, pitch));
    assert_eq!(ring.checked_crd2idx((3, 5, 1)), Some(by_hand(3, 5) + pitch));
    assert_eq!(ring.checked_crd2idx((0, 1, 2)), Some(usize::MAX));
    assert_eq!(ring.checked_crd2idx((3, 5, 2)), None);
    assert_eq!(ring.checked_crd2idx((0, 0, 3)), None);
    assert_eq!(ring.checked_crd2idx((0, 0, 4)), None);
    let back = layout!((8, 8, 4) : (^9, ^1, Signed(-64)));
    assert_eq!(back.checked_crd2idx((3, 5, 2)).map(|index| index as isize), Some(by_hand(3, 5) as isize - 128));
}

#[test]
fn tensors_walk_coordinates() {
    let data: Vec<usize> = (0..64).collect();
    let t = Tensor::new(&data, Tile).expect("64 elements");
    let want: Vec<usize> = (0..64).map(|k| by_hand(k % 8, k / 8)).collect();
    assert_eq!(t.iter().copied().collect::<Vec<_>>(), want);
    let mut walked = Vec::new();
    t.for_each(|x| walked.push(*x));
    assert_eq!(walked, want);
    t.for_each_at(|(i, j): (usize, usize), x| assert_eq!(*x, by_hand(i, j)));
    t.zipped_divide(shape!(4, 4)).for_each_at(|((i, j), (a, b)): ((usize, usize), (usize, usize)), x| {
        assert_eq!(*x, by_hand(i + 4 * a, j + 4 * b));
    });
    assert_eq!((t.contiguous(), Tile.mode_stride(0)), (None, None));
    let mut owned = data.clone();
    let mut t = Tensor::new(&mut owned[..], Injective::new(Tile).expect("injective")).expect("64 elements");
    t.for_each_mut(|x| *x += 1);
    assert!(owned.iter().enumerate().all(|(k, x)| *x == k + 1));
    assert!(Injective::new(layout!((8, 8) : (^9, ^9))).is_err());
}

/// A tile begins at an offset if it shares no bit with its corner.
#[test]
fn parts_of_tensors() {
    let stages = std::hint::black_box(3);
    let data: Vec<usize> = (0..192).collect();
    let t = Tensor::new(&data, layout!((8, 8, stages) : (^9, ^1, 64))).expect("192 elements");
    let dynamic = Tensor::new(&data, DynLayout::<16>::parse("(8,8,3):(^9,^1,64)").expect("a layout")).expect("192 elements");
    for (k, tile) in t.try_tiles(shape!(8, 8, 1)).expect("whole stages").enumerate() {
        (0..64).for_each(|c| assert_eq!(tile.get(c), Some(&(by_hand(c % 8, c / 8) + 64 * k))));
    }
    for (k, tile) in dynamic.try_tiles((8, 8, 1)).expect("whole stages").enumerate() {
        (0..64).for_each(|c| assert_eq!(tile.get(c), Some(&(by_hand(c % 8, c / 8) + 64 * k))));
    }
    // Row 4 begins at 36, and columns reach bit 2 of it.
    let shares = "shares the bits";
    let refused = t.try_tiles(shape!(4, 8, 1)).err().expect("half a stage").to_string();
    assert!(refused.contains(shares), "{refused}");
    let refused = dynamic.try_tiles((4, 8, 1)).err().expect("half a stage").to_string();
    assert!(refused.contains(shares), "{refused}");
    // Rows of whole vectors: the exchanged bits are above the vectors.
    let vectors = Tensor::new(&data[..64], layout!((8, 8) : (^8, ^1))).expect("64 elements");
    for (k, tile) in vectors.try_tiles(shape!(4, 8)).expect("rows apart").enumerate() {
        (0..32).for_each(|c| assert_eq!(tile.get(c), Some(&((c % 4 + 4 * k) * 8 + c / 4))));
    }
    let stage = t.slice((Keep, Keep, 2));
    assert_eq!(stage[(3, 5)], by_hand(3, 5) + 128);
    let windows = t.window((2, 3, 0), (4, 5, 2)).expect("inside");
    assert_eq!(windows[(1, 2, 1)], by_hand(3, 5) + 64);
}
