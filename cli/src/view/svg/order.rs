//! The layers of a graph, the order of the nodes in each layer, and the vertical position of each node. Lengths are in the
//! units of the SVG.

use crate::view::picture::graph::Flow;

/// The number of passes that improve the order of layers. They alternate in direction.
const SWEEPS: usize = 12;

/// The layers of a graph, from left to right. A link over several layers has an extra node in each layer between. The numbers
/// of the extra nodes follow the numbers of the nodes of the graph.
pub struct Layers {
    /// The nodes of each layer, from top to bottom.
    pub order: Vec<Vec<usize>>,
    /// The number of the layer of each node, from 0 on the left.
    pub layer: Vec<usize>,
    /// The vertical position of the middle of each node. It grows downwards.
    pub y: Vec<f64>,
    /// The numbers of the extra nodes of each link, in order from its start to its end.
    pub ways: Vec<Vec<usize>>,
}

/// Arranges the nodes of a graph in layers: links lead to later layers, unless they close a cycle. `height` returns the height of
/// a node, given its number. The nodes of a layer are at least `gap` apart.
pub fn layers(flow: &Flow, height: &dyn Fn(usize) -> f64, gap: f64) -> Layers {
    let mut layer = ranks(flow);
    let mut ways = Vec::new();
    let mut near: Vec<(usize, usize)> = Vec::new();
    for link in &flow.links {
        let (from, to) = (layer[link.from], layer[link.to]);
        let mut way = Vec::new();
        let mut last = link.from;
        // A link backwards, which closes a cycle, has no extra nodes.
        for between in from + 1..to.max(from + 1) {
            near.push((last, layer.len()));
            last = layer.len();
            way.push(last);
            layer.push(between);
        }
        near.push((last, link.to));
        ways.push(way);
    }
    let count = layer.iter().max().map_or(0, |last| last + 1);
    let mut order = vec![Vec::new(); count];
    layer.iter().enumerate().for_each(|(node, layer)| order[*layer].push(node));
    let mut neighbours = vec![(Vec::new(), Vec::new()); layer.len()];
    for (a, b) in near {
        neighbours[b].0.push(a);
        neighbours[a].1.push(b);
    }
    sort(&mut order, &neighbours);
    let y = heights(&order, &neighbours, height, gap);
    Layers { order, layer, y, ways }
}

/// Visits the nodes below `node`, depth first. Appends each to `sorted` after its successors, and links that close a cycle to `back`.
fn follow(flow: &Flow, node: usize, state: &mut [u8], sorted: &mut Vec<usize>, back: &mut Vec<usize>) {
    state[node] = 1;
    for (k, link) in flow.links.iter().enumerate().filter(|(_, link)| link.from == node) {
        match state[link.to] {
            0 => follow(flow, link.to, state, sorted, back),
            1 => back.push(k),
            _ => {}
        }
    }
    state[node] = 2;
    sorted.push(node);
}

/// Returns the layer of each node: one after the last layer of its predecessors, without links that close a cycle. Sources move
/// next to their successors.
fn ranks(flow: &Flow) -> Vec<usize> {
    let count = flow.nodes.len();
    let (mut state, mut sorted, mut back) = (vec![0; count], Vec::new(), Vec::new());
    for root in 0..count {
        if state[root] == 0 {
            follow(flow, root, &mut state, &mut sorted, &mut back);
        }
    }
    let mut rank = vec![0; count];
    let links = || flow.links.iter().enumerate().filter(|(k, _)| !back.contains(k)).map(|(_, link)| link);
    for node in sorted.iter().rev() {
        for link in links().filter(|link| link.from == *node) {
            rank[link.to] = rank[link.to].max(rank[*node] + 1);
        }
    }
    for node in sorted {
        if !links().any(|link| link.to == node) {
            rank[node] = links().filter(|link| link.from == node).map(|link| rank[link.to] - 1).min().unwrap_or(rank[node]);
        }
    }
    rank
}

type Neighbours = [(Vec<usize>, Vec<usize>)];

/// Counts to `count` upwards in even sweeps, and downwards in odd ones.
fn there_and_back(count: usize, sweep: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |k| if sweep % 2 == 1 { count - 1 - k } else { k })
}

