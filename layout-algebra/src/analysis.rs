//! The indices of a layout as a set: aliases, holes, runs, vectors, and the permutation that a dense layout is.
//!
//! [`indices`] computes the index of every coordinate, and [`Analysis`] answers questions about all of them.

use crate::algebra::accesses::Indexer;
use crate::algebra::composed;
use crate::algebra::operands::{ComposedValue, Inner, Operand};
use crate::error::{Cause, LayoutError, Op, Result};
use crate::heap::*;
use crate::value::{ExprGraph, LayoutValue, SymInt, TupleValue};

/// The maximum number of coordinates of a layout that is analyzed.
const MOST: i64 = 1 << 26;

/// Returns the layout that has the shape. Fails if the operand is no layout.
fn domain<const N: usize>(x: &Operand<N>) -> Result<&LayoutValue<N>> {
    match x {
        Operand::Layout(l) | Operand::Composed(ComposedValue { outer: l, .. }) => Ok(l),
        _ => Err(LayoutError::plain(Op::Crd2Idx, Cause::OperandKind, 0, 0)),
    }
}

/// Returns the index of every linear coordinate of a layout, composed or not. Fails for strides along coordinates, and above 2^26 coordinates.
///
/// ```
/// use layout_algebra::{analysis::indices, error::Op, expression::{Operand, Parser}, value::ExprGraph};
/// let swizzled: Operand<8> = Parser::whole("S<1,0,2> o 0 o (2,4):(4,1)", &mut ExprGraph::<0>::new(Op::Parse))?;
/// assert_eq!(indices(&swizzled)?, [0, 5, 1, 4, 2, 7, 3, 6]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub fn indices<const N: usize>(x: &Operand<N>) -> Result<Vec<i64>> {
    let mut cx = ExprGraph::<0>::new(Op::Crd2Idx);
    let l = domain(x)?;
    let size = l.size_of(l.root(), &mut cx)?.value().ok_or(LayoutError::plain(Op::Crd2Idx, Cause::Undecided, 0, 0))?;
    if size > MOST {
        return Err(LayoutError::plain(Op::Crd2Idx, Cause::TooManyCoordinates, size, MOST));
    }
    if let Operand::Composed(composed @ ComposedValue { inner: Inner::Layout(_), .. }) = x {
        let one = |k| {
            let index = composed::evaluate(composed, &TupleValue::scalar(SymInt(k)), &mut ExprGraph::<0>::new(Op::Crd2Idx))?;
            if index.is_scalar() { Ok(index.leaf(0).word()) } else { Err(LayoutError::plain(Op::Crd2Idx, Cause::BasisStride, 0, 0)) }
        };
        return (0..size).map(one).collect();
    }
    let indexer = Indexer::of(x)?;
    (0..size).map(|k| indexer.at(k)).collect()
}

/// The indices of a layout, sorted, with the coordinates that have them.
///
/// ```
/// use layout_algebra::{analysis::Analysis, error::Op, expression::{Operand, Parser}, value::ExprGraph};
/// let of = |text| Parser::whole::<16, 0>(text, &mut ExprGraph::new(Op::Parse)).and_then(|layout| Analysis::of(&layout));
/// // Rows of 3 in a buffer with rows of 4: one hole between the rows, and vectors of 3.
/// let padded = of("(3,2):(1,4)")?;
/// assert_eq!((padded.least(), padded.greatest(), padded.distinct(), padded.holes()), (Some(0), Some(6), 6, 1));
/// assert_eq!((padded.runs().collect::<Vec<_>>(), padded.contiguous()), (vec![(0, 2), (4, 6)], 3));
/// assert!(padded.is_injective() && !padded.is_surjective() && padded.permutation().is_none());
/// // Coordinates 1 and 2 both have the index 1.
/// let windows = of("(2,2):(1,1)")?;
/// assert_eq!((windows.alias(), windows.most_aliases()), (Some((1, [1, 2])), 2));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Analysis {
    indices: Vec<i64>,
    /// The linear coordinates, by increasing index; coordinates of one index in order.
    sorted: Vec<u32>,
    /// The number of coordinates of each mode.
    modes: Vec<usize>,
}

impl Analysis {
    /// Computes all indices of a layout. Fails as [`indices`] does.
    pub fn of<const N: usize>(x: &Operand<N>) -> Result<Analysis> {
        let (l, indices) = (domain(x)?, indices(x)?);
        let mut sorted: Vec<u32> = (0..indices.len() as u32).collect();
        sorted.sort_by_key(|k| indices[*k as usize]);
        let mut cx = ExprGraph::<0>::new(Op::Size);
        let nodes = (0..).map_while(|k| l.tree().mode(l.root(), k));
        let modes = nodes.map(|node| Ok(l.size_of(node, &mut cx)?.word() as usize)).collect::<Result<_>>()?;
        Ok(Analysis { indices, sorted, modes })
    }

    /// Returns the index of every linear coordinate.
    pub fn indices(&self) -> &[i64] {
        &self.indices
    }

