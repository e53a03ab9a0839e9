//! Maps before levels: coordinates taken apart into digits, and put together as other coordinates.

use crate::{FormatError, Indices, TensorError, Width, with_indices};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::memory::try_repeated;
use array_kernels::parallel;
use array_kernels::with_width;
use layout_core::FastDiv64;
use layout_levels::Index;

/// The bits of a word of a key: coordinates stay below extents that are numbers of 64 bits.
const WORD: u32 = 63;

/// A digit `(x / step) % count` of a coordinate `x` of an axis, which counts `weight` in a coordinate that is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Digit {
    /// The axis that it is a digit of.
    pub axis: usize,
    /// What it counts there.
    pub step: u64,
    /// The number of its values.
    pub count: u64,
    /// The stored coordinate that it is a digit of too.
    pub target: usize,
    /// What it counts there.
    pub weight: u64,
}

/// A one-to-one map of coordinates to those that levels store: every digit of each goes to one place of the others, or each becomes a diagonal.
///
/// The stored coordinates of blocks are `x / B` and `x % B`: two digits an axis, each a coordinate of its own. A linearised key is one coordinate made of
/// single bits. The way back is linear: `x = sum of digit * step`.
///
/// ```
/// use sparse_formats::AxisMap;
/// let blocks = AxisMap::blocks(&[7, 5], &[3, 2])?;
/// assert_eq!(blocks.extents(), [3, 3, 3, 2]);
/// assert_eq!((blocks.forward(&[5, 4]), blocks.backward(&[1, 2, 2, 0])), (vec![1, 2, 2, 0], vec![5, 4]));
/// assert_eq!(blocks.to_string(), "(x0/3, x1/2, x0%3, x1%2)");
/// let key = AxisMap::linearised(&[4, 8, 2])?;
/// assert_eq!((key.mask(0), key.mask(1), key.mask(2)), (vec![10], vec![52], vec![1]));
/// # Ok::<(), sparse_formats::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct AxisMap {
    shape: Vec<u64>,
    extents: Vec<u64>,
    digits: Vec<Digit>,
    /// Every coordinate but the last is stored as the diagonal that it is on with the last.
    diagonal: bool,
}

impl AxisMap {
    /// The map of coordinates in `shape` to `targets` coordinates by these digits.
    ///
    /// # Errors
    /// Digits that leave a gap in an axis or in a target, overlap there, or do not reach the extent of their axis; extents of more than 64 bits.
    pub fn new(shape: &[u64], targets: usize, digits: Vec<Digit>) -> Result<AxisMap, FormatError> {
        for digit in &digits {
            if digit.axis >= shape.len() || digit.target >= targets {
                return Err(FormatError::Digit { axis: digit.axis, axes: shape.len(), target: digit.target, targets });
            }
        }
        // How far the numbers of these digits reach, if each begins where those below it end.
        let number = |places: Vec<(u64, u64)>| {
            let mut places = places;
            places.sort_unstable();
            places.iter().try_fold(1u128, |end, (step, count)| {
                (u128::from(*step) == end).then(|| end.saturating_mul(u128::from(*count).max(1))).filter(|end| *end <= 1 << 64)
            })
        };
        for (axis, extent) in shape.iter().enumerate() {
            let of: Vec<_> = digits.iter().filter(|digit| digit.axis == axis).map(|digit| (digit.step, digit.count)).collect();
            let empty = of.iter().any(|(_, count)| *count == 0);
            match number(of) {
                Some(reach) if if empty { *extent == 0 } else { reach >= u128::from(*extent) } => {}
                reach => return Err(FormatError::Digits { what: "axis", number: axis, reach, extent: *extent }),
            }
        }
        let mut extents = Vec::with_capacity(targets);
        for target in 0..targets {
            let of: Vec<_> = digits.iter().filter(|digit| digit.target == target).map(|digit| (digit.weight, digit.count)).collect();
            let empty = of.iter().any(|(_, count)| *count == 0);
            let reach = number(of);
            match reach.map(u64::try_from) {
                Some(Ok(extent)) => extents.push(if empty { 0 } else { extent }),
                _ => return Err(FormatError::Digits { what: "target", number: target, reach, extent: u64::MAX }),
            }
        }
        Ok(AxisMap { shape: shape.to_vec(), extents, digits, diagonal: false })
    }

