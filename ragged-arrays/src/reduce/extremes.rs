//! Finds the least and the greatest number of a list, and their local indices, without branches that depend on the numbers.

use super::folds::{Fold, LANES, LONG, SHORT};
use super::number::Number;

/// A fold to the least number, or to the greatest if `MOST`. NaN is greater than all others. Of equal numbers, it may
/// return any.
pub(crate) struct Best<const MOST: bool>;

/// A fold to the local index of the first least or greatest number.
pub(crate) struct Place<const MOST: bool>;

impl<const MOST: bool> Best<MOST> {
    /// Tests whether `x` is better than `best`: below it, or above it if `MOST`, in the order in which NaN is greatest.
    #[inline(always)]
    fn better<T: Number>(x: T, best: T) -> bool {
        if MOST { best.below(x) } else { x.below(best) }
    }

    /// Tests like [`Best::better`] if neither is NaN, and returns false otherwise.
    #[inline(always)]
    fn beats<T: Number>(x: T, best: T) -> bool {
        if MOST { best.less(x) } else { x.less(best) }
    }

    /// Returns the better of two numbers that are not NaN. A compiler turns this form into one instruction.
    #[inline(always)]
    fn of<T: Number>(best: T, x: T) -> T {
        if Self::beats(x, best) { x } else { best }
    }

    /// Returns the best number; `None` if there are no numbers or one is NaN.
    #[inline(always)]
    fn ordered<T: Number>(list: &[T]) -> Option<T> {
        let (chunks, rest) = list.as_chunks::<LANES>();
        let (mut lanes, mut nan) = ([*list.first()?; LANES], [false; LANES]);
        for chunk in chunks {
            for k in 0..LANES {
                lanes[k] = Self::of(lanes[k], chunk[k]);
                nan[k] |= chunk[k].unordered();
            }
        }
        let [a, b, c, d] = lanes;
        let best = rest.iter().fold(Self::of(Self::of(a, c), Self::of(b, d)), |best, x| Self::of(best, *x));
        let nan = rest.iter().fold(nan[0] | nan[1] | nan[2] | nan[3], |nan, x| nan | x.unordered());
        if nan { None } else { Some(best) }
    }

    /// Does what [`Best::ordered`] does, `None` included, without a loop for lists of medium length (9 to 16), whose lengths a
    /// processor cannot predict.
    #[inline(always)]
    fn of_list<T: Number>(list: &[T]) -> Option<T> {
        match ends(list) {
            Some(ends) => Self::ordered(&ends),
            None => Self::ordered(list),
        }
    }

    /// Returns the first of the best numbers, and its local index; `None` for an empty list. Orders NaN, too.
    #[cold]
    fn in_order<T: Number>(list: &[T]) -> Option<(T, usize)> {
        let numbers = list.iter().copied().zip(0..);
        numbers.reduce(|best, x| if Self::better(x.0, best.0) { x } else { best })
    }

    /// Returns the local index of the first number that is as good as `best`, which is the best of them. No number may
    /// be NaN.
    #[inline(always)]
    fn place<T: Number>(list: &[T], best: T) -> usize {
        if list.len() >= LONG {
            return list.iter().position(|x| !Self::beats(best, *x)).unwrap_or(0);
        }
        // Search from the end, so that the first one is found last: a processor cannot predict where a search would stop.
        let (chunks, rest) = list.as_chunks::<LANES>();
        let mut place = 0;
        let mut look = |x: T, at: usize| place = if Self::beats(best, x) { place } else { at };
        rest.iter().enumerate().rev().for_each(|(k, x)| look(*x, chunks.len() * LANES + k));
        chunks.iter().enumerate().rev().for_each(|(chunk, of)| (0..LANES).rev().for_each(|k| look(of[k], chunk * LANES + k)));
        place
    }
}

