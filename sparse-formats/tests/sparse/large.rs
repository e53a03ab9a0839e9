//! Tests of matrices large enough for the special kernels, in every width, against a map of coordinates.

use crate::common::Rng;
use crate::common::threads::on_threads;
use sparse_formats::{ArrayName, Builder, Duplicates, Format, Indices, SparseError, SparseTensor, Values, Width, Widths};
use std::collections::BTreeMap;

const MANY: usize = 1 << 13;

/// Returns the elements by coordinate in an axis order. Values of equal coordinates keep their order.
fn grouped(columns: &[Vec<u64>; 2], axes: &[usize]) -> BTreeMap<[u64; 2], Vec<u64>> {
    let mut groups = BTreeMap::<_, Vec<u64>>::new();
    for ((k, row), column) in (0..).zip(&columns[axes[0]]).zip(&columns[axes[1]]) {
        groups.entry([*row, *column]).or_default().push(k);
    }
    groups
}

fn listed<V: Clone + Default + Send + Sync>(tensor: &SparseTensor<V>) -> Vec<([u64; 2], Option<V>)> {
    let axes = tensor.format().axis_order();
    let mut out = Vec::new();
    tensor.for_each(|coordinate, value| out.push(([coordinate[axes[0]], coordinate[axes[1]]], value.cloned())));
    out
}

fn cut(numbers: &[u64], width: Width) -> Indices<'static> {
    match width {
        Width::U8 => numbers.iter().map(|x| *x as u8).collect::<Vec<_>>().into(),
        Width::U16 => numbers.iter().map(|x| *x as u16).collect::<Vec<_>>().into(),
        Width::U32 => numbers.iter().map(|x| *x as u32).collect::<Vec<_>>().into(),
        Width::U64 => numbers.to_vec().into(),
    }
}

fn formats() -> Vec<Format> {
    let orders = [[0, 1], [1, 0]];
    let all = [Format::coo(2), Format::csr()].map(|format| orders.map(|axes| format.clone().with_axis_order(&axes).expect("a format")));
    let simple = all.concat();
    let multigraphs = simple.iter().map(|format| format.clone().with_multigraph(true).expect("a format"));
    multigraphs.chain(simple.clone()).collect()
}

/// Returns random coordinates, with and without duplicates.
fn lists(extents: [u64; 2]) -> [[Vec<u64>; 2]; 2] {
    let mut random = Rng(extents[0]);
    let repeated = [0, 1].map(|axis| (0..MANY).map(|_| random.below(extents[axis]) * random.below(4).min(1)).collect());
    let mut distinct: Vec<u64> = (0..MANY as u64).map(|k| k * (extents[0] * extents[1] / MANY as u64)).collect();
    (1..MANY).for_each(|k| distinct.swap(k, random.below(k as u64 + 1) as usize));
    [repeated, [0, 1].map(|axis| distinct.iter().map(|k| if axis == 0 { k / extents[1] } else { k % extents[1] }).collect())]
}

fn check(extents: [u64; 2], given: Width, widths: Widths) {
    for columns in lists(extents) {
        let indices = [0, 1].map(|axis: usize| cut(&columns[axis], given));
        let values: Vec<u64> = (0..MANY as u64).collect();
        for format in formats() {
            let groups = grouped(&columns, format.axis_order());
            let builder = Builder::new(format.clone(), 0u64).widths(widths.clone());
            let build = |policy| on_threads(|| builder.clone().duplicates(policy).build(&extents, &indices, Values::from(&values[..])));
            let expect = |of: &dyn Fn(&[u64]) -> Vec<u64>| -> Vec<([u64; 2], Option<u64>)> {
                groups.iter().flat_map(|(at, group)| of(group).into_iter().map(|value| (*at, Some(value)))).collect()
            };
            let sum = build(Duplicates::sum()).expect("a matrix");
            assert_eq!(listed(&sum), expect(&|group| vec![group.iter().sum()]), "{format} of {extents:?}");
            assert_eq!(listed(&build(Duplicates::First).expect("a matrix")), expect(&|group| vec![group[0]]));
            assert_eq!(listed(&build(Duplicates::Last).expect("a matrix")), expect(&|group| vec![group[group.len() - 1]]));
            let kept = build(Duplicates::Keep);
            let repeated = groups.values().any(|group| group.len() > 1);
            if format.is_multigraph() || !repeated {
                assert_eq!(listed(kept.as_ref().expect("a matrix")), expect(&<[u64]>::to_vec));
            }
            let refused = build(Duplicates::Refuse);
            match groups.iter().find(|(_, group)| group.len() > 1) {
                Some((at, group)) => {
                    let pair = (group[0] as usize, group[1] as usize);
                    let found = format.axis_order().iter().map(|axis| at[*axis]).collect();
                    assert_eq!(refused, Err(SparseError::Repeated { at: pair, found }));
                }
                None => assert_eq!(Ok(refused.expect("a matrix")), kept),
            }
            let iso = Builder::new(format.clone(), 0u64).widths(widths.clone()).duplicates(Duplicates::First);
            let iso = iso.build(&extents, &indices, Values::Iso(7)).expect("a matrix");
            assert_eq!(listed(&iso), expect(&|_| vec![7]));
            assert_eq!(iso.pattern(), sum.pattern());
            assert_eq!(
                iso.pattern().arrays().indices.iter().map(width).collect::<Vec<_>>(),
                sum.pattern().arrays().indices.iter().map(width).collect::<Vec<_>>()
            );

            for other in formats().into_iter().filter(|other| !format.is_multigraph() || *other == Format::csc()) {
                let builder = Builder::new(other.clone(), 0u64).widths(widths.clone());
                let converted = on_threads(|| sum.convert(&builder).expect("a matrix"));
                assert_eq!(converted, build_of(&sum, &builder), "{format} to {other}");
                let parts = converted.clone().into_parts();
                assert!(SparseTensor::from_parts(&parts.shape, parts.format, parts.arrays, parts.values, 0).is_ok());
            }
        }
    }
}

