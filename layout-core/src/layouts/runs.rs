//! Runs of indices: ranges of one coordinate along which every index grows by a fixed step. The `runs` functions of `graph!` return them.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

/// A range of one coordinate along which each of `N` indices grows by a fixed step. Either the whole range is valid, or none of it.
///
/// ```
/// use layout_core::layouts::runs::Run;
/// // Along the coordinates 2, 3 and 4, index 0 steps back by 4 and index 1 counts up.
/// let run = Run { first: 2, count: 3, indices: [12, 0], steps: [-4, 1], valid: true };
/// assert_eq!(run.range(), 2..5);
/// let (from, mut to) = ((0..16).collect::<Vec<i32>>(), [0; 4]);
/// let column = run.target(0);
/// assert!(column.elements(&from).is_some_and(|elements| elements.eq(&[12, 8, 4])));
/// column.read(&from, &mut to[1..], -1);
/// assert_eq!(to, [0, 12, 8, 4]);
///
/// // Both indices together: elements at index 0 of `from` go to index 1 of `to`.
/// run.copy(&from, &mut to, -1);
/// assert_eq!(to, [12, 8, 4, 4]);
/// // In padding there are no elements, and `-1` is written.
/// let padding = Run { valid: false, ..run };
/// padding.copy(&from, &mut to, -1);
/// assert_eq!(to, [-1, -1, -1, 4]);
/// assert!(padding.target(0).elements(&from).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run<const N: usize> {
    /// The first value of the coordinate.
    pub first: usize,
    /// The number of values, at least 1.
    pub count: usize,
    /// The `N` indices at the coordinate `first`.
    pub indices: [isize; N],
    /// The amount that each index grows by when the coordinate grows by 1.
    pub steps: [isize; N],
    /// True if every coordinate lies inside its size. In padding it is false; the indices are still the results of the formulas.
    pub valid: bool,
}

impl<const N: usize> Run<N> {
    /// Returns the range of the coordinate: `first..first + count`.
    #[inline]
    pub const fn range(&self) -> Range<usize> {
        self.first..self.first + self.count
    }

    /// Returns the run of index number `k` alone. Panics if `k` is not below `N`.
    #[inline]
    pub const fn target(&self, k: usize) -> Run<1> {
        Run { first: self.first, count: self.count, indices: [self.indices[k]], steps: [self.steps[k]], valid: self.valid }
    }

    /// Returns this run and `next` as one, or `None` if their steps or `valid` differ. `next` must begin at the value where this run ends.
    #[inline(always)]
    fn join(&self, next: &Run<N>) -> Option<Run<N>> {
        if self.valid != next.valid {
            return None;
        }
        let mut run = *self;
        for (k, step) in run.steps.iter_mut().enumerate() {
            let gap = next.indices[k].wrapping_sub(self.indices[k]).wrapping_sub((self.count as isize - 1).wrapping_mul(*step));
            // A run of one value can take any step; here it takes a step of 1.
            let even = |run: &Run<N>| gap == run.steps[k] || (gap == 1 && run.count == 1);
            if !even(self) || !even(next) {
                return None;
            }
            *step = gap;
        }
        run.count += next.count;
        Some(run)
    }
}

