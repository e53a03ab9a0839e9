//! Tests conversions of ragged arrays from and to Arrow: the same lists, in the same memory, and nulls.

use super::nested::{Nested, of, random};
use crate::random::Rng;
use array_kernels::Ranges;
use ragged_arrays::arrow::arrow_array::cast::AsArray;
use ragged_arrays::arrow::arrow_array::types::{ArrowPrimitiveType, Float64Type, Int16Type, Int32Type, Int64Type, TimestampSecondType};
use ragged_arrays::arrow::arrow_array::{
    Array, ArrayRef, BooleanArray, FixedSizeListArray, GenericListArray, GenericListViewArray, LargeListArray, LargeListViewArray,
    ListArray, ListViewArray, OffsetSizeTrait, PrimitiveArray, StringArray, TimestampSecondArray,
};
use ragged_arrays::arrow::arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use ragged_arrays::arrow::arrow_schema::{DataType, Field, FieldRef};
use ragged_arrays::arrow::{ListError, Nulls};
use ragged_arrays::{DynLevel, OffsetIndex, OptionArray, RaggedArray};
use std::sync::Arc;

fn field(values: &ArrayRef) -> FieldRef {
    Arc::new(Field::new_list_field(values.data_type().clone(), true))
}

fn leaves<P: ArrowPrimitiveType>(values: Vec<P::Native>) -> ArrayRef {
    Arc::new(PrimitiveArray::<P>::new(values.into(), None))
}

fn list<O: OffsetSizeTrait>(offsets: Vec<O>, values: ArrayRef, nulls: Option<Vec<bool>>) -> GenericListArray<O> {
    GenericListArray::new(field(&values), OffsetBuffer::new(offsets.into()), values, nulls.map(NullBuffer::from))
}

fn view<O: OffsetSizeTrait>(starts: Vec<O>, sizes: Vec<O>, values: ArrayRef, nulls: Option<Vec<bool>>) -> GenericListViewArray<O> {
    GenericListViewArray::new(field(&values), starts.into(), sizes.into(), values, nulls.map(NullBuffer::from))
}

fn fixed(size: i32, values: ArrayRef, nulls: Option<Vec<bool>>) -> FixedSizeListArray {
    FixedSizeListArray::new(field(&values), size, values, nulls.map(NullBuffer::from))
}

/// Reads the lists of an Arrow array through Arrow itself.
fn nested(array: &dyn Array) -> Nested<i64> {
    let rows = |row: &dyn Fn(usize) -> ArrayRef| Nested::List((0..array.len()).map(|k| nested(&*row(k))).collect());
    match array.data_type() {
        DataType::List(_) => rows(&|k| array.as_list::<i32>().value(k)),
        DataType::LargeList(_) => rows(&|k| array.as_list::<i64>().value(k)),
        DataType::FixedSizeList(..) => rows(&|k| array.as_fixed_size_list().value(k)),
        DataType::ListView(_) => rows(&|k| array.as_list_view::<i32>().value(k)),
        DataType::LargeListView(_) => rows(&|k| array.as_list_view::<i64>().value(k)),
        _ => Nested::List(array.as_primitive::<Int64Type>().values().iter().map(|x| Nested::Leaf(*x)).collect()),
    }
}

#[test]
fn lists_stay_the_same_both_ways() {
    let mut rng = Rng::new(61);
    for round in 0..500 {
        let depth = 1 + round % 5;
        let naive = random(depth, &mut rng);
        let lists = naive.stored(depth, &mut rng).into_arrow::<Int64Type>().expect("lists");
        assert_eq!(nested(&lists), naive);
        let back = RaggedArray::from_arrow::<Int64Type>(&lists).expect("an array");
        assert_eq!(of(&back), naive);
        // Slices behave like any other array.
        let begin = rng.below(lists.len() + 1);
        let slice = lists.slice(begin, rng.below(lists.len() - begin + 1));
        let array = RaggedArray::from_arrow::<Int64Type>(&slice).expect("an array");
        assert_eq!(of(&array), nested(&slice));
        assert_eq!(nested(&array.into_arrow::<Int64Type>().expect("lists")), nested(&slice));
    }
}

