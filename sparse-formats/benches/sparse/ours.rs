//! The operations of this workspace.

use crate::data::List;
use sparse_formats::{Builder, Duplicates, Format, Gcxs, Indices, SparseTensor, Values, Width, Widths};

pub const SIDE: usize = 1_000_000;
pub const EXTENTS: [u32; 4] = [1000, 800, 600, 400];

pub type Tensor = SparseTensor<'static, f64>;

/// Returns a builder of a format with indices of 32 bits, as peers have them.
fn builder(format: Format) -> Builder<'static, f64> {
    Builder::new(format, 0.0).widths(Widths::all(Width::U32)).duplicates(Duplicates::sum())
}

fn build(format: Format, shape: &[u64], list: &List) -> Tensor {
    let columns: Vec<Indices<'_>> = list.columns.iter().map(|column| Indices::from(&column[..])).collect();
    builder(format).build(shape, &columns, Values::from(&list.values[..])).expect("a tensor")
}

pub fn csr(list: &List) -> Tensor {
    build(Format::csr(), &[SIDE as u64; 2], list)
}

pub fn csc(matrix: &Tensor) -> Tensor {
    matrix.convert(&builder(Format::csc())).expect("a matrix")
}

pub fn rank4(format: Format, list: &List) -> Tensor {
    build(format, &EXTENTS.map(u64::from), list)
}

pub fn convert(tensor: &Tensor, format: &str) -> Tensor {
    tensor.convert(&builder(format.parse().expect("a format"))).expect("a tensor")
}

pub fn gcxs(tensor: &Tensor, axes: &[usize]) -> Gcxs<'static, f64> {
    Gcxs::new(tensor, axes).expect("groups of axes")
}

pub fn regcxs(matrix: &Gcxs<'static, f64>, axes: &[usize]) -> Gcxs<'static, f64> {
    matrix.with_compressed_axes(axes).expect("groups of axes")
}
