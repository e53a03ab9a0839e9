//! Products and reductions, run over the format that a request names.

use super::ELEMENTS;
use super::blocked::{PARAMETERS, scheme};
use super::levels::MOST_NUMBERS;
use super::real::{Kind, Real};
use super::request::{Fields, of_class};
use crate::answer::{Refusal, Result};
use crate::words::many;
use crd2idx::sparse::{
    Builder, Cells, Composite, Dense, Duplicates, Elementwise, Format, Major, Operand, Reduction, Scalar, Sddmm, SparseTensor, count,
    elementwise, mttkrp, reduce, spgemm, spmm, spmv, ttm, ttv,
};
use serde_json::{Number, Value, json};

/// The fields that have numbers.
const OPERANDS: [&str; 8] = ["values", "factors", "matrix", "vectors", "vector", "dense", "left", "right"];

/// The keys of kernels, without the keys of the tensor.
pub const KEYS: &[&str] = &[
    "mode",
    "modes",
    "rank",
    "factors",
    "matrix",
    "vectors",
    "vector",
    "transpose",
    "order",
    "columns",
    "dense",
    "inner",
    "left",
    "right",
    "other",
    "op2",
    "axes",
    "all",
];

/// `sparse.kernel`.
pub fn kernel(request: &Value) -> Result<Value> {
    let lists = OPERANDS.iter().map(|key| &request[*key]).chain([&request["other"]["values"]]);
    let lists: Vec<&Value> = lists.collect();
    if lists.iter().all(|list| whole(list)) {
        // An element of a result is a sum of products of one number of each list, or of one list of each axis.
        let bits = lists.iter().zip(OPERANDS.iter().chain(&["other"])).map(|(list, key)| bits(list, key));
        // Of sums, differences and extremes only the longer of two counts.
        let multiplied = request["kernel"] != "elementwise" || request["op2"] == "mul";
        let bits: u32 = if multiplied { bits.fold(0, u32::saturating_add) } else { bits.max().unwrap_or(0) + 1 };
        let count = request["values"].as_array().map_or(0, Vec::len).saturating_add(request["inner"].as_u64().unwrap_or(0) as usize);
        if bits + (usize::BITS - count.leading_zeros()) < i128::BITS - 1 {
            return run(request, Kind::Whole);
        }
        return Err(of_class("kernel/overflow", "results may not fit 128 bits"));
    }
    run(request, Kind::Floating)
}

/// Tests whether all numbers of nested lists are whole.
fn whole(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().all(whole),
        Value::Number(number) => number.as_i128().is_some(),
        _ => true,
    }
}

/// The bits of the greatest number of nested lists; of a list of factors or vectors, those of all of them.
fn bits(value: &Value, key: &str) -> u32 {
    match value {
        Value::Array(list) if ["factors", "vectors"].contains(&key) => {
            list.iter().map(|value| bits(value, "")).fold(0, u32::saturating_add)
        }
        Value::Array(list) => list.iter().map(|value| bits(value, "")).max().unwrap_or(0),
        Value::Number(number) => number.as_i128().map_or(0, |number| i128::BITS - number.unsigned_abs().leading_zeros()),
        _ => 0,
    }
}

/// The tensor of the request in the storage that it names.
fn stored(request: &Value, kind: Kind) -> Result<Composite<'static, Real>> {
    let input = Fields::new(request, "input");
    let tensor = tensor(&input, &input.numbers("shape").map_err(|refusal| refusal.of_family("input"))?, kind)?;
    let none = json!({});
    let parameters = Fields::new(request.get("parameters").unwrap_or(&none), "blocked");
    parameters.only(&[PARAMETERS])?;
    let fields = Fields::new(request, "kernel");
    let name = fields.need("format")?.as_str().ok_or_else(|| fields.refuse("format", "format is not a name"))?;
    let scheme = scheme(name, &parameters, tensor.shape().len())?;
    Ok(Composite::with_at_most(&tensor, &scheme, MOST_NUMBERS)?)
}

