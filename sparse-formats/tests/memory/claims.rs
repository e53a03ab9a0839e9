//! Arrays and descriptors with false sizes: nothing is allocated for a number before it is checked.

use crate::common::{Cells, Rng, format, structures};
use crate::{LARGEST, alone};
use sparse_formats::{
    Arrays, Builder, Custom, CustomArrays, CustomLevel, Elements, Format, Gcxs, GcxsParts, Indices, LevelKind, MlirEncoding, MlirStorage,
    OperationError, SparseTensor, SparsityPattern, ValueArrays, Values, Widths,
};
use std::sync::atomic::Ordering;

/// Runs `run` and checks that no single allocation is large.
fn modest<T>(run: impl FnOnce() -> T) -> T {
    LARGEST.store(0, Ordering::SeqCst);
    let result = run();
    let largest = LARGEST.load(Ordering::SeqCst);
    assert!(largest < 1 << 16, "{largest} bytes were asked for");
    result
}

const CLAIMS: [u64; 5] = [1 << 32, 1 << 60, (1 << 63) - 1, 1 << 63, u64::MAX];

/// Tests every array of every structure, with one number that claims too much.
fn arrays_that_claim(rng: &mut Rng) {
    for rank in 1..=4 {
        for multigraph in [false, true] {
            for kinds in structures(rank, multigraph) {
                let format = format(&kinds, &rng.permutation(rank), multigraph);
                let cells = Cells::random(rng, &vec![3; rank], 6, multigraph);
                let tensor = Builder::new(format.clone(), 0).build(&cells.shape, &cells.columns(), cells.values.clone()).unwrap();
                let given = tensor.pattern().arrays();
                for claim in CLAIMS {
                    for level in 0..rank {
                        let last = |array: &Indices| {
                            let mut numbers: Vec<u64> = array.iter().collect();
                            *numbers.last_mut()? = claim;
                            Some(Indices::from(numbers))
                        };
                        let wrong = [
                            given.pointers[level].as_ref().and_then(last).map(|array| given.clone().with_pointers(level, array)),
                            given.indices[level].as_ref().and_then(last).map(|array| given.clone().with_indices(level, array)),
                        ];
                        for arrays in wrong.into_iter().flatten() {
                            let (shape, format, values) = (&cells.shape, format.clone(), cells.values.clone());
                            let rejected = modest(|| SparseTensor::from_parts(shape, format, arrays.clone(), values, 0));
                            assert_eq!(rejected.expect_err("a claim").parts.arrays, arrays);
                        }
                    }
                    // No array has room for this extent. `C` levels need arrays of that length, and other levels do not.
                    let mut shape = cells.shape.clone();
                    shape[rng.below(rank as u64) as usize] = claim;
                    let _ = modest(|| SparsityPattern::from_parts(&shape, format.clone(), given.view()).is_ok());
                    let none = Arrays::new();
                    modest(|| SparsityPattern::from_parts(&shape, format.clone(), none).map(|_| ())).expect_err("no arrays");
                    // A build with a limit does not allocate memory for the huge extent either.
                    let built =
                        modest(|| Builder::new(format.clone(), 0).at_most(1000).build(&shape, &cells.columns(), cells.values.clone()));
                    assert!(built.map_or_else(|error| error.class() == "levels/overflow", |tensor| tensor.stored() == cells.rows.len()));
                }
            }
        }
    }
}

/// Tests blocks over dense axes, rows of groups, custom levels and the dialect's arrays.
fn shapes_that_claim() {
    for claim in CLAIMS {
        let column = || Indices::narrowest(&[0, 1]);
        for name in ["S-D-R", "S-D-C", "D-D-R"] {
            let format: Format = name.parse().unwrap();
            let arrays = if name == "D-D-R" { Arrays::new() } else { Arrays::new().with_indices(0, column()) };
            modest(|| SparseTensor::from_parts(&[claim, claim], format.clone(), arrays, vec![1, 2], 0).map(|_| ())).expect_err("blocks");
        }
        let parts = GcxsParts {
            shape: vec![claim, 3, 2],
            compressed_axes: vec![0],
            indptr: column(),
            indices: column(),
            data: Values::from(vec![1, 2]),
            fill: 0,
        };
        modest(|| Gcxs::from_parts(parts).map(|_| ())).expect_err("rows");
        let custom = Custom::new(&[CustomLevel::Dense(1), CustomLevel::Sparse(1)], &[0, 1]).unwrap();
        let arrays = CustomArrays { pointers_to: vec![None, Some(Indices::narrowest(&[0, claim]))], indices: vec![None, Some(column())] };
        modest(|| SparseTensor::from_custom(&[1, claim], &custom, arrays, vec![1, 2], 0)).expect_err("pointers");
        let encoding = MlirEncoding::of(&Format::coo(2)).unwrap();
        let storage =
            MlirStorage { positions: vec![Some(Indices::narrowest(&[0, claim]))], coordinates: vec![Some(column()), Some(column())] };
        modest(|| SparseTensor::from_mlir(&[claim, claim], &encoding, storage, vec![1, 2], 0)).expect_err("the root");
    }
}

