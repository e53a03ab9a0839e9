//! Windows of convolutions: steps, dilation, padding and boundaries.

use super::tensors::{message, places};
use crate::common::Rng;
use crd2idx::prelude::*;
use std::array::from_fn;

/// Returns all coordinates below `extents`, the first mode fastest.
fn coordinates<const RANK: usize>(extents: [usize; RANK]) -> Vec<[usize; RANK]> {
    let count = extents.iter().product();
    let digit = |k: usize, mode: usize| k / extents[..mode].iter().product::<usize>() % extents[mode];
    (0..count).map(|k| from_fn(|mode| digit(k, mode))).collect()
}

/// The parameters of a convolution, each with one number for each mode.
#[derive(Clone, Copy, Debug)]
struct Numbers<const RANK: usize> {
    window: [usize; RANK],
    step: [usize; RANK],
    dilation: [usize; RANK],
    before: [usize; RANK],
    behind: [usize; RANK],
}

impl<const RANK: usize> Numbers<RANK> {
    fn random(rng: &mut Rng, pad: bool) -> Self {
        let mut numbers = |low, high| from_fn(|_| rng.between(low, high) as usize);
        let (window, step, dilation) = (numbers(1, 4), numbers(1, 3), numbers(1, 3));
        let (before, behind) = if pad { (numbers(0, 4), numbers(0, 4)) } else { ([0; RANK], [0; RANK]) };
        Numbers { window, step, dilation, before, behind }
    }

    fn convolution(&self) -> Convolution<RANK> {
        Convolution::new(self.window).step(self.step).dilation(self.dilation).padding(self.before, self.behind)
    }

    /// Returns the number of positions in each mode, counted by trying: those whose last tap is not behind the padding.
    fn places(&self, extents: [usize; RANK]) -> [usize; RANK] {
        from_fn(|mode| {
            let last = self.dilation[mode] * (self.window[mode] - 1);
            (0..).take_while(|place| self.step[mode] * place + last < extents[mode] + self.before[mode] + self.behind[mode]).count()
        })
    }

    fn coordinate(&self, place: [usize; RANK], tap: [usize; RANK]) -> [isize; RANK] {
        from_fn(|mode| (self.step[mode] * place[mode] + self.dilation[mode] * tap[mode]) as isize - self.before[mode] as isize)
    }
}

/// Writes all windows of a tensor of layout `from` into the layout that `make(window, positions)` returns, and compares every element.
fn written<L: Layout, M: Layout, const RANK: usize>(from: L, numbers: Numbers<RANK>, make: impl Fn([usize; RANK], [usize; RANK]) -> M) {
    let (data, value) = (places(3000), 77_777);
    let t = Tensor::with_origin(&data, 1500, from).unwrap();
    let places = numbers.places(from_fn(|mode| from.extents()[mode]));
    let to = make(numbers.window, places);
    let room = to.index_range().unwrap().end as usize;
    for boundary in [Boundary::Clamp, Boundary::Wrap, Boundary::Reflect, Boundary::Symmetric, Boundary::Constant(&value)] {
        let mut out = vec![usize::MAX; room];
        let mut target = Tensor::new(&mut out, to).unwrap();
        target.assign_windows(&t, &numbers.convolution(), boundary).unwrap();
        let mut position = 0;
        for place in coordinates(places) {
            for tap in coordinates(numbers.window) {
                let want = *t.beyond(numbers.coordinate(place, tap), boundary);
                assert_eq!(target[position], want, "{numbers:?} at {place:?}, tap {tap:?}, {boundary:?}");
                position += 1;
            }
        }
        assert_eq!(position, target.size());
        assert_eq!(out.iter().filter(|x| **x != usize::MAX).count(), position);
    }
}

