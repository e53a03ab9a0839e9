//! composition with a by-mode tiler on the right.

use super::composition::exists;
use crate::common::law::{golden, refused};
use crate::common::{Layout, Outcome, Rng, Tiler, ask_layout, hold, same};
use crate::ensure;

/// Mode `k` of the result is `composition(A_k, T_k)`; modes that the tiler keeps or does not name stay.
fn by_mode(a: &Layout, t: &Tiler, r: &Layout) -> Result<(), String> {
    let context = format!("mode {a} by {t} gives {r}");
    match t {
        Tiler::Keep => same(&context, r, a),
        Tiler::Layout(b) => {
            ensure!(b.shape().compatible(&r.shape()), "{context}, which does not refine {b}");
            same(&context, r.values(), b.values().into_iter().map(|x| a.at(x)).collect())
        }
        Tiler::Modes(steps) => {
            let (have, got) = (a.modes(), r.modes());
            ensure!(!r.is_leaf() && got.len() == have.len(), "{context}: not the modes of the left operand");
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
        Tiler::Layout(b) => exists(a, b),
        Tiler::Modes(steps) => steps.iter().zip(a.modes()).all(|(step, mode)| has_answer(&mode, step)),
    }
}

#[test]
fn examples() {
    golden(
        "composition",
        &[
            (&["(12,(4,8)):(59,(13,1))", "[3:4;8:2]"], "(3,(2,4)):(236,(26,1))"),
            (&["(4,8,3):(1,4,32)", "[2:2]"], "(2,8,3):(2,4,32)"),
            (&["(4,8,3):(1,4,32)", "[_;2]"], "(4,2,3):(1,4,32)"),
            (&["((4,2),8):((1,4),8)", "((2,1),4)"], "((2,1),4):((1,0),8)"),
            (&["8:3", "(4)"], "(4):(3)"),
        ],
    );
    refused(
        "composition",
        &[
            (&["(4,8):(1,4)", "[2;2;2]"], "has 2 modes, but 3 are given"),
            (&["(4,(3,5)):(1,(4,30))", "[2;6:2]"], "of mode 1 of the right operand"),
        ],
    );
}

/// A tuple of plain tiles over an integer mode is their column-major block: `(i, j)` is the coordinate `i + 4 j` of the mode.
#[test]
fn blocks_of_an_integer_mode() {
    golden(
        "composition",
        &[
            (&["24:2", "(4,6)"], "(4,6):(2,8)"),
            (&["(24,5):(2,100)", "((4,6),5)"], "((4,6),5):((2,8),100)"),
            (&["(5,24):(100,2)", "[_;(2,3,4)]"], "(5,(2,3,4)):(100,(2,4,12))"),
        ],
    );
    golden("logical_divide", &[(&["24:2", "(2,3)"], "((2,3),4):((2,4),12)")]);
    golden("zipped_divide", &[(&["(24,5):(2,100)", "((2,3),_)"], "(((2,3),5),(4,1)):(((2,4),100),(12,0))")]);
    refused("composition", &[(&["24:2", "[4:1;6:2]"], "the layout is an integer, but a tuple of 2 is given")]);
}

#[test]
fn of_random_layouts() {
    let mut rng = Rng::new(10);
    let cases: Vec<_> = (0..10_000)
        .map(|_| {
            let a = rng.layout(5, 300);
            let t = rng.tiler(&a, &mut |rng, _| rng.layout(2, 12));
            (a, t)
        })
        .collect();
    hold(cases, |(a, t)| match ask_layout("composition", &[a, t]) {
        Ok(r) => by_mode(a, t, &r).map(|()| Outcome::Answered).map_err(|broken| format!("composition({a}, {t}): {broken}")),
        Err(error) => {
            ensure!(!has_answer(a, t), "composition({a}, {t}) has an answer, but is refused: {error}");
            Ok(Outcome::Refused)
        }
    })
    .answers_at_least(3000)
    .refuses_at_least(300);
}
