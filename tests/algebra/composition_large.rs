//! composition of layouts too large to enumerate: compared with small ones, or at random coordinates.

use crate::common::grids::pairs;
use crate::common::law::golden;
use crate::common::layout::leaf;
use crate::common::{Layout, Outcome, Rng, Tree, ask_layout, hold, same};
use crate::ensure;

const LONG: i64 = 1_000_000;

/// Returns the product of the extents before the last leaf, and the stride of the last leaf.
fn last(a: &Layout) -> (i64, i64) {
    let leaves = a.leaves();
    let (last, before) = leaves.split_last().expect("a layout with a leaf");
    (before.iter().map(|leaf| leaf.extent).product(), last.stride)
}

/// The last mode of `A` continues, however long: a mode of `B` that walks it adds one mode to the result, and nothing else.
#[test]
fn beside_long_modes() {
    hold(pairs(80, 8000), |(a, b)| {
        let (boundary, stride) = last(a);
        let longer = Tree::Node(vec![b.clone(), leaf(LONG, boundary)]);
        match (ask_layout("composition", &[a, b]), ask_layout("composition", &[a, &longer])) {
            (Ok(r), Ok(long)) => {
                let want = Tree::Node(vec![r, leaf(LONG, stride)]);
                same(&format!("composition({a}, {longer})"), long.to_string(), want.to_string())?;
                Ok(Outcome::Answered)
            }
            (Err(_), Err(_)) => Ok(Outcome::Refused),
            (short, long) => Err(format!("composition({a}, {b}) = {short:?}, but composition({a}, {longer}) = {long:?}")),
        }
    })
    .answers_at_least(2000)
    .refuses_at_least(200);
    // Jumps at two boundaries that cancel each other.
    golden("composition", &[(&["(2,2,2):(1,3,5)", "(2,2,2000):(3,1,8)"], "(2,2,2000):(4,1,10)")]);
    golden("composition", &[(&["(2,2,2):(1,3,5)", "(2,2,1000000):(3,1,8)"], "(2,2,1000000):(4,1,10)")]);
}

/// The extent of the last leaf of `A` does not matter, and a factor of its strides becomes a factor of the result's strides.
#[test]
fn of_longer_and_scaled_layouts() {
    hold(pairs(81, 8000), |(a, b)| {
        let mut leaves = a.leaves();
        leaves.iter_mut().for_each(|leaf| leaf.stride *= LONG);
        leaves.last_mut().expect("a layout with a leaf").extent *= LONG;
        let large = a.filled(&leaves);
        match (ask_layout("composition", &[a, b]), ask_layout("composition", &[&large, b])) {
            (Ok(r), Ok(of_large)) => {
                let want: Vec<i64> = r.values().iter().map(|v| v * LONG).collect();
                same(&format!("composition({large}, {b})"), of_large.values(), want)?;
                Ok(Outcome::Answered)
            }
            (Err(_), Err(_)) => Ok(Outcome::Refused),
            (small, large) => Err(format!("composition({a}, {b}) = {small:?}, scaled {large:?}")),
        }
    })
    .answers_at_least(2000)
    .refuses_at_least(200);
}

/// A large composition has the value `A(B(c))` at random coordinates `c`. Extents have many factors 2 and 3.
#[test]
fn at_random_coordinates() {
    let mut rng = Rng::new(82);
    let cases: Vec<_> = (0..3000)
        .map(|_| {
            let a = large(&mut rng, 5, 1 << 50);
            let b = large(&mut rng, 3, a.size().min(1 << 40));
            (a, b, rng.next())
        })
        .collect();
    hold(&cases, |(a, b, seed)| {
        let Ok(r) = ask_layout("composition", &[a, b]) else { return Ok(Outcome::Refused) };
        ensure!(b.shape().compatible(&r.shape()), "composition({a}, {b}) = {r} does not refine {}", b.shape());
        let mut rng = Rng::new(*seed);
        for _ in 0..100 {
            let c = rng.between(0, b.size() - 1);
            same(&format!("composition({a}, {b}) = {r} at {c}"), r.at(c), a.at(b.at(c)))?;
        }
        Ok(Outcome::Answered)
    })
    .answers_at_least(500)
    .refuses_at_least(100);
}

/// Returns a compact layout of at most `most` modes and `size` elements, with the strides in a random order of the modes.
fn large(rng: &mut Rng, most: usize, size: i64) -> Layout {
    let mut extents = Vec::new();
    let mut left = size;
    for _ in 0..1 + rng.below(most) {
        let n = (1i64 << rng.below(14)) * if rng.one_in(3) { 3 } else { 1 };
        if n <= left {
            extents.push(n);
            left /= n;
        }
    }
    if extents.is_empty() {
        extents.push(2);
    }
    let mut order: Vec<usize> = (0..extents.len()).collect();
    let turn = rng.below(order.len());
    order.rotate_left(turn);
    let mut strides = vec![0; extents.len()];
    let mut span = if rng.one_in(4) { 2 } else { 1 };
    for k in order {
        strides[k] = span;
        span *= extents[k];
    }
    let leaves: Vec<Layout> = extents.into_iter().zip(strides).map(|(n, d)| leaf(n, d)).collect();
    rng.nested(&leaves)
}
