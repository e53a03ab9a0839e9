//! Views of nalgebra's matrices as tensors and back.

use crate::common::Rng;
use crate::{matrix, rounds};
use crd2idx::interop::{FromTensor, InteropError, IntoTensor};
use crd2idx::prelude::*;
use nalgebra::{Const, Dyn, MatrixView, MatrixViewMut, SMatrix, U1};

type Read<'a> = MatrixView<'a, usize, Dyn, Dyn, Dyn, Dyn>;
type Write<'a> = MatrixViewMut<'a, usize, Dyn, Dyn, Dyn, Dyn>;

#[test]
fn matrices_of_any_strides() {
    let mut rng = Rng::new(3);
    for _ in 0..rounds(300) {
        let (layout, origin, len) = matrix(&mut rng, false);
        let mut data: Vec<usize> = (0..len).collect();
        let t = Tensor::with_origin(&data, origin, layout).unwrap();
        let m = Read::from_tensor(t).unwrap();
        assert_eq!(m.shape(), layout.shape());
        let again = m.into_tensor().unwrap();
        for (i, j) in layout.coordinates::<(usize, usize)>() {
            assert!(std::ptr::eq(&m[(i, j)], &t[(i, j)]) && std::ptr::eq(&again[(i, j)], &t[(i, j)]));
        }
        let mut w = Tensor::with_origin(&mut data, origin, layout).unwrap();
        let mut m = Write::from_tensor(w.view_mut()).unwrap();
        // Iterators of nalgebra compute a place behind the storage where rows have a stride, which an interpreter refuses.
        if cfg!(miri) {
            layout.coordinates::<(usize, usize)>().for_each(|c| m[c] += 1000);
        } else {
            m.add_scalar_mut(1000);
        }
        m.into_tensor().unwrap().for_each_mut(|x| *x += 1000);
        assert!(w.iter().all(|x| *x >= 2000));
        assert_eq!(data.iter().filter(|x| **x >= 2000).count(), layout.size());
    }
}

#[test]
fn static_dimensions_are_static_extents() {
    let mut m = SMatrix::<f64, 3, 4>::from_fn(|i, j| (10 * i + j) as f64);
    let t = m.fixed_view::<2, 3>(1, 1).into_tensor().unwrap();
    assert_eq!((size_of_val(&t.layout()), t.layout().to_string()), (0, "(2,3):(1,3)".into()));
    assert_eq!((t[(0, 0)], t[(1, 2)]), (11.0, 23.0));
    let mut w = m.fixed_columns_mut::<2>(1).into_tensor().unwrap();
    w.tiles_mut(shape!(3, 1)).enumerate().for_each(|(k, mut column)| column.fill(k as f64));
    assert_eq!((m[(2, 1)], m[(2, 2)], m[(2, 3)]), (0.0, 1.0, 23.0));
    assert_eq!(m.view((1, 1), (2, 3)).into_tensor().unwrap().layout().to_string(), "(2,3):(1,3)");
}

#[test]
fn what_a_type_does_not_say() {
    let mut data: Vec<i32> = (0..24).collect();
    let t = Tensor::new(&data, make_layout((4, 6), (Int::<1>, 4))).unwrap();
    assert_eq!(MatrixView::<i32, Const<4>, Const<6>, U1, Const<4>>::from_tensor(t).unwrap()[(3, 5)], 23);
    let error = MatrixView::<i32, Const<3>, Dyn, U1, Dyn>::from_tensor(t).err().unwrap();
    assert_eq!(error.to_string(), "mode 0 has the extent 4, the other side's type 3");
    let error = MatrixView::<i32, Dyn, Dyn, U1, Const<5>>::from_tensor(t).err().unwrap();
    assert_eq!(error.to_string(), "mode 1 has the stride 4, the other side's type 5");
    let reversed = Tensor::with_origin(&data, 3, make_layout((4, 6), (Signed(-1), 4))).unwrap();
    let error = MatrixView::<i32, Dyn, Dyn, Dyn, Dyn>::from_tensor(reversed).err().unwrap();
    assert_eq!(error, InteropError::NegativeStride { mode: 0, stride: -1 });
    assert_eq!(error.to_string(), "mode 0 has the stride -1, the other side none below 0");
    // A single row has any row stride.
    let row = Tensor::new(&data, make_layout((1, 6), (Signed(-9), 4))).unwrap();
    assert_eq!(MatrixView::<i32, Dyn, Dyn, U1, Dyn>::from_tensor(row).unwrap()[(0, 5)], 20);
    let shared = Tensor::new(&mut data, make_layout((4, 6), (Int::<0>, 4))).unwrap();
    let error = MatrixViewMut::<i32, Dyn, Dyn, Dyn, Dyn>::from_tensor(shared).err().unwrap();
    assert_eq!(error.to_string(), "two coordinates of the layout share an index");
}
