//! Tests of diagonals: SciPy's arrays, products, levels, and errors.

use crate::common::{Cells, Rng, build};
use layout_levels::{Consecutive, Level, Locate};
use sparse_formats::{Composite, Dense, DiaArrays, Format, Major, Scheme, SparseError, spmm, spmv};

/// Returns a matrix with elements on a few diagonals.
fn cells(rng: &mut Rng, shape: &[u64]) -> Cells {
    let few: Vec<i64> = (0..1 + rng.below(4)).map(|_| rng.between(1 - shape[0] as i64, shape[1] as i64 - 1)).collect();
    let mut cells = Cells::full(shape);
    let kept: Vec<bool> = cells.rows.iter().map(|row| few.contains(&(row[1] as i64 - row[0] as i64)) && !rng.one_in(4)).collect();
    let mut keep = kept.iter();
    cells.rows.retain(|_| *keep.next().unwrap());
    cells.values = (0..cells.rows.len()).map(|_| 1 + rng.below(9) as i64).collect();
    cells
}

fn dia(cells: &Cells) -> Composite<'static, i64> {
    Composite::new(&build(cells, &Format::coo(2)), &Scheme::Diagonals).unwrap()
}

#[test]
fn elements_products_and_look_ups() {
    let mut rng = Rng::new(81);
    for _ in 0..300 {
        let shape = [1 + rng.below(9) as u64, 1 + rng.below(9) as u64];
        let cells = cells(&mut rng, &shape);
        let (matrix, elements) = (dia(&cells), cells.elements());
        for c in Cells::full(&shape).rows {
            assert_eq!(matrix.at(&c), Some(elements.get(&c).unwrap_or(&0)), "{c:?}");
        }
        assert_eq!((matrix.at(&[shape[0], 0]), matrix.at(&[0])), (None, None));
        let x: Vec<i64> = (0..shape[1]).map(|_| rng.between(-4, 4)).collect();
        let z: Vec<i64> = (0..shape[0]).map(|_| rng.between(-4, 4)).collect();
        let (mut y, mut w) = (vec![0; z.len()], vec![0; x.len()]);
        for (c, value) in &elements {
            y[c[0] as usize] += value * x[c[1] as usize];
            w[c[1] as usize] += value * z[c[0] as usize];
        }
        assert_eq!((spmv(&matrix, false, &x).unwrap(), spmv(&matrix, true, &z).unwrap()), (y.clone(), w));
        // This product runs through the stream of elements, as in every other kernel.
        let b = Dense::packed(&x, [x.len(), 1], Major::Rows).unwrap();
        assert_eq!(spmm(&matrix, false, b, Major::Rows).unwrap(), y);
    }
}

#[test]
fn levels_have_the_elements_of_the_matrix() {
    let mut rng = Rng::new(82);
    for _ in 0..200 {
        let shape = [1 + rng.below(7) as u64, 1 + rng.below(7) as u64];
        let matrix = dia(&cells(&mut rng, &shape));
        let part = &matrix.parts()[0];
        let levels = part.levels();
        let [diagonals, columns] = &levels[..] else { panic!("two levels") };
        assert_eq!((columns.kind(), columns.is_full(), columns.is_consecutive()), ("range", false, false));
        let mut seen = 0;
        for p in diagonals.range(0) {
            let d = diagonals.coordinate(0, p) as i64;
            for position in columns.range(p) {
                let j = columns.coordinate(p, position);
                let i = j as i64 + shape[0] as i64 - 1 - d;
                assert!((0..shape[0] as i64).contains(&i) && j < shape[1] as usize);
                assert_eq!(part.tensor.values().get(position), matrix.at(&[i as u64, j as u64]));
                assert_eq!((columns.locate(p, j), columns.parent(position)), (Some(position), p));
                assert_eq!(columns.run(columns.range(p), j as u64), position..position + 1);
                seen += 1;
            }
        }
        // All other values pad the diagonals.
        let outside = part.tensor.values().len().unwrap() - seen;
        let zeros = (0..seen + outside).filter(|k| part.tensor.values().get(*k) == Some(&0)).count();
        assert!(zeros >= outside);
    }
}

