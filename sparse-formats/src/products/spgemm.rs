//! Products of two sparse matrices, row by row.

use super::row_sums::{Sums, Table};
use super::{Operand, Scalar, Watcher};
use crate::indices::with_width;
use crate::kernels::wide::fetch;
use crate::kernels::{merge_path, parallel};
use crate::{Arrays, Format, Indices, OperationError, SparseTensor, SparsityPattern, Width};
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::level::Index;

/// Tasks of a thread: rows differ in what they cost.
const TASKS: usize = 8;

/// Of so many rows of a product, one is made to guess how many elements all have.
const SAMPLE: usize = 64;

/// Room for more elements than are guessed: one for so many.
const SPARE: usize = 32;

/// Rows are made in so many turns,
const BATCHES: usize = 64;

/// but of so many products a thread at least,
const LEAST: usize = 1 << 14;

/// and at most, if they have not more each.
const MOST: usize = 1 << 18;

/// How many rows ahead are fetched.
const AHEAD: usize = 4;

/// `c[i, j] = sum of a[i, k] * b[k, j]`, as `C-S-R` with sorted rows: every place with a product is stored, also where products cancel.
///
/// Rows are made one by one (Gustavson, 1978): products are added in the order of the row of `a`, the same for any number of threads, and columns are sorted when a
/// row is complete. Operands in other formats are converted to `C-S-R` first; elements of one coordinate are added.
///
/// If the first operand is `DC-S-R`, so is the product: of matrices with many more rows than elements, only rows that occur are gone through and stored.
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
/// Tensors that are no matrices, matrices whose inner extents differ, more rows or elements than memory has room for.
pub fn spgemm<T: Scalar>(a: &impl Operand<T>, b: &impl Operand<T>) -> Result<SparseTensor<'static, T>, OperationError> {
    product(a, b, &Format::csr())
}

/// The product of two sparse matrices as `C-S-R+unsorted(1)`: the elements of [`spgemm`], those of a row in the order in which their first products come.
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
/// As [`spgemm`].
pub fn spgemm_unsorted<T: Scalar>(a: &impl Operand<T>, b: &impl Operand<T>) -> Result<SparseTensor<'static, T>, OperationError> {
    product(a, b, &Format::csr().with_unsorted(&[false, true])?)
}

/// The product in a format of compressed rows, sorted or not.
fn product<T: Scalar>(a: &impl Operand<T>, b: &impl Operand<T>, format: &Format) -> Result<SparseTensor<'static, T>, OperationError> {
    let ([_, inner], [other, columns]) = (matrix(a.shape())?, matrix(b.shape())?);
    if inner != other {
        return Err(OperationError::Operand { what: "other matrix", found: vec![other, columns], expected: vec![inner, columns] });
    }
    let (watcher, a, b) = (a.watcher(), by_rows(a, true, &Format::csr())?, chosen(b)?);
    if Width::below(inner.max(columns)) == Width::U64 {
        multiply::<u64, T>(&a, &b, format, watcher)
    } else {
        multiply::<u32, T>(&a, &b, format, watcher)
    }
}

/// The product of two matrices in the pattern of another product, whose operands had elements at the same places: the numeric phase alone.
///
/// Elements are those that [`spgemm`] computes, bit for bit; of a pattern with further places these are 0.
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
/// As [`spgemm`]; a pattern of other extents or neither `C-S-R` nor `DC-S-R`, and one without a place that has a product.
pub fn spgemm_values<'c, T: Scalar>(
    c: &SparseTensor<'c, T>,
    a: &impl Operand<T>,
    b: &impl Operand<T>,
) -> Result<SparseTensor<'c, T>, OperationError> {
    let ([rows, inner], [other, columns]) = (matrix(a.shape())?, matrix(b.shape())?);
    if inner != other {
        return Err(OperationError::Operand { what: "other matrix", found: vec![other, columns], expected: vec![inner, columns] });
    }
    let doubly = *c.format() == Format::dcsr();
    if !doubly && *c.format() != Format::csr() || c.shape() != [rows, columns] {
        return Err(OperationError::Operand { what: "pattern", found: c.shape().to_vec(), expected: vec![rows, columns] });
    }
    let (watcher, a, b) = (a.watcher(), by_rows(a, doubly, c.format())?, chosen(b)?);
    let wide = Width::below(inner.max(columns)) == Width::U64;
    let values = if wide { numeric::<u64, T>(c, &a, &b, watcher)? } else { numeric::<u32, T>(c, &a, &b, watcher)? };
    Ok(SparseTensor::new(c.shared_pattern(), values, T::ZERO).map_err(|rejected| rejected.error)?)
}

