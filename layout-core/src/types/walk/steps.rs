//! The state that nested loops advance: an index, a coordinate, or several at once.

use super::loops::{FEW, Loops};
use crate::types::pattern::operand::{Coordinate, MAX_LEAVES};
use core::array::from_fn;

/// The state that nested loops advance: an index, a coordinate, or several at once.
pub trait Steps: Copy {
    /// The state at one step.
    type Point: Copy;

    /// Returns the first point.
    fn start(&self) -> Self::Point;

    /// Returns the state that `count` more steps of loop `k` make of `point`.
    fn after(&self, point: Self::Point, k: usize, count: usize) -> Self::Point;

    /// Exchanges the loops `j` and `k`.
    fn exchange(&mut self, j: usize, k: usize);

    /// Reverses loop `k`: it starts at its step `last` and steps back.
    fn turn(&mut self, k: usize, last: usize);

    /// Returns true if loop `k` continues where loop `j` ends.
    fn continues(&self, j: usize, k: usize) -> bool;

    /// Sets the extent of loop `j` to `extent`, and the extent of loop `k` to 1. The default suits state without extents.
    #[inline(always)]
    fn lengthen(&mut self, j: usize, k: usize, extent: usize) {
        let _ = (j, k, extent);
    }

    /// Returns true if each step of the first loop goes to the next element of every tensor. The default suits state without tensors.
    #[inline(always)]
    fn is_row(&self) -> bool {
        true
    }

    /// The number of tensors that the state indexes.
    const TENSORS: u32 = 0;

    /// Returns a bit for each tensor, set if the first loop has the step 0 there, or `None` if a step is neither 0 nor 1.
    #[inline(always)]
    fn repeated(&self) -> Option<u32> {
        Some(0)
    }

    /// Returns true if each step of loop `k` goes to the next element of at least one tensor. The default suits state without tensors.
    #[inline(always)]
    fn crosses(&self, k: usize) -> bool {
        let _ = k;
        false
    }

    /// Keeps the first `len` loops. The default suits state that does not count them.
    #[inline(always)]
    fn keep(&mut self, len: usize) {
        let _ = len;
    }
}

impl Steps for Loops<FEW> {
    type Point = usize;

    const TENSORS: u32 = 1;

    #[inline(always)]
    fn repeated(&self) -> Option<u32> {
        match self.steps[0] {
            1 => Some(0),
            0 => Some(1),
            _ => None,
        }
    }

    #[inline(always)]
    fn exchange(&mut self, j: usize, k: usize) {
        (self.extents[j], self.extents[k]) = (self.extents[k], self.extents[j]);
        (self.steps[j], self.steps[k]) = (self.steps[k], self.steps[j]);
    }

    #[inline(always)]
    fn turn(&mut self, k: usize, last: usize) {
        self.start = self.after(self.start, k, last);
        self.steps[k] = self.steps[k].wrapping_neg();
    }

    #[inline(always)]
    fn continues(&self, j: usize, k: usize) -> bool {
        self.steps[k] == self.steps[j].wrapping_mul(self.extents[j])
    }

    #[inline(always)]
    fn lengthen(&mut self, j: usize, k: usize, extent: usize) {
        (self.extents[j], self.extents[k]) = (extent, 1);
    }

    #[inline(always)]
    fn is_row(&self) -> bool {
        self.steps[0] == 1
    }

    #[inline(always)]
    fn crosses(&self, k: usize) -> bool {
        self.steps[k] == 1
    }

    #[inline(always)]
    fn keep(&mut self, len: usize) {
        self.len = len;
    }

    #[inline(always)]
    fn start(&self) -> usize {
        self.start
    }

    #[inline(always)]
    fn after(&self, point: usize, k: usize, count: usize) -> usize {
        point.wrapping_add(self.steps[k].wrapping_mul(count))
    }
}

/// Two states advance together.
impl<A: Steps, B: Steps> Steps for (A, B) {
    type Point = (A::Point, B::Point);

    const TENSORS: u32 = A::TENSORS + B::TENSORS;

    #[inline(always)]
    fn repeated(&self) -> Option<u32> {
        Some(self.0.repeated()? | self.1.repeated()? << A::TENSORS)
    }

    #[inline(always)]
    fn exchange(&mut self, j: usize, k: usize) {
        self.0.exchange(j, k);
        self.1.exchange(j, k);
    }

    #[inline(always)]
    fn turn(&mut self, k: usize, last: usize) {
        self.0.turn(k, last);
        self.1.turn(k, last);
    }

    #[inline(always)]
    fn continues(&self, j: usize, k: usize) -> bool {
        self.0.continues(j, k) & self.1.continues(j, k)
    }

