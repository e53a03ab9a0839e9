//! Ragged chains of every depth: iteration, decomposition and location agree with nested lists.

use super::arrays::offsets;
use crate::common::Rng;
use crd2idx::level::*;
use std::ops::ControlFlow;

/// Returns the coordinates of every leaf, in order. `outer` is the number of outer rows, and `levels` has the offsets of each
/// further level.
fn naive(outer: usize, levels: &[&[u32]]) -> Vec<Vec<usize>> {
    let mut open: Vec<(Vec<usize>, usize)> = (0..outer).map(|i| (vec![i], i)).collect();
    for level in levels {
        let below = |(coordinate, p): &(Vec<usize>, usize)| {
            let (begin, end) = (level[*p] as usize, level[p + 1] as usize);
            let coordinate = coordinate.clone();
            (begin..end).map(move |q| ([&coordinate[..], &[q - begin]].concat(), q)).collect::<Vec<_>>()
        };
        open = open.iter().flat_map(below).collect();
    }
    open.into_iter().map(|(coordinate, _)| coordinate).collect()
}

/// A conversion of a nested coordinate to a list.
trait Flat {
    fn flat(self) -> Vec<usize>;
}
impl Flat for () {
    fn flat(self) -> Vec<usize> {
        Vec::new()
    }
}
impl<R: Flat> Flat for (usize, R) {
    fn flat(self) -> Vec<usize> {
        [vec![self.0], self.1.flat()].concat()
    }
}

fn agrees<C>(array: &Root<C>, expected: &[Vec<usize>], rng: &mut Rng)
where
    C: Lookup + Decompose + Ascend,
    C::Coord: Flat + std::fmt::Debug,
{
    let span = array.span();
    assert_eq!(span.len(), expected.len());
    let leaves: Vec<_> = array.iter().map(|(c, k)| (c.flat(), k)).collect();
    assert!(leaves.iter().map(|(c, _)| c).eq(expected), "{leaves:?} {expected:?}");
    assert!(leaves.iter().map(|(_, k)| *k).eq(span.clone()));
    // By loops, by a fold, and one by one.
    let mut walked = Vec::new();
    array.for_each(|c, k| walked.push((c.flat(), k)));
    assert_eq!(walked, leaves);
    let mut one_by_one = array.iter();
    assert!(leaves.iter().all(|leaf| one_by_one.next().map(|(c, k)| (c.flat(), k)).as_ref() == Some(leaf)));
    assert!(one_by_one.next().is_none() && one_by_one.next().is_none());
    let stop = array.try_for_each(|_, k| if k == span.start + 3 { ControlFlow::Break(k) } else { ControlFlow::Continue(()) });
    assert_eq!(stop.is_break(), span.len() > 3);
    for (coordinate, k) in array.iter() {
        assert_eq!((array.decompose(k), array.locate(coordinate)), (coordinate, Some(k)));
        assert_eq!(array.checked_decompose(k), Some(coordinate));
    }
    for outside in [span.end, span.end + 1, usize::MAX, span.start.wrapping_sub(1)] {
        assert_eq!(array.checked_decompose(outside), None);
        let _ = array.decompose(outside);
    }
    for _ in 0..4 {
        let from = span.start + rng.below(span.len() + 1);
        assert!(array.iter_from(from).map(|(c, k)| (c.flat(), k)).eq(leaves[from - span.start..].iter().cloned()));
        assert_eq!(array.iter_from(from).fold(0, |n, _| n + 1), span.end - from);
    }
}

#[test]
fn of_every_depth() {
    let mut rng = Rng::new(3);
    for round in 0..400 {
        let n0 = rng.below(6);
        let base = if round % 4 == 0 { 1 + rng.below(3) } else { 0 };
        let a = offsets(&mut rng, n0, base);
        let b_rows = a[n0] as usize;
        let b = offsets(&mut rng, b_rows, base);
        let c_rows = b[b_rows] as usize;
        let c = offsets(&mut rng, c_rows, 0);
        let level = |offsets: &[u32]| Ragged::new(offsets.to_vec()).expect("offsets");
        let outer = Fixed::new(n0);
        agrees(&Root::new(Then(outer, End)).expect("a chain"), &naive(n0, &[]), &mut rng);
        agrees(&Root::new(Then(outer, Then(level(&a), End))).expect("a chain"), &naive(n0, &[&a]), &mut rng);
        let three = Root::new(Then(outer, Then(level(&a), Then(level(&b), End)))).expect("a chain");
        agrees(&three, &naive(n0, &[&a, &b]), &mut rng);
        let cursors = level(&c).inverted(Cursor::default()).expect("offsets");
        let four = Root::new(Then(outer, Then(level(&a), Then(level(&b), Then(cursors, End))))).expect("a chain");
        agrees(&four, &naive(n0, &[&a, &b, &c]), &mut rng);
    }
}

#[test]
fn of_uniform_and_ragged_levels() {
    let mut rng = Rng::new(4);
    for _ in 0..200 {
        let (n0, n1, n3) = (rng.below(4), rng.below(4), rng.below(4));
        let a = offsets(&mut rng, n0 * n1, 0);
        let uniform = |rows: usize, n: usize| (0..=rows).map(|k| (k * n) as u32).collect::<Vec<u32>>();
        let rows = Ragged::new(a.clone()).expect("offsets");
        let array = Root::new(Then(Fixed::new(n0), Then(Fixed::new(n1), Then(rows, Then(Fixed::new(n3), End))))).expect("a chain");
        let leaves = a[n0 * n1] as usize;
        agrees(&array, &naive(n0, &[&uniform(n0, n1), &a, &uniform(leaves, n3)]), &mut rng);
    }
}

#[test]
fn of_nothing_is_one_leaf() {
    let scalar = Root::new(End).expect("no level");
    assert_eq!((scalar.span(), scalar.decompose(0), scalar.locate(()), scalar.iter().count()), (0..1, (), Some(0), 1));
}
