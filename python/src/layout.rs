//! Layouts and the operations on them.

use crd2idx::DynLayout;
use crd2idx::algebra::expression::{self, ComposedValue, Operand};
use crd2idx::algebra::value::{ExprGraph, LayoutValue, TreeNode, TupleValue};
use crd2idx::error::Op;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PyList, PySlice, PyString, PyTuple};
use std::collections::HashMap;

/// The maximum number of leaves of an operand.
pub const LEAVES: usize = 64;

/// The maximum nesting of tuples that are written for the parser, which has its own limit.
const DEPTH: usize = 64;

/// The number of indices computed between two checks for signals.
const PATIENCE: i64 = 1 << 12;

/// The maximum number of run-time quantities (`?`) of one expression.
const SYMBOLS: usize = 64;

/// Converts an error of the algebra to a `ValueError`.
pub fn refused(error: crd2idx::LayoutError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A layout `shape:stride`, or one with a swizzle or another layout after it.
#[pyclass(frozen, module = "crd2idx")]
pub struct Layout {
    pub(crate) value: Operand<LEAVES>,
    /// The layout, if it is a plain one with integer strides; `None` otherwise.
    plain: Option<DynLayout<LEAVES>>,
    /// `plain` with one mode for each leaf.
    flat: Option<DynLayout<LEAVES>>,
}

impl Layout {
    pub(crate) fn of(value: Operand<LEAVES>) -> Self {
        let plain = if let Operand::Layout(layout) = &value { DynLayout::from_value(*layout).ok() } else { None };
        let flat = plain.and_then(|plain| plain.flatten().ok());
        Layout { value, plain, flat }
    }

    fn scope() -> ExprGraph<0> {
        ExprGraph::new(Op::Parse)
    }

    /// Returns the operand that has the shape: of a composed layout the outer one.
    fn outer(&self) -> Operand<LEAVES> {
        match self.value {
            Operand::Composed(ComposedValue { outer, .. }) => Operand::Layout(outer),
            value => value,
        }
    }

    fn get(&self, op: Op, operands: &[Operand<LEAVES>]) -> PyResult<Operand<LEAVES>> {
        let all: Vec<_> = [self.value].into_iter().chain(operands.iter().copied()).collect();
        expression::apply(op, &all, &mut Layout::scope()).map_err(refused)
    }

    fn number(&self, op: Op) -> PyResult<i64> {
        match expression::apply(op, &[self.outer()], &mut Layout::scope()).map_err(refused)? {
            Operand::Tuple(number) if number.is_scalar() => Ok(number.leaf(0).value().unwrap_or(0)),
            other => Err(PyValueError::new_err(format!("{other} is no integer"))),
        }
    }

    /// Returns the index of an integer or a tuple of integers, which is the common case. Returns `None` for other coordinates, for coordinates that do not
    /// fit, and with `inside` for coordinates outside the shape; the general path then finds the error.
    fn fast(&self, coordinate: &Bound<'_, PyAny>, inside: bool) -> Option<i64> {
        let (plain, flat) = (self.plain.as_ref()?.value(), self.flat.as_ref()?);
        let mut digits = [0; LEAVES];
        split(plain, plain.root(), coordinate, inside, &mut digits)?;
        flat.index(&digits[..plain.len()]).map(|index| index as i64)
    }

    /// Returns the index of any coordinate.
    fn at(&self, coordinate: &Bound<'_, PyAny>) -> PyResult<i64> {
        if let Some(index) = self.fast(coordinate, false) {
            return Ok(index);
        }
        match self.get(Op::Crd2Idx, &[operand(coordinate)?])? {
            Operand::Tuple(index) if index.is_scalar() => Ok(index.leaf(0).value().unwrap_or(0)),
            other => Err(PyValueError::new_err(format!(
                "the strides of {} are coordinates, so the result is the coordinate {other} and not an index",
                self.value
            ))),
        }
    }

    fn inside(&self, coordinate: Operand<LEAVES>) -> PyResult<bool> {
        let (Operand::Tuple(coordinate), Operand::Layout(outer)) = (coordinate, self.outer()) else { return Ok(false) };
        let outer = self.plain.map_or_else(|| DynLayout::from_value(outer), Ok).map_err(refused)?;
        let coordinate = crd2idx::layouts::DynCoord::from_value(coordinate).map_err(refused)?;
        outer.checked_crd2idx(&coordinate).map(|index| index.is_some()).map_err(refused)
    }
}

/// Writes the integers of a coordinate for the leaves of `at` to `digits`. Returns `None` if the coordinate does not fit.
fn split(
    layout: &LayoutValue<LEAVES>,
    at: TreeNode,
    coordinate: &Bound<'_, PyAny>,
    inside: bool,
    digits: &mut [usize; LEAVES],
) -> Option<()> {
    let tree = layout.tree();
    if let Ok(tuple) = coordinate.cast::<PyTuple>() {
        if tree.is_leaf(at) || tree.rank(at) != tuple.len() {
            return None;
        }
        return tuple.iter_borrowed().enumerate().try_for_each(|(k, part)| split(layout, tree.mode(at, k)?, &part, inside, digits));
    }
    let mut rest: usize = coordinate.extract().ok()?;
    for (leaf, digit) in digits.iter_mut().enumerate().take(at.hi).skip(at.lo) {
        let extent = usize::try_from(layout.extent(leaf).value()?).ok()?;
        // The last leaf takes the whole quotient.
        let last = leaf + 1 == at.hi;
        if last && inside && rest >= extent {
            return None;
        }
        *digit = if last { rest } else { rest.checked_rem(extent)? };
        rest = rest.checked_div(extent)?;
    }
    Some(())
}

#[pymethods]
impl Layout {
    /// A layout: `Layout("(4,8):(8,1)")`, `Layout((4, 8), (8, 1))`, or `Layout((4, 8))`, in which the leftmost mode is contiguous.
    #[new]
    #[pyo3(signature = (shape, stride=None))]
    fn new(shape: &Bound<'_, PyAny>, stride: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        if let (Ok(text), None) = (shape.cast::<PyString>(), stride) {
            let value = expression::evaluate(&text.to_cow()?, &mut Layout::scope()).map_err(refused)?;
            return match value {
                Operand::Layout(_) | Operand::Composed(_) => Ok(Layout::of(value)),
                other => Err(PyValueError::new_err(format!("{other} is not a layout: a layout has strides, as in `shape:stride`"))),
            };
        }
        let shape = operand(shape)?;
        let (op, operands) = match stride {
            Some(stride) => (Op::MakeLayout, vec![shape, operand(stride)?]),
            None => (Op::ColMajor, vec![shape]),
        };
        expression::apply(op, &operands, &mut Layout::scope()).map(Layout::of).map_err(refused)
    }

    /// Returns the index of a coordinate inside the shape: an integer, or a tuple with an integer or a tuple for each mode.
    ///
    /// Raises IndexError if the coordinate is outside the shape.
    fn __getitem__(&self, coordinate: &Bound<'_, PyAny>) -> PyResult<i64> {
        if let Some(index) = self.fast(coordinate, true) {
            return Ok(index);
        }
        let given = operand(coordinate)?;
        if let Operand::Tuple(tuple) = &given
            && tuple.has_keep()
        {
            return Err(PyTypeError::new_err(
                "a coordinate with `:` or `None` selects a slice: use layout.slice(coordinate), which returns a layout and an offset",
            ));
        }
        if !self.inside(given)? {
            let shape = self.get(Op::GetShape, &[])?;
            return Err(PyIndexError::new_err(format!("{given} is outside the shape {shape}")));
        }
        self.at(coordinate)
    }

    /// Returns the index of any coordinate: `layout((2, 5))` or `layout(2, 5)`. The last mode of each tuple may exceed its extent.
    #[pyo3(signature = (*coordinate))]
    fn __call__(&self, coordinate: &Bound<'_, PyTuple>) -> PyResult<i64> {
        let one = if coordinate.len() == 1 { coordinate.get_item(0)? } else { coordinate.as_any().clone() };
        self.at(&one)
    }

    /// The number of coordinates.
    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.number(Op::Size)?).unwrap_or(0))
    }

    /// The extents, nested as in the layout.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, self.get(Op::GetShape, &[])?)
    }

    /// The strides, nested like the shape.
    #[getter]
    fn stride<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, expression::apply(Op::GetStride, &[self.outer()], &mut Layout::scope()).map_err(refused)?)
    }

    /// The extents of all leaves, in order.
    #[getter]
    fn extents(&self) -> Vec<i64> {
        let Operand::Layout(layout) = self.outer() else { return vec![] };
        (0..layout.len()).map(|k| layout.extent(k).value().unwrap_or(0)).collect()
    }

    /// The strides of all leaves, in order. Raises ValueError if the layout is composed, or if its strides are coordinates.
    #[getter]
    fn strides(&self) -> PyResult<Vec<i64>> {
        let Operand::Layout(layout) = self.value else {
            return Err(PyValueError::new_err(format!("{} is a composed layout, which has no strides of its own", self.value)));
        };
        if !layout.is_integer() {
            return Err(PyValueError::new_err(format!("the strides of {} are coordinates, not integers", self.value)));
        }
        Ok((0..layout.len()).map(|k| layout.scale(k).value().unwrap_or(0)).collect())
    }

    /// Returns True if no two coordinates share an index. Returns None if the test would take too long.
    fn is_injective(&self) -> Option<bool> {
        match &self.plain {
            Some(plain) => crd2idx::Layout::is_injective(plain),
            None => crate::analysis::of(self).ok().map(|analysis| analysis.is_injective()),
        }
    }

    /// Returns the indices of all coordinates; the leftmost mode varies fastest.
    fn indices(&self, py: Python<'_>) -> PyResult<Vec<i64>> {
        let size = self.number(Op::Size)?;
        let mut out = vec![];
        let room = usize::try_from(size).is_ok_and(|size| out.try_reserve_exact(size).is_ok());
        if !room {
            return Err(PyMemoryError::new_err(format!("there is no memory for {size} indices")));
        }
        for k in 0..size {
            if k % PATIENCE == 0 {
                py.check_signals()?;
            }
            let k = TupleValue::integer(k).ok_or_else(|| PyIndexError::new_err("the size of the layout exceeds 62 bits"))?;
            out.push(match self.get(Op::Crd2Idx, &[Operand::Tuple(k)])? {
                Operand::Tuple(index) if index.is_scalar() => index.leaf(0).value().unwrap_or(0),
                other => return Err(PyValueError::new_err(format!("the result is the coordinate {other} and not an index"))),
            });
        }
        Ok(out)
    }

    /// Returns the layout of the modes that are marked `None` or `:`, and the offset that the other modes give.
    fn slice(&self, coordinate: &Bound<'_, PyAny>) -> PyResult<(Layout, i64)> {
        let given = operand(coordinate)?;
        let (Some(plain), Operand::Tuple(tuple)) = (&self.plain, given) else {
            return Err(PyValueError::new_err(format!(
                "{} cannot be sliced at {given}: slices need a layout with integer strides and a coordinate",
                self.value
            )));
        };
        let coordinate = crd2idx::layouts::DynCoord::from_value(tuple).map_err(refused)?;
        let (slice, offset) = plain.slice(&coordinate).map_err(refused)?;
        Ok((Layout::of(Operand::Layout(*slice.value())), offset))
    }

    fn __richcmp__(&self, other: &Layout, how: CompareOp) -> PyResult<bool> {
        let same = self.value.to_string() == other.value.to_string();
        match how {
            CompareOp::Eq => Ok(same),
            CompareOp::Ne => Ok(!same),
            _ => Err(PyTypeError::new_err("layouts have no order: compare them with == or !=")),
        }
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.value.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.value.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Layout('{}')", self.value)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.value.to_string(),)
    }
}

