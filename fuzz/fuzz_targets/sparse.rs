//! Any arrays are refused and returned, or make a tensor that answers all queries.
//! `cargo +nightly fuzz run sparse -- -max_total_time=60`
#![no_main]

use libfuzzer_sys::fuzz_target;
use sparse_formats::{Arrays, AxisSelection, Balance, Builder, Custom, Format, Indices, LevelKind, MlirEncoding, SparseTensor, TacoFormat};

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.iter().copied();
    let mut next = || bytes.next().unwrap_or(0);
    let rank = usize::from(next() % 6);
    let (flags, split) = (next(), next());
    let levels = rank - usize::from(flags >> 5).min(rank);
    let mut axes: Vec<usize> = (0..rank).collect();
    (1..rank).for_each(|k| axes.swap(k, usize::from(next()) % (k + 1)));
    let kinds: Vec<LevelKind> = (0..levels).map(|_| LevelKind::ALL[usize::from(next() % 3)]).collect();
    let format = if flags & 1 == 1 { Format::multigraph(&kinds, &axes) } else { Format::new(&kinds, &axes) };
    let Ok(mut format) = format else { return };
    if flags & 2 != 0 {
        let unsorted: Vec<bool> = kinds.iter().map(|kind| *kind != LevelKind::Pointers && next() & 1 == 1).collect();
        format = format.with_unsorted(&unsorted).expect("compressed levels have no flag");
    }
    if flags & 4 != 0 {
        let Ok(balanced) = format.with_balanced(Some(Balance { level: usize::from(split >> 4), most: usize::from(split & 15) })) else {
            return;
        };
        format = balanced;
    }
    assert_eq!(format.to_string().parse::<Format>().as_ref(), Ok(&format));
    // Mostly small numbers. Some byte values stand for extreme numbers.
    let number = |byte: u8| match byte {
        250 => u64::MAX,
        251 => 1 << 60,
        252 => 1 << 32,
        253 => 1 << 31,
        other => u64::from(other & 15),
    };
    let shape: Vec<u64> = (0..rank).map(|_| number(next())).collect();
    let rest: Vec<u8> = bytes.collect();
    let lists: Vec<Vec<u64>> = rest.split(|byte| *byte == 255).map(|list| list.iter().map(|byte| number(*byte)).collect()).collect();
    if flags & 8 != 0 {
        return build(&shape, &format, &lists);
    }
    let mut lists = lists.into_iter();
    let mut arrays = Arrays::new();
    for level in 0..levels {
        if format.stores_indices(level) {
            arrays = arrays.with_indices(level, Indices::narrowest(&lists.next().unwrap_or_default()));
        }
        if format.stores_pointers(level) {
            arrays = arrays.with_pointers(level, Indices::narrowest(&lists.next().unwrap_or_default()));
        }
    }
    let values: Vec<u64> = lists.next().unwrap_or_default().iter().map(|value| value & 0xffff).collect();
    match SparseTensor::from_parts(&shape, format, arrays.clone(), values, 99) {
        Ok(tensor) => ask(&tensor),
        Err(rejected) => assert_eq!(rejected.parts.arrays, arrays),
    }
});

/// Builds a tensor from coordinates in any order.
fn build(shape: &[u64], format: &Format, lists: &[Vec<u64>]) {
    let columns: Vec<Indices> = (0..shape.len()).map(|axis| Indices::narrowest(lists.get(axis).map_or(&[], Vec::as_slice))).collect();
    let values: Vec<u64> = (0..columns.first().map_or(0, Indices::len) as u64).collect();
    if let Ok(tensor) = Builder::new(format.clone(), 99).at_most(1 << 16).build(shape, &columns, values) {
        let parts = tensor.clone().into_parts();
        let again = SparseTensor::from_parts(&parts.shape, parts.format, parts.arrays, parts.values, parts.fill);
        assert_eq!(again.map_err(|rejected| rejected.error).as_ref(), Ok(&tensor));
        ask(&tensor);
    }
}

