//! Counts the operations of a program, and finds the nodes that its results need.

use crate::program::{Decoded, Program};
use core::fmt;
use layout_algebra::heap::*;
use layout_algebra::value::{Node, SymInt};

/// The number of operations of each kind in a program.
///
/// ```
/// use coordinate_graph::program::Operations;
/// let operations = Operations { add: 2, shift: 1, ..Operations::default() };
/// assert_eq!(operations.total(), 3);
/// assert_eq!(operations.to_string(), "2 add, 1 shift");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Operations {
    /// The number of sums and differences.
    pub add: usize,
    /// The number of products, except by a power of two.
    pub mul: usize,
    /// The number of products and quotients by a power of two.
    pub shift: usize,
    /// The number of remainders by a power of two.
    pub mask: usize,
    /// The number of other quotients.
    pub div: usize,
    /// The number of other remainders.
    pub rem: usize,
    /// The number of comparisons, selections, bitwise operations, look-ups and absolute values.
    pub other: usize,
}

impl Operations {
    /// Returns the number of all operations.
    pub const fn total(&self) -> usize {
        self.add + self.mul + self.shift + self.mask + self.div + self.rem + self.other
    }

    /// Counts a node.
    pub(super) fn count(&mut self, node: Decoded) {
        let power = matches!(node, Decoded::Two(_, _, b) if b.value().is_some_and(|b| b > 0 && b & (b - 1) == 0));
        let count = match node {
            Decoded::Input(_) | Decoded::Pair => return,
            Decoded::Two(Node::Add | Node::Sub, ..) => &mut self.add,
            Decoded::Two(Node::Mul | Node::Div, ..) if power => &mut self.shift,
            Decoded::Two(Node::Rem, ..) if power => &mut self.mask,
            Decoded::Two(Node::Mul, ..) => &mut self.mul,
            Decoded::Two(Node::Div, ..) => &mut self.div,
            Decoded::Two(Node::Rem, ..) => &mut self.rem,
            _ => &mut self.other,
        };
        *count += 1;
    }
}

impl fmt::Display for Operations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.add, "add"),
            (self.mul, "mul"),
            (self.shift, "shift"),
            (self.mask, "mask"),
            (self.div, "div"),
            (self.rem, "rem"),
            (self.other, "other"),
        ];
        let counts: Vec<String> = kinds.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
        f.write_str(if counts.is_empty() { "none".into() } else { counts.join(", ") }.as_str())
    }
}

impl Program {
    /// Returns the operations that the outputs and conditions need. Each node counts once.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Operations, Program};
    /// let index = Program::parse_layout("(12,16):(1,16)", Coordinates::Linear)?;
    /// // i % 12 + i / 12 * 16 is i + i / 12 * 4.
    /// assert_eq!(index.operations(), Operations { add: 1, shift: 1, div: 1, ..Operations::default() });
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn operations(&self) -> Operations {
        let mut out = Operations::default();
        let needed = self.reached(&self.results(), &|_| false);
        for k in (0..self.scope.len).filter(|k| needed[*k]) {
            out.count(self.node(k));
        }
        out
    }

    /// Returns true if node `k` is a quotient or a remainder, but not by a power of two.
    pub(in crate::program) fn divides(&self, k: usize) -> bool {
        let mut of = Operations::default();
        of.count(self.node(k));
        of.div + of.rem > 0
    }

    /// Returns the nodes of the outputs, then of the conditions.
    pub(in crate::program) fn results(&self) -> Vec<SymInt> {
        self.outputs.iter().map(|output| output.value).chain(self.conditions.iter().copied()).collect()
    }

    /// Returns for each node whether it is one of `roots` or needed for them. Operands of nodes for which `stop` is true
    /// are not followed.
    pub(in crate::program) fn reached(&self, roots: &[SymInt], stop: &dyn Fn(usize) -> bool) -> Vec<bool> {
        let mut needed = vec![false; self.scope.len];
        for x in roots {
            if let Some(k) = x.node() {
                needed[k] = true;
            }
        }
        for k in (0..self.scope.len).rev() {
            if needed[k] && !stop(k) {
                for word in [self.scope.a[k], self.scope.b[k]] {
                    if let Some(n) = SymInt::raw(word).node() {
                        needed[n] = true;
                    }
                }
            }
        }
        needed
    }
}
