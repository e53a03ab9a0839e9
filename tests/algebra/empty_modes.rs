//! Empty modes: `()` inside a tuple is a mode of one element that moves nothing and is not an integer.

use super::{complement, composition, divide, inverse, product};
use crate::common::grids::small;
use crate::common::law::golden;
use crate::common::layout::leaf;
use crate::common::{Layout, Outcome, Rng, Tree, Verdict, ask, hold, notation};
use crd2idx::error::Op;
use std::fmt::Display;

/// Returns the layout with empty modes added to some of its tuples.
fn with_empty_modes(rng: &mut Rng, l: &Layout) -> Layout {
    let Tree::Node(modes) = l else { return if rng.one_in(8) { Tree::Node(vec![l.clone(), none(rng)]) } else { l.clone() } };
    let mut out = Vec::new();
    for mode in modes {
        while rng.one_in(3) {
            out.push(none(rng));
        }
        out.push(with_empty_modes(rng, mode));
    }
    if rng.one_in(3) {
        out.push(none(rng));
    }
    Tree::Node(out)
}

fn none(rng: &mut Rng) -> Layout {
    if rng.one_in(6) { Tree::Node(vec![none(rng)]) } else { Tree::Node(Vec::new()) }
}

/// Returns the layout with a mode `1:0` in place of each empty one.
fn with_units(l: &Layout) -> Layout {
    match l {
        Tree::Node(modes) if modes.is_empty() => leaf(1, 0),
        Tree::Node(modes) => Tree::Node(modes.iter().map(with_units).collect()),
        leaf => leaf.clone(),
    }
}

fn random(seed: u64, count: usize) -> Vec<Layout> {
    let (mut rng, all) = (Rng::new(seed), small());
    (0..count)
        .map(|_| {
            let l = rng.pick(&all).clone();
            with_empty_modes(&mut rng, &l)
        })
        .collect()
}

#[test]
fn in_every_place() {
    golden("size", &[(&["(3,()):(1,())"], "3"), (&["((),())"], "1"), (&["()"], "1"), (&["((2,()),()):((1,()),())"], "2")]);
    golden("cosize", &[(&["(3,(),2):(1,(),8)"], "11"), (&["(()):(())"], "1")]);
    golden("rank", &[(&["(3,()):(1,())"], "2"), (&["()"], "0"), (&["((),())"], "2")]);
    golden("depth", &[(&["(3,()):(1,())"], "2"), (&["()"], "1"), (&["(3,(()))"], "3")]);
    golden("get", &[(&["(3,()):(1,())", "1"], "():()"), (&["(3,((),4)):(1,((),3))", "1"], "((),4):((),3)")]);
    golden("coalesce", &[(&["(3,(),4):(1,(),3)"], "12:1"), (&["((),()):((),())"], "1:0")]);
    let nested = "((2,2),(2,4)):((1,2),(4,8))";
    golden("coalesce", &[(&[nested, "(_,_)"], "(4,8):(1,4)"), (&[nested, "(1,())"], "(4,(2,4)):(1,(4,8))"), (&[nested, "()"], nested)]);
    golden("flatten", &[(&["((3,()),()):((1,()),())"], "(3):(1)"), (&["((),()):((),())"], "():()"), (&["(3,(),(4))"], "(3,4)")]);
    golden("unflatten", &[(&["(3,4):(1,3)", "(0,(),(0))"], "(3,(),(4)):(1,(),(3))"), (&["(3,()):(1,())", "((),0)"], "((),3):((),1)")]);
    golden("composition", &[(&["(6,()):(2,())", "(3,()):(2,())"], "(3,()):(4,())"), (&["(4,6):(6,1)", "((),6):((),4)"], "((),6):((),1)")]);
    golden("composition", &[(&["(4,8):(1,4)", "(2,())"], "(2,8):(1,4)"), (&["8:1", "()"], "8:1")]);
    golden(
        "logical_divide",
        &[(&["(8,()):(1,())", "(2,())"], "((2,4),()):((1,2),())"), (&["8:1", "(2,()):(1,())"], "((2,()),4):((1,()),2)")],
    );
    golden("append", &[(&["(3):(1)", "():()"], "(3,()):(1,())"), (&["():()", "():()"], "(()):(())")]);
    golden("concat", &[(&["3:1", "():()"], "(3,()):(1,())")]);
    golden("make_layout", &[(&["(3,())", "(2,())"], "(3,()):(2,())")]);
    golden("select", &[(&["(3,(),4):(1,(),3)", "(1,2)"], "((),4):((),3)")]);
    golden("group", &[(&["(3,(),4):(1,(),3)", "0", "2"], "((3,()),4):((1,()),3)")]);
    golden("col_major", &[(&["(3,(),(2,()))"], "(3,(),(2,())):(1,(),(3,()))")]);
    golden("row_major", &[(&["(3,(),(2,()))"], "(3,(),(2,())):(2,(),(1,()))")]);
    golden("make_ordered_layout", &[(&["(3,(),2)", "(1,(),0)"], "(3,(),2):(2,(),1)")]);
    golden("make_identity_layout", &[(&["(3,(),4)"], "(3,(),4):(1@0,(),1@2)")]);
    golden("get_stride", &[(&["(3,()):(2,())"], "(2,())")]);
    golden("slice", &[(&["(3,(),4):(1,(),3)", "(_,(),2)"], "(3):(1)"), (&["(3,(),4):(1,(),3)", "(_,_,2)"], "(3,()):(1,())")]);
    golden("dice", &[(&["(3,(),4):(1,(),3)", "(_,(),2)"], "(4):(3)")]);
}