/// The list of the elements of `coords` and `values`; those of one coordinate are added.
fn tensor(fields: &Fields, shape: &[u64], kind: Kind) -> Result<SparseTensor<'static, Real>> {
    let family = |refusal: Refusal| refusal.of_family("input");
    let columns = fields.columns(shape.len()).map_err(family)?;
    let values = fields.values().map_err(family)?;
    let numbers: Option<Vec<Real>> = values.iter().map(|value| kind.read(value)).collect();
    let numbers = numbers.ok_or_else(|| fields.refuse("type", "values are not all numbers"))?;
    let plus = |a: &Real, b: &Real| a.plus(*b);
    let builder = Builder::new(Format::coo(shape.len()), Real::ZERO);
    let builder = builder.duplicates(Duplicates::Combine(&plus));
    builder.build(shape, &columns, numbers).map_err(|error| family(error.into()))
}

/// A list of numbers.
fn numbers(fields: &Fields, value: &Value, key: &str, kind: Kind) -> Result<Vec<Real>> {
    let list = value.as_array().and_then(|list| list.iter().map(|value| kind.read(value)).collect::<Option<Vec<Real>>>());
    list.ok_or_else(|| fields.refuse("shape", format!("{key} is not a list of numbers")))
}

/// A list of rows of so many numbers, one after the other.
fn matrix(fields: &Fields, value: &Value, key: &str, columns: usize, kind: Kind) -> Result<Vec<Real>> {
    let rows = value.as_array().ok_or_else(|| fields.refuse("shape", format!("{key} is not a list of rows")))?;
    let mut out = Vec::new();
    for (k, row) in rows.iter().enumerate() {
        let row = numbers(fields, row, &format!("{key}[{k}]"), kind)?;
        if row.len() != columns {
            return Err(fields.refuse("shape", format!("{key}[{k}] has {} instead of {columns}", many(row.len() as i128, "number"))));
        }
        out.extend(row);
    }
    Ok(out)
}

/// A matrix without columns has a number of rows too, which its numbers do not say.
fn rows(fields: &Fields, value: &Value, key: &str, expected: u64) -> Result<()> {
    let found = value.as_array().map_or(0, Vec::len) as u64;
    if found == expected { Ok(()) } else { Err(fields.refuse("shape", format!("{key} has {found} rows instead of {expected}"))) }
}

fn need(fields: &Fields, key: &str) -> Result<usize> {
    let number = fields.count(key).map_err(|refusal| refusal.of_class("kernel/shape"))?;
    number.ok_or_else(|| fields.refuse("shape", format!("the key `{key}` is missing")))
}

/// The extent of a mode by its number.
fn extent(fields: &Fields, shape: &[u64], mode: usize) -> Result<u64> {
    let unknown = || format!("mode {mode} is named, but the tensor has {}, counted from 0", many(shape.len() as i128, "mode"));
    shape.get(mode).copied().ok_or_else(|| fields.refuse("shape", unknown()))
}

/// Axes of a tensor.
fn axes(fields: &Fields, key: &str) -> Result<Vec<usize>> {
    fields.places(key).map_err(|refusal| refusal.of_class("kernel/shape"))
}

