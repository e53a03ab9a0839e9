//! composition with a layout on the right.

use crate::common::exists::compatible_layout;
use crate::common::grids::pairs;
use crate::common::law::{golden, refused};
use crate::common::layout::{flat, leaf};
use crate::common::notation::parse;
use crate::common::{Layout, Outcome, Rng, Tree, Verdict, ask_layout, hold, same};
use crate::ensure;

/// `R(c) = A(B(c))` for every `c`, and the shape of `R` refines the shape of `B`. Refused only if no such layout exists.
pub fn composition(a: &Layout, b: &Layout) -> Verdict {
    match ask_layout("composition", &[a, b]) {
        Ok(r) => {
            ensure!(b.shape().compatible(&r.shape()), "composition({a}, {b}) = {r} does not refine {}", b.shape());
            for path in a.paths() {
                let want: Vec<i64> = b.values().into_iter().map(|x| a.along(&path, &a.shape().unravel(x).leaves())).collect();
                same(&format!("values of composition({a}, {b}) = {r}"), r.values_along(&path), want)?;
            }
            Ok(Outcome::Answered)
        }
        Err(error) => {
            ensure!(!exists(a, b), "composition({a}, {b}) has an answer, but is refused: {error}");
            Ok(Outcome::Refused)
        }
    }
}

/// Tests whether a layout whose shape refines the shape of `B` has the values `A(B(c))`.
pub fn exists(a: &Layout, b: &Layout) -> bool {
    let strides: Vec<i64> = b.leaves().iter().map(|leaf| leaf.stride).collect();
    let paths = a.paths();
    compatible_layout(&b.shape().leaves(), |c| {
        let x = c.iter().zip(&strides).map(|(c, d)| c * d).sum();
        let digits = a.shape().unravel(x).leaves();
        paths.iter().map(|path| a.along(path, &digits)).collect()
    })
}

fn law(case: &(Layout, Layout)) -> Verdict {
    composition(&case.0, &case.1)
}

#[test]
fn examples() {
    golden(
        "composition",
        &[
            (&["(6,2):(8,2)", "(4,3):(3,1)"], "((2,2),3):((24,2),8)"),
            (&["20:2", "(5,4):(4,1)"], "(5,4):(8,2)"),
            (&["(10,2):(16,4)", "(5,4):(1,5)"], "(5,(2,2)):(16,(80,4))"),
            (&["(4,3):(1,4)", "(2,2):(0,1)"], "(2,2):(0,1)"),
            (&["1:8", "5:2"], "5:16"),
        ],
    );
    refused(
        "composition",
        &[
            (&["(4,6,8):(2,3,5)", "6:3"], "runs evenly for 2 steps only"),
            (&["(6,2):(1,7)", "(3,2):(2,3)"], "across the boundary at 6"),
            (&["(2,2):(1@0,1@1)", "2:3"], "two bases"),
        ],
    );
}

#[test]
fn known_to_be_got_wrong_elsewhere() {
    let cases = [
        ("(4,6,8):(2,3,5)", "6:3"),
        ("(6,2):(1,7)", "(3,2):(2,3)"),
        ("(6,2):(1,100)", "(3,4):(2,3)"),
        ("(4,8):(1,10)", "(2,3):(2,1)"),
        // Two boundaries are crossed at once and the jumps cancel.
        ("(2,2,2):(1,3,5)", "(2,2):(3,1)"),
        ("(3,2,4):(1,5,7)", "4:5"),
        // The extent ends before the boundary is reached.
        ("(4,8):(1,100)", "2:3"),
        ("(6,2):(1,7)", "2:-1"),
        ("(2,3):(1,-4)", "(3,2):(-1,-3)"),
    ];
    hold(cases.map(|(a, b)| (parse(a), parse(b))), law).answers_at_least(3).refuses_at_least(3);
}

#[test]
fn of_small_pairs() {
    hold(pairs(3, 40_000), law).answers_at_least(20_000).refuses_at_least(1000);
}

/// Every boundary of `A` with every stride and extent of one mode.
#[test]
fn of_every_small_layout_with_one_mode() {
    let left = crate::common::grids::grid(2, &[2, 3, 4, 6], &[0, 1, 2, 3, 5, -1]);
    let right: Vec<Layout> = (2..=6).flat_map(|n| (-3..=8).map(move |d| leaf(n, d))).collect();
    let all = left.iter().flat_map(|a| right.iter().map(move |b| (a.clone(), b.clone())));
    hold(all, law).answers_at_least(10_000).refuses_at_least(1000);
}

#[test]
fn of_three_modes_with_two() {
    let mut rng = Rng::new(4);
    let cases = (0..30_000).map(|_| {
        let a: Vec<_> = (0..3).map(|_| (rng.between(1, 4), rng.between(-4, 12))).collect();
        let b: Vec<_> = (0..2).map(|_| (rng.between(1, 5), rng.between(0, 12))).collect();
        (flat(&a), flat(&b))
    });
    hold(cases.collect::<Vec<_>>(), law).answers_at_least(3000).refuses_at_least(3000);
}

