//! Windows, tiles and slices that are kept, split, swapped, forgotten, and taken from both ends: no two of them share an element.

use crd2idx::{layouts::*, number::*, ops::*, tensor::*};
use std::cell::Cell;
use std::mem;

type Columns = Injective<Strided<(usize, usize), (Int<1>, usize)>>;

fn tensor(data: &mut [u32]) -> ViewMut<'_, u32, Columns> {
    Tensor::new(data, make_layout((7, 5), (Int::<1>, 7))).unwrap().injective().unwrap()
}

/// A layout whose values are coordinates has no index of an element.
#[test]
fn coordinates_are_no_indices() {
    let data = [1u8; 64];
    let identity = make_identity_layout((Int::<4>, Int::<8>));
    assert!(identity.index_range().unwrap_err().to_string().contains("basis stride"), "{:?}", identity.index_range());
    assert!(Tensor::new(&data, identity).is_err() && Tensor::new(&data, make_identity_layout((4, 8))).is_err());
    assert!(Tensor::new(&data, identity.zipped_divide((Int::<2>, Int::<2>))).is_err());
    assert!(Tensor::new(&data, Window::clipped(identity, (2, 2))).is_err() && Boxed::filled(identity, 1u8).is_err());
    let t = Tensor::new(&data, make_layout((Int::<4>, Int::<4>), (Int::<1>, Int::<4>))).unwrap();
    assert!(std::panic::catch_unwind(|| t.composition(identity).size()).is_err());
}

/// A mark such as `Keep` is not a coordinate, neither of a window nor of its tensor.
#[test]
fn marks_are_no_coordinates() {
    let data = [1u8; 12];
    let t = Tensor::new(&data, DynLayout::<4>::parse("(3,4):(4,1)").unwrap()).unwrap();
    let clipped = Tensor::new(&data, Window::clipped(t.layout(), (2, 2))).unwrap();
    let window = t.window((1, 1), (2, 2)).unwrap();
    assert_eq!((t.get(Keep), window.get(Keep), clipped.get(Keep)), (None, None, None));
    assert_eq!((t.get(Xor::<3>), window.get(Xor::<3>), clipped.get(Xor::<3>)), (None, None, None));
    assert_eq!((t.get((Keep, 1)), window.get((Keep, 1)), clipped.get((Keep, 1))), (None, None, None));
    assert!(std::panic::catch_unwind(|| window[Keep]).is_err() && std::panic::catch_unwind(|| clipped[Keep]).is_err());
}

/// An array of no integers acts as the empty tuple.
#[test]
fn arrays_of_nothing() {
    type Arrays = Strided<([usize; 0], usize, usize), ([usize; 0], usize, usize)>;
    type Nested = Strided<(usize, ([usize; 0], usize)), (usize, ([usize; 0], usize))>;
    let texts = ["((),5,3):((),1,5)", "(4,((),3)):(1,((),4))"];
    let first = Arrays::try_from(&DynLayout::<8>::parse(texts[0]).unwrap()).unwrap();
    let second = Nested::try_from(&DynLayout::<8>::parse(texts[1]).unwrap()).unwrap();
    assert_eq!((first.to_string(), second.to_string()), (texts[0].into(), texts[1].into()));
}

#[test]
fn tiles_of_both_ends_and_halves() {
    for cut in 0..=12 {
        let mut data = [0; 35];
        let mut t = tensor(&mut data);
        let tiles = t.tiles_mut((Int::<2>, Int::<2>));
        assert_eq!(tiles.len(), 12);
        let (mut left, mut right) = tiles.split_at(cut);
        let mut kept = Vec::new();
        loop {
            let parts = [left.next(), right.next_back(), right.next(), left.next_back()];
            if parts.iter().all(Option::is_none) {
                break;
            }
            kept.extend(parts.into_iter().flatten());
        }
        assert_eq!((left.len(), right.len(), kept.len()), (0, 0, 12));
        assert!(left.next().is_none() && left.next_back().is_none() && right.next_back().is_none());
        // The tiles outlive the iterators, and are written in turns.
        for step in 0..4 {
            for tile in &mut kept {
                if let Some(x) = tile.get_mut((step % 2, step / 2)) {
                    *x += 1;
                }
            }
        }
        drop(kept);
        assert_eq!(data, [1; 35], "cut at {cut}");
    }
}

