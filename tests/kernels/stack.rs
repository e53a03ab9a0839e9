//! Walks on small stacks at every opt-level: threads of an application, and devices, have no more.
#![cfg(not(miri))]

use super::tensors::places;
use crd2idx::prelude::*;

/// The stack of a thread, in bytes: what a walk may use, and what the thread needs.
const STACK: usize = (32 + 16) << 10;

/// Runs `f` on a thread with a stack of `STACK` bytes. If `f` needs more, the program ends.
fn small(f: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, f).expect("a thread").join().expect("no panic");
    });
}

/// Runs all walks over two layouts of 12 x 10.
fn walks<A: Layout + Sync + Send, B: Layout + Sync + Send>(layout: A, other: B) {
    let data = places(2000);
    let (t, u) = (Tensor::new(&data, layout).unwrap(), Tensor::new(&data, other).unwrap());
    small(|| t.for_each(|x| assert!(*x < 2000)));
    small(|| t.for_each_indexed(|[i, j], x| assert_eq!(t[(i, j)], *x)));
    small(|| t.ordered().for_each_indexed(|[i, j], x| assert_eq!(t[[i, j]], *x)));
    small(|| assert_eq!(t.iter().count(), 120));
    small(|| assert_eq!(t.iter().map(|x| *x as u64).sum::<u64>(), (0..120).map(|k| t[k] as u64).sum::<u64>()));
    let mut out = vec![0; 2000];
    let mut to = Tensor::new(&mut out, layout).unwrap();
    small(|| to.assign(&u));
    small(|| assert_eq!(to[(3, 4)], u[(3, 4)]));
    small(|| to.zip_mut((&t, &t, &u, &t), |x, (a, b, c, d)| *x = a + b + c + d));
    small(|| to.zip_mut((&t, &u, &t, &t, &u, &t, &t, &t), |x, (a, b, c, d, e, f, g, h)| *x = a + b + c + d + e + f + g + h));
    small(|| assert_eq!(to[(3, 4)], 6 * t[(3, 4)] + 2 * u[(3, 4)]));
}

#[test]
fn of_walks() {
    let (m, n) = (12, 10);
    walks(layout!((m, n) : (n, 1)), layout!((m, n) : (1, m)));
    walks(layout!((12, 10) : (16, 1)), DynLayout::<16>::parse("(12,10):(1,12)").unwrap());
    walks(make_layout((m, n), (100, 7)), make_layout(((2, 6), (5, 2)), ((1, 20), (2, 200))));
    walks(DynLayout::<16>::parse("((3,4),10):((1,40),4)").unwrap(), StaticSwizzle::<2, 0, 3>.composition(layout!((12, 10) : (16, 1))));
}

#[test]
fn of_stencils() {
    let (m, n) = (12, 10);
    let (data, mut out) = (places(120), vec![0; 120]);
    let t = Tensor::new(&data, layout!((m, n) : (n, 1))).unwrap();
    let mut to = Tensor::new(&mut out, layout!((m, n) : (1, m))).unwrap();
    let cross = [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]];
    small(|| to.stencil(&t, &cross, Boundary::Clamp, |x, around| *x = around.into_iter().sum()));
    small(|| assert_eq!(to[(0, 0)], 3 * t[(0, 0)] + t[(1, 0)] + t[(0, 1)]));
}

#[test]
fn of_tiles() {
    let (m, n) = (12, 10);
    let (data, mut out) = (places(120), vec![0; 120]);
    let t = Tensor::new(&data, layout!((m, n) : (n, 1))).unwrap();
    small(|| assert_eq!(t.tiles(shape!(5, 4)).map(|tile| tile.size()).sum::<usize>(), 120));
    small(|| {
        let mut sum = 0;
        t.tiles(shape!(5, 4)).for_each(|tile| tile.for_each(|x| sum += x));
        assert_eq!(sum, 119 * 60);
    });
    let mut to = Tensor::new(&mut out, layout!((m, n) : (1, m))).unwrap().injective().unwrap();
    small(|| {
        for (mut to, from) in to.blocks_mut((5, 4)).zip(t.blocks((5, 4))) {
            to.assign(&from);
        }
    });
    small(|| assert_eq!(to[(11, 7)], t[(11, 7)]));
}

/// Iterators are moved by value through every adapter.
#[test]
fn iterators_are_small() {
    let (m, n) = (12, 10);
    let data = places(120);
    let t = Tensor::new(&data, layout!((m, n) : (n, 1))).unwrap();
    assert!(size_of_val(&t.iter()) <= 128);
    assert!(size_of_val(&t.tiles(shape!(5, 4))) <= 256);
    assert!(size_of_val(&t.tiles((5, 4))) <= 256);
    assert!(size_of_val(&t.blocks((5, 4))) <= 256);
}
