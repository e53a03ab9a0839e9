//! Conversions between tensors and views of nalgebra's matrices.

use crate::common::Rng;
use crate::{matrix, rounds};
use crd2idx::TensorError;
use crd2idx::interop::nalgebra::MatrixDim;
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
        // If rows have a stride, iterators of nalgebra compute a pointer behind the storage, which an interpreter refuses.
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
    assert_eq!(error.to_string(), "mode 0 has the extent 4, but the type of the other crate fixes it to 3");
    let error = MatrixView::<i32, Dyn, Dyn, U1, Const<5>>::from_tensor(t).err().unwrap();
    assert_eq!(error.to_string(), "mode 1 has the stride 4, but the type of the other crate fixes it to 5");
    let reversed = Tensor::with_origin(&data, 3, make_layout((4, 6), (Signed(-1), 4))).unwrap();
    let error = MatrixView::<i32, Dyn, Dyn, Dyn, Dyn>::from_tensor(reversed).err().unwrap();
    assert_eq!(error, InteropError::NegativeStride { mode: 0, stride: -1 });
    assert_eq!(error.to_string(), "mode 0 has the stride -1, but the array of the other crate cannot have negative strides");
    // A single row has any row stride.
    let row = Tensor::new(&data, make_layout((1, 6), (Signed(-9), 4))).unwrap();
    assert_eq!(MatrixView::<i32, Dyn, Dyn, U1, Dyn>::from_tensor(row).unwrap()[(0, 5)], 20);
    let shared = Tensor::new(&mut data, make_layout((4, 6), (Int::<0>, 4))).unwrap();
    let error = MatrixViewMut::<i32, Dyn, Dyn, Dyn, Dyn>::from_tensor(shared).err().unwrap();
    assert_eq!(error.to_string(), "two coordinates of the layout share an index");
}

/// Checks an error: the view is mutable and shares an element, or a mode of several steps has a stride that nalgebra cannot use.
fn refused(error: InteropError, [rows, columns]: [usize; 2], strides: [isize; 2], writes: bool) {
    let stepped = [rows > 1 && columns > 0, columns > 1 && rows > 0];
    match error {
        InteropError::Tensor(TensorError::Shared) => assert!(writes),
        InteropError::NegativeStride { mode, stride } => assert!(stepped[mode] && stride == strides[mode] && stride < 0),
        InteropError::Walk { mode, extent, stride } => {
            assert!(!writes && stepped[0] && (mode, extent, stride, strides[0]) == (0, rows, 0, 0));
        }
        error => panic!("{error}: ({rows},{columns}):{strides:?}"),
    }
}

/// Walks a view of type `(R, C):(RS, CS)` in every way that nalgebra has. The layout is `(rows, columns):strides`, with index 0 at
/// `origin` of `len` elements. Returns whether there is a view to read, and one to write.
fn walk<R: MatrixDim, C: MatrixDim, RS: MatrixDim, CS: MatrixDim, L: Layout>(
    layout: L,
    shape: [usize; 2],
    strides: [isize; 2],
    origin: usize,
    len: usize,
) -> [bool; 2] {
    let [rows, columns] = shape;
    let place = |i: usize, j: usize| origin.wrapping_add_signed(i as isize * strides[0] + j as isize * strides[1]);
    let column = |j: usize| (0..rows).map(move |i| place(i, j));
    let all = || (0..columns).flat_map(column);
    // Miri refuses several rows with a stride: see `matrices_of_any_strides`.
    let skipped = cfg!(miri) && rows > 1 && columns > 0 && strides[0] > 1;
    let mut made = [true; 2];

    let data: Vec<usize> = (0..len).collect();
    match MatrixView::<usize, R, C, RS, CS>::from_tensor(Tensor::with_origin(&data, origin, layout).unwrap()) {
        Ok(_) if skipped => {}
        Ok(m) => {
            assert_eq!(m.shape(), (rows, columns));
            assert!(m.iter().copied().eq(all()) && m.iter().len() == rows * columns);
            assert_eq!(m.sum(), all().sum::<usize>());
            assert!(m.iter().rev().copied().eq(all().collect::<Vec<_>>().into_iter().rev()));
            for (j, walked) in m.column_iter().enumerate() {
                assert!(
                    m.column(j).iter().copied().eq(column(j))
                        && walked.iter().copied().eq(column(j))
                        && walked.sum() == column(j).sum::<usize>()
                );
                assert!(m.columns(j, columns - j).iter().copied().eq((j..columns).flat_map(column)));
            }
            for (i, walked) in m.row_iter().enumerate() {
                let row = || (0..columns).map(|j| place(i, j));
                // The last of several rows ends behind the storage, as in nalgebra's own matrices.
                assert!(m.row(i).iter().copied().eq(row()) && walked.iter().copied().eq(row()) && walked.sum() == row().sum::<usize>());
                assert!(m.rows(i, rows - i).iter().copied().eq((0..columns).flat_map(|j| column(j).skip(i))));
            }
            assert!(m.into_tensor().unwrap().iter().copied().eq(all()));
        }
        Err(error) => {
            refused(error, shape, strides, false);
            made[0] = false;
        }
    }

    let pad = 8;
    let mut data = vec![0; len + 2 * pad];
    match MatrixViewMut::<usize, R, C, RS, CS>::from_tensor(Tensor::with_origin(&mut data[pad..pad + len], origin, layout).unwrap()) {
        Ok(_) if skipped => {}
        Ok(mut m) => {
            m.iter_mut().for_each(|x| *x += 1);
            m.column_iter_mut().for_each(|mut column| column.iter_mut().for_each(|x| *x += 10));
            m.row_iter_mut().for_each(|mut row| row.add_scalar_mut(100));
            (0..columns).for_each(|j| m.column_mut(j).add_scalar_mut(1000));
            m.add_scalar_mut(10000);
            m.into_tensor().unwrap().for_each_mut(|x| *x += 100_000);
            let mut want = vec![0; len + 2 * pad];
            all().for_each(|place| want[pad + place] = 111_111);
            assert_eq!(data, want);
        }
        Err(error) => {
            refused(error, shape, strides, true);
            made[1] = false;
        }
    }
    made
}

