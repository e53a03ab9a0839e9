//! `sparse.kernel`: products and reductions over a tensor in the format of the request.

use super::blocked::Parameters;
use super::levels::{MOST_NUMBERS, coordinates};
use super::request::{Elements, missing, of_class};
use crate::answer::{Refusal, Result};
use crate::real::{Kind, Real};
use crate::request::{Input, OfKernel, Parameter, or_default, read_of, structs};
use crate::words::many;
use crd2idx::sparse::{
    Builder, Cells, Composite, Dense, Duplicates, Elementwise, Format, Major, Reduction, Scalar, Sddmm, SparseOperand, SparseTensor, count,
    elementwise, mttkrp, reduce, spgemm, spmm, spmv, ttm, ttv,
};
use serde::Deserialize;
use serde_json::{Number, Value, json};

/// A kernel, and the storage of its tensor.
#[derive(Deserialize)]
pub struct Asked {
    kernel: String,
    format: String,
    #[serde(default)]
    parameters: Value,
}

structs! {
    /// The extents of the tensor.
    Extents { shape: Vec<u64> }
    /// The extents of the other tensor.
    Other { shape: Option<Vec<u64>> }
}

/// The operands of all kernels, besides the tensor.
#[derive(Deserialize)]
pub struct Operands {
    mode: Option<usize>,
    modes: Option<Vec<usize>>,
    rank: Option<usize>,
    factors: Option<Value>,
    matrix: Option<Value>,
    vectors: Option<Value>,
    vector: Option<Value>,
    #[serde(default, deserialize_with = "or_default")]
    transpose: bool,
    order: Option<String>,
    columns: Option<usize>,
    dense: Option<Value>,
    inner: Option<usize>,
    left: Option<Value>,
    right: Option<Value>,
    other: Option<Value>,
    op2: Option<String>,
    axes: Option<Vec<usize>>,
    #[serde(default, deserialize_with = "or_default")]
    all: bool,
}

/// Answers `sparse.kernel`: a product or a reduction of a tensor in the format of the request.
pub fn kernel(
    (asked, Input(Extents { shape }), Input(elements), operands): (Asked, Input<Extents>, Input<Elements>, Operands),
) -> Result<Value> {
    let Operands { factors, matrix, vectors, vector, dense, left, right, other, .. } = &operands;
    let values = elements.values.clone().map(Value::Array);
    let added = other.as_ref().and_then(|other| other.get("values"));
    let single = [&values, matrix, vector, dense, left, right].into_iter().flatten().chain(added);
    let several = [factors, vectors].into_iter().flatten();
    let run = |kind| Run { shape: &shape, operands: &operands, kind }.run(&asked, &elements);
    if !single.clone().chain(several.clone()).all(whole) {
        return run(Kind::Floating);
    }
    // An element of a result is a sum of products of one number per list, or per axis if there is a list for each axis.
    let of_each = several.flat_map(|lists| lists.as_array().into_iter().flatten().map(bits));
    let bits = single.map(bits).chain([of_each.fold(0, u32::saturating_add)]);
    // A sum, a difference or an extreme has at most one bit more than the longer operand.
    let multiplied = asked.kernel != "elementwise" || operands.op2.as_deref() == Some("mul");
    let bits: u32 = if multiplied { bits.fold(0, u32::saturating_add) } else { bits.max().unwrap_or(0) + 1 };
    let count = elements.values.as_ref().map_or(0, Vec::len).saturating_add(operands.inner.unwrap_or(0));
    if bits.saturating_add(usize::BITS - count.leading_zeros()) < i128::BITS - 1 {
        return run(Kind::Whole);
    }
    Err(of_class("kernel/overflow", "results may not fit 128 bits"))
}

/// Tests whether all numbers in nested lists are integers of at most 128 bits.
pub fn whole(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().all(whole),
        Value::Number(number) => number.as_i128().is_some(),
        _ => true,
    }
}

/// Returns the number of bits of the absolutely greatest integer in nested lists, or 0 if there is none.
pub fn bits(value: &Value) -> u32 {
    match value {
        Value::Array(list) => list.iter().map(bits).max().unwrap_or(0),
        Value::Number(number) => number.as_i128().map_or(0, |number| i128::BITS - number.unsigned_abs().leading_zeros()),
        _ => 0,
    }
}

fn shape_error(message: impl Into<String>) -> Refusal {
    of_class("kernel/shape", message)
}

