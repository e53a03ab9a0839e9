//! size, cosize, coshape, rank, depth, and the limits of 64 bits.

use crate::common::grids::small;
use crate::common::law::{golden, refused};
use crate::common::{Layout, Outcome, Rng, Tree, Verdict, ask_int, ask_ints, hold, same};

/// `size` is the number of coordinates; `cosize` the number of elements from the least to the greatest index, both included.
fn extent(l: &Layout) -> Verdict {
    let values = l.values();
    same(&format!("size({l})"), ask_int("size", &[l]).ok(), Some(values.len() as i64))?;
    let span = values.iter().max().zip(values.iter().min()).map_or(0, |(most, least)| most - least + 1);
    same(&format!("cosize({l})"), ask_int("cosize", &[l]).ok(), Some(span))?;
    same(&format!("coshape({l})"), ask_ints("coshape", &[l]).ok(), Some(Tree::Leaf(span)))?;
    same(&format!("rank({l})"), ask_int("rank", &[l]).ok(), Some(l.rank() as i64))?;
    same(&format!("depth({l})"), ask_int("depth", &[l]).ok(), Some(l.depth() as i64))?;
    Ok(Outcome::Answered)
}

#[test]
fn examples() {
    golden("size", &[(&["((2,4),(3,5)):((3,6),(1,24))"], "120"), (&["():()"], "1"), (&["(3,0):(1,1)"], "0"), (&["(2,(3,4))"], "24")]);
    golden(
        "cosize",
        &[
            (&["(3,4):(4,1)"], "12"),
            (&["(3,4):(-4,1)"], "12"),
            (&["(3,4):(0,0)"], "1"),
            (&["(3,0):(5,1)"], "0"),
            (&["():()"], "1"),
            (&["4:-3"], "10"),
        ],
    );
    golden("depth", &[(&["6"], "0"), (&["(6)"], "1"), (&["((6),7)"], "2")]);
}

#[test]
fn of_every_small_layout() {
    let all = small();
    hold(&all, |l| extent(l)).answers_at_least(all.len());
}

#[test]
fn of_random_layouts() {
    let mut all = Rng::new(36).layouts(4000, 6, 400);
    for text in ["(0,3):(1,2)", "((2,0),3):((1,5),7)", "0:0"] {
        all.push(crate::common::notation::parse(text));
    }
    hold(&all, |l| extent(l)).answers_at_least(all.len());
}

/// `coshape` is the extent of the values along each coordinate; `cosize` is their product.
#[test]
fn of_coordinate_layouts() {
    let mut rng = Rng::new(42);
    let cases: Vec<Layout> = (0..3000)
        .map(|_| {
            rng.layout(5, 300).map(&mut |leaf| {
                let mut leaf = leaf.clone();
                leaf.path = vec![rng.below(3)];
                leaf
            })
        })
        .filter(|l| !l.leaves().is_empty())
        .collect();
    let answered = cases.len();
    hold(&cases, |l| {
        let rank = l.paths().iter().map(|path| path[0] + 1).max().unwrap_or(0);
        let span = |values: Vec<i64>| values.iter().max().zip(values.iter().min()).map_or(0, |(most, least)| most - least + 1);
        let want: Vec<i64> = (0..rank).map(|k| span(l.values_along(&[k]))).collect();
        let shape = Tree::Node(want.iter().copied().map(Tree::Leaf).collect());
        same(&format!("coshape({l})"), ask_ints("coshape", &[l]).ok(), Some(shape))?;
        same(&format!("cosize({l})"), ask_int("cosize", &[l]).ok(), Some(want.iter().product()))?;
        Ok(Outcome::Answered)
    })
    .answers_at_least(answered);
    golden(
        "coshape",
        &[
            (&["(4,8):(1@0,2@1)"], "(4,15)"),
            (&["(4,(2,3)):(1@0,(1@0@1,-5@1@1))"], "(4,(2,11))"),
            (&["(4,8):(0,1@1)"], "(1,8)"),
            (&["(0,8):(1@0,1@1)"], "(0,0)"),
        ],
    );
    refused("coshape", &[(&["(2,2):(1@0,1@1@0)"], "two bases"), (&["(2,3)"], "first operand is a tuple")]);
}

/// `size` and `cosize` are exact up to the last number that fits, and refused beyond it; 128-bit arithmetic decides which.
#[test]
fn of_huge_layouts() {
    let mut rng = Rng::new(37);
    let big = [1i64, 2, 3, 1 << 20, (1 << 31) - 1, 1 << 31, 1 << 32, (1 << 40) + 1, 1 << 62, i64::MAX - 1, i64::MAX];
    let cases: Vec<_> = (0..4000)
        .map(|_| {
            let leaf = |rng: &mut Rng| {
                let stride = *rng.pick(&big);
                (*rng.pick(&big), if rng.one_in(2) { -stride } else { stride })
            };
            let mut pairs = vec![leaf(&mut rng)];
            if rng.one_in(2) {
                pairs.push((*rng.pick(&big[..4]), *rng.pick(&big)));
            }
            crate::common::layout::flat(&pairs)
        })
        .collect();
    let fits = |x: i128| i64::try_from(x).is_ok_and(|x| x > i64::MIN + (1 << 16));
    hold(cases, |l| {
        let leaves = l.leaves();
        let size: i128 = leaves.iter().map(|leaf| leaf.extent as i128).product();
        let cosize: i128 = 1 + leaves.iter().map(|leaf| (leaf.extent as i128 - 1) * (leaf.stride as i128).abs()).sum::<i128>();
        match (ask_int("size", &[l]), ask_int("cosize", &[l])) {
            (Ok(a), Ok(b)) => same(&format!("size and cosize of {l}"), (a as i128, b as i128), (size, cosize)).map(|()| Outcome::Answered),
            (a, b) => {
                // An index may not fit even if the distance of the indices does.
                let low: i128 = leaves.iter().map(|leaf| ((leaf.extent as i128 - 1) * leaf.stride as i128).min(0)).sum();
                let reach = |leaf: &crate::common::Leaf| fits(leaf.stride as i128) && fits((leaf.extent as i128 - 1) * leaf.stride as i128);
                let possible = fits(size) && fits(cosize) && fits(low) && leaves.iter().all(reach);
                if possible { Err(format!("{l} fits, but is refused: {a:?} {b:?}")) } else { Ok(Outcome::Refused) }
            }
        }
    })
    .answers_at_least(200)
    .refuses_at_least(200);
    refused("size", &[(&["(4294967296,4294967296):(0,0)"], "overflow"), (&["(4294967296,2147483648)"], "overflow")]);
    refused("cosize", &[(&["3:4611686018427387904"], "overflow"), (&["(2,2):(9223372036854775807,1)"], "overflow")]);
    refused("size", &[(&["-1:1"], "negative"), (&["(2,-3):(1,2)"], "negative")]);
}
