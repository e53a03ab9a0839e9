//! col_major, row_major, make_ordered_layout, make_layout_like, make_identity_layout.

use crate::common::grids::tiny;
use crate::common::law::{golden, refused};
use crate::common::{Layout, Outcome, Rng, Tree, Verdict, ask, ask_ints, ask_layout, hold, same};
use crate::ensure;

/// Returns the layout with the running products of extents as strides, by increasing key, then left to right; stride 0 for extent 1.
fn by_keys(shape: &Tree<i64>, keys: &[i64]) -> Layout {
    let extents = shape.leaves();
    let mut order: Vec<usize> = (0..extents.len()).collect();
    order.sort_by_key(|k| keys[*k]);
    let mut strides = vec![0; extents.len()];
    let mut span = 1;
    for k in order {
        if extents[k] != 1 {
            strides[k] = span;
            span *= extents[k];
        }
    }
    let leaves: Vec<_> = extents.iter().zip(strides).map(|(n, d)| crate::common::layout::leaf(*n, d).leaves()[0].clone()).collect();
    shape.filled(&leaves)
}

fn compact(context: &str, r: &Layout) -> Result<(), String> {
    ensure!(r.image() == (0..r.size()).collect::<Vec<_>>(), "{context} = {r} is not compact");
    Ok(())
}

fn majors(shape: &Tree<i64>) -> Verdict {
    let n = shape.leaves().len() as i64;
    for (op, keys) in [("col_major", (0..n).collect::<Vec<_>>()), ("row_major", (0..n).rev().collect())] {
        let r = ask_layout(op, &[shape]).map_err(|error| format!("{op}({shape}): {error}"))?;
        compact(&format!("{op}({shape})"), &r)?;
        same(&format!("{op}({shape})"), r.to_string(), by_keys(shape, &keys).to_string())?;
    }
    Ok(Outcome::Answered)
}

/// A leaf of `order` that covers a tuple of `shape` orders all its leaves, left to right.
fn ordered(shape: &Tree<i64>, order: &Tree<i64>) -> Verdict {
    fn spread(shape: &Tree<i64>, order: &Tree<i64>, keys: &mut Vec<i64>) {
        match (shape, order) {
            (_, Tree::Leaf(key)) => keys.extend(shape.leaves().iter().map(|_| *key)),
            (Tree::Node(modes), Tree::Node(steps)) => modes.iter().zip(steps).for_each(|(mode, step)| spread(mode, step, keys)),
            _ => panic!("the order does not fit"),
        }
    }
    let mut keys = Vec::new();
    spread(shape, order, &mut keys);
    let context = format!("make_ordered_layout({shape}, {order})");
    let r = ask_layout("make_ordered_layout", &[shape, order]).map_err(|error| format!("{context}: {error}"))?;
    compact(&context, &r)?;
    same(&context, r.to_string(), by_keys(shape, &keys).to_string())?;
    Ok(Outcome::Answered)
}

/// The shape of `L`, compact without the modes of stride 0, which keep it; strides are in the order of the strides of `L`.
fn like(l: &Layout) -> Verdict {
    let r = ask_layout("make_layout_like", &[l]).map_err(|error| format!("make_layout_like({l}): {error}"))?;
    let context = format!("make_layout_like({l}) = {r}");
    same(&format!("shape of {context}"), r.shape(), l.shape())?;
    let still: i64 = l.leaves().iter().filter(|leaf| leaf.stride == 0).map(|leaf| leaf.extent).product();
    same(&format!("image of {context}"), r.image(), (0..l.size() / still).collect())?;
    for (k, (of_l, of_r)) in l.leaves().into_iter().zip(r.leaves()).enumerate() {
        ensure!((of_r.stride == 0) == (of_l.stride == 0 || of_l.extent == 1), "{context}: stride of leaf {k}");
        for (other_l, other_r) in l.leaves().iter().zip(r.leaves()) {
            let swapped = of_l.stride.abs() < other_l.stride.abs() && of_r.stride > other_r.stride && other_r.stride != 0;
            ensure!(!swapped, "{context}: the order of the strides changes at leaf {k}");
        }
    }
    Ok(Outcome::Answered)
}

/// The index of the identity layout is the coordinate.
fn identity(shape: &Tree<i64>) -> Verdict {
    let r = ask("make_identity_layout", &[shape]).map_err(|error| format!("make_identity_layout({shape}): {error}"))?;
    for k in 0..shape.product() {
        let got = ask_ints("crd2idx", &[&r, &k]).map_err(|error| format!("crd2idx({r}, {k}): {error}"))?;
        same(&format!("{r} at {k}"), got, shape.unravel(k))?;
    }
    Ok(Outcome::Answered)
}

#[test]
fn examples() {
    golden("col_major", &[(&["(2,(3,4))"], "(2,(3,4)):(1,(2,6))"), (&["(2,1,3)"], "(2,1,3):(1,0,2)"), (&["6"], "6:1")]);
    golden("row_major", &[(&["(2,(3,4))"], "(2,(3,4)):(12,(4,1))")]);
    golden("make_ordered_layout", &[(&["(3,(4,5))", "(1,0)"], "(3,(4,5)):(20,(1,4))"), (&["(3,4)", "7"], "(3,4):(1,3)")]);
    golden("make_layout_like", &[(&["(2,2,2):(0,24,32)"], "(2,2,2):(0,1,2)"), (&["(2,3):(6,-1)"], "(2,3):(3,1)")]);
    golden("make_identity_layout", &[(&["(4,(2,3))"], "(4,(2,3)):(1@0,(1@0@1,1@1@1))"), (&["5"], "5:1")]);
    refused("make_ordered_layout", &[(&["(3,4)", "(0,1,2)"], "has 2 modes, but 3 are given")]);
    refused("col_major", &[(&["(3,_)"], "`_`"), (&["(3,-1)"], "negative"), (&["(4294967296,4294967296,2)"], "overflow")]);
}

#[test]
fn of_small_shapes() {
    let shapes: Vec<_> = tiny().iter().map(Layout::shape).collect();
    hold(&shapes, |shape| majors(shape)).answers_at_least(shapes.len());
    hold(&tiny(), |l| like(l)).answers_at_least(shapes.len());
}

#[test]
fn of_random_shapes() {
    let mut rng = Rng::new(41);
    let all: Vec<_> = (0..3000).map(|_| rng.layout(6, 200)).collect();
    hold(&all, |l| majors(&l.shape())).answers_at_least(all.len());
    hold(&all, |l| like(l)).answers_at_least(all.len());
    let shallow = all.iter().take(500).filter(|l| l.depth() <= 4);
    hold(shallow, |l| identity(&l.shape())).answers_at_least(400);
    hold(&all, |l| {
        let order = order_of(&mut Rng::new(l.size() as u64 + 7), &l.shape());
        ordered(&l.shape(), &order)
    })
    .answers_at_least(all.len());
}

fn order_of(rng: &mut Rng, shape: &Tree<i64>) -> Tree<i64> {
    match shape {
        Tree::Node(modes) if !rng.one_in(4) => Tree::Node(modes.iter().map(|mode| order_of(rng, mode)).collect()),
        _ => Tree::Leaf(rng.between(-3, 9)),
    }
}
