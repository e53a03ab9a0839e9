//! upcast, downcast, recast_layout.

use crate::common::grids::small;
use crate::common::law::{golden, refused};
use crate::common::layout::sorted_set;
use crate::common::{Layout, Leaf, Outcome, Rng, Verdict, ask, ask_layout, hold, same};
use crate::ensure;

/// Returns the number of steps of a mode in one group of `n`: `n / |d|` if the stride `d` divides `n`, or all steps if fewer; 1 if `n`
/// divides `d`. Returns `None` for any other stride, and if the mode ends inside a later group.
fn steps_in_group(leaf: &Leaf, n: i64) -> Option<i64> {
    match (leaf.stride.abs(), leaf.extent) {
        (_, 1) => Some(1),
        (d, _) if d % n == 0 => Some(1),
        (d, extent) if n % d == 0 && extent < n / d => Some(extent),
        (d, extent) if n % d == 0 && extent % (n / d) == 0 => Some(n / d),
        _ => None,
    }
}

/// `R = upcast(L, n)` indexes groups of `n`: the group of coordinate `c` begins at `n R(c / g)`, where `g` steps of each mode share a
/// group. If `L` counts up, the group of an element is its index divided by `n`. Refused if steps inside a group sum to `n` or more.
fn upcast(l: &Layout, n: i64) -> Verdict {
    let steps: Option<Vec<i64>> = l.leaves().iter().map(|leaf| steps_in_group(leaf, n)).collect();
    let within = |(leaf, g): (&Leaf, &i64)| leaf.stride.abs() * (g - 1);
    let walk: i64 = l.leaves().iter().zip(steps.iter().flatten()).map(within).sum();
    match ask_layout("upcast", &[l, &n]) {
        Ok(r) => {
            let context = format!("upcast({l}, {n}) = {r}");
            let counts_up = l.moving().iter().all(|leaf| leaf.stride > 0);
            ensure!(walk < n, "{context}, though the steps inside a group add up to {walk}");
            let steps = steps.ok_or(format!("{context}, though a mode does not divide into groups"))?;
            let extents: Vec<i64> = l.leaves().iter().zip(&steps).map(|(leaf, g)| leaf.extent / g).collect();
            same(&format!("shape of {context}"), r.shape(), l.shape().filled(&extents))?;
            for c in 0..l.size() {
                let digits = l.shape().unravel(c).leaves();
                let group: Vec<i64> = digits.iter().zip(&steps).map(|(c, g)| c.div_euclid(*g)).collect();
                let first: Vec<i64> = group.iter().zip(&steps).map(|(c, g)| c * g).collect();
                let index = r.along(&[], &group);
                same(&format!("{context}, the group of {digits:?}"), n * index, l.along(&[], &first))?;
                ensure!(!counts_up || index == l.at(c).div_euclid(n), "{context}: element {} is in group {index}", l.at(c));
            }
            Ok(Outcome::Answered)
        }
        Err(error) => {
            ensure!(steps.is_none() || walk >= n, "upcast({l}, {n}) exists, but is refused: {error}");
            Ok(Outcome::Refused)
        }
    }
}

/// `R = downcast(L, n)` indexes the `n` scalars of each element. It has `n` times as many coordinates, with the indices `n L(c) + p` for
/// `p < n`. Refused if no mode has stride 1, along which the scalars go.
fn downcast(l: &Layout, n: i64) -> Verdict {
    match ask_layout("downcast", &[l, &n]) {
        Ok(r) => {
            let context = format!("downcast({l}, {n}) = {r}");
            same(&format!("size of {context}"), r.size(), n * l.size())?;
            let parts: Vec<i64> = l.values().iter().flat_map(|v| (0..n).map(move |p| n * v + p)).collect();
            same(&format!("image of {context}"), r.image(), sorted_set(parts))?;
            Ok(Outcome::Answered)
        }
        Err(error) => {
            let unit = l.leaves().iter().filter(|leaf| leaf.stride == 1).count();
            ensure!(unit != 1, "downcast({l}, {n}) exists, but is refused: {error}");
            Ok(Outcome::Refused)
        }
    }
}

/// A recast downcasts by `old / gcd`, then upcasts by `new / gcd`.
fn recast(l: &Layout, old: i64, new: i64) -> Verdict {
    let common = (1..=old).rev().find(|d| old % d == 0 && new % d == 0).ok_or("no divisor")?;
    let (down, up) = (old / common, new / common);
    let want = ask_layout("downcast", &[l, &down]).and_then(|finer| ask("upcast", &[&finer, &up]));
    match (ask("recast_layout", &[l, &old, &new]), want) {
        (Ok(got), Ok(want)) => same(&format!("recast_layout({l}, {old}, {new})"), got, want).map(|()| Outcome::Answered),
        (Err(_), Err(_)) => Ok(Outcome::Refused),
        (got, want) => Err(format!("recast_layout({l}, {old}, {new}): {got:?} instead of {want:?}")),
    }
}

