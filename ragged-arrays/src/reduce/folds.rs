//! The folds of lists: sums, means, folds by functions, and how the results of parts of one list are joined.

use super::number::Number;
use alloc::vec::Vec;
use array_kernels::memory;
use core::sync::atomic::{AtomicBool, Ordering};

/// A fold of the elements of a list into one result.
pub(crate) trait Fold<T>: Sync {
    /// The partial result of some of the elements.
    type Part: Clone + Send;

    /// The result of all elements of a list.
    type Output: Clone + Send + Sync + 'static;

    /// Returns the partial result of no elements.
    fn start(&self) -> Self::Part;

    /// Adds `leaf`, which has the local index `place` in its list, to `part`.
    fn add(&self, part: &mut Self::Part, leaf: &T, place: usize);

    /// Returns the result of consecutive elements. `place` is the local index of the first of them.
    #[inline]
    fn list(&self, list: &[T], place: usize) -> Self::Part {
        let mut part = self.start();
        list.iter().zip(place..).for_each(|(leaf, place)| self.add(&mut part, leaf, place));
        part
    }

    /// Returns the result of the first `len` leaves. `place` is the local index of the first leaf in its list.
    #[inline(always)]
    fn first(&self, leaves: &[T], len: usize, place: usize) -> Self::Part {
        match leaves.get(..len) {
            Some(list) => self.list(list, place),
            None => self.start(),
        }
    }

    /// Joins `before`, the partial result of the elements directly before those of `after`, into `after`.
    fn join(&self, before: Self::Part, after: &mut Self::Part);

    /// Converts the result of all elements of a list to the result of the list.
    fn finish(&self, all: Self::Part) -> Self::Output;

    /// Allocates the results of `lists` lists, which the caller writes later. Returns `None` if memory is short. Numbers are 0
    /// here, because zeroed memory costs nothing.
    fn slots(&self, lists: usize) -> Option<Vec<Self::Output>> {
        memory::try_repeated(self.finish(self.start()), lists)
    }
}

/// The maximum length of a list that is folded without a branch on its length. A processor cannot predict the lengths
/// of short lists.
pub(crate) const SHORT: usize = 8;

/// The number of independent partial results of a list, which need not wait for one another.
pub(crate) const LANES: usize = 4;

/// The minimum length of a list whose sum is made in lanes.
pub(crate) const LONG: usize = 32;

/// Returns `start + number(x[0]) + number(x[1]) + ...`, for any `+`. A long list is added in lanes, in another order.
#[inline(always)]
fn in_lanes<T, A: Copy>(list: &[T], start: A, number: impl Fn(&T) -> A, mut plus: impl FnMut(A, A) -> A) -> A {
    if list.len() < LONG {
        return list.iter().fold(start, |out, leaf| plus(out, number(leaf)));
    }
    let (chunks, rest) = list.as_chunks::<LANES>();
    let mut lanes = [start; LANES];
    if let [first, chunks @ ..] = chunks {
        lanes = first.each_ref().map(&number);
        for chunk in chunks {
            for k in 0..LANES {
                lanes[k] = plus(lanes[k], number(&chunk[k]));
            }
        }
    }
    let [a, b, c, d] = lanes;
    let (a, b) = (plus(a, c), plus(b, d));
    let sum = plus(a, b);
    rest.iter().fold(plus(start, sum), |out, leaf| plus(out, number(leaf)))
}

/// A fold by `f` from `start`, a sum or a product. `overflow` becomes true if `f` returns `None`.
pub(crate) struct Checked<T, F> {
    pub(crate) start: T,
    pub(crate) f: F,
    pub(crate) overflow: AtomicBool,
}

