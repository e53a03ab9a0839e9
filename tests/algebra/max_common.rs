//! max_common_layout, max_common_vector, max_alignment, domain_distribute.

use crate::common::exists::layout_of_ints;
use crate::common::grids::{small, tiny};
use crate::common::law::{golden, refused};
use crate::common::tiling::offsets;
use crate::common::{Layout, Outcome, Rng, Tree, Verdict, ask, ask_int, ask_layout, hold, same};
use crate::ensure;
use std::collections::HashMap;

/// `A(V(i)) = B(V(i)) = i` for `i < size(V)`. If both are injective and count up, no longer layout has this property.
/// `max_common_vector` is its size.
fn common(a: &Layout, b: &Layout) -> Verdict {
    let v = ask_layout("max_common_layout", &[a, b]).map_err(|error| format!("max_common_layout({a}, {b}): {error}"))?;
    let context = format!("max_common_layout({a}, {b}) = {v}");
    for l in [a, b] {
        same(&format!("{context} under {l}"), v.values().into_iter().map(|x| l.at(x)).collect::<Vec<_>>(), (0..v.size()).collect())?;
        ensure!(v.image().iter().all(|x| (0..l.size()).contains(x)), "{context} leaves the domain of {l}");
    }
    let n = ask_int("max_common_vector", &[a, b]).map_err(|error| format!("max_common_vector({a}, {b}): {error}"))?;
    same(&format!("max_common_vector({a}, {b})"), n, v.size())?;
    if [a, b].iter().all(|l| l.is_injective() && l.moving().iter().all(|leaf| leaf.stride > 0)) {
        let (of_a, of_b) = (coordinates(a), coordinates(b));
        let mut shared = Vec::new();
        let mut longest = 0;
        while let Some(c) = of_a.get(&(shared.len() as i64)) {
            if of_b.get(&(shared.len() as i64)) != Some(c) {
                break;
            }
            shared.push(*c);
            if layout_of_ints(&shared).is_some() {
                longest = shared.len();
            }
        }
        same(&format!("size of {context}"), v.size(), longest as i64)?;
    }
    Ok(Outcome::Answered)
}

fn coordinates(l: &Layout) -> HashMap<i64, i64> {
    l.values().into_iter().enumerate().map(|(c, index)| (index, c as i64)).collect()
}

/// Groups of `n` consecutive coordinates of the contiguous mode start at multiples of `n`, and `n` is the largest such number.
fn alignment(l: &Layout) -> Verdict {
    let n = ask_int("max_alignment", &[l]).map_err(|error| format!("max_alignment({l}): {error}"))?;
    let coalesced = layout_of_ints(&l.values()).ok_or("no layout")?;
    let aligned = |n: i64| {
        let Some(unit) = coalesced.iter().position(|(_, d)| *d == 1) else { return n == 1 };
        coalesced.iter().enumerate().all(|(k, (extent, d))| if k == unit { extent % n == 0 } else { d % n == 0 })
    };
    let most = (1..=l.size()).rev().find(|n| aligned(*n)).ok_or("nothing is aligned")?;
    same(&format!("max_alignment({l})"), n, most)?;
    Ok(Outcome::Answered)
}

/// `R = domain_distribute(S, n)` has a number of elements that divides `n`: a part of each leaf of `S` whose copies cover the
/// domain. Leaf by leaf, it takes the greatest common divisor of the extent and the rest of `n`.
fn distribute(shape: &Tree<i64>, n: i64) -> Verdict {
    let r = ask_layout("domain_distribute", &[shape, &n]).map_err(|error| format!("domain_distribute({shape}, {n}): {error}"))?;
    let context = format!("domain_distribute({shape}, {n}) = {r}");
    let mut left = n;
    for extent in shape.leaves() {
        let common = (1..=extent).rev().find(|d| extent % d == 0 && left % d == 0).ok_or("no divisor")?;
        left /= common;
    }
    same(&format!("size of {context}"), r.size(), n / left)?;
    ensure!(r.is_injective(), "{context} is not injective");
    ensure!(offsets(&r.image(), shape.product()).is_some(), "copies of {context} do not cover the domain");
    Ok(Outcome::Answered)
}

#[test]
fn examples() {
    golden(
        "max_common_layout",
        &[
            (&["(4,6):(6,1)", "(4,6):(6,1)"], "(6,4):(4,1)"),
            (&["(4,6):(1,4)", "(4,6):(1,8)"], "4:1"),
            (&["(4,6):(1,4)", "(4,6):(6,1)"], "1:0"),
            // The beginning of right_inverse(B). For layouts that take a value twice, it is not always the largest one.
            (&["(2,3):(1,1)", "(3,2):(1,1)"], "2:1"),
        ],
    );
    golden("max_common_vector", &[(&["(4,6):(1,4)", "(2,12):(1,2)"], "24"), (&["4:2", "4:1"], "1")]);
    golden("max_alignment", &[(&["(8,4):(1,12)"], "4"), (&["(8,4):(2,16)"], "1"), (&["(4,6,(2,5)):(60,1,(30,6))"], "6")]);
    golden("domain_distribute", &[(&["(6,4)", "8"], "(2,4):(1,6)"), (&["(8,4)", "16"], "16:1"), (&["(3,5)", "4"], "1:0")]);
    refused("domain_distribute", &[(&["(6,4)", "0"], "must be positive"), (&["(6,4)", "-2"], "must be positive")]);
}

#[test]
fn of_small_pairs() {
    let all = small();
    let mut rng = Rng::new(24);
    let pairs = (0..100_000).map(|_| (rng.pick(&all).clone(), rng.pick(&all).clone()));
    let (one_domain, two): (Vec<_>, Vec<_>) = pairs.partition(|(a, b)| a.size() == b.size());
    hold(one_domain, |(a, b)| common(a, b)).answers_at_least(3000);
    // With different sizes, only elements in both domains count.
    hold(two.iter().take(10_000), |(a, b)| common(a, b)).answers_at_least(10_000);
    hold(&all, |l| alignment(l)).answers_at_least(all.len());
}

/// Pairs over one shape, and a layout with a coarser or finer view of it.
#[test]
fn of_related_pairs() {
    let mut rng = Rng::new(25);
    let cases: Vec<_> = (0..6000)
        .map(|k| {
            let a = rng.compact(4, 60);
            let other = if k % 2 == 0 { rng.strides(&a.shape().leaves()) } else { a.leaves().iter().map(|leaf| leaf.stride).collect() };
            let leaves: Vec<_> = a.shape().leaves().into_iter().zip(other).collect();
            (a, crate::common::layout::flat(&leaves))
        })
        .collect();
    hold(cases, |(a, b)| common(a, b)).answers_at_least(6000);
}

#[test]
fn of_random_layouts() {
    let all = Rng::new(26).layouts(3000, 5, 200);
    hold(&all, |l| alignment(l)).answers_at_least(all.len());
}

#[test]
fn distributes_every_small_shape() {
    let cases = tiny().into_iter().flat_map(|l| [1, 2, 3, 4, 6, 8, 12].map(|n| (l.shape(), n)));
    hold(cases, |(shape, n)| distribute(shape, *n)).answers_at_least(1000);
    assert!(ask("domain_distribute", &[&"(6,4)", &"0"]).is_err());
}
