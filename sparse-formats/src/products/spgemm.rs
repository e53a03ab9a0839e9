//! SpGEMM: multiplies two sparse matrices, row by row.

use super::accumulators::{Accumulator, ColumnTable, SymbolicRow, set};
use super::operands::REPORT_INTERVAL;
use super::{Scalar, SparseOperand, Watcher, whole};
use crate::kernels::prefetch::prefetch;
use crate::kernels::rows::{CompressedRows, in_width};
use crate::{Arrays, Format, Indices, OperationError, SparseTensor, SparsityPattern, Width};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::memory::try_repeated;
use array_kernels::{merge_path, parallel, with_width};
use core::ops::Range;
use layout_levels::Index;

/// The number of tasks per thread. Several tasks even out rows of different cost.
const TASKS: usize = 8;

/// The number of rows whose elements are counted to guess how many products share an element.
const SAMPLE: usize = 64;

/// The number of words that can be cleared in the time in which one product finds and clears its own.
const CLEARED: usize = 16;

/// The distance of row prefetches, in elements of the first matrix.
const AHEAD: usize = 8;

/// Computes `c[i, j] = sum of a[i, k] * b[k, j]` as a `C-S-R` matrix with sorted rows. Every coordinate with a
/// product is stored, even if its products cancel.
///
/// Rows are computed one by one (Gustavson, 1978). Products are added in the order of the elements of the row of `a`,
/// whatever the number of threads, and the columns of a row are sorted at its end. Operands in other formats are
/// first converted to compressed rows, and elements with the same coordinate are added.
///
/// If the first operand is `DC-S-R`, so is the product. Only rows with elements are visited and stored, which suits
/// matrices with many more rows than elements.
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, spgemm};
/// let columns: [Indices; 2] = [vec![0u8, 0, 1].into(), vec![0u8, 1, 1].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 2], &columns, vec![1, 2, 3])?;
/// assert_eq!(spgemm(&a, &a)?.values(), &vec![1, 8, 9].into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if an operand is not a matrix, if it stores no values or one triangle for both, if the inner extents
/// differ, or if memory has no room for the rows or elements.
pub fn spgemm<T: Scalar>(a: &impl SparseOperand<T>, b: &impl SparseOperand<T>) -> Result<SparseTensor<'static, T>, OperationError> {
    product(a, b, &Format::csr())
}

/// Computes the product of two sparse matrices as `C-S-R+unsorted(1)`: the elements of [`spgemm`], in each row in the
/// order of their first products.
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, spgemm, spgemm_unsorted};
/// let columns: [Indices; 2] = [vec![0u8, 0, 1, 2].into(), vec![1u8, 2, 2, 0].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[3, 3], &columns, vec![1, 2, 3, 4])?;
/// let c = spgemm_unsorted(&a, &a)?;
/// assert_eq!((c.format(), c.values()), (&"C-S-R+unsorted(1)".parse()?, &vec![3, 8, 12, 4, 8].into()));
/// assert_eq!(c.to_format(&Format::csr())?, spgemm(&a, &a)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error as [`spgemm`] does.
pub fn spgemm_unsorted<T: Scalar>(
    a: &impl SparseOperand<T>,
    b: &impl SparseOperand<T>,
) -> Result<SparseTensor<'static, T>, OperationError> {
    product(a, b, &Format::csr().with_unsorted(&[false, true])?)
}

/// Computes the product in `format`, compressed rows that are sorted or unsorted. Fails as `spgemm` does.
fn product<T: Scalar>(
    a: &impl SparseOperand<T>,
    b: &impl SparseOperand<T>,
    format: &Format,
) -> Result<SparseTensor<'static, T>, OperationError> {
    let ([_, inner], [other, columns]) = (matrix(a.shape())?, matrix(b.shape())?);
    if inner != other {
        return Err(OperationError::Operand { what: "other matrix", found: vec![other, columns], expected: vec![inner, columns] });
    }
    whole(a)?;
    whole(b)?;
    let (watcher, a, b) = (a.watcher(), by_rows(a, true, &Format::csr())?, chosen(b)?);
    if Width::below(inner.max(columns)) == Width::U64 {
        multiply::<u64, T>(&a, &b, format, watcher)
    } else {
        multiply::<u32, T>(&a, &b, format, watcher)
    }
}