/// Returns the elements of `coords` and `values` as a list. Values that share a coordinate are summed. Refuses values that are
/// no numbers, and coordinates outside of `shape`.
fn tensor(elements: &Elements, shape: &[u64], kind: Kind) -> Result<SparseTensor<'static, Real>> {
    let (columns, values) = (elements.columns(shape.len(), "input")?, elements.values("input")?);
    let expected = if matches!(kind, Kind::Whole) { "an integer" } else { "a number" };
    let read = |(k, value): (usize, &Value)| {
        let number = value.as_number().and_then(|number| kind.read(number));
        number.ok_or_else(|| of_class("input/type", format!("values[{k}] is {value}, not {expected}")))
    };
    let numbers = values.iter().enumerate().map(read).collect::<Result<Vec<Real>>>()?;
    let plus = |a: &Real, b: &Real| a.plus(*b);
    let builder = Builder::new(Format::coo(shape.len()), Real::ZERO);
    let builder = builder.duplicates(Duplicates::Combine(&plus));
    builder.build(shape, &columns, numbers).map_err(|error| Refusal::from(error).of_family("input"))
}

/// Returns the value of a key that a kernel needs, and refuses a missing one. For keys that give a shape, the error has the
/// class of a wrong shape.
fn need<'r, T>(value: &'r Option<T>, key: &str) -> Result<&'r T> {
    let of_shape = ["mode", "modes", "rank", "columns", "inner", "axes"].contains(&key);
    value.as_ref().ok_or_else(|| if of_shape { missing("kernel", key).of_class("kernel/shape") } else { missing("kernel", key) })
}

/// Returns the numbers of a list. Refuses anything else. `key` names the list in the message.
fn numbers(value: &Value, key: &str, kind: Kind) -> Result<Vec<Real>> {
    let list = value.as_array().and_then(|list| list.iter().map(|value| kind.read(value.as_number()?)).collect::<Option<Vec<Real>>>());
    list.ok_or_else(|| shape_error(format!("{key} is not a list of numbers")))
}

/// Returns the numbers of a list of rows, one row after the other. Refuses rows that do not have `columns` numbers.
fn matrix(value: &Value, key: &str, columns: usize, kind: Kind) -> Result<Vec<Real>> {
    let rows = value.as_array().ok_or_else(|| shape_error(format!("{key} is not a list of rows")))?;
    let mut out = Vec::new();
    for (k, row) in rows.iter().enumerate() {
        let row = numbers(row, &format!("{key}[{k}]"), kind)?;
        if row.len() != columns {
            return Err(shape_error(format!("{key}[{k}] has {} instead of {columns}", many(row.len() as i128, "number"))));
        }
        out.extend(row);
    }
    Ok(out)
}

/// Refuses a matrix with another number of rows than `expected`. Its numbers do not show this: a matrix without columns has
/// rows, too.
fn rows(value: &Value, key: &str, expected: u64) -> Result<()> {
    let found = value.as_array().map_or(0, Vec::len) as u64;
    if found == expected { Ok(()) } else { Err(shape_error(format!("{key} has {found} rows instead of {expected}"))) }
}

/// Returns the extent of a mode, and refuses modes that the shape lacks. Modes count from 0.
fn extent(shape: &[u64], mode: usize) -> Result<u64> {
    let unknown = || format!("mode {mode} is named, but the tensor has {}, counted from 0", many(shape.len() as i128, "mode"));
    shape.get(mode).copied().ok_or_else(|| shape_error(unknown()))
}

/// A kernel that computes with numbers of one kind.
struct Run<'r> {
    shape: &'r [u64],
    operands: &'r Operands,
    kind: Kind,
}

