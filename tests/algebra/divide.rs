//! logical_divide, zipped_divide, tiled_divide, flat_divide.

use crate::common::exists::compatible_layout;
use crate::common::grids::pairs;
use crate::common::law::{golden, refused};
use crate::common::layout::sorted;
use crate::common::tiler::Gather;
use crate::common::tiling::offsets;
use crate::common::{Layout, Outcome, Rng, Tiler, Tree, Verdict, ask_layout, hold, same};
use crate::ensure;

/// `R = logical_divide(A, T)` for a layout `T`: mode 0 is `composition(A, T)`, mode 1 visits the copies of the tile in order.
/// Together they visit every element of `A` once.
fn pair(a: &Layout, t: &Layout, r: &Layout) -> Result<(), String> {
    let context = format!("{a} by {t} gives {r}");
    ensure!(!r.is_leaf() && r.rank() == 2, "{context}: not a pair");
    let modes = r.modes();
    ensure!(t.shape().compatible(&modes[0].shape()), "{context}: mode 0 does not refine the tile");
    let elements = format!("{context}: elements");
    if a.size() == 0 {
        // Nothing is visited, so no tile may have an element.
        return same(&elements, r.size(), 0);
    }
    same(&format!("{context}: mode 0"), modes[0].values(), t.values().into_iter().map(|x| a.at(x)).collect())?;
    let copies = offsets(&t.image(), a.size()).ok_or_else(|| format!("{context}, but copies of the tile do not cover {}", a.size()))?;
    same(&format!("{context}: mode 1"), modes[1].values(), copies.iter().map(|x| a.at(*x)).collect())?;
    same(&elements, sorted(r.values()), sorted(a.values()))
}

/// Tests whether copies of the tile cover the domain, each element once, and some layout walks the copies.
fn has_pair(a: &Layout, t: &Layout) -> bool {
    let Some(copies) = offsets(&t.image(), a.size()).filter(|_| t.is_injective()) else { return false };
    let mut extents = t.shape().leaves();
    extents.push(copies.len() as i64);
    let (last, strides) = (extents.len() - 1, t.leaves());
    compatible_layout(&extents, |c| {
        let in_tile: i64 = c.iter().zip(&strides).map(|(c, leaf)| c * leaf.stride).sum();
        vec![a.at(in_tile + copies[c[last] as usize])]
    })
}

pub fn logical(a: &Layout, t: &Layout) -> Verdict {
    match ask_layout("logical_divide", &[a, t]) {
        Ok(r) => pair(a, t, &r).map(|()| Outcome::Answered).map_err(|broken| format!("logical_divide({a}, {t}): {broken}")),
        Err(error) => {
            ensure!(!has_pair(a, t), "logical_divide({a}, {t}) has an answer, but is refused: {error}");
            Ok(Outcome::Refused)
        }
    }
}

fn by_mode(a: &Layout, t: &Tiler, r: &Layout) -> Result<(), String> {
    match t {
        Tiler::Keep => same("a kept mode", r, a),
        Tiler::Layout(t) => pair(a, t, r),
        Tiler::Modes(steps) => {
            let (have, got) = (a.modes(), r.modes());
            ensure!(!r.is_leaf() && got.len() == have.len(), "{a} by {t} gives {r}: not the modes of the left operand");
            for (k, mode) in have.iter().enumerate() {
                by_mode(mode, steps.get(k).unwrap_or(&Tiler::Keep), &got[k])?;
            }
            Ok(())
        }
    }
}

fn has_answer(a: &Layout, t: &Tiler) -> bool {
    match t {
        Tiler::Keep => true,
        Tiler::Layout(t) => has_pair(a, t),
        Tiler::Modes(steps) => steps.iter().zip(a.modes()).all(|(step, mode)| has_answer(&mode, step)),
    }
}

/// `zipped_divide`, `tiled_divide` and `flat_divide` regroup the result of `logical_divide`: tiles first, then the rests, unpacked or
/// not. Mode 0 of the first two has the tiles of `composition(A, T)`, and each result has the elements of `A`.
fn regrouped(a: &Layout, t: &Tiler) -> Verdict {
    let context = |op: &str| format!("{op}({a}, {t})");
    let forms = [("zipped_divide", Gather::Zipped), ("tiled_divide", Gather::Tiled), ("flat_divide", Gather::Flat)];
    match ask_layout("logical_divide", &[a, t]) {
        Ok(pairs) => {
            by_mode(a, t, &pairs).map_err(|broken| format!("{}: {broken}", context("logical_divide")))?;
            for (op, how) in forms {
                let r = ask_layout(op, &[a, t]).map_err(|error| format!("{} is refused: {error}", context(op)))?;
                same(&context(op), r.to_string(), t.regroup(&pairs, how).to_string())?;
                same(&format!("elements of {}", context(op)), sorted(r.values()), sorted(a.values()))?;
            }
            let tiles = ask_layout("zipped_divide", &[a, t]).expect("asked before").modes()[0].clone();
            let composed = ask_layout("composition", &[a, t]).map_err(|error| format!("{} is refused: {error}", context("composition")))?;
            let named = named(&composed, t);
            same(&format!("tiles of {}", context("zipped_divide")), tiles.values(), named.values())?;
            same(&format!("extents of the tiles of {}", context("zipped_divide")), sizes(&tiles), sizes(&named))?;
            Ok(Outcome::Answered)
        }
        Err(error) => {
            ensure!(!has_answer(a, t), "{} has an answer, but is refused: {error}", context("logical_divide"));
            for (op, _) in forms {
                ensure!(ask_layout(op, &[a, t]).is_err(), "{} is answered, though logical_divide is not", context(op));
            }
            Ok(Outcome::Refused)
        }
    }
}

