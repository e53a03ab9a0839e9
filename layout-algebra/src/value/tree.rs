//! The nesting of a tuple, stored separately from its leaves.

/// The deepest nesting that a tree can record.
pub const MAX_DEPTH: u8 = 120;

/// The bit of a depth that marks a leaf as the stand-in of an empty tuple.
const STAND_IN: u8 = 0x80;

/// The nesting of an integer tuple with at most `N` leaves.
///
/// Leaf `k` lies inside `depth[k]` tuples; leaves `k` and `k + 1` share the outermost `join[k]` of them. The children of a tuple
/// inside `d` other tuples are the runs of its leaves between the joins equal to `d + 1`. To cut, wrap or concatenate trees, add
/// to these numbers.
///
/// `()` alone has no leaves. An empty tuple inside another has a *stand-in*: a marked leaf that is not an integer of the tuple. A
/// layout has extent 1 and stride 0 there; other tuples have the integer 1.
///
/// ```
/// use layout_algebra::{DynCoord, value::Tree};
/// let nested = DynCoord::<8>::parse("((2,4),(),5)")?;
/// let tree = nested.value().tree();
/// // Four leaves, because the empty tuple has a stand-in; three of them are integers.
/// assert_eq!((tree.len, tree.integers(), tree.is_stand_in(2)), (4, 3, true));
/// assert_eq!(((0..4).map(|k| tree.depth_of(k)).collect::<Vec<_>>(), tree.join[..3].to_vec()), (vec![2, 2, 2, 1], vec![2, 1, 1]));
/// let root = tree.root();
/// assert_eq!((tree.rank(root), tree.depth(root), tree.is_nesting()), (3, 2, true));
/// // `mode` finds a child by its number, `child_from` and `mode_end` by its first leaf.
/// let (pair, empty) = (tree.mode(root, 0).unwrap(), tree.mode(root, 1).unwrap());
/// assert_eq!((tree.child_from(root, 0), tree.mode_end(0)), (Some(pair), 2));
/// assert!(tree.is_empty(empty) && !tree.is_leaf(pair));
/// // The second tuple has a pair in place of a leaf of the first.
/// let (coarse, fine) = (DynCoord::<8>::parse("(2,7,7)")?, DynCoord::<8>::parse("(2,(1,1),7)")?);
/// let (coarse, fine) = (coarse.value().tree(), fine.value().tree());
/// assert!(coarse.weakly_congruent(coarse.root(), fine, fine.root()) && !coarse.congruent(coarse.root(), fine, fine.root()));
///
/// let mut built = Tree::<8>::empty();
/// built.push_empty(1, 0);
/// assert_eq!((built.len, built.integers()), (1, 0));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tree<const N: usize> {
    /// The number of leaves, stand-ins included.
    pub len: usize,
    /// The number of tuples around each leaf. The highest bit marks a stand-in.
    pub depth: [u8; N],
    /// The number of tuples that each leaf shares with the next.
    pub join: [u8; N],
}

/// A node of a tree: the leaves `lo..hi`, inside `level` tuples.
///
/// ```
/// use layout_algebra::DynCoord;
/// let shape = DynCoord::<8>::parse("((2,4),5)")?;
/// let tree = shape.value().tree();
/// let pair = tree.mode(tree.root(), 0).unwrap();
/// assert_eq!((pair.lo, pair.hi, pair.level), (0, 2, 1));
/// assert_eq!((pair.len(), pair.is_empty()), (2, false));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeNode {
    /// The index of the first leaf of the node.
    pub lo: usize,
    /// The index after the last leaf of the node.
    pub hi: usize,
    /// The number of tuples around the node.
    pub level: u8,
}

impl TreeNode {
    /// Returns the number of leaves.
    pub const fn len(self) -> usize {
        self.hi - self.lo
    }

    /// Returns true for a node without leaves.
    pub const fn is_empty(self) -> bool {
        self.hi == self.lo
    }
}

