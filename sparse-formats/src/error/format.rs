//! Errors of formats, of their names, and of groups of axes.

use super::from_fn;
use alloc::string::String;
use alloc::vec::Vec;

layout_core::errors! {
    /// The error of an invalid format, of its name, or of groups of axes.
    FormatError {
        /// A token is no level kind, or a name without hyphens does not consist of such tokens.
        Token { token: String } => "levels/token", "`{token}` is no level: S, C, DC, or D for a dense axis after the levels{}",
            // Letters in a row may have been meant as a name.
            if token.chars().count() > 2 { "; nor a format: CSR, CSC, DCSR, DCSC, SSR, SSC, VEC, COO, CSF" } else { "" };
        /// A name of two or more levels lacks the orientation `R`, `C` or `X` at its end.
        Suffix { name: String } => "levels/name", "`{name}` lacks the orientation at its end: R, C, or X with the axes, X[1,2,0]";
        /// A name without hyphens, or for any rank, came without a rank.
        RankMissing { name: String } =>
            "levels/name", "`{name}` may be of several ranks: write its levels with hyphens, C-S-S-R, or its axes, CSF[0,1,2]";
        /// A name has another rank than the given one.
        RankGiven { name: String, rank: usize } => "levels/name", "`{name}` is not of rank {rank}";
        /// The orientation `X` lacks its list of axes, or a list is invalid or contradicts the orientation.
        AxesGiven { name: String } =>
            "levels/axes", "`{name}`: X takes its list of axes, X[1,2,0], and no other list contradicts R or C";
        /// An extension is given twice, or is unknown: it might change what the arrays mean.
        Extension { extension: String } =>
            "levels/extension", "`{extension}` is unknown or given twice; extensions are multigraph, unsorted(levels), balanced(level,most)";
        /// The axes are no permutation of at least as many axes as there are levels.
        Axes { axes: Vec<usize>, levels: usize } => "levels/axes", "{axes:?} is not an order of the axes of {levels} levels or more";
        /// The tensor would have more axes than [`MAX_RANK`](crate::MAX_RANK).
        Rank { rank: usize, most: usize } => "levels/rank", "{rank} axes, but there can be {most} at most";
        /// The last level has this kind instead of `S`, although coordinates may not repeat.
        Final { kind: &'static str } => "levels/final", "the last level is {kind}, but only multigraphs have one that is not S";
        /// The number of flags differs from the number of levels.
        Flags { flags: usize, levels: usize } => "levels/flag", "{flags} flags for {levels} levels";
        /// A level cannot be unsorted because it is `C` and has no indices.
        Unsorted { level: usize } => "levels/flag", "level {level} is C: it has no indices that could be unsorted";
        /// The nodes of this level cannot be split, or not to this number of children.
        Balanced { level: usize, most: usize } => "levels/flag",
            "level {level} cannot have its nodes split to {most} children: only those of a DC level with pointers to single entries can";
        /// The axes to be grouped are no permutation.
        GroupAxes { axes: Vec<usize>, rank: usize } => "gcs/axes", "{axes:?} is not an order of {rank} axes";
        /// The splits decrease, or exceed the number of axes.
        Splits { splits: Vec<usize>, rank: usize } => "gcs/split", "{splits:?} are not places between {rank} axes, in order";
        /// The size of a group does not fit 64 bits.
        GroupSize { group: usize, extents: Vec<u64> } =>
            "gcs/overflow", "group {group}: the product of the extents {extents:?} does not fit 64 bits";
        /// The compressed axes do not increase, exceed the rank, are none or all of the axes, or belong to a tensor of
        /// one axis.
        CompressedAxes { axes: Vec<usize>, rank: usize } => "gcxs/axes", "compressed axes {axes:?} {}", from_fn(|f| match *rank {
            1 => f.write_str("of a tensor of one axis: it has none"),
            rank => write!(f, "are not some, and not all, of {rank} axes in increasing order"),
        });
        /// A blocked or hybrid format does not take a parameter of this value.
        Parameter { name: &'static str, given: Vec<u64>, expected: &'static str } => "blocked/parameter", "{name} {given:?}: expected {expected}";
        /// A name is no blocked or hybrid format.
        Scheme { name: String } => "blocked/name",
            "`{name}` is no blocked format: blocks(2,2):C-S-R, hicoo(7,7), hbcsf[0,1,2](128), mmcsf[0,1][1,0], alto, dia";
        /// A digit refers to an axis or a target that does not exist.
        Digit { axis: usize, axes: usize, target: usize, targets: usize } =>
            "blocked/map", "a digit of axis {axis} of {axes} in target {target} of {targets}";
        /// Digits form no coordinate: they leave a gap, overlap, miss part of the extent, or exceed 64 bits.
        Digits { what: &'static str, number: usize, reach: Option<u128>, extent: u64 } => "blocked/map", "{what} {number}: {}", from_fn(|f| match reach {
            Some(reach) => write!(f, "digits for {reach} numbers do not make up an extent of {extent}"),
            None => f.write_str("digits leave a gap, overlap, or count beyond 64 bits"),
        });
    }
}