/// Replaces `after` by `before` unless `after` is better or `before` is `None`. The first of equal numbers stays.
fn joined<P: Copy>(before: Option<P>, after: &mut Option<P>, better: impl Fn(P, P) -> bool) {
    if before.is_some_and(|before| after.is_none_or(|after| !better(after, before))) {
        *after = before;
    }
}

/// Returns the first `len` of `leaves`, at most `SHORT`, padded with the last of them, which changes neither the best number nor
/// its index. Returns `None` for longer lists, or near the end of the leaves. If `len` is 0, the numbers are arbitrary.
#[inline(always)]
fn padded<T: Copy>(leaves: &[T], len: usize) -> Option<[T; SHORT]> {
    if len > SHORT {
        return None;
    }
    let (first, last) = (leaves.first_chunk::<SHORT>()?, len.saturating_sub(1));
    Some(core::array::from_fn(|k| first[k.min(last)]))
}

/// Returns the first and the last numbers of a list, which together are the whole list; some may occur twice. Returns
/// `None` for other lengths.
#[inline(always)]
fn ends<T: Copy>(list: &[T]) -> Option<[T; 2 * SHORT]> {
    if list.len() <= SHORT || list.len() > 2 * SHORT {
        return None;
    }
    let (first, last) = (list.first_chunk::<SHORT>()?, list.last_chunk::<SHORT>()?);
    Some(core::array::from_fn(|k| if k < SHORT { first[k] } else { last[k - SHORT] }))
}

impl<T: Number, const MOST: bool> Fold<T> for Best<MOST> {
    type Part = Option<T>;
    type Output = Option<T>;

    #[inline(always)]
    fn start(&self) -> Option<T> {
        None
    }

    #[inline(always)]
    fn add(&self, part: &mut Option<T>, leaf: &T, _: usize) {
        if part.is_none_or(|best| Self::better(*leaf, best)) {
            *part = Some(*leaf);
        }
    }

    #[inline(always)]
    fn list(&self, list: &[T], _: usize) -> Option<T> {
        Self::of_list(list).or_else(|| Some(Self::in_order(list)?.0))
    }

    #[inline(always)]
    fn first(&self, leaves: &[T], len: usize, place: usize) -> Option<T> {
        match padded(leaves, len) {
            Some(padded) => self.list(&padded, place).filter(|_| len > 0),
            None => self.list(leaves.get(..len)?, place),
        }
    }

    fn join(&self, before: Option<T>, after: &mut Option<T>) {
        joined(before, after, Self::better);
    }

    #[inline(always)]
    fn finish(&self, all: Option<T>) -> Option<T> {
        all
    }
}

impl<T: Number, const MOST: bool> Fold<T> for Place<MOST> {
    /// The best number so far and its local index; `None` without numbers.
    type Part = Option<(T, usize)>;
    type Output = Option<usize>;

    #[inline(always)]
    fn start(&self) -> Self::Part {
        None
    }

    #[inline(always)]
    fn add(&self, part: &mut Self::Part, leaf: &T, place: usize) {
        if part.is_none_or(|(best, _)| Best::<MOST>::better(*leaf, best)) {
            *part = Some((*leaf, place));
        }
    }

    #[inline(always)]
    fn list(&self, list: &[T], place: usize) -> Self::Part {
        let (best, at) = match Best::<MOST>::of_list(list) {
            Some(best) => (best, Best::<MOST>::place(list, best)),
            None => Best::<MOST>::in_order(list)?,
        };
        Some((best, place + at))
    }

    #[inline(always)]
    fn first(&self, leaves: &[T], len: usize, place: usize) -> Self::Part {
        match padded(leaves, len) {
            Some(padded) => self.list(&padded, place).filter(|_| len > 0),
            None => self.list(leaves.get(..len)?, place),
        }
    }

    fn join(&self, before: Self::Part, after: &mut Self::Part) {
        joined(before, after, |x, best| Best::<MOST>::better(x.0, best.0));
    }

    #[inline(always)]
    fn finish(&self, all: Self::Part) -> Option<usize> {
        all.map(|(_, place)| place)
    }
}
