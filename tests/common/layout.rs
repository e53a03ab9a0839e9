//! A layout as a tree of (extent, stride), evaluated leaf by leaf.

use super::Tree;

/// One mode without sub-modes. The path is the coordinate that the stride moves along, outermost step first; an empty path means integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub extent: i64,
    pub stride: i64,
    pub path: Vec<usize>,
    /// Whether the stride is multiplied and summed without carries.
    pub xor: bool,
}

pub type Layout = Tree<Leaf>;

pub fn leaf(extent: i64, stride: i64) -> Layout {
    Tree::Leaf(Leaf { extent, stride, path: Vec::new(), xor: false })
}

/// Returns the flat layout of these (extent, stride) pairs.
pub fn flat(pairs: &[(i64, i64)]) -> Layout {
    Tree::Node(pairs.iter().map(|(extent, stride)| leaf(*extent, *stride)).collect())
}

impl Layout {
    pub fn shape(&self) -> Tree<i64> {
        self.map(&mut |leaf| leaf.extent)
    }

    pub fn size(&self) -> i64 {
        let mut size = 1;
        self.each(&mut |leaf| size *= leaf.extent);
        size
    }

    /// Returns the value along `path` at one coordinate for each leaf: the exclusive-or of XOR strides, plus the sum of the others.
    pub fn along(&self, path: &[usize], digits: &[i64]) -> i64 {
        let (mut sum, mut mixed, mut k) = (0, 0, 0);
        self.each(&mut |leaf| {
            match leaf.path == path {
                true if leaf.xor => mixed ^= carryless(digits[k], leaf.stride),
                true => sum += leaf.stride * digits[k],
                false => {}
            }
            k += 1;
        });
        mixed + sum
    }

    /// Returns the index of `c`, an integer or a tuple whose integers stand for whole modes.
    pub fn at_coordinate(&self, c: &Tree<i64>) -> i64 {
        match (self, c) {
            (_, Tree::Leaf(c)) => self.at(*c),
            _ => self.along(&[], &self.digits(c)),
        }
    }

    /// Returns the coordinate of each leaf; integers of `c` may stand for whole modes.
    pub fn digits(&self, c: &Tree<i64>) -> Vec<i64> {
        let mut digits = Vec::new();
        self.push_coordinate(c, &mut digits);
        digits
    }

    fn push_coordinate(&self, c: &Tree<i64>, digits: &mut Vec<i64>) {
        match (self, c) {
            (_, Tree::Leaf(c)) => self.push_digits(|leaf| leaf.extent, *c, digits),
            (Tree::Node(modes), Tree::Node(steps)) if modes.len() == steps.len() => {
                modes.iter().zip(steps).for_each(|(mode, step)| mode.push_coordinate(step, digits));
            }
            _ => panic!("the coordinate does not fit"),
        }
    }

    /// Returns the index of the integer coordinate `c`. The last leaf takes the whole quotient.
    pub fn at(&self, c: i64) -> i64 {
        self.along(&[], &self.digits(&Tree::Leaf(c)))
    }

    /// Returns the index of every coordinate, in colexicographic order.
    pub fn values(&self) -> Vec<i64> {
        self.values_along(&[])
    }

    pub fn values_along(&self, path: &[usize]) -> Vec<i64> {
        if self.mixes() {
            return (0..self.size()).map(|c| self.along(path, &self.digits(&Tree::Leaf(c)))).collect();
        }
        let mut values = vec![0];
        self.each(&mut |leaf| {
            let stride = if leaf.path == path { leaf.stride } else { 0 };
            let before = std::mem::take(&mut values);
            for c in 0..leaf.extent {
                // A loop over a slice is the fastest in a build that is not optimised.
                for value in &before {
                    values.push(value + c * stride);
                }
            }
        });
        values
    }

    /// Returns true if some stride is summed without carries.
    pub fn mixes(&self) -> bool {
        let mut mixes = false;
        self.each(&mut |leaf| mixes |= leaf.xor);
        mixes
    }

    /// Returns the distinct indices, ascending.
    pub fn image(&self) -> Vec<i64> {
        sorted_set(self.values())
    }

    pub fn is_injective(&self) -> bool {
        self.image().len() as i64 == self.size()
    }

    /// Returns every path that a stride moves along, without duplicates.
    pub fn paths(&self) -> Vec<Vec<usize>> {
        let mut paths: Vec<_> = self.leaves().into_iter().map(|leaf| leaf.path).collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// Returns the leaves that move: their extent is not 1, and their stride is not 0.
    pub fn moving(&self) -> Vec<Leaf> {
        self.leaves().into_iter().filter(|leaf| leaf.extent != 1 && leaf.stride != 0).collect()
    }

    /// Returns the modes of `self`, filled up with `1:0` to at least `rank`.
    pub fn padded(&self, rank: usize) -> Vec<Layout> {
        let mut modes = self.modes();
        while modes.len() < rank {
            modes.push(leaf(1, 0));
        }
        modes
    }
}

/// Returns the carryless product: the exclusive-or of `a` shifted by each bit of `b`.
fn carryless(a: i64, b: i64) -> i64 {
    let (mut product, mut bit) = (0, 0);
    while bit < 63 && b >> bit != 0 {
        product ^= if b >> bit & 1 == 1 { a << bit } else { 0 };
        bit += 1;
    }
    product
}

pub fn sorted(mut values: Vec<i64>) -> Vec<i64> {
    values.sort_unstable();
    values
}

pub fn sorted_set(values: Vec<i64>) -> Vec<i64> {
    let mut values = sorted(values);
    values.dedup();
    values
}

impl std::fmt::Display for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stride = |leaf: &Leaf| {
            let path: String = leaf.path.iter().rev().map(|step| format!("@{step}")).collect();
            format!("{}{}{path}", if leaf.xor { "^" } else { "" }, leaf.stride)
        };
        write!(f, "{}:{}", self.shape(), self.text(&stride))
    }
}
