//! Names of schemes.

use super::{BlockOrder, Scheme};
use crate::FormatError;
use alloc::string::ToString;
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
        }
    }
}

/// Numbers with commas.
struct List<'l, T>(&'l [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        self.0.iter().enumerate().try_for_each(|(k, number)| write!(f, "{}{number}", if k == 0 { "" } else { "," }))
    }
}

/// The name as printed; `mmcsf` without orders is that of the default ones.
impl FromStr for Scheme {
    type Err = FormatError;

    fn from_str(name: &str) -> Result<Scheme, FormatError> {
        read(name).unwrap_or_else(|| Err(FormatError::Scheme { name: name.to_string() }))
    }
}

/// The scheme of a name, or nothing where it is none.
fn read(name: &str) -> Option<Result<Scheme, FormatError>> {
    let stem = name.len() - name.trim_start_matches(|letter: char| letter.is_ascii_lowercase()).len();
    let (stem, rest) = name.split_at(stem);
    Some(Ok(match stem {
        "" => return Some(name.parse().map(Scheme::Levels)),
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
        _ => return None,
    }))
}

fn numbers<T: FromStr>(text: &str) -> Option<Vec<T>> {
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}
