//! crd2idx, idx2crd, crd2crd, and the same operations over shapes.

use crate::common::grids::small;
use crate::common::law::{golden, refused};
use crate::common::{Layout, Outcome, Rng, Tree, Verdict, ask_int, ask_ints, ask_layout, hold, same};
use crate::ensure;
use crd2idx::DynLayout;
use crd2idx::layouts::DynCoord;

/// Returns a coordinate that fits `shape`. Any mode may get one integer, inside the domain, or anywhere if `outside`.
fn coordinate(rng: &mut Rng, shape: &Tree<i64>, outside: bool) -> Tree<i64> {
    match shape {
        Tree::Node(modes) if !rng.one_in(4) => Tree::Node(modes.iter().map(|mode| coordinate(rng, mode, outside)).collect()),
        _ => {
            let size = shape.product();
            Tree::Leaf(if outside { rng.between(-2 * size, 3 * size) } else { rng.between(0, size - 1) })
        }
    }
}

/// `crd2idx(L, c)` is the sum of coordinate times stride. Integers unravel colexicographically with the last sub-mode unreduced,
/// also outside the domain.
fn index(l: &Layout, c: &Tree<i64>) -> Verdict {
    let got = ask_int("crd2idx", &[l, c]).map_err(|error| format!("crd2idx({l}, {c}): {error}"))?;
    same(&format!("crd2idx({l}, {c})"), got, l.at_coordinate(c))?;
    Ok(Outcome::Answered)
}

/// `idx2crd(L, L(c))` is a coordinate in the domain with that index, whether strides nest, count down or overlap.
fn round_trip(l: &Layout) -> Verdict {
    for c in 0..l.size() {
        let back = ask_ints("idx2crd", &[l, &l.at(c)]).map_err(|error| format!("idx2crd({l}, {}) is refused: {error}", l.at(c)))?;
        ensure!(l.shape().zip(&back).is_some(), "idx2crd({l}, {}) = {back} is not a coordinate of {l}", l.at(c));
        let inside = l.leaves().iter().zip(back.leaves()).all(|(leaf, c)| (0..leaf.extent).contains(&c));
        ensure!(inside, "idx2crd({l}, {}) = {back} is outside the domain", l.at(c));
        same(&format!("index of idx2crd({l}, {}) = {back}", l.at(c)), l.at_coordinate(&back), l.at(c))?;
    }
    Ok(Outcome::Answered)
}

/// An index that no coordinate has is refused.
fn no_such_index(l: &Layout) -> Verdict {
    let image = l.image();
    for index in -3..=l.size() + 3 {
        let answered = ask_ints("idx2crd", &[l, &index]).is_ok();
        ensure!(!answered || image.contains(&index), "idx2crd({l}, {index}) is answered, but no coordinate has it");
    }
    Ok(Outcome::Answered)
}

/// `crd2idx_shape` and `idx2crd_shape` are bijections: Horner's rule and its inverse.
fn shapes(shape: &Tree<i64>) -> Verdict {
    let col_major = ask_layout("col_major", &[shape]).map_err(|error| format!("col_major({shape}): {error}"))?;
    for k in 0..shape.product() {
        let c = ask_ints("idx2crd_shape", &[shape, &k]).map_err(|error| format!("idx2crd_shape({shape}, {k}): {error}"))?;
        same(&format!("idx2crd_shape({shape}, {k})"), &c, &shape.unravel(k))?;
        same(&format!("crd2idx_shape({shape}, {c})"), ask_int("crd2idx_shape", &[shape, &c]).ok(), Some(k))?;
        same(&format!("{col_major} at {c}"), col_major.at_coordinate(&c), k)?;
    }
    Ok(Outcome::Answered)
}

#[test]
fn examples() {
    golden(
        "crd2idx",
        &[
            (&["((2,4),(3,5)):((3,6),(1,24))", "(11,12)"], "129"),
            (&["((13,0),(14,0)):((14,182),(1,154))", "(20,30)"], "590"),
            (&["((2,3),(4,5)):((1,8),(2,24))", "((1,2),(3,4))"], "119"),
            (&["(3,4):(1,3)", "100"], "100"),
            (&["(3,4):(4,1)", "-1"], "7"),
            (&["(4,8):(1@0,1@1)", "(3,5)"], "(3,5)"),
            (&["(4,(2,3)):(1@0,(1@0@1,1@1@1))", "(3,5)"], "(3,(1,2))"),
            (&["(3,5)", "(4,8):(8,1)"], "29"),
        ],
    );
    golden(
        "idx2crd",
        &[
            (&["((2,3),4):((4,8),1)", "22"], "((1,2),2)"),
            (&["(3,2):(-1,3)", "-2"], "(2,0)"),
            (&["(1,6,6):(15,-9,23)", "46"], "(0,0,2)"),
            (&["(2,6):(6,5)", "10"], "(0,2)"),
            (&["22", "(3,4)"], "(1,7)"),
        ],
    );
    golden("crd2crd", &[(&["(2,3)", "(3,4)", "(2,6)"], "(1,5)")]);
    golden("crd2idx_shape", &[(&["(3,(2,4))", "(2,(1,3))"], "23"), (&["(3,(2,4))", "(2,7)"], "23")]);
    golden("increment_coord", &[(&["(2,0)", "(3,4)"], "(0,1)"), (&["(2,3)", "(3,4)"], "(0,4)")]);
    refused(
        "crd2idx",
        &[
            (&["(3,4):(1,3)", "(1,2,3)"], "has 2 modes, but 3 are given"),
            (&["(3,4):(1,3)", "((1,1),2)"], "mode 0 is an integer"),
            (&["(3,4):(1,3)", "(1,_)"], "`_`"),
        ],
    );
    refused("idx2crd", &[(&["(3,4):(1,3)", "12"], "has index 12"), (&["(3,4):(2,6)", "1"], "has index 1")]);
    // None of the many sums is odd, and none is 15000: 14 strides are too few, and 15 too many.
    let halves = format!("({}):({})", ["2"; 30].join(","), (0..30).map(|k| (1000 + 2 * k).to_string()).collect::<Vec<_>>().join(","));
    refused("idx2crd", &[(&[&halves, "15001"], "has index 15001"), (&[&halves, "15000"], "too many to try one by one")]);
    refused("increment_coord", &[(&["(2,0)", "12"], "")]);
}