/// Computes the product of two matrices in the pattern of an earlier product whose operands had the same patterns:
/// only the numeric phase runs.
///
/// The elements equal those of [`spgemm`] bit for bit. An element of the pattern without a product is 0.
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, spgemm, spgemm_values};
/// let columns: [Indices; 2] = [vec![0u8, 0, 1].into(), vec![0u8, 1, 1].into()];
/// let build = |values| Builder::new(Format::csr(), 0).build(&[2, 2], &columns, values);
/// let (a, b) = (build(vec![1, 2, 3])?, build(vec![4, 5, 6])?);
/// let c = spgemm(&a, &a)?;
/// assert_eq!(spgemm_values(&c, &a, &b)?, spgemm(&a, &b)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error as [`spgemm`] does, and also if the pattern has other extents, is neither `C-S-R` nor `DC-S-R`,
/// or lacks the coordinate of a product, or if `c` stores no values.
pub fn spgemm_values<'c, T: Scalar>(
    c: &SparseTensor<'c, T>,
    a: &impl SparseOperand<T>,
    b: &impl SparseOperand<T>,
) -> Result<SparseTensor<'c, T>, OperationError> {
    let ([rows, inner], [other, columns]) = (matrix(a.shape())?, matrix(b.shape())?);
    if inner != other {
        return Err(OperationError::Operand { what: "other matrix", found: vec![other, columns], expected: vec![inner, columns] });
    }
    let doubly = *c.format() == Format::dcsr();
    if !doubly && *c.format() != Format::csr() || c.shape() != [rows, columns] {
        return Err(OperationError::Operand { what: "pattern", found: c.shape().to_vec(), expected: vec![rows, columns] });
    }
    whole(a)?;
    whole(b)?;
    let (watcher, a, b) = (a.watcher(), by_rows(a, doubly, c.format())?, chosen(b)?);
    let wide = Width::below(inner.max(columns)) == Width::U64;
    let values = if wide { numeric::<u64, T>(c, &a, &b, watcher)? } else { numeric::<u32, T>(c, &a, &b, watcher)? };
    Ok(SparseTensor::new(c.shared_pattern(), values, T::ZERO).map_err(|rejected| rejected.error)?)
}

/// Returns the values of the product `a b` in the pattern of `c`. Fails if the pattern lacks the coordinate of a product, if
/// one of the three matrices stores no values, or if memory has no room.
fn numeric<I: Index, T: Scalar>(
    c: &SparseTensor<T>,
    a: &SparseTensor<T>,
    b: &SparseTensor<T>,
    watcher: Option<Watcher<'_>>,
) -> Result<Vec<T>, OperationError> {
    let (left, right, out) = (RowView::<I, T>::new(a)?, RowView::<I, T>::new(b)?, RowView::<I, T>::new(c)?);
    let left = left.choosing(&right);
    let (columns, products) = (b.shape()[1], left.products(&right));
    let mut values: Vec<T> = try_repeated(T::ZERO, c.stored()).ok_or(super::memory(c.stored()))?;
    let (mut rest, mut parts) = (&mut values[..], Vec::new());
    let mut base = 0;
    for rows in shares(&products).into_iter().map(|rows| rows.start.min(left.rows())..rows.end.min(left.rows())) {
        let end = if rows.end == left.rows() { c.stored() } else { out.start(left.number(rows.end)) };
        parts.push((rows, base, parallel::carve(&mut rest, end - base)));
        base = end;
    }
    let lacks = parallel::map(parts, |(rows, base, values)| {
        let place = |row: usize| out.range(out.place(left.number(row)));
        let room = |row: usize| products[row + 1] - products[row] + place(row).len();
        let mut table = ColumnTable::new(columns, rows.clone().map(room).max().unwrap_or(0));
        let mut lacks = None;
        let gone = left.pointers[rows.end] - left.pointers[rows.start];
        for row in rows {
            let range = place(row);
            let columns = &out.indices[range.clone()];
            let sums = &mut values[range.start - base..range.end - base];
            table.open(room(row));
            for (place, column) in columns.iter().enumerate() {
                table.place(*column, place);
            }
            left.each::<true>(row, &right, |value, of| {
                for (column, other) in right.indices[of.clone()].iter().zip(&right.values[of]) {
                    match sums.get_mut(table.place(*column, columns.len())) {
                        Some(sum) => *sum = sum.plus(value.times(*other)),
                        None => lacks = Some([left.number(row), column.to_u64()]),
                    }
                }
            });
            if lacks.is_some() {
                return lacks;
            }
            table.close(columns.iter().copied());
        }
        watcher.inspect(|watcher| watcher(gone as usize));
        None
    });
    match lacks.into_iter().flatten().next() {
        Some(found) => Err(OperationError::NoPlace { found: found.to_vec() }),
        None => Ok(values),
    }
}

