//! Tests of attributes: what operations make of them, and which attributes are refused.

use sparse_formats::{
    Attributes, AxisSelection, Builder, Duplicates, Format, Indices, Merge, OperationError, SparseError, SparseTensor, Symmetry, Triangle,
    Values,
};

type Tensor = SparseTensor<'static, i32>;

/// Builds a matrix of these elements.
fn matrix(name: &str, elements: &[(u64, u64, i32)]) -> Tensor {
    let column = |f: fn(&(u64, u64, i32)) -> u64| Indices::narrowest(&elements.iter().map(f).collect::<Vec<_>>());
    let values: Vec<i32> = elements.iter().map(|element| element.2).collect();
    Builder::new(name.parse::<Format>().unwrap(), 0).build(&[3, 3], &[column(|e| e.0), column(|e| e.1)], values).unwrap()
}

fn said(symmetry: Option<Symmetry>, triangle: Option<Triangle>, structure_symmetric: bool, diagonal: Option<u64>) -> Attributes {
    Attributes { symmetry, triangle, structure_symmetric, diagonal, user: [("unit".into(), "m".into())].into() }
}

/// Returns a matrix that stores both triangles, with all attributes that hold.
fn full() -> Tensor {
    let tensor = matrix("CSR", &[(0, 0, 1), (0, 2, 5), (2, 0, 5), (1, 1, 7)]);
    tensor.with_attributes(said(Some(Symmetry::Symmetric), None, true, Some(2))).unwrap()
}

/// Returns a lower triangle without symmetry, which does not stand for the upper one.
fn lower() -> Tensor {
    matrix("CSR", &[(0, 0, 1), (2, 0, 5), (1, 1, 7)]).with_attributes(said(None, Some(Triangle::Lower), false, Some(2))).unwrap()
}

/// Returns a lower triangle that stands for both.
fn half() -> Tensor {
    matrix("CSR", &[(0, 0, 1), (2, 0, 5), (1, 1, 7)])
        .with_attributes(said(Some(Symmetry::Symmetric), Some(Triangle::Lower), true, Some(2)))
        .unwrap()
}

/// Returns the attributes that are set, in letters: symmetry, triangle (`L`, `U`), structure, diagonal, user keys.
fn letters<V: Clone>(tensor: &SparseTensor<V>) -> String {
    let a = tensor.attributes();
    let mut out = String::new();
    out += match a.symmetry {
        None => "-",
        Some(Symmetry::Symmetric) => "s",
        Some(Symmetry::Hermitian) => "h",
        Some(Symmetry::Skew) => "k",
    };
    out += match a.triangle {
        None => "-",
        Some(Triangle::Lower) => "L",
        Some(Triangle::Upper) => "U",
    };
    out += if a.structure_symmetric { "t" } else { "-" };
    out += if a.diagonal.is_some() { "d" } else { "-" };
    out += if a.user.is_empty() { "-" } else { "u" };
    out
}

/// Returns the letters of the attributes, and checks that they hold for the stored elements.
fn holding(tensor: Tensor) -> String {
    let letters = letters(&tensor);
    let attributes = tensor.attributes().clone();
    assert!(tensor.with_attributes(attributes).is_ok(), "{letters}");
    letters
}

