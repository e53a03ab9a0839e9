//! Reads nested tuples, whose leaves `leaf.rs` reads.

use super::cursor::Cursor;
use super::leaf::{Leaf, leaf};
use crate::diag::{Error, Extent, Result};
use proc_macro2::{Delimiter, Span};

/// The maximum number of modes of a tuple type.
pub const MAX_RANK: usize = 16;

/// The message that refuses `(4:1, 8:2)`.
pub const LAYOUTS_IN_TUPLE: &str = "a tuple has no layouts inside; a tuple of tilers has brackets: `[4:1;8:2]`";

/// A leaf, or a tuple of leaves and tuples.
pub enum Tree {
    /// A leaf.
    Leaf(Leaf),
    /// A tuple. Parentheses alone always make one.
    Tuple {
        /// The modes.
        modes: Vec<Tree>,
        /// The range of the tokens, with the parentheses.
        at: Extent,
        /// The parentheses as one span, for the tokens of generated parentheses.
        span: Span,
    },
}

impl Tree {
    /// Returns the range of the tokens of the leaf or the tuple.
    pub fn at(&self) -> Extent {
        match self {
            Tree::Leaf(leaf) => leaf.at,
            Tree::Tuple { at, .. } => *at,
        }
    }

    /// Returns the first leaf for which `property` is true; `None` if there is none.
    pub fn find(&self, property: impl Fn(&Leaf) -> bool + Copy) -> Option<&Leaf> {
        match self {
            Tree::Leaf(leaf) => Some(leaf).filter(|leaf| property(leaf)),
            Tree::Tuple { modes, .. } => modes.iter().find_map(|mode| mode.find(property)),
        }
    }

    /// Returns the node that a mode path leads to, or the last node on the path that exists.
    pub fn node(&self, path: &[u8]) -> &Tree {
        match (self, path) {
            (Tree::Tuple { modes, .. }, [first, rest @ ..]) => modes.get(*first as usize).map_or(self, |mode| mode.node(rest)),
            _ => self,
        }
    }
}

/// Reads a leaf or a tuple. Fails at a leaf or a separator that does not fit.
pub fn tree(cursor: &mut Cursor) -> Result<Tree> {
    match cursor.group(0, Delimiter::Parenthesis).cloned() {
        // If other tokens follow the parentheses, they belong to an expression: `(a + b) * 2`.
        Some(group) if cursor.is_separator(1) => {
            cursor.next();
            let modes = modes(&mut Cursor::inside(&group), Vec::new())?;
            Ok(Tree::Tuple { modes, at: Extent::group(&group), span: group.span() })
        }
        _ => leaf(cursor).map(Tree::Leaf),
    }
}

/// Reads all remaining tokens as a leaf or a tuple: one mode alone is itself, and several modes are a tuple. Fails as
/// `tree` does.
pub fn arguments(cursor: &mut Cursor) -> Result<Tree> {
    let start = cursor.here();
    let first = tree(cursor)?;
    if cursor.is_done() {
        return Ok(first);
    }
    comma(cursor)?;
    let modes = modes(cursor, vec![first])?;
    let at = start.to(modes[modes.len() - 1].at());
    Ok(Tree::Tuple { modes, at, span: Span::call_site() })
}

/// Reads the remaining modes and appends them to `modes`. Fails if there are more than `MAX_RANK`, or as `tree` does.
fn modes(cursor: &mut Cursor, mut modes: Vec<Tree>) -> Result<Vec<Tree>> {
    while !cursor.is_done() {
        if modes.len() == MAX_RANK {
            return Err(Error::new(cursor.here(), format!("a tuple has at most {MAX_RANK} modes: nest them")));
        }
        modes.push(tree(cursor)?);
        if !cursor.is_done() {
            comma(cursor)?;
        }
    }
    Ok(modes)
}

fn comma(cursor: &mut Cursor) -> Result<()> {
    if cursor.is_mark(0, ':') {
        return Err(Error::new(cursor.here(), LAYOUTS_IN_TUPLE));
    }
    match cursor.skip(',') {
        true => Ok(()),
        false => cursor.finish("`,`"),
    }
}
