//! Any Arrow lists, even invalid ones, are refused, or make an array that converts back to the same lists. The
//! same holds for sparse tensors. `cargo +nightly fuzz run interchange -- -max_total_time=60`
#![no_main]

use libfuzzer_sys::fuzz_target;
use ragged_arrays::arrow::arrow_array::types::Int64Type;
use ragged_arrays::arrow::arrow_array::{
    Array, ArrayRef, FixedSizeListArray, GenericListArray, GenericListViewArray, Int64Array, OffsetSizeTrait,
};
use ragged_arrays::arrow::arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use ragged_arrays::arrow::arrow_schema::{Field, FieldRef};
use ragged_arrays::RaggedArray;
use ragged_arrays::arrow::Nulls;
use sparse_formats::{Arrays, Format, InterchangeError, LevelKind, SparseTensor};
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    let Some((head, rest)) = data.split_first() else { return };
    let mut lists = rest.split(|byte| *byte == 255);
    let leaves: Vec<Option<i64>> = (0..i64::from(head >> 4)).map(|k| (head & 1 == 0 || k % 5 != 3).then_some(k)).collect();
    let mut array: ArrayRef = Arc::new(Int64Array::from(leaves));
    for _ in 0..=(head >> 1 & 3) {
        let (Some([kind, numbers @ ..]), further) = (lists.next(), head & 8 != 0) else { break };
        array = level(kind >> 1, numbers, array, kind & 1 == 1);
        // Arrow itself cannot slice fixed-size lists of an invalid array.
        if further && kind >> 1 & 7 < 6 {
            array = array.slice(array.len().min(1), array.len().saturating_sub(2));
        }
    }
    let policies = [Nulls::default(), Nulls { empty_lists: true, leaf: None }, Nulls { empty_lists: true, leaf: Some(7) }];
    for nulls in policies {
        if let Ok(ragged) = RaggedArray::from_arrow_with::<Int64Type>(&array, nulls) {
            there_and_back(&ragged);
        }
    }
    pointers(rest, usize::from(*head));
});

/// Makes lists of any kind, without checks.
fn level(kind: u8, numbers: &[u8], values: ArrayRef, nulls: bool) -> ArrayRef {
    match kind & 7 {
        0 | 1 => list(numbers.iter().map(|byte| number(*byte) as i32).collect(), values, nulls),
        2 => list(numbers.iter().map(|byte| number(*byte)).collect(), values, nulls),
        3 | 4 => view(numbers.iter().map(|byte| number(*byte) as i32).collect(), values, nulls),
        5 => view(numbers.iter().map(|byte| number(*byte)).collect(), values, nulls),
        _ => {
            let [size, len] = [0, 1].map(|k| numbers.get(k).map_or(0, |byte| number(*byte)));
            let len = (len as usize).min(1 << 10);
            let (size, mask) = ((size as i32).max(0), mask(nulls, len));
            // SAFETY: nothing is promised; only code that checks the array reads it.
            Arc::new(unsafe { FixedSizeListArray::new_unchecked(field(&values), size, values, mask, len) })
        }
    }
}

/// Returns mostly small numbers. Some byte values stand for extreme numbers.
fn number(byte: u8) -> i64 {
    match byte {
        250 => i64::MIN,
        251 => -1,
        252 => i64::MAX,
        253 => 1 << 32,
        254 => i64::from(i32::MAX),
        other => i64::from(other % 32),
    }
}

fn field(values: &ArrayRef) -> FieldRef {
    Arc::new(Field::new_list_field(values.data_type().clone(), true))
}

fn mask(nulls: bool, len: usize) -> Option<NullBuffer> {
    nulls.then(|| NullBuffer::from((0..len).map(|k| k % 3 != 1).collect::<Vec<_>>()))
}

