//! Arrays of other crates, storages that own their elements, and transfers.

use crate::case::{Case, Element, Form, LEN, WrittenElements, dense_layout};
use crd2idx::TensorError;
use crd2idx::interop::{FromTensor, InteropError, IntoTensor, dlpack};
use crd2idx::prelude::*;
use crd2idx::relayout::Transfer;
use dlpark::Managed;
use dlpark::ffi::DLManagedTensorVersioned;
use faer::{MatMut, MatRef};
use nalgebra::{Dyn as Extent, MatrixView, MatrixViewMut};
use ndarray::{Array, ArrayViewD, ArrayViewMutD, IxDyn};

/// Returns the result of a conversion, or `None` if it is refused for the reason that the row gives. Panics for any other refusal.
fn given<T, X: Element, F: Form>(case: &Case<X, F>, result: Result<T, InteropError>, rank: Option<usize>, writes: bool) -> Option<T> {
    match result {
        Ok(given) => {
            assert!(case.strides().is_some() && rank.is_none_or(|rank| rank == case.extents.len()));
            assert!(!writes || case.is_injective());
            Some(given)
        }
        Err(InteropError::Stride { mode, extent }) => {
            assert!(case.no_strides.is_some() && case.strides().is_none() && case.extents[mode] == extent && extent > 1);
            None
        }
        Err(InteropError::Rank { rank: had, dimensions }) => {
            assert!(had == case.extents.len() && rank == Some(dimensions) && had != dimensions);
            None
        }
        Err(InteropError::Tensor(TensorError::Shared)) => {
            assert!(writes && !case.is_injective());
            None
        }
        Err(InteropError::Tensor(TensorError::Undecided)) => {
            assert!(writes && (case.unproven.is_some() || !case.is_injective()));
            None
        }
        Err(InteropError::Interleaved) => {
            assert!(writes && !case.nests());
            None
        }
        Err(InteropError::NegativeStride { mode, stride }) => {
            assert_eq!(case.strides().expect("strides")[mode], stride);
            assert!(stride < 0);
            None
        }
        Err(InteropError::Walk { mode, extent, stride }) => {
            assert_eq!((mode, stride, case.strides().expect("strides")[mode], case.extents[mode]), (0, 0, 0, extent));
            assert!(extent > 1 && !writes);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Converts to views of ndarray. Fortran's order is the colexicographic one.
pub fn arrays<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    if let Some(array) = given(case, ArrayViewD::from_tensor(t.view()), None, false) {
        assert_eq!(array.shape(), case.extents);
        assert!(array.t().iter().eq(&case.elements()));
        assert!(array.into_tensor().unwrap().iter().eq(&case.elements()));
    }
    let Some(mut array) = given(case, ArrayViewMutD::from_tensor(t), None, true) else { return WrittenElements::Nothing };
    array.view_mut().reversed_axes().iter_mut().enumerate().for_each(|(k, x)| *x = Case::<X, F>::new_value(k));
    WrittenElements::Each
}

/// Converts to matrices of faer, reads every element, and writes new values.
pub fn matrices<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    if let Some(matrix) = given(case, MatRef::from_tensor(t.view()), Some(2), false) {
        assert!(case.coordinates().zip(case.elements()).all(|(modes, want)| matrix[(modes[0], modes[1])] == want));
    }
    let Some(mut matrix) = given(case, MatMut::from_tensor(t), Some(2), true) else { return WrittenElements::Nothing };
    case.coordinates().enumerate().for_each(|(k, modes)| matrix[(modes[0], modes[1])] = Case::<X, F>::new_value(k));
    WrittenElements::Each
}

/// Converts to views of nalgebra, reads every element, and writes new values.
pub fn matrix_views<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let view = MatrixView::<X, Extent, Extent, Extent, Extent>::from_tensor(t.view());
    if let Some(matrix) = given(case, view, Some(2), false) {
        assert!(case.coordinates().zip(case.elements()).all(|(modes, want)| matrix[(modes[0], modes[1])] == want));
        // If several rows have a stride, iterators of nalgebra compute a pointer behind the storage, which an interpreter refuses.
        assert!(cfg!(miri) && matrix.strides().0 > 1 || matrix.iter().eq(&case.elements()));
    }
    let view = MatrixViewMut::<X, Extent, Extent, Extent, Extent>::from_tensor(t);
    let Some(mut matrix) = given(case, view, Some(2), true) else { return WrittenElements::Nothing };
    if cfg!(miri) && matrix.strides().0 > 1 {
        case.coordinates().enumerate().for_each(|(k, modes)| matrix[(modes[0], modes[1])] = Case::<X, F>::new_value(k));
    } else {
        matrix.iter_mut().enumerate().for_each(|(k, x)| *x = Case::<X, F>::new_value(k));
    }
    WrittenElements::Each
}

