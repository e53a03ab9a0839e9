//! Tests of conversions from and to the arrays of other systems.

use crate::common::{Cells, Rng, build, format, structures};
use sparse_formats::LevelKind::{Indices as S, Pointers as C};
use sparse_formats::{
    Custom, CustomArrays, CustomLevel, Format, Indices, InterchangeError, InteropParts, LevelFormat, MlirEncoding, MlirStorage,
    SparseTensor, TacoFormat,
};

#[test]
fn both_ways() {
    let mut rng = Rng(1);
    let mut refused = 0;
    for rank in 1..=5 {
        for kinds in structures(rank, false) {
            let axes = rng.permutation(rank);
            let format = format(&kinds, &axes, false);
            let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(3)).collect();
            let tensor = build(&Cells::random(&mut rng, &shape, 6, false), &format);
            let custom = Custom::of(&format).unwrap();
            // Tuples before a dense level have two names here, with the same arrays in the other system.
            let canonical = custom.format().unwrap();
            let expected = tensor.to_format(&canonical).unwrap();
            assert_eq!(canonical == format, !kinds.windows(2).any(|pair| pair == [S, C]), "{format}");
            let back = SparseTensor::from_custom(&shape, &custom, tensor.pattern().custom_arrays().unwrap(), tensor.values().view(), 0);
            assert_eq!(back.as_ref().ok(), Some(&expected), "{format}");
            let encoding = MlirEncoding::of(&format).unwrap();
            let back = SparseTensor::from_mlir(&shape, &encoding, tensor.pattern().mlir_storage().unwrap(), tensor.values().view(), 0);
            assert_eq!(back.as_ref().ok(), Some(&expected), "{format}");
            if encoding.verify().is_ok() {
                for soa in [false, true] {
                    let encoding = encoding.clone().with_soa(soa);
                    assert_eq!((encoding.verify(), encoding.format()), (Ok(()), Ok(canonical.clone())));
                    let together = tensor.pattern().mlir_storage().unwrap().interleaved(&encoding).unwrap();
                    let arrays = together.coordinates.iter().flatten().count();
                    let own = encoding.level_types.iter().filter(|level| !matches!(level.format, LevelFormat::Dense)).count();
                    let singletons = encoding.level_types.iter().filter(|level| matches!(level.format, LevelFormat::Singleton)).count();
                    assert_eq!(arrays, if soa { own } else { own - singletons }, "{format}");
                    let back = SparseTensor::from_mlir(&shape, &encoding, together, tensor.values().view(), 0);
                    assert_eq!(back.as_ref().ok(), Some(&expected), "{format}");
                }
            }
            let taco = TacoFormat::of(&format).unwrap();
            let back = SparseTensor::from_taco(&shape, &taco, tensor.pattern().taco_storage().unwrap(), tensor.values().view(), 0);
            assert_eq!(back.as_ref().ok(), Some(&expected), "{format}");
            let types: Vec<String> = encoding.level_types.iter().map(ToString::to_string).collect();
            let read = types.iter().map(|text| text.parse()).collect::<Result<Vec<_>, _>>();
            assert_eq!(read.as_ref(), Ok(&encoding.level_types));
            // In the dialect only singletons can follow a singleton.
            let after = types.windows(2).any(|pair| pair[0].starts_with("singleton") && !pair[1].starts_with("singleton"));
            assert_eq!(encoding.verify().is_err(), after, "{types:?}");
            refused += u32::from(after);
        }
    }
    assert!(refused > 20);
}

