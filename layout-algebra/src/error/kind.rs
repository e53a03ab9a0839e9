//! The kinds of operands, as messages name them.

use super::{Op, Text};

/// A kind of operand, as a number of a message.
#[derive(Clone, Copy)]
pub enum Kind {
    /// An integer.
    Integer = 1,
    /// A tuple of integers.
    Tuple,
    /// A layout.
    Layout,
    /// A tiler of several modes.
    Tiler,
    /// A swizzle.
    Swizzle,
    /// A layout behind a swizzle.
    Swizzled,
    /// A layout behind another one.
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

impl Kind {
    /// The name of the kind with this number; 0 is an unknown kind.
    pub(crate) const fn name(number: i64) -> &'static str {
        NAMES[number as usize]
    }
}

/// A set of kinds: a bit for each.
#[derive(Clone, Copy)]
pub(crate) struct Kinds(u16);

const fn of(kinds: &[Kind]) -> Kinds {
    let mut out = Kinds(0);
    each!(k, 0..kinds.len(), {
        out.0 |= 1 << kinds[k] as u16;
    });
    out
}

impl Kinds {
    /// Appends the names: `an integer, a tuple or a layout`.
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
    /// The kinds that operand `at` may have in one of the forms.
    pub(crate) const fn taken(self, at: usize) -> Kinds {
        let (forms, mut out) = (self.forms(), Kinds(0));
        each!(f, 0..forms.len(), {
            if at < forms[f].operands.len() {
                out.0 |= self.kinds(forms[f].operands[at].1).0;
            }
        });
        out
    }

    /// The kinds that `name` stands for in the table of operations.
    const fn kinds(self, name: &str) -> Kinds {
        use Kind::*;
        match (name.as_bytes(), self) {
            (_, Op::ToIntTuple | Op::Equal) => of(&[Integer, Tuple]),
            (b"layout", _) => of(&[Integer, Layout]),
            (b"tiler", _) => of(&[Integer, Tuple, Layout, Tiler]),
            (b"integer" | b"number" | b"mode", _) => of(&[Integer]),
            (b"swizzle", _) => of(&[Swizzle]),
            (b"composed", _) => of(&[Swizzled, Composed]),
            (b"any", Op::Composed) => of(&[Layout, Swizzle]),
            (b"any", Op::GetShape | Op::GetStride) => of(&[Integer, Tuple, Layout, Tiler]),
            (b"any", Op::ToXor | Op::ToAffine | Op::BankConflicts) => of(&[Layout, Swizzled]),
            _ => of(&[Integer, Tuple, Layout]),
        }
    }

    /// The least and the greatest number of operands; `usize::MAX` where any number is taken.
    pub const fn counts(self) -> (usize, usize) {
        match self {
            Op::Complement | Op::TupleMax | Op::TupleMin | Op::TupleGcd => return (1, 2),
            Op::Crd2Idx => return (2, 3),
            Op::Get | Op::Concat | Op::MakeLayout => return (1, usize::MAX),
            _ => {}
        }
        let forms = self.forms();
        let (mut least, mut most) = (usize::MAX, 0);
        each!(f, 0..forms.len(), {
            let operands = forms[f].operands;
            // An order may be left out.
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