    #[inline(always)]
    fn lengthen(&mut self, j: usize, k: usize, extent: usize) {
        self.0.lengthen(j, k, extent);
        self.1.lengthen(j, k, extent);
    }

    #[inline(always)]
    fn is_row(&self) -> bool {
        self.0.is_row() & self.1.is_row()
    }

    #[inline(always)]
    fn crosses(&self, k: usize) -> bool {
        self.0.crosses(k) | self.1.crosses(k)
    }

    #[inline(always)]
    fn keep(&mut self, len: usize) {
        self.0.keep(len);
        self.1.keep(len);
    }

    #[inline(always)]
    fn start(&self) -> Self::Point {
        (self.0.start(), self.1.start())
    }

    #[inline(always)]
    fn after(&self, point: Self::Point, k: usize, count: usize) -> Self::Point {
        (self.0.after(point.0, k, count), self.1.after(point.1, k, count))
    }
}

/// All states of an array advance together.
impl<A: Steps, const K: usize> Steps for [A; K] {
    type Point = [A::Point; K];

    #[inline(always)]
    fn repeated(&self) -> Option<u32> {
        self.is_row().then_some(0)
    }

    #[inline(always)]
    fn exchange(&mut self, j: usize, k: usize) {
        self.iter_mut().for_each(|steps| steps.exchange(j, k));
    }

    #[inline(always)]
    fn turn(&mut self, k: usize, last: usize) {
        self.iter_mut().for_each(|steps| steps.turn(k, last));
    }

    #[inline(always)]
    fn continues(&self, j: usize, k: usize) -> bool {
        self.iter().all(|steps| steps.continues(j, k))
    }

    #[inline(always)]
    fn lengthen(&mut self, j: usize, k: usize, extent: usize) {
        self.iter_mut().for_each(|steps| steps.lengthen(j, k, extent));
    }

    #[inline(always)]
    fn is_row(&self) -> bool {
        self.iter().all(A::is_row)
    }

    #[inline(always)]
    fn crosses(&self, k: usize) -> bool {
        self.iter().any(|steps| steps.crosses(k))
    }

    #[inline(always)]
    fn keep(&mut self, len: usize) {
        self.iter_mut().for_each(|steps| steps.keep(len));
    }

    #[inline(always)]
    fn start(&self) -> Self::Point {
        from_fn(|each| self[each].start())
    }

    #[inline(always)]
    fn after(&self, point: Self::Point, k: usize, count: usize) -> Self::Point {
        from_fn(|each| self[each].after(point[each], k, count))
    }
}

/// A coordinate that loops count: each loop steps one of its integers.
#[derive(Clone, Copy)]
pub struct Counted<C> {
    start: C,
    steps: [C; FEW],
}

impl<C: Copy> Counted<C> {
    /// Makes the state from the first coordinate and the amount that a step of each loop adds.
    #[inline(always)]
    pub(crate) fn new(start: C, steps: [C; FEW]) -> Self {
        Counted { start, steps }
    }

    /// Returns the amount that a step of loop `k` adds.
    #[inline(always)]
    pub(crate) fn step(&self, k: usize) -> C {
        self.steps[k]
    }
}

impl<C: Coordinate> Steps for Counted<C> {
    type Point = C;

    #[inline(always)]
    fn start(&self) -> C {
        self.start
    }

    #[inline(always)]
    fn after(&self, point: C, k: usize, count: usize) -> C {
        point.plus(self.steps[k], count)
    }

    #[inline(always)]
    fn exchange(&mut self, j: usize, k: usize) {
        (self.steps[j], self.steps[k]) = (self.steps[k], self.steps[j]);
    }

    #[inline(always)]
    fn turn(&mut self, k: usize, last: usize) {
        self.start = self.after(self.start, k, last);
        // Negation modulo `2^usize::BITS`.
        self.steps[k] = C::from_values(&[0; MAX_LEAVES], &mut 0).plus(self.steps[k], usize::MAX);
    }

    #[inline(always)]
    fn continues(&self, _: usize, _: usize) -> bool {
        false
    }
}

/// The state of loops that advance nothing.
impl Steps for () {
    type Point = ();

    #[inline(always)]
    fn start(&self) {}

    #[inline(always)]
    fn after(&self, (): (), _: usize, _: usize) {}

    #[inline(always)]
    fn exchange(&mut self, _: usize, _: usize) {}

    #[inline(always)]
    fn turn(&mut self, _: usize, _: usize) {}

    #[inline(always)]
    fn continues(&self, _: usize, _: usize) -> bool {
        true
    }
}