#[test]
fn coordinates() {
    golden(
        "crd2idx",
        &[
            (&["(3,()):(2,())", "(2,())"], "4"),
            (&["(3,()):(2,())", "(2,0)"], "4"),
            (&["(3,()):(2,())", "2"], "4"),
            (&["((),(3,())):((),(2,()))", "((),(1,()))"], "2"),
            (&["(3,(),4):(^1,(),^4)", "(2,(),3)"], "14"),
            (&["(2,())", "(3,())"], "2"),
            (&["():()", "()"], "0"),
        ],
    );
    golden("idx2crd", &[(&["5", "(3,(),2)"], "(2,(),1)"), (&["0", "((),())"], "((),())")]);
    golden("preimage", &[(&["(3,(),4):(4,(),1)", "6"], "(1,(),2)")]);
    golden("increment_coord", &[(&["(2,(),0)", "(3,(),2)"], "(0,(),1)"), (&["(2,())", "(3,())"], "(3,())")]);
    golden("crd2crd", &[(&["(2,())", "(3,())", "((),3)"], "((),2)")]);
    crate::common::law::refused("crd2idx", &[(&["(3,()):(2,())", "(2,(0))"], "modes"), (&["(3,()):(2,())", "(2)"], "modes")]);
}

#[test]
fn tuples() {
    golden("tuple_sum", &[(&["(3,(),4)"], "7"), (&["((),())"], "0")]);
    golden("tuple_max", &[(&["(-3,())"], "-3"), (&["((),-3)", "((),-4)"], "((),-3)")]);
    golden("tuple_product", &[(&["(3,(),4)"], "12"), (&["(())"], "1")]);
    golden("tuple_product_each", &[(&["(3,(),(2,()))"], "(3,1,2)")]);
    golden("tuple_gcd", &[(&["((),6,4)"], "2")]);
    golden("inner_product", &[(&["(3,(),4)", "(1,(),2)"], "11")]);
    golden("prefix_product", &[(&["(3,(),4)"], "(1,(),3)")]);
    golden("suffix_product", &[(&["(3,(),4)"], "(4,(),1)")]);
    golden("tuple_add", &[(&["(3,())", "(1,())"], "(4,())"), (&["()", "(1,())"], "(1,())")]);
    golden("ceil_div", &[(&["(7,())", "2"], "(4,())"), (&["(7,())", "(2,())"], "(4,())")]);
    golden("elem_less", &[(&["(2,())", "(3,())"], "1"), (&["(3,())", "(3,())"], "0")]);
    golden(
        "congruent",
        &[(&["(3,())", "(4,())"], "1"), (&["(3,())", "(3,1)"], "0"), (&["(3,())", "(3,(1))"], "0"), (&["(())", "()"], "0")],
    );
    golden("weakly_congruent", &[(&["(3,4)", "(3,())"], "1"), (&["(3,())", "(3,4)"], "0")]);
    golden("compatible", &[(&["(3,1)", "(3,())"], "1"), (&["(3,2)", "(3,())"], "0")]);
    golden("equal", &[(&["(3,())", "(3,())"], "1"), (&["(3,())", "(3)"], "0")]);
}

