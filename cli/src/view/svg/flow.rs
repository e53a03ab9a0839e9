//! A graph from left to right, in layers by the longest path to a node. The order in a layer keeps crossings few and links straight.

use super::order::{Layers, layers};
use super::scene::{Align, Bend, Ink, Scene, Shape, Stroke, text_width};
use crate::view::picture::graph::{Flow, Node, NodeKind};
use crate::view::picture::text::wrap;

/// The text sizes of names and of properties.
const SIZE: (f64, f64) = (12.0, 10.0);
/// The distance between lines of a node.
const STEP: f64 = 15.0;
/// The space above and below the lines of a node.
const PADDING: f64 = 6.0;
/// The distance between nodes of a layer, and between layers.
const GAP: (f64, f64) = (16.0, 38.0);
/// The minimum height at a side of a node for each of its links.
const PORT: f64 = 13.0;
/// The distance between the lines of links that go back.
const LANE: f64 = 9.0;
/// The smallest factor by which a wide graph is scaled to fit.
const SMALLEST: f64 = 0.8;
/// The width at which the texts of nodes break.
const WIDEST: f64 = 130.0;

/// A node with its measured size.
struct Sized {
    lines: Vec<String>,
    w: f64,
    h: f64,
}

fn measure(flow: &Flow, at: usize, node: &Node) -> Sized {
    let wrapped = |(k, line): (usize, &String)| wrap(line, WIDEST, |text| text_width(text, size(k)));
    let lines: Vec<String> = node.lines.iter().enumerate().flat_map(wrapped).collect();
    let widest = lines.iter().enumerate().map(|(k, line)| text_width(line, size(k))).fold(20.0, f64::max);
    let (before, after) = (flow.before(at).count(), flow.after(at).count());
    // Only transforms and relations of storage number their links, at either side.
    let numbered = node.kind != NodeKind::Dimension && (before > 1 || after > 1);
    let ports = if numbered { 11.0 } else { 0.0 };
    let h = (lines.len() as f64 * STEP + 2.0 * PADDING).max(before.max(after) as f64 * PORT + 4.0);
    Sized { lines, w: widest + 14.0 + 2.0 * ports, h }
}

fn size(line: usize) -> f64 {
    if line == 0 { SIZE.0 } else { SIZE.1 }
}

/// Returns the scene of a graph, at most `room` wide if its texts stay legible.
pub fn draw(flow: &Flow, room: f64) -> Scene {
    let sizes: Vec<Sized> = flow.nodes.iter().enumerate().map(|(at, node)| measure(flow, at, node)).collect();
    let layers = layers(flow, &|node| sizes.get(node).map_or(2.0, |sized| sized.h), GAP.0);
    let width = |layer: &Vec<usize>| layer.iter().filter_map(|node| sizes.get(*node)).map(|sized| sized.w).fold(0.0, f64::max);
    let widths: Vec<f64> = layers.order.iter().map(width).collect();
    // Layers move together on a narrow page.
    let gaps = widths.len().saturating_sub(1).max(1) as f64;
    let gap = ((room - widths.iter().sum::<f64>()) / gaps).clamp(18.0, GAP.1);
    let (mut left, mut x) = (Vec::new(), 0.0);
    for width in widths {
        left.push((x, width));
        x += width + gap;
    }
    let drawing = Drawing { flow, sizes: &sizes, layers: &layers, left: &left };
    let mut scene = Scene { w: x - gap, h: 0.0, shapes: Vec::new() };
    let ends = drawing.ends();
    drawing.links(&ends, &mut scene);
    for at in 0..flow.nodes.len() {
        drawing.node(at, &mut scene);
    }
    drawing.places(&ends, &mut scene);
    // A graph that is still too wide shrinks as far as it stays legible.
    let by = (room / scene.w).clamp(SMALLEST, 1.0);
    scene.scaled(by)
}

struct Drawing<'a> {
    flow: &'a Flow,
    sizes: &'a [Sized],
    layers: &'a Layers,
    left: &'a [(f64, f64)],
}

