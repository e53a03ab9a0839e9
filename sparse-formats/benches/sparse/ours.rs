//! The operations of this workspace.

use crate::data::List;
use sparse_formats::Indices;
use sparse_formats::kernels::{Compressed, Matrix, compress, expand, pointers_of, transpose};
use sparse_formats::sort::{Sum, order, order_known};

pub const SIDE: usize = 1_000_000;
pub const EXTENTS: [u32; 4] = [1000, 800, 600, 400];

pub type Csr = Compressed<u32, u32, f64>;

pub fn csr(list: &List) -> Csr {
    compress(&list.columns[0], &list.columns[1], &list.values, (SIDE, SIDE), Sum).expect("a matrix")
}

pub fn csc(matrix: &Csr) -> Csr {
    transpose(&matrix.pointers, &matrix.indices, &matrix.values, SIDE).expect("a matrix")
}

pub fn view(matrix: &Csr) -> Matrix<'_, u32, u32, f64> {
    Matrix::new(&matrix.pointers, &matrix.indices, &matrix.values, SIDE).expect("a matrix")
}

fn indices(columns: &[Vec<u32>]) -> Vec<Indices<'_>> {
    columns.iter().map(|column| Indices::from(&column[..])).collect()
}

fn bare(indices: Indices<'_>) -> Vec<u32> {
    let Indices::U32(array) = indices else { unreachable!("columns are of 32 bits") };
    array.into_owned()
}

/// A chain DC-DC-DC-S: indices and pointers of the levels, and values.
pub fn csf(list: &List) -> (Vec<Vec<u32>>, Vec<Vec<u32>>, Vec<f64>) {
    let columns = indices(&list.columns);
    let order = order(&columns).expect("columns");
    let prefixes = order.prefixes(&columns).expect("columns");
    let levels = (0..4).map(|k| bare(order.select(k, &columns, &prefixes, k + 1).expect("a column"))).collect();
    let pointers = (1..4).map(|k| prefixes.pointers(k, k + 1).expect("pointers")).collect();
    let values = prefixes.fold(order.gather(&list.values).expect("values"), Sum).expect("values");
    (levels, pointers, values)
}

/// A sorted list without duplicates.
pub fn sorted(list: &List) -> List {
    let columns = indices(&list.columns);
    let order = order(&columns).expect("columns");
    let prefixes = order.prefixes(&columns).expect("columns");
    let values = prefixes.fold(order.gather(&list.values).expect("values"), Sum).expect("values");
    List { columns: (0..4).map(|k| bare(order.select(k, &columns, &prefixes, 4).expect("a column"))).collect(), values }
}

/// Pointers, indices and values: `axes` are split behind the first `split`.
pub fn gcxs(sorted: &List, axes: [usize; 4], split: usize) -> Csr {
    gcxs_of(&indices(&sorted.columns), &sorted.values, [0, 1, 2, 3], axes, split)
}

/// The same from a list in the order of the axes `known`.
fn gcxs_of(columns: &[Indices<'_>], values: &[f64], known: [usize; 4], axes: [usize; 4], split: usize) -> Csr {
    let columns: Vec<Indices<'_>> = axes.iter().map(|&axis| columns[axis].view()).collect();
    let known = known.map(|axis| axes.iter().position(|&other| other == axis).expect("an axis"));
    let order = order_known(&columns, &known).expect("columns");
    let extents = axes.map(|axis| u64::from(EXTENTS[axis]));
    let rows: Vec<u32> = order.linear(&columns, 0, &extents[..split]).expect("rows");
    let pointers = pointers_of(&rows, extents[..split].iter().product::<u64>() as usize).expect("pointers");
    let indices = order.linear(&columns, split, &extents[split..]).expect("indices");
    Csr { pointers, indices, values: order.gather(values).expect("values") }
}

/// From the split (0,1) to (2,).
pub fn regcxs(matrix: &Csr) -> Csr {
    let rows: Vec<u32> = expand(&matrix.pointers, matrix.indices.len()).expect("rows");
    let split = |array: &[u32], extent: u32| -> [Vec<u32>; 2] {
        [array.iter().map(|x| x / extent).collect(), array.iter().map(|x| x % extent).collect()]
    };
    let ([a, b], [c, d]) = (split(&rows, EXTENTS[1]), split(&matrix.indices, EXTENTS[3]));
    gcxs_of(&indices(&[a, b, c, d]), &matrix.values, [0, 1, 2, 3], [2, 0, 1, 3], 1)
}