    /// Every coordinate as it is.
    pub fn identity(shape: &[u64]) -> AxisMap {
        let digit = |(axis, extent): (usize, &u64)| Digit { axis, step: 1, count: *extent, target: axis, weight: 1 };
        let digits = shape.iter().enumerate().map(digit).collect();
        AxisMap { shape: shape.to_vec(), extents: shape.to_vec(), digits, diagonal: false }
    }

    /// Diagonals: the last coordinate as it is, and in place of each other one its distance to the last, `x_last - x + extent - 1`, which is not negative.
    ///
    /// ```
    /// use sparse_formats::AxisMap;
    /// let map = AxisMap::diagonals(&[3, 4])?;
    /// assert_eq!((map.extents(), map.to_string().as_str()), (&[6, 4][..], "(x1 - x0 + 2, x1)"));
    /// assert_eq!((map.forward(&[2, 0]), map.backward(&[3, 3])), (vec![0, 0], vec![2, 3]));
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    ///
    /// # Errors
    /// Fewer than two axes, or two extents whose sum has more than 64 bits.
    pub fn diagonals(shape: &[u64]) -> Result<AxisMap, FormatError> {
        let Some((last, others @ [_, ..])) = shape.split_last() else {
            return Err(FormatError::Parameter { name: "shape", given: shape.to_vec(), expected: "two axes or more" });
        };
        let diagonals = |(number, extent): (usize, &u64)| match extent.min(last) {
            0 => Ok(0),
            _ => (extent - 1).checked_add(*last).ok_or(FormatError::Digits { what: "target", number, reach: None, extent: *extent }),
        };
        let extents: Vec<u64> = others.iter().enumerate().map(diagonals).chain([Ok(*last)]).collect::<Result<_, _>>()?;
        Ok(AxisMap { shape: shape.to_vec(), diagonal: true, ..AxisMap::identity(&extents) })
    }

    /// Returns true if every coordinate but the last is stored as a diagonal.
    pub fn is_diagonal(&self) -> bool {
        self.diagonal
    }

    /// Replaces coordinates by their diagonals, and diagonals by coordinates: the same formula.
    fn reflect(&self, coordinates: &mut [u64]) {
        if let (true, Some((last, others))) = (self.diagonal, coordinates.split_last_mut()) {
            let along = |(x, extent): (&mut u64, &u64)| *x = last.wrapping_sub(*x).wrapping_add(extent - 1);
            others.iter_mut().zip(&self.shape).filter(|(_, extent)| **extent > 0).for_each(along);
        }
    }