#[test]
fn dense_levels() {
    let mut rng = Rng(2);
    let shape = [2, 3, 4];
    let cells = Cells::random(&mut rng, &shape, 8, false);
    let forms: [&[CustomLevel]; 7] = [
        &[CustomLevel::Dense(3)],
        &[CustomLevel::Dense(1), CustomLevel::Sparse(1), CustomLevel::Dense(1)],
        &[CustomLevel::Sparse(2), CustomLevel::Dense(1)],
        &[CustomLevel::Sparse(1), CustomLevel::Dense(2)],
        &[CustomLevel::Dense(2), CustomLevel::Sparse(1)],
        &[CustomLevel::Sparse(1), CustomLevel::Dense(1), CustomLevel::Sparse(1)],
        &[CustomLevel::Sparse(3)],
    ];
    for levels in forms {
        for transpose in [[0, 1, 2], [2, 0, 1], [2, 1, 0]] {
            let custom = Custom::new(levels, &transpose).unwrap();
            let tensor = build(&cells, &custom.format().unwrap());
            let back = SparseTensor::from_custom(&shape, &custom, tensor.pattern().custom_arrays().unwrap(), tensor.values().view(), 0);
            assert_eq!(back.as_ref().ok(), Some(&tensor));
            for (row, value) in cells.rows.iter().zip(&cells.values) {
                assert_eq!(tensor.at(row), Some(value));
            }
            let encoding = MlirEncoding::of(tensor.format()).unwrap();
            let back = SparseTensor::from_mlir(&shape, &encoding, tensor.pattern().mlir_storage().unwrap(), tensor.values().view(), 0);
            assert_eq!(back.as_ref().ok(), Some(&tensor));
        }
    }
}

#[test]
fn what_has_no_counterpart() {
    let parse = |name: &str| name.parse::<Format>().unwrap();
    for (name, what) in [
        ("C-DC-R", "level 1: the target format cannot represent coordinates that repeat"),
        ("CSR+multigraph", "level 1: the target format cannot represent coordinates that repeat"),
        ("CSR+unsorted(1)", "level 1: the target format cannot represent unsorted indices"),
        ("DC-S-R+balanced(0,4)", "level 0: the target format cannot represent nodes that are split"),
    ] {
        assert_eq!(Custom::of(&parse(name)).unwrap_err().to_string(), what);
    }
    assert!(MlirEncoding::of(&parse("C-DC-R")).is_err() && TacoFormat::of(&parse("S-C-R")).is_err());
    assert!(MlirEncoding::of(&parse("DC-S-R+balanced(0,4)")).is_err());
    for name in [
        "CSR+multigraph",
        "S-S-S-R+multigraph",
        "C-S-S-R+unsorted(1)",
        "S-S-R+unsorted(1)",
        "DC-S-C+multigraph+unsorted(0,1)",
        "C-S-DC-S-R+unsorted(2,3)",
    ] {
        assert_eq!(MlirEncoding::of(&parse(name)).unwrap().format(), Ok(parse(name)), "{name}");
        assert_eq!(TacoFormat::of(&parse(name)).unwrap().format(), Ok(parse(name)), "{name}");
    }
    let encoding = |types: &[&str]| MlirEncoding {
        level_types: types.iter().map(|text| text.parse().unwrap()).collect(),
        axis_order: (0..types.len()).collect(),
    };
    for types in [
        &["batch", "dense", "compressed"][..],
        &["dense", "loose_compressed"],
        &["dense", "structured[2, 4]"],
        &["singleton", "compressed"],
        &["dense", "singleton"],
        &["compressed", "singleton"],
        &["compressed(nonunique)", "compressed"],
        &["compressed(nonunique)", "singleton(nonunique)", "compressed"],
    ] {
        assert_eq!(encoding(types).format().unwrap_err().class(), "levels/counterpart", "{types:?}");
    }
}

