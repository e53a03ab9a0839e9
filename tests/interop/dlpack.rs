//! Conversions between tensors and DLPack descriptors, and descriptors that are refused.

use crate::common::Rng;
use crate::{matrix, rounds};
use crd2idx::Boxed;
use crd2idx::interop::{FromTensor, InteropError, dlpack};
use crd2idx::prelude::*;
use dlpark::DlpackFlags;
use dlpark::ffi::{DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLTensor};
use dlpark::{Managed, ManagedTensorBase, versioned};

fn round_trip<M: ManagedTensorBase>() {
    let mut rng = Rng::new(5);
    for _ in 0..rounds(200) {
        let (layout, origin, len) = matrix(&mut rng, true);
        let t = Tensor::with_origin((0..len as i64).collect::<Vec<_>>(), origin, layout).unwrap();
        let (place, elements) = (t.as_ptr(), t.iter().copied().collect::<Vec<_>>());
        let mut given = Managed::<M>::from_tensor(t).unwrap();
        // SAFETY: the descriptor describes the tensor, which no one else has.
        let t = unsafe { dlpack::view::<i64, M>(&given) }.unwrap();
        assert!(t.size() == 0 || t.as_ptr() == place);
        assert_eq!(t.iter().copied().collect::<Vec<_>>(), elements);
        // SAFETY: as above.
        let mut t = unsafe { dlpack::view_mut::<i64, M>(&mut given) }.unwrap();
        t.for_each_mut(|x| *x = -*x);
        assert!(t.iter().zip(&elements).all(|(now, before)| *now == -before));
    }
}

#[test]
fn given_and_taken() {
    round_trip::<DLManagedTensor>();
    round_trip::<DLManagedTensorVersioned>();
}

#[test]
fn descriptors_that_are_refused() {
    fn refused(change: impl Fn(&mut DLTensor)) -> String {
        let t = Boxed::filled(make_layout((3, 4), (Int::<4>, Int::<1>)), 0.5f32).unwrap();
        let given = versioned::Dlpack::from_tensor(t).unwrap();
        // SAFETY: the numbers are restored before the descriptor is dropped, and descriptors with false numbers are refused.
        unsafe {
            let tensor = (*given.as_ptr()).tensor_mut();
            let before = *tensor;
            change(tensor);
            let error = dlpack::view::<f32, _>(&given).err().unwrap().to_string();
            *(*given.as_ptr()).tensor_mut() = before;
            error
        }
    }
    assert!(refused(|t| t.device = DLDevice::cuda(1)).contains("must be on CPU"));
    assert!(refused(|t| t.dtype.bits = 64).starts_with("dtype mismatch"));
    assert!(refused(|t| t.dtype.lanes = 4).starts_with("dtype mismatch"));
    assert!(refused(|t| t.data = std::ptr::null_mut()).contains("data pointer is null"));
    assert!(refused(|t| t.byte_offset = 2).contains("not aligned to 4 bytes"));
    assert!(refused(|t| t.byte_offset = u64::MAX - 3).contains("overflows"));
    assert!(refused(|t| t.ndim = -1).contains("ndim is negative: -1"));
    assert!(refused(|t| t.shape = std::ptr::null_mut()).contains("shape pointer is null"));
    assert!(refused(|t| t.strides = std::ptr::null_mut()).contains("explicit strides"));
    static SHAPES: [[i64; 2]; 3] = [[-3, 4], [i64::MAX, 4], [i64::MAX / 8, 1]];
    assert!(refused(|t| t.shape = SHAPES[0].as_ptr().cast_mut()).contains("dimension 0 is negative: -3"));
    assert!(refused(|t| t.shape = SHAPES[1].as_ptr().cast_mut()).contains("overflows"));
    static STRIDES: [i64; 2] = [i64::MAX / 2, 1];
    assert!(!refused(|t| t.strides = STRIDES.as_ptr().cast_mut()).is_empty());
}

#[test]
fn read_only_and_shared() {
    let t = Boxed::filled(make_layout((3, 4), (Int::<4>, Int::<1>)), 1u8).unwrap();
    let mut given = versioned::Dlpack::from_tensor(t).unwrap();
    // SAFETY: this allows less than before.
    unsafe { *given.flags_mut() = DlpackFlags::READ_ONLY };
    // SAFETY: the descriptor describes the tensor.
    unsafe {
        assert_eq!(dlpack::view_mut::<u8, _>(&mut given).err().unwrap().to_string(), "tensor is read-only");
        assert_eq!(dlpack::view::<u8, _>(&given).unwrap().iter().map(|x| u32::from(*x)).sum::<u32>(), 12);
    }
    let shared = Boxed::filled(make_layout((3, 4), (Int::<0>, Int::<1>)), 1u8).unwrap();
    let error = versioned::Dlpack::from_tensor(shared).err().unwrap();
    assert_eq!(error.to_string(), "two coordinates of the layout share an index");
    let nested = Boxed::filled(make_layout(((2, 2), 4), ((4, 1), Int::<8>)), 1u8).unwrap();
    assert_eq!(versioned::Dlpack::from_tensor(nested).err(), Some(InteropError::Stride { mode: 0, extent: 4 }));
}