/// Converts a Python value to an operand: a layout, an integer, text in the notation, or a tuple of these. `None` and `:` mark the modes that a slice keeps.
pub fn operand(value: &Bound<'_, PyAny>) -> PyResult<Operand<LEAVES>> {
    if let Ok(layout) = value.cast::<Layout>() {
        return Ok(layout.get().value);
    }
    if let Ok(number) = value.extract::<i64>() {
        return TupleValue::integer(number)
            .map(Operand::Tuple)
            .ok_or_else(|| PyValueError::new_err(format!("{number} is too large: an integer has at most 62 bits")));
    }
    let mut text = String::new();
    write(value, 0, &mut (LEAVES * DEPTH), &mut text)?;
    expression::Parser::whole(&text, &mut Layout::scope()).map_err(|error| PyValueError::new_err(format!("{error}, in `{text}`")))
}

/// Writes the notation of a value inside `level` tuples. `parts` is the number of entries that all tuples together may still have.
fn write(value: &Bound<'_, PyAny>, level: usize, parts: &mut usize, out: &mut String) -> PyResult<()> {
    let list: Vec<Bound<'_, PyAny>> = if let Ok(layout) = value.cast::<Layout>() {
        out.push_str(&layout.get().value.to_string());
        return Ok(());
    } else if let Ok(text) = value.cast::<PyString>() {
        out.push_str(&text.to_cow()?);
        return Ok(());
    } else if let Ok(number) = value.extract::<i64>() {
        out.push_str(&number.to_string());
        return Ok(());
    } else if value.is_none() || value.cast::<PyEllipsis>().is_ok() {
        out.push('_');
        return Ok(());
    } else if let Ok(slice) = value.cast::<PySlice>() {
        let all =
            ["start", "stop", "step"].into_iter().try_fold(true, |all, part| Ok::<_, PyErr>(all && slice.getattr(part)?.is_none()))?;
        if !all {
            return Err(PyValueError::new_err("a slice in a coordinate must be `:`, which keeps the whole mode"));
        }
        out.push('_');
        return Ok(());
    } else if let Ok(tuple) = value.cast::<PyTuple>() {
        tuple.iter().collect()
    } else if let Ok(list) = value.cast::<PyList>() {
        list.iter().collect()
    } else {
        return Err(PyTypeError::new_err(format!("{} is not an operand: use layouts, integers, text, or tuples of these", value.repr()?)));
    };
    if level == DEPTH {
        return Err(PyValueError::new_err(format!("tuples nest more than {DEPTH} deep")));
    }
    *parts =
        parts.checked_sub(list.len()).ok_or_else(|| PyValueError::new_err(format!("tuples have more than {} entries", LEAVES * DEPTH)))?;
    // A tuple with a layout is a tiler, which has brackets.
    let tiler = list.iter().any(|part| part.cast::<Layout>().is_ok());
    out.push(if tiler { '[' } else { '(' });
    for (k, part) in list.iter().enumerate() {
        if k > 0 {
            out.push(if tiler { ';' } else { ',' });
        }
        write(part, level + 1, parts, out)?;
    }
    out.push(if tiler { ']' } else { ')' });
    Ok(())
}

