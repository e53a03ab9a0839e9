//! Other libraries that run the same cases.

use super::case::{Case, Element};
use ndarray::{ArrayView, ArrayViewMut, Axis, IxDyn, ShapeBuilder};
#[cfg(feature = "hptt")]
use std::any::TypeId;
use strided_view::{StridedView, StridedViewMut};

pub type Peer<'a, T> = Box<dyn FnMut(&[T], &mut [T]) + 'a>;

/// Returns the libraries that support the case, each with its name. They get the modes in the order of the target, the
/// greatest stride first.
pub fn of<T: Element>(case: &Case) -> Vec<(&'static str, Peer<'static, T>)> {
    if case.swizzled() || case.sum {
        return vec![];
    }
    let mut modes = case.leaves.clone();
    modes.sort_by_key(|(.., target)| -target.abs());
    let [from, to] = case.offsets();
    let mut out: Vec<(&'static str, Peer<'static, T>)> = vec![];

    let leaves = modes.clone();
    out.push(("ndarray", Box::new(move |a, b| {
        let source = view(a, from, &leaves.iter().map(|(extent, source, _)| (*extent, *source)).collect::<Vec<_>>());
        let shape: Vec<usize> = leaves.iter().map(|leaf| leaf.0).collect();
        let strides: Vec<usize> = leaves.iter().map(|leaf| leaf.2 as usize).collect();
        let mut target = ArrayViewMut::from_shape(IxDyn(&shape).strides(IxDyn(&strides)), &mut b[to..]).expect("a view");
        target.assign(&source);
    })));

    let shape: Vec<usize> = modes.iter().map(|mode| mode.0).collect();
    let sources: Vec<isize> = modes.iter().map(|mode| mode.1).collect();
    let targets: Vec<isize> = modes.iter().map(|mode| mode.2).collect();
    out.push(("strided-perm", Box::new(move |a, b| {
        let source = StridedView::<T>::new(a, &shape, &sources, from as isize).expect("a view");
        let mut target = StridedViewMut::<T>::new(b, &shape, &targets, to as isize).expect("a view");
        strided_perm::copy_into(&mut target, &source, threadteam::Exec::serial()).expect("a copy");
    })));

    if case.family == "permute" {
        let nest = joined(&modes);
        out.push(("loops", Box::new(move |a, b| loops(&nest, &a[from..], &mut b[to..]))));
    }
    if case.leaves.iter().all(|leaf| leaf.1 == 0) {
        let elements = case.elements();
        out.push(("fill", Box::new(move |a, b| b[to..to + elements].fill(a[from]))));
    }
    #[cfg(feature = "hptt")]
    if let Some(peer) = of_hptt::<T>(case) {
        out.push(("hptt", peer));
    }
    out
}

/// Joins neighbouring modes that continue one another on both sides, as NumPy does. The modes have the greatest stride of
/// the target first, and so has the result.
fn joined(modes: &[(usize, isize, isize)]) -> Vec<(usize, isize, isize)> {
    modes.iter().fold(vec![], |mut out: Vec<(usize, isize, isize)>, mode| {
        match out.last_mut() {
            Some(last) if (last.1, last.2) == (mode.0 as isize * mode.1, mode.0 as isize * mode.2) => *last = (last.0 * mode.0, mode.1, mode.2),
            _ => out.push(*mode),
        }
        out
    })
}

/// Copies element by element, in the order of the target: the loop of NumPy's `copyto`. Strides are positive.
fn loops<T: Copy>(modes: &[(usize, isize, isize)], a: &[T], b: &mut [T]) {
    let Some(((count, source, target), around)) = modes.split_last() else { return };
    let mut digits = vec![0; around.len()];
    let (mut from, mut to) = (0, 0);
    loop {
        if (*source, *target) == (1, 1) {
            b[to as usize..][..*count].copy_from_slice(&a[from as usize..][..*count]);
        } else {
            let (from, to) = (a[from as usize..].iter().step_by(*source as usize), b[to as usize..].iter_mut().step_by(*target as usize));
            from.zip(to).take(*count).for_each(|(from, to)| *to = *from);
        }
        let mut k = around.len();
        loop {
            if k == 0 {
                return;
            }
            k -= 1;
            digits[k] += 1;
            (from, to) = (from + around[k].1, to + around[k].2);
            if digits[k] < around[k].0 {
                break;
            }
            (from, to) = (from - digits[k] as isize * around[k].1, to - digits[k] as isize * around[k].2);
            digits[k] = 0;
        }
    }
}

/// Returns a view of the elements of `a` with these modes `(extent, stride)`. `offset` is the position of coordinate 0, and
/// strides may be negative.
fn view<'a, T>(a: &'a [T], offset: usize, modes: &[(usize, isize)]) -> ArrayView<'a, T, IxDyn> {
    let below: isize = modes.iter().map(|(extent, stride)| (*extent as isize - 1) * stride.min(&0)).sum();
    let shape: Vec<usize> = modes.iter().map(|mode| mode.0).collect();
    let strides: Vec<usize> = modes.iter().map(|mode| mode.1.unsigned_abs()).collect();
    let begin = (offset as isize + below) as usize;
    let mut out = ArrayView::from_shape(IxDyn(&shape).strides(IxDyn(&strides)), &a[begin..]).expect("a view");
    for (k, mode) in modes.iter().enumerate() {
        if mode.1 < 0 {
            out.invert_axis(Axis(k));
        }
    }
    out
}

/// Returns HPTT if it supports the case, which must permute a whole tensor of `f32` or `f64`; otherwise `None`.
#[cfg(feature = "hptt")]
fn of_hptt<T: Element>(case: &Case) -> Option<Peer<'static, T>> {
    let order = |stride: fn(&(usize, isize, isize)) -> isize| {
        let mut order: Vec<usize> = (0..case.leaves.len()).filter(|k| case.leaves[*k].0 > 1).collect();
        order.sort_by_key(|k| -stride(&case.leaves[*k]));
        let mut next = 1;
        let compact = order.iter().rev().all(|k| {
            let follows = stride(&case.leaves[*k]) == next;
            next *= case.leaves[*k].0 as isize;
            follows
        });
        compact.then_some(order)
    };
    let (source, target) = (order(|leaf| leaf.1)?, order(|leaf| leaf.2)?);
    if source == target {
        return None;
    }
    let shape: Vec<usize> = source.iter().map(|k| case.leaves[*k].0).collect();
    let perm: Vec<usize> = target.iter().map(|k| source.iter().position(|other| other == k).expect("a mode")).collect();
    macro_rules! call {
        ($type:ty, $function:path) => {
            Some(Box::new(move |a: &[T], b: &mut [T]| {
                // SAFETY: `T` is this type.
                let (a, b) = unsafe { (&*(a as *const [T] as *const [$type]), &mut *(b as *mut [T] as *mut [$type])) };
                let count = shape.iter().product::<usize>();
                $function(&perm, 1.0, &a[..count], &shape, 0.0, &mut b[..count], 1, hptt::MemoryOrder::RowMajor).expect("a transposition");
            }))
        };
    }
    if TypeId::of::<T>() == TypeId::of::<f32>() {
        call!(f32, hptt::transpose_f32)
    } else if TypeId::of::<T>() == TypeId::of::<f64>() {
        call!(f64, hptt::transpose_f64)
    } else {
        None
    }
}
