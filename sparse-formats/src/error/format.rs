//! Why a format, its name, or groups of axes are refused.

use super::from_fn;
use alloc::string::String;
use alloc::vec::Vec;

layout_core::errors! {
    /// Why a format, its name, or groups of axes are refused.
    FormatError {
        /// A token that names no kind of level, or a name without hyphens that is not made of such tokens.
        Token { token: String } => "levels/token", "`{token}` is no level: S, C, DC, or D for a dense axis after the levels{}",
            // Letters in a row may have been meant as a name.
            if token.chars().count() > 2 { "; nor a format: CSR, CSC, DCSR, DCSC, SSR, SSC, VEC, COO, CSF" } else { "" };
        /// A name of two or more levels without the orientation `R`, `C` or `X` at its end.
        Suffix { name: String } => "levels/name", "`{name}` lacks the orientation at its end: R, C, or X with the axes, X[1,2,0]";
        /// A name without hyphens, or for any rank, and no rank given.
        RankMissing { name: String } =>
            "levels/name", "`{name}` may be of several ranks: write its levels with hyphens, C-S-S-R, or its axes, CSF[0,1,2]";
        /// A name of another rank than the one given.
        RankGiven { name: String, rank: usize } => "levels/name", "`{name}` is not of rank {rank}";
        /// The orientation `X` without its list of axes, or a list that is none or another order than the orientation says.
        AxesGiven { name: String } =>
            "levels/axes", "`{name}`: X takes its list of axes, X[1,2,0], and no other list contradicts R or C";
        /// An extension that has no meaning here, and might change that of the arrays, or one that is said twice.
        Extension { extension: String } =>
            "levels/extension", "`{extension}` is not a known extension, said once: multigraph, unsorted(levels), balanced(level,most)";
        /// Not a permutation of at least so many axes.
        Axes { axes: Vec<usize>, levels: usize } => "levels/axes", "{axes:?} is not an order of the axes of {levels} levels or more";
        /// More axes than a tensor can have.
        Rank { rank: usize, most: usize } => "levels/rank", "{rank} axes, but there can be {most} at most";
        /// The last level is of this kind, not `S`, and coordinates may not repeat.
        Final { kind: &'static str } => "levels/final", "the last level is {kind}, but only multigraphs have one that is not S";
        /// Another number of flags than of levels.
        Flags { flags: usize, levels: usize } => "levels/flag", "{flags} flags for {levels} levels";
        /// A `C` level has no indices that could be unsorted.
        Unsorted { level: usize } => "levels/flag", "level {level} is C: it has no indices that could be unsorted";
        /// Nodes of this level cannot be split, or not so that they keep this many children.
        Balanced { level: usize, most: usize } => "levels/flag",
            "level {level} cannot have its nodes split to {most} children: only those of a DC level with pointers to single entries can";
        /// Not an order of the axes that are to be grouped.
        GroupAxes { axes: Vec<usize>, rank: usize } => "gcs/axes", "{axes:?} is not an order of {rank} axes";
        /// Not places between so many axes, in order.
        Splits { splits: Vec<usize>, rank: usize } => "gcs/split", "{splits:?} are not places between {rank} axes, in order";
        /// A group whose size does not fit 64 bits.
        GroupSize { group: usize, extents: Vec<u64> } =>
            "gcs/overflow", "group {group}: the product of the extents {extents:?} does not fit 64 bits";
        /// Axes that make no rows: not increasing, none or all of them, or some of a tensor of one axis.
        CompressedAxes { axes: Vec<usize>, rank: usize } => "gcxs/axes", "compressed axes {axes:?} {}", from_fn(|f| match *rank {
            1 => f.write_str("of a tensor of one axis: it has none"),
            rank => write!(f, "are not some, and not all, of {rank} axes in increasing order"),
        });
        /// A parameter of a blocked or hybrid format that there is no such format with.
        Parameter { name: &'static str, given: Vec<u64>, expected: &'static str } => "blocked/parameter", "{name} {given:?}: expected {expected}";
        /// A name of a blocked or hybrid format that is not one.
        Scheme { name: String } => "blocked/name",
            "`{name}` is no blocked format: blocks(2,2):C-S-R, hicoo(7,7), hbcsf[0,1,2](128), mmcsf[0,1][1,0], alto, dia";
        /// A digit of an axis or a target that does not exist.
        Digit { axis: usize, axes: usize, target: usize, targets: usize } =>
            "blocked/map", "a digit of axis {axis} of {axes} in target {target} of {targets}";
        /// Digits that do not make up a coordinate: they leave a gap, overlap, or end before its extent or beyond 64 bits.
        Digits { what: &'static str, number: usize, reach: Option<u128>, extent: u64 } => "blocked/map", "{what} {number}: {}", from_fn(|f| match reach {
            Some(reach) => write!(f, "digits for {reach} numbers do not make up an extent of {extent}"),
            None => f.write_str("digits leave a gap, overlap, or count beyond 64 bits"),
        });
    }
}
