//! windows.

use crate::common::law::{golden, refused};
use crate::common::layout::{flat, leaf};
use crate::common::{Layout, Outcome, Rng, Verdict, ask_layout, hold, same};
use crate::ensure;

/// `R = windows(A, T)`: a mode of windows and a mode of the places at which they fit, with `R(w, p) = A(T(w) + p)`.
fn windows(a: &Layout, t: &Layout) -> Verdict {
    let last = t.values().into_iter().max().unwrap_or(0);
    match ask_layout("windows", &[a, t]) {
        Ok(r) => {
            let context = format!("windows({a}, {t}) gives {r}");
            ensure!(!r.is_leaf() && r.rank() == 2, "{context}: not a pair");
            let modes = r.modes();
            ensure!(t.shape().compatible(&modes[0].shape()), "{context}: mode 0 does not refine the window");
            same(&format!("{context}: places"), modes[1].size(), a.size() - last)?;
            for p in 0..modes[1].size() {
                for (w, at) in t.values().into_iter().enumerate() {
                    same(&format!("{context} at ({w},{p})"), modes[0].at(w as i64) + modes[1].at(p), a.at(at + p))?;
                }
            }
            Ok(Outcome::Answered)
        }
        Err(error) => {
            // Along a single stride there is no boundary to cross.
            ensure!(!a.is_leaf() || last >= a.size(), "windows({a}, {t}) has an answer, but is refused: {error}");
            Ok(Outcome::Refused)
        }
    }
}

#[test]
fn examples() {
    golden(
        "windows",
        &[
            (&["10:7", "3"], "(3,8):(7,7)"),
            (&["(8,6):(1,8)", "(3,3)"], "((3,3),(6,4)):((1,8),(1,8))"),
            (&["(8,6):(1,8)", "(3,6)"], "((3,6),(6,1)):((1,8),(1,0))"),
            (&["(8,6):(1,8)", "[3:2]"], "((3),(4,6)):((2),(1,8))"),
            (&["(8,6,2):(1,8,48)", "[_;3]"], "((8,3),(1,4,2)):((1,8),(0,8,48))"),
            (&["(10,6):(-1,10)", "(3,2)"], "((3,2),(8,5)):((-1,10),(-1,10))"),
        ],
    );
    refused(
        "windows",
        &[
            (&["(8,6):(1,8)", "(9,3)"], "windows: coordinate 8 is outside the extent 8 of mode 0"),
            (&["10:1", "3:-1"], "windows: coordinate -2 is outside the extent 10"),
            (&["(8,6):(1,8)", "(2,2,2)"], "has 2 modes, but 3 are given"),
            (&["(2,6):(9,2)", "3"], "runs evenly for 2 steps only"),
        ],
    );
}

#[test]
fn of_random_layouts() {
    let mut rng = Rng::new(17);
    let window = |rng: &mut Rng| match rng.below(3) {
        0 => flat(&[(rng.between(1, 3), 1), (rng.between(1, 3), rng.between(1, 6))]),
        _ => leaf(rng.between(1, 6), rng.between(1, 3)),
    };
    let lines: Vec<_> = (0..1000).map(|_| (leaf(rng.between(1, 20), rng.between(-9, 9)), window(&mut rng))).collect();
    hold(&lines, |(a, t)| windows(a, t)).answers_at_least(500).refuses_at_least(100);
    let cases: Vec<_> = (0..4000).map(|_| (rng.layout(3, 40), window(&mut rng))).collect();
    hold(&cases, |(a, t)| windows(a, t)).answers_at_least(500).refuses_at_least(500);
}
