//! Layouts, coordinates and tilers as trees that an account walks.

use super::statement::{Value, ask};
use crate::eval::LEAVES;
use crd2idx::algebra::tiler;
use crd2idx::error::Op;
use crd2idx::text::Operand;
use crd2idx::value::{Basis, ExprGraph, LayoutValue, Span, Tree as Nesting, TupleValue};
use std::fmt::{Display, Formatter, Result};

/// A leaf or a tuple.
#[derive(Clone)]
pub enum Tree<T> {
    Leaf(T),
    Tuple(Vec<Tree<T>>),
}

/// A mode without modes of its own.
#[derive(Clone, Copy)]
pub struct Leaf {
    pub extent: i64,
    pub stride: i64,
    pub basis: Basis,
}

pub type Layout = Tree<Leaf>;
/// `None` is `_`.
pub type Coordinate = Tree<Option<i64>>;

impl<T: Copy> Tree<T> {
    fn of<const N: usize>(nesting: &Nesting<N>, at: Span, leaf: &dyn Fn(usize) -> T) -> Tree<T> {
        if nesting.is_leaf(at) {
            return Tree::Leaf(leaf(at.lo));
        }
        let mut modes = Vec::new();
        let mut lo = at.lo;
        while lo < at.hi {
            let child = nesting.child_from(at, lo);
            modes.push(Tree::of(nesting, child, leaf));
            lo = child.hi;
        }
        Tree::Tuple(modes)
    }

    /// The leaves with the paths to them, in order.
    pub fn leaves(&self) -> Vec<(Vec<usize>, T)> {
        match self {
            Tree::Leaf(leaf) => vec![(Vec::new(), *leaf)],
            Tree::Tuple(modes) => {
                let below = modes.iter().enumerate().map(|(k, mode)| {
                    mode.leaves().into_iter().map(move |(mut path, leaf)| {
                        path.insert(0, k);
                        (path, leaf)
                    })
                });
                below.flatten().collect()
            }
        }
    }

    /// The modes; a leaf is its own only mode.
    pub fn modes(&self) -> &[Tree<T>] {
        match self {
            Tree::Leaf(_) => std::slice::from_ref(self),
            Tree::Tuple(modes) => modes,
        }
    }

    fn write(&self, f: &mut Formatter<'_>, leaf: &dyn Fn(&T, &mut Formatter<'_>) -> Result) -> Result {
        match self {
            Tree::Leaf(x) => leaf(x, f),
            Tree::Tuple(modes) => {
                f.write_str("(")?;
                for (k, mode) in modes.iter().enumerate() {
                    f.write_str(if k > 0 { "," } else { "" })?;
                    mode.write(f, leaf)?;
                }
                f.write_str(")")
            }
        }
    }
}

impl Layout {
    pub fn of_layout(l: &LayoutValue<LEAVES>) -> Option<Layout> {
        l.is_known().then(|| {
            let number = |n: crd2idx::value::SymInt| n.value().unwrap_or(0);
            let leaf = |k: usize| Leaf { extent: number(l.extent(k)), stride: number(l.scale(k)), basis: l.basis(k) };
            Tree::of(l.tree(), l.root(), &leaf)
        })
    }

    /// A layout of an operand; an integer `n` is `n:1`.
    pub fn of_value(value: &Value) -> Option<Layout> {
        match value {
            Operand::Layout(l) => Layout::of_layout(l),
            Operand::Tuple(n) if n.is_scalar() => Some(Layout::leaf(n.leaf(0).value()?, 1)),
            _ => None,
        }
    }

    pub fn leaf(extent: i64, stride: i64) -> Layout {
        Tree::Leaf(Leaf { extent, stride, basis: Basis::INTEGER })
    }

    /// The number of coordinates; `None` past 64 bits.
    pub fn size(&self) -> Option<i64> {
        let leaves = self.leaves();
        if leaves.iter().any(|(_, leaf)| leaf.extent == 0) {
            return Some(0);
        }
        leaves.iter().try_fold(1i64, |size, (_, leaf)| size.checked_mul(leaf.extent))
    }

