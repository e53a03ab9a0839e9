//! Accumulates one row of a product of sparse matrices: its columns and their sums, or only their number.

use super::Scalar;
use alloc::vec;
use alloc::vec::Vec;
use layout_levels::Index;

/// Up to this number of columns, a row is counted with one bit per column (2 MB). With more columns, short rows are
/// hashed.
const BITS: u64 = 1 << 24;

/// The set of columns of one row, to count them.
pub(super) enum SymbolicRow<I> {
    /// One bit per column.
    Bits(Vec<u64>),
    Hashed(ColumnTable<I>),
}

impl<I: Index> SymbolicRow<I> {
    /// Returns an empty set for rows of at most `most` products, in a matrix of `columns` columns.
    pub fn new(columns: u64, most: usize) -> Self {
        match columns > BITS && ColumnTable::<I>::hashes(columns, most) {
            true => SymbolicRow::Hashed(ColumnTable::new(columns, most)),
            false => SymbolicRow::Bits(vec![0; columns.div_ceil(64) as usize]),
        }
    }
}

/// Sets the bit of a column. Returns 1 if it was clear before, else 0.
#[inline(always)]
pub(super) fn set(bits: &mut [u64], column: usize) -> usize {
    let (word, bit) = (&mut bits[column / 64], column % 64);
    let before = *word >> bit & 1;
    *word |= 1 << bit;
    1 - before as usize
}

/// The sums of one row.
pub(super) enum Accumulator<I, T> {
    DenseAccumulator(DenseAccumulator<T>),
    ListAccumulator(ListAccumulator<I>),
}

impl<I: Index, T: Scalar> Accumulator<I, T> {
    /// Returns an empty accumulator for rows of at most `most` products, in a matrix of `columns` columns. With `sorted`, the
    /// columns of a row come out in increasing order.
    pub fn new(columns: u64, most: usize, sorted: bool) -> Self {
        /// The bytes of sums that fit a second-level cache, or nearly so.
        const NEAR: u64 = 1 << 22;
        match sorted && columns.saturating_mul(size_of::<T>() as u64) <= NEAR {
            true => Accumulator::DenseAccumulator(DenseAccumulator::new(columns as usize)),
            false => Accumulator::ListAccumulator(ListAccumulator {
                table: ColumnTable::new(columns, most),
                count: 0,
                order: sorted.then(Vec::new),
            }),
        }
    }
}

/// A dense array of one sum per column. Two levels of bits mark the columns that occur: one bit per column, and one
/// bit per 64 columns. The columns come out in order without a sort, and an addition takes no branch.
pub(super) struct DenseAccumulator<T> {
    sums: Vec<T>,
    marks: Vec<u64>,
    groups: Vec<u64>,
    /// The indices of the words of `marks` that are not 0.
    words: Vec<u32>,
}

impl<T: Scalar> DenseAccumulator<T> {
    fn new(columns: usize) -> Self {
        let marks = columns.div_ceil(64);
        DenseAccumulator {
            sums: vec![T::ZERO; columns],
            marks: vec![0; marks],
            groups: vec![0; marks.div_ceil(64)],
            words: vec![0; marks + 1],
        }
    }

    /// Adds `value` to the sum of a column.
    #[inline(always)]
    pub fn add(&mut self, column: usize, value: T) {
        self.sums[column] = self.sums[column].plus(value);
        self.marks[column / 64] |= 1 << (column % 64);
        self.groups[column / 4096] |= 1 << (column / 64 % 64);
    }

    /// Moves the columns in increasing order to the front of `columns` and their sums to the front of `values`, and clears the
    /// accumulator. Returns the number of columns, at most `most`. `columns` must have room for one more.
    #[inline(always)]
    pub fn take<I: Index>(&mut self, most: usize, columns: &mut [I], values: &mut [T]) -> usize {
        let DenseAccumulator { sums, marks, groups, words } = self;
        let (mut count, mut end) = (0, 0);
        for (k, group) in groups.iter_mut().enumerate() {
            count = spread::<4, _>(core::mem::take(group), 64 * k, words, count);
        }
        let mut take = |word: u32| (core::mem::take(&mut marks[word as usize]), 64 * word as usize);
        // If most words have one bit, the branch on a second one is seldom mispredicted.
        if 4 * most < 5 * count {
            words[..count].iter().for_each(|word| {
                end = {
                    let (word, base) = take(*word);
                    spread::<1, _>(word, base, columns, end)
                }
            });
        } else {
            words[..count].iter().for_each(|word| {
                end = {
                    let (word, base) = take(*word);
                    spread::<4, _>(word, base, columns, end)
                }
            });
        }
        for (value, column) in values.iter_mut().zip(&columns[..end]) {
            *value = core::mem::replace(&mut sums[column.to_usize()], T::ZERO);
        }
        end
    }
}

