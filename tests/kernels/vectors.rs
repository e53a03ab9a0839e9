//! Vectors, scalars, other element types and packed bits of tensors, compared with plain indexing.

use crd2idx::TypedLayout;
use crd2idx::layouts::{Composed, Swizzle, Vectorable, max_common_vector, max_vector};
use crd2idx::prelude::*;
use crd2idx::tensor::{Align16, Align32, AlignedVector, Injective, Packed};

/// Checks vectors of `V` along mode `mode`, which has stride 1, against single elements. Returns false if there are no such vectors.
fn agree<L: TypedLayout, const V: usize>(layout: L, mode: usize, extents: [usize; 2]) -> bool {
    let len = layout.index_range().unwrap().end as usize;
    let data: Vec<u32> = (0..len as u32).collect();
    let t = Tensor::new(&data, layout).unwrap();
    let longest = max_vector(&layout);
    let vectors = match t.vectors::<V>() {
        Ok(vectors) => vectors,
        Err(error) => {
            assert!(!longest.is_multiple_of(V), "{error}");
            return false;
        }
    };
    assert_eq!(longest % V, 0);
    let [m, n] = if mode == 0 { [extents[0] / V, extents[1]] } else { [extents[0], extents[1] / V] };
    for (i, j) in (0..n).flat_map(|j| (0..m).map(move |i| (i, j))) {
        let want: [u32; V] = std::array::from_fn(|r| if mode == 0 { t[(i * V + r, j)] } else { t[(i, j * V + r)] });
        assert_eq!(vectors[(i, j)], want);
    }
    assert_eq!((vectors.get((m, 0)), vectors.get((0, n)), vectors.size()), (None, None, m * n));
    let back = vectors.scalars().unwrap();
    for (i, j) in (0..extents[1]).flat_map(|j| (0..extents[0]).map(move |i| (i, j))) {
        assert_eq!(back[(i, j)], t[(i, j)]);
    }
    let mut owned = data.clone();
    let mut written = Tensor::new(&mut owned, layout).unwrap();
    written.vectors_mut::<V>().unwrap().for_each_mut(|x| *x = [7; V]);
    written.for_each(|x| assert_eq!(*x, 7));
    assert_eq!(owned.iter().filter(|x| **x == 7).count() - (len > 7) as usize, written_elements(&data, &layout));
    true
}

/// Returns how many elements of `data` at the indices of a layout are not 7.
fn written_elements<L: Layout>(data: &[u32], layout: &L) -> usize {
    let mut indices: Vec<usize> = (0..layout.size()).map(|k| layout.crd2idx(k)).collect();
    indices.sort_unstable();
    indices.dedup();
    indices.iter().filter(|index| data[**index] != 7).count()
}

#[test]
fn vectors() {
    // An interpreter takes a second for each case.
    let (mut found, step) = (0, if cfg!(miri) { 4 } else { 1 });
    let columns = |m| (0..4).flat_map(move |n| (0..13).step_by(step).map(move |ld| (m, n, ld)));
    for (m, n, ld) in (0..9).step_by(step).flat_map(columns) {
        found += agree::<_, 2>(make_layout((m, n), (Int::<1>, ld)), 0, [m, n]) as usize;
        found += agree::<_, 4>(make_layout((m, n), (Int::<1>, ld)), 0, [m, n]) as usize;
        found += agree::<_, 4>(make_layout((n, m), (ld, Int::<1>)), 1, [n, m]) as usize;
        found += agree::<_, 1>(make_layout((n, m), (ld, Int::<1>)), 1, [n, m]) as usize;
        found += agree::<_, 4>(make_layout((n, m), (ld, Int::<1>)).hoist::<4>(), 1, [n, m]) as usize;
    }
    assert!(found > 100 / step / step, "{found}");
    assert!(agree::<_, 4>(layout!((8, 6) : (1, 8)), 0, [8, 6]));
    assert!(agree::<_, 3>(layout!((1, 6) : (5, 1)), 1, [1, 6]));
    assert!(agree::<_, 4>(layout!((8, 6) : (1, 0)), 0, [8, 6]));
}

