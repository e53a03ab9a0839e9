//! One element at a time, and walks.

use crate::case::{Case, Element, Form, WrittenElements, dense};
use crd2idx::layouts::Affine;
use crd2idx::prelude::*;
use crd2idx::tensor::Packed;

/// Reads by index, `get`, `contains`, unchecked, and by number; finds nothing outside.
pub fn indexed<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    assert_eq!((t.size(), t.layout().rank()), (case.size(), case.extents.len()));
    assert_eq!(&t.layout().extents()[..case.extents.len()], case.extents);
    for (k, (c, want)) in case.all().zip(case.elements()).enumerate() {
        assert_eq!((t[c], t[k], t.get(c), t.get(k)), (want, want, Some(&want), Some(&want)));
        assert!(t.contains(c));
        // SAFETY: the coordinate is inside.
        assert_eq!(unsafe { *t.get_unchecked(c) }, want);
        assert_eq!(t.view()[c], want);
    }
    for c in case.outside() {
        assert!(!t.contains(c) && t.get(c).is_none());
    }
    assert!(t.get(case.size()).is_none());
    WrittenElements::Nothing
}

/// Prefetches of any coordinate read and write nothing.
pub fn prefetched<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    case.all().chain(case.outside()).for_each(|c| t.prefetch(c));
    WrittenElements::Nothing
}

pub fn index_mut<X: Element, F: Form, L: Layout>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    for (k, c) in case.all().enumerate() {
        t[c] = Case::<X, F>::new_value(k);
    }
    WrittenElements::Each
}

pub fn get_mut<X: Element, F: Form, L: Layout>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    assert!(case.outside().all(|c| t.get_mut(c).is_none()));
    for (k, c) in case.all().enumerate() {
        *t.view_mut().get_mut(c).expect("an element") = Case::<X, F>::new_value(k);
    }
    WrittenElements::Each
}

/// Iterates in one pass, step by step, and from the middle.
pub fn iterated<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let want = case.elements();
    assert_eq!(t.iter().len(), want.len());
    assert!(t.iter().eq(&want));
    assert_eq!(
        t.iter().fold(Vec::new(), |mut all, x| {
            all.push(*x);
            all
        }),
        want
    );
    for taken in (0..want.len()).step_by(if cfg!(miri) { 5 } else { 1 }) {
        let (mut rest, mut left) = (t.iter(), Vec::new());
        rest.by_ref().take(taken).for_each(drop);
        assert_eq!(rest.size_hint(), (want.len() - taken, Some(want.len() - taken)));
        rest.for_each(|x| left.push(*x));
        assert_eq!(left, want[taken..]);
    }
    WrittenElements::Nothing
}

/// Visits runs, which have the elements of walks in the same order.
pub fn runs<X: Element, F: Form, L: Layout>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    let (mut near, mut seen, mut count) = (Vec::new(), Vec::new(), 0);
    t.for_each(|x| near.push(*x));
    t.for_each_run(|run| seen.extend_from_slice(run));
    assert_eq!(seen, near);
    t.for_each_run_at(|c: F::C, run: &[X]| {
        assert_eq!(run[0], t[c]);
        count += run.len();
    });
    assert_eq!(count, case.size());
    t.for_each_run_mut(|run| run.iter_mut().for_each(|x| near.push(core::mem::replace(x, seen[0]))));
    let mut written = seen.len();
    t.for_each_run_at_mut(|_: F::C, run: &mut [X]| {
        written += run.len();
        run.fill(seen[0]);
    });
    assert_eq!((near.len(), written), (2 * seen.len(), 2 * seen.len()));
    seen.first().map_or(WrittenElements::Nothing, |first| WrittenElements::All(*first))
}

