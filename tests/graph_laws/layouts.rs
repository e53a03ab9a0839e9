//! Layouts as graphs, and graphs that are layouts.

use super::naive::Formula;
use super::programs::{graphs, shown};
use super::random::RandomGraph;
use crate::common::{Layout, Outcome, Rng, Verdict, hold, notation};
use crate::ensure;
use crd2idx::DynLayout;
use crd2idx::graph::{CoordGraph, Direction, GraphError};

/// Appends the names of the modes or leaves of `layout`, as its graph has them.
fn names(layout: &Layout, name: &str, level: usize, out: &mut Vec<String>) {
    match layout {
        Layout::Leaf(_) => out.push(name.into()),
        Layout::Node(modes) => {
            for (k, mode) in modes.iter().enumerate() {
                names(mode, &if level == 0 { format!("{name}{k}") } else { format!("{name}.{k}") }, level + 1, out);
            }
        }
    }
}

/// Checks a layout as a graph: by one coordinate, by mode and by leaf, and converted back to a layout.
fn is_its_graph(layout: &Layout) -> Verdict {
    let parsed = DynLayout::<64>::parse(&layout.to_string()).map_err(|e| e.to_string())?;
    let graph = CoordGraph::from_layout(&parsed).map_err(|e| format!("{layout}: {e}"))?;
    let mut leaves = Vec::new();
    names(layout, "x", 0, &mut leaves);
    let modes: Vec<String> = if layout.is_leaf() { vec!["x".into()] } else { (0..layout.rank()).map(|k| format!("x{k}")).collect() };
    fn strs(names: &[String]) -> Vec<&str> {
        names.iter().map(String::as_str).collect()
    }
    let [leaves, modes, whole] = [strs(&leaves), strs(&modes), vec!["x"]];
    let query = |bound: &[&str]| graph.query(Direction::Forward, bound, &["index"]).map_err(|e| format!("{layout}: {e}"));
    let (by_leaf, by_mode, by_one) = (query(&leaves)?, query(&modes)?, query(&whole)?);
    for at in 0..layout.size() {
        let digits = layout.shape().unravel(at).leaves();
        let mut from = 0;
        let mut places = Vec::new();
        for mode in layout.shape().modes() {
            let (count, mut place, mut below) = (mode.leaves().len(), 0, 1);
            for (digit, n) in digits[from..from + count].iter().zip(mode.leaves()) {
                place += digit * below;
                below *= n;
            }
            places.push(place);
            from += count;
        }
        let want = Ok(vec![layout.at(at)]);
        for (got, how) in [(by_one.run(&[at]), "one"), (by_mode.run(&places), "mode"), (by_leaf.run(&digits), "leaf")] {
            ensure!(got == want, "{layout} at {at} by {how}: {got:?} instead of {want:?}");
        }
    }
    for bound in [&whole, &modes, &leaves] {
        let (back, offset) = graph.layout(Direction::Forward, bound, "index").map_err(|e| format!("{layout} by {bound:?}: {e}"))?;
        let other = notation::parse(&back.to_string());
        ensure!(offset == 0 && other.values() == layout.values(), "{layout} by {bound:?} is {other} + {offset}");
    }
    Ok(Outcome::Answered)
}

#[test]
fn a_layout_is_its_graph() {
    let mut rng = Rng::new(71);
    hold(rng.layouts(300, 5, 300), is_its_graph).answers_at_least(300);
    hold(["7:3", "(1):(0)", "((2,(2,1)),3):((-4,(1,9)),2)"].map(notation::parse), is_its_graph);
}

/// Returns true if these values of 0, 1, ... are the values of a layout.
fn is_layout(values: &[i64]) -> bool {
    let n = values.len();
    let Some(step) = values.get(1) else { return true };
    let run = values.iter().zip(0..).take_while(|(value, at)| **value == at * step).count();
    (2..=run).filter(|part| n.is_multiple_of(*part)).any(|part| {
        let firsts: Vec<i64> = values.iter().step_by(part).copied().collect();
        let repeats = values.iter().enumerate().all(|(k, value)| *value == (k % part) as i64 * step + firsts[k / part]);
        repeats && is_layout(&firsts)
    })
}

