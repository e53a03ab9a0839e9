//! Tensor maps derived by hand, every refusal, and random layouts against a model of the copy that enumerates the box.

extern crate std;

use super::*;
use crate::dynamic::{DynCoord, DynLayout};
use crate::error::Cause;
use crate::expression::apply;
use std::collections::BTreeMap;
use std::string::{String, ToString};
use std::vec::Vec;
use std::{format, vec};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// Returns the byte in shared memory of byte `x` of a box, by the tables of the programming guide: in a line of 128 bytes, chunk `c` of
/// line `y` moves to `c ^ (y mod chunks)`.
fn swizzled(swizzle: TensorMapSwizzle, x: u64) -> u64 {
    let (chunk, chunks) = match swizzle {
        TensorMapSwizzle::None => return x,
        TensorMapSwizzle::B32 => (16, 2),
        TensorMapSwizzle::B64 => (16, 4),
        TensorMapSwizzle::B128 => (16, 8),
        TensorMapSwizzle::B128Atom32 => (32, 4),
    };
    let (line, column) = (x / 128, x % 128);
    128 * line + ((column / chunk) ^ (line % chunks)) * chunk + column % chunk
}

/// Copies a box as the hardware does, from the arguments alone: from the byte of global memory to the byte in shared memory, for each
/// element inside the extents.
fn copied(map: &TensorMap, bytes: u64, first: &[i64]) -> BTreeMap<i64, u64> {
    let loaded: Vec<u64> = map.box_dim().iter().zip(map.element_strides()).map(|(n, step)| u64::from(n.div_ceil(*step))).collect();
    let row = match map.swizzle() {
        TensorMapSwizzle::None => loaded[0] * bytes,
        TensorMapSwizzle::B32 => 32,
        TensorMapSwizzle::B64 => 64,
        TensorMapSwizzle::B128 | TensorMapSwizzle::B128Atom32 => 128,
    };
    let mut out = BTreeMap::new();
    for t in 0..loaded.iter().product::<u64>() {
        let (mut rest, mut byte, mut line, mut lines, mut column, mut inside) = (t, 0, 0, 1, 0, true);
        for k in 0..map.rank() {
            let digit = rest % loaded[k];
            rest /= loaded[k];
            let coordinate = first[k] + (digit * u64::from(map.element_strides()[k])) as i64;
            inside &= (0..map.global_dim()[k] as i64).contains(&coordinate);
            let stride = if k == 0 { bytes } else { map.global_strides()[k - 1] };
            byte += coordinate * stride as i64;
            if k == 0 {
                column = digit * bytes;
            } else {
                line += digit * lines;
                lines *= loaded[k];
            }
        }
        if inside {
            out.insert(byte, swizzled(map.swizzle(), line * row + column));
        }
    }
    out
}

/// Returns the coordinates below `shape`, first mode fastest.
fn every(shape: &[i64]) -> Vec<Vec<i64>> {
    (0..shape.iter().product::<i64>())
        .map(|mut k| {
            let digit = |n: &i64| (k % n, k /= n).0;
            shape.iter().map(digit).collect()
        })
        .collect()
}

/// Returns the same box from the layouts: the byte of global memory and the byte in shared memory of each element.
fn by_layouts(text: &str, map: &TensorMap, tile: &TensorBox<'_>, first: &[i64]) -> BTreeMap<i64, u64> {
    let global = DynLayout::<32>::parse(text).unwrap();
    let bytes = i64::from(tile.element_bits / 8);
    let steps = |k: usize| tile.element_strides.get(k).copied().unwrap_or(1);
    let loaded: Vec<i64> = tile.extents.iter().enumerate().map(|(k, n)| (n + steps(k) - 1) / steps(k)).collect();
    let mut out = BTreeMap::new();
    for at in every(&loaded) {
        let place: Vec<i64> = at.iter().enumerate().map(|(k, c)| first[k] + c * steps(k)).collect();
        let Some(index) = global.checked_crd2idx(&DynCoord::flat(&place).unwrap()).unwrap() else { continue };
        let mut cx = ExprGraph::<0>::new(Op::Crd2Idx);
        let at = Operand::Tuple(*DynCoord::<5>::flat(&at).unwrap().value());
        let Operand::Tuple(element) = apply(Op::Crd2Idx, &[at, map.shared()], &mut cx).unwrap() else { unreachable!() };
        out.insert(index * bytes, (element.leaf(0).word() * bytes) as u64);
    }
    out
}

