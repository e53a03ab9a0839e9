//! Nested tuples.

/// A leaf, or a tuple of trees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree<T> {
    Leaf(T),
    Node(Vec<Tree<T>>),
}

impl<T: Clone> Tree<T> {
    pub fn is_leaf(&self) -> bool {
        matches!(self, Tree::Leaf(_))
    }

    /// Returns the leaves, from the left.
    pub fn leaves(&self) -> Vec<T> {
        match self {
            Tree::Leaf(x) => vec![x.clone()],
            Tree::Node(modes) => modes.iter().flat_map(Tree::leaves).collect(),
        }
    }

    /// Returns the modes of a tuple. A leaf is its own only mode.
    pub fn modes(&self) -> Vec<Tree<T>> {
        match self {
            Tree::Leaf(_) => vec![self.clone()],
            Tree::Node(modes) => modes.clone(),
        }
    }

    pub fn rank(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::Node(modes) => modes.len(),
        }
    }

    pub fn depth(&self) -> usize {
        match self {
            Tree::Leaf(_) => 0,
            Tree::Node(modes) => 1 + modes.iter().map(Tree::depth).max().unwrap_or(0),
        }
    }

    pub fn map<U>(&self, f: &mut impl FnMut(&T) -> U) -> Tree<U> {
        match self {
            Tree::Leaf(x) => Tree::Leaf(f(x)),
            Tree::Node(modes) => Tree::Node(modes.iter().map(|mode| mode.map(f)).collect()),
        }
    }

    /// Returns the tree of pairs of leaves, or `None` if the trees differ in nesting.
    pub fn zip<U: Clone>(&self, other: &Tree<U>) -> Option<Tree<(T, U)>> {
        match (self, other) {
            (Tree::Leaf(x), Tree::Leaf(y)) => Some(Tree::Leaf((x.clone(), y.clone()))),
            (Tree::Node(a), Tree::Node(b)) if a.len() == b.len() => {
                a.iter().zip(b).map(|(x, y)| x.zip(y)).collect::<Option<_>>().map(Tree::Node)
            }
            _ => None,
        }
    }

    /// Returns this nesting with the leaves `leaves`, from the left. Panics unless there are as many.
    pub fn filled<U: Clone>(&self, leaves: &[U]) -> Tree<U> {
        let mut next = leaves.iter();
        let tree = self.map(&mut |_| next.next().expect("as many leaves").clone());
        assert!(next.next().is_none(), "as many leaves");
        tree
    }

    /// Returns true if replacing leaves of `self` by tuples can give `other`.
    pub fn weakly_congruent<U: Clone>(&self, other: &Tree<U>) -> bool {
        match (self, other) {
            (Tree::Leaf(_), _) => true,
            (Tree::Node(a), Tree::Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.weakly_congruent(y)),
            _ => false,
        }
    }

    pub fn text(&self, leaf: &impl Fn(&T) -> String) -> String {
        match self {
            Tree::Leaf(x) => leaf(x),
            Tree::Node(modes) => format!("({})", modes.iter().map(|mode| mode.text(leaf)).collect::<Vec<_>>().join(",")),
        }
    }
}

impl Tree<i64> {
    pub fn product(&self) -> i64 {
        self.leaves().iter().product()
    }

    /// Returns true if `other` refines this shape: each leaf is replaced by extents with the same product.
    pub fn compatible(&self, other: &Tree<i64>) -> bool {
        match (self, other) {
            (Tree::Leaf(n), _) => *n == other.product(),
            (Tree::Node(a), Tree::Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.compatible(y)),
            _ => false,
        }
    }

    /// Returns the colexicographic coordinate of each leaf at `c`. The last leaf is not reduced.
    pub fn unravel(&self, c: i64) -> Tree<i64> {
        let extents = self.leaves();
        let mut rest = c;
        let mut digits = Vec::new();
        for (k, n) in extents.iter().enumerate() {
            if k + 1 == extents.len() {
                digits.push(rest);
            } else if *n == 0 {
                digits.push(rest);
                rest = 0;
            } else {
                digits.push(rest.rem_euclid(*n));
                rest = rest.div_euclid(*n);
            }
        }
        self.filled(&digits)
    }
}

impl std::fmt::Display for Tree<i64> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(&i64::to_string))
    }
}
