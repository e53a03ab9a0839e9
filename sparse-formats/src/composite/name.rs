//! Names of schemes, printed and parsed. A name that `Display` prints must parse to the same scheme.

use super::{BlockOrder, Scheme};
use crate::{Format, FormatError, LevelKind};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{Display, Formatter};
use core::str::FromStr;

impl Display for Scheme {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        match self {
            Scheme::Levels(format) => format.fmt(f),
            Scheme::Blocks { edges, grid } => write!(f, "blocks({}):{grid}", List(edges)),
            Scheme::Hicoo { bits, supers, order } => {
                write!(f, "hicoo({}", List(bits))?;
                if *order == BlockOrder::Lexicographic {
                    f.write_str(";lex")?;
                }
                supers.as_ref().map_or(Ok(()), |supers| write!(f, ";super={}", List(supers)))?;
                f.write_str(")")
            }
            Scheme::HbCsf { axis_order, max_fiber } => {
                write!(f, "hbcsf[{}]", List(axis_order))?;
                max_fiber.map_or(Ok(()), |most| write!(f, "({most})"))
            }
            Scheme::MmCsf { orders } => {
                f.write_str("mmcsf")?;
                orders.iter().flatten().try_for_each(|order| write!(f, "[{}]", List(order)))
            }
            Scheme::Linearised => f.write_str("alto"),
            Scheme::Gcxs { compressed_axes: None } => f.write_str("gcxs"),
            Scheme::Gcxs { compressed_axes: Some(axes) } => write!(f, "gcxs[{}]", List(axes)),
            Scheme::Diagonals => f.write_str("dia"),
        }
    }
}

/// A list that prints with commas.
struct List<'l, T>(&'l [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        self.0.iter().enumerate().try_for_each(|(k, number)| write!(f, "{}{number}", if k == 0 { "" } else { "," }))
    }
}

/// The first words of the names of blocked and hybrid formats.
const STEMS: [&str; 8] = ["blocks", "bcsr", "hicoo", "hbcsf", "mmcsf", "alto", "gcxs", "dia"];

impl Scheme {
    /// Tests whether the first word of a name is that of a blocked or hybrid format. Ignores case, hyphens and the text
    /// after that word.
    ///
    /// ```
    /// use sparse_formats::Scheme;
    /// assert!(Scheme::is_blocked_name("HB-CSF") && !Scheme::is_blocked_name("C-S-R"));
    /// ```
    pub fn is_blocked_name(name: &str) -> bool {
        STEMS.contains(&&*stem(name).0)
    }
}

/// Returns the first word of a name, in lower case without hyphens, and its original length.
fn stem(name: &str) -> (String, usize) {
    let word = name.split(['(', '[', ':', '+']).next().unwrap_or_default();
    (word.chars().filter(|letter| *letter != '-').map(|letter| letter.to_ascii_lowercase()).collect(), word.len())
}

/// Parses a name as printed, or with the capitals and hyphens of papers.
///
/// `mmcsf` without orders means the default orders, and `BCSR(2,2)` means `blocks(2,2):C-S-R`.
///
/// ```
/// use sparse_formats::Scheme;
/// let printed = |name: &str| name.parse::<Scheme>().map(|scheme| scheme.to_string());
/// assert_eq!(printed("HB-CSF[0,1,2](128)")?, "hbcsf[0,1,2](128)");
/// assert_eq!((printed("BCSR(4,4)")?, printed("HiCOO(7,7,7)")?), ("blocks(4,4):C-S-R".into(), "hicoo(7,7,7)".into()));
/// # Ok::<(), sparse_formats::FormatError>(())
/// ```
impl FromStr for Scheme {
    type Err = FormatError;

    fn from_str(name: &str) -> Result<Scheme, FormatError> {
        read(name).unwrap_or_else(|| Err(FormatError::Scheme { name: name.to_string() }))
    }
}

/// Parses the name of a scheme. Returns `None` if `name` does not have the syntax of one, and an error if the format that
/// it contains, or that it is, is invalid.
fn read(name: &str) -> Option<Result<Scheme, FormatError>> {
    if !Scheme::is_blocked_name(name) {
        // Names of formats begin with a capital.
        return if name.starts_with(|letter: char| letter.is_ascii_lowercase()) { None } else { Some(name.parse().map(Scheme::Levels)) };
    }
    let (stem, length) = stem(name);
    let rest = &name[length..];
    Some(Ok(match &*stem {
        "bcsr" => {
            let edges: Vec<u64> = numbers(rest.strip_prefix('(')?.strip_suffix(')')?)?;
            let kinds: Vec<LevelKind> =
                (0..edges.len()).map(|k| if k == 0 && edges.len() > 1 { LevelKind::Pointers } else { LevelKind::Indices }).collect();
            match Format::regular(&kinds) {
                Ok(grid) => Scheme::Blocks { edges, grid },
                Err(error) => return Some(Err(error)),
            }
        }
        "blocks" => {
            let (edges, grid) = rest.strip_prefix('(')?.split_once("):")?;
            let grid = match grid.parse() {
                Ok(grid) => grid,
                Err(error) => return Some(Err(error)),
            };
            Scheme::Blocks { edges: numbers(edges)?, grid }
        }
        "hicoo" => {
            let mut given = rest.strip_prefix('(')?.strip_suffix(')')?.split(';');
            let bits = numbers(given.next()?)?;
            let (mut supers, mut order) = (None, BlockOrder::Morton);
            for word in given {
                match word.split_once('=') {
                    None if word == "lex" && order == BlockOrder::Morton => order = BlockOrder::Lexicographic,
                    Some(("super", list)) if supers.is_none() => supers = Some(numbers(list)?),
                    _ => return None,
                }
            }
            Scheme::Hicoo { bits, supers, order }
        }
        "hbcsf" => {
            let (axes, rest) = rest.strip_prefix('[')?.split_once(']')?;
            let max_fiber = if rest.is_empty() { None } else { Some(rest.strip_prefix('(')?.strip_suffix(')')?.parse().ok()?) };
            Scheme::HbCsf { axis_order: numbers(axes)?, max_fiber }
        }
        "mmcsf" if rest.is_empty() => Scheme::MmCsf { orders: None },
        "mmcsf" => {
            let orders = rest.strip_prefix('[')?.strip_suffix(']')?;
            Scheme::MmCsf { orders: Some(orders.split("][").map(numbers).collect::<Option<_>>()?) }
        }
        "alto" if rest.is_empty() => Scheme::Linearised,
        "gcxs" if rest.is_empty() => Scheme::Gcxs { compressed_axes: None },
        "gcxs" => match rest.strip_prefix('[')?.strip_suffix(']')? {
            "" => Scheme::gcxs(&[]),
            axes => Scheme::gcxs(&numbers::<usize>(axes)?),
        },
        "dia" if rest.is_empty() => Scheme::Diagonals,
        _ => return None,
    }))
}

/// Parses numbers separated by commas. Returns `None` if one is invalid.
fn numbers<T: FromStr>(text: &str) -> Option<Vec<T>> {
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}