    /// [`AxisMap::reflect`] of columns. A number that is not below its extent becomes the extent.
    fn reflected(&self, columns: &[Indices], extents: &[u64]) -> Result<Vec<Indices<'static>>, TensorError> {
        let len = columns.first().map_or(0, Indices::len);
        let memory = || TensorError::Memory { elements: len };
        let last = columns.last().map_or(Some(alloc::borrow::Cow::Borrowed(&[][..])), Indices::cast::<u64>).ok_or_else(memory)?;
        let of = |(axis, column): (usize, &Indices)| {
            let (extent, most) = (extents[axis], self.shape[axis].wrapping_sub(1));
            if axis + 1 == columns.len() {
                return Ok(column.clone().into_owned());
            }
            Ok(with_width!(Width::of(extent), T => {
                let mut out: Vec<T> = try_repeated(T::default(), len).ok_or_else(memory)?;
                with_indices!(column, column => for ((slot, x), last) in out.iter_mut().zip(column.iter()).zip(&*last) {
                    *slot = T::from_low_bits(last.wrapping_sub(x.to_u64()).wrapping_add(most).min(extent));
                });
                Indices::from(out)
            }))
        };
        columns.iter().enumerate().map(of).collect()
    }

    /// Blocks with these edges, aligned at 0: the coordinates of the block, `x / edge`, then those in the block, `x % edge`.
    ///
    /// # Errors
    /// Another number of edges than of axes, an edge of 0.
    pub fn blocks(shape: &[u64], edges: &[u64]) -> Result<AxisMap, FormatError> {
        AxisMap::nested(shape, &[edges])
    }

    /// Blocks in blocks: coordinates by the first edges, then of each next in those before, last the ones in the innermost blocks.
    ///
    /// # Errors
    /// Another number of edges than of axes, an edge of 0, an edge that does not divide the one before.
    pub fn nested(shape: &[u64], edges: &[&[u64]]) -> Result<AxisMap, FormatError> {
        let rank = shape.len();
        let mut digits = Vec::with_capacity(rank * (edges.len() + 1));
        for (k, of) in edges.iter().enumerate() {
            if of.len() != rank || of.contains(&0) {
                return Err(FormatError::Parameter { name: "edges", given: of.to_vec(), expected: "one above 0 for each axis" });
            }
            if k > 0 && edges[k - 1].iter().zip(*of).any(|(outer, inner)| outer % inner != 0) {
                return Err(FormatError::Parameter {
                    name: "edges",
                    given: of.to_vec(),
                    expected: "divisors of those of the blocks around",
                });
            }
        }
        for k in 0..=edges.len() {
            for (axis, extent) in shape.iter().enumerate() {
                let step = edges.get(k).map_or(1, |edges| edges[axis]);
                let count = if k == 0 { extent.div_ceil(step) } else { edges[k - 1][axis] / step };
                digits.push(Digit { axis, step, count, target: k * rank + axis, weight: 1 });
            }
        }
        AxisMap::new(shape, rank * (edges.len() + 1), digits)
    }

    /// One key of all bits, dealt from the lowest: in each round the axes that have bits left, those with the fewest first (ALTO, Helal et al., 2021).
    ///
    /// Keys of more than 63 bits are several coordinates, the highest bits first.
    pub fn linearised(shape: &[u64]) -> Result<AxisMap, FormatError> {
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        axes.sort_by_key(|axis| bits(shape[*axis]));
        AxisMap::dealt(shape, &axes)
    }

    /// One key of all bits, interleaved from the highest, at each place the first axis first: the Morton order.
    pub fn interleaved(shape: &[u64]) -> Result<AxisMap, FormatError> {
        AxisMap::dealt(shape, &(0..shape.len()).rev().collect::<Vec<_>>())
    }

    /// The bits of all axes in words, dealt from the lowest in rounds of this order.
    fn dealt(shape: &[u64], axes: &[usize]) -> Result<AxisMap, FormatError> {
        let total: u32 = shape.iter().map(|extent| bits(*extent)).sum();
        let words = total.div_ceil(WORD).max(1) as usize;
        let mut digits: Vec<Digit> = Vec::new();
        let mut at = 0;
        for round in 0..u64::BITS {
            for &axis in axes.iter().filter(|axis| bits(shape[**axis]) > round) {
                let (target, weight) = (words - 1 - (at / WORD) as usize, 1 << (at % WORD));
                at += 1;
                match digits.last_mut() {
                    // Bits that stay together are one digit.
                    Some(last) if last.axis == axis && last.target == target => last.count *= 2,
                    _ => digits.push(Digit { axis, step: 1 << round, count: 2, target, weight }),
                }
            }
        }
        AxisMap::new(shape, words, digits)
    }

    /// The extents of the coordinates that are mapped.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The extents of the coordinates that are stored.
    pub fn extents(&self) -> &[u64] {
        &self.extents
    }

    /// The digits.
    pub fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// Tests whether every coordinate is stored as it is.
    pub fn is_identity(&self) -> bool {
        !self.diagonal
            && self.shape == self.extents
            && self.digits.iter().all(|digit| digit.axis == digit.target && digit.step == 1 && digit.weight == 1)
    }

    /// The stored coordinates of a coordinate in the shape.
    pub fn forward(&self, coordinate: &[u64]) -> Vec<u64> {
        if self.diagonal {
            let mut out = coordinate.to_vec();
            self.reflect(&mut out);
            return out;
        }
        let mut out = vec![0; self.extents.len()];
        for digit in &self.digits {
            out[digit.target] += coordinate[digit.axis] / digit.step % digit.count.max(1) * digit.weight;
        }
        out
    }

    /// The coordinate of stored ones; it may be beyond the shape, where digits count further than the extent.
    pub fn backward(&self, stored: &[u64]) -> Vec<u64> {
        let mut out = vec![0; self.shape.len()];
        self.backward_into(stored, &mut out);
        out
    }

    /// [`AxisMap::backward`] into a slice.
    pub(crate) fn backward_into(&self, stored: &[u64], out: &mut [u64]) {
        out.fill(0);
        for digit in &self.digits {
            out[digit.axis] += stored[digit.target] / digit.weight % digit.count.max(1) * digit.step;
        }
        self.reflect(out);
    }

    /// The bits of an axis in each stored coordinate, where all digits count powers of two.
    pub fn mask(&self, axis: usize) -> Vec<u64> {
        let mut out = vec![0; self.extents.len()];
        let of = self.digits.iter().filter(|digit| digit.axis == axis);
        of.for_each(|digit| out[digit.target] |= digit.count.saturating_sub(1).wrapping_mul(digit.weight));
        out
    }

    /// The columns of stored coordinates of these columns, one for each axis, which are in range.
    ///
    /// # Errors
    /// Memory has no room for them.
    pub fn forward_columns(&self, columns: &[Indices]) -> Result<Vec<Indices<'static>>, TensorError> {
        if self.diagonal {
            return self.reflected(columns, &self.extents);
        }
        let place = |digit: &Digit| (digit.target, digit.weight, digit.axis, digit.step);
        moved(&self.digits, columns, &self.extents, &self.shape, place)
    }

    /// The columns of the coordinates of stored ones. They are cut to the width of the extents: what is beyond them is for the caller to find.
    ///
    /// # Errors
    /// Memory has no room for them.
    pub fn backward_columns(&self, stored: &[Indices]) -> Result<Vec<Indices<'static>>, TensorError> {
        if self.diagonal {
            return self.reflected(stored, &self.shape);
        }
        // Digits may count beyond the extent.
        let reach: Vec<u64> = (0..self.shape.len()).map(|axis| self.reach(axis)).collect();
        let place = |digit: &Digit| (digit.axis, digit.step, digit.target, digit.weight);
        moved(&self.digits, stored, &reach, &self.extents, place)
    }

    /// The numbers that the digits of an axis make are below this.
    pub(crate) fn reach(&self, axis: usize) -> u64 {
        let of = self.digits.iter().filter(|digit| digit.axis == axis);
        of.fold(1, |reach: u64, digit| reach.saturating_mul(digit.count.max(1)))
    }
}