/// Returns the tensor with its own copy of the buffer, or `None` if index 0 lies outside of the buffer or there is no coordinate.
fn owned<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: &ViewMut<X, L>) -> Option<Boxed<X, L>> {
    let first = t.layout().crd2idx(case.all().next()?) as isize;
    let origin = case.places[0].checked_add_signed(-first).filter(|origin| *origin <= LEN)?;
    Some(Tensor::with_origin(case.buffer(), origin, t.layout()).unwrap())
}

/// Converts to arrays of ndarray that own their elements.
pub fn owned_arrays<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let Some(t) = owned(case, &t) else { return WrittenElements::Nothing };
    if let Some(array) = given(case, Array::<X, IxDyn>::from_tensor(t), None, true) {
        assert!(array.t().iter().eq(&case.elements()));
        assert!(array.into_tensor().unwrap().iter().eq(&case.elements()));
    }
    WrittenElements::Nothing
}

/// Converts a copy of the tensor to a descriptor of DLPack, and reads every element through it.
pub fn descriptors<F: Form, L: Layout>(case: &Case<u64, F>, t: ViewMut<u64, L>) -> WrittenElements<u64> {
    let Some(t) = owned(case, &t) else { return WrittenElements::Nothing };
    if let Some(mut array) = given(case, Managed::<DLManagedTensorVersioned>::from_tensor(t), None, true) {
        // SAFETY: the descriptor describes the tensor, which no one else has.
        let t = unsafe { dlpack::view_mut::<u64, _>(&mut array) }.unwrap();
        assert!(t.iter().eq(&case.elements()));
    }
    WrittenElements::Nothing
}

/// Copies to a box of all elements that the layout spans.
pub fn boxed<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let mut own = Boxed::filled(t.layout(), X::new(5)).unwrap();
    own.assign(&t);
    assert!(own.iter().eq(&case.elements()));
    assert!(own.view_mut().iter().eq(&case.elements()));
    let places = case.sorted();
    let others = own.as_slice().iter().filter(|x| **x == X::new(5)).count();
    let distinct = 1 + places.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(size_of::<X>() == 0 || others + if places.is_empty() { 0 } else { distinct } >= own.as_slice().len());
    WrittenElements::Nothing
}

/// Reads the bits of the elements as numbers of another type, and writes new values through that type.
pub fn recast<F: Form, L: Layout>(case: &Case<u64, F>, mut t: ViewMut<u64, L>) -> WrittenElements<u64> {
    assert!(t.recast::<i64>().unwrap().iter().copied().eq(case.places.iter().map(|place| *place as i64)));
    let mut k = 0;
    t.recast_mut::<i64>().unwrap().ordered_mut().for_each_mut(|x| {
        *x = 1000 + k;
        k += 1;
    });
    WrittenElements::Each
}

/// Transfers the elements to a dense tensor by a plan, and new values back.
pub fn transferred<F: Form, L: Layout + PartialEq>(case: &Case<u64, F>, mut t: ViewMut<u64, L>) -> WrittenElements<u64> {
    // A plan takes an interpreter seconds. Layouts of few elements are enough, because transfers have tests of their own.
    if cfg!(miri) && case.size() > 4 {
        return WrittenElements::Nothing;
    }
    let (layout, mut values) = (dense_layout(case), case.new_values());
    let out = Transfer::between(t.layout(), layout);
    assert_eq!(out.is_ok(), case.no_loops.is_none(), "{:?}", out.err());
    if let Ok(out) = out {
        out.run(&t, &mut Tensor::new(&mut values, layout).unwrap()).unwrap();
        assert_eq!(values, case.elements());
    }
    let Ok(back) = Transfer::between(layout, t.layout()) else {
        assert!(case.no_loops.is_some() || !case.is_injective());
        return WrittenElements::Nothing;
    };
    assert!(case.is_injective());
    back.run(&Tensor::new(&case.new_values(), layout).unwrap(), &mut t).unwrap();
    WrittenElements::Each
}
