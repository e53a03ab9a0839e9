//! Places: ranks, pages, regions, devices.

use alloc::vec::Vec;
use core::fmt;

/// Where a piece of memory is: one number, or several along a grid.
///
/// What the numbers mean is the executor's business: ranks, pages, regions, devices. Two places are one where all numbers are equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(Vec<i64>);

impl Place {
    /// The place with these numbers, one for each component from `@1` on; place 0 without any.
    pub fn new(mut numbers: Vec<i64>) -> Self {
        if numbers.is_empty() {
            numbers.push(0);
        }
        Place(numbers)
    }

    /// The numbers, at least one.
    pub fn numbers(&self) -> &[i64] {
        &self.0
    }

    /// The number of a place that has only one.
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

/// Numbers as a coordinate: `(1,0)`, and `3` where there is one.
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
