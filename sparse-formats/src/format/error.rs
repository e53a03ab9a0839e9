//! Why a format or its name is refused.

use super::LevelKind;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter, Result};

/// Why a format or its name is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// A token that names no kind of level, or a name without hyphens that is not made of such tokens.
    Token {
        /// The token.
        token: String,
    },
    /// A name of two or more levels without the orientation `R`, `C` or `X` at its end.
    Suffix {
        /// The name.
        name: String,
    },
    /// A name without hyphens, or for any rank, and no rank given.
    RankMissing {
        /// The name.
        name: String,
    },
    /// A name of another rank than the one given.
    RankGiven {
        /// The name.
        name: String,
        /// The rank given.
        rank: usize,
    },
    /// The orientation `X` without its list of axes, or a list that is none or another order than the orientation says.
    AxesGiven {
        /// The name.
        name: String,
    },
    /// An extension that has no meaning here, and might change that of the arrays, or one that is said twice.
    Extension {
        /// The extension.
        extension: String,
    },
    /// Not a permutation of at least so many axes.
    Axes {
        /// The axes.
        axes: Vec<usize>,
        /// The number of levels.
        levels: usize,
    },
    /// More axes than a tensor can have.
    Rank {
        /// The number of axes.
        rank: usize,
        /// The most there can be.
        most: usize,
    },
    /// The last level is not sparse, and coordinates may not repeat.
    Final {
        /// Its kind.
        kind: LevelKind,
    },
    /// Another number of flags than of levels.
    Flags {
        /// The number of flags.
        flags: usize,
        /// The number of levels.
        levels: usize,
    },
    /// A compressed level has no indices that could be unsorted.
    Unsorted {
        /// The level.
        level: usize,
    },
    /// Nodes of this level cannot be split, or not so that they keep this many children.
    Balanced {
        /// The level.
        level: usize,
        /// The most children.
        most: usize,
    },
}

impl FormatError {
    /// `levels/` and the kind of the error, the same in every version.
    pub const fn class(&self) -> &'static str {
        match self {
            FormatError::Token { .. } => "levels/token",
            FormatError::Suffix { .. } | FormatError::RankMissing { .. } | FormatError::RankGiven { .. } => "levels/name",
            FormatError::AxesGiven { .. } | FormatError::Axes { .. } => "levels/axes",
            FormatError::Extension { .. } => "levels/extension",
            FormatError::Rank { .. } => "levels/rank",
            FormatError::Final { .. } => "levels/final",
            FormatError::Flags { .. } | FormatError::Unsorted { .. } | FormatError::Balanced { .. } => "levels/flag",
        }
    }
}

impl Display for FormatError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            FormatError::Token { token } => {
                write!(f, "`{token}` is no level: S, C, DC, or D for a dense axis after the levels")?;
                // Letters in a row may have been meant as a name.
                if token.chars().count() > 2 {
                    f.write_str("; nor a format: CSR, CSC, DCSR, DCSC, SSR, SSC, VEC, COO, CSF")
                } else {
                    Ok(())
                }
            }
            FormatError::Suffix { name } => write!(f, "`{name}` lacks the orientation at its end: R, C, or X with the axes, X[1,2,0]"),
            FormatError::RankMissing { name } => {
                write!(f, "`{name}` may be of several ranks: write its levels with hyphens, C-S-S-R, or its axes, CSF[0,1,2]")
            }
            FormatError::RankGiven { name, rank } => write!(f, "`{name}` is not of rank {rank}"),
            FormatError::AxesGiven { name } => {
                write!(f, "`{name}`: X takes its list of axes, X[1,2,0], and no other list contradicts R or C")
            }
            FormatError::Extension { extension } => {
                write!(f, "`{extension}` is not a known extension, said once: multigraph, unsorted(levels), balanced(level,most)")
            }
            FormatError::Axes { axes, levels } => write!(f, "{axes:?} is not an order of the axes of {levels} levels or more"),
            FormatError::Rank { rank, most } => write!(f, "{rank} axes, but there can be {most} at most"),
            FormatError::Final { kind } => {
                write!(f, "the last level is {}, but only multigraphs have one that is not S", kind.token())
            }
            FormatError::Flags { flags, levels } => write!(f, "{flags} flags for {levels} levels"),
            FormatError::Unsorted { level } => write!(f, "level {level} is C: it has no indices that could be unsorted"),
            FormatError::Balanced { level, most } => {
                write!(
                    f,
                    "level {level} cannot have its nodes split to {most} children: only those of a DC level with pointers to single entries can"
                )
            }
        }
    }
}

impl core::error::Error for FormatError {}
