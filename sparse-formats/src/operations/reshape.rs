//! Reshapes tensors and permutes their axes.

use crate::attributes::Change;
use crate::kernels::Value;
use crate::{AxisMap, Builder, Format, Indices, OperationError, SparseTensor};
use alloc::sync::Arc;
use alloc::vec::Vec;

impl<'a, V: Value> SparseTensor<'a, V> {
    /// Permutes the axes of the tensor: axis `k` of the result is axis `axes[k]` of this tensor. The arrays stay the
    /// same, and the format names the axes in another order. Fails unless `axes` names each axis once, or if one triangle
    /// stands for both and `axes` neither increases nor decreases.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
    /// let a = Builder::new(Format::csr(), 0).build(&[2, 4], &columns, vec![5, 6])?.permute(&[1, 0])?;
    /// assert_eq!((a.shape(), a.at(&[2, 0])), (&[4, 2][..], Some(&5)));
    /// assert_eq!(a.format(), &Format::csc());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn permute(self, axes: &[usize]) -> Result<SparseTensor<'a, V>, OperationError> {
        let attributes = self.attributes().after(Change::Axes(axes))?;
        let pattern = Arc::new(Arc::unwrap_or_clone(self.pattern).permuted(axes)?);
        Ok(SparseTensor { pattern, attributes, ..self })
    }

    /// Arranges the elements, in row-major order, in another shape, and stores them in a format of its rank.
    ///
    /// No index of the whole tensor is computed. Axes are joined only where the new axes split them differently, so
    /// only the sizes of such groups must fit 64 bits. Fails if they do not, if the shapes have different numbers of
    /// elements, if one triangle stands for both, or as `Builder::build` does.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
    /// let a = Builder::new(Format::csr(), 0).build(&[2, 6], &columns, vec![5, 6])?;
    /// let b = a.reshape(&[4, 3], &Format::csf(2))?;
    /// assert_eq!((b.at(&[0, 2]), b.at(&[2, 0])), (Some(&5), Some(&6)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reshape(&self, shape: &[u64], format: &Format) -> Result<SparseTensor<'static, V>, OperationError> {
        let attributes = self.attributes().after(Change::Shape)?;
        let format = if self.format().is_multigraph() { format.clone().with_multigraph(true)? } else { format.clone() };
        let columns = self.pattern().coordinates()?;
        let columns = self.expanded(&columns)?;
        let columns = reshaped(&columns, self.shape(), shape)?;
        let built = Builder::new(format, self.fill().clone()).build(shape, &columns, self.values().view())?;
        Ok(built.with_believed(attributes))
    }
}

/// Converts columns of coordinates in the shape `from` to columns in the shape `to`. Fails unless both shapes have the same
/// number of elements, or if a product of extents exceeds 64 bits.
fn reshaped(columns: &[Indices], from: &[u64], to: &[u64]) -> Result<Vec<Indices<'static>>, OperationError> {
    let size = || OperationError::Size { from: from.to_vec(), to: to.to_vec() };
    if from.contains(&0) || to.contains(&0) {
        // There are no elements, so other extents do not matter.
        let empty = || to.iter().map(|_| Indices::narrowest(&[])).collect();
        return if from.contains(&0) && to.contains(&0) { Ok(empty()) } else { Err(size()) };
    }
    let overflow = || OperationError::Overflow { from: from.to_vec(), to: to.to_vec() };
    let mut out = Vec::with_capacity(to.len());
    let (mut i, mut j) = (0, 0);
    while i < from.len() || j < to.len() {
        let (first, second) = (i, j);
        let (mut left, mut right) = (1u128, 1u128);
        // Take the shortest groups of equal products. Axes of extent 1 join the group before them.
        while i == first && j == second || left != right || from.get(i) == Some(&1) || to.get(j) == Some(&1) {
            let take_left = left < right || (left == right && (from.get(i) == Some(&1) || (i == first && i < from.len())));
            let (product, extent) = match take_left {
                true => (&mut left, from.get(i)),
                false => (&mut right, to.get(j)),
            };
            *product = product.checked_mul(u128::from(*extent.ok_or_else(size)?)).ok_or_else(overflow)?;
            if take_left { i += 1 } else { j += 1 }
        }
        let group = |extents: &[u64]| AxisMap::grouped(extents, &(0..extents.len()).collect::<Vec<_>>(), &[]).map_err(|_| overflow());
        let (narrow, wide) = (group(&from[first..i])?, group(&to[second..j])?);
        let reduced = match i - first {
            // The group consists of new axes of extent 1: all coordinates are 0.
            0 => alloc::vec![Indices::from(alloc::vec![0u8; columns.first().map_or(1, Indices::len)])],
            _ => narrow.reduce_columns(&columns[first..i]).map_err(|_| overflow())?,
        };
        out.extend(wide.promote_columns(&reduced).map_err(|_| overflow())?);
    }
    Ok(out)
}