/// The laws hold for layouts with empty modes. At the end, an empty mode takes the quotient beyond the size, as a mode `1:0` does.
#[test]
fn laws() {
    let (a, b) = (random(80, 1500), random(81, 1500));
    let pairs = || a.iter().cloned().zip(b.iter().cloned());
    let inside = pairs().filter(|(a, b)| b.values().iter().all(|x| (0..a.size()).contains(x)));
    hold(inside, |(a, b)| composition::composition(a, b)).answers_at_least(150);
    hold(pairs(), |(a, t)| divide::logical(a, t)).answers_at_least(50);
    hold(pairs(), |(a, b)| product::logical(a, b)).answers_at_least(50);
    hold(&a, |l| complement::complement(l, l.size())).answers_at_least(300);
    hold(&a, |l| inverse::left_inverse(l)).answers_at_least(300);
}

/// Every operation of the table gives the same result for layouts with empty modes as for layouts with `1:0` instead.
#[test]
fn beside_units() {
    // The laws of these operations distinguish the two: nesting, the number of leaves, and integers of tuples.
    let apart =
        ["unflatten", "congruent", "weakly_congruent", "equal", "tuple_sum", "tuple_min", "tuple_max", "tuple_gcd", "inner_product"];
    let taken = |kind: &&str| matches!(*kind, "layout" | "shape" | "tuple" | "coord" | "tiler" | "extent" | "any");
    let mut compared = std::collections::BTreeMap::new();
    for op in Op::ALL.iter().filter(|op| !apart.contains(&op.name())) {
        for form in op.forms() {
            let mut rng = Rng::new(82);
            let all = random(83, 80);
            let law = |operands: &Vec<(String, String)>| -> Verdict {
                let texts =
                    |of: fn(&(String, String)) -> &String| operands.iter().map(of).map(|text| text as &dyn Display).collect::<Vec<_>>();
                let (empty, unit) = (ask(op.name(), &texts(|both| &both.0)), ask(op.name(), &texts(|both| &both.1)));
                match (empty, unit) {
                    (Ok(empty), Ok(unit)) if alike(&empty, &unit) => Ok(Outcome::Answered),
                    (Err(_), Err(_)) => Ok(Outcome::Refused),
                    (empty, unit) => Err(format!("{} of {operands:?}: {empty:?} beside {unit:?}", op.name())),
                }
            };
            let mut cases = Vec::new();
            for _ in 0..60 {
                cases.push(
                    form.operands
                        .iter()
                        .enumerate()
                        .map(|(k, (_, kind))| match rng.pick(&all) {
                            l if k == 0 && taken(kind) => (l.to_string(), with_units(l).to_string()),
                            // A tiler names modes, and the only coordinate of an empty mode is `()`.
                            l if *kind == "layout" || (*kind == "tiler" && rng.one_in(2)) => (l.to_string(), with_units(l).to_string()),
                            _ => {
                                let n = rng.between(0, 3).to_string();
                                (n.clone(), n)
                            }
                        })
                        .collect::<Vec<_>>(),
                );
            }
            let tally = hold(cases, law);
            *compared.entry(op.name()).or_insert(0) += tally.answered;
        }
    }
    let answered = compared.values().filter(|answered| **answered > 0).count();
    assert!(answered > 50, "{compared:?}");
}

/// Returns true if two results are the same function: layouts have the same values; other results may differ by `()` only.
fn alike(empty: &str, unit: &str) -> bool {
    if let (Some((f, g)), Some((h, i))) = (empty.split_once(" o "), unit.split_once(" o ")) {
        return alike(f, h) && alike(g, i);
    }
    match (notation::layout(empty), notation::layout(unit)) {
        (Some(a), Some(b)) => {
            let paths = |l: &Layout| l.paths().into_iter().chain([Vec::new()]).collect::<std::collections::BTreeSet<_>>();
            a.size() == b.size() && paths(&a).union(&paths(&b)).all(|path| a.values_along(path) == b.values_along(path))
        }
        _ => empty == unit || notation::atoms(empty).zip(notation::atoms(unit)).is_some_and(|(a, b)| a.leaves().len() <= b.leaves().len()),
    }
}

/// An empty tuple corresponds only to a tuple.
#[test]
fn shapes_and_strides_agree() {
    for text in ["(3,()):(1,0)", "(3,1):(1,())", "(3,()):(1,(()))", "():(())", "((),3):(3,())"] {
        let error = ask("size", &[&text]).expect_err(text).to_string();
        assert!(error.contains("differ in nesting"), "{text}: {error}");
    }
}