/// `(to, weight, from, step)` of each digit: adds `weight` times the digit of column `from` to column `to`.
fn moved(
    digits: &[Digit],
    columns: &[Indices],
    extents: &[u64],
    sources: &[u64],
    place: impl Fn(&Digit) -> (usize, u64, usize, u64) + Sync,
) -> Result<Vec<Indices<'static>>, TensorError> {
    let len = columns.first().map_or(0, Indices::len);
    let of = |(target, extent): (usize, &u64)| {
        Ok(with_width!(Width::below(*extent), T => {
            let mut out: Vec<T> = try_repeated(T::default(), len).ok_or(TensorError::Memory { elements: len })?;
            parallel::each(&mut out, |start, out| {
                for (tile, out) in out.chunks_mut(parallel::TILE).enumerate() {
                    let start = start + tile * parallel::TILE;
                    for digit in digits.iter().filter(|digit| place(digit).0 == target) {
                        let (_, weight, from, step) = place(digit);
                        // The last digit of a coordinate is what is left of it.
                        let whole = u128::from(step) * u128::from(digit.count) >= u128::from(sources[from]);
                        let take = Take::new(step, if whole { 0 } else { digit.count });
                        with_indices!(&columns[from], column => take.add(&column[start..start + out.len()], weight, out));
                    }
                }
            });
            Indices::from(out)
        }))
    };
    extents.iter().enumerate().map(of).collect()
}

