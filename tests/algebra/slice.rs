//! slice and dice.

use crate::common::law::{golden, refused};
use crate::common::{Layout, Outcome, Rng, Tree, Verdict, ask_layout, hold, same};
use crd2idx::DynLayout;
use crd2idx::layouts::DynCoord;

/// A coordinate with some modes left open.
type Open = Tree<Option<i64>>;

fn text(c: &Open) -> String {
    c.text(&|x| x.map_or("_".into(), |x| x.to_string()))
}

fn open(rng: &mut Rng, shape: &Tree<i64>) -> Open {
    match shape {
        Tree::Node(modes) if !rng.one_in(4) => Tree::Node(modes.iter().map(|mode| open(rng, mode)).collect()),
        _ if rng.one_in(2) => Tree::Leaf(None),
        _ => Tree::Leaf(Some(rng.between(0, shape.product() - 1))),
    }
}

/// Returns the modes that `c` leaves open, and the modes that it fixes, each with its coordinate.
fn parted(l: &Layout, c: &Open) -> (Vec<Layout>, Vec<(Layout, i64)>) {
    match (l, c) {
        (_, Tree::Leaf(None)) => (vec![l.clone()], vec![]),
        (_, Tree::Leaf(Some(x))) => (vec![], vec![(l.clone(), *x)]),
        (Tree::Node(modes), Tree::Node(steps)) => {
            let parts = modes.iter().zip(steps).map(|(mode, step)| parted(mode, step));
            parts.fold((vec![], vec![]), |(mut open, mut fixed), (o, f)| {
                open.extend(o);
                fixed.extend(f);
                (open, fixed)
            })
        }
        _ => panic!("the coordinate does not fit"),
    }
}

/// Returns the coordinate `c` with the integers `k` in its open modes, one after the other.
fn filled(c: &Open, k: &mut impl Iterator<Item = i64>) -> Tree<i64> {
    c.map(&mut |x| x.unwrap_or_else(|| k.next().expect("a coordinate for each `_`")))
}

/// `slice(L, c)(k) + offset = L(c with k for each _)` for every `k`; `dice(L, c)` at the fixed coordinates is the offset.
fn law(l: &Layout, c: &Open) -> Verdict {
    let context = format!("slice({l}, {})", text(c));
    let (open, fixed) = parted(l, c);
    let (got, offset) = sliced(l, c)?;
    let modes = match (c, &got) {
        (Tree::Leaf(None), _) => vec![got.clone()],
        _ => got.modes(),
    };
    same(
        &format!("modes of {context}"),
        modes.iter().map(Layout::to_string).collect::<Vec<_>>(),
        open.iter().map(Layout::to_string).collect(),
    )?;
    let sizes = Tree::Node(open.iter().map(|mode| Tree::Leaf(mode.size())).collect());
    for k in 0..sizes.product() {
        let each = sizes.unravel(k).leaves();
        let whole = filled(c, &mut each.into_iter());
        same(&format!("{context} at {k}"), got.at(k) + offset, l.at_coordinate(&whole))?;
    }
    let diced = ask_layout("dice", &[l, &text(c)]).map_err(|error| format!("dice({l}, {}): {error}", text(c)))?;
    let coordinate = match c {
        Tree::Leaf(Some(x)) => Tree::Leaf(*x),
        _ => Tree::Node(fixed.iter().map(|(_, x)| Tree::Leaf(*x)).collect()),
    };
    same(&format!("dice({l}, {}) at {coordinate}", text(c)), diced.at_coordinate(&coordinate), offset)?;
    Ok(Outcome::Answered)
}

/// Returns the layout and the offset of a slice, or the refusal. `ask_layout` returns no offset, so a method of the library supplies it.
fn sliced(l: &Layout, c: &Open) -> Result<(Layout, i64), String> {
    let refusal = |error| format!("slice({l}, {}): {error}", text(c));
    let layout: DynLayout = l.to_string().parse().map_err(refusal)?;
    let coordinate: DynCoord = text(c).parse().map_err(refusal)?;
    let (got, offset) = layout.slice(&coordinate).map_err(refusal)?;
    let got = got.to_string();
    same("slice by name", ask_layout("slice", &[l, &text(c)]).map(|l| l.to_string()).ok(), Some(got.clone()))?;
    Ok((crate::common::notation::parse(&got), offset))
}

#[test]
fn examples() {
    golden(
        "slice",
        &[
            (&["((2,4),(3,5)):((3,6),(1,24))", "(_,(1,_))"], "((2,4),5):((3,6),24)"),
            (&["(3,4):(4,1)", "(1,_)"], "(4):(1)"),
            (&["(3,4):(4,1)", "_"], "(3,4):(4,1)"),
            (&["(3,4):(4,1)", "(1,2)"], "():()"),
            (&["((2,3),4):((1,2),6)", "((_,1),_)"], "(2,4):(1,6)"),
            // The offset would be a coordinate.
            (&["(3,4):(1@0,1@1)", "(1,_)"], "(4):(1@1)"),
        ],
    );
    golden("dice", &[(&["((2,4),(3,5)):((3,6),(1,24))", "(_,(1,_))"], "(3):(1)"), (&["(3,4):(4,1)", "(1,2)"], "(3,4):(4,1)")]);
    refused(
        "slice",
        &[(&["(3,4):(4,1)", "(_,_,_)"], "has 2 modes, but 3 are given"), (&["(3,4):(4,1)", "((_,0),_)"], "mode 0 is an integer")],
    );
}

#[test]
fn of_random_layouts() {
    let mut rng = Rng::new(38);
    let cases: Vec<_> = (0..6000)
        .map(|_| {
            let l = rng.layout(5, 80);
            let c = open(&mut rng, &l.shape());
            (l, c)
        })
        .collect();
    hold(cases, |(l, c)| law(l, c)).answers_at_least(6000);
}