/// The values of a product in a pattern.
fn numeric<I: Index, T: Scalar>(
    c: &SparseTensor<T>,
    a: &SparseTensor<T>,
    b: &SparseTensor<T>,
    watcher: Option<Watcher<'_>>,
) -> Result<Vec<T>, OperationError> {
    let (left, right, out) = (Rows::<I, T>::new(a)?, Rows::<I, T>::new(b)?, Rows::<I, T>::new(c)?);
    let left = left.choosing(&right);
    let (columns, products) = (b.shape()[1], left.products(&right));
    let mut values: Vec<T> = crate::memory::try_repeated(T::ZERO, c.stored()).ok_or(super::memory(c.stored()))?;
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
        let mut table = Table::new(columns, rows.clone().map(room).max().unwrap_or(0));
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

fn matrix(shape: &[u64]) -> Result<[u64; 2], OperationError> {
    <[u64; 2]>::try_from(shape).map_err(|_| OperationError::KernelRank { found: shape.len(), expected: 2 })
}

/// By rows, where it lies if it is; `doubly` if only rows that occur may be stored. What is not by rows is brought to a format that is.
fn by_rows<'a, T: Scalar>(a: &'a impl Operand<T>, doubly: bool, format: &Format) -> Result<Cow<'a, SparseTensor<'a, T>>, OperationError> {
    let fits = |format: &Format| *format == Format::csr() || doubly && *format == Format::dcsr();
    match a.tensors()[..] {
        [(None, tensor)] if fits(tensor.format()) => Ok(Cow::Borrowed(tensor)),
        _ => Ok(Cow::Owned(a.gathered(format)?)),
    }
}

/// The second operand, by rows: by those that occur, where there are many others.
fn chosen<'a, T: Scalar>(b: &'a impl Operand<T>) -> Result<Cow<'a, SparseTensor<'a, T>>, OperationError> {
    /// So many rows for an element take more memory than to look for those that occur.
    const MANY: u64 = 8;
    let elements: usize = b.tensors().iter().map(|(_, tensor)| tensor.stored()).sum();
    let plain = matches!(b.tensors()[..], [(None, tensor)] if *tensor.format() == Format::csr());
    match !plain && b.shape()[0] / MANY > elements as u64 {
        true => Ok(Cow::Owned(b.gathered(&Format::dcsr())?)),
        false => by_rows(b, true, &Format::csr()),
    }
}

