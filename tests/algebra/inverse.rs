//! right_inverse, left_inverse, nullspace.

use crate::common::exists::layout_of_ints;
use crate::common::grids::small;
use crate::common::law::{golden, refused};
use crate::common::layout::flat;
use crate::common::{Layout, Outcome, Rng, Verdict, ask_layout, hold, same};
use crate::ensure;
use std::collections::HashMap;

/// `L(R(i)) = i` for `i < size(R)`. If `L` is injective (stride 0 apart) and counts up, no longer layout has this property.
fn right_inverse(l: &Layout) -> Verdict {
    let r = ask_layout("right_inverse", &[l]).map_err(|error| format!("right_inverse({l}): {error}"))?;
    let context = format!("right_inverse({l}) = {r}");
    same(&context, r.values().into_iter().map(|x| l.at(x)).collect::<Vec<_>>(), (0..r.size()).collect())?;
    ensure!(r.image().iter().all(|x| (0..l.size()).contains(x)), "{context} leaves the domain");
    if let Some(first) = first_coordinates(l) {
        let mut inverse = Vec::new();
        let mut longest = 0;
        while let Some(c) = first.get(&(inverse.len() as i64)) {
            inverse.push(*c);
            if layout_of_ints(&inverse).is_some() {
                longest = inverse.len();
            }
        }
        same(&format!("size of {context}"), r.size(), longest as i64)?;
    }
    Ok(Outcome::Answered)
}

/// Returns the first coordinate of each index; `None` if a mode counts down or two different coordinates of moving modes share an index.
fn first_coordinates(l: &Layout) -> Option<HashMap<i64, i64>> {
    let moving = l.moving();
    let pairs: Vec<_> = moving.iter().map(|leaf| (leaf.extent, leaf.stride)).collect();
    if moving.iter().any(|leaf| leaf.stride < 0) || !flat(&pairs).is_injective() {
        return None;
    }
    let mut first = HashMap::new();
    for (c, index) in l.values().into_iter().enumerate() {
        first.entry(index).or_insert(c as i64);
    }
    Some(first)
}

/// `L(Q(L(c))) = L(c)`, and `Q(L(c)) = c` if `L` is injective. Refused only if a mode counts down, or the sorted strides do not
/// divide each other with room for the mode below.
pub fn left_inverse(l: &Layout) -> Verdict {
    match ask_layout("left_inverse", &[l]) {
        Ok(q) => {
            let values = l.values();
            let back: Vec<i64> = values.iter().map(|v| q.at(*v)).collect();
            same(&format!("left_inverse({l}) = {q}"), back.iter().map(|c| l.at(*c)).collect(), values)?;
            if l.is_injective() {
                same(&format!("left_inverse({l}) = {q}"), back, (0..l.size()).collect())?;
            }
            Ok(Outcome::Answered)
        }
        Err(error) => {
            let coalesced = layout_of_ints(&l.values()).ok_or("no layout")?;
            let mut moving: Vec<_> = coalesced.into_iter().filter(|(_, d)| *d != 0).collect();
            moving.sort_by_key(|(n, d)| (*d, *n));
            let chained = moving.windows(2).all(|pair| pair[1].1 % pair[0].1 == 0 && pair[1].1 >= pair[0].0 * pair[0].1);
            let counts_down = moving.iter().any(|(_, d)| *d < 0);
            ensure!(!chained || counts_down, "left_inverse({l}) exists, but is refused: {error}");
            Ok(Outcome::Refused)
        }
    }
}

/// `L(K(i)) = 0`, all `K(i)` differ, and their number is the product of the extents of the modes of stride 0.
fn nullspace(l: &Layout) -> Verdict {
    let k = ask_layout("nullspace", &[l]).map_err(|error| format!("nullspace({l}): {error}"))?;
    let context = format!("nullspace({l}) = {k}");
    ensure!(k.is_injective(), "{context} is not injective");
    ensure!(k.values().iter().all(|c| l.at(*c) == 0), "{context} leaves the null space");
    let still: i64 = l.leaves().iter().filter(|leaf| leaf.stride == 0).map(|leaf| leaf.extent).product();
    same(&format!("size of {context}"), k.size(), still)?;
    Ok(Outcome::Answered)
}

#[test]
fn examples() {
    golden(
        "right_inverse",
        &[
            (&["(4,6):(6,1)"], "(6,4):(4,1)"),
            (&["(2,2,2):(4,1,2)"], "(4,2):(2,1)"),
            (&["4:2"], "1:0"),
            (&["(3,4):(0,1)"], "4:3"),
            (&["(4,3):(1,8)"], "4:1"),
        ],
    );
    golden("left_inverse", &[(&["(4,6):(6,1)"], "(6,4):(4,1)"), (&["4:2"], "(2,4):(0,1)"), (&["1:0"], "1:0")]);
    golden("nullspace", &[(&["(3,4):(0,1)"], "3:1"), (&["(2,3,4):(1,0,0)"], "(3,4):(2,6)"), (&["4:1"], "1:0")]);
    refused(
        "left_inverse",
        &[(&["(2,2,2):(2,1,2)"], "already covered"), (&["(2,3):(2,3)"], "is not a multiple of stride 2"), (&["(2,2):(-1,2)"], "negative")],
    );
}

#[test]
fn of_every_small_layout() {
    let all = small();
    hold(&all, |l| right_inverse(l)).answers_at_least(all.len());
    hold(&all, |l| nullspace(l)).answers_at_least(all.len());
    hold(&all, |l| left_inverse(l)).answers_at_least(3000).refuses_at_least(1000);
}

#[test]
fn of_random_layouts() {
    let all = Rng::new(22).layouts(3000, 5, 120);
    hold(&all, |l| right_inverse(l)).answers_at_least(all.len());
    hold(&all, |l| nullspace(l)).answers_at_least(all.len());
    hold(&all, |l| left_inverse(l)).answers_at_least(1000).refuses_at_least(200);
}

/// For a bijection onto an interval, both inverses are the inverse: layouts with the same values.
#[test]
fn of_compact_layouts() {
    let mut rng = Rng::new(23);
    let all: Vec<_> = (0..1500).map(|_| rng.compact(5, 100)).collect();
    hold(&all, |l| {
        let right = ask_layout("right_inverse", &[l]).map_err(|error| error.to_string())?;
        let left = ask_layout("left_inverse", &[l]).map_err(|error| error.to_string())?;
        same(&format!("inverses of {l}"), right.to_string(), left.to_string())?;
        same(&format!("size of the inverse of {l}"), right.size(), l.size())?;
        right_inverse(l)
    })
    .answers_at_least(1500);
}
