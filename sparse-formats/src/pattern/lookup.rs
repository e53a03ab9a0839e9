//! Finds the elements of one coordinate.

use super::SparsityPattern;
use array_kernels::LevelView;
use core::ops::Range;
use layout_levels::Level;

/// The answer of a callback for an element: continue the search, or end it with this element.
type Go = core::ops::ControlFlow<usize>;

impl SparsityPattern<'_> {
    /// Returns the number of the first element at `coordinate`, which has a number for each axis, in their order. Ignores
    /// coordinates of dense axes.
    ///
    /// A `C` level computes the position, a sorted level takes a binary search, an unsorted one a scan.
    /// Returns `None` if no element is stored there, or if the coordinate is out of range.
    pub fn find(&self, coordinate: &[u64]) -> Option<usize> {
        self.seek(coordinate, Go::Break)
    }

    /// Calls `each` with the number of every element at a coordinate. A multigraph may have several. Does nothing if the
    /// coordinate is out of range.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// // Two edges lead from node 0 to node 1.
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 3, 3]).with_indices(1, vec![0u8, 1, 1]);
    /// let edges = SparsityPattern::from_parts(&[2, 2], Format::csr().with_multigraph(true)?, arrays)?;
    /// let mut found = Vec::new();
    /// edges.find_each(&[0, 1], |edge| found.push(edge));
    /// assert_eq!((found, edges.find(&[0, 1])), (vec![1, 2], Some(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_each(&self, coordinate: &[u64], mut each: impl FnMut(usize)) {
        self.seek(coordinate, |element| {
            each(element);
            Go::Continue(())
        });
    }

    /// Calls `found` with every element at a coordinate until it breaks. Returns the element that it breaks with, or `None`.
    fn seek(&self, coordinate: &[u64], mut found: impl FnMut(usize) -> Go) -> Option<usize> {
        if coordinate.len() != self.shape.len() || coordinate.iter().zip(&self.shape).any(|(c, extent)| c >= extent) {
            return None;
        }
        match self.search(0, 0..self.counts[0], coordinate, &mut found) {
            Go::Break(element) => Some(element),
            Go::Continue(()) => None,
        }
    }

    /// Searches among siblings, and calls `found` with each element until it breaks. Siblings are the entries of a level below
    /// one parent, or below a run of equal parents, which levels of tuples and split nodes have.
    fn search(&self, level: usize, siblings: Range<usize>, coordinate: &[u64], found: &mut impl FnMut(usize) -> Go) -> Go {
        let (mut siblings, mut next) = (siblings, self.any_level(level));
        for k in level..self.format.levels() {
            let Some(here) = next else { return Go::Continue(()) };
            let wanted = coordinate[self.format.axis_order()[k]];
            next = self.any_level(k + 1);
            let mut run = here.run(siblings.clone(), wanted);
            while !here.is_ordered() && !run.is_empty() && run.end < siblings.end {
                // The siblings after this run may have the coordinate again, because they are not sorted.
                self.search(k + 1, below(next.as_ref(), run.clone()), coordinate, found)?;
                siblings.start = run.end;
                run = here.run(siblings.clone(), wanted);
            }
            if run.is_empty() {
                return Go::Continue(());
            }
            siblings = below(next.as_ref(), run);
        }
        siblings.into_iter().try_for_each(found)
    }
}

/// Returns the entries of the level `next` below consecutive entries of the level before it. Without a next level, entries
/// are elements.
#[inline(always)]
fn below(next: Option<&LevelView>, entries: Range<usize>) -> Range<usize> {
    match next {
        Some(next) if entries.len() == 1 => next.range(entries.start),
        Some(next) => next.below(entries),
        None => entries,
    }
}