impl<T: Number, F: Fn(T, T) -> Option<T> + Sync> Checked<T, F> {
    fn note(&self, overflow: bool) {
        if overflow {
            self.overflow.store(true, Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn plus(&self, a: T, b: T) -> T {
        (self.f)(a, b).unwrap_or_else(|| {
            self.note(true);
            a
        })
    }
}

impl<T: Number, F: Fn(T, T) -> Option<T> + Sync> Fold<T> for Checked<T, F> {
    type Part = T;
    type Output = T;

    #[inline(always)]
    fn start(&self) -> T {
        self.start
    }

    #[inline(always)]
    fn add(&self, out: &mut T, leaf: &T, _: usize) {
        *out = self.plus(*out, *leaf);
    }

    #[inline(always)]
    fn list(&self, list: &[T], _: usize) -> T {
        let mut overflow = false;
        let folded = in_lanes(
            list,
            self.start,
            |x| *x,
            |a, b| match (self.f)(a, b) {
                Some(sum) => sum,
                None => {
                    overflow = true;
                    a
                }
            },
        );
        self.note(overflow);
        folded
    }

    /// Folds a short list as `SHORT` numbers: those behind it are replaced by the neutral number.
    #[inline(always)]
    fn first(&self, leaves: &[T], len: usize, place: usize) -> T {
        if len <= SHORT
            && let Some(first) = leaves.first_chunk::<SHORT>()
        {
            let mut padded = [self.start; 2 * SHORT];
            if let Some(head) = padded.first_chunk_mut() {
                *head = *first;
            }
            if let Some(tail) = padded.get_mut(len..).and_then(|padded| padded.first_chunk_mut()) {
                *tail = [self.start; SHORT];
            }
            return self.list(&padded[..SHORT], place);
        }
        match leaves.get(..len) {
            Some(list) => self.list(list, place),
            None => self.start(),
        }
    }

    fn join(&self, before: T, after: &mut T) {
        *after = self.plus(before, *after);
    }

    #[inline(always)]
    fn finish(&self, all: T) -> T {
        all
    }

    fn slots(&self, lists: usize) -> Option<Vec<T>> {
        memory::try_repeated(T::ZERO, lists)
    }
}

/// A fold to the mean: the sum of the nearest `f64` of each element, divided by the number of elements.
pub(crate) struct Mean;

impl<T: Number> Fold<T> for Mean {
    type Part = (f64, usize);
    type Output = f64;

    #[inline(always)]
    fn start(&self) -> (f64, usize) {
        (0.0, 0)
    }

    #[inline(always)]
    fn add(&self, (sum, count): &mut (f64, usize), leaf: &T, _: usize) {
        *sum += leaf.to_f64();
        *count += 1;
    }

    #[inline(always)]
    fn list(&self, list: &[T], _: usize) -> (f64, usize) {
        (in_lanes(list, 0.0, |x| x.to_f64(), |a, b| a + b), list.len())
    }

    fn join(&self, before: (f64, usize), after: &mut (f64, usize)) {
        *after = (before.0 + after.0, before.1 + after.1);
    }

    #[inline(always)]
    fn finish(&self, (sum, count): (f64, usize)) -> f64 {
        sum / count as f64
    }

    fn slots(&self, lists: usize) -> Option<Vec<f64>> {
        memory::try_repeated(0.0, lists)
    }
}

/// A fold from `start`: `add` adds one element, and `join` joins the results of two neighbouring parts of a list.
pub(crate) struct By<A, F, J> {
    pub(crate) start: A,
    pub(crate) add: F,
    pub(crate) join: J,
}

impl<T, A, F, J> Fold<T> for By<A, F, J>
where
    A: Clone + Send + Sync + 'static,
    F: Fn(&mut A, &T, usize) + Sync,
    J: Fn(A, A) -> A + Sync,
{
    type Part = A;
    type Output = A;

    fn start(&self) -> A {
        self.start.clone()
    }

    #[inline(always)]
    fn add(&self, out: &mut A, leaf: &T, place: usize) {
        (self.add)(out, leaf, place);
    }

    fn join(&self, before: A, after: &mut A) {
        let folded = core::mem::replace(after, self.start.clone());
        *after = (self.join)(before, folded);
    }

    fn finish(&self, all: A) -> A {
        all
    }
}