/// Returns the numbers of rows and columns. Fails unless `shape` has two extents.
fn matrix(shape: &[u64]) -> Result<[u64; 2], OperationError> {
    <[u64; 2]>::try_from(shape).map_err(|_| OperationError::KernelRank { found: shape.len(), expected: 2 })
}

/// Returns the matrix by rows: borrows it if it is stored by rows, and converts it to `format` otherwise. With
/// `doubly`, a matrix that stores only rows with elements is borrowed too. Fails if memory has no room.
fn by_rows<'a, T: Scalar>(
    a: &'a impl SparseOperand<T>,
    doubly: bool,
    format: &Format,
) -> Result<Cow<'a, SparseTensor<'a, T>>, OperationError> {
    let fits = |format: &Format| *format == Format::csr() || doubly && *format == Format::dcsr();
    match a.tensors()[..] {
        [(None, tensor)] if fits(tensor.format()) => Ok(Cow::Borrowed(tensor)),
        _ => Ok(Cow::Owned(a.gathered(format)?)),
    }
}

/// Returns the second operand by rows. If it is not `C-S-R` and has many more rows than elements, converts it to
/// `DC-S-R`, which stores only rows with elements. Fails if memory has no room.
fn chosen<'a, T: Scalar>(b: &'a impl SparseOperand<T>) -> Result<Cow<'a, SparseTensor<'a, T>>, OperationError> {
    /// The number of rows per element from which pointers for all rows cost more than a search for the rows with
    /// elements.
    const MANY: u64 = 8;
    let elements: usize = b.tensors().iter().map(|(_, tensor)| tensor.stored()).sum();
    let plain = matches!(b.tensors()[..], [(None, tensor)] if *tensor.format() == Format::csr());
    match !plain && b.shape()[0] / MANY > elements as u64 {
        true => Ok(Cow::Owned(b.gathered(&Format::dcsr())?)),
        false => by_rows(b, true, &Format::csr()),
    }
}

