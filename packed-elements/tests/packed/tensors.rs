//! Tensors of packed elements, compared with an enumeration of their layouts.

use crate::for_each_width;
use crate::random::{Random, layout, pattern, set_pattern, strided};
use layout_core::layouts::StaticSwizzle;
use layout_core::{Int, Layout, TensorError, make_layout};
use packed_elements::{I4, PackedElement, PackedError, PackedTensor, U1, U4, U6};

/// Reads and writes every coordinate of a layout, with index 0 at `origin`.
fn enumerated<E: PackedElement>(layout: impl Layout, origin: usize, random: &mut Random) {
    let range = layout.index_range().expect("small numbers");
    let elements = (origin as isize + range.end.max(0)) as usize;
    let bytes = (elements * E::BITS as usize).div_ceil(8);
    let mut data = random.bytes(bytes);
    let mut naive = data.clone();
    let number = |k: usize| (layout.offset(k) + origin as isize) as usize;
    let mut t = PackedTensor::<_, _, E>::with_origin(&mut data, origin, layout).expect("enough bytes");
    for k in random.shuffled(layout.size()) {
        assert_eq!(t.get(k).map(E::to_bits), Some(pattern::<E>(&naive, number(k))));
        let element = random.next() as u16;
        set_pattern::<E>(&mut naive, number(k), element);
        t.set(k, E::from_bits(element));
    }
    assert!(t.get(layout.size()).is_none());
    let mut visited = 0;
    t.for_each_at(|k: usize, element| {
        assert_eq!((k, element.to_bits()), (visited, pattern::<E>(&naive, number(k))));
        visited += 1;
    });
    assert_eq!((visited, t.size()), (layout.size(), layout.size()));
    assert_eq!(data, naive);

    // A byte less holds fewer elements, unless the layout has none.
    if bytes > 0 && !range.is_empty() {
        let few = (bytes - 1) * 8 / E::BITS as usize;
        let short = PackedTensor::<_, _, E>::with_origin(&naive[..bytes - 1], origin, layout).err();
        let error = TensorError::Storage { first: range.start, last: range.end - 1, elements: few, origin };
        assert_eq!(short, Some(PackedError::Tensor(error)));
    }
}

fn random_layouts<E: PackedElement>() {
    let mut random = Random::new(E::BITS.into());
    for _ in 0..100 {
        let extents = random.extents(120);
        let strides =
            if random.below(4) == 0 { extents.iter().map(|_| random.below(9) as isize - 2).collect() } else { random.injective(&extents) };
        let layout = strided(&extents, &strides);
        let least = layout.index_range().expect("small numbers").start;
        enumerated::<E>(layout, least.min(0).unsigned_abs() + random.below(5), &mut random);
    }
    let rows = make_layout((Int::<8>, Int::<4>), (Int::<4>, Int::<1>));
    enumerated::<E>(StaticSwizzle::<1, 0, 2>.composition(rows), 0, &mut random);
    for text in ["(8,4):(^5,^1)", "((2,4),3):((4,1),8)", "4:0", "0:1", "(2,0):(5,-7)"] {
        enumerated::<E>(layout(text), 0, &mut random);
    }
}

#[test]
fn elements_are_those_of_the_indices() {
    for_each_width!(random_layouts());
}

#[test]
fn static_layouts_and_any_storage() {
    let rows = make_layout((Int::<3>, Int::<5>), (Int::<5>, Int::<1>));
    let data: Vec<u8> = Random::new(3).bytes(12);
    let (vector, slice) = (PackedTensor::<_, _, U6>::new(data.clone(), rows), PackedTensor::<_, _, U6>::new(&data[..], rows));
    let (vector, slice) = (vector.expect("enough bytes"), slice.expect("enough bytes"));
    for i in 0..3 {
        for j in 0..5 {
            let expected = pattern::<U6>(&data, 5 * i + j);
            assert_eq!([vector.get((i, j)), slice.get((i, j))].map(|element| element.map(U6::to_bits)), [Some(expected); 2]);
        }
        assert_eq!((vector.get((i, 5)), vector.get((3, i))), (None, None));
    }
    assert_eq!(vector.into_storage(), data);
}

#[test]
fn indices_outside_of_the_bytes_are_refused() {
    let refused = |text: &str, origin: usize| PackedTensor::<_, _, U1>::with_origin([0; 2], origin, layout(text)).err();
    assert_eq!(refused("16:1", 0), None);
    assert_eq!(refused("16:-1", 15), None);
    for (text, origin) in [("17:1", 0), ("16:1", 1), ("16:-1", 14), ("2:-1", 0), ("1:1", 16), ("1:1", usize::MAX), ("2:1000000", 0)] {
        assert!(matches!(refused(text, origin), Some(PackedError::Tensor(TensorError::Storage { elements: 16, .. }))), "{text} {origin}");
    }
    let too_long = PackedTensor::<_, _, I4>::new([0; 4], make_layout((4, 8), (usize::MAX, 10))).err();
    assert!(matches!(too_long, Some(PackedError::Tensor(TensorError::Layout(_)))));
}

#[test]
#[should_panic(expected = "outside of (2,4):(4,1)")]
fn coordinates_outside_are_not_written() {
    let mut t = PackedTensor::<_, _, U4>::new([0; 16], make_layout((2, 4), (4, 1))).expect("enough bytes");
    t.set((0, 4), U4::MAX);
}