fn width(array: &Option<Indices>) -> Option<Width> {
    array.as_ref().map(Indices::width)
}

/// Builds the tensor again from its single elements.
fn build_of(tensor: &SparseTensor<u64>, builder: &Builder<u64>) -> SparseTensor<'static, u64> {
    let (mut columns, mut values) = ([Vec::new(), Vec::new()], Vec::new());
    tensor.for_each(|coordinate, value| {
        (0..2).for_each(|axis| columns[axis].push(coordinate[axis] as u32));
        values.extend(value.copied());
    });
    builder.build(tensor.shape(), &columns.map(Indices::from), values).expect("a matrix")
}

#[test]
fn narrow_and_wide() {
    check([300, 500], Width::U32, Widths::narrowest());
    check([300, 500], Width::U64, Widths::all(Width::U32));
    check([30_000, 70_000], Width::U32, Widths::all(Width::U32));
    check([30_000, 70_000], Width::U64, Widths::all(Width::U64));
    check([5, 1_000_000], Width::U32, Widths::narrowest());
}

/// The kernels of matrices report a width or rows that do not fit. They do not fall back to the general path, which
/// would sort the elements first and then report duplicates.
#[test]
fn kernels_report_what_does_not_fit() {
    let column = |extent: u64| Indices::from((0..20_000u64).map(|k| k % 10_000 % extent).collect::<Vec<_>>());
    let columns = [column(10_000), column(1000)];
    let build = |format: &str, shape: [u64; 2], widths: Widths| {
        Builder::new(format.parse().unwrap(), 0).widths(widths).build(&shape, &columns, vec![1; 20_000]).unwrap_err()
    };
    let repeated = build("C-S-R", [10_000, 1000], Widths::default());
    assert_eq!(repeated.class(), "levels/duplicate");
    let narrow = Widths::default().with(ArrayName::Indices(1), Width::U8);
    assert_eq!(
        build("C-S-R", [10_000, 1000], narrow.clone()),
        SparseError::Width { array: ArrayName::Indices(1), width: Width::U8, most: 999 }
    );
    let rows = Widths::default().with(ArrayName::Indices(0), Width::U8);
    assert_eq!(build("S-S-R", [10_000, 1000], rows), SparseError::Width { array: ArrayName::Indices(0), width: Width::U8, most: 9999 });
    let wide = Widths::default().with(ArrayName::Pointers(0), Width::U32);
    assert_eq!(build("C-S-R", [1 << 60, 1000], wide), SparseError::Entries { level: 0, parents: 1, extents: vec![1 << 60] });

    let distinct = Builder::new(Format::csr(), 0).duplicates(Duplicates::First).build(&[10_000, 1000], &columns, vec![1; 20_000]).unwrap();
    assert!(distinct.stored() >= 1 << 13);
    let by_columns = Builder::new(Format::csc(), 0).widths(narrow);
    assert_eq!(
        distinct.convert(&by_columns).unwrap_err(),
        SparseError::Width { array: ArrayName::Indices(1), width: Width::U8, most: 9999 }
    );
    // Pointers need only hold the number of elements that are left.
    let pointers = Widths::default().with(ArrayName::Pointers(0), Width::U16);
    let (len, first) = (70_000u64, Duplicates::First);
    let many = [40_000u64, 7].map(|extent| Indices::from((0..len).map(|k| k % 10_000 % extent).collect::<Vec<_>>()));
    let left = Builder::new(Format::csr(), 0).widths(pointers).duplicates(first).build(&[40_000, 7], &many, vec![1; len as usize]);
    assert_eq!(left.unwrap().stored(), 10_000);
}
