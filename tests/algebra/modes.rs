//! get, select, take, group, append, prepend, replace, concat, make_layout, get_shape, get_stride.

use crate::common::law::{golden, refused};
use crate::common::{Layout, Outcome, Rng, Tree, ask, hold, same};

fn asked(op: &str, args: &[&dyn std::fmt::Display]) -> String {
    ask(op, args).unwrap_or_else(|error| format!("refused: {error}"))
}

/// Returns `x` as one mode of a tuple. The layout without modes becomes a mode of one element.
fn mode(x: &Layout) -> Layout {
    if x.leaves().is_empty() { crate::common::layout::leaf(1, 0) } else { x.clone() }
}

fn joined(modes: &[&[Layout]]) -> String {
    Tree::Node(modes.concat()).to_string()
}

#[test]
fn cut_and_join_trees() {
    let mut rng = Rng::new(39);
    let cases: Vec<_> = (0..5000).map(|_| (rng.layout(6, 400), rng.layout(3, 60), rng.next())).collect();
    hold(cases, |(l, x, dice)| {
        let modes = l.modes();
        let k = *dice as usize % modes.len();
        let end = k + 1 + (*dice as usize / 7) % (modes.len() - k);
        let context = |op: &str| format!("{op} of {l}, {x} at {k}..{end}");
        same(&context("get"), asked("get", &[l, &k]), modes[k].to_string())?;
        same(&context("select"), asked("select", &[l, &format!("({k},0)")]), joined(&[&modes[k..=k], &modes[..1]]))?;
        same(&context("take"), asked("take", &[l, &k, &end]), joined(&[&modes[k..end]]))?;
        let group = [Tree::Node(modes[k..end].to_vec())];
        same(&context("group"), asked("group", &[l, &k, &end]), joined(&[&modes[..k], &group, &modes[end..]]))?;
        same(&context("append"), asked("append", &[l, x]), joined(&[&modes, &[mode(x)]]))?;
        same(&context("prepend"), asked("prepend", &[l, x]), joined(&[&[mode(x)], &modes]))?;
        let replaced = if l.is_leaf() { x.to_string() } else { joined(&[&modes[..k], &[mode(x)], &modes[k + 1..]]) };
        same(&context("replace"), asked("replace", &[l, &k, x]), replaced)?;
        same(&context("concat"), asked("concat", &[l, x, l]), joined(&[&[mode(l), mode(x), mode(l)]]))?;
        same(&context("make_layout"), asked("make_layout", &[l, x]), joined(&[&[mode(l), mode(x)]]))?;
        let stride = l.map(&mut |leaf| leaf.stride);
        same(&context("get_shape"), asked("get_shape", &[l]), l.shape().to_string())?;
        same(&context("get_stride"), asked("get_stride", &[l]), stride.to_string())?;
        same(&context("make_layout"), asked("make_layout", &[&l.shape(), &stride]), l.to_string())?;
        Ok(Outcome::Answered)
    })
    .answers_at_least(5000);
}

/// A path of mode numbers descends the tree, one level for each number.
#[test]
fn get_by_path() {
    let mut rng = Rng::new(40);
    let cases: Vec<_> = (0..2000).map(|_| (rng.layout(6, 400), rng.next())).collect();
    hold(cases, |(l, dice)| {
        let (mut at, mut path, mut dice) = (l.clone(), Vec::new(), *dice as usize);
        while !at.is_leaf() {
            let k = dice % at.rank();
            dice /= 7;
            path.push(k);
            at = at.modes()[k].clone();
        }
        let mut args: Vec<&dyn std::fmt::Display> = vec![l];
        args.extend(path.iter().map(|k| k as &dyn std::fmt::Display));
        same(&format!("get({l}, {path:?})"), asked("get", &args), at.to_string())?;
        Ok(Outcome::Answered)
    })
    .answers_at_least(2000);
}

#[test]
fn examples() {
    golden("get", &[(&["((2,3),4)", "0", "1"], "3"), (&["(2,3)"], "(2,3)")]);
    golden("select", &[(&["(2,(3,4),5)", "(2,1)"], "(5,(3,4))"), (&["(2,3):(1,2)", "1"], "(3):(2)")]);
    golden("take", &[(&["(2,3,4):(1,2,6)", "1", "1"], "():()"), (&["(2,3,4)", "0", "2"], "(2,3)")]);
    golden("append", &[(&["4:1", "():()"], "(4,()):(1,())"), (&["():()", "4:1"], "(4):(1)")]);
    golden("get_stride", &[(&["(4,8):(1@0,2@1)"], "(1@0,2@1)")]);
    golden("make_layout", &[(&["(4,8)", "(1@0,2@1)"], "(4,8):(1@0,2@1)"), (&["2:1", "3:2", "4:6"], "(2,3,4):(1,2,6)")]);
    refused("get", &[(&["(2,3):(1,2)", "2"], "mode 2 is named, but the layout has 2 modes"), (&["(2,3):(1,2)", "-1"], "positive")]);
    refused("take", &[(&["(2,3):(1,2)", "1", "3"], "mode 3"), (&["(2,3):(1,2)", "2", "1"], "mode 2")]);
    refused("group", &[(&["(2,3):(1,2)", "1", "1"], "mode 1"), (&["(2,3):(1,2)", "0", "3"], "mode 3")]);
    refused("replace", &[(&["(2,3):(1,2)", "2", "4:1"], "mode 2")]);
    refused("make_layout", &[(&["(2,3)", "(1,(2))"], "differ in nesting"), (&["(2,_)", "(1,2)"], "`_`"), (&["(2,3)", "(1,_)"], "`_`")]);
}