/// Converts a result to a Python value: a layout, an integer or a tuple, and text for everything else.
fn python(py: Python<'_>, value: Operand<LEAVES>) -> PyResult<Bound<'_, PyAny>> {
    match value {
        Operand::Layout(_) | Operand::Composed(_) => Ok(Bound::new(py, Layout::of(value))?.into_any()),
        Operand::Tuple(tuple)
            if tuple.is_scalar()
                && let Some(number) = tuple.leaf(0).value() =>
        {
            Ok(number.into_pyobject(py)?.into_any())
        }
        Operand::Tuple(tuple) if !tuple.has_keep() => {
            let text = value.to_string();
            nested(py, &mut text.as_bytes())
        }
        other => Ok(PyString::new(py, &other.to_string()).into_any()),
    }
}

/// Reads integers and tuples from text such as `(2,(3,4))`.
fn nested<'py>(py: Python<'py>, text: &mut &[u8]) -> PyResult<Bound<'py, PyAny>> {
    if let Some(rest) = text.strip_prefix(b"(") {
        *text = rest;
        let mut list = vec![];
        while let Some(first) = text.first() {
            match first {
                b')' => {
                    *text = &text[1..];
                    break;
                }
                b',' => *text = &text[1..],
                _ => list.push(nested(py, text)?),
            }
        }
        return Ok(PyTuple::new(py, list)?.into_any());
    }
    let end = text.iter().position(|byte| matches!(byte, b',' | b')')).unwrap_or(text.len());
    let word = String::from_utf8_lossy(&text[..end]).into_owned();
    *text = &text[end..];
    match word.parse::<i64>() {
        Ok(number) => Ok(number.into_pyobject(py)?.into_any()),
        Err(_) => Ok(PyString::new(py, &word).into_any()),
    }
}