/// Tests numbers of elements that no array lists. An operation that needs an array of them returns an error.
fn elements_that_claim(rng: &mut Rng) {
    fn refused<T>(what: &str, format: &Format, class: Result<T, &'static str>) {
        match class {
            Ok(_) => panic!("{what} of {format}"),
            Err(class) => assert_eq!(class, "levels/overflow", "{what} of {format}"),
        }
    }
    for claim in [1 << 60, (1 << 63) - 1, u64::MAX].into_iter().filter(|claim| usize::try_from(*claim).is_ok()) {
        for rank in 1..=3 {
            let shape = vec![3; rank];
            for kinds in structures(rank, true).into_iter().filter(|kinds| kinds.last() != Some(&LevelKind::Indices)) {
                let format = format(&kinds, &rng.permutation(rank), true);
                let cells = Cells::random(rng, &shape, 6, true);
                let tensor = Builder::new(format.clone(), 0).build(&shape, &cells.columns(), cells.values.clone()).unwrap();
                let last = rank - 1;
                let claiming = |claim: u64| {
                    let mut pointers: Vec<u64> = tensor.pattern().pointers(last).unwrap().iter().collect();
                    *pointers.last_mut().unwrap() = claim;
                    tensor.pattern().arrays().clone().with_pointers(last, pointers)
                };
                for values in [Values::Iso(5), Values::PatternOnly] {
                    let tensor = |claim| SparseTensor::from_parts(&shape, format.clone(), claiming(claim), values.clone(), 0).unwrap();
                    let all = modest(|| tensor(claim));
                    assert_eq!(modest(|| all.stored()) as u64, claim);
                    modest(|| all.at(&vec![2; rank]).copied());
                    modest(|| all.map(|value| value + 1)).unwrap();
                    refused("columns", &format, all.pattern().level_columns().map_err(|error| error.class()));
                    refused("coordinates", &format, all.all_coordinates().map_err(|error| error.class()));
                    for to in [Format::coo(rank), Format::csf(rank).with_multigraph(true).unwrap(), format.clone()] {
                        refused("conversion", &format, all.to_format(&to).map_err(|error| error.class()));
                        let builder = Builder::new(to.clone(), 0).duplicates(sparse_formats::Duplicates::First).at_most(1000);
                        // The limit also holds for intermediate arrays.
                        let some = tensor(1 << 20);
                        refused("a bounded conversion", &format, modest(|| some.convert(&builder)).map_err(|error| error.class()));
                        refused("a pattern", &format, all.pattern().to_format(&to, &Widths::narrowest()).map_err(|error| error.class()));
                    }
                    let whole = vec![sparse_formats::AxisSelection::All; rank];
                    refused("a slice", &format, all.slice(&whole).map_err(|error| error.class()));
                    refused("a shape", &format, all.reshape(&[3u64.pow(rank as u32)], &Format::coo(1)).map_err(|error| error.class()));
                    refused("a product", &format, all.contract(0, &[1, 1, 1]).map_err(|error| error.class()));
                    match values {
                        // Pruning needs values.
                        Values::PatternOnly => assert_eq!(all.pruned(|_| true), Err(OperationError::PatternOnly)),
                        _ => refused("pruning", &format, all.pruned(|_| true).map_err(|error| error.class())),
                    }
                    #[cfg(feature = "ndarray")]
                    refused("a dense array", &format, all.to_ndarray().map_err(|error| error.class()));
                    all.view().into_ragged().map(|_| ()).expect_err("lists");
                    let mut arrays = ValueArrays::new(all.shared_pattern());
                    arrays.insert("one", Elements::scalars(Values::Iso(1))).unwrap();
                    refused("arrays", &format, arrays.to_format(&Format::coo(rank), &0).map(|_| ()).map_err(|error| error.class()));
                }
            }
        }
        // Test blocks with a single value.
        for name in ["S-D-R", "D-R", "D-D-R"] {
            let format: Format = name.parse().unwrap();
            let arrays = if format.levels() > 0 { Arrays::new().with_indices(0, vec![1u8]) } else { Arrays::new() };
            let shape: &[u64] = if format.rank() == 1 { &[claim] } else { &[2, claim / 2] };
            let all = modest(|| SparseTensor::from_parts(shape, format.clone(), arrays, Values::Iso(5), 0)).unwrap();
            refused("conversion", &format, all.to_format(&Format::coo(format.rank())).map_err(|error| error.class()));
            let builder = Builder::new(Format::coo(format.rank()), 0).at_most(1000);
            refused("a bounded conversion", &format, modest(|| all.convert(&builder)).map_err(|error| error.class()));
            refused("a sum", &format, all.add(&all).map_err(|error| error.class()));
            all.view().into_ragged().map(|_| ()).expect_err("lists");
            #[cfg(feature = "ndarray")]
            refused("a dense array", &format, all.to_ndarray().map_err(|error| error.class()));
            // A value that all elements share is tested and sliced once.
            assert_eq!(modest(|| all.pruned(|value| *value == 5)).unwrap(), all);
            modest(|| all.slice(&vec![sparse_formats::AxisSelection::from(1..2); format.rank()])).unwrap();
        }
    }
}

