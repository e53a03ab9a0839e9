//! Any offsets or views are refused, or make an array that answers all queries.
//! `cargo +nightly fuzz run ragged -- -max_total_time=60`
#![no_main]

use libfuzzer_sys::fuzz_target;
use ragged_arrays::RaggedArray;

fuzz_target!(|data: &[u8]| {
    let Some((head, rest)) = data.split_first() else { return };
    // Mostly small numbers. Some byte values stand for extreme numbers.
    let number = |byte: &u8| match byte {
        250 => i64::MIN,
        251 => -1,
        252 => i64::MAX,
        253 => 1 << 32,
        other => i64::from(*other),
    };
    let leaves: Vec<i64> = (0..i64::from(head >> 3)).collect();
    let lists: Vec<Vec<i64>> = rest.split(|byte| *byte == 255).map(|list| list.iter().map(number).collect()).collect();
    let array = match (head & 7, &lists[..]) {
        (0, [starts, sizes, ..]) => {
            let words = |list: &[i64]| list.iter().map(|x| *x as u64).collect::<Vec<_>>();
            RaggedArray::from_views(words(starts), words(sizes), leaves)
        }
        _ => RaggedArray::from_offsets(lists, leaves),
    };
    if let Ok(array) = array {
        ask(&array);
    }
});

/// Runs every query, on every axis.
fn ask(array: &RaggedArray<'_, i64>) {
    // Views that overlap may have many more leaves than there are data.
    let elements: usize = (0..array.depth()).map(|axis| array.shape().count(axis)).sum();
    if elements > 1 << 12 {
        return;
    }
    let packed = array.pack().expect("lists that were checked");
    assert_eq!(&packed, array);
    for axis in 0..array.depth() {
        assert_eq!(array.reverse(axis).and_then(|reversed| reversed.reverse(axis)).as_ref(), Ok(&packed));
        assert_eq!(array.slice(axis, None, None, 1).as_ref(), Ok(&packed));
        let _ = (array.sum(axis), array.argmax(axis), array.mean(axis), array.num(axis), array.flatten(axis), array.index(axis, -1));
    }
    let size = array.bounding_shape().map(|shape| shape.iter().fold(1_usize, |size, n| size.saturating_mul(*n)));
    if size.is_ok_and(|size| size < 1 << 20) {
        array.to_padded(&0).expect("small");
    }
    let _ = (array.to_regular(), array.aligned(4, &0), array.argsort(), array.blocks::<2>().map(|blocks| blocks.unblock(&[2])));
    let shape = packed.shape();
    for (leaf, coordinates) in shape.coordinates().iter().enumerate() {
        assert_eq!((shape.decompose(leaf).as_ref(), shape.locate(coordinates)), (Ok(coordinates), Ok(leaf)));
    }
}
