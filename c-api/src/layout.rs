//! Layouts as handles: their numbers, indices and coordinates, operations and comparisons.

use crate::form::{Forms, Value, applied, scalar};
use crate::memory::{OwnedText, elements, null, result, room, text};
use crate::status::{ErrorReport, Failure, Outcome, Status, guarded};
use crd2idx::LayoutError;
use crd2idx::algebra::expression::{Operand, Parser, evaluate};
use crd2idx::algebra::functions::{Equality, equal_functions};
use crd2idx::algebra::value::{ExprGraph, TupleValue};
use crd2idx::error::{Cause, Op};
use crd2idx::layouts::DynCoord;
use crd2idx_cli::LEAVES;
use std::ffi::c_char;
use std::mem::MaybeUninit;

/// A layout of known numbers. It never changes, so threads may share it.
pub struct LayoutHandle {
    value: Value,
    forms: Forms,
}

/// The first coordinate at which two layouts differ.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct FunctionDifference {
    /// The least linear coordinate at which the layouts differ.
    pub at: i64,
    /// The index of the first layout there.
    pub left: i64,
    /// The index of the second layout there.
    pub right: i64,
    /// False if the first layout has no integer index there: the coordinate is outside, or its strides are coordinates.
    pub has_left: bool,
    /// False if the second layout has no integer index there.
    pub has_right: bool,
}

/// Borrows a handle. Fails if it is null.
fn borrowed<'a>(layout: Option<&'a LayoutHandle>, name: &str) -> Outcome<&'a LayoutHandle> {
    layout.ok_or_else(|| null(name))
}

/// Writes a new handle of a value. Fails if the value is no layout.
fn opened(value: Value, place: Option<&mut MaybeUninit<Option<Box<LayoutHandle>>>>) -> Outcome<()> {
    let place = result(place, "layout")?;
    place.write(Some(Box::new(LayoutHandle { forms: Forms::of(value)?, value })));
    Ok(())
}

/// Makes a layout of an expression: a layout in the notation, also swizzled or composed, or operations on layouts by name.
///
/// `((2,4),(3,5)):((3,6),(1,24))`, `S<3,4,3> o 0 o (8,64):(64,1)` and `zipped_divide((32,16):(1,32), (8,4))` are expressions. All
/// numbers must be known: `crd2idx_eval` takes expressions with `?`.
///
/// `expression` points to `length` bytes of UTF-8.
///
/// # Safety
///
/// `expression` is null, or `length` bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_layout_parse(
    expression: *const c_char,
    length: usize,
    layout: Option<&mut MaybeUninit<Option<Box<LayoutHandle>>>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        // SAFETY: the caller promises the bytes.
        let expression = unsafe { text(expression, length, "expression") }?;
        let mut scope = ExprGraph::<0>::new(Op::Parse);
        opened(evaluate::<LEAVES, 0>(expression, &mut scope).map_err(|error| Failure::layout(expression, &error))?, layout)
    })
}

/// Makes the layout with these extents and strides, one of each for each mode, as `make_layout(make_shape(..), make_stride(..))`.
///
/// `extents` and `strides` point to `rank` numbers.
///
/// # Safety
///
/// Each pointer is null, misaligned, or `rank` numbers can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_layout_new(
    extents: *const i64,
    strides: *const i64,
    rank: usize,
    layout: Option<&mut MaybeUninit<Option<Box<LayoutHandle>>>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        // SAFETY: the caller promises the numbers.
        let [shape, stride] = unsafe { [elements(extents, rank, "extents")?, elements(strides, rank, "strides")?] }.map(flat);
        opened(applied(Op::MakeLayout, &[shape?, stride?])?, layout)
    })
}

/// Returns the flat tuple of some integers.
fn flat(integers: &[i64]) -> Result<Value, LayoutError> {
    Ok(Operand::Tuple(*DynCoord::flat(integers)?.value()))
}

/// Frees a layout. Does nothing for null.
///
/// No thread may use the layout during the call or after it.
#[unsafe(no_mangle)]
pub extern "C" fn crd2idx_layout_free(layout: Option<Box<LayoutHandle>>) {
    guarded(None, || {
        drop(layout);
        Ok(())
    });
}

/// Writes the layout in the notation.
#[unsafe(no_mangle)]
pub extern "C" fn crd2idx_layout_text(
    layout: Option<&LayoutHandle>,
    text: Option<&mut MaybeUninit<OwnedText>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        let layout = borrowed(layout, "layout")?;
        result(text, "text")?.write(layout.value.to_string().into());
        Ok(())
    })
}

