//! Errors of formats, of their names, and of groups of axes.

use super::from_fn;
use alloc::string::String;
use alloc::vec::Vec;

layout_core::errors! {
    /// The error of an invalid format, of its name, or of groups of axes.
    ///
    /// ```
    /// use sparse_formats::{Format, FormatError};
    /// let error = "C-Q-R".parse::<Format>().unwrap_err();
    /// assert_eq!(error, FormatError::Token { token: "Q".into() });
    /// assert_eq!(error.class(), "levels/token");
    /// assert_eq!(error.to_string(), "`Q` is not a level: the levels are S, C and DC, with D for a dense axis after them");
    /// ```
    FormatError {
        /// A token is no level kind, or a name without hyphens does not consist of such tokens.
        Token { token: String } => "levels/token", "`{token}` is not a level: the levels are S, C and DC, with D for a dense axis after them{}",
            // Letters in a row may have been meant as a name.
            if token.chars().count() > 2 { "; the named formats are CSR, CSC, DCSR, DCSC, SSR, SSC, VEC, COO, CSF" } else { "" };
        /// A name of two or more levels lacks the orientation `R`, `C` or `X` at its end.
        Suffix { name: String } => "levels/name", "`{name}` lacks an orientation: end it with R, C, or X and the axes, as in X[1,2,0]";
        /// A name without hyphens, or for any rank, came without a rank.
        RankMissing { name: String } =>
            "levels/name", "`{name}` does not say its rank: write its levels with hyphens, as in C-S-S-R, or its axes, as in CSF[0,1,2]";
        /// A name has another rank than the given one.
        RankGiven { name: String, rank: usize } => "levels/name", "`{name}` is not a format of rank {rank}";
        /// The orientation `X` lacks its list of axes, or a list is invalid or contradicts the orientation.
        AxesGiven { name: String } =>
            "levels/axes", "`{name}` has a wrong list of axes: X needs one, as in X[1,2,0]; after R or C the list must agree with the letter";
        /// An extension is given twice, or is unknown: it might change what the arrays mean.
        Extension { extension: String } =>
            "levels/extension", "the extension `{extension}` is unknown or given twice; the extensions are multigraph, unsorted(levels), balanced(level,most)";
        /// The axes are no permutation of at least as many axes as there are levels.
        Axes { axes: Vec<usize>, levels: usize } => "levels/axes", "the axis order {axes:?} must name each axis once, and at least one axis for each of the {levels} levels";
        /// The tensor would have more axes than [`MAX_RANK`](crate::MAX_RANK).
        Rank { rank: usize, most: usize } => "levels/rank", "{rank} axes are too many: a tensor has at most {most}";
        /// The last level has this kind instead of `S`, although coordinates may not repeat.
        Final { kind: &'static str } => "levels/final", "the last level is {kind}, but it must be S unless the format is a multigraph";
        /// The number of flags differs from the number of levels.
        Flags { flags: usize, levels: usize } => "levels/flag", "{flags} flags are given for {levels} levels: give one flag for each level";
        /// A level cannot be unsorted because it is `C` and has no indices.
        Unsorted { level: usize } => "levels/flag", "the C level {level} cannot be unsorted, because it stores no indices";
        /// The nodes of this level cannot be split, or not to this number of children.
        Balanced { level: usize, most: usize } => "levels/flag",
            "the nodes of level {level} cannot be split to {most} children: only a DC level whose pointers count single entries can be balanced, with at least 1 child";
        /// The axes to be grouped are no permutation.
        GroupAxes { axes: Vec<usize>, rank: usize } => "gcs/axes", "the axis order {axes:?} must name each of the {rank} axes once";
        /// The splits decrease, or exceed the number of axes.
        Splits { splits: Vec<usize>, rank: usize } => "gcs/split", "the splits {splits:?} must ascend and be at most {rank}, the number of axes";
        /// The size of a group does not fit 64 bits.
        GroupSize { group: usize, extents: Vec<u64> } =>
            "gcs/overflow", "group {group}: the product of the extents {extents:?} does not fit 64 bits";
        /// The compressed axes do not increase, exceed the rank, are none or all of the axes, or belong to a tensor of
        /// one axis.
        CompressedAxes { axes: Vec<usize>, rank: usize } => "gcxs/axes", "the compressed axes {axes:?} {}", from_fn(|f| match *rank {
            1 => f.write_str("must be empty for a tensor of one axis"),
            rank => write!(f, "must be in increasing order, and at least one but not all of the {rank} axes"),
        });
        /// A blocked or hybrid format does not take a parameter of this value.
        Parameter { name: &'static str, given: Vec<u64>, expected: &'static str } => "blocked/parameter", "the parameter {name} is {given:?}; expected: {expected}";
        /// A name is no blocked or hybrid format.
        Scheme { name: String } => "blocked/name",
            "`{name}` is not a blocked format; examples of all kinds are blocks(2,2):C-S-R, hicoo(7,7), hbcsf[0,1,2](128), mmcsf[0,1][1,0], alto, dia";
        /// A digit refers to an axis or a target that does not exist.
        Digit { axis: usize, axes: usize, target: usize, targets: usize } =>
            "blocked/map", "a digit maps axis {axis} to target {target}, but there are {axes} axes and {targets} targets";
        /// Digits form no coordinate: they leave a gap, overlap, miss part of the extent, or exceed 64 bits.
        Digits { what: &'static str, number: usize, reach: Option<u128>, extent: u64 } => "blocked/map", "{what} {number}: {}", from_fn(|f| match reach {
            Some(reach) => write!(f, "the digits count {reach} numbers, which does not fit the extent {extent}"),
            None => f.write_str("the digits leave a gap, overlap, or exceed 64 bits"),
        });
    }
}