#[test]
fn maps_derived_by_hand() {
    // A matrix of 512 rows and 1000 columns of bytes, rows padded to 1024, in boxes of 128 by 4. Every second row of a box is copied.
    let map = TensorMap::parse("(512,1000):(1024,1)", TensorBox::new(8, &[4, 128]).stepping(&[2, 1]).at(48)).unwrap();
    assert_eq!((map.global_dim(), map.global_strides()), (&[1000, 512][..], &[1024][..]));
    assert_eq!((map.box_dim(), map.element_strides(), map.modes()), (&[128, 4][..], &[1, 2][..], &[1, 0][..]));
    assert_eq!((map.shared().to_string().as_str(), map.shared_bytes(), map.shared_alignment()), ("(2,128):(128,1)", 256, 128));
    // Images by batch, channel, row and column, with the channels innermost in memory: the order of the others stays.
    let map =
        TensorMap::parse("(8,64,56,48):(172032,1,3072,64)", TensorBox::new(16, &[1, 64, 2, 8]).swizzled(TensorMapSwizzle::B128)).unwrap();
    assert_eq!((map.global_dim(), map.global_strides()), (&[64, 8, 56, 48][..], &[344064, 6144, 128][..]));
    assert_eq!((map.box_dim(), map.modes()), (&[64, 1, 2, 8][..], &[1, 0, 2, 3][..]));
    assert_eq!(map.coordinates(&[5, 0, 2, 8]), Some([0, 5, 2, 8, 0]));
    assert_eq!(map.shared().to_string(), "S<3,3,3> o 0 o (1,64,2,8):(64,1,64,128)");
    // Leaves that continue one another merge within their mode, and not across modes.
    let map = TensorMap::parse("((2,4,8),(4,8)):((1,2,8),(64,256))", TensorBox::new(16, &[16, 6])).unwrap();
    assert_eq!((map.global_dim(), map.global_strides(), map.box_dim()), (&[64, 32][..], &[128][..], &[16, 6][..]));
    // Tiles of 8 by 16 in memory: two modes of the map for each of rows and columns.
    let map = TensorMap::parse("((8,4),(16,2)):((16,256),(1,128))", TensorBox::new(32, &[16, 16]).swizzled(TensorMapSwizzle::B64)).unwrap();
    assert_eq!((map.global_dim(), map.global_strides()), (&[16, 8, 4, 2][..], &[64, 1024, 512][..]));
    assert_eq!((map.box_dim(), map.modes()), (&[16, 8, 2, 1][..], &[1, 0, 0, 1][..]));
    assert_eq!(map.coordinates(&[16, 16]), Some([0, 0, 2, 1, 0]));
    assert_eq!(map.shared().to_string(), "S<2,2,3> o 0 o ((8,2),(16,1)):((16,128),(1,256))");
    // One mode, as an integer and as a tuple; a mode of one element and an empty mode need no stride.
    let map = TensorMap::parse("4096:1", TensorBox::new(64, &[256])).unwrap();
    assert_eq!((map.rank(), map.global_strides(), map.shared().to_string().as_str()), (1, &[][..], "256:1"));
    assert_eq!(TensorMap::parse("(4096):(1)", TensorBox::new(64, &[256])).unwrap().shared().to_string(), "(256):(1)");
    let map = TensorMap::parse("(1,(),64):(3,(),1)", TensorBox::new(32, &[1, 1, 32])).unwrap();
    assert_eq!((map.global_dim(), map.global_strides(), map.modes()), (&[64, 1, 1][..], &[16, 16][..], &[2, 0, 1][..]));
    // The greatest numbers.
    let map = TensorMap::parse("(4294967296,2):(1,1099511627760)", TensorBox::new(8, &[256, 256]).at(u64::MAX - 15)).unwrap();
    assert_eq!((map.global_dim()[0], map.global_strides()[0]), (1 << 32, (1 << 40) - 16));
    // Rows that repeat.
    assert_eq!(TensorMap::parse("(64,8):(1,0)", TensorBox::new(16, &[64, 8])).unwrap().global_strides(), [0]);
    // A constant has the numbers of the driver.
    const MAP: TensorMap = tensor_map("(64,(32,4)):(128,(1,32))", TensorBox::new(16, &[8, 64]).swizzled(TensorMapSwizzle::B128));
    assert_eq!((MAP.global_dim(), MAP.swizzle().number(), MAP.interleave()), (&[128, 64][..], 3, 0));
    assert!(format!("{MAP:?}").starts_with("TensorMap { globalDim: [128, 64], globalStrides: [256], boxDim: [64, 8]"));
    assert_eq!(TensorMapSwizzle::B128Atom32.number(), 4);
    let atoms = TensorMap::parse("(64,64):(64,1)", TensorBox::new(32, &[8, 32]).swizzled(TensorMapSwizzle::B128Atom32)).unwrap();
    assert_eq!((atoms.shared().to_string().as_str(), atoms.shared_alignment()), ("S<2,3,2> o 0 o (8,32):(32,1)", 512));
}