    /// Whether no stride is along a basis.
    pub fn is_integer(&self) -> bool {
        self.leaves().iter().all(|(_, leaf)| leaf.basis.is_integer())
    }

    pub fn is_empty(&self) -> bool {
        self.leaves().iter().any(|(_, leaf)| leaf.extent == 0)
    }

    /// As the algebra's value.
    pub fn value(&self) -> std::result::Result<Value, String> {
        ask(&self.to_string()).map_err(|e| e.to_string())
    }

    /// As the layout that the algebra computes with.
    pub fn lay(&self) -> std::result::Result<LayoutValue<LEAVES>, String> {
        match self.value()? {
            Operand::Layout(l) => Ok(l),
            _ => Err("explain: no layout".into()),
        }
    }
}

impl Coordinate {
    pub fn of_ints(c: &TupleValue<LEAVES>) -> Coordinate {
        Tree::of(c.tree(), c.root(), &|k| c.leaf(k).value())
    }
}

impl Display for Layout {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.write(f, &|leaf, f| write!(f, "{}", leaf.extent))?;
        f.write_str(":")?;
        self.write(f, &|leaf, f| write!(f, "{leaf}"))
    }
}

/// The stride: `2@1@0` along a basis.
impl Display for Leaf {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", self.stride)?;
        (0..self.basis.len()).rev().try_for_each(|k| write!(f, "@{}", self.basis.step(k)))
    }
}

impl Display for Coordinate {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.write(f, &|leaf, f| match leaf {
            Some(leaf) => write!(f, "{leaf}"),
            None => f.write_str("_"),
        })
    }
}

/// A layout, `_`, or tilers mode by mode.
#[derive(Clone)]
pub enum Tiler {
    Layout(Layout),
    Keep,
    Modes(Vec<Tiler>),
}

impl Tiler {
    /// The tiler of an operand as it meets the modes of `a`; as it is where it does not fit them.
    pub fn of_value(value: &Value, a: &Layout) -> Option<Tiler> {
        let mut cx = ExprGraph::<0>::new(Op::Parse);
        let tiler = match value {
            Operand::Layout(l) => tiler::Tiler::layout(l),
            Operand::Tuple(shape) => tiler::Tiler::shape(shape, &cx).ok()?,
            Operand::Tiler(tiler) => *tiler,
            _ => return None,
        };
        let met = tiler.over(&a.lay().ok()?, &mut cx).unwrap_or(tiler);
        Tiler::of_text(&Operand::Tiler(met).to_string())
    }

    fn of_text(text: &str) -> Option<Tiler> {
        if text == "_" {
            return Some(Tiler::Keep);
        }
        match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(inside) => split(inside, ';').into_iter().map(Tiler::of_text).collect::<Option<_>>().map(Tiler::Modes),
            None => Layout::of_value(&ask(text).ok()?).map(Tiler::Layout),
        }
    }

    /// The layouts in the tiler, each with the mode of `a` it meets and the path to that.
    pub fn pairs(&self, a: &Layout, path: &[usize]) -> Vec<(Vec<usize>, Layout, Layout)> {
        match self {
            Tiler::Keep => Vec::new(),
            Tiler::Layout(t) => vec![(path.to_vec(), a.clone(), t.clone())],
            Tiler::Modes(modes) => {
                let below = modes.iter().zip(a.modes()).enumerate().map(|(k, (t, mode))| t.pairs(mode, &[path, &[k]].concat()));
                below.flatten().collect()
            }
        }
    }
}

/// The parts of a text between `by`, outside of all brackets.
pub fn split(text: &str, by: char) -> Vec<&str> {
    let (mut out, mut open, mut from) = (Vec::new(), 0, 0);
    for (k, c) in text.char_indices() {
        match c {
            '(' | '[' | '<' | '{' => open += 1,
            ')' | ']' | '>' | '}' => open -= 1,
            _ if c == by && open == 0 => {
                out.push(&text[from..k]);
                from = k + 1;
            }
            _ => {}
        }
    }
    out.push(&text[from..]);
    out
}

/// `1.0`
pub fn dotted(path: &[usize]) -> String {
    path.iter().map(usize::to_string).collect::<Vec<_>>().join(".")
}
