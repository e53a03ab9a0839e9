//! Converts matrices of `faer` to tensors and back.
//!
//! ```
//! use crd2idx::interop::{FromTensor, IntoTensor};
//! use crd2idx::{Boxed, Int, make_layout};
//! use faer::{Mat, MatMut, MatRef};
//!
//! // A matrix as a tensor: filled by tiles.
//! let mut a = Mat::zeros(6, 4);
//! let mut t = a.as_mut().into_tensor()?.injective()?;
//! t.tiles_mut((Int::<4>, Int::<2>)).enumerate().for_each(|(k, mut tile)| tile.fill(k as f64));
//! assert_eq!((a[(3, 0)], a[(4, 1)], a[(0, 2)], a[(5, 3)]), (0.0, 1.0, 2.0, 3.0));
//!
//! // A tensor of rows as a matrix: multiplied by faer.
//! let mut b = Boxed::filled(make_layout((4, 3), (Int::<3>, Int::<1>)), 1.0)?;
//! b[(0, 0)] = 3.0;
//! let product = &a * MatRef::from_tensor(b.view())?;
//! assert_eq!((product[(0, 0)], product[(5, 0)], product[(5, 2)]), (4.0, 10.0, 8.0));
//! MatMut::from_tensor(b.view_mut())?.copy_from(Mat::full(4, 3, 5.0));
//! assert_eq!(b[(3, 2)], 5.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::axes::{Axes, Matrix, strided};
use super::{FromTensor, InteropError, IntoTensor};
use crate::tensor::{Injective, Shared, Storage, StorageMut, Unique};
use crate::{Layout, View, ViewMut};
use ::faer::{MatMut, MatRef};

/// Returns the layout of a matrix. Fails if an index does not fit `isize`.
fn layout(extents: [usize; 2], strides: [isize; 2]) -> Result<Matrix, InteropError> {
    let layout: Matrix = strided::<2, _, _>(&extents, &strides)?;
    layout.index_range()?;
    Ok(layout)
}

impl<'a, T> IntoTensor for MatRef<'a, T> {
    type Storage = Shared<'a, T>;
    type Layout = Matrix;

    fn into_tensor(self) -> Result<View<'a, T, Matrix>, InteropError> {
        let layout = layout([self.nrows(), self.ncols()], [self.row_stride(), self.col_stride()])?;
        // SAFETY: the elements of the matrix are at the sums of its strides from its pointer, and borrowed for `'a`.
        Ok(unsafe { View::from_raw(self.as_ptr(), layout) })
    }
}

impl<'a, T> IntoTensor for MatMut<'a, T> {
    type Storage = Unique<'a, T>;
    type Layout = Matrix;

    fn into_tensor(self) -> Result<ViewMut<'a, T, Matrix>, InteropError> {
        let layout = layout([self.nrows(), self.ncols()], [self.row_stride(), self.col_stride()])?;
        // SAFETY: the elements of the matrix are at the sums of its strides from its pointer, and borrowed for `'a`. The
        // matrix is passed by value, so nobody else has it.
        Ok(unsafe { ViewMut::from_raw_mut(self.as_ptr_mut(), layout) })
    }
}

impl<'a, T, L: Layout> FromTensor<Shared<'a, T>, L> for MatRef<'a, T> {
    fn from_tensor(tensor: View<'a, T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        let ([rows, columns], [row, column]) = axes.fixed()?;
        let first = axes.place(tensor.into_storage().origin(), axes.first());
        // SAFETY: sums of the strides from the first element reach exactly the elements of the layout, which are
        // in one allocation and borrowed for `'a`.
        Ok(unsafe { MatRef::from_raw_parts(first, rows, columns, row, column) })
    }
}

impl<'a, T, L: Layout> FromTensor<Unique<'a, T>, L> for MatMut<'a, T> {
    fn from_tensor(tensor: ViewMut<'a, T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        let ([rows, columns], [row, column]) = axes.fixed()?;
        Injective::new(tensor.layout())?;
        let first = axes.place(tensor.into_storage().origin_mut(), axes.first()).cast_mut();
        // SAFETY: sums of the strides reach exactly the elements of the layout. The borrow is exclusive and passed by
        // value, and no two coordinates share an element.
        Ok(unsafe { MatMut::from_raw_parts_mut(first, rows, columns, row, column) })
    }
}
