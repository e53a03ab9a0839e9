//! Neighbours of elements, and elements beyond the boundary.

use super::tensors::{message, places};
use crd2idx::prelude::*;

/// Returns the coordinate that replaces `at`, by repeating the pattern of NumPy's `pad` until it reaches `at`; `None` for the constant.
fn place(kind: &str, at: i128, extent: usize) -> Option<usize> {
    let (n, mut forth) = (extent as i128, (0..extent).collect::<Vec<_>>());
    if (0..n).contains(&at) {
        return Some(at as usize);
    }
    let back: Vec<usize> = forth.iter().rev().copied().collect();
    match kind {
        "clamp" => return Some(if at < 0 { 0 } else { extent - 1 }),
        "constant" => return None,
        "wrap" => {}
        "symmetric" => forth.extend(&back),
        "reflect" => forth.extend(back.iter().skip(1).take(extent.saturating_sub(2))),
        _ => unreachable!(),
    }
    Some(forth[at.rem_euclid(forth.len() as i128) as usize])
}

fn boundaries(value: &usize) -> [(&'static str, Boundary<'_, usize>); 5] {
    [
        ("clamp", Boundary::Clamp),
        ("wrap", Boundary::Wrap),
        ("reflect", Boundary::Reflect),
        ("symmetric", Boundary::Symmetric),
        ("constant", Boundary::Constant(value)),
    ]
}

/// Returns the coordinate moved by an offset, or `None` if a sum overflows.
fn shifted<const RANK: usize>(c: &[usize; RANK], offset: &[isize; RANK]) -> Option<[isize; RANK]> {
    let moved = std::array::from_fn(|mode| (c[mode] as isize).checked_add(offset[mode]));
    moved.iter().all(Option::is_some).then(|| moved.map(Option::unwrap))
}

/// Compares a stencil over two layouts of the same extents with the definition, for every boundary.
fn check<A: Layout, B: Layout, const RANK: usize, const K: usize>(to: A, from: B, offsets: &[[isize; RANK]; K]) {
    let (data, value) = (places(4000), 77_777);
    let t = Tensor::new(&data, from).unwrap();
    let extents = to.extents();
    for (kind, boundary) in boundaries(&value) {
        let mut out = vec![[0; K]; 4000];
        let mut seen = 0;
        let mut target = Tensor::new(&mut out, to).unwrap();
        target.stencil(&t, offsets, boundary, |x, around| {
            assert_eq!(*x, [0; K], "written twice");
            *x = around.map(|y| y + 1);
            seen += 1;
        });
        assert_eq!(seen, to.size());
        target.for_each_at(|c: [usize; RANK], x| {
            for (offset, got) in offsets.iter().zip(x) {
                let mut at = [0; RANK];
                let inside = (0..RANK).all(|mode| match place(kind, c[mode] as i128 + offset[mode] as i128, extents[mode]) {
                    Some(place) => {
                        at[mode] = place;
                        true
                    }
                    None => false,
                });
                let want = if inside { t[at] } else { value };
                assert_eq!(*got, want + 1, "{kind} at {c:?} by {offset:?}");
                if let Some(shifted) = shifted(&c, offset) {
                    assert_eq!(*t.beyond(shifted, boundary), want);
                }
            }
        });
    }
    // The interior alone.
    let mut out = vec![0; 4000];
    let mut target = Tensor::new(&mut out, to).unwrap();
    target.interior_mut(offsets).zip_mut(&t.neighbours(offsets), |x, around| *x = 1 + around.iter().copied().sum::<usize>());
    target.for_each_at(|c: [usize; RANK], x| {
        let near = |offset: &[isize; RANK]| std::array::from_fn::<_, RANK, _>(|mode| c[mode].wrapping_add_signed(offset[mode]));
        let inside = offsets.iter().all(|offset| near(offset).iter().zip(&extents).all(|(place, extent)| place < extent));
        assert_eq!(*x, if inside { 1 + offsets.iter().map(|offset| t[near(offset)]).sum::<usize>() } else { 0 });
    });
}

#[test]
fn of_every_layout() {
    let cross = [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]];
    let (m, n) = (6, 8);
    check(layout!((m, n) : (n, 1)), layout!((m, n) : (n, 1)), &cross);
    check(layout!((m, n) : (n, 1)), layout!((m, n) : (1, m)), &cross);
    check(layout!((6, 8) : (10, 1)), make_layout((m, n), (Signed(1), Signed(100))), &cross);
    check(layout!((m, n) : (n, 1)), StaticSwizzle::<3, 0, 3>.composition(layout!((6, (4, 2)) : (8, (1, 4)))), &cross);
    check(layout!((m, n) : (n, 1)), DynLayout::<16>::parse("((2,3),8):((1,100),9)").unwrap(), &cross);
    check(make_layout(((2, 3), (2, 2, 2)), ((100, 7), (1, 300, 40))), layout!((m, n) : (1, m)), &cross);
}

#[test]
fn of_any_reach() {
    // The offsets reach beyond the tensor, go to one side only, or are zero.
    for offsets in [[[0, 0], [-9, 2]], [[2, 1], [3, 0]], [[0, 0], [0, 0]], [[-1, -1], [7, 7]], [[-40, 13], [25, -60]]] {
        let sizes = [(2, 3), (1, 1), (0, 3), (1, 7), (5, 4), (3, 0)];
        for (m, n) in &sizes[..if cfg!(miri) { 3 } else { 6 }] {
            let (m, n) = (*m, *n);
            check(layout!((m, n) : (n, 1)), layout!((m, n) : (1, m)), &offsets);
        }
    }
    if !cfg!(miri) {
        check(layout!((30, 40) : (40, 1)), layout!((30, 40) : (1, 32)), &[[0, 0], [-2, 1], [1, -3]]);
    }
    let nested = make_layout(((2, 3), (2, 2, 2)), ((100, 7), (1, 300, 40)));
    check(nested, layout!((6, 8) : (8, 1)), &[] as &[[isize; 2]; 0]);
    check(layout!((7,) : (1,)), layout!((7,) : (3,)), &[[-2], [0], [2]]);
    check(layout!((4, 5, 3) : (15, 3, 1)), layout!((4, 5, 3) : (1, 4, 20)), &[[0, 0, 0], [-1, 0, 1], [1, -2, 0], [0, 0, -1]]);
    check(layout!((3, 3) : (3, 1)), layout!((3, 3) : (1, 3)), &[[isize::MIN, 0], [isize::MAX, isize::MAX]]);
}

#[test]
fn refused() {
    let data = places(12);
    let t = Tensor::new(&data, layout!((3, 4) : (4, 1))).unwrap();
    let refusal = |f: &dyn Fn()| message(std::panic::AssertUnwindSafe(f));
    assert_eq!(refusal(&|| _ = t.neighbours(&[[0]])), "offsets of 1 modes in a tensor of 2");
    let mut out = [0; 12];
    let error = message(std::panic::AssertUnwindSafe(|| {
        Tensor::new(&mut out, layout!((4, 3) : (3, 1))).unwrap().stencil(&t, &[[0, 0]], Boundary::Clamp, |_, _| ())
    }));
    assert_eq!(error, "tensors of the extents [4, 3] and [3, 4] have not the same coordinates");
    let none = Tensor::new(&data, layout!((0, 4) : (4, 1))).unwrap();
    assert_eq!(refusal(&|| _ = none.beyond([0, 0], Boundary::Clamp)), "a tensor without elements has none beyond its boundary");
    assert_eq!(*none.beyond([0, 0], Boundary::Constant(&5)), 5);
}