/// Writes a number of a layout.
fn number<T>(
    layout: Option<&LayoutHandle>,
    place: Option<&mut MaybeUninit<T>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
    of: impl FnOnce(&LayoutHandle) -> Result<T, LayoutError>,
) -> Status {
    guarded(error, || {
        let layout = borrowed(layout, "layout")?;
        result(place, "result")?.write(of(layout)?);
        Ok(())
    })
}

/// Writes the number of coordinates of a layout to `result`.
#[unsafe(no_mangle)]
pub extern "C" fn crd2idx_layout_size(
    layout: Option<&LayoutHandle>,
    result: Option<&mut MaybeUninit<i64>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    number(layout, result, error, |layout| scalar(&applied(Op::Size, &[layout.value])?, Op::Size))
}

/// Writes the greatest minus the least index of a layout, plus 1, to `result`. An empty layout has the cosize 0.
#[unsafe(no_mangle)]
pub extern "C" fn crd2idx_layout_cosize(
    layout: Option<&LayoutHandle>,
    result: Option<&mut MaybeUninit<i64>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    number(layout, result, error, |layout| scalar(&applied(Op::Cosize, &[layout.value])?, Op::Cosize))
}

/// Writes the number of modes of a layout to `result`.
#[unsafe(no_mangle)]
pub extern "C" fn crd2idx_layout_rank(
    layout: Option<&LayoutHandle>,
    result: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    number(layout, result, error, |layout| Ok(layout.forms.rank()))
}

/// Writes the number of leaves of a layout, the integers of its shape, to `result`.
#[unsafe(no_mangle)]
pub extern "C" fn crd2idx_layout_leaves(
    layout: Option<&LayoutHandle>,
    result: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    number(layout, result, error, |layout| Ok(layout.forms.leaves()))
}

/// Writes numbers to an array of C. Both have the same length, as the form of a layout has.
fn copied(from: &[i64], to: &mut [MaybeUninit<i64>]) {
    for (to, from) in to.iter_mut().zip(from) {
        to.write(*from);
    }
}

/// Writes the extents of a layout. `count` is 1 for the size, the rank for the sizes of the modes, or the number of leaves for their
/// extents.
///
/// # Safety
///
/// `extents` is null, misaligned, or `count` numbers can be written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_layout_extents(
    layout: Option<&LayoutHandle>,
    extents: *mut i64,
    count: usize,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        let form = borrowed(layout, "layout")?.forms.of_count(count)?;
        // SAFETY: the caller promises the room.
        copied(&form.extents, unsafe { room(extents, count, "extents") }?);
        Ok(())
    })
}

/// Writes the index of a coordinate to `index`.
///
/// `coordinate` points to `count` integers: one for the whole layout, which counts with the first mode fastest; one for each mode; or
/// one for each leaf, in the order of the notation. Outside the shape, the last leaf of a mode takes the whole quotient.
///
/// # Safety
///
/// `coordinate` is null, misaligned, or `count` numbers can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_layout_index(
    layout: Option<&LayoutHandle>,
    coordinate: *const i64,
    count: usize,
    index: Option<&mut MaybeUninit<i64>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        let form = borrowed(layout, "layout")?.forms.of_count(count)?;
        let index = result(index, "index")?;
        // SAFETY: the caller promises the numbers.
        index.write(form.index(unsafe { elements(coordinate, count, "coordinate") }?)?);
        Ok(())
    })
}

/// Writes the indices of several coordinates, as `crd2idx_layout_index` does for one.
///
/// `coordinates` points to `coordinate_count * width` integers, `width` for each coordinate, one coordinate after another. `indices`
/// has room for `coordinate_count` numbers, and does not overlap `coordinates`. If a coordinate is refused, `position` of the error is
/// its number, and the indices before it are written.
///
/// # Safety
///
/// Each pointer is null, misaligned, or its numbers can be read, or written, there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_layout_indices(
    layout: Option<&LayoutHandle>,
    coordinates: *const i64,
    coordinate_count: usize,
    width: usize,
    indices: *mut i64,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        let form = borrowed(layout, "layout")?.forms.of_count(width)?;
        let all = coordinate_count.checked_mul(width).ok_or_else(|| {
            Failure::call(
                Status::Length,
                "length",
                format!("{coordinate_count} coordinates of {width} integers are more than there is memory"),
            )
        })?;
        // SAFETY: the caller promises the numbers and the room, which do not overlap.
        let (coordinates, indices) = unsafe { (elements(coordinates, all, "coordinates")?, room(indices, coordinate_count, "indices")?) };
        for (k, index) in indices.iter_mut().enumerate() {
            let found = form.index(&coordinates[k * width..][..width]);
            index.write(found.map_err(|error| Failure::from(error).with(|parts| parts.position = Some(k)))?);
        }
        Ok(())
    })
}

