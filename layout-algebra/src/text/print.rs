//! The printer of the notation.

use crate::algebra::operands::{ComposedValue, Inner, Operand};
use crate::algebra::tiler::Tiler;
use crate::error::Text;
use crate::value::{Basis, ExprGraph, Facts, LayoutValue, SymInt, Tree, TupleValue};
use core::fmt::{Display, Formatter, Result, Write};

/// Appends leaf `k` of a tree, with the parentheses and the comma around it.
///
/// A run-time number is `?`. Facts beyond `?{div=1,min=1}` are printed.
pub(crate) const fn leaf_text<const N: usize, const C: usize>(
    tree: &Tree<N>,
    k: usize,
    value: SymInt,
    basis: Basis,
    facts: Facts,
    out: &mut Text<C>,
) {
    let before = if k == 0 { 0 } else { tree.join[k - 1] };
    let after = if k + 1 == tree.len { 0 } else { tree.join[k] };
    if k > 0 {
        out.push(b',');
    }
    let mut open = before;
    while open < tree.depth_of(k) {
        out.push(b'(');
        open += 1;
    }
    if !tree.is_stand_in(k) {
        integer_text(value, basis, facts, out);
    }
    while open > after {
        out.push(b')');
        open -= 1;
    }
}

/// Appends an integer: `8`, `_`, `?{div=8}`, `1@0`, `^9`.
const fn integer_text<const C: usize>(value: SymInt, basis: Basis, facts: Facts, out: &mut Text<C>) {
    if basis.is_xor() {
        out.push(b'^');
    }
    match value.value() {
        Some(value) => out.push_int(value),
        None if value.is_keep() => out.push(b'_'),
        None => {
            out.push(b'?');
            facts_text(facts, out);
        }
    }
    let mut step = basis.len();
    while step > 0 {
        step -= 1;
        out.push(b'@');
        out.push_int(basis.step(step) as i64);
    }
}

/// Appends `{div=8,min=2,max=4096}`, or nothing.
const fn facts_text<const C: usize>(facts: Facts, out: &mut Text<C>) {
    let mut before = b'{';
    let known = [("div=", facts.div, facts.div != 1), ("min=", facts.lo, facts.lo > 1), ("max=", facts.hi, facts.hi < i64::MAX)];
    each!(k, 0..known.len(), {
        if known[k].2 {
            out.push(before);
            out.push_str(known[k].0);
            out.push_int(known[k].1);
            before = b',';
        }
    });
    if before == b',' {
        out.push(b'}');
    }
}

/// Returns the text `shape:stride`, in `const` context.
///
/// ```
/// use layout_algebra::error::{Op, Text, refuse};
/// use layout_algebra::text::{Parser, layout_text};
/// use layout_algebra::value::ExprGraph;
/// const TEXT: Text<64> = match Parser::new("( 8, 6 ) : ( ^9, ^1 )").layout::<4, 0>(&mut ExprGraph::new(Op::Parse)) {
///     Ok(layout) => layout_text(&layout),
///     Err(error) => refuse(error),
/// };
/// assert_eq!(TEXT.as_str(), "(8,6):(^9,^1)");
/// ```
pub const fn layout_text<const N: usize, const C: usize>(l: &LayoutValue<N>) -> Text<C> {
    let mut out = Text::EMPTY;
    if l.is_empty() {
        out.push_str("():()");
        return out;
    }
    each!(k, 0..l.len(), {
        leaf_text(&l.tree, k, l.extent(k), Basis(0), Facts::NATURAL, &mut out);
    });
    out.push(b':');
    each!(k, 0..l.len(), {
        leaf_text(&l.tree, k, l.scale(k), l.basis(k), Facts::NATURAL, &mut out);
    });
    out
}

/// A buffer for one leaf with the parentheses of the deepest tree.
type Leaf = Text<512>;

/// A function that returns the facts about a number, for its text.
type FactsOf<'a> = &'a dyn Fn(SymInt) -> Facts;

