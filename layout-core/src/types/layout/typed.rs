//! The promises of layout types to tensors: their `RawLayout`.

use super::layout::{Layout, whole_part};
use crate::types::index::evaluate::{self, Index, Modes};
use crate::types::index::typed_layout::{TypedLayout, evaluated, same};
use crate::types::pattern::operand::{Coordinate, Descriptor, Fits, IntTuple, MAX_LEAVES, Slots};
use crate::types::pattern::pattern::Pattern;
use crate::types::walk::coordinate_box::CoordinateBox;
use crate::types::walk::known_steps::KnownSteps;
use crate::types::walk::loops::Loops;
use crate::types::walk::raw_layout::{RawLayout, StorageSpan};
use core::fmt;
use layout_algebra::algebra::injective::injective;
use layout_algebra::error::Text;

// SAFETY: all methods of both traits evaluate constant tables of one pattern over the values of its nodes, which `TypedLayout` promises.
// Tests enumerate the laws of the algebra. `index_range` checks the signs of leaves, and the size and the indices for overflow.
#[diagnostic::do_not_recommend]
unsafe impl<L: TypedLayout> RawLayout for L {
    const SPAN: StorageSpan = {
        let () = L::VALID;
        span(L::PATTERN, L::COSIZE)
    };

    const INJECTIVE: Option<bool> = {
        let () = L::VALID;
        injective(&L::PATTERN.lay)
    };

    const LOOPS: Option<usize> = if L::PATTERN.lay.has_xor() { None } else { Some(L::LEAVES) };

    const MODES: Option<usize> = Some(L::RANK);

    const STEPS: KnownSteps = KnownSteps::of(L::PATTERN);

    const TYPED: Option<&'static Pattern> = Some(L::PATTERN);

    type Fits<C: IntTuple> = Index<L, C>;

    #[inline(always)]
    fn nodes(&self, slots: &mut Slots) {
        self.slots(slots);
    }

    #[inline(always)]
    fn mode_coordinates<C: IntTuple>(&self, c: C) -> Slots {
        let () = <Modes<L, C> as Fits>::FITS;
        evaluate::mode_coordinates(self, &c)
    }

    #[inline(always)]
    fn index_of(&self, modes: &Slots) -> usize {
        let () = L::VALID;
        evaluate::index_of(self, modes)
    }

    #[inline(always)]
    fn loops<const N: usize>(&self) -> Option<Loops<N>> {
        let () = L::VALID;
        // XOR strides do not add up along a loop, so there are no loops.
        if const { L::PATTERN.lay.has_xor() } { None } else { evaluate::loops(self) }
    }

    #[inline]
    fn part(&self) -> Option<CoordinateBox> {
        whole_part(self)
    }

    #[inline(always)]
    fn places<C: Coordinate>(&self) -> Slots {
        let () = <Modes<L, C> as Fits>::FITS;
        evaluate::places::<L, C>()
    }

    #[inline(always)]
    fn sum_at(&self, k: usize) -> usize {
        self.crd2idx(k)
    }

    fn same_as(&self, other: &Self) -> bool {
        same(self, other)
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside<C: IntTuple>(self, c: C) -> ! {
        let (mut slots, mut inputs) = ([0; MAX_LEAVES], [0; MAX_LEAVES]);
        self.slots(&mut slots);
        c.gather(&mut inputs, 0);
        refuse_coordinate(Outside { pattern: L::PATTERN, slots: &slots, form: &C::DESCRIPTOR, inputs: &inputs })
    }
}

/// Returns the span of a layout with this cosize.
const fn span(pattern: &Pattern, cosize: Option<usize>) -> StorageSpan {
    let l = &pattern.lay;
    let mut k = 0;
    while k < l.len() {
        if matches!(l.scale(k).value(), Some(stride) if stride < 0) && l.shape[k] > 1 {
            return StorageSpan::Below;
        }
        k += 1;
    }
    match cosize {
        // Run-time extents with stride 0 do not change the span, but the size is unknown.
        Some(cosize) if pattern.scope.len == 0 => StorageSpan::Elements(cosize),
        _ => StorageSpan::Unknown,
    }
}

/// The message about a coordinate outside of a layout. A program whose panics print nothing has none of its code.
struct Outside<'a> {
    pattern: &'a Pattern,
    slots: &'a Slots,
    form: &'a Descriptor,
    inputs: &'a Slots,
}

impl fmt::Display for Outside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::<512>::EMPTY;
        self.form.write(self.inputs, &mut 0, &mut text);
        match evaluated::<MAX_LEAVES>(self.pattern, self.slots) {
            Ok(layout) => write!(f, "the coordinate {} is outside of {layout}", text.as_str()),
            Err(_) => write!(f, "the coordinate {} is outside of the layout", text.as_str()),
        }
    }
}

/// Panics with the message. It has no type parameters, so that a program has its code once.
#[cold]
#[track_caller]
fn refuse_coordinate(outside: Outside<'_>) -> ! {
    panic!("{outside}")
}
