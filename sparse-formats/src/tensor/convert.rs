//! Converts tensors from any format to any other.

use super::{Builder, InputFacts, SparseTensor, Values, matrix};
use crate::attributes::Change;
use crate::kernels::Value;
use crate::shape::product;
use crate::{Duplicates, Format, Indices, LevelKind, SparseError, SparsityPattern, Width, Widths, with_indices};
use alloc::vec::Vec;
use array_kernels::memory::filled;
use array_kernels::with_width;
use layout_levels::Index;

impl<V: Value> SparseTensor<'_, V> {
    /// Converts the tensor to another format, with the narrowest index arrays. Keeps the attributes that still hold.
    ///
    /// Fails if the ranks differ, or memory has no room. Fails for a multigraph with repeated coordinates if
    /// `format` is no multigraph. Fails if one triangle stands for both and levels would become dense axes.
    pub fn to_format(&self, format: &Format) -> Result<SparseTensor<'static, V>, SparseError> {
        self.convert(&Builder::new(format.clone(), self.fill.clone()))
    }

    /// Converts the tensor to the format of a builder, with its treatment of duplicates and its widths. Keeps the
    /// attributes that still hold.
    ///
    /// Dense axes that become levels store all their elements. Blocks over axes that become dense are filled up with
    /// the fill value of the builder. Fails as `SparseTensor::to_format` does, where the builder's treatment of duplicates
    /// decides about repeated coordinates; also if a given width or the builder's limit does not suffice.
    ///
    /// ```
    /// use sparse_formats::{Builder, Duplicates, Format, Indices};
    /// let columns: [Indices; 2] = [vec![1u8, 0, 1].into(), vec![0u8, 2, 0].into()];
    /// let edges = Builder::new(Format::coo(2).with_multigraph(true)?, 0).build(&[2, 3], &columns, vec![5, 6, 7])?;
    /// assert!(edges.to_format(&Format::csr()).is_err(), "two edges are at [1, 0]");
    /// let sums = edges.convert(&Builder::new(Format::csr(), 0).duplicates(Duplicates::sum()))?;
    /// assert_eq!((sums.stored(), sums.at(&[1, 0])), (2, Some(&12)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn convert(&self, builder: &Builder<V>) -> Result<SparseTensor<'static, V>, SparseError> {
        let (from, to) = (self.format(), builder.format());
        if from.rank() != to.rank() {
            return Err(SparseError::Rank { shape: from.rank(), format: to.rank() });
        }
        let built = match matrix::transposed(builder.target(), builder.keeps(), self)? {
            Some((pattern, values)) => builder.tensor(pattern, values)?,
            None => self.reordered(builder)?,
        };
        let dense = |format: &Format, axis: &usize| format.axis_order()[format.levels()..].contains(axis);
        let padded = to.axis_order()[to.levels()..].iter().any(|axis| !dense(from, axis));
        let elements = |pattern: &SparsityPattern| pattern.stored() as u128 * pattern.block() as u128;
        let change = Change::Format { padded, combined: from.is_multigraph() && elements(&built.pattern) < elements(&self.pattern) };
        Ok(SparseTensor { attributes: self.attributes.after(change)?, ..built })
    }

    /// Builds the tensor again from the coordinates of all elements. Fails as `SparseTensor::convert` does.
    fn reordered(&self, builder: &Builder<V>) -> Result<SparseTensor<'static, V>, SparseError> {
        let (from, to) = (self.format(), builder.format());
        let blocks = from.axis_order()[from.levels()..] == to.axis_order()[to.levels()..];
        // Without values, and with pointers as the last array or blocks that are split, no array has one number for each
        // element. Their number may then exceed memory.
        let listed = matches!(self.values, Values::Each(_)) || blocks && from.kinds().last() == Some(&LevelKind::Indices);
        let extents = if blocks { Vec::new() } else { self.pattern.block_shape() };
        let elements = product(extents.iter().copied().chain([self.stored() as u64]));
        if !listed && elements.is_none_or(|elements| elements > builder.most) {
            let elements = self.stored();
            return Err(if blocks { SparseError::Memory { elements } } else { SparseError::Blocks { blocks: elements, extents } });
        }
        let columns = self.pattern.coordinates()?;
        if blocks {
            let order = self.sorted_axes();
            let rising = order.len() == 2 && from.levels() == 2;
            let known = InputFacts { elements: Some(self.stored()), in_range: true, order, rising, distinct: !from.is_multigraph() };
            return builder.build_known(self.shape(), &columns, self.values.view(), known);
        }
        builder.build(self.shape(), &self.expanded(&columns)?, self.values.view())
    }
}