fn multiply<I: Index, T: Scalar>(
    a: &SparseTensor<T>,
    b: &SparseTensor<T>,
    format: &Format,
    watcher: Option<Watcher<'_>>,
) -> Result<SparseTensor<'static, T>, OperationError> {
    let (left, right) = (Rows::<I, T>::new(a)?, Rows::<I, T>::new(b)?);
    let left = left.choosing(&right);
    let (rows, columns) = (a.shape()[0], b.shape()[1]);
    let products = left.products(&right);
    let (total, sorted) = (products[left.rows()], *format == Format::csr());
    let most = (0..left.rows()).map(|row| products[row + 1] - products[row]).max().unwrap_or(0);
    let threads = parallel::threads(total);
    let lane = |_| Lane { sums: Sums::new(columns, most, sorted), counts: Vec::new(), columns: Vec::new(), values: Vec::new() };
    let mut lanes: Vec<Lane<I, T>> = (0..threads).map(lane).collect();
    let block = (total / (threads * BATCHES)).clamp(LEAST, MOST);
    let (mut pointers, mut occurring) = (vec![0usize], Vec::new());
    // Rows are made apart, some at a time, and go where they stay when it is known how many elements those before them have.
    let mut make = |stored: &mut Store<'_, I, T>| {
        let (mut next, mut made) = (0, left.guess(&right, &products));
        while next < left.rows() {
            let mut tasks = Vec::with_capacity(threads);
            for lane in &mut lanes {
                let (first, end) = (next, products[next] + block);
                next += products[next + 1..].partition_point(|products| *products <= end).max(1).min(left.rows() - next);
                tasks.push((first..next, lane));
            }
            let batch = tasks[0].0.start;
            parallel::map(tasks, |(rows, lane)| lane.make(rows, &left, &right, &products, watcher));
            for (row, count) in (batch..).zip(lanes.iter().flat_map(|lane| &lane.counts)) {
                match &left.rows {
                    Some(_) if *count == 0 => continue,
                    Some(rows) => occurring.push(rows[row]),
                    None => {}
                }
                pointers.push(pointers[pointers.len() - 1] + count);
            }
            let upto = pointers[pointers.len() - 1];
            // As many more as there were so far for so many products.
            made = made.max((upto as u128 * total as u128 / products[next].max(1) as u128) as usize);
            let (columns, values) = lanes.iter().map(|lane| (&lane.columns[..], &lane.values[..])).unzip();
            stored(made, columns, values).ok_or(super::memory(made))?;
        }
        Ok::<(), OperationError>(())
    };
    let mut values: Appended<T> = Appended::new();
    let indices: Indices = with_width!(Width::below(columns), C => {
        let mut indices: Appended<C> = Appended::new();
        make(&mut |made, columns, parts| {
            values.append(made, parts, |value| value)?;
            indices.append(made, columns, |column| C::truncate(column.to_u64()))
        })?;
        indices.all().into()
    });
    let (values, stored) = (values.all(), pointers[pointers.len() - 1]);
    let pointers: Indices =
        with_width!(Width::of(stored as u64), P => pointers.iter().map(|p| P::truncate(*p as u64)).collect::<Vec<P>>().into());
    let (mut arrays, mut format) = (Arrays::new().with_pointers(0, pointers).with_indices(1, indices), format.clone());
    if left.rows.is_some() {
        let occurring: Indices = with_width!(Width::below(rows), C => occurring.into_iter().map(C::truncate).collect::<Vec<C>>().into());
        (arrays, format) = (arrays.with_indices(0, occurring), Format::dcsr().with_unsorted(format.unsorted())?);
    }
    let pattern = SparsityPattern::checked(&[rows, columns], format, arrays, false).map_err(|rejected| rejected.error)?;
    Ok(SparseTensor::new(pattern, values, T::ZERO).map_err(|rejected| rejected.error)?)
}

/// The rows of each task, which have about as many products.
fn shares(products: &[usize]) -> Vec<Range<usize>> {
    let threads = parallel::threads(*products.last().unwrap_or(&0));
    let parts = merge_path::whole_rows(&merge_path::Offsets::new(products), if threads == 1 { 1 } else { TASKS * threads });
    parts.into_iter().map(|part| part.rows).collect()
}

/// Takes the columns and the values of the next rows, in parts, and about how many elements there will be in all; none if memory has no room.
type Store<'s, I, T> = dyn FnMut(usize, Vec<&[I]>, Vec<&[T]>) -> Option<()> + 's;

/// What a thread makes rows with, and those that it has made.
struct Lane<I, T> {
    sums: Sums<I, T>,
    /// How many elements each row has.
    counts: Vec<usize>,
    columns: Vec<I>,
    values: Vec<T>,
}