fn list<O: OffsetSizeTrait>(mut offsets: Vec<O>, values: ArrayRef, nulls: bool) -> ArrayRef {
    if offsets.is_empty() {
        offsets.push(O::default());
    }
    let mask = mask(nulls, offsets.len() - 1);
    // SAFETY: nothing is promised; only code that checks the array reads it.
    Arc::new(unsafe {
        GenericListArray::new_unchecked(field(&values), OffsetBuffer::new_unchecked(ScalarBuffer::from(offsets)), values, mask)
    })
}

fn view<O: OffsetSizeTrait>(numbers: Vec<O>, values: ArrayRef, nulls: bool) -> ArrayRef {
    let (starts, sizes) = numbers.split_at(numbers.len() / 2);
    let (starts, sizes): (Vec<O>, Vec<O>) = starts.iter().copied().zip(sizes.iter().copied()).unzip();
    let mask = mask(nulls, starts.len());
    // SAFETY: nothing is promised; only code that checks the array reads it.
    Arc::new(unsafe { GenericListViewArray::new_unchecked(field(&values), starts.into(), sizes.into(), values, mask) })
}

/// Converts an accepted array to Arrow's lists and to a sparse tensor, and back.
fn there_and_back(ragged: &RaggedArray<'_, i64>) {
    let elements: usize = (0..ragged.depth()).map(|axis| ragged.shape().count(axis)).sum();
    if elements > 1 << 12 {
        return;
    }
    // Lists of views may contain the same leaves any number of times.
    let Ok(shown) = ragged.num(ragged.depth() - 1) else { return };
    if shown.leaves().iter().sum::<usize>() > 1 << 16 {
        return;
    }
    let lists = ragged.view().into_arrow::<Int64Type>().expect("sizes of 32 bits");
    assert_eq!(&RaggedArray::from_arrow::<Int64Type>(&lists).expect("no nulls"), ragged);
    let tensor = SparseTensor::from_ragged(ragged.view(), -1).expect("levels of all kinds");
    match tensor.into_ragged() {
        Ok(back) => assert_eq!(back.leaves(), ragged.pack().expect("lists that were checked").leaves()),
        Err(error) => assert!(matches!(error, InterchangeError::Gap { .. }), "{error}"),
    }
}

/// Makes tensors of any pointers and coordinates.
fn pointers(bytes: &[u8], head: usize) {
    let mut arrays = bytes.split(|byte| *byte == 255).map(<[u8]>::to_vec);
    let mut next = || arrays.next().unwrap_or_default();
    let (first, second) = (next(), next());
    let rows = first.len().saturating_sub(1) as u64;
    let len = second.len();
    let two = Arrays::new().with_pointers(0, first.clone()).with_indices(1, second.clone());
    let three = Arrays::new().with_pointers(0, first).with_indices(1, second).with_pointers(1, next()).with_indices(2, next());
    let kinds = [LevelKind::Pointers, LevelKind::IndexedPointers, LevelKind::Indices];
    let deep = Format::regular(&kinds).expect("a format");
    let extent = 1 + (head as u64 & 15);
    let deepest = three.indices.get(2).and_then(|indices| indices.as_ref()).map_or(0, |indices| indices.len());
    for (extents, format, arrays, len) in [(&[rows, extent][..], Format::csr(), two, len), (&[rows, extent, 1 << 8], deep, three, deepest)]
    {
        let Ok(tensor) = SparseTensor::from_parts(extents, format, arrays, vec![1_i64; len], 0) else { continue };
        let lists = tensor.view().into_lists::<u32>().expect("small coordinates");
        assert_eq!(lists.0.shape().offsets(), lists.1.shape().offsets());
        if let Ok(ragged) = tensor.view().into_ragged() {
            let back = SparseTensor::from_ragged_within(ragged, extents, 0).expect("the same lists");
            let elements = |tensor: &SparseTensor<'_, i64>| {
                let mut out = Vec::new();
                tensor.for_each(|coordinate, value| out.push((coordinate.to_vec(), value.copied())));
                out
            };
            assert_eq!(elements(&back), elements(&tensor));
        }
    }
}