#[test]
fn written_with_every_boundary() {
    let mut rng = Rng::new(5);
    for _ in 0..if cfg!(miri) { 1 } else { 60 } {
        let (m, n) = (rng.between(1, 7) as usize, rng.between(1, 7) as usize);
        let numbers = Numbers::random(&mut rng, true);
        let product = |x: [usize; 2]| x[0] * x[1];
        let rows = make_layout((m, n), (n, Int::<1>));
        // The targets are matrices by columns and by rows, separate modes, nested modes, and all numbers at run time.
        written(rows, numbers, |w, p| make_layout((product(w), product(p)), (Int::<1>, product(w))));
        written(rows, numbers, |w, p| make_layout((product(w), product(p)), (product(p) + 3, Int::<1>)));
        written(make_layout((m, n), (Signed(-1), m + 2)), numbers, |w, p| {
            make_layout((w[0], w[1], p[0], p[1]), (1, w[0], w[0] * w[1], w[0] * w[1] * p[0]))
        });
        written(make_layout((m, n), (Signed(-9), Signed(-70))), numbers, |w, p| {
            make_layout((w, p), ([p[0] * p[1], p[0] * p[1] * w[0]], [1, p[0]]))
        });
        let dynamic = DynLayout::<8>::parse(&format!("({m},{n}):(8,1)")).unwrap();
        written(dynamic, numbers, |w, p| {
            DynLayout::<8>::parse(&format!(
                "(({},{}),({},{})):((1,{}),({},{}))",
                w[0],
                w[1],
                p[0],
                p[1],
                w[0],
                w[0] * w[1],
                w[0] * w[1] * p[0]
            ))
            .unwrap()
        });
    }
}

#[test]
fn of_one_mode_and_of_four() {
    let mut rng = Rng::new(6);
    for _ in 0..if cfg!(miri) { 1 } else { 60 } {
        let n = rng.between(1, 20) as usize;
        written(make_layout((n,), (3,)), Numbers::random(&mut rng, true), |[w], [p]| make_layout((w, p), (Int::<1>, w)));
        let channels = rng.between(1, 3) as usize;
        // (channel, x, y, image): windows move along two of these modes.
        let mut numbers = Numbers::<4>::random(&mut rng, true);
        numbers.window = [channels, numbers.window[1].min(3), numbers.window[2].min(3), 1];
        (numbers.step[0], numbers.step[3]) = (1, 1);
        for mode in [0, 3] {
            (numbers.before[mode], numbers.behind[mode], numbers.dilation[mode]) = (0, 0, 1);
        }
        let size = |x: [usize; 4]| x.iter().product::<usize>();
        written(make_layout((channels, 4, 5, 2), (Int::<1>, channels, 4 * channels, 20 * channels)), numbers, |w, p| {
            make_layout((size(w), size(p)), (Int::<1>, size(w)))
        });
    }
}

#[test]
fn windows_and_taps_are_elements() {
    let mut rng = Rng::new(7);
    let data = places(3000);
    for k in 0..if cfg!(miri) { 2 } else { 300 } {
        let (m, n) = (rng.between(0, 8) as usize, rng.between(1, 8) as usize);
        let numbers = Numbers::<2>::random(&mut rng, k % 2 == 0);
        let t = Tensor::with_origin(&data, 300, make_layout((m, n), (Signed(-20), Int::<2>))).unwrap();
        let (convolution, all) = (numbers.convolution(), numbers.places([m, n]));
        assert_eq!(convolution.places([m, n]), all);
        assert_eq!(convolution.window(), numbers.window);
        match t.windows_of(&convolution) {
            Ok(windows) => {
                assert_eq!(windows.shape::<([usize; 2], [usize; 2])>(), (numbers.window, all));
                for (place, tap) in
                    coordinates(all).into_iter().flat_map(|place| coordinates(numbers.window).into_iter().map(move |tap| (place, tap)))
                {
                    assert_eq!(windows[(tap, place)], t[numbers.coordinate(place, tap).map(|x| x as usize)]);
                }
                assert_eq!(windows.iter().count(), windows.size());
            }
            Err(error) => assert!(
                error.to_string().starts_with("the windows reach ") && (numbers.before, numbers.behind) != ([0; 2], [0; 2]),
                "{error}"
            ),
        }
        for tap in coordinates(numbers.window) {
            let (first, elements) = t.tap(&convolution, tap).unwrap();
            let mut count = 0;
            for place in coordinates(all) {
                let c = numbers.coordinate(place, tap).map(|x| usize::try_from(x).unwrap_or(usize::MAX));
                let at: [usize; 2] = from_fn(|mode| place[mode].wrapping_sub(first[mode]));
                assert_eq!(elements.get(at), t.get(c), "{numbers:?} at {place:?}, tap {tap:?}");
                count += usize::from(elements.get(at).is_some());
            }
            assert_eq!(elements.size(), count);
        }
    }
}

