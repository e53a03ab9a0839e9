//! Pointers, and slices of contiguous tensors.

use crd2idx::Boxed;
use crd2idx::prelude::*;
use crd2idx::tensor::Window;

#[test]
fn contiguous_is_colexicographic() {
    let (m, n) = (4, 6);
    let mut data: Vec<usize> = (0..24).collect();
    let copy = data.clone();
    let view = Tensor::new(&data, make_layout((m, n), (1, m))).unwrap();
    assert_eq!(view.contiguous(), Some(&copy[..]));
    assert_eq!(Tensor::new(&data, make_layout((m, n), (n, 1))).unwrap().contiguous(), None);
    assert_eq!(Tensor::new(&data, layout!((2, (2, 6)) : (1, (2, 4)))).unwrap().contiguous(), Some(&copy[..]));
    assert_eq!(Tensor::new(&data, layout!(((2, 2), 6) : ((2, 1), 4))).unwrap().contiguous(), None);
    // A mode of extent 1 takes no step, and no elements are an empty slice.
    assert_eq!(Tensor::new(&data, make_layout((1, m), (99, 1))).unwrap().contiguous(), Some(&copy[..4]));
    assert_eq!(Tensor::new(&data, make_layout((m, 0), (99, 1))).unwrap().contiguous(), Some(&copy[..0]));
    assert_eq!(Tensor::new(&data, make_layout(m, Signed(1))).unwrap().contiguous(), Some(&copy[..4]));
    assert_eq!(Tensor::with_origin(&data, 3, make_layout(m, Signed(-1))).unwrap().contiguous(), None);
    assert_eq!(Tensor::new(&data, StaticSwizzle::<1, 0, 1>.composition(layout!((4, 4) : (1, 4)))).unwrap().contiguous(), None);
    assert_eq!(Tensor::new(&data, Window::clipped(layout!((4, 4) : (1, 4)), (4, 2))).unwrap().contiguous(), Some(&copy[..8]));
    assert_eq!(Tensor::new(&data, Window::clipped(layout!((4, 4) : (1, 4)), (3, 2))).unwrap().contiguous(), None);
    assert_eq!(Tensor::new(&data, "(4,(2,3)):(1,(4,8))".parse::<DynLayout>().unwrap()).unwrap().contiguous(), Some(&copy[..]));

    let mut t = Tensor::new(&mut data, make_layout((m, n), (1, m))).unwrap();
    t.contiguous_mut().unwrap().reverse();
    assert_eq!(t[(0, 0)], 23);
    t.slice_mut((Keep, 1)).contiguous_mut().unwrap().fill(0);
    assert_eq!(data[2..9], [21, 20, 0, 0, 0, 0, 15]);
}

#[test]
fn pointers_with_strides() {
    let mut t = Boxed::filled(make_layout((3, 4), (Signed(-1), Int::<3>)), 0u32).unwrap();
    t[(2, 0)] = 7;
    let (pointer, stride) = (t.as_mut_ptr(), t.layout().mode_stride(0).unwrap());
    // SAFETY: the pointer to coordinate (2, 0) of a live tensor.
    assert_eq!(unsafe { *pointer.offset(2 * stride) }, 7);
    // SAFETY: the elements of the tensor, which is not used meanwhile.
    let mut again = unsafe { ViewMut::from_raw_mut(pointer, t.layout()) };
    again[(0, 3)] = 9;
    assert_eq!(t[(0, 3)], 9);
    assert_eq!(t.as_slice()[11], 9);
}

#[test]
fn a_single_stride_of_a_mode() {
    let strides = |l: &str| {
        let l: DynLayout = l.parse().unwrap();
        (0..Layout::rank(&l)).map(|k| l.mode_stride(k)).collect::<Vec<_>>()
    };
    assert_eq!(strides("(4,5):(1,7)"), [Some(1), Some(7)]);
    assert_eq!(strides("((2,3),(2,2)):((5,10),(1,3))"), [Some(5), None]);
    // A leaf without steps does not count, and neither does the order of an empty mode.
    assert_eq!(strides("((2,1,3),(1,4)):((5,77,10),(9,-2))"), [Some(5), Some(-2)]);
    assert_eq!(strides("((2,0),3):((5,7),1)"), [Some(5), Some(1)]);
    assert_eq!(strides("6:-2"), [Some(-2)]);
    assert_eq!(strides("(1,1):(4,5)"), [Some(4), Some(5)]);
    assert_eq!(make_layout((), ()).mode_stride(0), None);
}