/// Applies the operation with this name to operands.
#[pyfunction]
#[pyo3(signature = (name, *operands))]
pub fn apply<'py>(py: Python<'py>, name: &str, operands: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    let op = Op::from_name(name).ok_or_else(|| PyValueError::new_err(format!("there is no operation `{name}`")))?;
    let operands = operands.iter().map(|value| operand(&value)).collect::<PyResult<Vec<_>>>()?;
    python(py, expression::apply(op, &operands, &mut ExprGraph::<0>::new(op)).map_err(refused)?)
}

/// Evaluates an expression in the notation. Keywords are the numbers of names in it: `evaluate("size((m,4):(1,ld))", m=8, ld=10)`.
///
/// A run-time integer of the expression is `?`. Then the result is text with the facts about it, unless it is known: `size((?,4):(1,?))` is `?{div=4}`.
#[pyfunction]
#[pyo3(signature = (text, /, **values))]
pub fn evaluate<'py>(py: Python<'py>, text: &str, values: Option<HashMap<String, i64>>) -> PyResult<Bound<'py, PyAny>> {
    let values = values.unwrap_or_default();
    let values: Vec<(&str, i64)> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let text = expression::bind(text, &values);
    let mut scope = ExprGraph::<SYMBOLS>::new(Op::Parse);
    let value = expression::evaluate(&text, &mut scope).map_err(|error| PyValueError::new_err(format!("{error}, in `{text}`")))?;
    let known = match &value {
        Operand::Layout(layout) | Operand::Strides(layout) => layout.is_known(),
        Operand::Composed(composed) => composed.outer.is_known() && composed.offset.is_known(),
        Operand::Tuple(tuple) => tuple.is_known(),
        Operand::Tiler(_) | Operand::Swizzle(_) => true,
    };
    if known { python(py, value) } else { Ok(PyString::new(py, &value.with_facts(&scope).to_string()).into_any()) }
}

/// Lists every operation: its name, its aliases, and its forms, each with its law.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "Python gets a list of tuples")]
pub fn operations() -> Vec<(String, Vec<String>, Vec<(String, String)>)> {
    let forms = |op: &Op| op.forms().iter().map(|form| (form.to_string(), form.law.to_string())).collect();
    let row = |op: &Op| (op.name().to_string(), op.aliases().iter().map(|alias| (*alias).to_string()).collect(), forms(op));
    Op::ALL.iter().map(row).collect()
}