/// Returns the position of index 0 of `shape:strides`, and the number of elements from the least to the greatest index.
fn span(shape: [usize; 2], strides: [isize; 2]) -> (usize, usize) {
    let reach = |sign: isize| {
        let steps = shape.into_iter().zip(strides).map(|(extent, stride)| (extent.max(1) - 1) * (sign * stride).max(0) as usize);
        if shape.contains(&0) { 0 } else { steps.sum::<usize>() }
    };
    (reach(-1), reach(-1) + reach(1) + usize::from(!shape.contains(&0)))
}

#[test]
fn what_nalgebra_walks() {
    let (mut made, sizes, (least, end)) = if cfg!(miri) { ([0; 2], 0..3, (-1, 2)) } else { ([0; 2], 0..4, (-3, 5)) };
    let every = sizes.clone().flat_map(|m| sizes.clone().map(move |n| (m, n)));
    let every = every.flat_map(|(m, n)| (least..end).map(move |rs| (m, n, rs)));
    for (m, n, rs, cs) in every.flat_map(|(m, n, rs)| (least..end).map(move |cs| (m, n, rs, cs))) {
        let (shape, strides) = ([m, n], [rs, cs]);
        let (origin, len) = span(shape, strides);
        let layout = make_layout((m, n), (Signed(rs), Signed(cs)));
        let views = walk::<Dyn, Dyn, Dyn, Dyn, _>(layout, shape, strides, origin, len);
        // There is a view unless a mode of several steps has a negative stride, or rows have stride 0; mutable, if no element is shared.
        let walked = (m <= 1 || n == 0 || rs > 0) && (n <= 1 || m == 0 || cs >= 0);
        assert_eq!(views, [walked, walked && layout.is_injective() == Some(true)], "({m},{n}):({rs},{cs})");
        made = [made[0] + usize::from(views[0]), made[1] + usize::from(views[1])];
        // One element allows any stride, of any size.
        if m <= 1 && n <= 1 {
            for far in [-(1 << 60), -(1 << 40), 1 << 40, 1 << 60] {
                assert_eq!(
                    walk::<Dyn, Dyn, Dyn, Dyn, _>(make_layout((m, n), (Signed(far), Signed(far))), shape, [far; 2], 0, m * n),
                    [true; 2]
                );
            }
        }
        if m == 1 {
            let far = make_layout((1, n), (Signed(1 << 40), Signed(cs)));
            assert_eq!(walk::<Const<1>, Dyn, U1, Dyn, _>(far, shape, [1 << 40, cs], origin, len), views);
            assert_eq!(walk::<Const<1>, Dyn, Dyn, Dyn, _>(far, shape, [1 << 40, cs], origin, len), views);
        }
        if n == 1 {
            let far = make_layout((m, 1), (Signed(rs), Signed(1 << 40)));
            assert_eq!(walk::<Dyn, Const<1>, Dyn, Dyn, _>(far, shape, [rs, 1 << 40], origin, len), views);
            assert_eq!(walk::<Dyn, Const<1>, Dyn, Const<7>, _>(far, shape, [rs, 1 << 40], origin, len), views);
        }
    }
    assert!(made[0] > made[1] && made[1] > if cfg!(miri) { 10 } else { 100 }, "{made:?}");
}