/// Checks vectors of `V` along the first mode against single elements.
fn groups<L: Vectorable<V>, const V: usize>(layout: L, [m, n]: [usize; 2]) {
    let data: Vec<u32> = (0..4096).collect();
    let t = Tensor::new(&data, layout).unwrap();
    let vectors = t.vectors::<V>().unwrap();
    assert_eq!(vectors.size(), m / V * n);
    for (i, j) in (0..n).flat_map(|j| (0..m / V).map(move |i| (i, j))) {
        assert_eq!(vectors[(i, j)], std::array::from_fn(|r| t[(i * V + r, j)]));
    }
    let mut owned = data.clone();
    let mut written = Tensor::new(&mut owned, layout).unwrap();
    written.vectors_mut::<V>().unwrap().for_each_mut(|x| *x = [5000; V]);
    written.for_each(|x| assert_eq!(*x, 5000));
    assert_eq!(owned.iter().filter(|x| **x == 5000).count(), m * n);
}

#[test]
fn vectors_of_other_layouts() {
    let (m, n) = (8, 6);
    for ld in [8, 12, 20] {
        groups::<_, 4>(DynLayout::<16>::parse(&format!("({m},{n}):(1,{ld})")).unwrap(), [m, n]);
        groups::<_, 2>(DynLayout::<16>::parse(&format!("((2,4),{n}):((1,2),{ld})")).unwrap(), [m, n]);
        groups::<_, 4>(Injective::new(make_layout((m, n), (Int::<1>, ld))).unwrap(), [m, n]);
    }
    assert!(Tensor::new(&[0; 64], DynLayout::<16>::parse("(8,4):(1,10)").unwrap()).unwrap().vectors::<4>().is_err());
    assert!(Tensor::new(&[0; 64], DynLayout::<16>::parse("(8,4):(2,16)").unwrap()).unwrap().vectors::<2>().is_err());
    assert!(Tensor::new(&[0; 64], DynLayout::<16>::parse("(6,4):(1,8)").unwrap()).unwrap().vectors::<4>().is_err());
    // Swizzles that keep groups of 4 and of 8 whole.
    groups::<_, 4>(StaticSwizzle::<2, 2, 3>.composition(layout!((16, 16) : (1, 16))), [16, 16]);
    groups::<_, 2>(StaticSwizzle::<2, 2, -3>.composition(make_layout((m, n), (Int::<1>, 16))), [m, n]);
    groups::<_, 8>(Composed::of(Swizzle::new(3, 3, 3).unwrap(), DynLayout::<16>::parse("(16,8):(1,16)").unwrap()), [16, 8]);
    groups::<_, 4>(Injective::new(StaticSwizzle::<2, 2, 3>.composition(make_layout((m, n), (Int::<1>, 16)))).unwrap(), [m, n]);
    let data = [0u32; 64];
    let moved = Tensor::new(&data, StaticSwizzle::<2, 1, 3>.composition(layout!((8, 8) : (1, 8)))).unwrap();
    assert!(moved.vectors::<2>().is_ok());
    assert!(moved.vectors::<4>().is_err());
    // A slice may begin within a group or with one.
    let whole = Tensor::new(&data, StaticSwizzle::<2, 2, 2>.composition(layout!((8, (4, 2)) : (8, (1, 4))))).unwrap();
    let row = whole.slice((3, (Keep, 1)));
    assert_eq!(row.vectors::<4>().unwrap().size(), 1);
}

#[test]
fn aligned() {
    let mut data = AlignedVector::<[f32; 64], Align32>::new(std::array::from_fn(|k| k as f32));
    for origin in 0..8 {
        let t = Tensor::new(&data.vector[origin..origin + 32], layout!((8, 4) : (1, 8))).unwrap();
        let vectors = t.vectors::<4>().unwrap();
        match vectors.aligned::<Align16>() {
            Ok(vectors) => {
                assert_eq!(origin % 4, 0);
                assert_eq!(vectors[(1, 2)].vector, [20.0, 21.0, 22.0, 23.0].map(|x| x + origin as f32));
            }
            Err(error) => assert!(origin % 4 != 0 && error.to_string() == "the memory is not aligned to 16 bytes"),
        }
    }
    let mut t = Tensor::new(&mut data.vector, layout!((8, 8) : (1, 8))).unwrap();
    t.vectors_mut::<8>().unwrap().aligned_mut::<Align32>().unwrap().fill(AlignedVector::new([1.0; 8]));
    assert_eq!(data.vector, [1.0; 64]);
}