/// The windows equal those of the algebra: a composition with windows and positions.
#[test]
fn windows_are_a_composition() {
    let mut rng = Rng::new(8);
    let data = places(3000);
    for _ in 0..if cfg!(miri) { 4 } else { 200 } {
        let (n, stride) = (rng.between(1, 30) as usize, rng.between(1, 9));
        let numbers = Numbers::<1>::random(&mut rng, false);
        let Numbers { window: [w], step: [s], dilation: [d], .. } = numbers;
        let [p] = numbers.places([n]);
        if p == 0 {
            continue;
        }
        let line = DynLayout::<8>::parse(&format!("{n}:{stride}")).unwrap();
        let composed = line.composition(&DynLayout::parse(&format!("({w},{p}):({d},{s})")).unwrap()).unwrap();
        let windows = Tensor::new(&data, line).unwrap().windows_of(&numbers.convolution()).unwrap();
        for (tap, place) in (0..w).flat_map(|tap| (0..p).map(move |place| (tap, place))) {
            assert_eq!(windows[([tap], [place])], composed.index(&[tap, place]).unwrap(), "{numbers:?} of {n}:{stride}");
        }
    }
}

#[test]
fn far_steps_and_pads() {
    const FAR: usize = isize::MAX as usize;
    let data = [1, 2, 3, 4, 5];
    let t = Tensor::new(&data, make_layout((5,), (Int::<1>,))).unwrap();
    let far = Convolution::new([3]).step([FAR]).dilation([FAR]).padding([FAR], [FAR]);
    assert_eq!(far.places([5]), [1]);
    let mut out = [0; 3];
    let mut to = Tensor::new(&mut out, make_layout((3, 1), (Int::<1>, 3))).unwrap();
    to.assign_windows(&t, &far, Boundary::Constant(&9)).unwrap();
    assert_eq!(to.iter().copied().collect::<Vec<_>>(), [9, 1, 9]);
    to.assign_windows(&t, &far, Boundary::Clamp).unwrap();
    assert_eq!(out, [1, 1, 5]);
    let taps: Vec<_> = (0..3).map(|tap| t.tap(&far, [tap]).unwrap()).map(|(first, elements)| (first, elements.size())).collect();
    assert_eq!(taps, [([1], 0), ([0], 1), ([0], 0)]);
    assert_eq!(Convolution::new([1]).padding([FAR], [FAR]).places([FAR]), [FAR]);
    let many = t.windows_of(&Convolution::new([5])).unwrap();
    assert_eq!((many.size(), many[(4, 0)]), (5, 5));
    // Elements of no size: the windows together have too many coordinates.
    let none = [(); 1];
    let wide = Tensor::new(&none, make_layout((FAR,), (0,))).unwrap();
    let error = wide.windows_of(&Convolution::new([FAR / 2])).err().unwrap();
    assert!(error.to_string().contains("may be more than"), "{error}");
}