/// Writes a coordinate whose index is `index`. Fails if the layout has none.
///
/// `count` is 1, the rank or the number of leaves, as for `crd2idx_layout_index`.
///
/// # Safety
///
/// `coordinate` is null, misaligned, or `count` numbers can be written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_layout_coordinate(
    layout: Option<&LayoutHandle>,
    index: i64,
    coordinate: *mut i64,
    count: usize,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        let form = borrowed(layout, "layout")?.forms.of_count(count)?;
        // SAFETY: the caller promises the room.
        copied(&form.coordinate(index)?, unsafe { room(coordinate, count, "coordinate") }?);
        Ok(())
    })
}

/// Writes coordinate number `k` of the shape, with the first mode fastest: a loop over `k` visits all coordinates.
///
/// `count` is the rank or the number of leaves, as for `crd2idx_layout_index`.
///
/// # Safety
///
/// `coordinate` is null, misaligned, or `count` numbers can be written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_layout_unravel(
    layout: Option<&LayoutHandle>,
    k: i64,
    coordinate: *mut i64,
    count: usize,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        let form = borrowed(layout, "layout")?.forms.of_count(count)?;
        // SAFETY: the caller promises the room.
        copied(&form.unraveled(k)?, unsafe { room(coordinate, count, "coordinate") }?);
        Ok(())
    })
}

/// Makes the layout that an operation gives: `operation(layout)`, or `operation(layout, operand)` if `operand` is not null.
///
/// `operation` names one of `crd2idx ops`, such as `coalesce` or `zipped_divide`. `operand` is a text in the notation. Operations of
/// more operands, and operations that give no layout, are expressions of `crd2idx_layout_parse` and `crd2idx_eval`.
///
/// # Safety
///
/// Each text is null, or its bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crd2idx_layout_apply(
    layout: Option<&LayoutHandle>,
    operation: *const c_char,
    operation_length: usize,
    operand: *const c_char,
    operand_length: usize,
    given: Option<&mut MaybeUninit<Option<Box<LayoutHandle>>>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        let layout = borrowed(layout, "layout")?;
        // SAFETY: the caller promises the bytes.
        let name = unsafe { text(operation, operation_length, "operation") }?;
        let unknown = || Failure::call(Status::Refused, "unknown_op", format!("there is no operation `{name}`"));
        let op = Op::from_name(name).ok_or_else(unknown)?;
        if operand.is_null() {
            return opened(applied(op, &[layout.value])?, given);
        }
        // SAFETY: the caller promises the bytes.
        let operand = unsafe { text(operand, operand_length, "operand") }?;
        let parsed = Parser::whole::<LEAVES, 0>(operand, &mut ExprGraph::new(op)).map_err(|error| Failure::layout(operand, &error))?;
        opened(applied(op, &[layout.value, parsed])?, given)
    })
}

/// Compares two layouts as functions of the linear coordinate: writes true to `equal` if they have the same size and the same index
/// at each coordinate.
///
/// If they differ, and `difference` is not null, the first difference is written there.
#[unsafe(no_mangle)]
pub extern "C" fn crd2idx_layout_equal(
    left: Option<&LayoutHandle>,
    right: Option<&LayoutHandle>,
    equal: Option<&mut MaybeUninit<bool>>,
    difference: Option<&mut MaybeUninit<FunctionDifference>>,
    error: Option<&mut MaybeUninit<ErrorReport>>,
) -> Status {
    guarded(error, || {
        let (left, right) = (borrowed(left, "left")?, borrowed(right, "right")?);
        let place = result(equal, "equal")?;
        let open = LayoutError::plain(Op::EqualFunctions, Cause::OpenEquality, 0, 0);
        match equal_functions(&left.value, &right.value, &mut ExprGraph::<0>::new(Op::EqualFunctions))? {
            Equality::Equal => place.write(true),
            Equality::Differ(first) => {
                if let Some(difference) = difference {
                    let number = |index: Option<TupleValue<LEAVES>>| scalar(&Operand::Tuple(index?), Op::EqualFunctions).ok();
                    let (left, right) = (number(first.left), number(first.right));
                    difference.write(FunctionDifference {
                        at: first.at.value().ok_or(open)?,
                        left: left.unwrap_or(0),
                        right: right.unwrap_or(0),
                        has_left: left.is_some(),
                        has_right: right.is_some(),
                    });
                }
                place.write(false)
            }
            Equality::Open(_) => return Err(open.into()),
        };
        Ok(())
    })
}
