//! Converts views of `nalgebra` matrices to tensors and back.
//!
//! Extents and strides in the type of a view are static in the layout. The layout of an `SMatrix<f32, 4, 4>` is
//! `(4,4):(1,4)`, which has size 0.
//!
//! ```
//! use crd2idx::interop::{FromTensor, IntoTensor};
//! use crd2idx::{Int, Tensor, TypedLayout, make_layout};
//! use nalgebra::{Dyn, MatrixView, MatrixViewMut, SMatrix, U1, U3, Vector3};
//!
//! let mut m = SMatrix::<f32, 2, 3>::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
//! let t = m.fixed_view::<2, 3>(0, 0).into_tensor()?;
//! assert_eq!((t[(1, 2)], size_of_val(&t.layout()), t.layout().to_dyn::<4>()?.to_string()), (6.0, 0, "(2,3):(1,2)".into()));
//!
//! // A tensor as a view: extents and strides in the type of the view are compared.
//! let data = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
//! let t = Tensor::new(&data, make_layout((2, 3), (Int::<1>, 2)))?;
//! let v = MatrixView::<f64, Dyn, U3, U1, Dyn>::from_tensor(t)?;
//! assert_eq!((v.row(1) * Vector3::new(1.0, 1.0, 1.0))[0], 9.0);
//!
//! let mut w = m.fixed_view_mut::<2, 2>(0, 1).into_tensor()?;
//! w.tiles_mut((Int::<2>, Int::<1>)).for_each(|mut column| column.fill(0.0));
//! MatrixViewMut::<f32, Dyn, Dyn, Dyn, Dyn>::from_tensor(w)?[(0, 0)] = 9.0;
//! assert_eq!(m, SMatrix::<f32, 2, 3>::new(1.0, 9.0, 0.0, 4.0, 0.0, 0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::axes::Axes;
use super::{FromTensor, InteropError, IntoTensor};
use crate::layouts::IntTuple;
use crate::tensor::{Injective, Shared, Storage, StorageMut, Unique};
use crate::{Int, Layout, Strided, View, ViewMut};
use ::nalgebra::{Const, Dim, Dyn, Matrix, MatrixView, MatrixViewMut, RawStorage, ViewStorage, ViewStorageMut};

/// An extent or a stride of a matrix with its type in a layout: an [`Int`] if the type gives the number.
///
/// ```
/// use crd2idx::Int;
/// use crd2idx::interop::{IntoTensor, nalgebra::MatrixDim};
/// use nalgebra::{Const, Dyn, MatrixView, SMatrix};
/// assert_eq!((Const::<3>.int(), Dyn(7).int()), (Int::<3>, 7));
///
/// /// Returns the sum of a matrix. Its extents and strides may be static or not.
/// fn sum<R: MatrixDim, C: MatrixDim, RS: MatrixDim, CS: MatrixDim>(m: MatrixView<'_, f64, R, C, RS, CS>) -> f64 {
///     m.into_tensor().expect("the indices fit").fold(0.0, |sum, x| sum + x)
/// }
/// let m = SMatrix::<f64, 2, 3>::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
/// assert_eq!(sum(m.fixed_columns::<3>(0)), 21.0);
/// assert_eq!(sum(m.view((0, 1), (2, 2))), 16.0);
/// ```
pub trait MatrixDim: Dim {
    /// The type of the extent or the stride in a layout.
    type Int: IntTuple;

    /// Returns the extent or the stride as an integer of a layout.
    fn int(self) -> Self::Int;
}

impl<const N: usize> MatrixDim for Const<N> {
    type Int = Int<N>;

    fn int(self) -> Int<N> {
        Int
    }
}

impl MatrixDim for Dyn {
    type Int = usize;

    fn int(self) -> usize {
        self.0
    }
}

/// The layout of a view with these types of extents and strides.
///
/// ```
/// use crd2idx::View;
/// use crd2idx::interop::nalgebra::MatrixLayout;
/// use crd2idx::interop::{InteropError, IntoTensor};
/// use nalgebra::{Const, SMatrix, U1};
/// /// Two columns of a matrix of four rows.
/// struct Pair<'a> {
///     columns: View<'a, f32, MatrixLayout<Const<4>, Const<2>, U1, Const<4>>>,
/// }
/// let m = SMatrix::<f32, 4, 6>::from_fn(|i, j| (10 * i + j) as f32);
/// let pair = Pair { columns: m.fixed_columns::<2>(3).into_tensor()? };
/// assert_eq!(pair.columns[(2, 1)], 24.0);
/// // The layout takes no memory: the view is a pointer.
/// assert_eq!(size_of::<Pair>(), size_of::<usize>());
/// # Ok::<(), InteropError>(())
/// ```
pub type MatrixLayout<R, C, RStride, CStride> =
    Strided<(<R as MatrixDim>::Int, <C as MatrixDim>::Int), (<RStride as MatrixDim>::Int, <CStride as MatrixDim>::Int)>;

/// Returns the layout of a storage of a matrix. Fails if an index does not fit `isize`.
fn layout<T, R: MatrixDim, C: MatrixDim, S: RawStorage<T, R, C, RStride: MatrixDim, CStride: MatrixDim>>(
    storage: &S,
) -> Result<MatrixLayout<R, C, S::RStride, S::CStride>, InteropError> {
    let ((rows, columns), (row, column)) = (storage.shape(), storage.strides());
    let layout = Strided::new((rows.int(), columns.int()), (row.int(), column.int()));
    layout.index_range()?;
    Ok(layout)
}

impl<'a, T, R: MatrixDim, C: MatrixDim, RS: MatrixDim, CS: MatrixDim> IntoTensor for MatrixView<'a, T, R, C, RS, CS> {
    type Storage = Shared<'a, T>;
    type Layout = MatrixLayout<R, C, RS, CS>;

