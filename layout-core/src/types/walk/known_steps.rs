//! The steps of loops, as far as a layout type determines them.

use crate::types::pattern::pattern::Pattern;

/// The steps of at most four loops that a type determines.
///
/// ```
/// use layout_core::{Dyn, DynLayout, Int, Strided};
/// use layout_core::layouts::{KnownSteps, RawLayout};
/// // Rows of any pitch: loop 1, over a row, has step 1 and goes to the front.
/// let rows = <Strided<(usize, usize), (Dyn<8>, Int<1>)>>::STEPS;
/// assert_eq!((rows.known, rows.place, rows.falls, rows.repeats), (1, [1, 1, 2, 3], false, false));
/// // One row that repeats, as a broadcast has it.
/// assert!(<Strided<(usize, usize), (Int<0>, Int<1>)>>::STEPS.repeats);
/// assert_eq!((DynLayout::<16>::STEPS.known, KnownSteps::NONE.falls), (0, true));
/// ```
#[derive(Clone, Copy)]
pub struct KnownSteps {
    /// Moves that sort the loops. Moving loop `place[0]` to the front, then loop `place[1]` to position 1, and so on, puts
    /// the loops whose steps are known to be 1 first, in their order.
    pub place: [usize; 4],
    /// The number of loops whose step is known to be 1.
    pub known: usize,
    /// Whether a loop may have a negative step.
    pub falls: bool,
    /// Whether the type shows a step of 0 in a loop whose extent is not 1. A step that is 0 only at run time does not count.
    pub repeats: bool,
}

impl KnownSteps {
    /// The known steps of a type that determines no step.
    pub const NONE: KnownSteps = KnownSteps { place: [0, 1, 2, 3], known: 0, falls: true, repeats: false };

    /// Derives the known steps from a layout type.
    pub(crate) const fn of(pattern: &Pattern) -> KnownSteps {
        let (l, mut out) = (&pattern.lay, KnownSteps { falls: false, ..KnownSteps::NONE });
        let mut units = [false; 4];
        each!(k, 0..l.len(), {
            out.falls = out.falls || pattern.scope.facts(l.scale(k)).lo < 0;
            out.repeats = out.repeats || l.scale(k).is(0) && !l.extent(k).is(1);
            if k < 4 {
                units[k] = l.basis(k).is_integer() && l.scale(k).is(1) && !l.extent(k).is(1);
            }
        });
        if l.len() > 4 {
            return out;
        }
        each!(k, 0..4, {
            let mut next = k;
            while next < 4 && !units[next] {
                next += 1;
            }
            if next < 4 {
                out.place[k] = next;
                out.known = k + 1;
                while next > k {
                    units[next] = units[next - 1];
                    next -= 1;
                }
            }
        });
        out
    }
}
