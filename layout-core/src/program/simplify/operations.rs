//! How much a program computes.

use crate::heap::*;
use crate::program::Program;
use crate::value::{Node, SymInt};
use core::fmt;

/// How many operations of each kind a program has.
///
/// ```
/// use layout_core::program::Operations;
/// let operations = Operations { add: 2, shift: 1, ..Operations::default() };
/// assert_eq!(operations.total(), 3);
/// assert_eq!(operations.to_string(), "2 add, 1 shift");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Operations {
    /// Sums and differences.
    pub add: usize,
    /// Products, but for those by a power of two.
    pub mul: usize,
    /// Products with and quotients by a power of two.
    pub shift: usize,
    /// Remainders by a power of two.
    pub mask: usize,
    /// Other quotients.
    pub div: usize,
    /// Other remainders.
    pub rem: usize,
    /// Comparisons, selections, bitwise operations, look-ups, absolute values.
    pub other: usize,
}

impl Operations {
    /// All of them.
    pub const fn total(&self) -> usize {
        self.add + self.mul + self.shift + self.mask + self.div + self.rem + self.other
    }

    /// Counts a node of code `node` with the second operand `b`.
    pub(super) fn count(&mut self, node: u8, b: SymInt) {
        let power = b.value().is_some_and(|b| b > 0 && b & (b - 1) == 0);
        let is = |kind: Node| node == kind as u8;
        if is(Node::Add) || is(Node::Sub) {
            self.add += 1;
        } else if power && (is(Node::Mul) || is(Node::Div)) {
            self.shift += 1;
        } else if power && is(Node::Rem) {
            self.mask += 1;
        } else if is(Node::Mul) {
            self.mul += 1;
        } else if is(Node::Div) {
            self.div += 1;
        } else if is(Node::Rem) {
            self.rem += 1;
        } else if !is(Node::Input) && !is(Node::Pair) {
            self.other += 1;
        }
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
        let mut first = true;
        for (count, name) in kinds.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{}{count} {name}", if first { "" } else { ", " })?;
            first = false;
        }
        if first { f.write_str("none") } else { Ok(()) }
    }
}

impl Program {
    /// The operations that the outputs and conditions need, each node once.
    pub fn operations(&self) -> Operations {
        let mut out = Operations::default();
        let needed = self.reached(&self.results(), |_| false);
        for k in (0..self.scope.len).filter(|k| needed[*k]) {
            out.count(self.scope.node[k], SymInt::raw(self.scope.b[k]));
        }
        out
    }

    /// Tests whether node `k` is a quotient or a remainder, and not by a power of two.
    pub(in crate::program) fn divides(&self, k: usize) -> bool {
        let mut of = Operations::default();
        of.count(self.scope.node[k], SymInt::raw(self.scope.b[k]));
        of.div + of.rem > 0
    }

    /// The numbers of the outputs and the conditions.
    pub(in crate::program) fn results(&self) -> Vec<SymInt> {
        self.outputs.iter().map(|output| output.value).chain(self.conditions.iter().copied()).collect()
    }

    /// The nodes that `roots` are computed from, with themselves, not looking below nodes that `stop`.
    pub(in crate::program) fn reached(&self, roots: &[SymInt], stop: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut needed = vec![false; self.scope.len];
        roots.iter().filter_map(|x| x.node()).for_each(|k| needed[k] = true);
        for k in (0..self.scope.len).rev() {
            if needed[k] && !stop(k) {
                let operands = [self.scope.a[k], self.scope.b[k]];
                operands.into_iter().filter_map(|word| SymInt::raw(word).node()).for_each(|n| needed[n] = true);
            }
        }
        needed
    }
}