/// A negative stride must be of a signed type: an unsigned number that wraps around is refused.
#[test]
fn strides_that_are_negative() {
    let data: Vec<u32> = (0..64).collect();
    let wrapped = make_layout((4, 3), (Int::<1>, usize::MAX - 3));
    assert_eq!(wrapped.offset((0, 2)), -8);
    assert!(Tensor::with_origin(&data, 32, wrapped).unwrap_err().to_string().contains("is -4 as a signed number"));
    let signed = Tensor::with_origin(&data, 32, make_layout((4, 3), (Int::<1>, Signed(-4)))).unwrap();
    assert_eq!(signed.vectors::<4>().unwrap()[(0, 2)], [24, 25, 26, 27]);
}

#[test]
fn refusals() {
    let data = [0u8; 64];
    let (m, ld) = (6, 8);
    let t = Tensor::new(&data, make_layout((m, 4), (Int::<1>, ld))).unwrap();
    assert!(t.vectors::<4>().err().unwrap().to_string().contains("6 elements"));
    assert_eq!(max_vector(&t.layout()), 2);
    assert_eq!(max_common_vector(&make_layout((m, 4), (Int::<1>, ld)), &make_layout((m, 4), (Int::<1>, 9))), 1);
}

#[test]
fn bits_of_others() {
    let words: Vec<u32> = (0..16).map(|x| x * 0x0101_0203).collect();
    let t = Tensor::new(&words, layout!((4, 4) : (1, 4))).unwrap();
    let bytes = t.recast::<[u8; 4]>().unwrap();
    let bytes = bytes.scalars().unwrap();
    for k in 0..16 {
        let want = words[k].to_ne_bytes();
        assert!((0..4).all(|r| bytes[(k % 4 * 4 + r, k / 4)] == want[r]));
    }
    // Bytes can be read as words if the memory is aligned.
    let raw: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).chain([0; 4]).collect();
    for start in 0..4 {
        let t = Tensor::new(&raw[start..start + 64], layout!(64 : 1)).unwrap();
        let groups = t.vectors::<4>().unwrap();
        let aligned = raw[start..].as_ptr().cast::<u32>().is_aligned();
        match groups.recast::<u32>() {
            Ok(words) => assert!(aligned && words[0] == u32::from_ne_bytes(groups[0])),
            Err(error) => assert!(!aligned && error.to_string() == "the memory is not aligned to 4 bytes"),
        }
    }
    let mut floats = [0.0f32; 4];
    let mut t = Tensor::new(&mut floats, layout!(4 : 1)).unwrap();
    t.recast_mut::<u32>().unwrap().fill(1.5f32.to_bits());
    assert_eq!(floats, [1.5; 4]);
    let mut pairs = [[0u8; 2]; 3];
    Tensor::new(&mut pairs, layout!(3 : 1)).unwrap().scalars_mut().unwrap()[5] = 9;
    assert_eq!(pairs, [[0, 0], [0, 0], [0, 9]]);
}

/// Compares writes to and reads of a packed tensor with a list of the same numbers.
fn packed<const BITS: usize>() {
    let (m, n) = (5, 7);
    let layout = make_layout((m, n), (n, Int::<1>));
    let mut bytes = vec![0u8; (m * n * BITS).div_ceil(8)];
    let mut want = vec![0u8; m * n];
    let mut t = Packed::<_, _, BITS>::new(&mut bytes, layout).unwrap();
    for k in 0..3 * m * n {
        let (i, j, value) = (k * 3 % m, k * 5 % n, (k * 7 + k / 3) as u8);
        t.set((i, j), value);
        want[i * n + j] = value & ((1u16 << BITS) - 1) as u8;
    }
    assert!((0..m * n).all(|k| t.get((k / n, k % n)) == Some(want[k])));
    assert_eq!((t.get((m, 0)), t.get((0, n)), t.size()), (None, None, m * n));
    assert!(Packed::<_, _, BITS>::new(&bytes, make_layout((m, n), (n, Int::<2>))).is_err());
    assert!(Packed::<_, _, BITS>::new(&bytes, make_layout(2, Signed(-1))).is_err());
}

#[test]
fn bits() {
    packed::<1>();
    packed::<2>();
    packed::<4>();
    let mut bytes = [0u8; 1];
    let error = std::panic::catch_unwind(move || Packed::<_, _, 1>::new(&mut bytes, layout!(8 : 1)).unwrap().set(8, 1));
    assert!(error.is_err());
}