#[test]
fn every_rule_is_kept() {
    let refused = |layout: &str, tile: TensorBox<'_>| TensorMap::parse(layout, tile).unwrap_err();
    fn boxed(extents: &[i64]) -> TensorBox<'_> {
        TensorBox::new(16, extents)
    }
    let rows = "(64,64):(1,64)";
    let with = |cause: Cause, numbers: [i64; 3], modes: &[u8], error: crate::LayoutError| {
        assert_eq!((error.op, error.cause, error.path.modes()), (Op::EncodeTiled, cause, modes), "{error}");
        assert_eq!(error.numbers(), numbers.map(Some), "{error}");
    };
    with(Cause::TensorRank, [6, 0, 0], &[], refused("(8,2,2,2,2,2):(1,8,16,32,64,128)", boxed(&[8, 1, 1, 1, 1, 1])));
    with(Cause::TensorRank, [6, 0, 0], &[], refused("(8,(2,2,2,2,2)):(1,(16,64,256,1024,4096))", boxed(&[8, 1])));
    with(Cause::TensorRank, [0, 0, 0], &[], refused("():()", boxed(&[])));
    with(Cause::RankMismatch, [1, 2, 0], &[], refused(rows, boxed(&[8])));
    with(Cause::RankMismatch, [3, 2, 0], &[], refused(rows, boxed(&[8, 8]).stepping(&[1, 1, 1])));
    with(Cause::ElementBits, [4, 0, 0], &[], refused(rows, TensorBox::new(4, &[32, 8])));
    with(Cause::ElementBits, [128, 0, 0], &[], refused(rows, TensorBox::new(128, &[32, 8])));
    with(Cause::TensorAddress, [8, 0, 0], &[], refused(rows, boxed(&[8, 8]).at(8)));
    with(Cause::TensorAddress, [i64::MAX, 0, 0], &[], refused(rows, boxed(&[8, 8]).at(u64::MAX)));
    with(Cause::NotContiguous, [0, 0, 0], &[], refused("(64,64):(2,128)", boxed(&[8, 8])));
    with(Cause::NotContiguous, [0, 0, 0], &[], refused("(1,64):(1,64)", boxed(&[8, 8])));
    with(Cause::TensorExtent, [0, 0, 0], &[1], refused("(64,0):(1,64)", boxed(&[8, 8])));
    with(Cause::TensorExtent, [4294967297, 0, 0], &[0], refused("(4294967297,8):(1,0)", boxed(&[8, 8])));
    with(Cause::TensorStride, [72, 0, 0], &[1], refused("(36,8):(1,36)", boxed(&[8, 8])));
    with(Cause::TensorStride, [2, 0, 0], &[1], refused("(36,8):(1,1)", boxed(&[8, 8])));
    with(Cause::TensorStride, [-128, 0, 0], &[1], refused("(64,64):(1,-64)", boxed(&[8, 8])));
    with(Cause::TensorStride, [1 << 40, 0, 0], &[1], refused("(64,2):(1,549755813888)", boxed(&[8, 8])));
    with(Cause::Overflow, [1 << 62, 2, 0], &[1], refused("(64,2):(1,4611686018427387904)", boxed(&[8, 8])));
    with(Cause::BoxExtent, [0, 0, 0], &[1], refused(rows, boxed(&[8, 0])));
    with(Cause::BoxExtent, [-8, 0, 0], &[0], refused(rows, boxed(&[-8, 1])));
    with(Cause::BoxExtent, [257, 0, 0], &[1], refused(rows, boxed(&[8, 257])));
    with(Cause::BoxExtent, [264, 0, 0], &[0], refused("(512,64):(1,512)", boxed(&[264, 8])));
    with(Cause::BoxNesting, [6, 8, 0], &[1], refused("(64,(8,4)):(1,(64,1024))", boxed(&[8, 6])));
    with(Cause::BoxNesting, [12, 8, 0], &[1], refused("(64,(8,4)):(1,(64,1024))", boxed(&[8, 12])));
    with(Cause::BoxRow, [24, 0, 0], &[0], refused(rows, boxed(&[12, 8])));
    with(Cause::BoxSwizzle, [80, 64, 0], &[0], refused(rows, boxed(&[40, 8]).swizzled(TensorMapSwizzle::B64)));
    for (swizzle, most) in
        [(TensorMapSwizzle::B32, 16), (TensorMapSwizzle::B64, 32), (TensorMapSwizzle::B128, 64), (TensorMapSwizzle::B128Atom32, 64)]
    {
        assert!(TensorMap::parse("(512,8):(1,512)", boxed(&[most, 8]).swizzled(swizzle)).is_ok());
        let error = refused("(512,8):(1,512)", boxed(&[most + 8, 8]).swizzled(swizzle));
        with(Cause::BoxSwizzle, [2 * most + 16, 2 * most, 0], &[0], error);
    }
    with(Cause::ElementStride, [0, 0, 0], &[1], refused(rows, boxed(&[8, 8]).stepping(&[1, 0])));
    with(Cause::ElementStride, [9, 0, 0], &[0], refused(rows, boxed(&[8, 8]).stepping(&[9, 1])));
    with(Cause::FixedElementStride, [2, 0, 0], &[0], refused(rows, boxed(&[8, 8]).stepping(&[2, 1])));
    with(Cause::FixedElementStride, [2, 0, 0], &[1], refused("(64,(8,4)):(1,(64,1024))", boxed(&[8, 8]).stepping(&[1, 2])));
    assert!(TensorMap::parse("(64,(8,4)):(1,(64,512))", boxed(&[8, 8]).stepping(&[1, 8])).is_ok());
    with(Cause::XorStride, [65, 0, 0], &[0], refused("((8,8),64):((1,^65),64)", boxed(&[8, 8])));
    with(Cause::BasisStride, [0, 0, 0], &[1], refused("(64,64):(1,1@0)", boxed(&[8, 8])));
    let mut cx = ExprGraph::<1>::new(Op::Parse);
    let open: LayoutValue<4> = Parser::new("(64,?):(1,64)").layout(&mut cx).unwrap();
    with(Cause::RunTimeNumber, [0, 0, 0], &[], TensorMap::new(&open, boxed(&[8, 8])).unwrap_err());
    assert_eq!(TensorMap::parse("(8,8", boxed(&[8, 8])).unwrap_err().op, Op::Parse);
    assert_eq!(refused(rows, boxed(&[12, 8])).to_string(), "tensor_map: rows of 24 bytes in the box are not a multiple of 16 bytes");
}

