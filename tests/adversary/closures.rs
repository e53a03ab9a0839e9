//! User code, called by tensors, that panics, counts drops, or keeps its arguments.

use crd2idx::{layouts::*, number::*, ops::*, tensor::*};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// An element that panics when `clones` or `drops`, which count down, becomes 0. `alive` counts the elements not yet dropped.
struct Fragile {
    number: u32,
    clones: Rc<Cell<i32>>,
    drops: Rc<Cell<i32>>,
    alive: Rc<Cell<i32>>,
}

impl Fragile {
    fn new(number: u32, fuse: (i32, i32)) -> Self {
        Fragile { number, clones: Rc::new(Cell::new(fuse.0)), drops: Rc::new(Cell::new(fuse.1)), alive: Rc::new(Cell::new(1)) }
    }
}

impl Clone for Fragile {
    fn clone(&self) -> Self {
        self.clones.set(self.clones.get() - 1);
        assert!(self.clones.get() != 0, "a clone too many");
        self.alive.set(self.alive.get() + 1);
        Fragile { number: self.number, clones: self.clones.clone(), drops: self.drops.clone(), alive: self.alive.clone() }
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        self.alive.set(self.alive.get() - 1);
        self.drops.set(self.drops.get() - 1);
        assert!(self.drops.get() != 0 || std::thread::panicking(), "a drop too many");
    }
}

fn caught<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}

/// Nothing is dropped twice, wherever a clone or a drop panics.
#[test]
fn clones_and_drops_that_panic() {
    let layout = make_layout((Int::<2>, Int::<3>), (Int::<3>, Int::<1>));
    for fuse in 0..16 {
        for fuse in [(fuse, 0), (0, fuse)] {
            let seed = Fragile::new(7, fuse);
            let alive = seed.alive.clone();
            caught(|| {
                let mut boxed = Boxed::filled(layout, seed.clone()).unwrap();
                boxed.fill(seed.clone());
                let mut other = boxed.clone();
                other.assign(&boxed);
                other.zip_mut(&boxed, |to, from| *to = from.clone());
                other.for_each_mut(|x| *x = seed.clone());
                for mut tile in other.tiles_mut((Int::<1>, Int::<2>)) {
                    tile.fill(seed.clone());
                }
                assert!(other.iter().all(|x| x.number == 7));
                let boxes = (boxed.into_storage().into_boxed_slice(), other.into_storage());
                assert_eq!(boxes.0.len() + boxes.1.as_ref().len(), 12);
            });
            // A `Vec` with an element that panics in its drop may leak the others, but drops none twice.
            assert!(alive.get() >= 1, "{fuse:?}");
            seed.drops.set(0);
            drop(seed);
            assert!(alive.get() >= 0);
        }
    }
    let seed = Fragile::new(1, (0, 0));
    let alive = seed.alive.clone();
    let stored = Stored::<Fragile, Strided<(Int<2>, Int<2>), (Int<1>, Int<2>)>>::filled(Strided::default(), seed.clone());
    assert_eq!(alive.get(), 5);
    drop((stored, seed));
    assert_eq!(alive.get(), 0);
}

/// A fold moves its state into its function. When the function panics, the fold does not drop the state again.
#[test]
fn folds_that_panic() {
    let data: Vec<u32> = (0..12).collect();
    let t = Tensor::new(&data, make_layout((3, 4), (Int::<1>, 3))).unwrap();
    for stop in 0..14 {
        let alive = Rc::new(());
        let count = Cell::new(0);
        let step = |state: Vec<Rc<()>>| {
            count.set(count.get() + 1);
            assert!(count.get() != stop, "stop");
            state
        };
        let add = |mut state: Vec<Rc<()>>| {
            state.push(alive.clone());
            step(state)
        };
        caught(|| t.iter().fold(vec![alive.clone()], |state, _| add(state)));
        assert_eq!(Rc::strong_count(&alive), 1);
        count.set(0);
        caught(|| t.tiles((Int::<2>, Int::<2>)).fold(vec![alive.clone()], |state, _| add(state)));
        count.set(0);
        caught(|| t.tiles((Int::<2>, Int::<2>)).full().fold(vec![alive.clone()], |state, _| add(state)));
        count.set(0);
        caught(|| t.tiles((Int::<2>, Int::<2>)).shifted().unwrap().fold(vec![alive.clone()], |state, _| add(state)));
        count.set(0);
        caught(|| t.blocks((2, 2)).fold(vec![alive.clone()], |state, _| add(state)));
        assert_eq!(Rc::strong_count(&alive), 1);
    }
    // There is nothing to fold.
    let alive = Rc::new(());
    let none = Tensor::new(&data, make_layout((3, 0), (1, 1))).unwrap();
    assert_eq!(none.iter().fold(vec![alive.clone()], |state, _| state).len(), 1);
    assert_eq!(none.tiles((Int::<2>, Int::<2>)).fold(vec![alive.clone()], |state, _| state).len(), 1);
    assert_eq!(Rc::strong_count(&alive), 1);
}

/// A mutable borrow of an element ends with the call that receives it; the call may keep only the value.
#[test]
fn closures_that_keep() {
    let mut data = [1, 2, 3, 4];
    let mut kept = Vec::new();
    let t = Tensor::new(&data, make_layout((2, 2), (Int::<1>, 2))).unwrap();
    let mut order = Vec::new();
    t.zip(&t, |_, other| order.push(other));
    assert_eq!(order, [&1, &2, &3, &4]);
    let mut t = Tensor::new(&mut data, make_layout((2, 2), (Int::<1>, 2))).unwrap();
    t.for_each_mut(|x| kept.push(std::mem::replace(x, 0)));
    caught(|| t.for_each_at_mut(|(i, j): (usize, usize), x| *x = if (i, j) == (1, 1) { panic!("the last") } else { 5 }));
    assert_eq!((kept, data), (vec![1, 2, 3, 4], [5, 5, 5, 0]));
}

/// A walk inside a walk visits the same elements.
#[test]
fn walks_in_walks() {
    let cells: Vec<Cell<u32>> = (0..6).map(Cell::new).collect();
    let t = Tensor::new(&cells, make_layout((2, 3), (3, Int::<1>))).unwrap();
    t.for_each(|a| {
        t.for_each(|b| b.set(b.get() + 1));
        a.set(a.get() + 100);
    });
    assert_eq!(cells.iter().map(Cell::get).collect::<Vec<_>>(), [106, 107, 108, 109, 110, 111]);
}
