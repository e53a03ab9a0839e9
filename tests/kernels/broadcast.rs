//! Tensors whose elements are repeated along modes.

use super::tensors::{message, places};
use crd2idx::prelude::*;

/// Compares a broadcast of two modes with the elements `want(i, j)` in every walk, together with tensors of either order.
fn check<L: Layout>(t: &View<usize, L>, m: usize, n: usize, want: &dyn Fn(usize, usize) -> usize) {
    assert_eq!((t.shape::<(usize, usize)>(), t.size(), t.layout().rank()), ((m, n), m * n, 2));
    let mut order = Vec::new();
    t.ordered().for_each_indexed(|[i, j], x| order.push((i, j, *x)));
    assert!(order.iter().copied().eq((0..n).flat_map(|j| (0..m).map(move |i| (i, j, want(i, j))))));
    assert!(t.iter().eq(order.iter().map(|at| &at.2)));
    for (k, (i, j, x)) in order.iter().enumerate() {
        assert_eq!((t[(*i, *j)], t[[*i, *j]], t[k]), (*x, *x, *x));
        assert_eq!(t.layout().idx2crd::<(usize, usize)>(k), (*i, *j));
    }
    assert_eq!((t.get((m, 0)), t.get((0, n)), t.get(m * n)), (None, None, None));
    let mut seen = Vec::new();
    t.for_each_at(|(i, j): (usize, usize), x| seen.push((i, j, *x)));
    seen.sort_unstable_by_key(|(i, j, _)| (*j, *i));
    assert_eq!(seen, order);
    let other = places(m * n);
    fn beside<L: Layout, A: Layout>(t: &View<usize, L>, other: &[usize], layout: A) {
        let (u, mut out) = (Tensor::new(other, layout).unwrap(), vec![0; other.len()]);
        let mut to = Tensor::new(&mut out, layout).unwrap();
        to.assign(t);
        to.for_each_at(|c: (usize, usize), x| assert_eq!(*x, t[c]));
        to.zip_mut((&u, t), |x, (a, b)| *x = 100 * a + b);
        to.for_each_at(|c: (usize, usize), x| assert_eq!(*x, 100 * u[c] + t[c]));
        to.zip_mut((t, &u, t, t), |x, (a, b, c, d)| *x = a + 1000 * b + c + d);
        to.for_each_at(|c: (usize, usize), x| assert_eq!(*x, 1000 * u[c] + 3 * t[c]));
        to.zip_mut((t, t, &u), |x, (a, b, c)| *x = a + b + c);
        to.for_each_at(|c: (usize, usize), x| assert_eq!(*x, u[c] + 2 * t[c]));
        to.zip_mut(&[t.view(), t.view()], |x, [a, b]| *x = a + b);
        to.for_each_at(|c: (usize, usize), x| assert_eq!(*x, 2 * t[c]));
        let mut count = 0;
        t.zip((&u, &to), |x, (a, b)| count += (*x + a + b > 0) as usize);
        assert!(count >= t.size().saturating_sub(1));
    }
    beside(t, &other, layout!((m, n) : (n, 1)));
    beside(t, &other, layout!((m, n) : (1, m)));
    beside(t, &other, make_layout((m, n), (n, 1)));
}

