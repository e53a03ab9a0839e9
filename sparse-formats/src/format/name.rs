//! Names of formats: tokens with hyphens, an orientation, extensions. A name that `Display` prints must parse to the same
//! format.

use super::{Balance, Format, LevelKind};
use crate::FormatError;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{Display, Formatter};
use core::str::FromStr;

/// Aliases: name, meaning, and rank if it is fixed. `*` repeats the token before it up to the rank.
const ALIASES: &[(&str, &str, Option<usize>)] = &[
    ("CSR", "C-S-R", Some(2)),
    ("CSC", "C-S-C", Some(2)),
    ("DCSR", "DC-S-R", Some(2)),
    ("DCSC", "DC-S-C", Some(2)),
    ("SSR", "S-S-R", Some(2)),
    ("SSC", "S-S-C", Some(2)),
    ("VEC", "S-R", Some(1)),
    ("COO", "S*R", None),
    ("COOR", "S*R", None),
    ("COOC", "S*C", None),
    ("CSF", "DC*R", None),
    ("CVEC", "S-R", Some(1)),
];

/// Prints a name such as `C-DC-S-S-R`: the tokens of the levels, a `D` for each dense axis, and the orientation.
///
/// The orientation is `R` for axes in ascending order and `C` for descending order. For any other order it is `X` with the
/// list of axes, as in `C-S-S-X[1,0,2]`.
///
/// Extensions follow: `+multigraph` unless the last level implies it, `+unsorted(1)` with the unsorted levels, and
/// `+balanced(0,16)` with the fields of [`Balance`].
impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        for kind in &self.kinds {
            write!(f, "{}-", kind.token())?;
        }
        for _ in 0..self.dense_axes() {
            f.write_str("D-")?;
        }
        if self.axes.is_sorted() {
            f.write_str("R")?;
        } else if self.axes.is_sorted_by(|a, b| a > b) {
            f.write_str("C")?;
        } else {
            f.write_str("X")?;
            list(f, '[', self.axes.iter().copied(), ']')?;
        }
        if self.multigraph && !matches!(self.kinds.last(), Some(LevelKind::Pointers | LevelKind::IndexedPointers)) {
            f.write_str("+multigraph")?;
        }
        if self.unsorted.contains(&true) {
            f.write_str("+unsorted")?;
            list(f, '(', (0..self.unsorted.len()).filter(|level| self.unsorted[*level]), ')')?;
        }
        match self.balanced {
            Some(Balance { level, most }) => write!(f, "+balanced({level},{most})"),
            None => Ok(()),
        }
    }
}

/// Prints numbers separated by commas, between `open` and `close`.
fn list(f: &mut Formatter<'_>, open: char, numbers: impl Iterator<Item = usize>, close: char) -> core::fmt::Result {
    for (k, number) in numbers.enumerate() {
        write!(f, "{}{number}", if k == 0 { open } else { ',' })?;
    }
    write!(f, "{close}")
}

/// Parses a name as printed, or an alias: CSR, CSC, DCSR, DCSC, SSR, SSC, VEC, CVEC.
///
/// COO, COOR and COOC have rank 2 here; `CSF[0,1,2]` and `COO[2,0,1]` name their axes. Fails for a name without hyphens
/// that is no alias, because its tokens depend on the rank.
impl FromStr for Format {
    type Err = FormatError;

    fn from_str(name: &str) -> Result<Format, FormatError> {
        read(name, None)
    }
}

impl Format {
    /// Parses a name that may lack hyphens, for a tensor of this rank, dense axes included. Fails if the name is invalid or
    /// has another rank.
    ///
    /// ```
    /// use sparse_formats::Format;
    /// assert_eq!(Format::parse_with_rank("CDCSSR", 4)?.to_string(), "C-DC-S-S-R");
    /// assert_eq!(Format::parse_with_rank("CSF", 3)?.to_string(), "DC-DC-S-R");
    /// // Without a rank only hyphens tell C-S-C from CSC, and a name for any rank needs one.
    /// assert!("CDCSSR".parse::<Format>().is_err() && "CSF".parse::<Format>().is_err());
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn parse_with_rank(name: &str, rank: usize) -> Result<Format, FormatError> {
        read(name, Some(rank))
    }

