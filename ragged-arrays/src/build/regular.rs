//! Conversions to and from regular arrays: with padding, or if all lists of an axis have one length.

use crate::structure::room;
use crate::{RaggedArray, RaggedError, Result, add_up, product};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::DynLevel;

impl<'a, T: Clone + 'static> RaggedArray<'a, T> {
    /// Returns the length of the longest list of every axis. Fails if lists are views and memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_nested::<3, _>(vec![vec![vec![1, 2, 3]], vec![vec![4], vec![5]]])?;
    /// assert_eq!(a.bounding_shape()?, [2, 2, 3]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn bounding_shape(&self) -> Result<Vec<usize>> {
        let a = self.settled()?;
        Ok(core::iter::once(a.len()).chain((0..a.depth() - 1).map(|q| a.shape().longest(q))).collect())
    }

    /// Returns the extents and the elements of a row-major regular array, on every axis as long as the longest list. `fill`
    /// stands where there is no element. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec![1, 2, 3])?;
    /// assert_eq!(a.to_padded(&0)?, (vec![3, 2], vec![1, 2, 0, 0, 3, 0]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn to_padded(&self, fill: &T) -> Result<(Vec<usize>, Vec<T>)> {
        let a = self.settled()?;
        let (shape, extents) = (a.shape(), a.bounding_shape()?);
        let size = product(&extents)?;
        if size == 0 {
            return Ok((extents, Vec::new()));
        }
        let mut out = room(size)?;
        out.resize(size, fill.clone());
        // The position of each element of one axis in the padded array, in units of that axis.
        let mut places: Vec<usize> = (0..a.len()).collect();
        for q in 0..a.depth() - 1 {
            let extent = extents[q + 1];
            if q + 2 == a.depth() {
                shape.for_rows(q, |row, range| {
                    let from = a.leaves().get(range).unwrap_or(&[]);
                    out[places[row] * extent..][..from.len()].clone_from_slice(from);
                });
                return Ok((extents, out));
            }
            let mut below = Vec::with_capacity(shape.count(q + 1));
            shape.for_rows(q, |row, range| below.extend((0..range.len()).map(|k| places[row] * extent + k)));
            places = below;
        }
        Ok((extents, a.leaves().to_vec()))
    }

    /// Creates a ragged array from a row-major regular one of the extents `shape`, without the padding at the end of each list.
    ///
    /// This is the inverse of [`RaggedArray::to_padded`], except that empty lists at the end of a list count as padding, too.
    /// Fails unless the product of `shape` is the number of elements.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_padded(&[3, 2], &[1, 2, 0, 0, 0, 3], |x| *x == 0)?;
    /// assert_eq!((a.shape().offsets(), a.leaves()), (vec![vec![0, 2, 2, 4]], &[1, 2, 0, 3][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_padded(shape: &[usize], data: &[T], is_padding: impl Fn(&T) -> bool) -> Result<RaggedArray<'static, T>> {
        let [outer, inner @ ..] = shape else { return Err(RaggedError::NoLevels) };
        add_up(product(shape)?, data.len())?;
        // From the last axis outwards: count the used elements of each list. A list is used if any of its elements is.
        let mut used: Vec<bool> = data.iter().map(|x| !is_padding(x)).collect();
        let mut lengths = Vec::with_capacity(inner.len());
        for (axis, extent) in inner.iter().enumerate().rev() {
            let lists = product(&shape[..=axis])?;
            let length = |list: usize| {
                let elements = used.get(list * extent..(list + 1) * extent).unwrap_or(&[]);
                elements.iter().rposition(|used| *used).map_or(0, |last| last + 1)
            };
            let mut of_lists = room(lists)?;
            of_lists.extend((0..lists).map(length));
            used = of_lists.iter().map(|length: &usize| *length > 0).collect();
            lengths.push(of_lists);
        }
        // From the first axis inwards: keep the used elements of used lists.
        let (mut levels, mut open) = (Vec::with_capacity(inner.len()), room(*outer)?);
        open.extend(0..*outer);
        for (extent, lengths) in inner.iter().zip(lengths.into_iter().rev()) {
            let kept: Vec<usize> = open.iter().map(|list| lengths[*list]).collect();
            levels.push(DynLevel::of_lengths(&kept)?);
            open = open.iter().zip(&kept).flat_map(|(list, kept)| (0..*kept).map(move |k| list * extent + k)).collect();
        }
        RaggedArray::new(*outer, levels, open.into_iter().map(|k| data[k].clone()).collect::<Vec<T>>())
    }

    /// Returns the extent of every axis, and the leaves in row-major order. Fails unless all lists of an axis have one
    /// length.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 2, 1], vec![1, 2, 3, 4, 5])?;
    /// assert_eq!(a.to_regular().unwrap_err().to_string(), "axis 1: list 2 has 1 elements, but list 0 has 2");
    /// assert_eq!(a.slice(1, None, Some(1), 1)?.to_regular()?, (vec![3, 1], vec![1, 3, 5]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn to_regular(&self) -> Result<(Vec<usize>, Vec<T>)> {
        let a = self.settled()?;
        let mut extents = alloc::vec![a.len()];
        for q in 0..a.depth() - 1 {
            let mut extent = None;
            a.shape().try_for_rows(q, |list, range| match *extent.get_or_insert(range.len()) {
                expected if expected == range.len() => Ok(()),
                expected => Err(RaggedError::NotRegular { axis: q + 1, list, len: range.len(), expected }),
            })?;
            extents.push(extent.unwrap_or(0));
        }
        Ok((extents, a.leaves().to_vec()))
    }

    /// Creates an array of fixed sizes from a row-major regular one. Fails unless `data` has the product of `shape` elements.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_regular(&[2, 3], vec![1, 2, 3, 4, 5, 6])?;
    /// assert_eq!((a.row(1), a.shape().fixed(1)), (&[4, 5, 6][..], Some(3)));
    /// let rows_of_none = RaggedArray::from_regular(&[3, 0], Vec::<f32>::new())?;
    /// assert_eq!(rows_of_none.len(), 3);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_regular(shape: &[usize], data: impl Into<Cow<'a, [T]>>) -> Result<Self> {
        let [outer, inner @ ..] = shape else { return Err(RaggedError::NoLevels) };
        let data = data.into();
        add_up(product(shape)?, data.len())?;
        RaggedArray::new(*outer, inner.iter().map(|extent| DynLevel::fixed(*extent)).collect(), data)
    }

    /// Moves the lists of the last axis to multiples of `tile`, with `fill` between them. Fails if `tile` is 0, or for one axis.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// use layout_levels::{Aligned, Level};
    /// let a = RaggedArray::from_lengths(vec![3, 0, 5, 1], vec![1, 2, 3, 4, 5, 6, 7, 8, 9])?.aligned(4, &0)?;
    /// let rows = Aligned::<_, 4>::new(a.shape().levels()[0].view(), 4)?;
    /// assert_eq!((rows.range(2), a.get(&[2, 1])?), (4..9, &5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn aligned(&self, tile: usize, fill: &T) -> Result<RaggedArray<'static, T>> {
        let a = self.settled()?;
        a.shape().axis(1, 1)?;
        if tile == 0 {
            return Err(RaggedError::Remainder { len: a.leaves().len(), size: 0 });
        }
        let q = a.depth() - 2;
        let mut data = Vec::with_capacity(a.leaves().len());
        let (mut starts, mut sizes) = (Vec::<u64>::with_capacity(a.shape().count(q)), Vec::with_capacity(a.shape().count(q)));
        a.shape().for_rows(q, |_, range| {
            starts.push(data.len() as u64);
            sizes.push(range.len() as u64);
            data.extend_from_slice(a.leaves().get(range).unwrap_or(&[]));
            data.resize(data.len().next_multiple_of(tile), fill.clone());
        });
        let mut levels = a.shape().packed_levels(q)?;
        levels.push(DynLevel::views(starts, sizes, data.len())?);
        RaggedArray::new(a.len(), levels, data)
    }
}
