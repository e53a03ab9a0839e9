//! Writing the notation.

use super::Text;
use super::parse::{Composed, Inner, Operand};
use crate::algebra::tiler::Tiler;
use crate::value::{Basis, Ints, Lay, Num, Tree};
use core::fmt::{Display, Formatter, Result, Write};

/// Leaf `k` of a tree with the parentheses and the comma around it.
pub(crate) const fn leaf_text<const N: usize, const C: usize>(tree: &Tree<N>, k: usize, value: Num, basis: Basis, out: &mut Text<C>) {
    let before = if k == 0 { 0 } else { tree.join[k - 1] };
    let after = if k + 1 == tree.len { 0 } else { tree.join[k] };
    if k > 0 {
        out.push(b',');
    }
    let mut open = before;
    while open < tree.depth[k] {
        out.push(b'(');
        open += 1;
    }
    match value.value() {
        Some(value) => out.push_int(value),
        None => out.push(if value.is_keep() { b'_' } else { b'?' }),
    }
    let mut step = basis.len();
    while step > 0 {
        step -= 1;
        out.push(b'@');
        out.push_int(basis.step(step) as i64);
    }
    while open > after {
        out.push(b')');
        open -= 1;
    }
}

/// `shape:stride` in `const` context.
pub(crate) const fn layout_text<const N: usize, const C: usize>(l: &Lay<N>) -> Text<C> {
    let mut out = Text::EMPTY;
    if l.is_empty() {
        out.push_str("():()");
        return out;
    }
    let mut k = 0;
    while k < l.len() {
        leaf_text(&l.tree, k, l.extent(k), Basis(0), &mut out);
        k += 1;
    }
    out.push(b':');
    k = 0;
    while k < l.len() {
        leaf_text(&l.tree, k, l.scale(k), l.basis(k), &mut out);
        k += 1;
    }
    out
}

/// Room for one leaf inside as many tuples as a tree can record.
type Leaf = Text<512>;

fn write_tuple<const N: usize>(f: &mut impl Write, tree: &Tree<N>, leaf: impl Fn(usize) -> (Num, Basis)) -> Result {
    if tree.len == 0 {
        return f.write_str("()");
    }
    for k in 0..tree.len {
        let mut text = Leaf::EMPTY;
        let (value, basis) = leaf(k);
        leaf_text(tree, k, value, basis, &mut text);
        f.write_str(text.as_str())?;
    }
    Ok(())
}

impl<const N: usize> Display for Ints<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write_tuple(f, &self.tree, |k| (self.leaf(k), Basis(0)))
    }
}

impl<const N: usize> Display for Lay<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write_tuple(f, &self.tree, |k| (self.extent(k), Basis(0)))?;
        f.write_char(':')?;
        self.write_stride(f)
    }
}

impl<const N: usize> Lay<N> {
    fn write_stride(&self, f: &mut Formatter<'_>) -> Result {
        write_tuple(f, &self.tree, |k| (self.scale(k), self.basis(k)))
    }
}

impl<const N: usize> Display for Tiler<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.write(f, self.root())
    }
}

impl<const N: usize> Tiler<N> {
    fn write(&self, f: &mut Formatter<'_>, node: crate::value::Span) -> Result {
        if self.is_keep(node) {
            return f.write_char('_');
        }
        if !self.is_by_mode(node) {
            return write!(f, "{}", self.lay.part(node));
        }
        let mut lo = node.lo;
        while lo < node.hi {
            let child = self.lay.tree.child_from(node, lo);
            f.write_char(if lo == node.lo { '[' } else { ';' })?;
            self.write(f, child)?;
            lo = child.hi;
        }
        f.write_char(']')
    }
}

impl<const N: usize> Display for Inner<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Inner::Swizzle(swizzle) => swizzle.fmt(f),
            Inner::Layout(layout) => layout.fmt(f),
        }
    }
}

impl<const N: usize> Display for Composed<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} o {} o {}", self.inner, self.offset, self.outer)
    }
}

impl<const N: usize> Display for Operand<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Operand::Ints(x) => x.fmt(f),
            Operand::Strides(x) => x.write_stride(f),
            Operand::Layout(x) => x.fmt(f),
            Operand::Tiler(x) => x.fmt(f),
            Operand::Swizzle(x) => x.fmt(f),
            Operand::Composed(x) => x.fmt(f),
        }
    }
}