impl<const N: usize> Tree<N> {
    /// Returns the empty tuple `()`.
    pub const fn empty() -> Self {
        Tree { len: 0, depth: [0; N], join: [0; N] }
    }

    /// Returns true if the numbers describe a nesting: every leaf lies in the tuples that it shares with its neighbours, the last
    /// leaf shares none, and a stand-in lies in another tuple.
    pub const fn is_nesting(&self) -> bool {
        if self.len > N || self.len > 0 && self.join[self.len - 1] != 0 {
            return false;
        }
        each!(k, 0..self.len, {
            let (depth, own) = (self.depth_of(k), self.is_stand_in(k) as u8);
            let before = k == 0 || self.shares(k, self.join[k - 1]);
            let after = k + 1 == self.len || self.shares(k, self.join[k]);
            if depth > MAX_DEPTH + own || depth < 2 * own || !before || !after {
                return false;
            }
        });
        true
    }

    /// Returns true if leaf `k` can share `tuples` tuples with a neighbour. A stand-in cannot share its empty tuple.
    const fn shares(&self, k: usize, tuples: u8) -> bool {
        tuples >= 1 && tuples as usize + self.is_stand_in(k) as usize <= self.depth_of(k) as usize
    }

    /// Returns the node of the whole tree.
    #[inline(always)]
    pub const fn root(&self) -> TreeNode {
        TreeNode { lo: 0, hi: self.len, level: 0 }
    }

    /// Returns true if leaf `k` is the stand-in of an empty tuple.
    #[inline(always)]
    pub const fn is_stand_in(&self, k: usize) -> bool {
        self.depth[k] >= STAND_IN
    }

    /// Returns true if `at` is the tuple `()`.
    #[inline(always)]
    pub const fn is_empty(&self, at: TreeNode) -> bool {
        at.hi == at.lo || (at.hi == at.lo + 1 && self.depth[at.lo] == (STAND_IN | (at.level + 1)))
    }

    /// Returns the number of tuples around leaf `k`.
    #[inline(always)]
    pub const fn depth_of(&self, k: usize) -> u8 {
        self.depth[k] & !STAND_IN
    }

    /// Returns the number of integers: the leaves that are not stand-ins.
    pub const fn integers(&self) -> usize {
        let mut count = 0;
        each!(k, 0..self.len, {
            count += !self.is_stand_in(k) as usize;
        });
        count
    }

    /// Returns true if `at` is an integer, not a tuple.
    #[inline(always)]
    pub const fn is_leaf(&self, at: TreeNode) -> bool {
        at.hi == at.lo + 1 && self.depth[at.lo] == at.level
    }

    /// Returns the child of the tuple `at` that begins at leaf `lo`, or `None` past the last. `lo = child.hi` selects the next.
    #[inline]
    pub const fn child_from(&self, at: TreeNode, lo: usize) -> Option<TreeNode> {
        if lo >= at.hi || self.is_empty(at) {
            return None;
        }
        let level = at.level + 1;
        let mut hi = lo + 1;
        while hi < at.hi && self.join[hi - 1] > level {
            hi += 1;
        }
        Some(TreeNode { lo, hi, level })
    }

    /// Returns the end of the top-level mode that begins at leaf `lo`.
    #[inline]
    pub const fn mode_end(&self, lo: usize) -> usize {
        match self.child_from(self.root(), lo) {
            Some(mode) if !self.is_leaf(self.root()) => mode.hi,
            _ => self.len,
        }
    }

    /// Returns the number of modes of the node `at`: 1 for an integer.
    pub const fn rank(&self, at: TreeNode) -> usize {
        if self.is_leaf(at) {
            return 1;
        }
        let mut rank = !self.is_empty(at) as usize;
        let mut k = at.lo;
        while k + 1 < at.hi {
            rank += (self.join[k] == at.level + 1) as usize;
            k += 1;
        }
        rank
    }