impl Run<'_> {
    /// Returns the tensor in the format that the request names. Refuses wrong parameters, and more than `MOST_NUMBERS` stored
    /// numbers.
    fn stored(&self, asked: &Asked, elements: &Elements) -> Result<Composite<'static, Real>> {
        let tensor = tensor(elements, self.shape, self.kind)?;
        let parameters = if asked.parameters.is_null() { json!({}) } else { asked.parameters.clone() };
        let (Parameter(parameters),): (Parameter<Parameters>,) = read_of(&parameters, "parameters", "blocked")?;
        let scheme = parameters.scheme(&asked.format, self.shape.len())?;
        Ok(Composite::with_at_most(&tensor, &scheme, MOST_NUMBERS)?)
    }

    fn run(&self, asked: &Asked, elements: &Elements) -> Result<Value> {
        let Run { shape, operands, kind } = *self;
        let name = asked.kernel.as_str();
        // Test this first: with another rank, the error would be about the format.
        if ["spmv", "spmm", "sddmm", "spgemm"].contains(&name) && shape.len() != 2 {
            return Err(shape_error(format!("{name} is for matrices, not for {}", many(shape.len() as i128, "axis"))));
        }
        let a = self.stored(asked, elements)?;
        let write = |number| kind.write(number);
        match name {
            "mttkrp" => {
                let (mode, rank) = (*need(&operands.mode, "mode")?, *need(&operands.rank, "rank")?);
                extent(shape, mode)?;
                let given = need(&operands.factors, "factors")?.as_array().filter(|given| given.len() == shape.len());
                let given = given.ok_or_else(|| shape_error(format!("factors is not a list of {} matrices", shape.len())))?;
                let mut factors: Vec<Vec<Real>> = vec![Vec::new(); shape.len()];
                for (axis, factor) in given.iter().enumerate().filter(|(axis, _)| *axis != mode) {
                    rows(factor, &format!("factors[{axis}]"), shape[axis])?;
                    factors[axis] = matrix(factor, &format!("factors[{axis}]"), rank, kind)?;
                }
                few(&[shape[mode], rank as u64])?;
                let data = mttkrp(&a, mode, &factors.iter().map(Vec::as_slice).collect::<Vec<_>>(), rank)?;
                Ok(dense(&[shape[mode], rank as u64], &data, kind))
            }
            "ttm" => {
                let (mode, rank) = (*need(&operands.mode, "mode")?, *need(&operands.rank, "rank")?);
                let extent = extent(shape, mode)?;
                let given = need(&operands.matrix, "matrix")?;
                rows(given, "matrix", extent)?;
                filled(&ttm(&a, mode, &matrix(given, "matrix", rank, kind)?, rank)?, write, write(Real::ZERO))
            }
            "ttv" => {
                let modes = need(&operands.modes, "modes")?;
                let given = need(&operands.vectors, "vectors")?.as_array().ok_or_else(|| shape_error("vectors is not a list"))?;
                let vectors = given.iter().map(|vector| numbers(vector, "vectors", kind)).collect::<Result<Vec<Vec<Real>>>>()?;
                filled(&ttv(&a, modes, &vectors.iter().map(Vec::as_slice).collect::<Vec<_>>())?, write, write(Real::ZERO))
            }
            "spmv" => {
                let transpose = operands.transpose;
                let rows = shape[usize::from(transpose)];
                few(&[rows])?;
                Ok(dense(&[rows], &spmv(&a, transpose, &numbers(need(&operands.vector, "vector")?, "vector", kind)?)?, kind))
            }
            "spmm" => {
                let (transpose, columns) = (operands.transpose, *need(&operands.columns, "columns")?);
                let major = match need(&operands.order, "order")?.as_str() {
                    "row" => Major::Rows,
                    "col" => Major::Columns,
                    _ => return Err(of_class("kernel/order", "order is neither `row` nor `col`")),
                };
                let [rows, inner] = if transpose { [shape[1], shape[0]] } else { [shape[0], shape[1]] };
                let data = numbers(need(&operands.dense, "dense")?, "dense", kind)?;
                if (data.len() as u128) != u128::from(inner) * columns as u128 {
                    return Err(shape_error(format!(
                        "dense has {} instead of {inner} times {columns}",
                        many(data.len() as i128, "number")
                    )));
                }
                few(&[rows.max(1), columns as u64])?;
                let b = Dense::packed(&data, [inner as usize, columns], major)?;
                Ok(dense(&[rows, columns as u64], &spmm(&a, transpose, b, major)?, kind))
            }
            "sddmm" => {
                let inner = *need(&operands.inner, "inner")?;
                let (left, right) = (need(&operands.left, "left")?, need(&operands.right, "right")?);
                rows(left, "left", shape[0])?;
                rows(right, "right", shape[1])?;
                let (left, right) = (matrix(left, "left", inner, kind)?, matrix(right, "right", inner, kind)?);
                let of = |data| move |rows: u64| Dense::packed(data, [rows as usize, inner], Major::Rows);
                let (left, right) = (of(&left[..])(shape[0])?, of(&right[..])(shape[1])?);
                // Products that are 0 count as elements, but blocks cannot tell them from padding.
                let products = if a.parts().iter().any(|part| part.tensor.format().dense_axes() > 0) {
                    Composite::from(a.gathered(&Format::coo(2))?).sddmm(left, right)?
                } else {
                    a.sddmm(left, right)?
                };
                Ok(listed(&products.gathered(&Format::coo(2))?, kind))
            }
            "spgemm" => {
                let (OfKernel(other), elements): (OfKernel<Other>, Elements) = read_of(need(&operands.other, "other")?, "other", "input")?;
                let extents = other.shape.ok_or_else(|| shape_error("other: the key `shape` is missing"))?;
                if extents.len() != 2 || extents[0] != shape[1] {
                    return Err(shape_error(format!(
                        "the other matrix has extents {extents:?} instead of {}",
                        many(shape[1].into(), "row")
                    )));
                }
                let other = tensor(&elements, &extents, kind)?;
                // If the rows are more than an answer lists, store only rows with elements.
                let product = match shape[0] > MOST_NUMBERS as u64 {
                    true => spgemm(&a.gathered(&Format::dcsr())?, &other)?,
                    false => spgemm(&a, &other)?,
                };
                Ok(with_shape(listed(&product, kind), product.shape()))
            }
            "elementwise" => {
                let op = match need(&operands.op2, "op2")?.as_str() {
                    "add" => Elementwise::Add,
                    "sub" => Elementwise::Sub,
                    "mul" => Elementwise::Mul,
                    "max" => Elementwise::Max,
                    "min" => Elementwise::Min,
                    _ => return Err(of_class("kernel/op2", "op2 is none of add, sub, mul, max, min")),
                };
                let (OfKernel(_), other): (OfKernel<Other>, Elements) = read_of(need(&operands.other, "other")?, "other", "input")?;
                let other = tensor(&other, shape, kind)?;
                Ok(listed(&elementwise(&a, &other, op, &Format::coo(shape.len()))?, kind))
            }
            "reduce" => reduced(operands, &a, if operands.all { Cells::All } else { Cells::Stored }, kind),
            other => Err(of_class("kernel/unsupported", format!("`{other}` is no kernel"))),
        }
    }
}

