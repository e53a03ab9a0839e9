//! Conversions between tensors and matrices of faer.

use crate::common::Rng;
use crate::{matrix, rounds};
use crd2idx::interop::{FromTensor, InteropError, IntoTensor};
use crd2idx::prelude::*;
use faer::{Mat, MatMut, MatRef};

#[test]
fn matrices_of_any_strides() {
    let mut rng = Rng::new(3);
    for _ in 0..rounds(300) {
        let (layout, origin, len) = matrix(&mut rng, true);
        let mut data: Vec<usize> = (0..len).collect();
        let t = Tensor::with_origin(&data, origin, layout).unwrap();
        let m = MatRef::from_tensor(t).unwrap();
        assert_eq!((m.nrows(), m.ncols()), layout.shape());
        let again = m.into_tensor().unwrap();
        for (i, j) in layout.coordinates::<(usize, usize)>() {
            assert!(std::ptr::eq(&m[(i, j)], &t[(i, j)]) && std::ptr::eq(&again[(i, j)], &t[(i, j)]));
        }
        let mut w = Tensor::with_origin(&mut data, origin, layout).unwrap();
        let mut m = MatMut::from_tensor(w.view_mut()).unwrap();
        for j in 0..m.ncols() {
            for i in 0..m.nrows() {
                m[(i, j)] += 1000;
            }
        }
        m.into_tensor().unwrap().for_each_mut(|x| *x += 1000);
        assert!(w.iter().all(|x| *x >= 2000));
        assert_eq!(data.iter().filter(|x| **x >= 2000).count(), layout.size());
    }
}

#[test]
fn what_is_no_matrix() {
    let mut data = [0.0; 24];
    let error = MatRef::from_tensor(Tensor::new(&data, layout!((2, 3, 4) : (1, 2, 6))).unwrap()).err().unwrap();
    assert_eq!(error.to_string(), "the tensor has rank 3, but the array of the other crate has rank 2");
    assert!(MatRef::from_tensor(Tensor::new(&data, layout!(((2, 3), 4) : ((1, 2), 6))).unwrap()).is_ok());
    let shared = Tensor::new(&mut data, make_layout((3, 4), (Int::<0>, Int::<1>))).unwrap();
    let error = MatMut::from_tensor(shared).err().unwrap();
    assert_eq!(error.to_string(), "two coordinates of the layout share an index");
    let swizzled = Tensor::new(&data, StaticSwizzle::<1, 0, 1>.composition(layout!((2, 2) : (1, 2)))).unwrap();
    assert_eq!(MatRef::from_tensor(swizzled).err(), Some(InteropError::Stride { mode: 0, extent: 2 }));
    let a = Mat::<f64>::zeros(0, 5);
    assert_eq!(a.as_ref().into_tensor().unwrap().size(), 0);
}
