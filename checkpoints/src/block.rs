//! Blocks of tensors: boxes of indices that are read, cast and written at once.
//!
//! A block fixes the indices of some first axes, has a range of the next axis, and all indices of the others. A rank stores its
//! part row by row with ascending indices, so it has its share of a block in one stretch of its file, whatever the splits are.

/// The range of indices of a block, on each axis.
pub(crate) type Block = Vec<[i64; 2]>;

/// Returns the blocks of a tensor, in the order of its elements: each has at most `most` elements.
pub(crate) fn blocks(shape: &[i64], most: i64) -> Vec<Block> {
    let mut out = vec![];
    if shape.iter().all(|extent| *extent > 0) {
        divide(shape, most.max(1), &mut vec![], &mut out);
    }
    out
}

fn divide(shape: &[i64], most: i64, first: &mut Block, out: &mut Vec<Block>) {
    let whole = |block: &Block| [block.as_slice(), &shape[block.len()..].iter().map(|extent| [0, *extent]).collect::<Vec<_>>()].concat();
    let Some(extent) = shape.get(first.len()).copied() else { return out.push(first.clone()) };
    let row: i64 = shape[first.len() + 1..].iter().product();
    // Rows that are too long are divided by themselves.
    let (step, inside) = if row > most { (1, true) } else { ((most / row).min(extent), false) };
    let mut at = 0;
    while at < extent {
        first.push([at, (at + step).min(extent)]);
        if inside {
            divide(shape, most, first, out);
        } else {
            out.push(whole(first));
        }
        first.pop();
        at += step;
    }
}

/// Returns the number of elements of a block.
pub(crate) fn elements(block: &Block) -> i64 {
    block.iter().map(|[lo, hi]| hi - lo).product()
}

/// The ranges of indices of a part, on each axis.
pub(crate) type Ranges = Vec<Vec<[i64; 2]>>;

/// A part of a tensor in one file.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The number of the file.
    pub file: usize,
    /// The position of the first byte in the file.
    pub offset: u64,
    /// The ranges of indices, on each axis.
    pub ranges: Ranges,
}

/// The share of a part in a block: a stretch of the file, and its ranges within the block.
pub(crate) struct Share {
    /// The number of elements of the part before the share.
    pub first: i64,
    /// The number of elements.
    pub len: i64,
    ranges: Ranges,
    extents: Vec<i64>,
}

impl Part {
    /// Returns the share of this part in a block, or `None` if it has nothing of the block.
    pub fn share(&self, block: &Block) -> Option<Share> {
        let (mut first, mut len, mut ranges) = (0, 1, vec![]);
        for (list, [lo, hi]) in self.ranges.iter().zip(block) {
            let extent: i64 = list.iter().map(|[start, stop]| stop - start).sum();
            let before: i64 = list.iter().map(|[start, stop]| stop.min(lo) - start.min(lo)).sum();
            let skipped = list.partition_point(|[_, stop]| stop <= lo);
            let inside = list[skipped..].iter().take_while(|[start, _]| start < hi);
            let inside: Vec<[i64; 2]> = inside.map(|[start, stop]| [start.max(lo) - lo, stop.min(hi) - lo]).collect();
            first = first * extent + before;
            len *= inside.iter().map(|[start, stop]| stop - start).sum::<i64>();
            ranges.push(inside);
        }
        (len > 0).then(|| Share { first, len, ranges, extents: block.iter().map(|[lo, hi]| hi - lo).collect() })
    }
}

impl Share {
    /// Calls `each` with every run of elements that the block has contiguously, in the order of the part: its position in the
    /// block and its length.
    pub fn runs(&self, each: &mut impl FnMut(usize, usize)) {
        let depth = self.depth();
        self.visit(0, depth, 0, each);
    }

    fn visit(&self, axis: usize, depth: usize, at: i64, each: &mut impl FnMut(usize, usize)) {
        let row: i64 = self.extents[axis + 1..].iter().product();
        for [start, stop] in &self.ranges[axis] {
            if axis == depth {
                each((at + start * row) as usize, ((stop - start) * row) as usize);
            } else {
                (*start..*stop).for_each(|index| self.visit(axis + 1, depth, at + index * row, each));
            }
        }
    }

    /// Returns the last axis on which the part lacks some of the block, or 0.
    fn depth(&self) -> usize {
        (0..self.extents.len()).rev().find(|axis| self.ranges[*axis] != [[0, self.extents[*axis]]]).unwrap_or(0)
    }

    /// Returns the position in the block if the block has the whole share contiguously.
    pub fn contiguous(&self) -> Option<usize> {
        let depth = self.depth();
        let single = |list: &Vec<[i64; 2]>| list.iter().map(|[start, stop]| stop - start).sum::<i64>() == 1;
        let one = self.ranges[..depth].iter().all(single) && self.ranges[depth].len() == 1;
        let mut found = None;
        if one {
            self.runs(&mut |at, _| found = Some(at));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_a_tensor_in_order() {
        for (shape, most) in [(vec![7, 3], 6), (vec![1, 5, 4], 3), (vec![1], 1), (vec![2, 3, 4], 100), (vec![2, 0], 5), (vec![1, 1, 9], 4)]
        {
            let mut next = 0;
            for block in blocks(&shape, most) {
                assert!(elements(&block) <= most && elements(&block) > 0);
                let first = block.iter().zip(&shape).fold(0, |at, ([lo, _], extent)| at * extent + lo);
                assert_eq!(first, next, "{shape:?} {block:?}");
                next += elements(&block);
            }
            assert_eq!(next, shape.iter().product::<i64>());
        }
    }

    #[test]
    fn shares_are_stretches_of_their_part() {
        let part = Part { file: 0, offset: 0, ranges: vec![vec![[0, 2], [4, 6]], vec![[1, 3]]] };
        let share = part.share(&vec![[1, 5], [0, 4]]).expect("a share");
        let mut runs = vec![];
        share.runs(&mut |at, len| runs.push((at, len)));
        assert_eq!((share.first, share.len, runs), (2, 4, vec![(1, 2), (13, 2)]));
        assert_eq!(share.contiguous(), None);
        let rows = Part { file: 0, offset: 0, ranges: vec![vec![[2, 6]], vec![[0, 4]]] };
        assert_eq!(rows.share(&vec![[1, 5], [0, 4]]).and_then(|share| share.contiguous()), Some(4));
        assert!(rows.share(&vec![[0, 2], [0, 4]]).is_none());
    }
}