/// Tests extents next to an extent of 0, which bound no array.
fn extents_that_claim() {
    let mut accepted = 0;
    for kinds in structures(3, false).into_iter().chain(structures(3, true)) {
        for place in 0..3 {
            let format = format(&kinds, &[0, 1, 2], kinds.last() != Some(&LevelKind::Indices));
            let shape = |extent| {
                core::array::from_fn::<u64, 3, _>(|axis| {
                    if axis == place {
                        0
                    } else if axis == 0 {
                        extent
                    } else {
                        3
                    }
                })
            };
            let columns = [0, 1, 2].map(|_| Indices::narrowest(&[]));
            let empty = Builder::new(format.clone(), 0).build(&shape(3), &columns, vec![]).unwrap();
            for claim in CLAIMS {
                let arrays = empty.pattern().arrays().clone();
                // The format may need pointers for this number of rows, which are missing.
                let Ok(claims) = modest(|| SparseTensor::from_parts(&shape(claim), format.clone(), arrays, vec![], 0)) else { continue };
                accepted += 1;
                let columns = modest(|| claims.pattern().level_columns()).unwrap();
                assert!(columns.iter().all(Indices::is_empty) && columns.len() == 3, "{format}");
                modest(|| claims.pattern().to_format(&Format::coo(3), &Widths::narrowest())).unwrap();
                assert_eq!(modest(|| claims.to_format(&Format::coo(3))).unwrap().stored(), 0);
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
}

#[cfg(feature = "json")]
fn descriptors_that_claim() {
    use sparse_formats::binsparse::Header;
    for claim in CLAIMS {
        let text = format!(
            r#"{{"version": "0.1", "format": "CSR", "shape": [2, 3], "number_of_stored_values": {claim},
            "data_types": {{"pointers_to_1": "uint64", "indices_1": "uint64", "values": "iso[float64]"}}}}"#
        );
        let header = modest(|| Header::parse(&text)).unwrap();
        let arrays = || CustomArrays {
            pointers_to: vec![None, Some(Indices::narrowest(&[0, 1, 2]))],
            indices: vec![None, Some(Indices::narrowest(&[2, 0]))],
        };
        let error = modest(|| header.tensor(arrays(), Values::Iso(1.0), 0.0)).unwrap_err();
        assert_eq!(error.to_string(), format!("2 values are stored, but number_of_stored_values is {claim}"));
        let rank = format!(r#"{{"level": {{"level_desc": "sparse", "rank": {claim}, "level": {{"level_desc": "element"}}}}}}"#);
        modest(|| Custom::from_json(&serde_json::from_str(&rank).unwrap(), 2)).expect_err("the rank");
    }
}

#[test]
fn claims() {
    let _alone = alone();
    arrays_that_claim(&mut Rng(1));
    shapes_that_claim();
    elements_that_claim(&mut Rng(2));
    extents_that_claim();
    #[cfg(feature = "json")]
    descriptors_that_claim();
}
