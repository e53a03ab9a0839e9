//! tile_to_shape.

use crate::common::law::{golden, refused};
use crate::common::{Layout, Outcome, Rng, Tree, Verdict, ask_layout, hold, same};
use crate::ensure;

/// `R = tile_to_shape(A, S, order)`: mode `k` has the least multiple of `size(A_k)` that is at least `S_k`, and begins with the
/// block. `R` is a bijection onto an interval if `A` is, and the copies advance along the modes by increasing `order`.
fn covers(a: &Layout, shape: &Tree<i64>, order: Option<&Tree<i64>>) -> Verdict {
    let context = format!("tile_to_shape({a}, {shape}, {order:?})");
    let asked = match order {
        Some(order) => ask_layout("tile_to_shape", &[a, shape, order]),
        None => ask_layout("tile_to_shape", &[a, shape]),
    };
    let (sizes, rank) = (shape.modes().iter().map(Tree::product).collect::<Vec<_>>(), shape.rank());
    let r = match asked {
        Ok(r) => r,
        Err(error) => {
            ensure!(a.rank() > rank, "{context} is refused: {error}");
            return Ok(Outcome::Refused);
        }
    };
    let (blocks, modes) = (a.padded(rank), r.modes());
    same(&format!("rank of {context}"), modes.len(), rank)?;
    let mut copies = Vec::new();
    for k in 0..rank {
        let n = (sizes[k] + blocks[k].size() - 1) / blocks[k].size();
        same(&format!("size of mode {k} of {context} = {r}"), modes[k].size(), n * blocks[k].size())?;
        same(&format!("block of mode {k} of {context} = {r}"), &modes[k].modes()[0], &blocks[k])?;
        copies.push(modes[k].modes()[1].clone());
    }
    same(&format!("image of {context} = {r}"), r.image(), (0..r.size()).collect())?;
    let mut visited: Vec<usize> = (0..rank).collect();
    if let Some(order) = order {
        visited.sort_by_key(|k| order.leaves()[*k]);
    }
    let mut span = a.size();
    for k in visited {
        let want: Vec<i64> = (0..copies[k].size()).map(|n| n * span).collect();
        same(&format!("copies along mode {k} of {context} = {r}"), copies[k].values(), want)?;
        span *= copies[k].size();
    }
    Ok(Outcome::Answered)
}

#[test]
fn examples() {
    golden(
        "tile_to_shape",
        &[
            (&["(2,5):(5,1)", "(4,10)"], "((2,2),(5,2)):((5,10),(1,20))"),
            (&["(2,5):(5,1)", "(4,10)", "(1,0)"], "((2,2),(5,2)):((5,20),(1,10))"),
            (&["(2,5):(5,1)", "(3,7)"], "((2,2),(5,2)):((5,10),(1,20))"),
            (&["4:1", "(4,3)"], "((4,1),(1,3)):((1,0),(0,4))"),
        ],
    );
    refused("tile_to_shape", &[(&["(2,2,2):(1,2,4)", "(4,4)"], "has 2 modes, but 3 are given"), (&["(2,0):(1,2)", "(4,4)"], "is 0")]);
}

#[test]
fn of_random_blocks() {
    let mut rng = Rng::new(21);
    let cases: Vec<_> = (0..3000)
        .map(|_| {
            let a = rng.compact(3, 24);
            let sizes = rng.extents(3, 200);
            let shape = Tree::Node(sizes.iter().map(|n| Tree::Leaf(*n)).collect());
            let order = sizes.iter().map(|_| Tree::Leaf(rng.between(0, 9))).collect();
            (a, shape, Tree::Node(order))
        })
        .collect();
    hold(&cases, |(a, shape, _)| covers(a, shape, None)).answers_at_least(1000).refuses_at_least(100);
    hold(&cases, |(a, shape, order)| covers(a, shape, Some(order))).answers_at_least(1000).refuses_at_least(100);
}