#[test]
fn blocks_of_blocks_at_once() {
    let mut data = [0; 35];
    let mut t = tensor(&mut data);
    let mut outer: Vec<_> = t.blocks_mut((4, 3)).collect();
    let mut inner: Vec<_> = outer.iter_mut().flat_map(|block| block.try_tiles_mut((1, 2)).unwrap().rev()).collect();
    for k in 0..2 {
        for tile in &mut inner {
            if let Some(x) = tile.get_mut((0, k)) {
                *x += 1;
            }
        }
    }
    assert_eq!(data, [1; 35]);
}

#[test]
fn full_tiles_and_shifted_ones() {
    let mut data = [0; 35];
    let mut t = tensor(&mut data);
    let (left, right) = t.tiles_mut((Int::<2>, Int::<2>)).full().split_at(2);
    let mut all: Vec<_> = left.chain(right).collect();
    assert_eq!(all.len(), 6);
    all.iter_mut().for_each(|tile| tile.for_each_mut(|x| *x += 1));
    drop(all);
    assert_eq!(data.iter().sum::<u32>(), 24);
    let mut t = tensor(&mut data);
    let mut some = t.tiles_mut((Int::<2>, Int::<2>));
    some.next();
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| some.full().len())).is_err());
    let mut t = tensor(&mut data);
    t.tiles_mut((Int::<4>, Int::<4>)).for_each_shifted(|mut tile| tile.fill(9)).unwrap();
    assert_eq!(data, [9; 35]);
}

/// The last tile, moved inward, shares elements with the tile before it, so it is not handed out while that tile is held.
#[test]
fn shifted_tiles_of_a_part() {
    let panics = |f: &mut dyn FnMut()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_err();
    for cut in 0..=3 {
        let mut data = [0; 10];
        let mut t = Tensor::new(&mut data, make_layout((10,), (Int::<1>,))).unwrap().injective().unwrap();
        let (left, right) = t.tiles_mut((Int::<4>,)).split_at(cut);
        let mut kept: Vec<_> = left.collect();
        let mut right = Some(right);
        // The call panics if some tiles are missing.
        let refused = panics(&mut || {
            let shifted = right.take().unwrap().for_each_shifted(|mut tile| {
                kept.iter_mut().for_each(|other| other.fill(1));
                tile.fill(2);
            });
            shifted.unwrap();
        });
        assert_eq!(refused, cut > 0, "cut at {cut}");
        // The same holds for tiles that an iterator has handed out, from either end.
        for back in [false, true] {
            let mut tiles = t.tiles_mut((Int::<4>,));
            let mut taken: Vec<_> = (0..cut).map(|_| if back { tiles.next_back() } else { tiles.next() }).collect();
            let mut tiles = Some(tiles);
            let refused = panics(&mut || {
                let shifted = tiles.take().unwrap().for_each_shifted(|mut tile| {
                    taken.iter_mut().flatten().for_each(|other| other.fill(3));
                    tile.fill(4);
                });
                shifted.unwrap();
            });
            assert_eq!(refused, cut > 0 && (cut < 3 || !back), "{cut} taken");
        }
    }
}

/// Forgotten and swapped tensors leave the others unchanged.
#[test]
#[expect(clippy::forget_non_drop, reason = "what is forgotten might have had something to end")]
fn forgotten_and_swapped() {
    let (mut a, mut b) = ([0; 35], [1; 35]);
    {
        let (mut s, mut t) = (tensor(&mut a), tensor(&mut b));
        mem::swap(&mut s, &mut t);
        s[(6, 4)] = 5;
        mem::forget(s.tiles_mut((Int::<2>, Int::<2>)));
        let mut tiles = s.tiles_mut((Int::<2>, Int::<2>));
        let mut others = t.tiles_mut((Int::<2>, Int::<2>));
        mem::swap(&mut tiles, &mut others);
        mem::forget(tiles.next());
        let (mut one, mut other) = (tiles.next().unwrap(), others.next().unwrap());
        mem::swap(&mut one, &mut other);
        one[(0, 0)] = 7;
        other[(0, 0)] = 8;
        mem::forget(one);
    }
    // `others` now iterates over `s`, which is the tensor of `b`.
    assert_eq!((a[0], a[2], b[0], b[34]), (0, 8, 7, 5));
}

