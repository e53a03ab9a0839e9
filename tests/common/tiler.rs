//! By-mode tilers.

use super::{Layout, Rng, Tree};
use std::fmt::{Display, Formatter, Result};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tiler {
    /// `_`: the mode stays as it is.
    Keep,
    Layout(Layout),
    Modes(Vec<Tiler>),
}

impl Display for Tiler {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Tiler::Keep => f.write_str("_"),
            Tiler::Layout(layout) => layout.fmt(f),
            Tiler::Modes(modes) => write!(f, "[{}]", modes.iter().map(Tiler::to_string).collect::<Vec<_>>().join(";")),
        }
    }
}

/// The way in which the pairs (tile, rest) of a by-mode divide are regrouped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gather {
    Zipped,
    Tiled,
    Flat,
}

impl Tiler {
    /// Returns the result of the zipped, tiled or flat operation, given the result of the logical one.
    pub fn regroup(&self, pairs: &Layout, how: Gather) -> Layout {
        let (first, second) = self.halves(pairs);
        let mut modes = if how == Gather::Flat { first.modes() } else { vec![first] };
        if how == Gather::Zipped {
            modes.push(second);
        } else {
            modes.extend(second.modes());
        }
        Tree::Node(modes)
    }

    /// Returns the tiles and the rests of `pairs`. A kept mode is a whole tile, and a mode without a tiler is a rest.
    fn halves(&self, pairs: &Layout) -> (Layout, Layout) {
        match self {
            Tiler::Keep => (pairs.clone(), super::layout::leaf(1, 0)),
            Tiler::Layout(_) => {
                let modes = pairs.modes();
                (modes[0].clone(), modes[1].clone())
            }
            Tiler::Modes(steps) => {
                let modes = pairs.modes();
                let (tiles, mut rests): (Vec<_>, Vec<_>) = steps.iter().zip(&modes).map(|(step, mode)| step.halves(mode)).unzip();
                rests.extend_from_slice(&modes[steps.len()..]);
                (Tree::Node(tiles), Tree::Node(rests))
            }
        }
    }
}

impl Rng {
    /// Returns a by-mode tiler for `layout`. `tile` makes the tiler of a mode that is not kept.
    pub fn tiler(&mut self, layout: &Layout, tile: &mut impl FnMut(&mut Rng, &Layout) -> Layout) -> Tiler {
        let modes = layout.modes();
        let named = 1 + self.below(modes.len());
        let steps = modes[..named].iter().map(|mode| match self.below(8) {
            0 => Tiler::Keep,
            1 if mode.rank() > 1 => self.tiler(mode, tile),
            _ => Tiler::Layout(tile(self, mode)),
        });
        Tiler::Modes(steps.collect())
    }
}