#[test]
fn what_nalgebra_walks_of_layouts_that_are_types() {
    type One = Const<1>;
    let row = make_layout((Int::<1>, Int::<3>), (Int::<0>, Int::<1>));
    assert_eq!(walk::<Dyn, Dyn, Dyn, Dyn, _>(row, [1, 3], [0, 1], 0, 3), [true; 2]);
    assert_eq!(walk::<One, Const<3>, U1, U1, _>(row, [1, 3], [0, 1], 0, 3), [true; 2]);
    assert_eq!(walk::<One, Dyn, Dyn, U1, _>(row, [1, 3], [0, 1], 0, 3), [true; 2]);
    let column = make_layout((Int::<3>, Int::<1>), (Int::<1>, Int::<0>));
    assert_eq!(walk::<Const<3>, One, U1, Const<3>, _>(column, [3, 1], [1, 0], 0, 3), [true; 2]);
    assert_eq!(walk::<Const<3>, One, U1, Const<0>, _>(column, [3, 1], [1, 0], 0, 3), [true; 2]);
    assert_eq!(walk::<Const<2>, Dyn, U1, Const<2>, _>(layout!((2, 3) : (1, 2)), [2, 3], [1, 2], 0, 6), [true; 2]);
    assert_eq!(walk::<Const<2>, Dyn, U1, Const<0>, _>(layout!((2, 3) : (1, 0)), [2, 3], [1, 0], 0, 2), [true, false]);

    // A type whose rows have stride 0, or a single row a stride other than 1, is the type of no matrix with elements.
    let data = [1, 2, 3];
    let t = Tensor::new(&data, row).unwrap();
    let error = MatrixView::<i32, One, Const<3>, Const<0>, U1>::from_tensor(t).err();
    assert_eq!(error, Some(InteropError::Walk { mode: 0, extent: 1, stride: 0 }));
    let error = MatrixView::<i32, One, Dyn, Const<2>, U1>::from_tensor(t).err();
    assert_eq!(error, Some(InteropError::Walk { mode: 0, extent: 1, stride: 2 }));
    let t = Tensor::new(&data, make_layout((3, 1), (Int::<0>, Int::<1>))).unwrap();
    let error = MatrixView::<i32, Dyn, Dyn, Const<0>, U1>::from_tensor(t).err().unwrap();
    assert_eq!(error.to_string(), "mode 0 of extent 3 has the stride 0, by which the iterators of the other crate cannot walk");
    let backward = Tensor::with_origin(&data, 2, make_layout((3, 1), (Signed(-1), 1))).unwrap();
    let error = MatrixView::<i32, Dyn, Dyn, Const<{ usize::MAX }>, U1>::from_tensor(backward).err();
    assert_eq!(error, Some(InteropError::FixedStride { mode: 0, stride: -1, fixed: usize::MAX }));
    let none = Tensor::new(&data, make_layout((3, 0), (Int::<0>, Int::<1>))).unwrap();
    assert_eq!(MatrixView::<i32, Dyn, Dyn, Const<0>, U1>::from_tensor(none).unwrap().sum(), 0);
}

#[test]
fn what_nalgebra_walks_of_tiles_and_windows() {
    let mut data: Vec<usize> = (0..12).collect();
    let mut t = Tensor::new(&mut data, layout!((3, 4) : (4, 1))).unwrap();
    let windows = t.windows((Int::<1>, Int::<2>)).unwrap();
    for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let m = Read::from_tensor(windows.slice(((Keep, Keep), (i, j)))).unwrap();
        assert!(m.iter().copied().eq([4 * i + j, 4 * i + j + 1]));
    }
    for (k, tile) in t.tiles((Int::<1>, Int::<2>)).full().enumerate() {
        let first = 4 * (k % 3) + 2 * (k / 3);
        assert!(Read::from_tensor(tile).unwrap().iter().copied().eq([first, first + 1]));
    }
    for tile in t.tiles_mut((Int::<1>, Int::<2>)).full() {
        let mut m = Write::from_tensor(tile).unwrap();
        m.iter_mut().for_each(|x| *x += 100);
        m.column_mut(1).iter_mut().for_each(|x| *x += 100);
    }
    assert!(data.iter().enumerate().all(|(k, x)| *x == k + 100 + 100 * (k % 2)));
}