    /// Returns the alias of this format, such as `CSR`, or `None` if it has none.
    ///
    /// ```
    /// use sparse_formats::Format;
    /// assert_eq!(("C-S-R".parse::<Format>()?.alias(), Format::csf(3).alias()), (Some("CSR"), Some("CSF")));
    /// assert_eq!("C-DC-S-R".parse::<Format>()?.alias(), None);
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn alias(&self) -> Option<&'static str> {
        let known = ALIASES.iter().filter(|(_, _, rank)| rank.is_none_or(|rank| rank == self.rank()));
        // Matrices of two `S` levels get SSR and SSC, which come before COO, COOR and COOC in the list.
        known.map(|(alias, ..)| *alias).find(|alias| Format::parse_with_rank(alias, self.rank()).as_ref() == Ok(self))
    }
}

/// Parses a name, with the rank if the caller knows it.
fn read(name: &str, rank: Option<usize>) -> Result<Format, FormatError> {
    let mut parts = name.split('+');
    let head = parts.next().unwrap_or("");
    let word = |extension: &str| extension.split('(').next().map(String::from);
    let mut words: Vec<_> = parts.clone().map(word).collect();
    words.sort_unstable();
    if let Some(pair) = words.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(FormatError::Extension { extension: format!("{0}, {0}", pair[0].as_deref().unwrap_or("")) });
    }
    let (stem, axes) = match head.split_once('[') {
        None => (head, None),
        Some((stem, rest)) => {
            let axes = rest.strip_suffix(']').and_then(numbers).ok_or_else(|| FormatError::AxesGiven { name: name.into() })?;
            (stem, Some(axes))
        }
    };
    if let (Some(rank), Some(axes)) = (rank, &axes)
        && rank != axes.len()
    {
        return Err(FormatError::RankGiven { name: name.into(), rank });
    }
    let alias = ALIASES.iter().find(|(alias, ..)| *alias == stem);
    let (tokens, orientation) = match alias {
        Some((_, meaning, own)) => expand(meaning, own.or(rank).or(axes.as_ref().map(Vec::len)), name)?,
        None => tokens(stem, rank, name)?,
    };
    if rank.is_some_and(|rank| rank != tokens.len()) {
        return Err(FormatError::RankGiven { name: name.into(), rank: rank.unwrap_or(0) });
    }
    let axes = orient(orientation, alias.is_some_and(|(.., rank)| rank.is_none()), tokens.len(), axes, name)?;
    let dense = tokens.iter().rev().take_while(|token| token.as_str() == "D").count();
    let of = |token: &String| LevelKind::from_token(token).ok_or_else(|| FormatError::Token { token: token.clone() });
    let kinds = tokens[..tokens.len() - dense].iter().map(of).collect::<Result<Vec<_>, _>>()?;
    let format = Format::multigraph(&kinds, &axes)?;
    let simple = matches!(kinds.last(), None | Some(LevelKind::Indices));
    parts.try_fold(if simple { format.with_multigraph(false)? } else { format }, extend)
}

/// Expands the meaning of an alias to tokens of that rank and an orientation. Fails if the alias needs a rank and gets none.
fn expand(meaning: &str, rank: Option<usize>, name: &str) -> Result<(Vec<String>, Option<char>), FormatError> {
    let Some((token, orientation)) = meaning.split_once('*') else { return tokens(meaning, None, name) };
    // COO without a rank is a matrix.
    let rank = rank.or((token == "S").then_some(2)).ok_or_else(|| FormatError::RankMissing { name: name.into() })?;
    let mut tokens = vec![token.to_string(); rank];
    if let Some(last) = tokens.last_mut() {
        *last = "S".into();
    }
    Ok((tokens, orientation.chars().next()))
}