fn run(request: &Value, kind: Kind) -> Result<Value> {
    let fields = Fields::new(request, "kernel");
    let name = fields.need("kernel")?.as_str().unwrap_or_default();
    let shape = fields.numbers("shape").map_err(|refusal| refusal.of_family("input"))?;
    // Before the format, which is that of another rank then.
    if ["spmv", "spmm", "sddmm", "spgemm"].contains(&name) && shape.len() != 2 {
        return Err(fields.refuse("shape", format!("{name} is for matrices, not for {}", many(shape.len() as i128, "axis"))));
    }
    let a = stored(request, kind)?;
    let write = |number| kind.write(number);
    let flag = |key: &str| fields.get(key).and_then(Value::as_bool).unwrap_or(false);
    match name {
        "mttkrp" => {
            let (mode, rank) = (need(&fields, "mode")?, need(&fields, "rank")?);
            extent(&fields, &shape, mode)?;
            let given = fields.need("factors")?.as_array().filter(|given| given.len() == shape.len());
            let given = given.ok_or_else(|| fields.refuse("shape", format!("factors is not a list of {} matrices", shape.len())))?;
            let mut factors: Vec<Vec<Real>> = vec![Vec::new(); shape.len()];
            for (axis, factor) in given.iter().enumerate().filter(|(axis, _)| *axis != mode) {
                rows(&fields, factor, &format!("factors[{axis}]"), shape[axis])?;
                factors[axis] = matrix(&fields, factor, &format!("factors[{axis}]"), rank, kind)?;
            }
            few(&[shape[mode], rank as u64])?;
            let data = mttkrp(&a, mode, &factors.iter().map(Vec::as_slice).collect::<Vec<_>>(), rank)?;
            Ok(dense(&[shape[mode], rank as u64], &data, kind))
        }
        "ttm" => {
            let (mode, rank) = (need(&fields, "mode")?, need(&fields, "rank")?);
            let extent = extent(&fields, &shape, mode)?;
            let given = fields.need("matrix")?;
            rows(&fields, given, "matrix", extent)?;
            filled(&ttm(&a, mode, &matrix(&fields, given, "matrix", rank, kind)?, rank)?, write, write(Real::ZERO))
        }
        "ttv" => {
            let modes = axes(&fields, "modes")?;
            let given = fields.need("vectors")?.as_array().ok_or_else(|| fields.refuse("shape", "vectors is not a list"))?;
            let vectors = given.iter().map(|vector| numbers(&fields, vector, "vectors", kind)).collect::<Result<Vec<Vec<Real>>>>()?;
            filled(&ttv(&a, &modes, &vectors.iter().map(Vec::as_slice).collect::<Vec<_>>())?, write, write(Real::ZERO))
        }
        "spmv" => {
            let transpose = flag("transpose");
            let rows = shape[usize::from(transpose)];
            few(&[rows])?;
            Ok(dense(&[rows], &spmv(&a, transpose, &numbers(&fields, fields.need("vector")?, "vector", kind)?)?, kind))
        }
        "spmm" => {
            let (transpose, columns) = (flag("transpose"), need(&fields, "columns")?);
            let major = match fields.need("order")?.as_str() {
                Some("row") => Major::Rows,
                Some("col") => Major::Columns,
                _ => return Err(fields.refuse("order", "order is neither `row` nor `col`")),
            };
            let [rows, inner] = if transpose { [shape[1], shape[0]] } else { [shape[0], shape[1]] };
            let data = numbers(&fields, fields.need("dense")?, "dense", kind)?;
            if (data.len() as u128) != u128::from(inner) * columns as u128 {
                return Err(
                    fields.refuse("shape", format!("dense has {} instead of {inner} times {columns}", many(data.len() as i128, "number")))
                );
            }
            few(&[rows, columns as u64])?;
            let b = Dense::packed(&data, [inner as usize, columns], major)?;
            Ok(dense(&[rows, columns as u64], &spmm(&a, transpose, b, major)?, kind))
        }
        "sddmm" => {
            let inner = need(&fields, "inner")?;
            let (left, right) = (fields.need("left")?, fields.need("right")?);
            rows(&fields, left, "left", shape[0])?;
            rows(&fields, right, "right", shape[1])?;
            let (left, right) = (matrix(&fields, left, "left", inner, kind)?, matrix(&fields, right, "right", inner, kind)?);
            let of = |data| move |rows: u64| Dense::packed(data, [rows as usize, inner], Major::Rows);
            let (left, right) = (of(&left[..])(shape[0])?, of(&right[..])(shape[1])?);
            // Products that are 0 are elements too, and blocks do not tell them from what is not stored.
            let products = if a.parts().iter().any(|part| part.tensor.format().dense_axes() > 0) {
                Composite::from(a.gathered(&Format::coo(2))?).sddmm(left, right)?
            } else {
                a.sddmm(left, right)?
            };
            Ok(elements(&products.gathered(&Format::coo(2))?, kind))
        }
        "spgemm" => {
            let other = Fields::new(fields.need("other")?, "input");
            other.only(&[&["shape"], ELEMENTS])?;
            let extents = other.numbers("shape").map_err(|refusal| refusal.of_class("kernel/shape"))?;
            if extents.len() != 2 || extents[0] != shape[1] {
                return Err(
                    fields.refuse("shape", format!("the other matrix has extents {extents:?} instead of {}", many(shape[1].into(), "row")))
                );
            }
            let other = tensor(&other, &extents, kind)?;
            // Of more rows than are listed, those that occur.
            let product = match shape[0] > MOST_NUMBERS as u64 {
                true => spgemm(&a.gathered(&Format::dcsr())?, &other)?,
                false => spgemm(&a, &other)?,
            };
            Ok(with_shape(elements(&product, kind), product.shape()))
        }
        "elementwise" => {
            let op = match fields.need("op2")?.as_str() {
                Some("add") => Elementwise::Add,
                Some("sub") => Elementwise::Sub,
                Some("mul") => Elementwise::Mul,
                Some("max") => Elementwise::Max,
                Some("min") => Elementwise::Min,
                _ => return Err(fields.refuse("op2", "op2 is none of add, sub, mul, max, min")),
            };
            let other = Fields::new(fields.need("other")?, "input");
            other.only(&[&["shape"], ELEMENTS])?;
            let other = tensor(&other, &shape, kind)?;
            Ok(elements(&elementwise(&a, &other, op, &Format::coo(shape.len()))?, kind))
        }
        "reduce" => reduced(&fields, &a, if flag("all") { Cells::All } else { Cells::Stored }, kind),
        other => Err(fields.refuse("unsupported", format!("`{other}` is no kernel"))),
    }
}

