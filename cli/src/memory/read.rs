//! Reads layouts, threads and accesses of requests.

use crate::answer::{Refusal, Result};
use crate::eval::{LEAVES, describe};
use crate::request::structs;
use crd2idx::algebra::expression::{Operand, Parser};
use crd2idx::algebra::memory::{self, Threads};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use relayout::json::one_or_many;
use serde::{Deserialize, Deserializer};

structs! {
    /// The banks of shared memory.
    Banks { banks: Option<u32>, bank_bytes: Option<u32>, warp: Option<u32> }
    /// The elements of an access.
    Access { pub element_bits: Option<u32>, pub vector: Option<u32> }
}

impl Banks {
    /// Returns the banks (default: 32 banks of 4 bytes, for 32 threads). Refuses 0, numbers above 128, and bytes that are no
    /// power of two.
    pub fn read(&self) -> Result<memory::Banks> {
        Ok(memory::Banks::new(self.banks.unwrap_or(32), self.bank_bytes.unwrap_or(4), self.warp.unwrap_or(32))?)
    }
}

impl Access {
    /// Returns the access (default: one element, of `element_bits` or else 32 bits). Refuses 0, and numbers above 128.
    pub fn read(&self, element_bits: Option<u32>) -> Result<memory::Access> {
        let (element_bits, vector) = (self.element_bits.or(element_bits).unwrap_or(32), self.vector.unwrap_or(1));
        if element_bits == 0 || vector == 0 || element_bits > 128 || vector > 128 {
            return Err(Refusal::new(format!("an access of {vector} elements of {element_bits} bits: both are from 1 to 128")));
        }
        Ok(memory::Access { element_bits, vector })
    }
}

/// The coordinates of each thread.
pub enum Positions {
    /// A layout from threads and their values to coordinates.
    Layout(String),
    /// The coordinates of each thread; null if it is inactive.
    Each(Vec<Option<Thread>>),
}

/// The coordinates of the values of one thread.
pub struct Thread(Vec<Coordinate>);

/// A coordinate: one integer for all modes, or one for each mode.
struct Coordinate(Vec<u64>);

impl<'de> Deserialize<'de> for Positions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let expected = "a layout of threads, or a list with the coordinates of each thread from 0";
        one_or_many(deserializer, expected, Positions::Layout, Positions::Each)
    }
}

impl<'de> Deserialize<'de> for Thread {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        one_or_many(deserializer, "a whole number of 64 bits, or a list of coordinates", |one| Thread(vec![Coordinate(vec![one])]), Thread)
    }
}

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        one_or_many(deserializer, "a whole number of 64 bits, or a list of these", |one| Coordinate(vec![one]), Coordinate)
    }
}

/// Returns the operand that a text in the notation describes. Refuses a text that cannot be read.
pub fn layout(text: &str) -> Result<Operand<LEAVES>> {
    Parser::whole(text, &mut ExprGraph::<0>::new(Op::Parse)).map_err(|e| Refusal::new(describe(text, &e)))
}

/// Removes the parentheses around single numbers: in other notations `(64)` is 64, so shape and stride may differ in them.
fn unwrapped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let (before, after) = (&rest[..open], &rest[open + 1..]);
        out.push_str(before);
        match after.split_once(')') {
            Some((number, behind)) if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || " _-".contains(c)) => {
                out.push_str(number);
                rest = behind;
            }
            _ => {
                out.push('(');
                rest = after;
            }
        }
    }
    out + rest
}

impl Positions {
    /// Returns the threads with the indices that the layout `through` gives their coordinates. Refuses what is no layout of
    /// threads, and coordinates that `through` refuses.
    pub fn through(&self, through: &Operand<LEAVES>) -> Result<Threads> {
        let of_each = match self {
            Positions::Layout(text) => match layout(&unwrapped(text))? {
                Operand::Layout(threads) => return Ok(Threads::through(through, &threads)?),
                other => return Err(Refusal::new(format!("{other} is not a layout of threads"))),
            },
            Positions::Each(threads) => threads,
        };
        Ok(Threads::at(through, of_each.iter().map(|thread| thread.as_ref().map(Thread::values).transpose()).collect::<Result<_>>()?)?)
    }

    /// Returns the linear coordinates in `shape` of the values of each thread, with `None` for inactive threads. Refuses a
    /// coordinate with neither one number nor one for each mode of `shape`.
    pub fn in_shape(&self, shape: &[i64]) -> Result<Vec<Option<Vec<i64>>>> {
        let refuse = |c: &[i64], why: &str| Refusal::malformed(format!("threads: the coordinate {c:?} {why} the shape {shape:?}"));
        let one = |c: &Vec<i64>| match c.as_slice() {
            [whole] => Ok(*whole),
            modes if modes.len() == shape.len() => modes
                .iter()
                .zip(shape)
                .rev()
                .try_fold(0i64, |sum, (c, n)| sum.checked_mul(*n)?.checked_add(*c))
                .ok_or_else(|| refuse(modes, "exceeds 64 bits as a linear coordinate of")),
            other => Err(refuse(other, "does not have one integer for each mode of")),
        };
        let of_each = match self {
            Positions::Layout(text) => {
                return match layout(&unwrapped(text))? {
                    Operand::Layout(threads) => Ok(Threads::through(&layout("1:1")?, &threads).map(Threads::into_indices)?),
                    other => Err(Refusal::malformed(format!("{other} is not a layout of threads"))),
                };
            }
            Positions::Each(threads) => threads,
        };
        of_each.iter().map(|thread| thread.as_ref().map(|thread| thread.values()?.iter().map(one).collect()).transpose()).collect()
    }
}

impl Thread {
    /// Returns the integers of each coordinate, one per mode or a single one. Refuses integers of more than 63 bits.
    fn values(&self) -> Result<Vec<Vec<i64>>> {
        let integer = |n: &u64| i64::try_from(*n).map_err(|_| Refusal::malformed(format!("the coordinate {n} has more than 63 bits")));
        self.0.iter().map(|Coordinate(modes)| modes.iter().map(integer).collect()).collect()
    }
}
