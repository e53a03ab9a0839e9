//! The kinds of operands, as error messages name them.

use super::{Op, Text};

/// A kind of operand, used as a number of an error message.
///
/// ```
/// use layout_algebra::error::{Op, OperandKind};
/// use layout_algebra::{expression::Parser, value::ExprGraph};
/// let operand = Parser::whole::<8, 0>("S<3,4,3>", &mut ExprGraph::new(Op::Parse))?;
/// assert_eq!(operand.instead_of(OperandKind::Layout).to_string(), "parse: the text is a swizzle, where a layout is taken");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub enum OperandKind {
    /// An integer.
    Integer = 1,
    /// A tuple of integers.
    Tuple,
    /// A layout.
    Layout,
    /// A by-mode tiler in brackets.
    Tiler,
    /// A swizzle.
    Swizzle,
    /// A layout followed by a swizzle.
    Swizzled,
    /// A layout followed by another layout.
    Composed,
    /// Strides along coordinates.
    Strides,
    /// `_`.
    Keep,
    /// A tuple with `_`.
    KeepTuple,
}

const NAMES: [&str; 11] = [
    "of another kind",
    "an integer",
    "a tuple",
    "a layout",
    "a by-mode tiler",
    "a swizzle",
    "a swizzled layout",
    "a composed layout",
    "a tuple of strides along coordinates",
    "`_`",
    "a tuple with `_`",
];

impl OperandKind {
    /// Returns the name of the kind with this number; 0 is an unknown kind.
    pub(crate) const fn name(number: i64) -> &'static str {
        NAMES[number as usize]
    }
}

/// A set of operand kinds: bit `k` is set if it has the kind of number `k`.
#[derive(Clone, Copy)]
pub(crate) struct Kinds(u16);

const fn of(kinds: &[OperandKind]) -> Kinds {
    let mut out = Kinds(0);
    each!(k, 0..kinds.len(), {
        out.0 |= 1 << kinds[k] as u16;
    });
    out
}

impl Kinds {
    /// Appends the names of the kinds: `an integer, a tuple or a layout`.
    pub(crate) const fn push_names<const C: usize>(self, out: &mut Text<C>) {
        let mut left = self.0.count_ones();
        each!(number, 1..NAMES.len(), {
            if self.0 & 1 << number != 0 {
                out.push_str(NAMES[number]);
                left -= 1;
                out.push_str(match left {
                    0 => "",
                    1 => " or ",
                    _ => ", ",
                });
            }
        });
    }
}

impl Op {
    /// Returns the kinds that operand number `at`, from 0, may have, over all forms of the operation.
    pub(crate) const fn taken(self, at: usize) -> Kinds {
        let (forms, mut out) = (self.forms(), Kinds(0));
        each!(f, 0..forms.len(), {
            if at < forms[f].operands.len() {
                out.0 |= self.kinds(forms[f].operands[at].1).0;
            }
        });
        out
    }

    /// Returns the kinds for a kind name of the table of operations.
    const fn kinds(self, name: &str) -> Kinds {
        use OperandKind::*;
        match (name.as_bytes(), self) {
            (_, Op::ToIntTuple | Op::Equal) => of(&[Integer, Tuple]),
            (b"layout", _) => of(&[Integer, Layout]),
            (b"tiler", _) => of(&[Integer, Tuple, Layout, Tiler]),
            (b"integer" | b"number" | b"mode", _) => of(&[Integer]),
            (b"swizzle", _) => of(&[Swizzle]),
            (b"composed", _) => of(&[Swizzled, Composed]),
            (b"any", Op::Composed) => of(&[Layout, Swizzle]),
            (b"any", Op::GetShape | Op::GetStride) => of(&[Integer, Tuple, Layout, Tiler]),
            (b"any", Op::EqualFunctions | Op::Injective | Op::Disjoint | Op::Covers | Op::InBounds) => {
                of(&[Integer, Layout, Swizzled, Composed])
            }
            (b"any", Op::ToXor | Op::ToAffine | Op::BankConflicts) => of(&[Layout, Swizzled]),
            _ => of(&[Integer, Tuple, Layout]),
        }
    }

    /// Returns the least and the greatest number of operands; `usize::MAX` if there is no upper limit.
    ///
    /// ```
    /// use layout_algebra::error::Op;
    /// assert_eq!((Op::Coalesce.counts(), Op::LogicalDivide.counts(), Op::Concat.counts()), ((1, 2), (2, 2), (1, usize::MAX)));
    /// ```
    pub const fn counts(self) -> (usize, usize) {
        match self {
            Op::Complement | Op::TupleMax | Op::TupleMin | Op::TupleGcd => return (1, 2),
            Op::Crd2Idx | Op::Idx2Crd | Op::FlatCoordinate | Op::LinearCoordinate => return (2, 3),
            Op::Get | Op::Concat | Op::MakeLayout => return (1, usize::MAX),
            _ => {}
        }
        let forms = self.forms();
        let (mut least, mut most) = (usize::MAX, 0);
        each!(f, 0..forms.len(), {
            let operands = forms[f].operands;
            // The order is optional.
            let optional = matches!(operands[operands.len() - 1].1.as_bytes(), b"order") as usize;
            if operands.len() - optional < least {
                least = operands.len() - optional;
            }
            if operands.len() > most {
                most = operands.len();
            }
        });
        (least, most)
    }
}