impl Drawing<'_> {
    /// Returns the left and right edge of node `at`, or of its layer if it is an extra node of a link.
    fn span(&self, at: usize) -> (f64, f64) {
        let (x, width) = self.left[self.layers.layer[at]];
        match self.sizes.get(at) {
            Some(sized) => (x + (width - sized.w) / 2.0, x + (width + sized.w) / 2.0),
            None => (x, x + width),
        }
    }

    fn node(&self, at: usize, scene: &mut Scene) {
        let (node, sized, (x, _), y) = (&self.flow.nodes[at], &self.sizes[at], self.span(at), self.layers.y[at]);
        let (fill, stroke, round) = match node.kind {
            NodeKind::Dimension => (Ink::Class(0), Ink::Strong(0), 7.0),
            NodeKind::Transform => (Ink::Class(1), Ink::Strong(1), 0.0),
            NodeKind::Storage => (Ink::Blank, Ink::Strong(6), 0.0),
        };
        let line = Stroke { ink: stroke, width: 1.0, dashed: node.kind == NodeKind::Storage };
        let rect = Shape::rect((x, y - sized.h / 2.0), (sized.w, sized.h), Some(fill), Some(line));
        scene.shapes.push(rect.rounded(round));
        let style = |k| (size(k), if k == 0 { Ink::Text } else { Ink::Faint });
        scene.centred(&sized.lines, (x + sized.w / 2.0, y), STEP, style);
        scene.h = scene.h.max(y + sized.h / 2.0 + 1.0);
    }

    /// Returns for each link the height at which it leaves its first node, and the height at which it enters its last.
    fn ends(&self) -> Vec<(f64, f64)> {
        let (links, ways, y) = (&self.flow.links, &self.layers.ways, &self.layers.y);
        let mut ends = vec![(0.0, 0.0); links.len()];
        for (node, sized) in self.sizes.iter().enumerate() {
            // The links at a side of a node share that side, in the order of their other ends.
            let share = |mut side: Vec<(f64, usize)>, end: &mut dyn FnMut(usize, f64)| {
                side.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let step = sized.h / side.len().max(1) as f64;
                side.iter().enumerate().for_each(|(place, (_, link))| end(*link, y[node] + (place as f64 + 0.5) * step - sized.h / 2.0));
            };
            let links = || links.iter().enumerate().zip(ways);
            let out = links().filter(|((_, link), _)| link.from == node).map(|((k, link), way)| (y[*way.first().unwrap_or(&link.to)], k));
            share(out.collect(), &mut |k, y| ends[k].0 = y);
            let into = links().filter(|((_, link), _)| link.to == node).map(|((k, link), way)| (y[*way.last().unwrap_or(&link.from)], k));
            share(into.collect(), &mut |k, y| ends[k].1 = y);
        }
        ends
    }

    fn links(&self, ends: &[(f64, f64)], scene: &mut Scene) {
        let mut back = Vec::new();
        for ((link, ways), y) in self.flow.links.iter().zip(&self.layers.ways).zip(ends) {
            let storage = [link.from, link.to].iter().any(|node| self.flow.nodes[*node].kind == NodeKind::Storage);
            let stroke = Stroke { ink: if storage { Ink::Strong(6) } else { Ink::Faint }, width: 1.25, dashed: storage };
            let (start, end) = ((self.span(link.from).1, y.0), (self.span(link.to).0, y.1));
            if self.layers.layer[link.to] <= self.layers.layer[link.from] {
                // No nodes lie between the layers, so the link turns there.
                let (first, last) = (self.left[self.layers.layer[link.to]], self.left[self.layers.layer[link.from]]);
                back.push((start, end, (first.0, last.0 + last.1), stroke));
                continue;
            }
            // Go straight to the gap between the layers first, so that the link does not cross wider nodes of its layer.
            let (x, width) = self.left[self.layers.layer[link.from]];
            let mut points = vec![start, (x + width, start.1)];
            for way in ways {
                let (a, b) = self.span(*way);
                points.extend([(a, self.layers.y[*way]), (b, self.layers.y[*way])]);
            }
            let x = self.left[self.layers.layer[link.to]].0;
            points.extend([(x.min(end.0) - 6.0, end.1), (end.0 - 6.0, end.1)]);
            scene.arrow(points, Bend::Level, stroke, (end.0 - 8.0, end.1), end);
        }
        // A link that closes a cycle goes back below all nodes.
        let bottom = (0..self.sizes.len()).map(|at| self.layers.y[at] + self.sizes[at].h / 2.0).fold(0.0, f64::max);
        for (k, (start, end, (left, right), stroke)) in back.into_iter().enumerate() {
            let below = bottom + LANE * (k + 1) as f64;
            let (right, left) = (right + LANE, left - LANE - 3.0);
            let points = vec![start, (right, start.1), (right, below), (left, below), (left, end.1), (end.0 - 6.0, end.1)];
            scene.arrow(points, Bend::Corners(4), stroke, (end.0 - 8.0, end.1), end);
            (scene.w, scene.h) = (scene.w.max(right), scene.h.max(below + 1.0));
        }
    }

    /// Writes the numbers of links inside the transforms, at the sides where the links end.
    fn places(&self, ends: &[(f64, f64)], scene: &mut Scene) {
        for (link, y) in self.flow.links.iter().zip(ends) {
            let Some(place) = link.place else { continue };
            let into = self.flow.nodes[link.to].kind != NodeKind::Dimension;
            let at = if into { (self.span(link.to).0 + 8.0, y.1) } else { (self.span(link.from).1 - 8.0, y.0) };
            scene.text(at, 9.0, Align::Middle, Ink::Faint, &place.to_string());
        }
    }
}