    fn into_tensor(self) -> Result<View<'a, T, Self::Layout>, InteropError> {
        let layout = layout(&self.data)?;
        // SAFETY: the elements of the view are at the sums of its strides from its pointer, and borrowed for `'a`.
        Ok(unsafe { View::from_raw(self.data.ptr(), layout) })
    }
}

impl<'a, T, R: MatrixDim, C: MatrixDim, RS: MatrixDim, CS: MatrixDim> IntoTensor for MatrixViewMut<'a, T, R, C, RS, CS> {
    type Storage = Unique<'a, T>;
    type Layout = MatrixLayout<R, C, RS, CS>;

    fn into_tensor(mut self) -> Result<ViewMut<'a, T, Self::Layout>, InteropError> {
        let layout = layout(&self.data)?;
        // SAFETY: the elements of the view are at the sums of its strides from its pointer, and borrowed for `'a`. The view
        // is passed by value, so nobody else has it.
        Ok(unsafe { ViewMut::from_raw_mut(::nalgebra::RawStorageMut::ptr_mut(&mut self.data), layout) })
    }
}

/// The extents and the strides of a view, in its own types: `((rows, columns), (row stride, column stride))`.
type Dimensions<R, C, RS, CS> = ((R, C), (RS, CS));

/// Returns the extents and strides in the types of a view. Fails if the rank is not 2, a stride is negative, or a type has
/// another number.
///
/// Iterators of nalgebra add the stride of the rows to a pointer after each element, and take the pointer
/// `rows * stride` after the first as the end of a column. Therefore several rows of stride 0 are refused. A single
/// row gets stride 1, so that this pointer is the end of its element. A mode without a second element is never
/// stepped along; its stride is the one of a matrix with contiguous columns.
fn dimensions<R: Dim, C: Dim, RS: Dim, CS: Dim>(axes: &Axes) -> Result<Dimensions<R, C, RS, CS>, InteropError> {
    fn extent<D: Dim>(mode: usize, extent: usize) -> Result<D, InteropError> {
        match D::try_to_usize() {
            Some(fixed) if fixed != extent => Err(InteropError::FixedExtent { mode, extent, fixed }),
            _ => Ok(D::from_usize(extent)),
        }
    }
    /// Returns the stride of mode number `mode` as the type `D`. For a mode that is never stepped along, `idle` replaces
    /// the stride. Fails if the stride is negative or the type has another one.
    fn stride<D: Dim>(mode: usize, stride: isize, idle: Option<usize>) -> Result<D, InteropError> {
        let value = match (D::try_to_usize(), idle) {
            (Some(fixed), None) if usize::try_from(stride) != Ok(fixed) => return Err(InteropError::FixedStride { mode, stride, fixed }),
            (Some(fixed), _) => fixed,
            (None, Some(idle)) => idle,
            (None, None) => usize::try_from(stride).map_err(|_| InteropError::NegativeStride { mode, stride })?,
        };
        Ok(D::from_usize(value))
    }
    let ([rows, columns], [row, column]) = axes.fixed()?;
    let empty = rows == 0 || columns == 0;
    let row: RS = stride(0, row, (rows <= 1 || empty).then_some(1))?;
    let step = row.value();
    if !empty && (step == 0 || rows == 1 && step != 1) {
        return Err(InteropError::Walk { mode: 0, extent: rows, stride: step });
    }
    // The product saturates only if there are no elements.
    let reach = rows.saturating_sub(1).saturating_mul(step).saturating_add(1);
    let column = stride(1, column, (columns <= 1 || empty).then_some(reach))?;
    Ok(((extent(0, rows)?, extent(1, columns)?), (row, column)))
}

/// Views a tensor as a matrix. Fails as the trait says, if a stride is negative, if several rows have stride 0, or if
/// the type of the view has another extent or stride. For a single row, the type may have only stride 1.
impl<'a, T, L: Layout, R: Dim, C: Dim, RS: Dim, CS: Dim> FromTensor<Shared<'a, T>, L> for MatrixView<'a, T, R, C, RS, CS> {
    fn from_tensor(tensor: View<'a, T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        let (shape, strides) = dimensions(&axes)?;
        let first = axes.place(tensor.into_storage().origin(), axes.first());
        // SAFETY: sums of the strides from the first element reach exactly the elements of the layout, which are in one
        // allocation and borrowed for `'a`. The stride of the rows distinguishes the end of a column from its start.
        Ok(Matrix::from_data(unsafe { ViewStorage::from_raw_parts(first, shape, strides) }))
    }
}

/// Views a tensor as a matrix, for writing. Fails as the trait says, if a stride is negative, or if the type of the view
/// has another extent or stride. For a single row, the type may have only stride 1.
impl<'a, T, L: Layout, R: Dim, C: Dim, RS: Dim, CS: Dim> FromTensor<Unique<'a, T>, L> for MatrixViewMut<'a, T, R, C, RS, CS> {
    fn from_tensor(tensor: ViewMut<'a, T, L>) -> Result<Self, InteropError> {
        let axes = Axes::of(&tensor.layout())?;
        Injective::new(tensor.layout())?;
        let (shape, strides) = dimensions(&axes)?;
        let first = axes.place(tensor.into_storage().origin_mut(), axes.first()).cast_mut();
        // SAFETY: sums of the strides reach exactly the elements of the layout. The borrow is exclusive and passed by
        // value, and no two coordinates share an element.
        Ok(Matrix::from_data(unsafe { ViewStorageMut::from_raw_parts(first, shape, strides) }))
    }
}