/// Returns a random layout whose modes nest at most twice, as text, and the extents of its modes.
fn layout(rng: &mut Rng, bytes: i64) -> (String, Vec<Vec<i64>>) {
    let rank = 1 + rng.below(4) as usize;
    let mut leaves: Vec<Vec<(i64, i64)>> =
        (0..rank).map(|_| (0..1 + rng.below(5) / 3).map(|_| (rng.pick(&[1, 2, 3, 4, 6, 8, 12]), 0)).collect()).collect();
    let mut order: Vec<(usize, usize)> = leaves.iter().enumerate().flat_map(|(m, of)| (0..of.len()).map(move |k| (m, k))).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, rng.below(k as u64 + 1) as usize);
    }
    let mut next = 1;
    for (place, (m, k)) in order.into_iter().enumerate() {
        if place == 0 {
            leaves[m][k].0 = rng.pick(&[16, 24, 32, 64]);
        }
        leaves[m][k].1 = next;
        next *= leaves[m][k].0;
        // Rows are padded to 16 bytes, and sometimes beyond.
        let unit = if place == 0 || rng.below(3) == 0 { 16 / bytes } else { 1 };
        next = (next + unit - 1) / unit * unit;
    }
    let tuple = |of: &[(i64, i64)], part: &dyn Fn(&(i64, i64)) -> i64| match of {
        [one] => part(one).to_string(),
        of => format!("({})", of.iter().map(|leaf| part(leaf).to_string()).collect::<Vec<_>>().join(",")),
    };
    let all = |part: &dyn Fn(&(i64, i64)) -> i64| leaves.iter().map(|of| tuple(of, part)).collect::<Vec<_>>().join(",");
    let text = format!("({}):({})", all(&|leaf| leaf.0), all(&|leaf| leaf.1));
    (text, leaves.iter().map(|of| of.iter().map(|leaf| leaf.0).collect()).collect())
}

