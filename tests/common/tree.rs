//! Nested tuples.

/// A leaf, or a tuple of trees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree<T> {
    Leaf(T),
    Node(Vec<Tree<T>>),
}

impl<T> Tree<T> {
    /// Calls `f` with each leaf, from the left.
    pub fn each<'t>(&'t self, f: &mut impl FnMut(&'t T)) {
        match self {
            Tree::Leaf(x) => f(x),
            Tree::Node(modes) => {
                for mode in modes {
                    mode.each(f);
                }
            }
        }
    }

    /// Appends the colexicographic coordinate of each leaf at `c` to `digits`. The last leaf is not reduced.
    pub fn push_digits(&self, extent: impl Fn(&T) -> i64, c: i64, digits: &mut Vec<i64>) {
        let (first, mut last, mut rest) = (digits.len(), c, c);
        self.each(&mut |leaf| {
            last = rest;
            let n = extent(leaf);
            digits.push(if n == 0 { rest } else { rest.rem_euclid(n) });
            rest = if n == 0 { 0 } else { rest.div_euclid(n) };
        });
        if let Some(digit) = digits[first..].last_mut() {
            *digit = last;
        }
    }
}

impl<T: Clone> Tree<T> {
    pub fn is_leaf(&self) -> bool {
        matches!(self, Tree::Leaf(_))
    }

    /// Returns the leaves, from the left.
    pub fn leaves(&self) -> Vec<T> {
        let mut leaves = Vec::new();
        self.each(&mut |leaf| leaves.push(leaf.clone()));
        leaves
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
        let mut product = 1;
        self.each(&mut |n| product *= n);
        product
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
        let mut digits = Vec::new();
        self.push_digits(|n| *n, c, &mut digits);
        self.filled(&digits)
    }
}

impl std::fmt::Display for Tree<i64> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(&i64::to_string))
    }
}