/// How a digit is taken out of a number.
enum Take {
    /// Bits.
    Bits { shift: u32, mask: u64 },
    /// By divisions; `count` 0 takes all that is left.
    Number { step: FastDiv64, count: FastDiv64, whole: bool },
}

impl Take {
    fn new(step: u64, count: u64) -> Take {
        if step.is_power_of_two() && (count == 0 || count.is_power_of_two()) {
            return Take::Bits { shift: step.trailing_zeros(), mask: count.wrapping_sub(1) };
        }
        Take::Number { step: FastDiv64::total(step), count: FastDiv64::total(count), whole: count == 0 }
    }

    #[inline(always)]
    fn add<S: Index, T: Index>(&self, column: &[S], weight: u64, out: &mut [T]) {
        let mut add = |take: &dyn Fn(u64) -> u64| {
            for (slot, x) in out.iter_mut().zip(column) {
                *slot = T::from_low_bits(slot.to_u64().wrapping_add(take(x.to_u64()).wrapping_mul(weight)));
            }
        };
        match self {
            Take::Bits { shift, mask } => {
                for (slot, x) in out.iter_mut().zip(column) {
                    *slot = T::from_low_bits(slot.to_u64().wrapping_add(((x.to_u64() >> shift) & mask).wrapping_mul(weight)));
                }
            }
            Take::Number { step, whole: true, .. } => add(&|x| step.quotient(x)),
            Take::Number { step, count, .. } => add(&|x| count.remainder(step.quotient(x))),
        }
    }
}

/// The bits of the coordinates below an extent.
pub(crate) fn bits(extent: u64) -> u32 {
    u64::BITS - extent.saturating_sub(1).leading_zeros()
}

/// What each stored coordinate is: `(x0/3, x1/2, x0%3, x1%2)`.
impl core::fmt::Display for AxisMap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("(")?;
        if let (true, Some((_, others))) = (self.diagonal, self.shape.split_last()) {
            let last = others.len();
            others.iter().enumerate().try_for_each(|(axis, extent)| write!(f, "x{last} - x{axis} + {}, ", extent.saturating_sub(1)))?;
            return write!(f, "x{last})");
        }
        for target in 0..self.extents.len() {
            let mut of: Vec<&Digit> = self.digits.iter().filter(|digit| digit.target == target).collect();
            of.sort_by_key(|digit| core::cmp::Reverse(digit.weight));
            f.write_str(if target == 0 { "" } else { ", " })?;
            if of.is_empty() {
                f.write_str("0")?;
            }
            for (k, digit) in of.iter().enumerate() {
                let Digit { axis, step, count, weight, .. } = **digit;
                write!(f, "{}x{axis}", if k == 0 { "" } else { " + " })?;
                if step != 1 {
                    write!(f, "/{step}")?;
                }
                if u128::from(step) * u128::from(count) < u128::from(self.reach(axis)) {
                    write!(f, "%{count}")?;
                }
                if weight != 1 {
                    write!(f, "*{weight}")?;
                }
            }
        }
        f.write_str(")")
    }
}