#[test]
fn at_random_coordinates() {
    let mut rng = Rng::new(30);
    let cases: Vec<_> = (0..20_000)
        .map(|k| {
            let l = rng.layout(6, 400);
            let c = coordinate(&mut rng, &l.shape(), k % 2 == 0);
            (l, c)
        })
        .collect();
    hold(cases, |(l, c)| index(l, c)).answers_at_least(20_000);
}

/// All integer coordinates, some below and beyond the domain, with extents of 0 in every mode.
#[test]
fn at_every_integer() {
    let mut all = small();
    all.truncate(4000);
    for text in ["(0,3):(1,2)", "(3,0):(1,2)", "((2,0),(0,3)):((1,2),(5,7))", "0:3", "(2,0,3):(1,2,5)"] {
        all.push(crate::common::notation::parse(text));
    }
    let cases = all.into_iter().flat_map(|l| (-3..l.size() + 4).map(move |c| (l.clone(), Tree::Leaf(c))));
    hold(cases, |(l, c)| index(l, c)).answers_at_least(20_000);
}

#[test]
fn there_and_back() {
    let all = small();
    hold(all.iter().step_by(7), |l| round_trip(l)).answers_at_least(1000);
    hold(all.iter().step_by(11), |l| no_such_index(l)).answers_at_least(1000);
    let mut rng = Rng::new(31);
    let random: Vec<_> = (0..800).map(|_| rng.layout(5, 60)).collect();
    hold(&random, |l| round_trip(l)).answers_at_least(800);
    hold(&random, |l| no_such_index(l)).answers_at_least(800);
}

#[test]
fn over_shapes() {
    let mut rng = Rng::new(32);
    let cases: Vec<_> = (0..600).map(|_| rng.layout(5, 60).shape()).collect();
    hold(cases, shapes).answers_at_least(600);
}

/// The successor visits every coordinate in the order of the integers, and continues after the last one in the last leaf.
#[test]
fn successors() {
    let mut rng = Rng::new(33);
    let cases: Vec<_> = (0..300).map(|_| rng.layout(5, 60).shape()).collect();
    hold(cases, |shape| {
        let mut c = shape.map(&mut |_| 0);
        for k in 1..shape.product() + 3 {
            c = ask_ints("increment_coord", &[&c, shape]).map_err(|error| format!("increment_coord({c}, {shape}): {error}"))?;
            same(&format!("successor {k} in {shape}"), &c, &shape.unravel(k))?;
        }
        Ok(Outcome::Answered)
    })
    .answers_at_least(300);
}

/// `crd2crd` keeps the colexicographic index.
#[test]
fn from_shape_to_shape() {
    let mut rng = Rng::new(34);
    let cases: Vec<_> = (0..400).map(|_| rng.layout(4, 60).shape()).collect();
    hold(cases, |shape| {
        let leaves: Vec<Tree<i64>> = shape.leaves().into_iter().rev().map(Tree::Leaf).collect();
        let other = Tree::Node(vec![Tree::Node(leaves)]);
        for k in 0..shape.product() {
            let c = shape.unravel(k);
            let to = ask_ints("crd2crd", &[&c, shape, &other]).map_err(|error| format!("crd2crd({c}, {shape}, {other}): {error}"))?;
            same(&format!("crd2crd({c}, {shape}, {other})"), to, other.unravel(k))?;
        }
        Ok(Outcome::Answered)
    })
    .answers_at_least(400);
}

#[test]
fn bounds() {
    let mut rng = Rng::new(35);
    let cases: Vec<_> = (0..4000)
        .map(|_| {
            let l = rng.layout(5, 100);
            let c = coordinate(&mut rng, &l.shape(), true);
            (l, c)
        })
        .collect();
    let mut inside = 0;
    for (l, c) in &cases {
        let layout: DynLayout = l.to_string().parse().expect("readable");
        let coordinate: DynCoord = c.to_string().parse().expect("readable");
        let want = holds(&l.shape(), c);
        assert_eq!(layout.checked_crd2idx(&coordinate).map(|index| index.is_some()).ok(), Some(want), "{c} in {l}");
        inside += usize::from(want);
    }
    assert!((100..3900).contains(&inside));
}

fn holds(shape: &Tree<i64>, c: &Tree<i64>) -> bool {
    match (shape, c) {
        (_, Tree::Leaf(c)) => (0..shape.product()).contains(c),
        (Tree::Node(modes), Tree::Node(steps)) => modes.iter().zip(steps).all(|(mode, step)| holds(mode, step)),
        _ => false,
    }
}