    /// Iterates over the distinct indices in order, each with its linear coordinates.
    ///
    /// ```
    /// use layout_algebra::{analysis::Analysis, error::Op, expression::Parser, value::ExprGraph};
    /// let rows = Parser::whole::<8, 0>("(2,2):(0,3)", &mut ExprGraph::new(Op::Parse))?;
    /// let rows = Analysis::of(&rows)?;
    /// let table: Vec<(i64, Vec<u32>)> = rows.table().map(|(index, of)| (index, of.to_vec())).collect();
    /// assert_eq!(table, [(0, vec![0, 1]), (3, vec![2, 3])]);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn table(&self) -> impl Iterator<Item = (i64, &[u32])> {
        let same = |a: &u32, b: &u32| self.indices[*a as usize] == self.indices[*b as usize];
        self.sorted.chunk_by(same).map(|of| (self.indices[of[0] as usize], of))
    }

    /// Returns the least index, or `None` if there are no coordinates.
    pub fn least(&self) -> Option<i64> {
        self.sorted.first().map(|k| self.indices[*k as usize])
    }

    /// Returns the greatest index, or `None` if there are no coordinates.
    pub fn greatest(&self) -> Option<i64> {
        self.sorted.last().map(|k| self.indices[*k as usize])
    }

    /// Returns the number of distinct indices.
    pub fn distinct(&self) -> usize {
        self.table().count()
    }

    /// Returns the number of integers between the least and the greatest index that are no index.
    pub fn holes(&self) -> u64 {
        match (self.least(), self.greatest()) {
            (Some(least), Some(greatest)) => greatest.abs_diff(least) + 1 - self.distinct() as u64,
            _ => 0,
        }
    }

    /// Returns true if no two coordinates share an index.
    pub fn is_injective(&self) -> bool {
        self.alias().is_none()
    }

    /// Returns true if every integer from the least to the greatest index is an index: the layout is onto its cosize.
    pub fn is_surjective(&self) -> bool {
        self.holes() == 0
    }

    /// Returns the least index that several coordinates share, and the first two of these linear coordinates. Returns `None` if the
    /// layout is injective.
    pub fn alias(&self) -> Option<(i64, [u32; 2])> {
        self.table().find(|(_, of)| of.len() > 1).map(|(index, of)| (index, [of[0], of[1]]))
    }

    /// Returns the greatest number of coordinates that share one index.
    pub fn most_aliases(&self) -> usize {
        self.table().map(|(_, of)| of.len()).max().unwrap_or(0)
    }

    /// Iterates over the runs of consecutive indices: the first and the last index of each.
    pub fn runs(&self) -> impl Iterator<Item = (i64, i64)> {
        let mut distinct = self.table().map(|(index, _)| index).peekable();
        core::iter::from_fn(move || {
            let first = distinct.next()?;
            let mut last = first;
            while let Some(next) = distinct.next_if_eq(&last.saturating_add(1)) {
                last = next;
            }
            Some((first, last))
        })
    }

    /// Returns the number of first coordinates whose indices follow one another: the width of the longest vector at coordinate 0.
    pub fn contiguous(&self) -> usize {
        self.consecutive(1, self.indices.len())
    }

    /// Returns for each mode the number of its first coordinates whose indices follow one another. All other modes are 0.
    pub fn contiguous_by_mode(&self) -> Vec<usize> {
        let mut unit = 1;
        let of = |extent: &usize| {
            let width = self.consecutive(unit, *extent);
            unit *= extent;
            width
        };
        self.modes.iter().map(of).collect()
    }

    /// Returns the number of coordinates 0, `unit`, 2 `unit`, ... below `extent` units whose indices follow one another.
    fn consecutive(&self, unit: usize, extent: usize) -> usize {
        let Some(first) = self.indices.first() else { return 0 };
        (1..extent).find(|k| self.indices[k * unit] != first.saturating_add(*k as i64)).unwrap_or(extent)
    }

    /// Iterates over the linear coordinates whose index is the coordinate itself.
    pub fn fixed_points(&self) -> impl Iterator<Item = usize> {
        (0..self.indices.len()).filter(|k| self.indices[*k] == *k as i64)
    }

    /// Returns the permutation that takes a linear coordinate to its index minus the least index. Returns `None` unless the layout is
    /// injective and has no holes.
    pub fn permutation(&self) -> Option<Permutation> {
        if !self.is_injective() || !self.is_surjective() {
            return None;
        }
        let least = self.least().unwrap_or(0);
        let mut seen = vec![false; self.indices.len()];
        let mut cycles = Vec::new();
        for start in 0..self.indices.len() {
            let (mut cycle, mut at) = (Vec::new(), start);
            while !seen[at] {
                seen[at] = true;
                cycle.push(at as u32);
                at = (self.indices[at] - least) as usize;
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        Some(Permutation { cycles })
    }
}

/// A permutation of linear coordinates, as disjoint cycles. A fixed point is a cycle of one coordinate.
///
/// ```
/// use layout_algebra::{analysis::Analysis, error::Op, expression::Parser, value::ExprGraph};
/// let rows = Parser::whole::<8, 0>("(3,2):(2,1)", &mut ExprGraph::new(Op::Parse))?;
/// let transposition = Analysis::of(&rows)?.permutation().expect("it is dense");
/// assert_eq!(transposition.cycles(), [vec![0], vec![1, 2, 4, 3], vec![5]]);
/// assert_eq!((transposition.order(), transposition.is_even()), (Some(4), false));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permutation {
    cycles: Vec<Vec<u32>>,
}

impl Permutation {
    /// Returns the cycles, by their least coordinate. Each coordinate is followed by the one that it goes to.
    pub fn cycles(&self) -> &[Vec<u32>] {
        &self.cycles
    }

    /// Returns the least number of applications that give the identity, the least common multiple of the lengths. Returns `None` if it
    /// does not fit 64 bits.
    pub fn order(&self) -> Option<u64> {
        let gcd = |mut a: u64, mut b: u64| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        self.cycles.iter().map(|cycle| cycle.len() as u64).try_fold(1u64, |order, n| (order / gcd(order, n)).checked_mul(n))
    }

    /// Returns true if the permutation is a product of an even number of exchanges.
    pub fn is_even(&self) -> bool {
        self.cycles.iter().map(|cycle| cycle.len() - 1).sum::<usize>().is_multiple_of(2)
    }
}