impl<V: Clone> SparseTensor<'_, V> {
    /// Returns the axes by which elements are sorted, the most significant first. They include the dense axes only if
    /// all levels are sorted.
    pub(crate) fn sorted_axes(&self) -> &[usize] {
        let format = self.format();
        let sorted = format.unsorted().iter().position(|unsorted| *unsorted).unwrap_or(format.levels());
        &format.axis_order()[..if sorted == format.levels() { format.rank() } else { sorted }]
    }

    /// Returns the coordinates of all stored elements, one array for each axis in order, dense axes included. Fails if memory
    /// has no room for them.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// // Row 2 of a matrix is one stored block of two elements.
    /// let a = Builder::new("S-D-R".parse()?, 0).build_blocks(&[3, 2], &[Indices::from(vec![2u8])], vec![5, 6])?;
    /// assert_eq!(a.all_coordinates()?, [vec![2u8, 2].into(), vec![0u8, 1].into()]);
    /// assert_eq!(a.pattern().coordinates()?, [vec![2u8].into()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_coordinates(&self) -> Result<Vec<Indices<'static>>, SparseError> {
        let columns = self.pattern.coordinates()?;
        Ok(self.expanded(&columns)?.into_iter().map(Indices::into_owned).collect())
    }

    /// Expands columns to the elements of blocks: repeats each column of an axis with a level for each element of a
    /// block, and adds the columns of the dense axes. The result is in the order of the axes. Fails if memory has no room.
    pub(crate) fn expanded<'c>(&self, columns: &'c [Indices<'c>]) -> Result<Vec<Indices<'c>>, SparseError> {
        let format = self.format();
        let (blocks, extents) = (self.stored(), self.pattern.block_shape());
        let full = || SparseError::Blocks { blocks, extents: extents.clone() };
        let block = self.pattern.block();
        let length = blocks.checked_mul(block).ok_or_else(full)?;
        let mut columns = columns.iter();
        let mut out = Vec::with_capacity(format.rank());
        for (axis, extent) in self.shape().iter().enumerate() {
            let dense = format.axis_order()[format.levels()..].iter().position(|dense| *dense == axis);
            out.push(match dense {
                None => {
                    let column = columns.next().ok_or_else(full)?;
                    if block == 1 {
                        column.view()
                    } else {
                        with_indices!(column, column => {
                            let mut out = filled(length, Default::default()).ok_or_else(full)?;
                            out.chunks_mut(block.max(1)).zip(column.iter()).for_each(|(block, c)| block.fill(*c));
                            out.into()
                        })
                    }
                }
                Some(dense) => {
                    // Next to an extent of 0 the product may overflow. There are no elements then.
                    let below = extents[dense + 1..].iter().fold(1u64, |below, extent| below.saturating_mul(*extent)) as usize;
                    with_width!(Width::below(*extent), T => {
                        let mut out: Vec<T> = filled(length, T::default()).ok_or_else(full)?;
                        out.chunks_mut(below.max(1)).enumerate().for_each(|(k, run)| run.fill(T::from_low_bits(k as u64 % extent)));
                        out.into()
                    })
                }
            });
        }
        Ok(out)
    }
}

impl SparsityPattern<'_> {
    /// Converts the pattern to another format, with index arrays of these widths. Coordinates that repeat become one
    /// unless `format` is a multigraph. Fails as [`SparseTensor::convert`] does.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparsityPattern, Width, Widths};
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 3]).with_indices(1, vec![1u8, 3, 0]);
    /// let rows = SparsityPattern::from_parts(&[2, 4], Format::csr(), arrays)?;
    /// let columns = rows.to_format(&Format::csc(), &Widths::all(Width::U32))?;
    /// assert_eq!(columns.pointers(0), Some(&vec![0u32, 1, 2, 2, 3].into()));
    /// assert_eq!(columns.indices(1).map(|rows| rows.width()), Some(Width::U32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_format(&self, format: &Format, widths: &Widths) -> Result<SparsityPattern<'static>, SparseError> {
        let builder =
            Builder::new(format.clone(), ()).duplicates(if format.is_multigraph() { Duplicates::Keep } else { Duplicates::First });
        let tensor = SparseTensor::new(self.view(), Values::PatternOnly, ()).map_err(|rejected| rejected.error)?;
        let built = tensor.convert(&builder.widths(widths.clone()))?;
        Ok(alloc::sync::Arc::unwrap_or_clone(built.pattern))
    }

    /// Returns the number of elements of a block over the dense axes.
    pub(crate) fn block(&self) -> usize {
        // A pattern with values has been checked. Without values the number is not used as a length.
        product(self.block_shape()).unwrap_or(usize::MAX)
    }

    /// Returns the position of a coordinate of the tensor in its block over the dense axes.
    pub(crate) fn block_offset(&self, coordinate: &[u64]) -> usize {
        let axes = &self.format().axis_order()[self.format().levels()..];
        axes.iter().fold(0, |offset, axis| offset * self.shape()[*axis] as usize + coordinate[*axis] as usize)
    }
}
