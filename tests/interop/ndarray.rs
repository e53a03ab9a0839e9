//! Conversions between tensors and arrays of ndarray: every element keeps its coordinate and its address.

use crate::common::Rng;
use crate::rounds;
use crd2idx::Boxed;
use crd2idx::interop::ndarray::LayoutDimension;
use crd2idx::interop::{FromTensor, InteropError, IntoTensor};
use crd2idx::prelude::*;
use crd2idx::tensor::Injective;
use ndarray::{Array, ArrayD, ArrayView, ArrayView1, ArrayView2, ArrayViewD, ArrayViewMut, ArrayViewMut2, Axis, Dimension, IxDyn, Slice};

/// Returns a random view of an array: axes permuted and reversed, sliced with steps.
fn random_array(rng: &mut Rng, rank: usize) -> ArrayD<usize> {
    let shape: Vec<usize> = (0..rank).map(|_| if rng.below(12) == 0 { 0 } else { 1 + rng.below(5) }).collect();
    let mut next = 0;
    let mut array = ArrayD::from_shape_simple_fn(IxDyn(&shape), || {
        next += 1;
        next
    });
    for k in 0..rank {
        array.swap_axes(k, k + rng.below(rank - k));
    }
    for k in 0..rank {
        if rng.below(2) == 0 {
            array.invert_axis(Axis(k));
        }
        if rng.below(2) == 0 {
            let extent = array.len_of(Axis(k)) as isize;
            let start = rng.below(extent as usize + 1) as isize;
            let step = [1, 2, 3, -1, -2][rng.below(5)];
            array.slice_axis_inplace(Axis(k), Slice::new(start, Some(extent), step));
        }
    }
    array
}

/// Checks that every element of the tensor is the element of the array at the same coordinate and address.
fn agree<L: Layout, D: Dimension>(t: &View<usize, L>, array: ArrayView<usize, D>) {
    assert_eq!(t.size(), array.len());
    // Fortran's order is the colexicographic one.
    let places: Vec<*const usize> = array.t().iter().map(std::ptr::from_ref).collect();
    assert_eq!(t.iter().map(std::ptr::from_ref).collect::<Vec<_>>(), places);
}

fn round_trip<D: LayoutDimension>(array: &mut ArrayD<usize>) {
    let copy = array.clone();
    let mut array = array.view_mut().into_dimensionality::<D>().unwrap();
    let t = array.view().into_tensor().unwrap();
    agree(&t, array.view());
    let again = ArrayView::<usize, D>::from_tensor(t).unwrap();
    assert_eq!(again, array);
    assert!(again.iter().map(std::ptr::from_ref).eq(array.iter().map(std::ptr::from_ref)));
    agree(&t, ArrayViewD::from_tensor(t).unwrap());

    let mut t = array.view_mut().into_tensor().unwrap();
    t.for_each_mut(|x| *x += 1000);
    let mut again = ArrayViewMut::<usize, D>::from_tensor(t).unwrap();
    again.map_inplace(|x| *x += 1);
    assert!(array.iter().zip(copy.iter()).all(|(now, before)| *now == before + 1001));
}

#[test]
fn views_of_any_rank() {
    let mut rng = Rng::new(7);
    for _ in 0..rounds(100) {
        round_trip::<ndarray::Ix0>(&mut random_array(&mut rng, 0));
        round_trip::<ndarray::Ix1>(&mut random_array(&mut rng, 1));
        round_trip::<ndarray::Ix2>(&mut random_array(&mut rng, 2));
        round_trip::<ndarray::Ix3>(&mut random_array(&mut rng, 3));
        round_trip::<ndarray::Ix4>(&mut random_array(&mut rng, 4));
        round_trip::<ndarray::Ix5>(&mut random_array(&mut rng, 5));
        round_trip::<ndarray::Ix6>(&mut random_array(&mut rng, 6));
        let rank = rng.below(8);
        round_trip::<IxDyn>(&mut random_array(&mut rng, rank));
    }
}

#[test]
fn arrays_that_own() {
    let mut rng = Rng::new(8);
    for _ in 0..rounds(300) {
        let rank = rng.below(5);
        let array = random_array(&mut rng, rank);
        let copy = array.clone();
        let t = array.into_tensor().unwrap();
        assert!(t.iter().eq(copy.t().iter()));
        let again = ArrayD::from_tensor(t).unwrap();
        assert_eq!(again, copy);
    }
}

#[test]
fn owned_elements_stay_where_they_are() {
    let array = Array::from_shape_fn((3, 4), |(i, j)| 4 * i + j);
    let place = array.as_ptr();
    let t = array.into_tensor().unwrap();
    assert_eq!(t.as_ptr(), place);
    assert_eq!(t[(2, 1)], 9);
    assert_eq!(ndarray::Array2::from_tensor(t).unwrap().as_ptr(), place);
}