#[test]
fn boxes_are_those_of_the_copy() {
    let rng = &mut Rng(7);
    let (mut made, mut refusals, mut padded, mut outside, mut nested) = (0, BTreeMap::new(), 0, 0, 0);
    for case in 0..if cfg!(miri) { 40 } else { 1200 } {
        let bits = rng.pick(&[8, 16, 32, 64]);
        let bytes = i64::from(bits / 8);
        let (text, shape) = layout(rng, bytes);
        let extents: Vec<i64> = shape
            .iter()
            .map(|of| {
                let whole: i64 = of.iter().product();
                match rng.below(4) {
                    0 => whole,
                    1 => rng.pick(&[1, 2, 3, 4, 8]),
                    2 => of[0],
                    _ => rng.pick(&[16, 32, 64]).min(whole + 2),
                }
            })
            .collect();
        let steps: Vec<i64> = if rng.below(3) == 0 { shape.iter().map(|_| rng.pick(&[1, 1, 2, 3])).collect() } else { vec![] };
        let swizzle = rng.pick(&[
            TensorMapSwizzle::None,
            TensorMapSwizzle::B32,
            TensorMapSwizzle::B64,
            TensorMapSwizzle::B128,
            TensorMapSwizzle::B128Atom32,
        ]);
        let tile = TensorBox::new(bits, &extents).stepping(&steps).swizzled(swizzle);
        let map = match TensorMap::parse(&text, tile) {
            Ok(map) => map,
            Err(error) => {
                *refusals.entry(error.class()).or_insert(0) += 1;
                continue;
            }
        };
        made += 1;
        padded += usize::from(swizzle.span() > i64::from(map.box_dim()[0]) * bytes);
        nested += usize::from(map.rank() > shape.len());
        // The first coordinates: boxes at multiples of their extents. The last box may end outside.
        let first: Vec<i64> = shape
            .iter()
            .zip(&extents)
            .map(|(of, n)| {
                let whole: i64 = of.iter().product();
                rng.below(((whole + n - 1) / n) as u64) as i64 * n
            })
            .collect();
        let coordinates = map.coordinates(&first).unwrap();
        let moved = copied(&map, bytes as u64, &coordinates);
        assert!(moved == by_layouts(&text, &map, &tile, &first), "case {case}: {text} {tile:?} at {first:?}");
        let loaded: i64 = map.box_dim().iter().zip(map.element_strides()).map(|(n, step)| i64::from(n.div_ceil(*step))).product();
        outside += usize::from((moved.len() as i64) < loaded);
        assert!(moved.values().all(|byte| (*byte as i64) < map.shared_bytes()), "case {case}: {text} {tile:?}");
        assert_eq!(map.coordinates(&first[1..]), None);
    }
    if !cfg!(miri) {
        assert!(
            made > 300 && padded > 100 && outside > 100 && nested > 80 && refusals.len() >= 5,
            "{made} {padded} {outside} {nested} {refusals:?}"
        );
    }
}