#[test]
fn arrays_of_scipy() {
    let mut rng = Rng::new(83);
    for _ in 0..400 {
        let shape = [rng.below(6) as u64, rng.below(6) as u64];
        let mut offsets: Vec<i64> = (-7..8).filter(|_| rng.one_in(3)).collect();
        if rng.one_in(2) {
            offsets.reverse();
        }
        let width = rng.below(9);
        let data: Vec<i64> = (0..offsets.len() * width).map(|_| rng.between(-3, 3)).collect();
        let matrix = Composite::from_dia(DiaArrays { shape, offsets: offsets.clone(), data: (&data[..]).into() }, 0).unwrap();
        for i in 0..shape[0] {
            for j in 0..shape[1] {
                let k = offsets.iter().position(|offset| *offset == j as i64 - i as i64);
                let expected = k.filter(|_| (j as usize) < width).map_or(0, |k| data[k * width + j as usize]);
                assert_eq!(matrix.at(&[i, j]), Some(&expected), "{shape:?} {offsets:?} {width} {i} {j}");
            }
        }
        let back = matrix.clone().into_dia().unwrap();
        assert!(back.offsets.is_sorted());
        assert_eq!(Composite::from_dia(back, 0).unwrap(), matrix);
    }
    // Arrays that need no change are moved, not copied.
    let data = vec![1, 2, 0, 0, 5, 6];
    let at = data.as_ptr();
    let matrix = Composite::from_dia(DiaArrays { shape: [3, 3], offsets: vec![-1, 1], data: data.into() }, 0).unwrap();
    assert_eq!(matrix.to_string(), "(x1 - x0 + 2, x1): S-D-R");
    let back = matrix.into_dia().unwrap();
    assert_eq!((back.data.as_ptr(), back.offsets), (at, vec![-1, 1]));
}

#[test]
fn what_is_refused() {
    let of = |offsets: Vec<i64>, data: Vec<i64>| {
        Composite::from_dia(DiaArrays { shape: [3, 4], offsets, data: data.into() }, 0).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(of(vec![1, 0, 1], vec![0; 12]), Err("offsets[0] and offsets[2] are both 1".into()));
    assert_eq!(of(vec![1, 0], vec![0; 7]), Err("data has 7 elements instead of 6".into()));
    assert_eq!(of(vec![], vec![0]), Err("data has 1 elements instead of 0".into()));
    assert_eq!(of(vec![i64::MIN, 0, i64::MAX], vec![7; 12]), Ok(()));
    // Arrays with errors: a value outside the matrix, a diagonal that does not exist.
    let arrays = |diagonals: Vec<u8>, values: Vec<i64>| {
        let arrays = sparse_formats::Arrays::new().with_indices(0, diagonals);
        Composite::from_arrays(&[3, 4], &Scheme::Diagonals, vec![(arrays, values.into())], 0)
    };
    let error = arrays(vec![1], vec![1, 2, 3, 0]).unwrap_err();
    assert_eq!(error, SparseError::PartRange { part: 0, at: 2, axis: 0, found: 3, extent: 3 });
    assert_eq!(arrays(vec![6], vec![0; 4]).unwrap_err().to_string(), "indices_0[0] is 6, but the extent is 6");
    assert_eq!(arrays(vec![3, 1], vec![0; 8]).unwrap_err().class(), "levels/unsorted");
    assert_eq!(arrays(vec![3], vec![0; 5]).unwrap_err().class(), "levels/length");
    assert_eq!(Scheme::Diagonals.chains(&[5]).unwrap_err().to_string(), "the parameter shape is [5]; expected: at least two axes");
    let list = Composite::from(build(&Cells::full(&[2, 2]), &Format::coo(2)));
    assert!(list.into_dia().unwrap_err().to_string().starts_with("level 0: the target format cannot represent a tensor"));
    for name in ["dia", "DIA"] {
        assert_eq!(name.parse::<Scheme>().map(|scheme| scheme.to_string()), Ok("dia".into()));
    }
    assert!("dia(3)".parse::<Scheme>().is_err() && Scheme::is_blocked_name("DIA"));
}