#[test]
fn refused() {
    let (data, mut out) = (places(100), [0; 100]);
    let t = Tensor::new(&data, layout!((4, 5) : (5, 1))).unwrap();
    let of = |error: TensorError| error.to_string();
    let reach = "the windows reach 0 coordinates before the start of mode 1 and 2 beyond its end, where a tensor has no elements: use `assign_windows` with a boundary, or `tap`, which skips the padding";
    assert_eq!(of(t.windows_of(&Convolution::new([2, 2]).padding([0, 0], [0, 2])).err().unwrap()), reach);
    assert_eq!(of(t.windows_of(&Convolution::new([2])).err().unwrap()), "windows: the layout has 2 modes, but 1 is given");
    assert_eq!(
        of(t.tap(&Convolution::new([2, 2]), [0, 2]).err().unwrap()),
        "the window has 1 coordinates of mode 1 from 2 on, but the mode has 2"
    );
    let uneven = "mode 0 has no single stride: windows move along modes with one stride";
    let nested = Tensor::new(&data, layout!(((2, 2), 5) : ((1, 10), 2))).unwrap();
    assert_eq!(of(nested.windows_of(&Convolution::new([2, 2])).err().unwrap()), uneven);
    let swizzled = Tensor::new(&data, crd2idx::layouts::StaticSwizzle::<2, 0, 3>.composition(layout!((4, 8) : (8, 1)))).unwrap();
    assert_eq!(of(swizzled.tap(&Convolution::new([2, 2]), [0, 0]).err().unwrap()), uneven);

    let mut split = Tensor::new(&mut out, layout!(((2, 2), 6) : ((1, 12), 2))).unwrap();
    let line = Tensor::new(&data[..9], layout!((9,) : (1,))).unwrap();
    assert_eq!(of(split.assign_windows(&line, &Convolution::new([4]), Boundary::Clamp).err().unwrap()), uneven);
    let mut swizzled = Tensor::new(&mut out, crd2idx::layouts::StaticSwizzle::<2, 0, 3>.composition(layout!((4, 6) : (1, 4)))).unwrap();
    assert_eq!(of(swizzled.assign_windows(&line, &Convolution::new([4]), Boundary::Clamp).err().unwrap()), uneven);
    let panic = message(|| {
        let mut out = [0; 20];
        Tensor::new(&mut out, layout!((4, 5) : (1, 4))).unwrap().assign_windows(&line, &Convolution::new([4]), Boundary::Clamp)
    });
    assert_eq!(panic, "windows of [4] at [6] places do not fill a tensor of [4, 5]");
    // A mode of leaves that continue each other has one stride.
    let mut joined = Tensor::new(&mut out, layout!(((2, 2), 6) : ((1, 2), 4))).unwrap();
    joined.assign_windows(&line, &Convolution::new([4]), Boundary::Clamp).unwrap();
    assert_eq!((joined[(3, 5)], joined[((1, 1), 2)]), (data[8], data[5]));
    let empty = Tensor::new(&data, layout!((0, 5) : (1, 1))).unwrap();
    let error = empty.windows_of(&Convolution::new([1 << (usize::BITS / 2 + 1); 2])).err().unwrap();
    assert!(error.to_string().contains("may be more than"), "{error}");
    let nothing = Tensor::new(&data, layout!((0,) : (1,))).unwrap();
    let four = layout!((1, 4) : (1, 1));
    let around = Convolution::new([1]).padding([2], [2]);
    let panic = message(|| Tensor::new(&mut [0; 4], four).unwrap().assign_windows(&nothing, &around, Boundary::Wrap));
    assert_eq!(panic, "a tensor without elements has none beyond its boundary");
    Tensor::new(&mut out, four).unwrap().assign_windows(&nothing, &around, Boundary::Constant(&7)).unwrap();
    assert_eq!(out[..4], [7; 4]);
    let zero = "a window, a step or a dilation of a convolution is 0, or more than `isize::MAX`";
    assert_eq!(message(|| Convolution::new([2, 0])), zero);
    assert_eq!(message(|| Convolution::new([2]).step([0])), zero);
    assert_eq!(message(|| Convolution::new([2]).dilation([usize::MAX])), zero);
}