/// Runs every query.
fn ask(tensor: &SparseTensor<u64>) {
    let rank = tensor.shape().len();
    let block = tensor.pattern().block_shape().iter().try_fold(1_u64, |block, extent| block.checked_mul(*extent));
    if block.is_none_or(|block| (tensor.stored() as u64).max(1).saturating_mul(block) > 1 << 12) {
        return;
    }
    let mut elements = Vec::new();
    tensor.for_each(|coordinate, value| elements.push((coordinate.to_vec(), value.copied())));
    for (coordinate, value) in &elements {
        let mut found = false;
        tensor.pattern().find_each(coordinate, |element| {
            found |= tensor.pattern().format().dense_axes() > 0 || tensor.values().get(element).copied() == *value;
        });
        assert!(found && tensor.at(coordinate).is_some());
    }
    for levels in 0..=tensor.format().levels() {
        let mut fibers = tensor.pattern().fibers(levels);
        let mut next = 0;
        while let Some(fiber) = fibers.next_entry() {
            assert_eq!(fiber.elements.start, next);
            next = fiber.elements.end;
        }
        assert_eq!(next, tensor.stored());
    }
    let multigraph = tensor.format().is_multigraph();
    let coo = Format::coo(rank).with_multigraph(multigraph).expect("the last level is sparse");
    if let Ok(list) = tensor.to_format(&coo) {
        assert_eq!(list.stored(), elements.len());
        let mut sorted = elements.clone();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        let mut listed = Vec::new();
        list.for_each(|coordinate, value| listed.push((coordinate.to_vec(), value.copied())));
        if rank > 0 {
            assert_eq!(listed, sorted);
        }
        let builder = Builder::new(tensor.format().clone(), 99).at_most(1 << 16);
        if tensor.format().unsorted().contains(&true) || tensor.format().balanced().is_some() || tensor.format().dense_axes() > 0 {
            let _ = list.convert(&builder);
        } else if let Ok(back) = list.convert(&builder) {
            assert_eq!(&back, tensor);
        }
    }
    let reversed: Vec<usize> = (0..rank).rev().collect();
    let turned = tensor.clone().permute(&reversed).expect("an order of the axes");
    assert_eq!(&turned.permute(&reversed).expect("an order of the axes"), tensor);
    let halves: Vec<AxisSelection> = tensor.shape().iter().map(|extent| AxisSelection::Range { start: extent / 2, end: *extent, step: 2 }).collect();
    // In blocked formats, nothing says which of several elements with equal coordinates belong together.
    let blocks = multigraph && tensor.format().dense_axes() > 0;
    if tensor.shape().iter().all(|extent| *extent < 64) && !blocks {
        tensor.slice(&halves).expect("in range");
    }
    let tensor = tensor.view();
    if let (Ok(custom), Ok(arrays)) = (Custom::of(tensor.format()), tensor.pattern().custom_arrays()) {
        SparseTensor::from_custom(tensor.shape(), &custom, arrays, tensor.values().view(), 99).expect("arrays of levels");
    }
    if let (Ok(encoding), Ok(storage)) = (MlirEncoding::of(tensor.format()), tensor.pattern().mlir_storage()) {
        let taco = TacoFormat::of(tensor.format()).expect("levels of MLIR are modes of TACO");
        let made = SparseTensor::from_taco(tensor.shape(), &taco, storage.clone(), tensor.values().view(), 99);
        let other = SparseTensor::from_mlir(tensor.shape(), &encoding, storage, tensor.values().view(), 99);
        assert_eq!(other.expect("arrays of levels"), made.expect("arrays of levels"));
    }
    let half = tensor.pruned(|value| value % 2 == 0).expect("values are stored");
    assert!(half.stored() <= tensor.stored());
    let _ = (tensor.add(&tensor), tensor.multiply(&tensor), tensor.contract(0, &[1; 4]), tensor.reshape(tensor.shape(), &coo));
}
