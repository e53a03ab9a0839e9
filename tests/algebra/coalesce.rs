//! coalesce, filter, flatten, unflatten.

use crate::common::exists::{coalesced_text, layout_of_ints};
use crate::common::grids::small;
use crate::common::law::{golden, refused};
use crate::common::layout::flat;
use crate::common::{Layout, Outcome, Rng, Tree, Verdict, ask, ask_layout, hold, same};
use crate::ensure;

fn refusal(error: impl std::fmt::Display) -> String {
    format!("refused: {error}")
}

/// `coalesce(L)` is the layout with the fewest modes that has the values of `L`. That layout is unique.
fn coalesce(l: &Layout) -> Verdict {
    let text = ask("coalesce", &[l]).map_err(refusal)?;
    let modes = layout_of_ints(&l.values()).ok_or(format!("{l} has no layout"))?;
    same(&format!("coalesce({l})"), text, coalesced_text(&modes))?;
    Ok(Outcome::Answered)
}

/// Each leaf of the profile coalesces one mode; modes that the profile does not name stay as they are.
fn by_profile(l: &Layout, profile: &Tree<i64>, got: &Layout) -> Result<(), String> {
    let context = format!("mode {l} by {profile} gives {got}");
    match profile {
        Tree::Leaf(_) => {
            let modes = layout_of_ints(&l.values()).ok_or("no layout")?;
            same(&context, got.to_string(), coalesced_text(&modes))
        }
        Tree::Node(steps) => {
            let (have, modes) = (l.modes(), got.modes());
            same(&format!("{context}: rank"), modes.len(), have.len())?;
            ensure!(!got.is_leaf(), "{context}, not a tuple");
            for (k, mode) in have.iter().enumerate() {
                match steps.get(k) {
                    Some(step) => by_profile(mode, step, &modes[k])?,
                    None => same(&context, &modes[k], mode)?,
                }
            }
            Ok(())
        }
    }
}

/// `filter(L)` is `coalesce` of the modes that move.
fn filter(l: &Layout) -> Verdict {
    let text = ask("filter", &[l]).map_err(refusal)?;
    let moving: Vec<_> = l.moving().iter().map(|leaf| (leaf.extent, leaf.stride)).collect();
    let modes = layout_of_ints(&flat(&moving).values()).ok_or("no layout")?;
    same(&format!("filter({l})"), text.clone(), coalesced_text(&modes))?;
    let got = ask_layout("filter", &[l]).map_err(refusal)?;
    same(&format!("image of filter({l})"), got.image(), l.image())?;
    Ok(Outcome::Answered)
}

/// `filter_zeros` keeps the strides and sets the extent to 1 where the stride is 0. An extent of 0 stays.
fn filter_zeros(l: &Layout) -> Verdict {
    let got = ask_layout("filter_zeros", &[l]).map_err(refusal)?;
    let want = l.map(&mut |leaf| {
        let mut leaf = leaf.clone();
        leaf.extent = if leaf.stride == 0 { leaf.extent.min(1) } else { leaf.extent };
        leaf
    });
    same(&format!("filter_zeros({l})"), got, want)?;
    Ok(Outcome::Answered)
}

/// `flatten` puts the same leaves into one tuple. An integer stays one.
fn flatten(l: &Layout) -> Verdict {
    let got = ask_layout("flatten", &[l]).map_err(refusal)?;
    let leaves = l.leaves().into_iter().map(Tree::Leaf).collect();
    same(&format!("flatten({l})"), got.clone(), if l.is_leaf() { l.clone() } else { Tree::Node(leaves) })?;
    same(&format!("values of flatten({l})"), got.values(), l.values())?;
    Ok(Outcome::Answered)
}

#[test]
fn examples() {
    golden(
        "coalesce",
        &[
            (&["(2,(1,6)):(1,(6,2))"], "12:1"),
            (&["(2,4,6):(1,6,2)"], "(2,4,6):(1,6,2)"),
            (&["((2,4),(3,5)):((3,6),(1,24))"], "(8,3,5):(3,1,24)"),
            (&["1:5"], "1:0"),
            (&["():()"], "1:0"),
            (&["(2,3):(-1,-2)"], "6:-1"),
            (&["(4,8):(1@0,4@0)"], "32:1@0"),
            (&["(4,8):(1@0,4@1)"], "(4,8):(1@0,4@1)"),
            (&["((2,2),(2,2)):((1,2),(4,8))", "(1,1)"], "(4,4):(1,4)"),
            (&["((2,2),(2,2),(2,2)):((1,2),(4,8),(3,6))", "(1,(1,1))"], "(4,(2,2),(2,2)):(1,(4,8),(3,6))"),
        ],
    );
    golden("filter", &[(&["(2,3,4):(1,0,2)"], "8:1"), (&["(2,3):(0,0)"], "1:0")]);
    golden("flatten", &[(&["((2,3),4)"], "(2,3,4)"), (&["((2,3),(4)):((1,2),(6))"], "(2,3,4):(1,2,6)"), (&["6:1"], "6:1")]);
    refused("coalesce", &[(&["(2,4):(1,2)", "(1,1,1)"], "has 2 modes, but 3 are given"), (&["4:1", "(1,1)"], "tuple of 2 is given")]);
}

