//! The places of elements: ranks, pages, regions, devices.

use alloc::vec::Vec;
use core::fmt;

/// The identity of a memory: one number, or several along a grid.
///
/// The program that runs the copies defines what the numbers mean: ranks, pages, regions, devices. Two places are the
/// same if all their numbers are equal.
///
/// ```
/// use relayout::{Place, Plan, Side};
/// // Blocks of 2 by 2 over a grid of 2 by 3 places move to place 0.
/// let grid = Side::parse("((2,2),(2,3)):((1@0,1@1),(2@0,1@2))")?;
/// let plan = Plan::new(&grid, &Side::parse("(4,6):(1@0,4@0)")?)?;
/// let (from, to) = (&plan.messages()[4].from, &plan.messages()[4].to);
/// assert_eq!((from, to), (&Place::new(vec![1, 1]), &Place::from(0)));
/// assert_eq!((from.numbers(), from.number(), to.number()), (&[1, 1][..], None, Some(0)));
/// assert_eq!((from.to_string(), to.to_string()), ("(1,1)".into(), "0".into()));
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(Vec<i64>);

impl Place {
    /// Creates a place from its numbers, one for each component from `@1` on. An empty list makes place 0.
    pub fn new(mut numbers: Vec<i64>) -> Self {
        if numbers.is_empty() {
            numbers.push(0);
        }
        Place(numbers)
    }

    /// Returns the numbers; there is at least one.
    pub fn numbers(&self) -> &[i64] {
        &self.0
    }

    /// Returns the number of the place if it has only one, and `None` if it has several.
    pub fn number(&self) -> Option<i64> {
        match self.0[..] {
            [number] => Some(number),
            _ => None,
        }
    }
}

impl From<i64> for Place {
    fn from(number: i64) -> Self {
        Place::new(alloc::vec![number])
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Tuple(&self.0).fmt(f)
    }
}

/// Numbers that print as a coordinate: `(1,0)`, or `3` for a single number.
pub(crate) struct Tuple<'a>(pub &'a [i64]);

impl fmt::Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [number] = self.0 {
            return write!(f, "{number}");
        }
        f.write_str("(")?;
        for (k, number) in self.0.iter().enumerate() {
            write!(f, "{}{number}", if k == 0 { "" } else { "," })?;
        }
        f.write_str(")")
    }
}