impl Run<1> {
    /// Returns the elements of `data` at the indices of the run, or `None` if the run is not valid.
    ///
    /// Panics if an index is outside of `data`.
    #[inline(always)]
    #[track_caller]
    pub fn elements<'a, T>(&self, data: &'a [T]) -> Option<RunElements<'a, T>> {
        if !self.valid {
            return None;
        }
        let ([first], [step]) = (self.indices, self.steps);
        if self.count == 0 {
            return Some(RunElements { data: &[], at: 0, step, count: 0 });
        }
        let last = isize::try_from(self.count - 1).ok().and_then(|steps| steps.checked_mul(step)).and_then(|way| first.checked_add(way));
        let (low, high) = (first.min(last.unwrap_or(-1)), first.max(last.unwrap_or(-1)));
        // As a `usize`, a negative index exceeds the length of every slice.
        let Some(data) = data.get(low as usize..).and_then(|data| data.get(..=(high - low) as usize)) else { beyond(self, data.len()) };
        Some(RunElements { data, at: (first - low) as usize, step, count: self.count })
    }

    /// Sets `to` to the elements of `from` at the indices of the run, or to `outside` if the run is not valid.
    ///
    /// Panics if `to` does not have one element for each value of the run, or if an index is outside of `from`.
    #[inline(always)]
    #[track_caller]
    pub fn read<T: Clone>(&self, from: &[T], to: &mut [T], outside: T) {
        assert_eq!(to.len(), self.count, "the lengths of `to` and of the run differ");
        match self.elements(from) {
            Some(elements) => match elements.as_slice() {
                Some(slice) => to.clone_from_slice(slice),
                None => to.iter_mut().zip(elements).for_each(|(to, from)| to.clone_from(from)),
            },
            None => to.fill(outside),
        }
    }
}

impl Run<2> {
    /// Copies the elements of `from` at index number 0 to `to` at index number 1, or writes `outside` there if the run is not valid.
    ///
    /// Panics if an index is outside of its slice.
    #[inline(always)]
    #[track_caller]
    pub fn copy<T: Clone>(&self, from: &[T], to: &mut [T], outside: T) {
        let (first, step) = (self.indices[1], self.steps[1]);
        if step == 1 && self.count > 0 {
            let len = to.len();
            let Some(to) = to.get_mut(first as usize..).and_then(|to| to.get_mut(..self.count)) else { beyond(&self.target(1), len) };
            return self.target(0).read(from, to, outside);
        }
        for k in 0..self.count {
            let one = Run { first: 0, count: 1, indices: self.at(k), steps: [1; 2], valid: self.valid };
            one.copy(from, to, outside.clone());
        }
    }

    /// Returns both indices at the coordinate `first + k`.
    #[inline(always)]
    fn at(&self, k: usize) -> [isize; 2] {
        [0, 1].map(|target| self.indices[target].wrapping_add(self.steps[target].wrapping_mul(k as isize)))
    }
}

#[cold]
#[track_caller]
fn beyond(run: &Run<1>, len: usize) -> ! {
    panic!("{} indices from {} on, by {} each, in {len} elements", run.count, run.indices[0], run.steps[0])
}

/// An iterator over the elements of a slice along a run, in the order of the run.
///
/// ```
/// use layout_core::layouts::runs::Run;
/// let data = [10, 11, 12, 13, 14, 15];
/// let run = Run { first: 0, count: 3, indices: [1], steps: [1], valid: true };
/// let neighbours = run.elements(&data).expect("the run is valid");
/// assert_eq!(neighbours.as_slice(), Some(&data[1..4]));
/// let every_second = Run { steps: [2], ..run }.elements(&data).expect("the run is valid");
/// assert_eq!((every_second.len(), every_second.as_slice()), (3, None));
/// assert!(every_second.eq(&[11, 13, 15]));
/// ```
pub struct RunElements<'a, T> {
    /// The elements from the lowest index of the run to the highest.
    data: &'a [T],
    at: usize,
    step: isize,
    count: usize,
}

impl<'a, T> RunElements<'a, T> {
    /// Returns the remaining elements as a slice, or `None` if two or more remain and the step is not 1.
    #[inline]
    pub const fn as_slice(&self) -> Option<&'a [T]> {
        match self.count {
            0 => Some(&[]),
            1 => Some(self.data.split_at(self.at).1.split_at(1).0),
            _ if self.step == 1 => Some(self.data.split_at(self.at).1),
            _ => None,
        }
    }
}

