//! Layouts and tuples in the form that accounts need: their leaves, modes and texts.

use super::statement::{Value, ask};
use crate::eval::LEAVES;
use crd2idx::algebra::expression::Operand;
use crd2idx::algebra::expression::apply;
use crd2idx::algebra::value::{Basis, ExprGraph, LayoutValue, Tree, TreeNode, TupleValue};
use crd2idx::error::Op;
use std::fmt::{Display, Formatter, Result};

/// A layout of known numbers.
pub type Layout = LayoutValue<LEAVES>;

/// A tuple of integers, such as a shape or a coordinate.
pub type Tuple = TupleValue<LEAVES>;

/// A leaf of a layout, and its path: the numbers of modes from the outermost in, from 0.
#[derive(Clone)]
pub struct Leaf {
    pub path: Vec<usize>,
    pub extent: i64,
    pub stride: i64,
    pub basis: Basis,
}

/// Writes the stride: `2@1@0` along a basis.
impl Display for Leaf {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", if self.basis.is_xor() { "^" } else { "" }, self.stride)?;
        (0..self.basis.len()).rev().try_for_each(|k| write!(f, "@{}", self.basis.step(k)))
    }
}

/// Returns the layout of an operand, or `None` if it is none or has unknown numbers. An integer `n` is the layout `n:1`.
pub fn layout_of(value: &Value) -> Option<Layout> {
    match value {
        Operand::Layout(l) => l.is_known().then_some(*l),
        Operand::Tuple(n) if n.is_scalar() => match ask(&format!("{}:1", n.leaf(0).value()?)) {
            Ok(Operand::Layout(l)) => Some(l),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the leaves, in order. An empty mode counts as the leaf `1:0`.
pub fn leaves(l: &Layout) -> Vec<Leaf> {
    let number = |n: crd2idx::algebra::value::SymInt| n.value().unwrap_or(0);
    let leaf = |(k, path)| Leaf { path, extent: number(l.extent(k)), stride: number(l.scale(k)), basis: l.basis(k) };
    paths(l.tree(), l.root(), &[]).into_iter().enumerate().map(leaf).collect()
}

fn paths(tree: &Tree<LEAVES>, at: TreeNode, path: &[usize]) -> Vec<Vec<usize>> {
    if tree.is_leaf(at) || (tree.is_empty(at) && !path.is_empty()) {
        return vec![path.to_vec()];
    }
    (0..).map_while(|k| Some(paths(tree, tree.mode(at, k)?, &[path, &[k]].concat()))).flatten().collect()
}

/// Returns the modes of a layout or a tuple, which are none for anything else.
pub fn modes(of: &Value) -> Vec<Value> {
    let get = |k| apply(Op::Get, &[*of, Operand::Tuple(TupleValue::integer(k)?)], &mut ExprGraph::<0>::new(Op::Get)).ok();
    (0..).map_while(get).collect()
}

/// Returns the number of coordinates of a layout, or `None` if it exceeds 64 bits.
pub fn size(l: &Layout) -> Option<i64> {
    match apply(Op::Size, &[Operand::Layout(*l)], &mut ExprGraph::<0>::new(Op::Size)).ok()? {
        Operand::Tuple(size) => size.leaf(0).value(),
        _ => None,
    }
}

/// Replaces the integers of a text by these, in order.
pub fn renumbered(text: &str, mut numbers: impl Iterator<Item = i64>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit() || c == '-') {
        let tail = rest[start..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        out.push_str(&rest[..start]);
        out.push_str(&numbers.next().map(|n| n.to_string()).unwrap_or_default());
        rest = tail;
    }
    out + rest
}

/// Splits a text at the character `by`, outside of all brackets.
pub fn split(text: &str, by: char) -> Vec<&str> {
    let mut open = 0;
    text.split(move |c| {
        open += match c {
            '(' | '[' | '<' | '{' => 1,
            ')' | ']' | '>' | '}' => -1,
            _ => 0,
        };
        c == by && open == 0
    })
    .collect()
}

/// Formats a path of modes, outermost first, like `1.0`.
pub fn dotted(path: &[usize]) -> String {
    path.iter().map(usize::to_string).collect::<Vec<_>>().join(".")
}