#[test]
fn tensors_that_own() {
    let t = Boxed::filled(make_layout((3, (2, 2)), (Signed(-8), (Int::<2>, 4))), 1).unwrap();
    assert_eq!(ndarray::Array2::from_tensor(t).unwrap(), Array::from_elem((3, 4), 1));
    // The storage has more elements than the layout, before and behind.
    let t = Tensor::with_origin(vec![0, 1, 2, 3, 4, 5, 6, 7], 2, make_layout((2, 2), (2, 1))).unwrap();
    assert_eq!(ndarray::Array2::from_tensor(t).unwrap(), ndarray::array![[2, 3], [4, 5]]);
    let t = Tensor::with_origin(vec![0, 1, 2, 3, 4, 5, 6, 7], 6, make_layout((2, 2), (Signed(-2), 1))).unwrap();
    assert_eq!(ndarray::Array2::from_tensor(t).unwrap(), ndarray::array![[6, 7], [4, 5]]);
    let mut interleaved = Tensor::new(vec![0; 12], make_layout((2, 3), (3, 2))).unwrap();
    assert_eq!(ArrayViewMut2::from_tensor(interleaved.view_mut()).err(), Some(InteropError::Interleaved));
    assert_eq!(ArrayView2::from_tensor(interleaved.view()).unwrap().strides(), [3, 2]);
    assert_eq!(ndarray::Array2::from_tensor(interleaved), Err(InteropError::Interleaved));
}

#[test]
fn broadcasts_are_read_and_not_written() {
    let row = ndarray::array![1, 2, 3];
    let wide = row.broadcast((4, 3)).unwrap();
    let t = wide.into_tensor().unwrap();
    agree(&t, wide);
    assert_eq!(ArrayView2::from_tensor(t).unwrap(), wide);

    let mut data = [1, 2, 3];
    let t = Tensor::new(&mut data, make_layout((4, 3), (Int::<0>, 1))).unwrap();
    let error = ArrayViewMut2::from_tensor(t).err().unwrap();
    assert_eq!(error.to_string(), "two coordinates of the layout share an index");
    let t = Tensor::new(vec![0; 5], make_layout((3, 3), (1, 1))).unwrap();
    assert_eq!(ndarray::Array2::<i32>::from_tensor(t).err().unwrap().to_string(), "two coordinates of the layout share an index");
    // A stride of 0 in a mode of extent 1 or 0 repeats nothing.
    let t = Tensor::new(&mut data, make_layout((1, 3), (Int::<0>, 1))).unwrap();
    assert_eq!(ArrayViewMut2::from_tensor(t).unwrap(), ndarray::array![[1, 2, 3]]);
}

#[test]
fn what_has_no_strides() {
    let data = [0; 64];
    let nested = Tensor::new(&data, layout!((8, (2, 2)) : (1, (32, 8)))).unwrap();
    let error = ArrayView2::from_tensor(nested).err().unwrap();
    assert_eq!(error, InteropError::Stride { mode: 1, extent: 4 });
    assert_eq!(error.to_string(), "mode 1 of extent 4 has no single stride: it is nested, or the layout is swizzled");
    assert_eq!(ndarray::ArrayView3::from_tensor(nested.flatten()).unwrap().shape(), [8, 2, 2]);
    let swizzled = Tensor::new(&data, StaticSwizzle::<3, 0, 3>.composition(layout!((8, 8) : (8, 1)))).unwrap();
    assert_eq!(ArrayView2::from_tensor(swizzled).err(), Some(InteropError::Stride { mode: 0, extent: 8 }));
    let certified = Tensor::new(&data, Injective::new(swizzled.layout()).unwrap()).unwrap();
    assert_eq!(ArrayView2::from_tensor(certified).err(), Some(InteropError::Stride { mode: 0, extent: 8 }));
    let error = ArrayView1::from_tensor(nested.flatten()).err().unwrap();
    assert_eq!(error.to_string(), "the tensor has rank 3, but the array of the other crate has rank 1");
    let error = Tensor::new(&data, make_layout((usize::MAX / 2, 4), (Int::<0>, 1))).unwrap_err();
    assert!(error.to_string().contains("the size or the indices of the result overflow 64 bits"));
    let many = ArrayD::<u8>::zeros(IxDyn(&[1; 17]));
    assert_eq!(
        many.view().into_tensor().err().unwrap().to_string(),
        "the tensor has rank 16, but the array of the other crate has rank 17"
    );
}

#[test]
fn partial_tiles_and_empty_tensors() {
    let data: Vec<i32> = (0..35).collect();
    let t = Tensor::new(&data, make_layout((5, 7), (7, 1))).unwrap();
    let shapes: Vec<Vec<usize>> = t
        .tiles((Int::<4>, Int::<4>))
        .map(|tile| match tile {
            crd2idx::tensor::Tile::Full(tile) => ArrayView2::from_tensor(tile).unwrap().shape().to_vec(),
            crd2idx::tensor::Tile::Partial(tile) => {
                let array = ArrayView2::from_tensor(tile).unwrap();
                assert_eq!(array[[0, 0]], tile[(0, 0)]);
                array.shape().to_vec()
            }
        })
        .collect();
    assert_eq!(shapes, [[4, 4], [1, 4], [4, 3], [1, 3]]);
    let empty = Tensor::with_origin(&data, 35, make_layout((usize::MAX / 8, 0), (Signed(-9), usize::MAX / 2))).unwrap();
    assert_eq!(ArrayView2::from_tensor(empty).unwrap().shape(), [usize::MAX / 8, 0]);
    assert_eq!(Array::<u8, _>::zeros((3, 0)).into_tensor().unwrap().size(), 0);
    let units = Array::from_elem((1000, 1000), ());
    let t = units.view().into_tensor().unwrap();
    assert_eq!((t.size(), ArrayView2::from_tensor(t).unwrap().len()), (1_000_000, 1_000_000));
}