impl<I: Index, T: Scalar> Lane<I, T> {
    fn make(&mut self, rows: Range<usize>, left: &Rows<I, T>, right: &Rows<I, T>, products: &[usize], watcher: Option<Watcher<'_>>) {
        let Lane { sums, counts, columns, values } = self;
        counts.clear();
        columns.clear();
        values.clear();
        for row in rows.clone() {
            let before = values.len();
            left.sum(row, right, products[row + 1] - products[row], sums, columns, values);
            counts.push(values.len() - before);
        }
        let gone = left.pointers[rows.end] - left.pointers[rows.start];
        watcher.filter(|_| gone > 0).inspect(|watcher| watcher(gone as usize));
    }
}

/// An array that grows to a length that is guessed better and better.
struct Appended<X> {
    /// Zeros after the first ones.
    memory: Vec<X>,
    len: usize,
}

impl<X: Copy + Default + Send + Sync> Appended<X> {
    fn new() -> Self {
        Appended { memory: Vec::new(), len: 0 }
    }

    /// Appends arrays, of which there will be `all` elements in the end; none if memory has no room.
    fn append<Y: Copy + Send + Sync>(&mut self, all: usize, parts: Vec<&[Y]>, of: impl Fn(Y) -> X + Sync) -> Option<()> {
        let len = self.len + parts.iter().map(|part| part.len()).sum::<usize>();
        if len > self.memory.len() {
            let room = all.max(len) + all / SPARE;
            match self.len {
                // Memory that nothing has touched yet: threads do, where they write.
                0 => self.memory = crate::memory::try_repeated(X::default(), room)?,
                _ => {
                    crate::memory::room_for(&mut self.memory, room)?;
                    self.memory.resize(room, X::default());
                }
            }
        }
        let mut rest = &mut self.memory[self.len..len];
        let tasks = parts.into_iter().map(|part| (parallel::carve(&mut rest, part.len()), part)).collect();
        parallel::map(tasks, |(to, from): (&mut [X], &[Y])| to.iter_mut().zip(from).for_each(|(to, from)| *to = of(*from)));
        self.len = len;
        Some(())
    }

    /// All of them.
    fn all(mut self) -> Vec<X> {
        self.memory.truncate(self.len);
        self.memory.shrink_to_fit();
        self.memory
    }
}

/// A matrix by rows.
struct Rows<'r, I: Index, T: Scalar> {
    /// The rows that occur, where others have no pointers; the last of these begins an empty row then.
    rows: Option<Cow<'r, [u64]>>,
    pointers: Cow<'r, [u64]>,
    indices: Cow<'r, [I]>,
    values: Cow<'r, [T]>,
}

impl<'r, I: Index, T: Scalar> Rows<'r, I, T> {
    fn new(tensor: &'r SparseTensor<'_, T>) -> Result<Self, OperationError> {
        let (pattern, full) = (tensor.pattern(), || super::memory(tensor.stored()));
        let (values, unit) = tensor.values().strided()?;
        let rows = pattern.indices(0).map(|rows| rows.cast().ok_or_else(full)).transpose()?;
        let mut pointers: Cow<[u64]> = pattern.pointers(0).and_then(Indices::cast).ok_or_else(full)?;
        if rows.is_some() {
            pointers.to_mut().push(tensor.stored() as u64);
        }
        Ok(Rows {
            rows,
            pointers,
            indices: pattern.indices(1).and_then(Indices::cast).ok_or_else(full)?,
            values: if unit == 1 { Cow::Borrowed(values) } else { vec![values[0]; tensor.stored()].into() },
        })
    }

    /// With the places of rows of another matrix for columns, where that has only some of its rows.
    fn choosing(mut self, right: &Self) -> Self {
        if right.rows.is_some() {
            self.indices.to_mut().iter_mut().for_each(|column| *column = I::truncate(right.place(column.to_u64()) as u64));
        }
        self
    }

    /// How many rows there are, or that occur.
    fn rows(&self) -> usize {
        self.rows.as_ref().map_or(self.pointers.len() - 1, |rows| rows.len())
    }