/// Borrows of elements of different tiles can be held at the same time.
#[test]
fn borrows_of_elements() {
    let mut data = [0; 35];
    let mut t = tensor(&mut data);
    let mut tiles: Vec<_> = t.tiles_mut((Int::<7>, Int::<1>)).collect();
    let mut borrows: Vec<&mut u32> = tiles.iter_mut().filter_map(|tile| tile.get_mut((3, 0))).collect();
    assert_eq!(borrows.len(), 5);
    for k in 0..10 {
        *borrows[k % 5] += 1;
        *borrows[(3 * k + 1) % 5] += 1;
    }
    assert_eq!(data.iter().sum::<u32>(), 20);
}

/// Several coordinates may share an element, such as a `Cell`, which is written through a shared borrow.
#[test]
fn shared_cells() {
    let cells = [Cell::new(1), Cell::new(2)];
    let t = Tensor::new(&cells, make_layout((2, 3), (Int::<1>, Int::<0>))).unwrap();
    let first = &t[(0, 0)];
    t.for_each(|cell| cell.set(cell.get() + 1));
    t.zip(&t, |a, b| a.set(a.get() + b.get()));
    assert_eq!((first.get(), cells[1].get()), (32, 40));
    let mut numbers = [1, 2];
    let mut t = Tensor::new(&mut numbers, make_layout((2, 3), (Int::<1>, Int::<0>))).unwrap();
    assert!(t.try_tiles((1, 1)).is_ok() && Injective::new(t.layout()).is_err());
    t.for_each_mut(|x| *x += 1);
    t.assign(&Tensor::new(&[10, 20], make_layout((2, 3), (Int::<1>, Int::<0>))).unwrap());
    assert_eq!(numbers, [10, 20]);
}

/// The length of an iterator is right in every state, cloned or not.
#[test]
fn iterators() {
    let data: Vec<u8> = (0..24).collect();
    let t = Tensor::new(&data, make_layout((2, 3, 4), (12, 4, 1))).unwrap();
    let window = t.window((0, 1, 2), (2, 2, 2)).unwrap();
    let swizzled = Tensor::new(&data, Composed::of(Swizzle::new(1, 0, 2).unwrap(), make_layout((4, 6), (6, 1)))).unwrap();
    fn check<'a, L: Layout>(iter: Iter<Shared<'a, u8>, L>) {
        let all: Vec<u8> = iter.copied().collect();
        for skip in 0..=all.len() + 1 {
            let mut rest = iter;
            let taken: Vec<u8> = rest.by_ref().take(skip).copied().collect();
            let left = all.len().saturating_sub(skip);
            assert_eq!((taken.len() + left, rest.len(), rest.size_hint()), (all.len(), left, (left, Some(left))));
            let copy = rest;
            assert!(
                rest.fold(taken.clone(), |mut seen, x| {
                    seen.push(*x);
                    seen
                }) == all
                    && copy.count() == left
            );
        }
        let mut ended = iter;
        ended.by_ref().for_each(drop);
        assert!(ended.next().is_none() && ended.next().is_none());
    }
    check(t.iter());
    check(window.iter());
    check(swizzled.iter());
}

/// Checks a layout, taken from a tensor, with another storage: one element for each coordinate, and distinct ones if it says so.
fn is_honest<L: Layout + crd2idx::tensor::Tileable<(Int<1>, Int<1>)>>(layout: L) {
    let mut data: Vec<usize> = (0..200).collect();
    let Ok(mut t) = Tensor::new(&mut data, layout) else { return };
    let mut seen = Vec::new();
    t.for_each(|x| seen.push(*x));
    assert_eq!(seen.len(), t.size());
    if let Ok(tiles) = t.try_tiles_mut((Int::<1>, Int::<1>)) {
        let mut all: Vec<_> = tiles.collect();
        let mut count = 0;
        for tile in &mut all {
            tile.for_each_mut(|x| {
                *x += 1000;
                count += 1;
            });
        }
        assert_eq!((count, data.iter().filter(|x| **x >= 1000).count()), (seen.len(), seen.len()));
        assert!(data.iter().all(|x| *x < 2000), "an element is in two tiles");
    }
}

