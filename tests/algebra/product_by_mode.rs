//! Products by mode, and zipped_product, tiled_product, flat_product.

use super::product::{has_pair, pair};
use crate::common::law::{golden, refused};
use crate::common::layout::sorted;
use crate::common::tiler::Gather;
use crate::common::{Layout, Outcome, Rng, Tiler, Verdict, ask_layout, hold, same};
use crate::ensure;

/// Mode `k` of the result is `logical_product(A_k, T_k)`; modes that the tiler keeps or does not name stay.
fn by_mode(a: &Layout, t: &Tiler, r: &Layout) -> Result<(), String> {
    match t {
        Tiler::Keep => same("a kept mode", r, a),
        Tiler::Layout(b) => pair(a, b, r),
        Tiler::Modes(steps) => {
            let (have, got) = (a.modes(), r.modes());
            ensure!(!r.is_leaf() && got.len() == have.len(), "{a} times {t} gives {r}: not the modes of the left operand");
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
        Tiler::Layout(b) => has_pair(a, b),
        Tiler::Modes(steps) => steps.iter().zip(a.modes()).all(|(step, mode)| has_answer(&mode, step)),
    }
}

/// The zipped, tiled and flat products regroup the result of `logical_product`: blocks first, then copies, unpacked or not.
fn regrouped(a: &Layout, t: &Tiler) -> Verdict {
    let forms = [("zipped_product", Gather::Zipped), ("tiled_product", Gather::Tiled), ("flat_product", Gather::Flat)];
    match ask_layout("logical_product", &[a, t]) {
        Ok(pairs) => {
            by_mode(a, t, &pairs).map_err(|broken| format!("logical_product({a}, {t}): {broken}"))?;
            for (op, how) in forms {
                let r = ask_layout(op, &[a, t]).map_err(|error| format!("{op}({a}, {t}) is refused: {error}"))?;
                same(&format!("{op}({a}, {t})"), r.to_string(), t.regroup(&pairs, how).to_string())?;
                same(&format!("elements of {op}({a}, {t})"), sorted(r.values()), sorted(pairs.values()))?;
            }
            Ok(Outcome::Answered)
        }
        Err(error) => {
            ensure!(!has_answer(a, t), "logical_product({a}, {t}) has an answer, but is refused: {error}");
            for (op, _) in forms {
                ensure!(ask_layout(op, &[a, t]).is_err(), "{op}({a}, {t}) is answered, though logical_product is not");
            }
            Ok(Outcome::Refused)
        }
    }
}

#[test]
fn examples() {
    golden("logical_product", &[(&["(6,4):(1,6)", "[3:2;_]"], "((6,3),4):((1,12),6)")]);
    golden("zipped_product", &[(&["(2,(5,2)):(1,(2,10))", "[4;4:1]"], "((2,(5,2)),(4,(2,2))):((1,(2,10)),(2,(1,20)))")]);
    golden("tiled_product", &[(&["(2,2):(4,1)", "6:1"], "((2,2),2,3):((4,1),2,8)")]);
    golden("flat_product", &[(&["(2,2):(4,1)", "6:1"], "(2,2,2,3):(4,1,2,8)")]);
    refused("zipped_product", &[(&["(2,2):(4,1)", "[6;6;6]"], "has 2 modes, but 3 are given")]);
}

#[test]
fn with_layouts() {
    let mut rng = Rng::new(19);
    let cases: Vec<_> = (0..3000).map(|_| (rng.layout(4, 24), Tiler::Layout(rng.layout(3, 16)))).collect();
    hold(&cases, |(a, t)| regrouped(a, t)).answers_at_least(1000).refuses_at_least(300);
}

#[test]
fn by_random_modes() {
    let mut rng = Rng::new(20);
    let cases: Vec<_> = (0..2500)
        .map(|_| {
            let a = rng.layout(4, 30);
            let t = rng.tiler(&a, &mut |rng, _| rng.layout(2, 8));
            (a, t)
        })
        .collect();
    hold(&cases, |(a, t)| regrouped(a, t)).answers_at_least(1000).refuses_at_least(300);
}
