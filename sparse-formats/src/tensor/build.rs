//! Tensors from coordinates in any order.

use super::{BuildError, SparseTensor, Values};
use crate::narrow::filled;
use crate::pattern::{Sorted, assemble};
use crate::shape::{pick, product};
use crate::{Attributes, Format, Indices, Widths, with_indices};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Add;
use layout_core::level::Index;

/// What becomes of several elements at one coordinate.
pub enum Duplicates<'f, V> {
    /// One element: `f(f(first, second), third)`, in the order in which they are given.
    Combine(&'f dyn Fn(&V, &V) -> V),
    /// The first stays.
    First,
    /// The last stays.
    Last,
    /// An error.
    Refuse,
    /// All stay, in the order in which they are given: the format must be that of a multigraph.
    Keep,
}

impl<V: Clone + Add<Output = V>> Duplicates<'static, V> {
    /// One element, the sum.
    pub fn sum() -> Self {
        fn add<V: Clone + Add<Output = V>>(a: &V, b: &V) -> V {
            a.clone() + b.clone()
        }
        Duplicates::Combine(&add::<V>)
    }
}

impl<V> Clone for Duplicates<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Duplicates<'_, V> {}

/// Builds tensors of one format from coordinates.
///
/// ```
/// use sparse_formats::{Builder, Duplicates, Format, Indices};
/// let format: Format = "C-DC-S-X[2,0,1]".parse()?;
/// let columns: [Indices; 3] = [vec![1u8, 0, 1].into(), vec![2u8, 0, 2].into(), vec![0u8, 1, 0].into()];
/// let a = Builder::new(format, 0).duplicates(Duplicates::sum()).build(&[2, 3, 2], &columns, vec![5, 6, 7])?;
/// assert_eq!((a.stored(), a.at(&[1, 2, 0]), a.at(&[0, 0, 1])), (2, Some(&12), Some(&6)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Builder<'f, V> {
    format: Format,
    fill: V,
    duplicates: Duplicates<'f, V>,
    widths: Widths,
    most: usize,
}

impl<'f, V: Clone> Builder<'f, V> {
    /// Tensors of this format whose unstored elements are `fill`: duplicates are kept in a multigraph and refused elsewhere, index arrays are as
    /// narrow as can be.
    pub fn new(format: Format, fill: V) -> Self {
        let duplicates = if format.is_multigraph() { Duplicates::Keep } else { Duplicates::Refuse };
        Builder { format, fill, duplicates, widths: Widths::narrowest(), most: isize::MAX as usize }
    }

    /// The format of what is built.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// With another treatment of duplicates.
    pub fn duplicates(self, duplicates: Duplicates<'f, V>) -> Self {
        Builder { duplicates, ..self }
    }

    /// With these widths of index arrays.
    pub fn widths(self, widths: Widths) -> Self {
        Builder { widths, ..self }
    }

    /// With no array longer than this: where extents come from elsewhere, compressed levels and dense axes ask for as much memory as they say.
    pub fn at_most(self, most: usize) -> Self {
        Builder { most: most.min(isize::MAX as usize), ..self }
    }