#[test]
fn of_every_small_layout() {
    let all = small();
    for law in [coalesce, filter, filter_zeros, flatten] {
        hold(&all, |l| law(l)).answers_at_least(all.len());
    }
}

#[test]
fn of_random_layouts() {
    let all = Rng::new(1).layouts(4000, 6, 300);
    for law in [coalesce, filter, filter_zeros, flatten] {
        hold(&all, |l| law(l)).answers_at_least(all.len());
    }
}

#[test]
fn by_profiles() {
    let mut rng = Rng::new(2);
    let cases: Vec<(Layout, Tree<i64>)> = (0..4000)
        .map(|_| {
            let l = rng.layout(6, 300);
            let profile = profile_of(&mut rng, &l);
            (l, profile)
        })
        .collect();
    hold(cases, |(l, profile)| {
        let got = ask_layout("coalesce", &[l, profile]).map_err(refusal)?;
        by_profile(l, profile, &got).map_err(|broken| format!("coalesce({l}, {profile}): {broken}"))?;
        same(&format!("values of coalesce({l}, {profile})"), got.values(), l.values())?;
        Ok(Outcome::Answered)
    })
    .answers_at_least(4000);
}

/// `unflatten` is congruent to the profile, and `flatten` undoes it.
#[test]
fn unflatten_and_back() {
    let mut rng = Rng::new(43);
    let cases: Vec<(Layout, Tree<i64>)> = (0..4000)
        .map(|_| {
            let l = rng.layout(6, 300);
            let leaves: Vec<Tree<i64>> = l.leaves().iter().map(|_| Tree::Leaf(0)).collect();
            (l, rng.nested(&leaves))
        })
        .collect();
    hold(cases, |(l, profile)| {
        let got = ask_layout("unflatten", &[l, profile]).map_err(refusal)?;
        same(&format!("profile of unflatten({l}, {profile})"), got.map(&mut |_| 0), profile.clone())?;
        same(&format!("leaves of unflatten({l}, {profile})"), got.leaves(), l.leaves())?;
        let (flat, again) = (ask("flatten", &[l]).map_err(refusal)?, ask("flatten", &[&got]).map_err(refusal)?);
        if !l.is_leaf() && !got.is_leaf() {
            same(&format!("flatten of unflatten({l}, {profile})"), again, flat)?;
        }
        Ok(Outcome::Answered)
    })
    .answers_at_least(4000);
    golden("unflatten", &[(&["(2,3,4):(1,2,6)", "(_,(_,_))"], "(2,(3,4)):(1,(2,6))"), (&["(2,3)", "((1),1)"], "((2),3)")]);
    refused("unflatten", &[(&["(2,3):(1,2)", "(_,_,_)"], "the profile has 3 leaves, but the layout has 2")]);
}

/// Returns a random profile of `l`: each of its leaves marks a mode that is coalesced as a whole.
fn profile_of(rng: &mut Rng, l: &Layout) -> Tree<i64> {
    match l {
        Tree::Node(modes) if !rng.one_in(4) => {
            let named = 1 + rng.below(modes.len());
            Tree::Node(modes[..named].iter().map(|mode| profile_of(rng, mode)).collect())
        }
        _ => Tree::Leaf(1),
    }
}

#[test]
fn of_empty_layouts() {
    for text in ["(0,2):(1,3)", "(2,0):(1,3)", "((2,0),3):((1,7),5)", "0:1"] {
        let l = crate::common::notation::parse(text);
        let got = ask_layout("coalesce", &[&l]).expect("coalesce is total");
        assert_eq!(got.size(), 0, "coalesce({text}) = {got}");
    }
    // Modes that do not move are dropped, but an empty layout stays empty.
    for text in ["(0,2):(0,1)", "0:0"] {
        let l = crate::common::notation::parse(text);
        let got = ask_layout("filter", &[&l]).expect("filter is total");
        assert_eq!(got.image(), l.image(), "filter({text}) = {got}");
    }
}