#[test]
fn examples() {
    golden(
        "upcast",
        &[
            (&["(4,8):(1,4)", "2"], "(2,8):(1,2)"),
            (&["(4,8):(1,4)", "4"], "(1,8):(0,1)"),
            (&["(4,8):(0,2)", "2"], "(4,8):(0,1)"),
            (&["(4,3):(4,8)", "2"], "(4,3):(2,4)"),
            (&["4:2", "1"], "4:2"),
        ],
    );
    golden("downcast", &[(&["(4,8):(1,4)", "2"], "(8,8):(1,8)"), (&["(8,4):(4,1)", "2"], "(8,8):(8,1)"), (&["4:2", "1"], "4:2")]);
    golden("recast_layout", &[(&["(4,8):(1,4)", "16", "32"], "(2,8):(1,2)"), (&["(4,8):(1,4)", "16", "8"], "(8,8):(1,8)")]);
    refused(
        "upcast",
        &[(&["(4,8):(3,12)", "2"], "do not divide each other"), (&["(3,8):(1,4)", "2"], "groups of 2"), (&["4:1", "0"], "positive")],
    );
    refused("downcast", &[(&["(4,8):(2,8)", "2"], "no mode has stride 1"), (&["4:1", "-1"], "positive")]);
    refused("recast_layout", &[(&["4:1", "0", "8"], "positive")]);
}

#[test]
fn up_of_every_small_layout() {
    let cases = small().into_iter().enumerate().map(|(k, l)| (l, [2, 4, 3, 1][k % 4]));
    hold(cases, |(l, n)| upcast(l, *n)).answers_at_least(3000).refuses_at_least(1000);
}

#[test]
fn up_of_random_layouts() {
    let mut rng = Rng::new(27);
    let cases: Vec<_> = (0..4000).map(|_| (rng.layout(4, 100), *rng.pick(&[1, 2, 3, 4, 8]))).collect();
    hold(&cases, |(l, n)| upcast(l, *n)).answers_at_least(500).refuses_at_least(500);
}

/// Layouts that count up, with at most one mode of stride 1: the layouts that downcasting is made for.
#[test]
fn down_of_injective_layouts() {
    let mut rng = Rng::new(28);
    let injective = |l: &Layout| l.is_injective() && l.leaves().iter().all(|leaf| leaf.stride >= 0);
    let cases: Vec<_> = small().into_iter().filter(injective).map(|l| (l, rng.between(1, 4))).collect();
    hold(&cases, |(l, n)| downcast(l, *n)).answers_at_least(1000).refuses_at_least(100);
}

/// If modes overlap or have only one element, the indices of the scalars must still be right, or the downcast refused.
#[test]
fn down_of_layouts_that_overlap() {
    let counts_up = |l: &Layout| l.leaves().iter().all(|leaf| leaf.stride >= 0);
    let cases = small().into_iter().filter(counts_up).enumerate().map(|(k, l)| (l, [2, 4, 3, 1][k % 4]));
    hold(cases, |(l, n)| downcast(l, *n)).answers_at_least(1000).refuses_at_least(1000);
}

#[test]
fn down_of_layouts_that_count_down() {
    let counts_down = |l: &Layout| l.leaves().iter().any(|leaf| leaf.stride < 0);
    let cases = small().into_iter().filter(counts_down).enumerate().map(|(k, l)| (l, [2, 4, 3, 1][k % 4]));
    hold(cases, |(l, n)| downcast(l, *n)).answers_at_least(100).refuses_at_least(100);
}

#[test]
fn both_ways() {
    let mut rng = Rng::new(29);
    let cases: Vec<_> = (0..4000).map(|_| (rng.layout(4, 100), *rng.pick(&[4, 8, 16]), *rng.pick(&[4, 8, 16, 32]))).collect();
    hold(&cases, |(l, old, new)| recast(l, *old, *new)).answers_at_least(500).refuses_at_least(500);
    // Grouping the scalars of each element gives the original layout.
    let compact: Vec<_> = (0..1000).map(|_| (rng.compact(4, 100), rng.between(1, 6))).collect();
    hold(&compact, |(l, n)| match ask_layout("downcast", &[l, n]) {
        Ok(finer) => {
            let back = ask_layout("upcast", &[&finer, n]).map_err(|error| error.to_string())?;
            same(&format!("upcast(downcast({l}, {n}), {n})"), back.values(), l.values()).map(|()| Outcome::Answered)
        }
        Err(_) => Ok(Outcome::Refused),
    })
    .answers_at_least(500);
}
