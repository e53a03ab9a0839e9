//! Visits all elements, with one loop for each level.

use super::SparsityPattern;
use crate::with_indices;
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::LevelView;
use core::convert::Infallible;
use core::ops::{ControlFlow, Range};
use layout_levels::{Index, Level};

impl SparsityPattern<'_> {
    /// Calls `f` with the coordinates of each element, in the order of the levels, and with its number.
    /// Elements come in storage order.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u8, 3, 0]);
    /// let pattern = SparsityPattern::from_parts(&[3, 4], Format::csr(), arrays)?;
    /// let mut seen = Vec::new();
    /// pattern.for_each(|coordinates, element| seen.push((coordinates.to_vec(), element)));
    /// assert_eq!(seen, [(vec![0, 1], 0), (vec![0, 3], 1), (vec![2, 0], 2)]);
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    pub fn for_each(&self, mut f: impl FnMut(&[u64], usize)) {
        let levels = self.format.levels();
        let _ = self.visit(&(0..levels).collect::<Vec<_>>(), &mut vec![0; levels], &mut |coordinates, element| {
            f(coordinates, element);
            ControlFlow::<Infallible>::Continue(())
        });
    }

    /// Visits elements as [`SparsityPattern::for_each`] does, until `f` breaks. Returns what `f` breaks with. Writes the
    /// coordinate of level `k` to `coordinates[slots[k]]`.
    #[inline]
    pub(crate) fn visit<B>(
        &self,
        slots: &[usize],
        coordinates: &mut [u64],
        f: &mut impl FnMut(&[u64], usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let levels = self.any_levels();
        let (levels, elements) = levels.split_at(self.format.levels());
        if levels.is_empty() {
            return (0..self.stored()).try_for_each(|element| f(coordinates, element));
        }
        // A level with one position for each parent has the same positions as the level before it.
        let starts: Vec<usize> = (0..levels.len()).filter(|k| !levels[*k].is_branchless()).chain([levels.len()]).collect();
        let groups: Vec<Tuples> =
            starts.windows(2).map(|ends| Tuples { levels: &levels[ends[0]..ends[1]], slots: &slots[ends[0]..ends[1]] }).collect();
        Visit { elements: elements.first(), coordinates, f }.descend(&groups, 0)
    }
}

/// Consecutive levels whose entries have the same positions, and the slots of their coordinates.
struct Tuples<'v> {
    levels: &'v [LevelView<'v>],
    slots: &'v [usize],
}

impl Tuples<'_> {
    /// Writes the coordinates of a position among siblings that start at `begin`.
    #[inline(always)]
    fn set(&self, begin: usize, position: usize, coordinates: &mut [u64]) {
        for (level, slot) in self.levels.iter().zip(self.slots) {
            coordinates[*slot] = level.at(begin, position);
        }
    }
}

struct Visit<'v, F> {
    /// The level of the elements of each coordinate, which a multigraph has if its last level has pointers.
    elements: Option<&'v LevelView<'v>>,
    coordinates: &'v mut [u64],
    f: &'v mut F,
}

impl<F> Visit<'_, F> {
    /// Visits the elements below entry `parent` of the level before `groups`.
    fn descend<B>(&mut self, groups: &[Tuples], parent: usize) -> ControlFlow<B>
    where
        F: FnMut(&[u64], usize) -> ControlFlow<B>,
    {
        match groups {
            [] => ControlFlow::Continue(()),
            [Tuples { levels: [level], slots: [slot] }] => self.rows(level, *slot, parent..parent + 1, |_, _| {}),
            [last] => {
                let range = last.levels[0].range(parent);
                let begin = range.start;
                range.into_iter().try_for_each(|position| {
                    last.set(begin, position, self.coordinates);
                    self.leaf(position)
                })
            }
            [outer, Tuples { levels: [level], slots: [slot] }] => {
                let range = outer.levels[0].range(parent);
                let begin = range.start;
                self.rows(level, *slot, range, |position, coordinates| outer.set(begin, position, coordinates))
            }
            [outer, inner @ ..] => {
                let range = outer.levels[0].range(parent);
                let begin = range.start;
                range.into_iter().try_for_each(|position| {
                    outer.set(begin, position, self.coordinates);
                    self.descend(inner, position)
                })
            }
        }
    }

    /// Visits the elements below `parents`, the entries of the level before the last; `set` writes the coordinates of each
    /// parent. There is one loop over a slice for each width.
    #[inline(always)]
    fn rows<B>(&mut self, level: &LevelView, slot: usize, parents: Range<usize>, set: impl Fn(usize, &mut [u64])) -> ControlFlow<B>
    where
        F: FnMut(&[u64], usize) -> ControlFlow<B>,
    {
        match level.stored() {
            Some(stored) => with_indices!(stored.indices, array => {
                let array = &array[..];
                for parent in parents {
                    set(parent, self.coordinates);
                    let range = level.range(parent);
                    let row = array.get(range.clone()).unwrap_or(&[]);
                    for (coordinate, position) in row.iter().zip(range.start..) {
                        self.coordinates[slot] = coordinate.to_u64();
                        self.leaf(position)?;
                    }
                }
                ControlFlow::Continue(())
            }),
            None => {
                for parent in parents {
                    set(parent, self.coordinates);
                    let range = level.range(parent);
                    for position in range.clone() {
                        self.coordinates[slot] = level.at(range.start, position);
                        self.leaf(position)?;
                    }
                }
                ControlFlow::Continue(())
            }
        }
    }

    /// Visits the elements of an entry of the last level.
    #[inline(always)]
    fn leaf<B>(&mut self, entry: usize) -> ControlFlow<B>
    where
        F: FnMut(&[u64], usize) -> ControlFlow<B>,
    {
        match self.elements {
            None => (self.f)(self.coordinates, entry),
            Some(elements) => elements.range(entry).try_for_each(|element| (self.f)(self.coordinates, element)),
        }
    }
}