#[test]
fn of_new_modes() {
    let data = places(200);
    for (m, n) in [(4, 6), (1, 5), (5, 1), (1, 1), (0, 3), (3, 0)] {
        let line = Tensor::new(&data, layout!((n,) : (3,))).unwrap();
        check(&line.broadcast((m, Keep)), m, n, &|_, j| data[3 * j]);
        let line = Tensor::new(&data, layout!((m,) : (1,))).unwrap();
        check(&line.broadcast((Keep, n)), m, n, &|i, _| data[i]);
        let one = Tensor::new(&data[7..], layout!((1, 1) : (1, 1))).unwrap();
        check(&one.broadcast((m, n)), m, n, &|_, _| data[7]);
        let rows = Tensor::new(&data, layout!((m, n) : (n, 1))).unwrap();
        check(&rows.broadcast((Keep, Keep)), m, n, &|i, j| data[i * n + j]);
        check(&rows.broadcast((m, n)), m, n, &|i, j| data[i * n + j]);
    }
    let swizzled = Tensor::new(&data, StaticSwizzle::<2, 0, 2>.composition(layout!((16,) : (1,)))).unwrap();
    check(&swizzled.broadcast((int!(3), Keep)), 3, 16, &|_, j| swizzled[(j,)]);
    check(&swizzled.broadcast((Keep, 5)), 16, 5, &|i, _| swizzled[(i,)]);
    let nested = Tensor::new(&data, make_layout(((2, 3),), ((50, 7),))).unwrap();
    check(&nested.broadcast((4, Keep)), 4, 6, &|_, j| nested[(j,)]);
    check(&nested.broadcast((Keep, 4)), 6, 4, &|i, _| nested[(i,)]);
    let dynamic = Tensor::new(&data, DynLayout::<16>::parse("((2,3)):((50,7))").unwrap()).unwrap();
    check(&dynamic.broadcast((4, Keep)), 4, 6, &|_, j| nested[(j,)]);
    let cut = nested.window((2,), (3,)).unwrap();
    check(&cut.broadcast((4, Keep)), 4, 3, &|_, j| nested[(j + 2,)]);
    let reversed = Tensor::with_origin(&data, 9, make_layout((5,), (Signed(-2),))).unwrap();
    check(&reversed.broadcast((Keep, 3)), 5, 3, &|i, _| data[9 - 2 * i]);
}

#[test]
fn of_modes_of_one() {
    let data = places(200);
    let row = Tensor::new(&data, layout!((1, 6) : (99, 2))).unwrap();
    check(&row.broadcast((5, 6)), 5, 6, &|_, j| data[2 * j]);
    // The repeated mode has a static step of 1.
    let column = Tensor::new(&data, layout!((6, 1) : (9, 1))).unwrap();
    check(&column.broadcast((6, 4)), 6, 4, &|i, _| data[9 * i]);
    let n = std::hint::black_box(1);
    let column = Tensor::new(&data, layout!((6, n) : (9, 1))).unwrap();
    check(&column.broadcast((6, int!(4))), 6, 4, &|i, _| data[9 * i]);
    // A window of a nested mode, whose neighbours must not be read.
    let nested = Tensor::new(&data, make_layout(((2, 3), 4), ((50, 7), 1))).unwrap();
    let cut = nested.window((3, 0), (1, 4)).unwrap();
    check(&cut.broadcast((5, 4)), 5, 4, &|_, j| nested[(3, j)]);
    let again = cut.broadcast((5, 4));
    check(&again.window((1, 2), (3, 2)).unwrap(), 3, 2, &|_, j| nested[(3, j + 2)]);
    assert_eq!(again.layout().is_injective(), Some(false));
}

#[test]
fn refused() {
    let data = places(12);
    let t = Tensor::new(&data, layout!((3, 4) : (4, 1))).unwrap();
    let refusal = |f: &dyn Fn()| message(std::panic::AssertUnwindSafe(f));
    assert_eq!(
        refusal(&|| _ = t.broadcast((3, 5))),
        "broadcast: mode 1 has 4 elements and cannot become 5: only a mode of one is repeated"
    );
    assert_eq!(
        refusal(&|| _ = t.broadcast((Keep, 5))),
        "broadcast: the tensor has 2 modes, the shape 1: `Keep` stands for a mode of the tensor, an integer beside it for a new one"
    );
    let many = usize::MAX / 4;
    assert_eq!(refusal(&|| _ = t.broadcast((many, Keep, Keep))), "broadcast: the shape has more coordinates than `isize` can count");
    assert_eq!(
        refusal(&|| _ = t.broadcast((many, 0, many, Keep, Keep))),
        "broadcast: the shape has more coordinates than `isize` can count"
    );
    assert_eq!(refusal(&|| _ = t.broadcast((2, Keep, Keep))[(2, 0, 0)]), "the coordinate (2,0,0) is outside of a broadcast of [2, 3, 4]");
}