    /// The tensor with `values[k]` at `columns[0][k], columns[1][k], ...`: an array for each axis. Elements of a block over dense axes that are not
    /// given are `fill`.
    pub fn build<'v>(
        &self,
        shape: &[u64],
        columns: &[Indices],
        values: impl Into<Values<'v, V>>,
    ) -> Result<SparseTensor<'static, V>, BuildError>
    where
        V: 'v,
    {
        let values = values.into();
        let axes = self.format.axis_order();
        if self.format.dense_axes() == 0 {
            return self.build_blocks(shape, columns, values);
        }
        if self.format.is_multigraph() {
            return Err(BuildError::MultigraphBlocks);
        }
        let length = check(shape, &self.format, columns, &(0..shape.len()).collect::<Vec<_>>(), &values, 1)?;
        let stored: Vec<Indices> = axes.iter().map(|axis| columns[*axis].view()).collect();
        let sorted = Sorted::new(&stored, length)?;
        let (sorted, values) = self.resolve(sorted, values, axes.len(), 1)?;
        self.scatter(shape, &sorted, &values)
    }

    /// The tensor with block `k` of the values at the coordinates `k` of the axes that have levels: an array for each of them, in the order of the
    /// axes. Without dense axes a block is one value.
    pub fn build_blocks<'v>(
        &self,
        shape: &[u64],
        columns: &[Indices],
        values: impl Into<Values<'v, V>>,
    ) -> Result<SparseTensor<'static, V>, BuildError>
    where
        V: 'v,
    {
        let values = values.into();
        let axes = &self.format.axis_order()[..self.format.levels()];
        let mut named = axes.to_vec();
        named.sort_unstable();
        let block = self.block(shape, 1)?;
        let length = check(shape, &self.format, columns, &named, &values, block)?;
        // Axis `named[k]` has column k.
        let stored: Vec<Indices> =
            axes.iter().filter_map(|axis| named.binary_search(axis).ok()).map(|column| columns[column].view()).collect();
        let sorted = Sorted::new(&stored, length)?;
        let (sorted, values) = self.resolve(sorted, values, axes.len(), block)?;
        if axes.is_empty() && sorted.len() == 0 {
            return self.scatter(shape, &sorted, &values);
        }
        let pattern = assemble(shape, &self.format, &sorted, &self.widths, self.most)?;
        self.tensor(pattern, values)
    }

    fn tensor(&self, pattern: crate::Pattern<'static>, values: Values<'static, V>) -> Result<SparseTensor<'static, V>, BuildError> {
        super::check_values(&pattern, values.len())?;
        Ok(SparseTensor { pattern: Arc::new(pattern), values, fill: self.fill.clone(), attributes: Attributes::default() })
    }

    /// The number of elements of so many blocks.
    fn block(&self, shape: &[u64], blocks: usize) -> Result<usize, BuildError> {
        if shape.len() != self.format.rank() {
            return Err(BuildError::Rank { shape: shape.len(), format: self.format.rank() });
        }
        let extents = pick(shape, &self.format.axis_order()[self.format.levels()..]);
        let count = product(extents.iter().copied().chain([blocks as u64])).filter(|count| *count <= self.most);
        count.ok_or(BuildError::Blocks { blocks, extents })
    }

    /// The elements that stay of those with equal leading `levels` coordinates, in order, and their blocks.
    fn resolve<'c>(
        &self,
        sorted: Sorted<'c>,
        values: Values<'_, V>,
        levels: usize,
        block: usize,
    ) -> Result<(Sorted<'c>, Values<'static, V>), BuildError> {
        // A tensor without levels has one element.
        let keeps = self.format.is_multigraph() && levels > 0 && matches!(self.duplicates, Duplicates::Keep);
        let repeats = |k: &usize| sorted.continues(*k, levels);
        let Some(second) = (0..sorted.len()).find(repeats).filter(|_| !keeps) else {
            let values = match sorted.permutation() {
                None => values.into_owned(),
                Some(permutation) => values.gather(permutation.iter().copied(), block),
            };
            return Ok((sorted, values));
        };
        let combine = match self.duplicates {
            Duplicates::Refuse | Duplicates::Keep => {
                return Err(BuildError::Duplicate { at: (sorted.source(second - 1), sorted.source(second)), found: sorted.tuple(second) });
            }
            Duplicates::First | Duplicates::Last => None,
            Duplicates::Combine(combine) => Some(combine),
        };
        let last = matches!(self.duplicates, Duplicates::Last);
        let stays = |k: &usize| !sorted.continues(k + usize::from(last), levels);
        let keep: Vec<usize> = (0..sorted.len()).filter(|k| if last { k + 1 == sorted.len() || stays(k) } else { stays(k) }).collect();
        let out = match (combine, &values) {
            (Some(combine), Values::Each(_) | Values::Iso(_)) => {
                let mut out: Vec<V> = Vec::with_capacity(keep.len() * block);
                for k in 0..sorted.len() {
                    let source = sorted.source(k) * block;
                    let start = out.len().wrapping_sub(block);
                    for j in 0..block {
                        let Some(value) = values.get(source + j) else { continue };
                        if sorted.continues(k, levels) {
                            out[start + j] = combine(&out[start + j], value);
                        } else {
                            out.push(value.clone());
                        }
                    }
                }
                out.into()
            }
            _ => values.gather(keep.iter().map(|k| sorted.source(*k)), block),
        };
        Ok((sorted.select(&keep, levels), out))
    }

    /// The tensor of distinct sorted elements, over all axes, in blocks over the dense ones.
    fn scatter(&self, shape: &[u64], sorted: &Sorted, values: &Values<V>) -> Result<SparseTensor<'static, V>, BuildError> {
        let levels = self.format.levels();
        let starts: Vec<usize> = (0..sorted.len()).filter(|k| !sorted.continues(*k, levels)).collect();
        // Without levels there is one block, whether or not an element of it is given.
        let blocks = if levels == 0 { 1 } else { starts.len() };
        let length = self.block(shape, blocks)?;
        let pattern = match levels {
            0 => crate::Pattern::of(shape.to_vec(), self.format.clone(), crate::Arrays::new(), alloc::vec![1]),
            _ => assemble(shape, &self.format, &sorted.select(&starts, levels), &self.widths, self.most)?,
        };
        let values = match values {
            Values::PatternOnly => Values::PatternOnly,
            values => {
                let too_large = || BuildError::Blocks { blocks, extents: pattern.block_shape() };
                let mut out = filled(length, self.fill.clone()).ok_or_else(too_large)?;
                let extents = pattern.block_shape();
                let size = length / blocks.max(1);
                let mut block = 0;
                for k in 0..sorted.len() {
                    block += usize::from(k > 0 && !sorted.continues(k, levels));
                    let offset = (levels..)
                        .zip(&extents)
                        .fold(0, |offset, (axis, extent)| offset * *extent as usize + sorted.coordinate(axis, k) as usize);
                    if let Some(value) = values.get(k) {
                        out[block * size + offset] = value.clone();
                    }
                }
                out.into()
            }
        };
        self.tensor(pattern, values)
    }
}