/// Returns all values, the first source fastest, and whether they are a sum of layouts of each source; `None` if a value is missing.
fn truth(made: &RandomGraph, sizes: &[i64], target: usize) -> Option<(Vec<i64>, bool)> {
    let shape = crate::common::Tree::Node(sizes.iter().map(|n| crate::common::Tree::Leaf(*n)).collect());
    let at = |places: &[i64]| made.values(places)[target].ok().map(|value| value.number);
    let places = (0..shape.product()).map(|k| shape.unravel(k).leaves());
    let values: Vec<i64> = places.clone().map(|place| at(&place)).collect::<Option<_>>()?;
    let along = |mode: usize| {
        let place = |x| (0..sizes.len()).map(|k| if k == mode { x } else { 0 }).collect::<Vec<_>>();
        (0..sizes[mode]).map(|x| at(&place(x)).map(|value| value - values[0])).collect::<Option<Vec<i64>>>()
    };
    let modes: Vec<Vec<i64>> = (0..sizes.len()).map(along).collect::<Option<_>>()?;
    let sum = |place: &[i64]| values[0] + place.iter().zip(&modes).map(|(x, mode)| mode[*x as usize]).sum::<i64>();
    let is_sum = places.zip(&values).all(|(place, value)| sum(&place) == *value);
    Some((values, is_sum && modes.iter().all(|mode| is_layout(mode))))
}

/// Returns true if all steps are digits and sums.
fn is_chain(made: &RandomGraph) -> bool {
    made.steps.iter().all(|step| match step.formula {
        Formula::Digits { .. } => made.dims[step.sources[0]].offset == 0,
        Formula::Horner(_) | Formula::Sum(_) | Formula::Same => true,
        _ => false,
    })
}

/// Checks that a path that is a layout gives it, and that no other path gives one. A layout that is not found counts as refused.
fn is_its_layout(made: &RandomGraph, rng: &mut Rng) -> Verdict {
    let target = *rng.pick(&made.products());
    let (from, to) = (made.names(&made.sources), &made.dims[target].name);
    let sizes: Vec<i64> = made.sources.iter().map(|k| made.dims[*k].size.unwrap_or(1)).collect();
    let Some((values, exists)) = truth(made, &sizes, target) else { return Ok(Outcome::Refused) };
    match made.graph.layout(made.direction, &from, to) {
        Ok((layout, offset)) => {
            let got: Vec<i64> = notation::parse(&layout.to_string()).values().iter().map(|value| value + offset).collect();
            ensure!(got == values, "{}\n{to} is {layout} + {offset}: {got:?} instead of {values:?}", shown(made, &[]));
            Ok(Outcome::Answered)
        }
        Err(GraphError::NotALayout { .. }) if !exists => Ok(Outcome::Answered),
        // With an offset below its digits, or with other transforms, a path may be a layout by chance.
        Err(GraphError::NotALayout { .. }) if !is_chain(made) => Ok(Outcome::Refused),
        Err(error @ GraphError::NotALayout { .. }) => Err(format!("{}\n{to} is refused: {error}", shown(made, &[]))),
        Err(error) => Err(format!("{}\n{to}: {error}", shown(made, &[]))),
    }
}

#[test]
fn paths_that_are_layouts_give_them_and_no_others() {
    let chains: Vec<(u64, RandomGraph)> = (0..).zip(graphs(72, 3000, 5, false).into_iter().filter(is_chain)).collect();
    hold(&chains, |(k, made)| is_its_layout(made, &mut Rng::new(*k))).answers_at_least(400);
    let any: Vec<(u64, RandomGraph)> = (0..).zip(graphs(73, 400, 4, false)).collect();
    hold(&any, |(k, made)| is_its_layout(made, &mut Rng::new(*k))).answers_at_least(200);
}
