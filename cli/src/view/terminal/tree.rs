//! A graph as a tree: below each dimension the transforms that read it, below each transform its outputs.

use super::paint::{Line, Paint};
use crate::view::picture::graph::{Flow, NodeKind};
use crate::view::picture::text::{columns, cut};

/// The minimum number of terminal columns for a name.
const LEAST: usize = 10;

/// Returns the lines of a graph, at most `width` columns wide.
pub fn lines(flow: &Flow, width: usize) -> Vec<Line> {
    let mut tree = Tree { flow, width, seen: vec![false; flow.nodes.len()], out: Vec::new() };
    let sources = (0..flow.nodes.len()).filter(|node| flow.before(*node).next().is_none());
    sources.for_each(|node| tree.walk(node, None, "", ""));
    // The nodes that are left are on cycles: begin with the first dimension of each.
    (0..flow.nodes.len()).for_each(|node| {
        if !tree.seen[node] {
            tree.walk(node, None, "", "");
        }
    });
    tree.out
}

struct Tree<'a> {
    flow: &'a Flow,
    width: usize,
    seen: Vec<bool>,
    out: Vec<Line>,
}

impl Tree<'_> {
    /// Draws `node`, reached from `parent`, with `first` before its own line and `rest` before the lines below.
    fn walk(&mut self, node: usize, parent: Option<usize>, first: &str, rest: &str) {
        let flow = self.flow;
        let [name, known @ ..] = flow.nodes[node].lines.as_slice() else { return };
        // Deep nodes do not move beyond the right edge of the terminal.
        let deep = columns(first).saturating_sub(self.width.saturating_sub(LEAST));
        let first = if deep > 0 { format!("…{}", first.chars().skip(deep + 1).collect::<String>()) } else { first.to_owned() };
        let room = self.width.saturating_sub(columns(&first));
        let mut line = Line::of(first, Paint::Faint);
        let again = self.seen[node];
        let inputs: Vec<&str> = flow.before(node).map(|link| flow.nodes[link.from].lines[0].as_str()).collect();
        let label = match flow.nodes[node].kind {
            // A transform of several dimensions appears below each of them, and names them all.
            NodeKind::Transform | NodeKind::Storage if inputs.len() > 1 => format!("{name}({})", inputs.join(", ")),
            _ => name.clone(),
        };
        let label = cut(&label, room);
        let known = if again { "(above)".to_owned() } else { known.join(", ") };
        let left = room.saturating_sub(columns(&label) + 2);
        let paint = match flow.nodes[node].kind {
            NodeKind::Dimension => Paint::Class(0),
            NodeKind::Transform => Paint::Plain,
            NodeKind::Storage => Paint::Faint,
        };
        line.push(label, paint);
        if !known.is_empty() && left > 3 {
            line.push(format!("  {}", cut(&known, left)), Paint::Faint);
        }
        self.out.push(line);
        if std::mem::replace(&mut self.seen[node], true) {
            return;
        }
        let children: Vec<usize> = flow.after(node).map(|link| link.to).filter(|child| Some(*child) != parent).collect();
        for (k, child) in children.iter().enumerate() {
            let (branch, below) = if k + 1 == children.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            self.walk(*child, Some(node), &format!("{rest}{branch}"), &format!("{rest}{below}"));
        }
    }
}