#[test]
fn each_operation() {
    let ranges = |range: std::ops::Range<u64>| [AxisSelection::from(range.clone()), AxisSelection::from(range)];
    let skew = |tensor: Tensor| {
        let attributes = Attributes { symmetry: Some(Symmetry::Skew), ..tensor.attributes().clone() };
        tensor.with_attributes(attributes).unwrap()
    };
    for (what, result, stays) in [
        ("another format", full().to_format(&Format::dcsc()).unwrap(), "s-tdu"),
        ("another format, triangle", lower().to_format(&Format::coo(2)).unwrap(), "-L-du"),
        ("another format, one triangle", half().to_format(&Format::csc()).unwrap(), "sLtdu"),
        ("dense axes", full().to_format(&"S-D-R".parse().unwrap()).unwrap(), "s---u"),
        ("dense axes, triangle", lower().to_format(&"S-D-R".parse().unwrap()).unwrap(), "----u"),
        ("values mapped", full().map(|x| x + 1).unwrap(), "s-tdu"),
        ("values of a skew matrix mapped", skew(full()).map(|x| x * x).unwrap(), "--tdu"),
        ("values mapped, triangle", lower().map(|x| x + 1).unwrap(), "-L-du"),
        ("axes turned", full().permute(&[1, 0]).unwrap(), "s-tdu"),
        ("axes turned, skew", skew(full()).permute(&[1, 0]).unwrap(), "k-tdu"),
        ("axes turned, triangle", lower().permute(&[1, 0]).unwrap(), "-U-du"),
        ("axes turned, one triangle", half().permute(&[1, 0]).unwrap(), "sUtdu"),
        ("axes left alone", lower().permute(&[0, 1]).unwrap(), "-L-du"),
        ("one range of all axes", full().slice(&ranges(1..3)).unwrap(), "s-t--"),
        ("one range of all axes, one triangle", half().slice(&ranges(0..2)).unwrap(), "sLt--"),
        ("different ranges", full().slice(&[(0..2).into(), AxisSelection::All]).unwrap(), "-----"),
        ("a row", full().slice(&[AxisSelection::Index(0), AxisSelection::All]).unwrap(), "-----"),
        ("reshaped", full().reshape(&[9], &Format::vector()).unwrap(), "-----"),
        ("contracted", full().contract(0, &[1, 1, 1]).unwrap(), "-----"),
        ("pruned", full().pruned(|x| *x > 1).unwrap(), "-----"),
        ("pruned, triangle", lower().pruned(|x| *x > 1).unwrap(), "-L---"),
        ("pruned, one triangle", half().pruned(|x| *x > 1).unwrap(), "sL---"),
        ("added", full().add(&full()).unwrap(), "s-t-u"),
        ("added, skew", skew(full()).add(&skew(full())).unwrap(), "k-t-u"),
        ("added, another symmetry", full().add(&skew(full())).unwrap(), "--t-u"),
        ("added, triangle", lower().add(&lower()).unwrap(), "-L--u"),
        ("added, one triangle", half().add(&half()).unwrap(), "sLt-u"),
        ("added, nothing said", full().add(&matrix("CSR", &[])).unwrap(), "-----"),
        ("multiplied", full().multiply(&full()).unwrap(), "s-t-u"),
        ("multiplied, skew", skew(full()).multiply(&skew(full())).unwrap(), "--t-u"),
        ("merged", full().merge(&full(), Merge::Union, &Format::coo(2), |a, b| a - 2 * b).unwrap(), "s-t-u"),
        ("merged into dense axes", lower().merge(&lower(), Merge::Union, &"S-D-R".parse().unwrap(), |a, b| a - b).unwrap(), "----u"),
        ("the other triangle", half().expand(|x, _| *x).unwrap(), "s-tdu"),
    ] {
        assert_eq!(holding(result), stays, "{what}");
    }
    let mut mapped = skew(full());
    mapped.map_in_place(|x| *x += 1).unwrap();
    assert_eq!(letters(&mapped), "--tdu");
    // Only keys with equal values stay.
    let other = Attributes { user: [("unit".into(), "s".into())].into(), ..Attributes::default() };
    assert_eq!(letters(&full().add(&full().with_attributes(other).unwrap()).unwrap()), "-----");
}

#[test]
fn one_triangle_is_not_dropped() {
    let one = |error: OperationError| match error {
        OperationError::Tensor(error) => error,
        other => panic!("{other}"),
    };
    let refusals = [
        half().slice(&[(0..2).into(), AxisSelection::All]).unwrap_err(),
        half().reshape(&[9], &Format::vector()).unwrap_err(),
        half().contract(1, &[1, 1, 1]).unwrap_err(),
        half().times_vector(&[1, 1, 1]).unwrap_err(),
        half().add(&lower()).unwrap_err(),
        half().add(&half().permute(&[1, 0]).unwrap()).unwrap_err(),
        lower().multiply(&half()).unwrap_err(),
        half().merge(&half(), Merge::Union, &"S-D-R".parse().unwrap(), |a, b| a + b).unwrap_err(),
        half().to_format(&"D-D-R".parse().unwrap()).unwrap_err().into(),
    ];
    for error in refusals {
        assert_eq!(one(error), SparseError::OneTriangle);
    }
    // Conjugates and negatives do not survive a function of values.
    let hermitian = Attributes { symmetry: Some(Symmetry::Hermitian), ..half().attributes().clone() };
    assert_eq!(one(half().with_attributes(hermitian).unwrap().map(|x| x + 1).unwrap_err()), SparseError::OneTriangle);
}