/// `reduce`: of a coordinate of which nothing is stored there is nothing, unless it is over all cells.
fn reduced(fields: &Fields, a: &Composite<Real>, cells: Cells, kind: Kind) -> Result<Value> {
    let write = |number| kind.write(number);
    let mut gone = axes(fields, "axes")?;
    gone.sort_unstable();
    let along = gone.iter().map(|axis| a.shape().get(*axis).copied().unwrap_or(0));
    let all = along.fold(1i128, |all, extent| all.saturating_mul(extent.into()));
    let nothing = if cells == Cells::All && all > 0 { write(Real::ZERO) } else { Value::Null };
    let reduction = match fields.need("op2")?.as_str() {
        Some("sum") => Reduction::Sum,
        Some("max") => Reduction::Max,
        Some("min") => Reduction::Min,
        Some("count") => {
            if cells == Cells::All && all == i128::MAX {
                return Err(of_class("kernel/overflow", "there are more cells than numbers of 128 bits count"));
            }
            let counts = count(a, &gone)?;
            let number =
                |count: u64| if cells == Cells::All { Number::from_i128(all).map_or(Value::Null, Value::Number) } else { json!(count) };
            return filled(&counts, number, number(0));
        }
        _ => return Err(fields.refuse("op2", "op2 is none of sum, max, min, count")),
    };
    let nothing = if reduction == Reduction::Sum { write(Real::ZERO) } else { nothing };
    // A tensor without axes has an element; of no elements it has the 0 that sums have.
    if gone.len() == a.shape().len() && count(a, &gone)?.at(&[]) == Some(&0) {
        return Ok(json!({"shape": [], "data": [nothing]}));
    }
    filled(&reduce(a, &gone, reduction, cells)?, write, nothing)
}

/// How many numbers a result of these extents has, which are no more than are listed.
fn few(extents: &[u64]) -> Result<usize> {
    let zero = extents.contains(&0);
    let count = extents.iter().fold(u128::from(!zero), |count, extent| count.saturating_mul(u128::from(*extent)));
    match usize::try_from(count) {
        Ok(count) if count <= MOST_NUMBERS => Ok(count),
        _ => Err(of_class("kernel/overflow", format!("{extents:?} numbers are too many to list"))),
    }
}

fn dense(shape: &[u64], data: &[Real], kind: Kind) -> Value {
    json!({"shape": shape, "data": data.iter().map(|value| kind.write(*value)).collect::<Vec<_>>()})
}

/// All elements of a tensor, those that are not stored too.
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

/// The coordinates and values of a list.
fn elements(tensor: &SparseTensor<Real>, kind: Kind) -> Value {
    let (mut coords, mut values) = (Vec::with_capacity(tensor.stored()), Vec::with_capacity(tensor.stored()));
    tensor.for_each(|coordinate, value| {
        coords.push(json!(coordinate));
        values.extend(value.map(|value| kind.write(*value)));
    });
    json!({"coords": coords, "values": values})
}

fn with_shape(mut value: Value, shape: &[u64]) -> Value {
    value["shape"] = json!(shape);
    value
}