#[test]
fn rules_of_the_dialect() {
    let verify = |types: &[&str]| {
        let level_types = types.iter().map(|text| text.parse().unwrap()).collect();
        MlirEncoding { level_types, axis_order: (0..types.len()).collect() }.verify()
    };
    for types in [
        &["dense", "compressed"][..],
        &["compressed(nonunique)", "singleton(soa)"],
        &["loose_compressed(nonunique)", "singleton"],
        &["batch", "batch", "compressed"],
        &["dense", "dense", "structured[2, 4]"],
    ] {
        assert_eq!(verify(types), Ok(()), "{types:?}");
    }
    for (types, level) in [
        (&["singleton", "singleton"][..], 0),
        (&["singleton", "compressed"], 0),
        (&["dense", "singleton"], 1),
        (&["compressed(nonunique)", "singleton(nonunique)", "compressed"], 2),
        (&["compressed(nonunique)", "singleton(nonunique, soa)", "singleton"], 2),
        (&["dense", "batch"], 1),
        (&["compressed(soa)", "singleton"], 0),
        (&["dense", "structured[5, 4]"], 1),
        (&["dense", "structured[0, 4]"], 1),
        (&["dense", "structured[2, 256]"], 1),
        (&["structured[2, 4]", "dense"], 0),
        (&["compressed", "structured[2, 4]"], 1),
    ] {
        assert!(
            matches!(verify(types), Err(InterchangeError::Rule { level: found, .. }) if found == level),
            "{types:?} {:?}",
            verify(types)
        );
    }
    for axes in [&[0][..], &[0, 0], &[0, 2], &[0, 1, 2]] {
        let level_types = vec!["dense".parse().unwrap(), "compressed".parse().unwrap()];
        let encoding = MlirEncoding { level_types, axis_order: axes.to_vec() };
        assert_eq!((encoding.verify().unwrap_err().class(), encoding.format().unwrap_err().class()), ("levels/axes", "levels/axes"));
    }
    for text in ["sparse", "compressed(", "compressed(unique)", "structured[2]", ""] {
        assert_eq!(text.parse::<sparse_formats::LevelType>().unwrap_err().class(), "levels/token", "{text}");
    }
}

#[test]
fn wrong_arrays() {
    let column = |numbers: &[u64]| Some(Indices::narrowest(numbers));
    let encoding = MlirEncoding::of(&Format::dcsr()).unwrap();
    let storage = |root: Option<Indices<'static>>| MlirStorage {
        positions: vec![root, column(&[0, 1, 3])],
        coordinates: vec![column(&[0, 2]), column(&[1, 0, 1])],
    };
    let read = |root| SparseTensor::from_mlir(&[3, 3], &encoding, storage(root), vec![1, 2, 3], 0);
    assert_eq!(read(column(&[0, 2])).unwrap().stored(), 3);
    assert_eq!(read(column(&[0, 3])).unwrap_err().to_string(), "the positions of level 0 are [0, 3] instead of [0, 2]");
    assert_eq!(read(None).unwrap_err().error.class(), "levels/missing");
    // An array of tuples must have whole tuples.
    let coo = MlirEncoding::of(&Format::coo(2)).unwrap();
    let tuples = |list: &[u64]| MlirStorage { positions: vec![column(&[0, 2])], coordinates: vec![column(list)] };
    assert_eq!(SparseTensor::from_mlir(&[3, 3], &coo, tuples(&[0, 2, 1, 1]), vec![1, 2], 0).unwrap().at(&[1, 1]), Some(&2));
    let error = SparseTensor::from_mlir(&[3, 3], &coo, tuples(&[0, 2, 1]), vec![1, 2], 0).unwrap_err();
    assert_eq!(error.to_string(), "level 0: 3 coordinates are not a multiple of 2, the width of a tuple");
    let apart = SparseTensor::from_mlir(&[3, 3], &coo.clone().with_soa(true), tuples(&[0, 2]), vec![1, 2], 0);
    assert_eq!(apart.unwrap_err().error.class(), "levels/missing");
    let storage = MlirStorage { positions: vec![], coordinates: vec![column(&[0, 1]), column(&[0])] };
    assert_eq!(storage.interleaved(&coo).unwrap_err().class(), "levels/length");
    assert_eq!(tuples(&[0]).interleaved(&coo).unwrap_err().class(), "levels/missing");
    let custom = Custom::of(&Format::dcsr()).unwrap();
    let arrays =
        CustomArrays { pointers_to: vec![column(&[0, 2]), column(&[0, 1, 3])], indices: vec![column(&[0, 2]), column(&[1, 0, 1])] };
    assert_eq!(SparseTensor::from_custom(&[3, 3], &custom, arrays, vec![1, 2, 3], 0).unwrap_err().error.class(), "levels/unexpected");
    assert!(Custom::new(&[CustomLevel::Sparse(0)], &[]).is_err());
    assert!(Custom::new(&[CustomLevel::Sparse(2)], &[0]).is_err());
    assert!(Custom::new(&[CustomLevel::Sparse(2)], &[0, 0]).is_err());
    assert!(Custom::new(&[CustomLevel::Dense(usize::MAX), CustomLevel::Dense(2)], &[0]).is_err());
}

