//! Types as the algebra reads them: integers, tuples and layouts, and their conversion to operands.

use super::pattern::{Pattern, Slots};
use layout_algebra::algebra::operands::{ComposedValue, Inner, Operand};
use layout_algebra::algebra::tiler::Tiler;
use layout_algebra::error::{Cause, Result, Text, ok, refuse_if};
use layout_algebra::swizzle::Swizzle;
use layout_algebra::value::{Basis, ExprGraph, Facts, LayoutValue, MAX_LEAVES, SymInt, TupleValue, known};

/// A type as the algebra reads it.
///
/// ```
/// use layout_core::{Dyn, Int};
/// use layout_core::layouts::{AsOperand, Descriptor};
/// // A constant of a type with parameters refuses what its operands must not be.
/// const fn is_static(operand: &Descriptor) -> bool {
///     match operand {
///         Descriptor::Known(_) | Descriptor::Xor(_) | Descriptor::Keep => true,
///         Descriptor::Tuple([first, second]) => is_static(first) && is_static(second),
///         _ => false,
///     }
/// }
/// const { assert!(is_static(&<(Int<8>, Int<4>)>::DESCRIPTOR) && !is_static(&<(Int<8>, usize)>::DESCRIPTOR)) };
/// // A run-time integer has the facts of its type.
/// assert!(matches!(Dyn::<8>::DESCRIPTOR, Descriptor::Input(facts) if facts.div == 8 && facts.lo == 0));
/// ```
#[derive(Clone, Copy)]
pub enum Descriptor {
    /// A static integer.
    Known(i64),
    /// A static XOR stride.
    Xor(i64),
    /// A run-time integer with facts.
    Input(Facts),
    /// `_`: a mode that is kept whole.
    Keep,
    /// A tuple, by its modes.
    Tuple(&'static [Descriptor]),
    /// A layout type, by its pattern.
    Layout(&'static Pattern),
    /// A swizzled layout type.
    Swizzled(&'static SwizzledDescriptor),
}

/// A swizzled layout as the algebra reads it: `swizzle o offset o outer`.
#[derive(Clone, Copy)]
pub struct SwizzledDescriptor {
    pub(in crate::types) swizzle: Swizzle,
    pub(in crate::types) offset: Descriptor,
    pub(in crate::types) outer: &'static Pattern,
}

impl Descriptor {
    /// Writes a tuple of integers to `text`. The run-time ones come from `inputs`, from position `at` on, and `at` moves behind them.
    pub(crate) fn write<const N: usize>(&self, inputs: &Slots, at: &mut usize, text: &mut Text<N>) {
        match self {
            Descriptor::Known(value) => text.push_int(*value),
            Descriptor::Input(_) => {
                text.push_int(inputs[*at] as i64);
                *at += 1;
            }
            Descriptor::Tuple(modes) => {
                for (k, mode) in modes.iter().enumerate() {
                    text.push_str(if k == 0 { "(" } else { "," });
                    mode.write(inputs, at, text);
                }
                text.push_str(if modes.is_empty() { "()" } else { ")" });
            }
            Descriptor::Xor(_) | Descriptor::Keep | Descriptor::Layout(_) | Descriptor::Swizzled(_) => text.push_str("_"),
        }
    }

    /// Returns true for one integer if `rank` is 1, and for a tuple of at most `rank` modes that are all integers.
    pub(crate) const fn is_flat(&self, rank: usize) -> bool {
        match self {
            Descriptor::Known(_) | Descriptor::Input(_) => rank == 1,
            Descriptor::Tuple(modes) => {
                let mut k = 0;
                while k < modes.len() {
                    if !modes[k].is_integer() {
                        return false;
                    }
                    k += 1;
                }
                modes.len() <= rank
            }
            _ => false,
        }
    }

    /// Returns the number of run-time leaves.
    pub(crate) const fn inputs(&self) -> usize {
        match self {
            Descriptor::Input(_) => 1,
            Descriptor::Tuple(modes) => self.inputs_before(modes.len()),
            Descriptor::Layout(pattern) => pattern.scope.inputs,
            Descriptor::Swizzled(l) => l.offset.inputs() + l.outer.scope.inputs,
            _ => 0,
        }
    }

    /// Returns the number of run-time leaves of a tuple before its mode `mode`.
    pub(in crate::types) const fn inputs_before(&self, mode: usize) -> usize {
        let Descriptor::Tuple(modes) = self else { return 0 };
        let (mut inputs, mut k) = (0, 0);
        while k < mode {
            inputs += modes[k].inputs();
            k += 1;
        }
        inputs
    }

    /// Returns the number of modes of a tuple; 1 for anything else.
    pub(crate) const fn modes(&self) -> usize {
        match self {
            Descriptor::Tuple(modes) => modes.len(),
            _ => 1,
        }
    }

    /// Returns true if it is one integer.
    pub(crate) const fn is_integer(&self) -> bool {
        matches!(self, Descriptor::Known(_) | Descriptor::Input(_))
    }
}

/// Appends the leaves of a type inside `level` tuples to `out`; a `()` inside a tuple becomes an empty mode. `bases` receives the bases
/// of strides; it is `None` for other integers. `join` is the number of tuples shared with the leaf before. Fails for layouts, and for
/// more than `MAX_LEAVES` leaves. A loop writes flat tuples, because calls make constant evaluation slow.
pub(in crate::types) const fn push_ints(
    form: &Descriptor,
    out: &mut TupleValue<MAX_LEAVES>,
    mut bases: Option<&mut [u32; MAX_LEAVES]>,
    level: u8,
    join: u8,
    scope: &mut ExprGraph<MAX_LEAVES>,
) -> Result<()> {
    let one = [*form];
    let (modes, level, nested): (&[Descriptor], u8, bool) = match form {
        Descriptor::Tuple(modes) => (*modes, level + 1, true),
        _ => (&one, level, false),
    };
    if modes.is_empty() && level > 1 {
        refuse_if!(scope, out.tree.len == MAX_LEAVES, Capacity, SymInt::small(MAX_LEAVES));
        out.leaf[out.tree.len] = bases.is_none() as i64;
        out.tree.push_empty(level - 1, join);
    }
    each!(k, 0..modes.len(), {
        let join = if k == 0 || !nested { join } else { level };
        let word = match &modes[k] {
            Descriptor::Tuple(_) => {
                let bases = match &mut bases {
                    Some(bases) => Some(&mut **bases),
                    None => None,
                };
                ok!(push_ints(&modes[k], out, bases, level, join, scope));
                continue;
            }
            Descriptor::Known(value) => {
                refuse_if!(scope, !known!(*value), Overflow);
                *value
            }
            Descriptor::Xor(value) => {
                refuse_if!(scope, !known!(*value), Overflow);
                match &mut bases {
                    Some(bases) if out.tree.len < MAX_LEAVES => bases[out.tree.len] = Basis::XOR.0,
                    Some(_) => {}
                    None => return Err(scope.fail(Cause::XorStride, SymInt::raw(*value), SymInt(0))),
                }
                *value
            }
            Descriptor::Input(facts) => ok!(scope.input(*facts)).word(),
            Descriptor::Keep => SymInt::KEEP_WORD,
            Descriptor::Layout(_) | Descriptor::Swizzled(_) => return Err(scope.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
        };
        let n = out.tree.len;
        refuse_if!(scope, n == MAX_LEAVES, Capacity, SymInt::small(MAX_LEAVES));
        if n > 0 {
            out.tree.join[n - 1] = join;
        }
        out.tree.depth[n] = level;
        out.tree.join[n] = 0;
        out.leaf[n] = word;
        out.tree.len = n + 1;
    });
    Ok(())
}

/// Converts a type to an operand of the algebra. A tuple that contains a layout becomes a by-mode tiler. Fails if the pattern is refused.
pub(crate) const fn operand(form: &Descriptor, scope: &mut ExprGraph<MAX_LEAVES>) -> Result<Operand<MAX_LEAVES>> {
    match form {
        Descriptor::Layout(pattern) => Ok(Operand::Layout(ok!(pattern.import(scope)))),
        Descriptor::Swizzled(l) => {
            let mut offset = TupleValue::empty();
            ok!(push_ints(&l.offset, &mut offset, None, 0, 0, scope));
            Ok(Operand::Composed(ComposedValue { inner: Inner::Swizzle(l.swizzle), offset, outer: ok!(l.outer.import(scope)) }))
        }
        Descriptor::Tuple(modes) if has_layout(form) => {
            let mut out = Tiler::layout(&LayoutValue::empty());
            each!(k, 0..modes.len(), {
                let mode = match ok!(operand(&modes[k], scope)) {
                    Operand::Layout(layout) => Tiler::layout(&layout),
                    Operand::Tiler(tiler) => tiler,
                    Operand::Tuple(shape) => ok!(Tiler::shape(&shape, scope)),
                    _ => return Err(scope.fail(Cause::OperandKind, SymInt::small(k), SymInt(0))),
                };
                ok!(out.push_mode(&mode, scope));
            });
            Ok(Operand::Tiler(out))
        }
        _ => {
            let mut out = TupleValue::empty();
            ok!(push_ints(form, &mut out, None, 0, 0, scope));
            Ok(Operand::Tuple(out))
        }
    }
}

const fn has_layout(form: &Descriptor) -> bool {
    match form {
        Descriptor::Layout(_) => true,
        Descriptor::Tuple(modes) => {
            each!(k, 0..modes.len(), {
                if has_layout(&modes[k]) {
                    return true;
                }
            });
            false
        }
        _ => false,
    }
}