/// Answers `reduce`. A coordinate without stored elements has a null, unless the reduction is over all cells. Refuses unknown
/// reductions and axes.
fn reduced(operands: &Operands, a: &Composite<Real>, cells: Cells, kind: Kind) -> Result<Value> {
    let write = |number| kind.write(number);
    let mut gone = need(&operands.axes, "axes")?.clone();
    gone.sort_unstable();
    let along = gone.iter().map(|axis| a.shape().get(*axis).copied().unwrap_or(0));
    let all = along.fold(1i128, |all, extent| all.saturating_mul(extent.into()));
    let nothing = if cells == Cells::All && all > 0 { write(Real::ZERO) } else { Value::Null };
    let reduction = match need(&operands.op2, "op2")?.as_str() {
        "sum" => Reduction::Sum,
        "max" => Reduction::Max,
        "min" => Reduction::Min,
        "count" => {
            if cells == Cells::All && all == i128::MAX {
                return Err(of_class("kernel/overflow", "there are more cells than numbers of 128 bits count"));
            }
            let counts = count(a, &gone)?;
            let number =
                |count: u64| if cells == Cells::All { Number::from_i128(all).map_or(Value::Null, Value::Number) } else { json!(count) };
            return filled(&counts, number, number(0));
        }
        _ => return Err(of_class("kernel/op2", "op2 is none of sum, max, min, count")),
    };
    let nothing = if reduction == Reduction::Sum { write(Real::ZERO) } else { nothing };
    // A result without axes always has one element. If nothing is stored, that is the result of an empty reduction.
    if gone.len() == a.shape().len() && count(a, &gone)?.at(&[]) == Some(&0) {
        return Ok(json!({"shape": [], "data": [nothing]}));
    }
    filled(&reduce(a, &gone, reduction, cells)?, write, nothing)
}

/// Returns the number of elements of a result with these extents. Refuses more than `MOST_NUMBERS`.
fn few(extents: &[u64]) -> Result<usize> {
    let zero = extents.contains(&0);
    let count = extents.iter().fold(u128::from(!zero), |count, extent| count.saturating_mul(u128::from(*extent)));
    match usize::try_from(count) {
        Ok(count) if count <= MOST_NUMBERS => Ok(count),
        _ => Err(of_class("kernel/overflow", format!("{extents:?} numbers are too many to list"))),
    }
}

pub fn dense(shape: &[u64], data: &[Real], kind: Kind) -> Value {
    json!({"shape": shape, "data": kind.list(data)})
}

/// Returns the shape and all elements of a tensor as JSON, the last axis fastest, with `nothing` for elements that are not
/// stored. Refuses more than `MOST_NUMBERS` elements.
fn filled<W: Copy + Default + Send + Sync + 'static>(
    tensor: &SparseTensor<W>,
    write: impl Fn(W) -> Value,
    nothing: Value,
) -> Result<Value> {
    let shape = tensor.shape();
    let mut data = vec![nothing; few(shape)?];
    tensor.for_each(|coordinate, value| {
        let at = coordinate.iter().zip(shape).fold(0, |at, (c, extent)| at * extent + c);
        if let Some(value) = value {
            data[at as usize] = write(*value);
        }
    });
    Ok(json!({"shape": shape, "data": data}))
}

/// Returns the coordinates and the values of a list as JSON.
pub fn listed(tensor: &SparseTensor<Real>, kind: Kind) -> Value {
    coordinates(tensor, |value| kind.write(*value))
}

pub fn with_shape(mut value: Value, shape: &[u64]) -> Value {
    value["shape"] = json!(shape);
    value
}