#[test]
fn layouts_of_partial_tiles() {
    let mut data: Vec<usize> = (0..16).collect();
    let mut t = Tensor::new(&mut data, make_layout((4, 4), (1, 4))).unwrap().injective().unwrap();
    for tiler in [(8, 2), (3, 3), (1, 9), (100, 100)] {
        for tile in t.tiles_mut(tiler) {
            match tile {
                Tile::Full(tile) => is_honest(tile.layout()),
                Tile::Partial(tile) => is_honest(tile.layout()),
            }
        }
        let mut window = t.window_mut((1, 1), (3, 2)).unwrap();
        for tile in window.tiles_mut(tiler) {
            match tile {
                Tile::Full(tile) => is_honest(tile.layout()),
                Tile::Partial(tile) => is_honest(tile.layout()),
            }
        }
        for block in t.blocks_mut(tiler) {
            is_honest(block.layout());
        }
    }
}

#[test]
fn windows_of_more_modes_than_there_are() {
    let panics = |clip: fn()| std::panic::catch_unwind(clip).is_err();
    assert!(panics(|| assert!(crd2idx::tensor::Window::clipped(make_layout((4, 4), (1, 4)), (4, 4, 0)).size() > 0)));
    assert!(panics(|| assert!(crd2idx::tensor::Window::clipped(DynLayout::<4>::parse("(4,4):(1,4)").unwrap(), (4, 4, 0)).size() > 0)));
    assert!(panics(|| assert!(crd2idx::tensor::Window::clipped(make_layout((), ()), (0,)).size() > 0)));
    for count in [0, 1] {
        assert!(crd2idx::tensor::Window::new(make_layout((), ()), (0,), (count,)).is_err());
        assert!(crd2idx::tensor::Window::new(make_layout((4, 4), (1, 4)), (0, 0, 0), (4, 4, count)).is_err());
    }
    let none: [usize; 0] = [];
    let t = Tensor::new(&none, crd2idx::tensor::Window::clipped(make_layout((4, 4), (1, 4)), (4, 0))).unwrap();
    let mut seen = 0;
    t.for_each(|_| seen += 1);
    assert_eq!((seen, t.iter().count(), t.size()), (0, 0, 0));
}

#[test]
fn convolutions_of_far_numbers() {
    const FAR: usize = isize::MAX as usize;
    let numbers = [0, 1, 2, 3, FAR / 2, FAR - 1, FAR, usize::MAX];
    let mut state = 3u64;
    let mut any = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        numbers[(state >> 33) as usize % numbers.len()]
    };
    let data: Vec<u8> = (0..40).collect();
    let t = Tensor::with_origin(&data, 12, make_layout((4, 5), (Signed(-3), Int::<5>))).unwrap();
    let (mut made, mut written) = (0, 0);
    for _ in 0..if cfg!(miri) { 60 } else { 20_000 } {
        let mut pair = || [any(), any()];
        let [window, step, dilation, before, behind, tap] = [pair(), pair(), pair(), pair(), pair(), pair()];
        let convolution = std::panic::catch_unwind(|| Convolution::new(window).step(step).dilation(dilation).padding(before, behind));
        let Ok(convolution) = convolution else { continue };
        made += 1;
        let places = convolution.places([4, 5]);
        if let Ok(windows) = t.windows_of(&convolution) {
            windows.iter().for_each(|x| assert!(*x < 40));
        }
        if let Ok((first, elements)) = t.tap(&convolution, tap) {
            assert!((0..2).all(|mode| elements.size() == 0 || first[mode] < places[mode]));
            elements.iter().for_each(|x| assert!(*x < 40));
        }
        // Skip targets larger than the buffer: making the tensor fails.
        let product = |x: [usize; 2]| x[0].checked_mul(x[1]);
        let (Some(taps), Some(all)) = (product(window), product(places)) else { continue };
        let mut out = [99; 2000];
        let Ok(mut matrix) = Tensor::new(&mut out, make_layout((taps, all), (Int::<1>, taps))) else { continue };
        for boundary in [Boundary::Clamp, Boundary::Wrap, Boundary::Reflect, Boundary::Symmetric, Boundary::Constant(&39)] {
            matrix.assign_windows(&t, &convolution, boundary).unwrap();
            matrix.iter().for_each(|x| assert!(*x < 40));
            written += matrix.size();
        }
    }
    assert!(cfg!(miri) || made > 10 && written > 10, "{made} {written}");
}