/// Sorts each layer by the mean position of its neighbours, in alternating directions. Keeps the order with the fewest crossings.
fn sort(order: &mut Vec<Vec<usize>>, neighbours: &Neighbours) {
    let mut place = vec![0.0; neighbours.len()];
    let mut best = (crossings(order, neighbours), order.clone());
    for sweep in 0..SWEEPS {
        let back = sweep % 2 == 1;
        for layer in there_and_back(order.len(), sweep) {
            let mean = |node: &usize, place: &[f64]| {
                let (before, after) = &neighbours[*node];
                let of = if back { after } else { before };
                if of.is_empty() { place[*node] } else { of.iter().map(|node| place[*node]).sum::<f64>() / of.len() as f64 }
            };
            if sweep > 0 || layer > 0 {
                let mut keyed: Vec<(f64, usize)> = order[layer].iter().map(|node| (mean(node, &place), *node)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                order[layer] = keyed.into_iter().map(|(_, node)| node).collect();
            }
            let last = order[layer].len().max(2) - 1;
            order[layer].iter().enumerate().for_each(|(k, node)| place[*node] = k as f64 / last as f64);
        }
        let crossed = crossings(order, neighbours);
        if crossed < best.0 {
            best = (crossed, order.clone());
        }
    }
    *order = best.1;
}

/// Returns the number of pairs of links between adjacent layers that cross.
fn crossings(order: &[Vec<usize>], neighbours: &Neighbours) -> usize {
    let mut place = vec![0; neighbours.len()];
    order.iter().for_each(|layer| layer.iter().enumerate().for_each(|(k, node)| place[*node] = k));
    let crossed = |layer: &Vec<usize>| {
        let links: Vec<(usize, usize)> = layer.iter().flat_map(|a| neighbours[*a].1.iter().map(|b| (place[*a], place[*b]))).collect();
        let pairs = links.iter().enumerate().flat_map(|(k, a)| links[k + 1..].iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| (a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1)).count()
    };
    order.iter().map(crossed).sum()
}

/// Returns the vertical middle of each node, near those of its neighbours. The nodes of a layer keep their order and are at
/// least `gap` apart.
fn heights(order: &[Vec<usize>], neighbours: &Neighbours, height: &dyn Fn(usize) -> f64, gap: f64) -> Vec<f64> {
    let mut y = vec![0.0; neighbours.len()];
    order.iter().for_each(|layer| settle(layer, &vec![0.0; layer.len()], height, gap, &mut y));
    for sweep in 0..SWEEPS {
        for layer in there_and_back(order.len(), sweep).map(|layer| &order[layer]) {
            let mean = |node: &usize| {
                let (before, after) = &neighbours[*node];
                let all = before.len() + after.len();
                if all == 0 { y[*node] } else { before.iter().chain(after).map(|node| y[*node]).sum::<f64>() / all as f64 }
            };
            let wanted: Vec<f64> = layer.iter().map(mean).collect();
            settle(layer, &wanted, height, gap, &mut y);
        }
    }
    let top = order.iter().flatten().map(|node| y[*node] - height(*node) / 2.0).fold(f64::INFINITY, f64::min);
    // Round to halves of a unit, so that rounding errors do not show and every machine draws the same.
    y.iter().map(|at| ((at - top) * 2.0).round() / 2.0 + 1.0).collect()
}

/// Sets the heights nearest to `wanted`, by least squares, that keep nodes apart. Neighbours that would overlap move as one group.
fn settle(layer: &[usize], wanted: &[f64], height: &dyn Fn(usize) -> f64, gap: f64, y: &mut [f64]) {
    let mut offset = Vec::new();
    let mut at = 0.0;
    for (k, node) in layer.iter().enumerate() {
        if k > 0 {
            at += (height(layer[k - 1]) + height(*node)) / 2.0 + gap;
        }
        offset.push(at);
    }
    // Groups that move as one: the wanted height of the first node, and the number of nodes.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    for (k, wanted) in wanted.iter().enumerate() {
        groups.push((wanted - offset[k], 1));
        while let [.., a, b] = groups[..] {
            if a.0 <= b.0 {
                break;
            }
            groups.pop();
            let last = groups.len() - 1;
            groups[last] = ((a.0 * a.1 as f64 + b.0 * b.1 as f64) / (a.1 + b.1) as f64, a.1 + b.1);
        }
    }
    let starts = groups.iter().flat_map(|(start, count)| std::iter::repeat_n(*start, *count));
    for ((node, start), offset) in layer.iter().zip(starts).zip(offset) {
        y[*node] = start + offset;
    }
}