/// Returns the arrays with one array changed or missing, or with too few or too many slots.
fn changed<'a>(arrays: &[Option<Indices<'a>>], rng: &mut Rng) -> Vec<Option<Indices<'a>>> {
    let mut out = arrays.to_vec();
    let at = rng.below(out.len().max(1) as u64) as usize;
    match (rng.below(6), out.get_mut(at)) {
        (0, _) => drop(out.pop()),
        (1, _) => out.push(None),
        (2, Some(array)) => *array = None,
        (3, Some(array)) => *array = Some(Indices::narrowest(&[0, 1, 7])),
        (_, Some(Some(array))) => {
            let mut numbers: Vec<u64> = array.iter().collect();
            match (rng.below(3), numbers.last_mut()) {
                (0, Some(last)) => *last += 1 + rng.below(9),
                (1, _) => numbers.push(rng.below(9)),
                _ => drop(numbers.pop()),
            }
            *array = Indices::narrowest(&numbers);
        }
        _ => {}
    }
    out
}

#[test]
fn what_is_refused_comes_back() {
    let mut rng = Rng(3);
    let mut refused = [0; 4];
    for rank in 1..=4 {
        for kinds in structures(rank, false) {
            let format = format(&kinds, &rng.permutation(rank), false);
            let shape: Vec<u64> = (0..rank).map(|_| 1 + rng.below(3)).collect();
            let tensor = build(&Cells::random(&mut rng, &shape, 6, false), &format);
            let (custom, encoding, taco) =
                (Custom::of(&format).unwrap(), MlirEncoding::of(&format).unwrap(), TacoFormat::of(&format).unwrap());
            let storage = tensor.pattern().mlir_storage().unwrap();
            let together = storage.interleaved(&encoding);
            let given = tensor.pattern().custom_arrays().unwrap();
            for _ in 0..40 {
                let mut values: Vec<i64> = (1..=tensor.stored() as i64).collect();
                if rng.below(8) == 0 {
                    values.pop();
                }
                let arrays =
                    CustomArrays { pointers_to: changed(&given.pointers_to, &mut rng), indices: changed(&given.indices, &mut rng) };
                if let Err(rejected) = SparseTensor::from_custom(&shape, &custom, arrays.clone(), values.clone(), 7) {
                    assert_eq!(*rejected.parts, InteropParts { arrays, values: values.clone().into(), fill: 7 }, "{format}");
                    refused[0] += 1;
                }
                for (k, storage) in [Some(&storage), together.as_ref().ok()].into_iter().flatten().enumerate() {
                    let arrays = MlirStorage {
                        positions: changed(&storage.positions, &mut rng),
                        coordinates: changed(&storage.coordinates, &mut rng),
                    };
                    let parts = InteropParts { arrays: arrays.clone(), values: values.clone().into(), fill: 7 };
                    if let Err(rejected) = SparseTensor::from_mlir(&shape, &encoding, arrays.clone(), values.clone(), 7) {
                        assert_eq!(*rejected.parts, parts, "{format}");
                        refused[1 + k] += 1;
                    }
                    if let Err(rejected) = SparseTensor::from_taco(&shape, &taco, arrays, values.clone(), 7) {
                        assert_eq!(*rejected.parts, parts, "{format}");
                        refused[3] += 1;
                    }
                }
            }
        }
    }
    assert!(refused.iter().all(|count| *count > 500), "{refused:?}");
    // Also an encoding without a format returns its arrays.
    let encoding = MlirEncoding { level_types: vec!["batch".parse().unwrap()], axis_order: vec![0] };
    let arrays = MlirStorage { positions: vec![], coordinates: vec![Some(Indices::narrowest(&[4]))] };
    let rejected = SparseTensor::from_mlir(&[9], &encoding, arrays.clone(), vec![1], 0).unwrap_err();
    assert_eq!((rejected.error.class(), *rejected.parts), ("levels/counterpart", InteropParts { arrays, values: vec![1].into(), fill: 0 }));
}
