//! What becomes of entries that share a coordinate.

use core::ops::Add;

/// Makes one value of two entries with the same coordinate, the first of them first.
pub trait Duplicates<V>: Copy + Send + Sync {
    /// Whether duplicates stay as they are.
    const KEEP: bool = false;

    /// The value of both; `None` where duplicates are an error.
    fn fold(self, first: V, next: V) -> Option<V>;
}

/// Duplicates are added, in the order of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum;

/// The first entry stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct First;

/// The last entry stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Last;

/// Duplicates are an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refuse;

/// Duplicates stay beside one another, in the order of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keep;

impl<V: Add<Output = V>> Duplicates<V> for Sum {
    #[inline(always)]
    fn fold(self, first: V, next: V) -> Option<V> {
        Some(first + next)
    }
}

impl<V> Duplicates<V> for First {
    #[inline(always)]
    fn fold(self, first: V, _: V) -> Option<V> {
        Some(first)
    }
}

impl<V> Duplicates<V> for Last {
    #[inline(always)]
    fn fold(self, _: V, next: V) -> Option<V> {
        Some(next)
    }
}

impl<V> Duplicates<V> for Refuse {
    #[inline(always)]
    fn fold(self, _: V, _: V) -> Option<V> {
        None
    }
}

impl<V> Duplicates<V> for Keep {
    const KEEP: bool = true;

    #[inline(always)]
    fn fold(self, first: V, _: V) -> Option<V> {
        Some(first)
    }
}