#[test]
fn views_in_any_order_on_any_level() {
    let mut rng = Rng::new(62);
    for _ in 0..300 {
        let values: Vec<i64> = (0..rng.below(9)).map(|k| k as i64).collect();
        let mut rows = |len: usize, positions: usize| -> (Vec<i64>, Vec<i64>) {
            let row = |_| {
                let start = rng.below(positions + 1);
                (start as i64, rng.below(positions - start + 1) as i64)
            };
            (0..len).map(row).unzip()
        };
        let (inner, outer) = (rows(5, values.len()), rows(4, 5));
        let narrow = |words: Vec<i64>| words.into_iter().map(|x| x as i32).collect::<Vec<_>>();
        let inner = view(inner.0, inner.1, leaves::<Int64Type>(values), None);
        let lists: ArrayRef = Arc::new(view(narrow(outer.0), narrow(outer.1), Arc::new(inner), None));
        let array = RaggedArray::from_arrow::<Int64Type>(&lists).expect("an array");
        assert_eq!(of(&array), nested(&lists));
        let back = array.into_arrow::<Int64Type>().expect("lists");
        assert_eq!(back.data_type(), lists.data_type());
        assert_eq!(nested(&back), nested(&lists));
    }
}

#[test]
fn every_kind_keeps_its_type() {
    let values = || leaves::<Int64Type>((0..6).collect());
    let all: [ArrayRef; 8] = [
        values(),
        Arc::new(list(vec![0_i32, 4, 6], values(), None)),
        Arc::new(list(vec![0_i64, 4, 6], values(), None)),
        Arc::new(view(vec![4_i32, 0], vec![2, 4], values(), None)),
        Arc::new(view(vec![4_i64, 0], vec![2, 4], values(), None)),
        Arc::new(fixed(3, values(), None)),
        Arc::new(list(vec![1_i64, 1, 2], Arc::new(fixed(3, values(), None)), None)),
        Arc::new(fixed(1, Arc::new(list(vec![2_i32, 2, 6], values(), None)), None)),
    ];
    for lists in all {
        for lists in [lists.slice(0, lists.len()), lists.slice(1, 1), lists.slice(1, 0)] {
            let array = RaggedArray::from_arrow::<Int64Type>(&lists).expect("an array");
            let back = array.into_arrow::<Int64Type>().expect("lists");
            assert_eq!((back.data_type(), back.len()), (lists.data_type(), lists.len()));
            assert_eq!(nested(&back), nested(&lists));
        }
    }
}

#[test]
fn nothing_is_copied_from_arrow() {
    fn check<O: OffsetSizeTrait + OffsetIndex>() {
        let number = |x: usize| O::usize_as(x);
        let lists = list([0, 2, 2, 5, 6].map(number).to_vec(), leaves::<Float64Type>(vec![0.5; 6]), None);
        let tail = lists.slice(2, 2);
        let array = RaggedArray::from_arrow::<Float64Type>(&tail).expect("an array");
        // The first offset is 2, so the used leaves start at the third leaf.
        let offsets = *array.shape().levels()[0].as_ragged::<O>().expect("offsets of this type").offsets();
        assert_eq!((offsets.as_ptr(), offsets.len()), (tail.value_offsets().as_ptr(), 3));
        let values = lists.values().as_primitive::<Float64Type>().values();
        assert_eq!((array.leaves().as_ptr(), array.leaves().len()), (values[2..].as_ptr(), 4));
    }
    check::<i32>();
    check::<i64>();
    let lists: ListViewArray = view(vec![4_i32, 0], vec![2, 4], leaves::<Float64Type>(vec![0.5; 6]), None);
    let array = RaggedArray::from_arrow::<Float64Type>(&lists).expect("an array");
    let (starts, sizes) = views::<i32>(&array);
    assert_eq!((starts, sizes), (lists.value_offsets().as_ptr(), lists.value_sizes().as_ptr()));
    let lists: LargeListViewArray = view(vec![4_i64, 0], vec![2, 4], leaves::<Float64Type>(vec![0.5; 6]), None);
    let array = RaggedArray::from_arrow::<Float64Type>(&lists).expect("an array");
    let (starts, sizes) = views::<i64>(&array);
    assert_eq!((starts, sizes), (lists.value_offsets().as_ptr(), lists.value_sizes().as_ptr()));
    let lists = fixed(2, leaves::<Float64Type>(vec![0.5; 6]), None).slice(1, 2);
    let array = RaggedArray::from_arrow::<Float64Type>(&lists).expect("an array");
    assert_eq!(array.leaves().as_ptr(), lists.values().as_primitive::<Float64Type>().values().as_ptr());
    assert_eq!(array.shape().levels(), [DynLevel::fixed(2)]);
}