/// Walks in every way, in the order of coordinates and in the order of memory.
pub fn walked<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let (want, mut plain, mut at, mut near) = (case.elements(), Vec::new(), Vec::new(), Vec::new());
    t.ordered().for_each(|x| plain.push(*x));
    t.ordered().for_each_at(|c: F::C, x| at.push((c, *x)));
    t.for_each(|x| near.push(*x));
    assert_eq!(plain, want);
    let all: Vec<_> = case.all().zip(want).collect();
    assert_eq!(at, all);
    at.clear();
    t.for_each_at(|c: F::C, x| at.push((c, *x)));
    assert!(at.iter().map(|(_, x)| x).eq(&near), "coordinates change the order");
    assert!(at.len() == all.len() && all.iter().all(|pair| at.contains(pair)));
    let numbers: Vec<X> = case.sorted().into_iter().map(X::new).collect();
    let count = |all: &[X], x: &X| all.iter().filter(|y| *y == x).count();
    assert!(near.len() == numbers.len() && numbers.iter().all(|x| count(&near, x) == count(&numbers, x)));
    WrittenElements::Nothing
}

/// Compares the sum, the greatest element, the count and the last element of an iterator.
pub fn reduced<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let (elements, number) = (case.elements(), |x: &X| x.number());
    assert_eq!(t.iter().map(number).sum::<usize>(), elements.iter().map(number).sum::<usize>());
    assert_eq!(t.iter().map(number).max(), elements.iter().map(number).max());
    assert_eq!(t.iter().count(), elements.len());
    assert_eq!(t.iter().last(), elements.last());
    WrittenElements::Nothing
}

pub fn ordered_mut<X: Element, F: Form, L: Layout>(_: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    let mut k = 0;
    t.ordered_mut().for_each_mut(|x| {
        *x = Case::<X, F>::new_value(k);
        k += 1;
    });
    WrittenElements::Each
}

pub fn for_each_at_mut<X: Element, F: Form, L: Layout>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    let (mut all, mut count) = (case.all().enumerate(), 0);
    t.ordered_mut().for_each_at_mut(|at: F::C, x| {
        let (k, c) = all.next().expect("a coordinate");
        assert_eq!(at, c);
        *x = Case::<X, F>::new_value(k + 1);
    });
    assert!(all.next().is_none());
    t.for_each_at_mut(|at: F::C, x| {
        *x = Case::<X, F>::new_value(case.all().position(|c| c == at).expect("a coordinate"));
        count += 1;
    });
    assert_eq!(count, case.size());
    WrittenElements::Any
}

pub fn for_each_mut<X: Element, F: Form, L: Layout>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    let mut count = 0;
    t.for_each_mut(|x| {
        *x = X::new(7);
        count += 1;
    });
    assert_eq!(count, case.size());
    WrittenElements::All(X::new(7))
}

pub fn filled<X: Element, F: Form, L: Layout>(_: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    t.fill(X::new(9));
    WrittenElements::All(X::new(9))
}

/// Zips with a dense tensor, with itself, and with both.
pub fn zipped<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let (want, other) = (case.elements(), case.new_values());
    let (other, mut pairs, mut triples) = (dense(case, &other), Vec::new(), Vec::new());
    t.ordered().zip(&other, |x, y| pairs.push((*x, *y)));
    other.ordered().zip((&t, &t.view()), |y, (x, z)| triples.push((*x, *y, *z)));
    let all: Vec<_> = want.iter().copied().zip(case.new_values()).collect();
    assert_eq!(pairs, all);
    assert_eq!(triples, all.iter().map(|(x, y)| (*x, *y, *x)).collect::<Vec<_>>());
    pairs.clear();
    triples.clear();
    t.zip(&other, |x, y| pairs.push((*x, *y)));
    other.zip((&t, &t.view()), |y, (x, z)| triples.push((*x, *y, *z)));
    assert!(pairs.len() == all.len() && all.iter().all(|pair| pairs.contains(pair)));
    // The dense tensor is walked in the order of coordinates, but in blocks if the other tensor has another order.
    assert!(triples.len() == all.len() && all.iter().all(|(x, y)| triples.contains(&(*x, *y, *x))));
    WrittenElements::Nothing
}

pub fn zip_mut<X: Element, F: Form, L: Layout>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    let values = case.new_values();
    let other = dense(case, &values);
    t.ordered_mut().zip_mut((&other, &other), |x, (y, z)| {
        assert_eq!(y, z);
        *x = *y;
    });
    t.zip_mut((&other, &other), |x, (y, z)| {
        assert_eq!(y, z);
        *x = *y;
    });
    WrittenElements::Any
}