    /// The number of the row in a place.
    fn number(&self, place: usize) -> u64 {
        self.rows.as_ref().map_or(place as u64, |rows| rows[place])
    }

    /// The place of a row; that of the empty one, if it does not occur.
    fn place(&self, number: u64) -> usize {
        self.rows.as_ref().map_or(number as usize, |rows| rows.binary_search(&number).unwrap_or(rows.len()))
    }

    /// The first element of this row or of one after it.
    fn start(&self, number: u64) -> usize {
        let place = self.rows.as_ref().map_or(number as usize, |rows| rows.partition_point(|row| *row < number));
        self.pointers[place] as usize
    }

    fn range(&self, row: usize) -> Range<usize> {
        self.pointers[row] as usize..self.pointers[row + 1] as usize
    }

    /// How many products there are in all rows before each.
    fn products(&self, right: &Self) -> Vec<usize> {
        let mut out = vec![0usize; self.pointers.len()];
        for row in 0..out.len() - 1 {
            let of_row: usize = self.indices[self.range(row)].iter().map(|k| right.range(k.to_usize()).len()).sum();
            out[row + 1] = out[row] + of_row;
        }
        out
    }

    /// Calls `f` with the value of each element of a row, and the elements of the other matrix in the row that it chooses, of which `VALUES` are read too or not.
    #[inline(always)]
    fn each<const VALUES: bool>(&self, row: usize, right: &Self, mut f: impl FnMut(T, Range<usize>)) {
        let range = self.range(row);
        let (chosen, values) = (&self.indices[range.clone()], &self.values[range]);
        for (at, (k, value)) in chosen.iter().zip(values).enumerate() {
            if let Some(next) = chosen.get(at + AHEAD) {
                let next = right.range(next.to_usize());
                fetch(right.indices[next.clone()].as_ptr(), next.len());
                if VALUES {
                    fetch(right.values[next.clone()].as_ptr(), next.len());
                }
            }
            f(*value, right.range(k.to_usize()));
        }
    }

    /// How many elements the product may have, by some of its rows: no more than products, of which there are so many in all rows before each.
    fn guess(&self, right: &Self, products: &[usize]) -> usize {
        let (total, rows) = (products[self.rows()], (0..self.rows()).step_by(SAMPLE));
        let of_row = |row: usize| products[row + 1] - products[row];
        let (mut elements, mut of) = (0, 0);
        let mut columns = Vec::new();
        for row in rows {
            columns.clear();
            self.each::<false>(row, right, |_, of| columns.extend_from_slice(&right.indices[of]));
            columns.sort_unstable();
            columns.dedup();
            (elements, of) = (elements + columns.len(), of + of_row(row));
        }
        (total as u128 * elements as u128 / of.max(1) as u128) as usize
    }

    /// Appends the columns of a row of the product, of so many products, and their sums.
    fn sum(&self, row: usize, right: &Self, products: usize, sums: &mut Sums<I, T>, columns: &mut Vec<I>, values: &mut Vec<T>) {
        match sums {
            Sums::ByColumn(sums) => {
                self.each::<true>(row, right, |value, of| {
                    let elements = right.indices[of.clone()].iter().zip(&right.values[of]);
                    elements.for_each(|(column, other)| sums.add(column.to_usize(), value.times(*other)));
                });
                sums.take(products, columns, values);
            }
            Sums::Listed(sums) => {
                let begin = values.len();
                columns.reserve(products);
                values.reserve(products);
                sums.table.open(products);
                self.each::<true>(row, right, |value, of| {
                    for (column, other) in right.indices[of.clone()].iter().zip(&right.values[of]) {
                        let (value, count) = (value.times(*other), values.len() - begin);
                        let place = sums.table.place(*column, count);
                        if place == count {
                            columns.push(*column);
                            values.push(T::ZERO);
                        }
                        values[begin + place] = values[begin + place].plus(value);
                    }
                });
                sums.close(&mut columns[begin..], &mut values[begin..]);
            }
        }
    }
}