/// Returns the addresses of the starts and the sizes of views.
fn views<I: OffsetIndex>(array: &RaggedArray<'_, f64>) -> (*const I, *const I) {
    let level = &array.shape().levels()[0];
    let Ranges::Views { starts, sizes, .. } = level.ranges() else { panic!("views") };
    assert_eq!(level.is_signed(), I::SIGNED);
    let at = |array| I::slice_of(array).expect("of this width").as_ptr();
    (at(starts), at(sizes))
}

#[test]
fn nothing_is_copied_to_arrow() {
    fn check<I: OffsetIndex, O: OffsetSizeTrait>(offsets: Vec<I>) {
        let values = vec![1_i64, 2, 3];
        let at = (offsets.as_ptr().cast::<O>(), values.as_ptr());
        let level = DynLevel::offsets(offsets).expect("offsets");
        let lists = RaggedArray::new(2, vec![level], values).expect("an array").into_arrow::<Int64Type>().expect("lists");
        let list = lists.as_list::<O>();
        assert_eq!((list.value_offsets().as_ptr(), list.values().as_primitive::<Int64Type>().values().as_ptr()), at);
    }
    check::<i32, i32>(vec![1, 1, 3]);
    check::<u32, i32>(vec![1, 1, 3]);
    check::<i64, i64>(vec![1, 1, 3]);
    check::<u64, i64>(vec![1, 1, 3]);
    let (starts, sizes) = (vec![1_u64, 0], vec![2_u64, 1]);
    let at = (starts.as_ptr().cast::<i64>(), sizes.as_ptr().cast::<i64>());
    let lists = RaggedArray::from_views(starts, sizes, vec![1_i16, 2, 3]).expect("views").into_arrow::<Int16Type>().expect("lists");
    let list = lists.as_list_view::<i64>();
    assert_eq!((list.value_offsets().as_ptr(), list.value_sizes().as_ptr()), at);
}

#[test]
fn numbers_that_arrow_has_not() {
    // Starts of empty lists may be any number in the level, and lie within the values in Arrow.
    let views = RaggedArray::from_views(vec![u32::MAX, 1], vec![0, 1], vec![5_i64, 6]).expect("views");
    assert_eq!(nested(&views.clone().into_arrow::<Int64Type>().expect("lists")), of(&views));
    // Offsets of u32 that do not fit i32, over lists that need no memory.
    let level = DynLevel::offsets(vec![0_u32, 3_000_000_000]).expect("offsets");
    let array = RaggedArray::new(1, vec![level, DynLevel::fixed(0)], Vec::<i64>::new()).expect("an array");
    assert_eq!(array.into_arrow::<Int64Type>().expect("lists").as_list::<i64>().value_offsets(), [0, 3_000_000_000]);
    // A size that no Arrow list can have.
    let array = RaggedArray::new(0, vec![DynLevel::fixed(1 << 31)], Vec::<i64>::new()).expect("an array");
    let error = array.into_arrow::<Int64Type>().unwrap_err();
    assert_eq!(error.to_string(), "axis 1: lists of 2147483648 elements are too long for Arrow");
}