/// Returns the modes of `composed`, a `composition(A, T)`, that the tiler `t` names.
fn named(composed: &Layout, t: &Tiler) -> Layout {
    match t {
        Tiler::Modes(steps) => Tree::Node(steps.iter().zip(composed.modes()).map(|(step, mode)| named(&mode, step)).collect()),
        _ => composed.clone(),
    }
}

fn sizes(l: &Layout) -> Vec<i64> {
    l.modes().iter().map(Layout::size).collect()
}

/// Returns a random tile that is likely to divide a mode.
pub fn tile(rng: &mut Rng, mode: &Layout) -> Layout {
    let size = mode.size();
    let divisors: Vec<i64> = (1..=size).filter(|n| size % n == 0).collect();
    if rng.one_in(6) {
        return rng.layout(2, 12);
    }
    let n = *rng.pick(&divisors);
    let steps: Vec<i64> = (1..=size / n).filter(|d| size % (n * d) == 0).collect();
    crate::common::layout::leaf(n, *rng.pick(&steps))
}

#[test]
fn examples() {
    golden(
        "logical_divide",
        &[
            (&["(4,2,3):(2,1,8)", "4:2"], "((2,2),(2,3)):((4,1),(2,8))"),
            (&["(9,(4,8)):(59,(13,1))", "[3:3;(2,4):(1,8)]"], "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"),
            (&["(8,6):(1,8)", "[4]"], "((4,2),6):((1,4),8)"),
            (&["(8,6):(1,8)", "[_;3]"], "(8,(3,2)):(1,(8,24))"),
            (&["24:1", "(2,2):(4,1)"], "((2,2),(2,3)):((4,1),(2,8))"),
        ],
    );
    golden(
        "zipped_divide",
        &[
            (&["(9,(4,8)):(59,(13,1))", "[3:3;(2,4):(1,8)]"], "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"),
            (&["(8,6):(1,8)", "[4]"], "((4),(2,6)):((1),(4,8))"),
            (&["(8,6):(1,8)", "[_;3]"], "((8,3),(1,2)):((1,8),(0,24))"),
        ],
    );
    golden("tiled_divide", &[(&["(8,6,5):(1,8,48)", "(4,3)"], "((4,3),2,2,5):((1,8),4,24,48)")]);
    golden("flat_divide", &[(&["(8,6,5):(1,8,48)", "(4,3)"], "(4,3,2,2,5):(1,8,4,24,48)")]);
    refused(
        "zipped_divide",
        &[
            (&["(30,8):(1,30)", "(8,4)"], "zipped_divide: tile 8 does not divide the extent 30 of mode 0"),
            (&["24:1", "(2,2):(1,8)"], "spans 16 elements, which does not divide the size 24"),
            (&["24:1", "(2,2):(1,0)"], "stride 0"),
            (&["(8,6):(1,8)", "(2,2,2)"], "has 2 modes, but 3 are given"),
        ],
    );
}

#[test]
fn of_small_pairs() {
    hold(pairs(13, 30_000), |(a, t)| logical(a, t)).answers_at_least(2000).refuses_at_least(2000);
}

#[test]
fn of_random_tiles() {
    let mut rng = Rng::new(14);
    let cases: Vec<_> = (0..6000)
        .map(|_| {
            let a = rng.layout(5, 100);
            let t = tile(&mut rng, &a);
            (a, t)
        })
        .collect();
    hold(&cases, |(a, t)| logical(a, t)).answers_at_least(2000).refuses_at_least(500);
    hold(&cases, |(a, t)| regrouped(a, &Tiler::Layout(t.clone()))).answers_at_least(2000).refuses_at_least(500);
}

#[test]
fn by_random_modes() {
    let mut rng = Rng::new(15);
    let cases: Vec<_> = (0..6000)
        .map(|_| {
            let a = rng.layout(5, 200);
            let t = rng.tiler(&a, &mut tile);
            (a, t)
        })
        .collect();
    hold(&cases, |(a, t)| regrouped(a, t)).answers_at_least(2000).refuses_at_least(500);
}
