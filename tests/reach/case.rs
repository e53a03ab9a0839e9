//! A layout as a naive list of the positions of its elements, and the check of the elements that a way has written.

use crd2idx::TensorError;
use crd2idx::layouts::Coordinate;
use crd2idx::prelude::*;
use std::fmt::Debug;
use std::marker::PhantomData;

/// The number of elements of every buffer. Elements without a coordinate are a guard: no way may write them.
pub const LEN: usize = 160;

/// The position of index 0 in most buffers: layouts reach below it and above.
pub const ORIGIN: usize = 64;

/// An element that knows its position, if it has a size.
pub trait Element: Copy + PartialEq + Debug + Send + Sync + 'static {
    fn new(number: usize) -> Self;

    /// Returns the number that the element was made from; 0 if it has no size.
    fn number(self) -> usize;
}

impl Element for u64 {
    fn new(number: usize) -> u64 {
        number as u64
    }

    fn number(self) -> usize {
        self as usize
    }
}

impl Element for () {
    fn new(_: usize) {}

    fn number(self) -> usize {
        0
    }
}

/// The form of the coordinates of a layout: one integer for each mode.
pub trait Form: Sync {
    type C: Coordinate<Coord = Self::C> + PartialEq + Debug + Send + Sync;

    /// The corner and the extents of a window: a tuple, even for a single integer.
    type Window: Coordinate<Coord = Self::Window> + Send + Sync;

    fn at(modes: &[usize]) -> Self::C;

    fn window(modes: &[usize]) -> Self::Window;
}

macro_rules! forms {
    ($($name:ident $type:ty, $window:ty, |$modes:pat_param| $c:expr, $w:expr;)*) => { $(
        pub struct $name;

        impl Form for $name {
            type C = $type;
            type Window = $window;

            fn at(modes: &[usize]) -> $type {
                let $modes = *modes else { panic!("{modes:?} has another number of modes") };
                $c
            }

            fn window(modes: &[usize]) -> $window {
                let $modes = *modes else { panic!("{modes:?} has another number of modes") };
                $w
            }
        }
    )* };
}

/// Declares the forms whose coordinates are tuples of integers.
macro_rules! tuples {
    ($($name:ident $($mode:ident: $type:ty),*;)*) => {
        forms! { $($name ($($type,)*), ($($type,)*), |[$($mode),*]| ($($mode,)*), ($($mode,)*);)* }
    };
}

forms! { Leaf usize, (usize,), |[i]| i, (i,); }
tuples! {
    Rank0;
    Rank1 i: usize;
    Rank2 i: usize, j: usize;
    Rank3 i: usize, j: usize, k: usize;
    Rank5 i: usize, j: usize, k: usize, l: usize, m: usize;
}

/// The reason why a way is refused, if it is.
pub type Reason = Option<&'static str>;

/// A row of the table: a layout, described by plain lists.
pub struct Case<X, F> {
    pub extents: Vec<usize>,
    /// The position in the buffer of the element at each coordinate, in colexicographic order.
    pub places: Vec<usize>,
    /// The reason why the layout has no stride for each mode.
    pub no_strides: Reason,
    /// The reason why the layout has no loops, which transfers need.
    pub no_loops: Reason,
    /// The reason why the layout is injective but not proven to be.
    pub unproven: Reason,
    /// A fresh buffer.
    fresh: Vec<X>,
    form: PhantomData<F>,
}

/// The elements that a way has written.
pub enum WrittenElements<X> {
    Nothing,
    /// The element of coordinate `k` is [`Case::new_value`] of `k`; elements are written in this order.
    Each,
    /// Like `Each`, but in any order: a shared element has the value of one of its coordinates.
    Any,
    /// Every element has this value.
    All(X),
}