/// Assigns from a dense tensor.
pub fn assigned<X: Element, F: Form, L: Layout>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    t.assign(&dense(case, &case.new_values()));
    WrittenElements::Any
}

/// Assigns to a dense tensor.
pub fn assigned_from<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let mut values = case.new_values();
    let layout = dense(case, &values).layout();
    Tensor::new(&mut values, layout).unwrap().assign(&t);
    assert_eq!(values, case.elements());
    WrittenElements::Nothing
}

pub fn contiguous<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let want = case.elements();
    assert_eq!(t.contiguous(), case.is_contiguous().then_some(&want[..]));
    if let (Some(slice), true) = (t.contiguous(), case.size() > 0) {
        assert_eq!(slice.as_ptr(), &raw const t[0]);
    }
    WrittenElements::Nothing
}

pub fn contiguous_mut<X: Element, F: Form, L: Layout>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    let Some(slice) = t.contiguous_mut() else {
        assert!(!case.is_contiguous());
        return WrittenElements::Nothing;
    };
    slice.copy_from_slice(&case.new_values());
    WrittenElements::Each
}

/// Checks the numbers that functions of other languages take, and a tensor made from a pointer.
pub fn raw<X: Element, F: Form, L: Layout>(case: &Case<X, F>, mut t: ViewMut<X, L>) -> WrittenElements<X> {
    let (layout, origin) = (t.layout(), t.as_ptr());
    // SAFETY: the pointer to index 0 of the same layout over the same elements, which are not written meanwhile.
    let again = unsafe { View::from_raw(origin, layout) };
    assert!(again.iter().eq(&case.elements()));
    let affine = Affine::of(&layout);
    assert_eq!(affine.is_ok(), case.strides().is_some());
    if let (Ok(affine), Some(strides)) = (affine, case.strides()) {
        assert_eq!(affine.extents(), case.extents);
        assert!((0..strides.len()).all(|k| case.size() == 0 || case.extents[k] < 2 || affine.strides()[k] == strides[k]));
        for (modes, want) in case.coordinates().zip(case.elements()) {
            let at: isize = modes.iter().zip(affine.strides()).map(|(digit, stride)| *digit as isize * stride).sum();
            // SAFETY: the element at this coordinate.
            assert_eq!(unsafe { *origin.wrapping_offset(affine.first() + at) }, want);
        }
    }
    // SAFETY: as above; the tensor is borrowed exclusively.
    let mut again = unsafe { ViewMut::from_raw_mut(t.as_mut_ptr(), layout) };
    case.all().enumerate().for_each(|(k, c)| again[c] = Case::<X, F>::new_value(k));
    WrittenElements::Each
}

/// Checks elements of four bits with the same layout, if no index is negative.
pub fn packed<X: Element, F: Form, L: Layout>(case: &Case<X, F>, t: ViewMut<X, L>) -> WrittenElements<X> {
    let layout = t.layout();
    let range = layout.index_range().unwrap();
    let mut bytes = vec![0x55u8; (range.end.max(0) as usize).div_ceil(2)];
    let Ok(mut packed) = Packed::<_, _, 4>::new(&mut bytes[..], layout) else {
        assert!(range.start < 0);
        return WrittenElements::Nothing;
    };
    let (mut want, indices): (Vec<u8>, Vec<usize>) = (vec![5; bytes_len(range.end)], case.all().map(|c| layout.crd2idx(c)).collect());
    for (k, c) in case.all().enumerate() {
        packed.set(c, k as u8);
        want[indices[k]] = k as u8 & 15;
    }
    assert!(case.all().zip(&indices).all(|(c, index)| packed.get(c) == Some(want[*index])));
    assert!(case.outside().all(|c| packed.get(c).is_none()));
    assert!((0..want.len()).all(|index| bytes[index / 2] >> (index % 2 * 4) & 15 == want[index]));
    WrittenElements::Nothing
}

/// Returns the number of elements of four bits in whole bytes.
fn bytes_len(end: isize) -> usize {
    (end.max(0) as usize).next_multiple_of(2)
}