/// Computes the product row by row. `I` must hold the columns of both matrices. Fails if an operand stores no values, or memory
/// has no room.
fn multiply<I: Index, T: Scalar>(
    a: &SparseTensor<T>,
    b: &SparseTensor<T>,
    format: &Format,
    watcher: Option<Watcher<'_>>,
) -> Result<SparseTensor<'static, T>, OperationError> {
    let (left, right) = (RowView::<I, T>::new(a)?, RowView::<I, T>::new(b)?);
    let left = left.choosing(&right);
    let (rows, columns) = (a.shape()[0], b.shape()[1]);
    let products = left.products(&right);
    let most = |row: usize| (products[row + 1] - products[row]).min(usize::try_from(columns).unwrap_or(usize::MAX));
    let widest = |rows: &Range<usize>| rows.clone().map(most).max().unwrap_or(0);
    let count = |rows: &mut dyn Iterator<Item = usize>, seen: &mut SymbolicRow<I>| -> usize {
        let count = |row| {
            // No element is done yet, but a watcher may end the work.
            watcher.inspect(|watcher| watcher(0));
            left.count(row, &right, most(row), seen)
        };
        rows.map(count).sum()
    };
    // Each product gets room for an element if memory has it, and if at most an eighth of that stays empty in rows whose number
    // of products is not below the average by much.
    let shares = shares(&products);
    let bounds: Vec<usize> = shares.iter().map(|rows| rows.clone().map(most).sum()).collect();
    let (bound, step) = (bounds.iter().sum::<usize>(), left.rows() / SAMPLE);
    let sample = || (0..left.rows()).step_by(step.max(1));
    let sampled: usize = sample().map(most).sum();
    let distinct = step > 0 && sampled >= bound / step / 2 && array_kernels::memory::room::<T>(bound).is_some() && {
        let mut seen = SymbolicRow::new(columns, sample().map(most).max().unwrap_or(0));
        count(&mut sample(), &mut seen) >= sampled / 8 * 7
    };
    let bounds = match distinct {
        true => bounds,
        false => parallel::map(shares.clone(), |mut rows| {
            let mut seen = SymbolicRow::new(columns, widest(&rows));
            count(&mut rows, &mut seen)
        }),
    };
    let tasks = shares.into_iter().zip(bounds).collect();
    let full = || super::memory(products[products.len() - 1]);
    let (mut pointers, indices, values): (_, Indices, _) = with_width!(Width::below(columns), C => {
        let made = CompressedRows::<C, T>::of_tasks(tasks, T::ZERO, |rows, columns_of, values| {
            let most_of = widest(&rows);
            let mut sums = Accumulator::new(columns, most_of, *format == Format::csr());
            // The order of columns needs room for one element more.
            let (mut found, mut end, mut told) = (vec![I::default(); most_of + 1], 0, rows.start);
            let multiply = |row: usize| {
                let count = left.sum(row, &right, most(row), &mut sums, &mut found, &mut values[end..]);
                let places = &mut columns_of[end..end + count];
                places.iter_mut().zip(&found).for_each(|(place, column)| *place = C::from_low_bits(column.to_u64()));
                end += count;
                let gone = (left.pointers[row + 1] - left.pointers[told]) as usize;
                if let Some(watcher) = watcher
                    && (gone >= REPORT_INTERVAL || row + 1 == rows.end)
                {
                    watcher(gone);
                    told = row + 1;
                }
                end
            };
            rows.clone().map(multiply).collect()
        });
        let CompressedRows { pointers, columns, values } = made.ok_or_else(full)?;
        (pointers, columns.into(), values)
    });
    let (mut arrays, mut format) = (Arrays::new(), format.clone());
    if let Some(numbers) = &left.rows {
        let occurring = numbers.iter().zip(pointers.windows(2)).filter(|(_, ends)| ends[0] < ends[1]);
        let occurring: Vec<u64> = occurring.map(|(row, _)| *row).collect();
        pointers.dedup();
        arrays = arrays.with_indices(0, in_width(occurring.into(), Width::below(rows)).ok_or_else(full)?);
        format = Format::dcsr().with_unsorted(format.unsorted())?;
    }
    let pointers = in_width(pointers.into(), Width::of(values.len() as u64)).ok_or_else(full)?;
    arrays = arrays.with_pointers(0, pointers).with_indices(1, indices);
    let pattern = SparsityPattern::checked(&[rows, columns], format, arrays, false).map_err(|rejected| rejected.error)?;
    Ok(SparseTensor::new(pattern, values, T::ZERO).map_err(|rejected| rejected.error)?)
}

/// Returns the rows of each task. All tasks have about the same number of products. `products` is the result of
/// `RowView::products`.
fn shares(products: &[usize]) -> Vec<Range<usize>> {
    let threads = parallel::threads(*products.last().unwrap_or(&0));
    let parts = merge_path::whole_rows(&merge_path::Offsets::new(products), if threads == 1 { 1 } else { TASKS * threads });
    parts.into_iter().map(|part| part.rows).collect()
}

/// A matrix by rows, as slices.
struct RowView<'r, I: Index, T: Scalar> {
    /// The numbers of the rows with elements, if only these have pointers. The pointers then end with one more, so that
    /// an empty row follows the others.
    rows: Option<Cow<'r, [u64]>>,
    pointers: Cow<'r, [u64]>,
    indices: Cow<'r, [I]>,
    values: Cow<'r, [T]>,
}

impl<'r, I: Index, T: Scalar> RowView<'r, I, T> {
    fn new(tensor: &'r SparseTensor<'_, T>) -> Result<Self, OperationError> {
        let (pattern, full) = (tensor.pattern(), || super::memory(tensor.stored()));
        let (values, unit) = tensor.values().strided()?;
        let rows = pattern.indices(0).map(|rows| rows.cast().ok_or_else(full)).transpose()?;
        let mut pointers: Cow<[u64]> = pattern.pointers(0).and_then(Indices::cast).ok_or_else(full)?;
        if rows.is_some() {
            pointers.to_mut().push(tensor.stored() as u64);
        }
        Ok(RowView {
            rows,
            pointers,
            indices: pattern.indices(1).and_then(Indices::cast).ok_or_else(full)?,
            values: if unit == 1 { Cow::Borrowed(values) } else { vec![values[0]; tensor.stored()].into() },
        })
    }

    /// Replaces each column by the index of the row of `right` with this number, if `right` stores only rows with elements.
    fn choosing(mut self, right: &Self) -> Self {
        if right.rows.is_some() {
            self.indices.to_mut().iter_mut().for_each(|column| *column = I::from_low_bits(right.place(column.to_u64()) as u64));
        }
        self
    }