/// Splits a name, without its list of axes, into the tokens of levels and dense axes, and the orientation: `R`, `C`, `X`,
/// or `None` for a single token. Fails if letters are no tokens, or the orientation or a needed rank is missing.
fn tokens(stem: &str, rank: Option<usize>, name: &str) -> Result<(Vec<String>, Option<char>), FormatError> {
    let mut tokens: Vec<String> = Vec::new();
    if stem.contains('-') || ["R", "S", "C", "DC", "D"].contains(&stem) {
        tokens.extend(stem.split('-').map(String::from));
    } else {
        let letters = !stem.is_empty() && stem.chars().all(|letter| "SCDRX".contains(letter));
        if !letters {
            return Err(FormatError::Token { token: stem.into() });
        }
        let rank = rank.ok_or_else(|| FormatError::RankMissing { name: name.into() })?;
        let mut rest = stem;
        while !rest.is_empty() {
            let length = if rest.starts_with("DC") && tokens.len() < rank { 2 } else { rest.chars().next().map_or(1, char::len_utf8) };
            let (token, more) = rest.split_at(length);
            tokens.push(token.into());
            rest = more;
        }
        // R and X can only end a name.
        if tokens.iter().rev().skip(1).any(|token| ["R", "X"].contains(&token.as_str())) {
            return Err(FormatError::Token { token: stem.into() });
        }
    }
    let single = tokens.len() == 1 && tokens[0] != "R";
    let orientation = match tokens.last().map(String::as_str) {
        Some("R" | "C" | "X") if !single => tokens.pop().and_then(|token| token.chars().next()),
        _ if single => None,
        Some(token) if LevelKind::from_token(token).is_none() && token != "D" => return Err(FormatError::Token { token: token.into() }),
        _ => return Err(FormatError::Suffix { name: name.into() }),
    };
    Ok((tokens, orientation))
}

/// Returns the axis order that an orientation and a list of axes give. Fails if they contradict each other, or if `X` has
/// no list. `any_order` is true for an alias that fits any rank.
fn orient(
    orientation: Option<char>,
    any_order: bool,
    rank: usize,
    axes: Option<Vec<usize>>,
    name: &str,
) -> Result<Vec<usize>, FormatError> {
    let said: Vec<usize> = if orientation == Some('C') { (0..rank).rev().collect() } else { (0..rank).collect() };
    match (orientation, axes) {
        (Some('X'), Some(axes)) if axes.len() == rank => Ok(axes),
        (Some('X'), _) => Err(FormatError::AxesGiven { name: name.into() }),
        (_, None) => Ok(said),
        // An alias for any rank takes any order. Otherwise a list must repeat the order of the letter.
        (Some('R'), Some(axes)) if any_order && axes.len() == rank => Ok(axes),
        (_, Some(axes)) if axes == said => Ok(axes),
        _ => Err(FormatError::AxesGiven { name: name.into() }),
    }
}

/// Returns the format with one extension added, such as `unsorted(1)`. Fails if it is unknown or does not fit the format.
fn extend(format: Format, extension: &str) -> Result<Format, FormatError> {
    let unknown = || FormatError::Extension { extension: extension.into() };
    let (word, given) = match extension.split_once('(') {
        None => (extension, Vec::new()),
        Some((word, rest)) => (word, rest.strip_suffix(')').and_then(numbers).ok_or_else(unknown)?),
    };
    match (word, given.as_slice()) {
        ("multigraph", []) if word == extension => format.with_multigraph(true),
        ("unsorted", [_, ..]) => {
            let mut flags = vec![false; format.levels()];
            for level in &given {
                *flags.get_mut(*level).ok_or(FormatError::Unsorted { level: *level })? = true;
            }
            format.with_unsorted(&flags)
        }
        ("balanced", [level, most]) => format.with_balanced(Some(Balance { level: *level, most: *most })),
        _ => Err(unknown()),
    }
}

/// Parses numbers separated by commas. Returns `None` if one is invalid, and no numbers for an empty text.
fn numbers(text: &str) -> Option<Vec<usize>> {
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}