impl<X: Element, F: Form> Case<X, F> {
    /// Makes the case with the elements at `origin + index(c)`.
    pub fn new(extents: &[usize], origin: usize, index: impl Fn(&[isize]) -> isize) -> Self {
        let mut case = Case {
            extents: extents.to_vec(),
            places: Vec::new(),
            no_strides: None,
            no_loops: None,
            unproven: None,
            fresh: (0..LEN).map(X::new).collect(),
            form: PhantomData,
        };
        let place = |c: Vec<usize>| {
            let c: Vec<isize> = c.into_iter().map(|digit| digit as isize).collect();
            origin.checked_add_signed(index(&c)).filter(|place| *place < LEN).expect("a place in the buffer")
        };
        case.places = case.coordinates().map(place).collect();
        case
    }

    /// Sets the reason why the layout has no stride for each mode.
    pub fn without_strides(self, reason: &'static str) -> Self {
        Case { no_strides: Some(reason), ..self }
    }

    /// Sets the reason why the layout has no loops.
    pub fn without_loops(self, reason: &'static str) -> Self {
        Case { no_loops: Some(reason), ..self }
    }

    /// Sets the reason why the layout is not proven injective.
    pub fn unproven(self, reason: &'static str) -> Self {
        Case { unproven: Some(reason), ..self }
    }

    pub fn size(&self) -> usize {
        self.extents.iter().product()
    }

    /// Returns the integers of every coordinate, the first mode fastest.
    pub fn coordinates(&self) -> impl Iterator<Item = Vec<usize>> {
        integers(&self.extents)
    }

    /// Returns the colexicographic position of a coordinate, from 0.
    pub fn number(&self, modes: &[usize]) -> usize {
        modes.iter().zip(&self.extents).rev().fold(0, |number, (digit, extent)| number * extent + digit)
    }

    /// Returns every coordinate, the first mode fastest.
    pub fn all(&self) -> impl Iterator<Item = F::C> {
        self.coordinates().map(|modes| F::at(&modes))
    }

    /// Returns, for each mode, the coordinate just behind its end; the other integers are 0.
    pub fn outside(&self) -> impl Iterator<Item = F::C> {
        (0..self.extents.len())
            .map(|mode| F::at(&(0..self.extents.len()).map(|k| if k == mode { self.extents[k] } else { 0 }).collect::<Vec<_>>()))
    }

    /// Returns the elements of a fresh buffer, in the order of the coordinates.
    pub fn elements(&self) -> Vec<X> {
        self.places.iter().map(|place| X::new(*place)).collect()
    }

    /// Returns the positions of the elements, ascending.
    pub fn sorted(&self) -> Vec<usize> {
        let mut places = self.places.clone();
        places.sort_unstable();
        places
    }

    /// Returns the element that ways write at coordinate `k`.
    pub fn new_value(k: usize) -> X {
        X::new(1000 + k)
    }

    pub fn new_values(&self) -> Vec<X> {
        (0..self.size()).map(Self::new_value).collect()
    }