/// Writes the index of each set bit of a word, plus `base`, to `out` from position `at` on. Returns the position after the
/// last index.
///
/// It writes `STEP` at a time. With four, few words have more bits, and a branch on their number would be mispredicted. It also
/// writes one element past the end.
#[inline(always)]
fn spread<const STEP: usize, N: Index>(mut word: u64, base: usize, out: &mut [N], mut at: usize) -> usize {
    loop {
        for _ in 0..STEP {
            out[at] = N::from_low_bits(base as u64 + u64::from(word.trailing_zeros()));
            at += usize::from(word != 0);
            word &= word.wrapping_sub(1);
        }
        if word == 0 {
            return at;
        }
    }
}

/// A list of columns and their sums, in the order in which the columns first occur.
pub(super) struct ListAccumulator<I> {
    table: ColumnTable<I>,
    /// The number of columns so far.
    count: usize,
    /// Memory to sort the columns, each with the index of its sum; `None` if they stay in order of first occurrence.
    order: Option<Vec<(I, u32)>>,
}

impl<I: Index> ListAccumulator<I> {
    /// Begins a row of at most `most` columns.
    pub fn open(&mut self, most: usize) {
        self.table.open(most);
        self.count = 0;
    }

    /// Adds `value` to the sum of a column. `columns` and `sums` hold the list, and zeros after it.
    #[inline(always)]
    pub fn add<T: Scalar>(&mut self, column: I, value: T, columns: &mut [I], sums: &mut [T]) {
        let place = self.table.place(column, self.count);
        columns[place] = column;
        sums[place] = sums[place].plus(value);
        self.count += usize::from(place == self.count);
    }

    /// Ends a row: sorts the list if it is to be sorted, and returns its length.
    pub fn close<T: Scalar>(&mut self, columns: &mut [I], sums: &mut [T]) -> usize {
        let (columns, sums) = (&mut columns[..self.count], &mut sums[..self.count]);
        self.table.close(columns.iter().copied());
        if let Some(order) = &mut self.order {
            order.clear();
            order.extend(columns.iter().copied().zip(0..));
            order.sort_unstable_by_key(|(column, _)| *column);
            let unsorted = sums.to_vec();
            for ((column, sum), (sorted, place)) in columns.iter_mut().zip(sums).zip(&*order) {
                (*column, *sum) = (*sorted, unsorted[*place as usize]);
            }
        }
        self.count
    }
}

/// A map from the columns of a row to numbers from 0 up: an array over all columns, or a hash table if there are many
/// more columns than products in a row.
pub(super) struct ColumnTable<I> {
    /// One more than the number of a column, indexed by column or by hash. 0 is an empty slot.
    slots: Vec<u32>,
    /// The column of each slot, if columns are hashed.
    keys: Vec<I>,
    /// The index of the last slot that the open row uses, if columns are hashed.
    mask: usize,
    hashed: bool,
}

impl<I: Index> ColumnTable<I> {
    pub fn new(columns: u64, most: usize) -> Self {
        let hashed = Self::hashes(columns, most);
        let len = if hashed { Self::slots(most) } else { columns as usize };
        ColumnTable { slots: vec![0; len], keys: if hashed { vec![I::default(); len] } else { Vec::new() }, mask: 0, hashed }
    }

    /// Returns the number of hash slots for rows of at most `most` products.
    fn slots(most: usize) -> usize {
        most.saturating_mul(2).next_power_of_two()
    }

    /// Returns true if columns are hashed. They are if there are more than 4096, and more than hash slots for rows of at most
    /// `most` products.
    fn hashes(columns: u64, most: usize) -> bool {
        columns > Self::slots(most) as u64 && columns > 1 << 12
    }

    /// Begins a row of at most `most` columns.
    pub fn open(&mut self, most: usize) {
        self.mask = (2 * most).next_power_of_two() - 1;
    }

    /// Returns the number of a column. A column without a number gets the number `place`.
    #[inline(always)]
    pub fn place(&mut self, column: I, place: usize) -> usize {
        let mut at = column.to_usize();
        if self.hashed {
            at = (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_shr(32) as usize & self.mask;
            while self.slots[at] != 0 && self.keys[at] != column {
                at = (at + 1) & self.mask;
            }
            self.keys[at] = column;
        }
        let slot = &mut self.slots[at];
        if *slot == 0 {
            *slot = place as u32 + 1;
        }
        *slot as usize - 1
    }

    /// Ends a row, and clears its slots. `columns` must be all columns that have a number, unless columns are hashed.
    pub fn close(&mut self, columns: impl Iterator<Item = I>) {
        if self.hashed {
            self.slots[..=self.mask].fill(0);
        } else {
            columns.for_each(|column| self.slots[column.to_usize()] = 0);
        }
    }
}