#[test]
fn elements_that_become_one() {
    let format: Format = "CSR+multigraph".parse().unwrap();
    let several = matrix(&format.to_string(), &[(0, 0, 1), (0, 0, 2), (2, 1, 3), (1, 2, 3)]);
    let symmetric = several.clone().with_attributes(said(Some(Symmetry::Symmetric), None, true, Some(2))).unwrap();
    let sum = Builder::new(Format::csr(), 0).duplicates(Duplicates::sum());
    assert_eq!(holding(symmetric.convert(&sum).unwrap()), "--t-u");
    assert_eq!(holding(symmetric.to_format(&"CSC+multigraph".parse().unwrap()).unwrap()), "s-tdu");
    let triangle = matrix(&format.to_string(), &[(0, 0, 1), (0, 0, 2), (2, 1, 3)]);
    let triangle = triangle.with_attributes(said(Some(Symmetry::Symmetric), Some(Triangle::Lower), false, Some(2))).unwrap();
    assert_eq!(holding(triangle.convert(&sum).unwrap()), "sL--u");
    let once = matrix("CSR", &[(0, 0, 1)]).to_format(&format).unwrap().with_attributes(said(None, None, false, Some(1))).unwrap();
    assert_eq!(holding(once.to_format(&Format::csr()).unwrap()), "---du");
}

#[test]
fn what_does_not_hold() {
    let refused = |tensor: Tensor, attributes: Attributes| {
        let rejected = tensor.clone().with_attributes(attributes).unwrap_err();
        assert_eq!(*rejected.parts, tensor);
        rejected.error
    };
    let tensor = matrix("CSR", &[(0, 0, 1), (2, 0, 5), (1, 1, 7)]);
    let upper = refused(tensor.clone(), said(None, Some(Triangle::Upper), false, None));
    assert_eq!(upper.to_string(), "element 2 at [2, 0] is outside the upper triangle");
    let mirrored = refused(tensor.clone(), said(None, None, true, None));
    assert_eq!(mirrored.to_string(), "element 2 at [2, 0] has no mirror image: the symmetry needs an element at [0, 2]");
    assert_eq!(refused(tensor.clone(), said(None, None, false, Some(3))).to_string(), "the diagonal has 2 elements instead of 3");
    // The elements of a block count one by one.
    let blocks = tensor.to_format(&"S-D-R".parse().unwrap()).unwrap();
    assert_eq!(refused(blocks.clone(), said(None, Some(Triangle::Lower), false, None)).class(), "levels/structure");
    assert!(blocks.clone().with_attributes(said(None, None, true, Some(3))).is_ok());
    let row = matrix("CSR", &[(0, 1, 1)]).to_format(&"S-D-R".parse().unwrap()).unwrap();
    assert_eq!(refused(row, said(None, None, true, None)), SparseError::Unmatched { at: 0, coordinate: vec![0, 1], mirror: vec![1, 0] });
    let wide = Builder::new(Format::csr(), 0).build(&[1, 3], &[vec![0u8].into(), vec![0u8].into()], vec![1]).unwrap();
    for attributes in [said(Some(Symmetry::Skew), None, false, None), said(None, None, true, None)] {
        assert_eq!(refused(wide.clone(), attributes), SparseError::Extents { shape: vec![1, 3] });
    }
    // A triangle and a diagonal need no equal extents.
    assert!(wide.with_attributes(said(None, Some(Triangle::Lower), false, Some(1))).is_ok());
    // All exchanges of axes are checked.
    let cube = |rows: &[[u64; 3]]| {
        let column = |axis: usize| Indices::narrowest(&rows.iter().map(|row| row[axis]).collect::<Vec<_>>());
        let columns = [column(0), column(1), column(2)];
        Builder::new(Format::coo(3), 0).build(&[2, 2, 2], &columns, Values::PatternOnly).unwrap()
    };
    let all = [[0, 0, 1], [0, 1, 0], [1, 0, 0]];
    assert!(cube(&all).with_attributes(said(None, None, true, Some(0))).is_ok());
    assert!(cube(&all[..2]).with_attributes(said(None, None, true, None)).is_err());
    assert!(cube(&all[2..]).with_attributes(said(None, Some(Triangle::Lower), false, None)).is_ok());
}
