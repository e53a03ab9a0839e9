//! Composed layouts as functions, evaluated by their definition: `c -> inner(offset + outer(c))`.

use super::{Layout, Tree};

/// The function that is applied last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum After {
    Nothing,
    /// `S<bits, base, shift>`.
    Swizzle(i64, i64, i64),
    Layout(Layout),
}

/// A layout, which may be swizzled or composed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub after: After,
    pub offset: Tree<i64>,
    pub outer: Layout,
}

/// Returns `x` with each target bit flipped whose source bit is set: the swizzle `S<bits, base, shift>`.
pub fn swizzled(bits: i64, base: i64, shift: i64, x: i64) -> i64 {
    let mut out = x;
    for k in 0..bits {
        let (source, target) = (base + k + shift.max(0), base + k + (-shift).max(0));
        out ^= ((x >> source) & 1) << target;
    }
    out
}

impl Function {
    pub fn plain(outer: Layout) -> Function {
        Function { after: After::Nothing, offset: Tree::Leaf(0), outer }
    }

    /// Returns this function with another outer layout.
    pub fn with_outer(&self, outer: Layout) -> Function {
        Function { outer, ..self.clone() }
    }

    pub fn shape(&self) -> Tree<i64> {
        self.outer.shape()
    }

    pub fn size(&self) -> i64 {
        self.outer.size()
    }

    /// Returns the value at the integer coordinate `c`: an integer, or a coordinate if strides move along coordinates.
    pub fn at(&self, c: i64) -> Tree<i64> {
        self.at_coordinate(&Tree::Leaf(c))
    }

    /// Returns the value at an integer, or at a tuple whose integers stand for whole modes.
    pub fn at_coordinate(&self, c: &Tree<i64>) -> Tree<i64> {
        let outer = value(&self.outer, &self.outer.digits(c), &[]);
        match (&self.after, plus(&self.offset, &outer)) {
            (After::Nothing, x) => x,
            (After::Swizzle(bits, base, shift), Tree::Leaf(x)) => Tree::Leaf(swizzled(*bits, *base, *shift, x)),
            (After::Swizzle(..), x) => panic!("a swizzle of the coordinate {x}"),
            (After::Layout(inner), x) => value(inner, &inner.digits(&x), &[]),
        }
    }

    pub fn values(&self) -> Vec<Tree<i64>> {
        (0..self.size()).map(|c| self.at(c)).collect()
    }

    /// Returns the value at every coordinate, or `None` if a value is not an integer.
    pub fn indices(&self) -> Option<Vec<i64>> {
        self.values().into_iter().map(|value| if let Tree::Leaf(x) = value { Some(x) } else { None }).collect()
    }

    /// Returns true if some strides are summed without carries, or a swizzle exchanges bits.
    pub fn exchanges(&self) -> bool {
        match &self.after {
            After::Nothing => self.outer.mixes(),
            After::Swizzle(..) => true,
            After::Layout(inner) => self.outer.mixes() || inner.mixes(),
        }
    }
}

/// Returns the sum of two coordinates, integer by integer. The shorter tuple continues with 0.
fn plus(a: &Tree<i64>, b: &Tree<i64>) -> Tree<i64> {
    match (a, b) {
        (Tree::Leaf(a), Tree::Leaf(b)) => Tree::Leaf(a + b),
        (Tree::Leaf(0), other) | (other, Tree::Leaf(0)) => other.clone(),
        (Tree::Node(a), Tree::Node(b)) => {
            let at = |modes: &[Tree<i64>], k: usize| modes.get(k).cloned().unwrap_or(Tree::Leaf(0));
            Tree::Node((0..a.len().max(b.len())).map(|k| plus(&at(a, k), &at(b, k))).collect())
        }
        (a, b) => panic!("{a} and {b} have no sum"),
    }
}

/// Returns the coordinate that the strides whose paths begin with `prefix` add up to, without `prefix`. It is an integer if all end there.
fn value(l: &Layout, digits: &[i64], prefix: &[usize]) -> Tree<i64> {
    let mut last = None;
    // A stride of 0 without a path is no coordinate.
    l.each(&mut |leaf| {
        if leaf.path.len() > prefix.len() && leaf.path.starts_with(prefix) {
            last = last.max(Some(leaf.path[prefix.len()]));
        }
    });
    match last {
        None => Tree::Leaf(l.along(prefix, digits)),
        Some(last) => Tree::Node((0..=last).map(|k| value(l, digits, &[prefix, &[k]].concat())).collect()),
    }
}

impl std::fmt::Display for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.after {
            After::Nothing => self.outer.fmt(f),
            After::Swizzle(bits, base, shift) => write!(f, "S<{bits},{base},{shift}> o {} o {}", self.offset, self.outer),
            After::Layout(inner) => write!(f, "{inner} o {} o {}", self.offset, self.outer),
        }
    }
}