    /// Returns true if no two coordinates have the same position.
    pub fn is_injective(&self) -> bool {
        self.sorted().windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Returns the stride of each mode, found by steps from the first coordinate, or `None` if the layout needs some but has none.
    pub fn strides(&self) -> Option<Vec<isize>> {
        let one = self.extents.iter().all(|extent| *extent == 1);
        if self.no_strides.is_some() && !one && self.size() > 0 {
            return None;
        }
        let step = |mode: usize| {
            let mut modes = vec![0; self.extents.len()];
            modes[mode] = 1;
            let moves = self.size() > 0 && self.extents[mode] > 1;
            if moves { self.places[self.number(&modes)] as isize - self.places[0] as isize } else { 0 }
        };
        Some((0..self.extents.len()).map(step).collect())
    }

    /// Returns true if the positions are consecutive and the layout has strides.
    pub fn is_contiguous(&self) -> bool {
        self.strides().is_some() && self.places.windows(2).all(|pair| pair[1] == pair[0] + 1)
    }

    /// Returns true if each stride exceeds the reach of the smaller ones: the sum of `stride (extent - 1)`. Panics without strides.
    pub fn nests(&self) -> bool {
        let strides = self.strides().expect("strides");
        let mut moving: Vec<_> =
            strides.iter().zip(&self.extents).filter(|(_, extent)| **extent > 1).map(|(s, n)| (s.unsigned_abs(), *n)).collect();
        moving.sort_unstable();
        let mut reach = 0;
        self.size() == 0
            || moving.iter().all(|(stride, extent)| {
                let nests = *stride > reach;
                reach += stride * (extent - 1);
                nests
            })
    }

    /// Returns a fresh buffer.
    pub fn buffer(&self) -> Vec<X> {
        self.fresh.clone()
    }

    /// Returns the tensor with the proof that it is injective. Without a proof, checks the error and returns `None`.
    pub fn proven<S: crd2idx::tensor::Storage, L: Layout>(&self, t: Tensor<S, L>) -> Option<Tensor<S, crd2idx::tensor::Injective<L>>> {
        match t.injective() {
            Ok(t) => {
                assert!(self.is_injective() && self.unproven.is_none());
                Some(t)
            }
            Err(TensorError::Shared) => {
                assert!(!self.is_injective());
                None
            }
            Err(error) => {
                assert!(error == TensorError::Undecided && (!self.is_injective() || self.unproven.is_some()), "{error}");
                None
            }
        }
    }

    /// Checks every element of the buffer after a way: the written elements are new, and all others as in a fresh buffer.
    pub fn check(&self, buffer: &[X], written: WrittenElements<X>) {
        let mut want = self.buffer();
        if let WrittenElements::Any = written {
            let mut written = vec![Vec::new(); want.len()];
            self.places.iter().enumerate().for_each(|(k, place)| written[*place].push(Self::new_value(k)));
            let expected = |(place, x): (usize, &X)| if written[place].is_empty() { *x == want[place] } else { written[place].contains(x) };
            assert!(buffer.len() == want.len() && buffer.iter().enumerate().all(expected), "{buffer:?}");
            return;
        }
        for (k, place) in self.places.iter().enumerate() {
            match written {
                WrittenElements::Nothing | WrittenElements::Any => {}
                WrittenElements::Each => want[*place] = Self::new_value(k),
                WrittenElements::All(value) => want[*place] = value,
            }
        }
        assert_eq!(buffer, want);
    }
}

/// Returns the integers of every coordinate below `extents`, the first mode fastest.
pub fn integers(extents: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    (0..extents.iter().product()).map(|k: usize| {
        let mut rest = k;
        let digit = |extent: &usize| {
            let digit = rest % extent;
            rest /= extent;
            digit
        };
        extents.iter().map(digit).collect()
    })
}

/// Checks that no two references have the same address, if elements have a size.
pub fn require_distinct<X: Element>(references: &[&mut X]) {
    let mut addresses: Vec<_> = references.iter().map(|x| std::ptr::from_ref::<X>(x).addr()).collect();
    addresses.sort_unstable();
    assert!(size_of::<X>() == 0 || addresses.windows(2).all(|pair| pair[0] != pair[1]), "two mutable references to one element");
}

/// Returns a dense tensor of the extents of a case, with these elements.
pub fn dense<'a, X: Element, F: Form>(case: &Case<X, F>, elements: &'a [X]) -> View<'a, X, DynLayout> {
    Tensor::new(elements, dense_layout(case)).unwrap()
}

/// Returns the layout of a dense tensor, the first mode fastest.
pub fn dense_layout<X: Element, F: Form>(case: &Case<X, F>) -> DynLayout {
    let extents: Vec<i64> = case.extents.iter().map(|extent| *extent as i64).collect();
    let strides: Vec<i64> = (0..extents.len()).map(|k| extents[..k].iter().product()).collect();
    DynLayout::new(&DynCoord::flat(&extents).unwrap(), &DynCoord::flat(&strides).unwrap()).unwrap()
}