#[test]
fn of_random_layouts() {
    let mut rng = Rng::new(5);
    let cases: Vec<_> = (0..10_000).map(|_| (rng.layout(5, 400), rng.layout(4, 200))).collect();
    hold(cases, law).answers_at_least(2000).refuses_at_least(1000);
}

/// Composition is associative if `C` stays in the domain of `B`.
#[test]
fn is_associative() {
    let mut rng = Rng::new(6);
    let cases = (0..8000).map(|_| (rng.compact(4, 144), rng.compact(3, 48), rng.layout(3, 12)));
    let inside = cases.filter(|(_, b, c)| c.values().iter().all(|x| (0..b.size()).contains(x)));
    hold(inside.collect::<Vec<_>>(), |(a, b, c)| {
        let left = ask_layout("composition", &[a, b]).and_then(|ab| ask_layout("composition", &[&ab, c]));
        let right = ask_layout("composition", &[b, c]).and_then(|bc| ask_layout("composition", &[a, &bc]));
        match (left, right) {
            (Ok(left), Ok(right)) => {
                same(&format!("({a} o {b}) o {c}"), left.values(), right.values())?;
                Ok(Outcome::Answered)
            }
            _ => Ok(Outcome::Refused),
        }
    })
    .answers_at_least(500);
}

/// If the left operand has basis strides, its values are coordinates.
#[test]
fn of_coordinate_layouts() {
    let mut rng = Rng::new(7);
    let cases: Vec<_> = (0..6000)
        .map(|_| {
            let mut count = 0;
            let plain = rng.layout(4, 200);
            let a = plain.map(&mut |leaf| {
                count += 1;
                let mut leaf = leaf.clone();
                leaf.path = vec![[0, 1, 0, 2][count % 4]];
                leaf
            });
            (a, rng.layout(3, 60))
        })
        .collect();
    hold(cases, law).answers_at_least(1000).refuses_at_least(500);
}

/// An empty right operand has no wrong values. An extent of 0 on the left passes no quotient on.
#[test]
fn of_empty_layouts() {
    let right = ["0:1", "(0,3):(1,2)", "(3,(2,0)):(1,(3,5))"];
    let left = ["(4,6):(1,5)", "(2,3):(3,1)", "5:2"];
    let cases = left.iter().flat_map(|a| right.iter().map(|b| (parse(a), parse(b))));
    hold(cases, law).answers_at_least(9);
    let past = ["(0,3):(2,5)", "((2,0),3):((1,4),7)", "(3,0):(1,5)"];
    let cases = past.iter().flat_map(|a| ["4:1", "(2,2):(1,2)", "6:1"].iter().map(|b| (parse(a), parse(b))));
    hold(cases, law).answers_at_least(5);
}

/// Each basis of the right operand walks its own mode of the left operand.
#[test]
fn along_bases() {
    let mut rng = Rng::new(8);
    let cases: Vec<_> = (0..6000)
        .map(|_| {
            let a = Tree::Node(vec![rng.layout(3, 60), rng.layout(3, 60)]);
            let plain = rng.layout(3, 40);
            let b = plain.map(&mut |leaf| {
                let mut leaf = leaf.clone();
                leaf.path = vec![rng.below(2)];
                leaf
            });
            (a, b)
        })
        .collect();
    hold(cases, |(a, b)| {
        let modes = a.modes();
        let strides = b.leaves();
        let value = |c: &[i64]| -> i64 { (0..2).map(|k| modes[k].at(b.along(&[k], c))).sum() };
        match ask_layout("composition", &[a, b]) {
            Ok(r) => {
                ensure!(b.shape().compatible(&r.shape()), "composition({a}, {b}) = {r} does not refine {}", b.shape());
                let want: Vec<i64> = (0..b.size()).map(|c| value(&b.shape().unravel(c).leaves())).collect();
                same(&format!("values of composition({a}, {b}) = {r}"), r.values(), want)?;
                Ok(Outcome::Answered)
            }
            Err(error) => {
                let extents: Vec<i64> = strides.iter().map(|leaf| leaf.extent).collect();
                ensure!(!compatible_layout(&extents, |c| vec![value(c)]), "composition({a}, {b}) has an answer, but is refused: {error}");
                Ok(Outcome::Refused)
            }
        }
    })
    .answers_at_least(1000)
    .refuses_at_least(300);
    golden("composition", &[(&["((4,2),(3,5)):((1,4),(8,24))", "(2,5):(1@1@0,1@1@1)"], "(2,5):(4,24)")]);
    refused("composition", &[(&["(4,8):(1,4)", "2:1@2"], "mode 2 is named, but the layout has 2 modes")]);
}
