//! The elements of one coordinate.

use super::Pattern;
use crate::{LevelKind, with_indices};
use core::ops::Range;
use layout_core::level::Index;

/// What to do after an element.
type Go = core::ops::ControlFlow<usize>;

impl Pattern<'_> {
    /// The first element at a coordinate, in the order of the axes of the levels; dense axes after them are ignored.
    ///
    /// Compressed levels compute it, sorted ones search by halves, unsorted ones look through. `None` also where a coordinate is out of range.
    pub fn find(&self, coordinate: &[u64]) -> Option<usize> {
        self.seek(coordinate, Go::Break)
    }

    /// Calls `each` with every element at a coordinate: a multigraph may have several.
    pub fn find_each(&self, coordinate: &[u64], mut each: impl FnMut(usize)) {
        self.seek(coordinate, |element| {
            each(element);
            Go::Continue(())
        });
    }

    fn seek(&self, coordinate: &[u64], mut found: impl FnMut(usize) -> Go) -> Option<usize> {
        if coordinate.len() != self.shape.len() || coordinate.iter().zip(&self.shape).any(|(c, extent)| c >= extent) {
            return None;
        }
        match self.search(0, self.roots(), coordinate, &mut found) {
            Go::Break(element) => Some(element),
            Go::Continue(()) => None,
        }
    }

    /// Looks among entries of a level below one parent; what a sparse level leaves is looked through in the next.
    fn search(&self, level: usize, range: Range<usize>, coordinate: &[u64], found: &mut dyn FnMut(usize) -> Go) -> Go {
        let Some(kind) = self.format.kinds().get(level) else { return range.into_iter().try_for_each(found) };
        let wanted = coordinate[self.format.axis_order()[level]];
        let Some(indices) = self.indices(level) else {
            let entry = range.start + wanted as usize;
            return if entry < range.end {
                self.search(level + 1, self.children(level, entry), coordinate, found)
            } else {
                Go::Continue(())
            };
        };
        let start = self.format.group_start(level);
        let sorted = self.format.sorted_levels(start, level + 1) == level + 1 - start;
        let mut rest = range;
        while !rest.is_empty() {
            let here = with_indices!(indices, array => equal(&array[rest.clone()], wanted, sorted));
            let here = rest.start + here.start..rest.start + here.end;
            rest.start = if sorted { rest.end } else { here.end };
            if *kind == LevelKind::Sparse && !here.is_empty() {
                self.search(level + 1, here, coordinate, found)?;
            } else {
                here.into_iter().try_for_each(|entry| self.search(level + 1, self.children(level, entry), coordinate, found))?;
            }
        }
        Go::Continue(())
    }
}

/// Where `wanted` is, all of it in a sorted array, the first run of it in another; empty, at the end, where it is not.
fn equal<T: Index>(array: &[T], wanted: u64, sorted: bool) -> Range<usize> {
    if sorted {
        let start = array.partition_point(|x| x.to_u64() < wanted);
        return start..start + array[start..].partition_point(|x| x.to_u64() == wanted);
    }
    let Some(start) = array.iter().position(|x| x.to_u64() == wanted) else { return array.len()..array.len() };
    let run = array[start..].iter().take_while(|x| x.to_u64() == wanted).count();
    start..start + run
}