impl<'a, T> Iterator for RunElements<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        self.count = self.count.checked_sub(1)?;
        let element = self.data.get(self.at);
        self.at = self.at.wrapping_add_signed(self.step);
        element
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl<T> ExactSizeIterator for RunElements<'_, T> {}
impl<T> FusedIterator for RunElements<'_, T> {}

impl<T: fmt::Debug> fmt::Debug for RunElements<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunElements { data, at, step, count } = *self;
        f.debug_list().entries(RunElements { data, at, step, count }).finish()
    }
}

/// An iterator over the runs of a function along a range of one coordinate. It joins consecutive runs that continue each other.
///
/// ```
/// use layout_core::layouts::runs::{Run, Runs};
/// // Rows of 4 elements that lie 10 apart.
/// let rows = |x| Run { first: x, count: 4 - x % 4, indices: [(x / 4 * 10 + x % 4) as isize], steps: [1], valid: x < 8 };
/// let data: Vec<usize> = (0..20).collect();
/// let mut out = [0; 7];
/// for run in Runs::new(2..9, rows) {
///     run.read(&data, &mut out[run.first - 2..][..run.count], 99);
/// }
/// assert_eq!(out, [2, 3, 10, 11, 12, 13, 99]);
///
/// // Rows that follow each other in memory are one run.
/// let dense = |x| Run { indices: [x as isize], ..rows(x) };
/// assert_eq!(Runs::new(2..8, dense).map(|run| run.count).collect::<Vec<_>>(), [6]);
/// ```
#[derive(Clone)]
pub struct Runs<F, const N: usize> {
    at: F,
    rest: Range<usize>,
    ahead: Option<Run<N>>,
}

impl<const N: usize, F: Fn(usize) -> Run<N>> Runs<F, N> {
    /// Makes the iterator over the runs of `range`. `at(i)` returns a run that begins at the coordinate `i`; it may end early.
    #[inline]
    pub fn new(range: Range<usize>, at: F) -> Self {
        Runs { at, rest: range, ahead: None }
    }

    /// Returns the run that `at` returns at the start of `rest`, cut to `rest`, or `None` if `rest` is empty.
    #[inline(always)]
    fn evaluate(&mut self) -> Option<Run<N>> {
        if self.rest.is_empty() {
            return None;
        }
        let run = (self.at)(self.rest.start);
        let count = run.count.clamp(1, self.rest.end - self.rest.start);
        let run = Run { first: self.rest.start, count, ..run };
        self.rest.start += count;
        Some(run)
    }
}

impl<const N: usize, F: Fn(usize) -> Run<N>> Iterator for Runs<F, N> {
    type Item = Run<N>;

    #[inline]
    fn next(&mut self) -> Option<Run<N>> {
        let mut run = self.ahead.take();
        loop {
            let next = self.evaluate();
            match joined(&run, &next) {
                Some(both) => run = Some(both),
                None if run.is_none() && next.is_some() => run = next,
                None => {
                    self.ahead = next;
                    return run;
                }
            }
        }
    }

    #[inline]
    fn fold<B, G: FnMut(B, Run<N>) -> B>(mut self, mut value: B, mut f: G) -> B {
        let mut run = self.ahead.take();
        // One call of `f` and one of `evaluate`, so that the compiler inlines both.
        loop {
            let next = self.evaluate();
            if let Some(both) = joined(&run, &next) {
                run = Some(both);
                continue;
            }
            if let Some(run) = run {
                value = f(value, run);
            }
            if next.is_none() {
                return value;
            }
            run = next;
        }
    }
}

/// Returns two runs as one, or `None` if one is missing or the second does not continue the first.
#[inline(always)]
fn joined<const N: usize>(run: &Option<Run<N>>, next: &Option<Run<N>>) -> Option<Run<N>> {
    run.as_ref()?.join(next.as_ref()?)
}

impl<F, const N: usize> fmt::Debug for Runs<F, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runs").field("rest", &self.rest).field("ahead", &self.ahead).finish_non_exhaustive()
    }
}