fn write_tuple<const N: usize>(
    f: &mut Formatter<'_>,
    tree: &Tree<N>,
    known: FactsOf<'_>,
    leaf: impl Fn(usize) -> (SymInt, Basis),
) -> Result {
    if tree.len == 0 {
        return f.write_str("()");
    }
    for k in 0..tree.len {
        let mut text = Leaf::EMPTY;
        let (value, basis) = leaf(k);
        leaf_text(tree, k, value, basis, known(value), &mut text);
        f.write_str(text.as_str())?;
    }
    Ok(())
}

impl<const N: usize> TupleValue<N> {
    fn write(&self, f: &mut Formatter<'_>, known: FactsOf<'_>) -> Result {
        write_tuple(f, &self.tree, known, |k| (self.leaf(k), Basis(0)))
    }
}

impl<const N: usize> LayoutValue<N> {
    fn write(&self, f: &mut Formatter<'_>, known: FactsOf<'_>) -> Result {
        write_tuple(f, &self.tree, known, |k| (self.extent(k), Basis(0)))?;
        f.write_char(':')?;
        self.write_stride(f, known)
    }

    fn write_stride(&self, f: &mut Formatter<'_>, known: FactsOf<'_>) -> Result {
        write_tuple(f, &self.tree, known, |k| (self.scale(k), self.basis(k)))
    }
}

impl<const N: usize> Tiler<N> {
    fn write(&self, f: &mut Formatter<'_>, node: crate::value::TreeNode, known: FactsOf<'_>) -> Result {
        if self.is_keep(node) {
            return f.write_char('_');
        }
        if !self.is_by_mode(node) {
            return self.lay.part(node).write(f, known);
        }
        let mut lo = node.lo;
        while let Some(child) = self.lay.tree.child_from(node, lo) {
            f.write_char(if lo == node.lo { '[' } else { ';' })?;
            self.write(f, child, known)?;
            lo = child.hi;
        }
        f.write_char(']')
    }
}

impl<const N: usize> Inner<N> {
    fn write(&self, f: &mut Formatter<'_>, known: FactsOf<'_>) -> Result {
        match self {
            Inner::Swizzle(swizzle) => swizzle.fmt(f),
            Inner::Layout(layout) => layout.write(f, known),
        }
    }
}

impl<const N: usize> Operand<N> {
    fn write(&self, f: &mut Formatter<'_>, known: FactsOf<'_>) -> Result {
        match self {
            Operand::Tuple(x) => x.write(f, known),
            Operand::Strides(x) => x.write_stride(f, known),
            Operand::Layout(x) => x.write(f, known),
            Operand::Tiler(x) => x.write(f, x.root(), known),
            Operand::Swizzle(x) => x.fmt(f),
            Operand::Composed(ComposedValue { inner, offset, outer }) => {
                inner.write(f, known)?;
                f.write_str(" o ")?;
                offset.write(f, known)?;
                f.write_str(" o ")?;
                outer.write(f, known)
            }
        }
    }

    /// Returns a displayable form with the facts of `scope` about the run-time numbers: `(?{div=8},4):(1,?)`.
    ///
    /// ```
    /// use layout_algebra::{error::Op, expression::evaluate, value::ExprGraph};
    /// let mut scope = ExprGraph::<8>::new(Op::Parse);
    /// let tiles = evaluate::<8, 8>("logical_divide(?{div=32}:1, 8)", &mut scope)?;
    /// assert_eq!(tiles.with_facts(&scope).to_string(), "(8,?{div=4}):(1,8)");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn with_facts<'a, const E: usize>(&'a self, scope: &'a ExprGraph<E>) -> impl Display + 'a {
        WithFacts(self, scope)
    }
}

struct WithFacts<'a, const N: usize, const E: usize>(&'a Operand<N>, &'a ExprGraph<E>);

impl<const N: usize, const E: usize> Display for WithFacts<'_, N, E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0.write(f, &|x| self.1.facts(x))
    }
}

/// Returns the facts of a number of which nothing is known.
fn unknown(_: SymInt) -> Facts {
    Facts::NATURAL
}

macro_rules! display {
    ($($type:ident $(, $root:ident)?;)*) => { $(
        impl<const N: usize> Display for $type<N> {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                self.write(f, $(self.$root(),)? &unknown)
            }
        }
    )* };
}

display! { TupleValue; LayoutValue; Tiler, root; Inner; Operand; }