    /// Returns the number of stored rows.
    fn rows(&self) -> usize {
        self.rows.as_ref().map_or(self.pointers.len() - 1, |rows| rows.len())
    }

    /// Returns the row number of stored row `place`.
    fn number(&self, place: usize) -> u64 {
        self.rows.as_ref().map_or(place as u64, |rows| rows[place])
    }

    /// Returns the index of a row among the stored rows, or the index of the empty row if it is not stored.
    fn place(&self, number: u64) -> usize {
        self.rows.as_ref().map_or(number as usize, |rows| rows.binary_search(&number).unwrap_or(rows.len()))
    }

    /// Returns the position of the first element whose row number is at least `number`.
    fn start(&self, number: u64) -> usize {
        let place = self.rows.as_ref().map_or(number as usize, |rows| rows.partition_point(|row| *row < number));
        self.pointers[place] as usize
    }

    fn range(&self, row: usize) -> Range<usize> {
        self.pointers[row] as usize..self.pointers[row + 1] as usize
    }

    /// Returns, for each row, the number of products in all rows before it, and their total at the end.
    fn products(&self, right: &Self) -> Vec<usize> {
        let mut out = vec![0usize; self.pointers.len()];
        for row in 0..out.len() - 1 {
            let of_row: usize = self.indices[self.range(row)].iter().map(|k| right.range(k.to_usize()).len()).sum();
            out[row + 1] = out[row] + of_row;
        }
        out
    }

    /// Calls `f` for each element of a row with its value and the range of the elements of `right` in the row that it
    /// chooses. `VALUES` tells whether `f` reads the values of `right`, so that they are prefetched too.
    #[inline(always)]
    fn each<const VALUES: bool>(&self, row: usize, right: &Self, mut f: impl FnMut(T, Range<usize>)) {
        let range = self.range(row);
        // A short row ends before its prefetches arrive, so prefetch for the next rows as well.
        let next = &self.indices[range.start + AHEAD.min(self.indices.len() - range.start)..];
        for (at, (k, value)) in self.indices[range.clone()].iter().zip(&self.values[range]).enumerate() {
            if let Some(next) = next.get(at) {
                let next = right.range(next.to_usize());
                prefetch(right.indices[next.clone()].as_ptr(), next.len());
                if VALUES {
                    prefetch(right.values[next.clone()].as_ptr(), next.len());
                }
            }
            f(*value, right.range(k.to_usize()));
        }
    }

    /// Counts the columns of a row of the product. `products` is the number of products of the row.
    fn count(&self, row: usize, right: &Self, products: usize, seen: &mut SymbolicRow<I>) -> usize {
        let mut count = 0;
        match seen {
            SymbolicRow::Bits(bits) => {
                self.each::<false>(row, right, |_, of| right.indices[of].iter().for_each(|column| count += set(bits, column.to_usize())));
                // Clear all words at once if there are not many more of them than products.
                if products >= bits.len() / CLEARED {
                    bits.fill(0);
                } else {
                    self.each::<false>(row, right, |_, of| right.indices[of].iter().for_each(|column| bits[column.to_usize() / 64] = 0));
                }
            }
            SymbolicRow::Hashed(table) => {
                table.open(products);
                self.each::<false>(row, right, |_, of| {
                    right.indices[of].iter().for_each(|column| count += usize::from(table.place(*column, count) == count));
                });
                table.close(core::iter::empty());
            }
        }
        count
    }

    /// Computes a row of at most `most` elements: moves its columns to the front of `columns`, which has room for one more, and
    /// their sums to the front of `values`, which must be zeros. Returns the number of elements.
    #[inline(never)]
    fn sum(&self, row: usize, right: &Self, most: usize, sums: &mut Accumulator<I, T>, columns: &mut [I], values: &mut [T]) -> usize {
        match sums {
            Accumulator::DenseAccumulator(sums) => {
                self.each::<true>(row, right, |value, of| {
                    let elements = right.indices[of.clone()].iter().zip(&right.values[of]);
                    elements.for_each(|(column, other)| sums.add(column.to_usize(), value.times(*other)));
                });
                sums.take(most, columns, values)
            }
            Accumulator::ListAccumulator(list) => {
                list.open(most);
                self.each::<true>(row, right, |value, of| {
                    let elements = right.indices[of.clone()].iter().zip(&right.values[of]);
                    elements.for_each(|(column, other)| list.add(*column, value.times(*other), columns, values));
                });
                list.close(columns, values)
            }
        }
    }
}