/// The number of elements that the columns of these axes give, all in range, with a block of values for each.
fn check<V: Clone>(
    shape: &[u64],
    format: &Format,
    columns: &[Indices],
    axes: &[usize],
    values: &Values<V>,
    block: usize,
) -> Result<usize, BuildError> {
    if shape.len() != format.rank() {
        return Err(BuildError::Rank { shape: shape.len(), format: format.rank() });
    }
    if columns.len() != axes.len() {
        return Err(BuildError::Columns { found: columns.len(), expected: axes.len() });
    }
    let length = match (columns.first(), values.len()) {
        (Some(column), _) => column.len(),
        // Without axes that have levels there is no more than one element.
        (None, Some(values)) => values.checked_div(block).unwrap_or(0),
        (None, None) => 1,
    };
    for (axis, column) in axes.iter().zip(columns) {
        let extent = shape[*axis];
        if column.len() != length {
            return Err(BuildError::Length { axis: *axis, found: column.len(), expected: length });
        }
        if let Some(at) = with_indices!(column, column => column.iter().position(|c| c.to_u64() >= extent)) {
            return Err(BuildError::Range { axis: *axis, at, found: column.get(at).unwrap_or(0), extent });
        }
    }
    let expected = length.checked_mul(block).ok_or(BuildError::Memory { elements: length })?;
    match values.len() {
        Some(found) if found != expected => Err(BuildError::Values { found, expected }),
        _ => Ok(length),
    }
}