#[test]
fn nulls_are_named() {
    let message = |array: &dyn Array| RaggedArray::from_arrow::<Int64Type>(array).map(drop).unwrap_err().to_string();
    let null = |axis, index| format!("axis {axis}: element {index} is null, but a ragged array has no nulls");
    let values = || leaves::<Int64Type>((0..6).collect());
    let some: ArrayRef = Arc::new(PrimitiveArray::<Int64Type>::from(vec![Some(1), Some(2), None, Some(4)]));
    let inner = || -> ArrayRef { Arc::new(list(vec![0_i32, 2, 2, 6], values(), Some(vec![true, true, false]))) };
    assert_eq!(message(&some), null(0, 2));
    assert_eq!(message(&list(vec![0_i32, 2, 4], some.clone(), None)), null(1, 2));
    assert_eq!(message(&list(vec![0_i64, 2, 4], values(), Some(vec![true, false]))), null(0, 1));
    assert_eq!(message(&fixed(3, values(), Some(vec![false, true]))), null(0, 0));
    assert_eq!(message(&view(vec![0_i64], vec![2], values(), Some(vec![false]))), null(0, 0));
    assert_eq!(message(&list(vec![1_i32, 3], inner(), None)), null(1, 2));
    // Nulls that no list shows are ignored.
    assert!(RaggedArray::from_arrow::<Int64Type>(&list(vec![0_i32, 2], some.clone(), None)).is_ok());
    assert!(RaggedArray::from_arrow::<Int64Type>(&list(vec![0_i32, 2, 4], some.clone(), None).slice(0, 1)).is_ok());
    assert!(RaggedArray::from_arrow::<Int64Type>(&list(vec![3_i32, 4], some.clone(), None)).is_ok());
    assert!(RaggedArray::from_arrow::<Int64Type>(&view(vec![3_i32, 0, 0], vec![1, 1, 2], some.clone(), None)).is_ok());
    assert_eq!(message(&view(vec![3_i32, 1, 0], vec![1, 2, 2], some.clone(), None)), null(1, 2));
    assert!(RaggedArray::from_arrow::<Int64Type>(&view(vec![0_i32, 0], vec![1, 2], inner(), None)).is_ok());
    assert_eq!(message(&view(vec![0_i32, 2], vec![1, 1], inner(), None)), null(1, 2));
}

#[test]
fn something_stands_for_nulls() {
    let some = || -> ArrayRef { Arc::new(PrimitiveArray::<Int64Type>::from(vec![Some(1), Some(2), None, Some(4)])) };
    let lists = |array: &dyn Array, leaf| {
        let array = RaggedArray::from_arrow_with::<Int64Type>(array, Nulls { empty_lists: true, leaf })?;
        Ok::<_, ListError>(array.to_nested::<2, Vec<Vec<i64>>>()?)
    };
    // The elements of a null list are no longer shown, and neither are nulls among them.
    let ranges = list(vec![0_i32, 2, 3, 4], some(), Some(vec![true, false, true]));
    assert_eq!(lists(&ranges, None).expect("no null is shown"), [vec![1, 2], vec![], vec![4]]);
    let views = view(vec![1_i64, 2, 0], vec![3, 1, 1], some(), Some(vec![true, false, true]));
    assert_eq!(lists(&views, None).unwrap_err().to_string(), "axis 1: element 2 is null, but a ragged array has no nulls");
    assert_eq!(lists(&views, Some(-7)).expect("nothing is null"), [vec![2, -7, 4], vec![], vec![1]]);
    let sized = fixed(2, some(), Some(vec![true, false]));
    assert_eq!(lists(&sized, None).expect("no null is shown"), [vec![1, 2], vec![]]);
    // If null lists are empty, the offsets stay.
    let empty: LargeListArray = list(vec![0_i64, 2, 2], leaves::<Int64Type>(vec![1, 2]), Some(vec![true, false]));
    let array = RaggedArray::from_arrow_with::<Int64Type>(&empty, Nulls { empty_lists: true, leaf: None }).expect("an array");
    let offsets = array.shape().levels()[0].as_ragged::<i64>().expect("offsets of 64 bits").into_offsets();
    assert_eq!(offsets.as_ptr(), empty.value_offsets().as_ptr());
    // A replacement for leaves does not replace lists.
    let error = RaggedArray::from_arrow_with::<Int64Type>(&ranges, Nulls { empty_lists: false, leaf: Some(0) }).unwrap_err();
    assert_eq!(error.to_string(), "axis 0: element 1 is null, but a ragged array has no nulls");
}