    /// Returns mode number `mode`, from 0, of the node `at`, or `None` past its rank. An integer has itself as mode 0.
    pub const fn mode(&self, at: TreeNode, mode: usize) -> Option<TreeNode> {
        if self.is_leaf(at) {
            return if mode == 0 { Some(at) } else { None };
        }
        let mut lo = at.lo;
        let mut k = 0;
        while let Some(child) = self.child_from(at, lo) {
            if k == mode {
                return Some(child);
            }
            lo = child.hi;
            k += 1;
        }
        None
    }

    /// Returns the number of nested tuples, `at` included: 0 for an integer.
    pub const fn depth(&self, at: TreeNode) -> usize {
        if at.is_empty() {
            return 1;
        }
        let mut deepest = 0;
        each!(k, at.lo..at.hi, {
            if self.depth_of(k) > deepest {
                deepest = self.depth_of(k);
            }
        });
        (deepest - at.level) as usize
    }

    /// Returns true if `at` inside `level` tuples would be nested deeper than [`MAX_DEPTH`].
    pub(crate) const fn too_deep(&self, at: TreeNode, level: u8) -> bool {
        self.depth(at) + level as usize > MAX_DEPTH as usize && !at.is_empty()
    }

    /// Returns true if the node `at` and the node `to` of `other` are nested alike.
    pub const fn congruent<const M: usize>(&self, at: TreeNode, other: &Tree<M>, to: TreeNode) -> bool {
        if self.is_empty(at) || other.is_empty(to) {
            return self.is_empty(at) && other.is_empty(to);
        }
        if at.len() != to.len() {
            return false;
        }
        each!(k, 0..at.len(), {
            if self.depth[at.lo + k] - at.level != other.depth[to.lo + k] - to.level {
                return false;
            }
            if k + 1 < at.len() && self.join[at.lo + k] - at.level != other.join[to.lo + k] - to.level {
                return false;
            }
        });
        true
    }

    /// Returns true if replacing leaves of the node `at` by tuples can give the nesting of the node `to` of `other`.
    pub const fn weakly_congruent<const M: usize>(&self, at: TreeNode, other: &Tree<M>, to: TreeNode) -> bool {
        if self.is_leaf(at) {
            return true;
        }
        if other.is_leaf(to) {
            return false;
        }
        let (mut a, mut b) = (at.lo, to.lo);
        loop {
            match (self.child_from(at, a), other.child_from(to, b)) {
                (Some(x), Some(y)) => {
                    if !self.weakly_congruent(x, other, y) {
                        return false;
                    }
                    a = x.hi;
                    b = y.hi;
                }
                (None, None) => return true,
                _ => return false,
            }
        }
    }

    /// Appends the node `from` inside `level` tuples, of which it shares `join` with the leaf before. The caller has checked the capacity.
    pub(crate) const fn push<const M: usize>(&mut self, other: &Tree<M>, from: TreeNode, level: u8, join: u8) {
        if other.is_empty(from) {
            return self.push_empty(level, join);
        }
        if self.len > 0 {
            self.join[self.len - 1] = join;
        }
        each!(k, from.lo..from.hi, {
            self.depth[self.len] = other.depth[k] - from.level + level;
            self.join[self.len] = if k + 1 < from.hi { other.join[k] - from.level + level } else { 0 };
            self.len += 1;
        });
    }

    /// Appends one leaf inside `level` tuples, which shares `join` of them with the leaf before it. Panics if there are `N` leaves.
    pub(crate) const fn push_leaf(&mut self, level: u8, join: u8) {
        if self.len > 0 {
            self.join[self.len - 1] = join;
        }
        self.depth[self.len] = level;
        self.join[self.len] = 0;
        self.len += 1;
    }

    /// Appends the stand-in of an empty tuple inside `level` others. At level 0 the tuple is `()`, which has no stand-in.
    pub const fn push_empty(&mut self, level: u8, join: u8) {
        if level > 0 {
            self.push_leaf(STAND_IN | (level + 1), join);
        }
    }
}