#[test]
fn leaves_of_other_types() {
    let message = |array: &dyn Array| RaggedArray::from_arrow::<Int64Type>(array).map(drop).unwrap_err().to_string();
    let floats: ListArray = list(vec![0_i32, 1], leaves::<Float64Type>(vec![0.5]), None);
    assert_eq!(message(&floats), "axis 1: the elements have the type Float64; expected: Int64");
    assert_eq!(message(&StringArray::from(vec!["a"])), "axis 0: the elements have the type Utf8; expected: Int64");
    assert_eq!(message(&BooleanArray::from(vec![true])), "axis 0: the elements have the type Boolean; expected: Int64");
    let zoned: ArrayRef = Arc::new(TimestampSecondArray::from(vec![60, 120]).with_timezone_utc());
    let array = RaggedArray::from_arrow::<TimestampSecondType>(&zoned).expect("numbers of seconds");
    assert_eq!(array.leaves(), [60, 120]);
}

#[test]
fn arrays_that_break_the_rules_are_refused() {
    // SAFETY: this breaks Arrow's guarantee on purpose; only numbers and lengths of the array are read.
    let broken: ArrayRef = Arc::new(unsafe {
        let values = leaves::<Int64Type>(vec![1, 2]);
        GenericListArray::<i32>::new_unchecked(field(&values), OffsetBuffer::new_unchecked(ScalarBuffer::from(vec![0, 2, 1])), values, None)
    });
    let error = RaggedArray::from_arrow::<Int64Type>(&list(vec![0_i32, 2], broken, None)).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "level 1: offsets[2] = 1 is smaller than the 2 before it");
}

#[test]
fn null_lists_stay_missing() {
    let rows = [Some(vec![Some(1), None]), None, Some(vec![]), Some(vec![Some(4)])];
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(rows.clone());
    for (begin, len) in [(0, 4), (1, 3), (1, 1), (4, 0)] {
        let slice = lists.slice(begin, len);
        let a = OptionArray::from_arrow::<Int32Type>(&slice).expect("lists");
        let want = rows[begin..begin + len].to_vec();
        assert_eq!(a.to_nested::<2, Vec<Option<Vec<Option<i32>>>>>().expect("two axes"), want);
        let back = a.into_arrow::<Int32Type>().expect("lists");
        assert_eq!(
            back.as_list::<i32>().iter().map(|row| row.is_none()).collect::<Vec<_>>(),
            want.iter().map(Option::is_none).collect::<Vec<_>>()
        );
        assert_eq!(
            OptionArray::from_arrow::<Int32Type>(&*back).expect("lists").to_nested::<2, Vec<Option<Vec<Option<i32>>>>>().expect("two axes"),
            want
        );
    }
    // Null rows of a fixed size have elements in Arrow, which are dropped.
    let fixed =
        FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1), Some(2)]), None, Some(vec![None, Some(3)])], 2);
    let a = OptionArray::from_arrow::<Int32Type>(&fixed).expect("lists");
    assert_eq!((a.missing(0), a.leaves()), (&[false, true, false][..], &[Some(1), Some(2), None, Some(3)][..]));
    assert!(OptionArray::from_arrow::<Int64Type>(&fixed).is_err());
}
