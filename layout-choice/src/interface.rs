//! The vectors that a candidate can have in shared memory.
//!
//! The lowest digits of the index of a shared tensor decide the vectors of all accesses. Given these digits, the accesses are independent of
//! each other until bank conflicts are counted. Therefore the choice tries each sequence of lowest digits, with the best candidate of
//! every component for it.

use crate::distribution::{Digit, Distribution, product};
use crate::program::TileTensor;
use crate::shared::{Use, lowest, matrices, sampled};
use crate::target::Machine;
use alloc::vec;
use alloc::vec::Vec;

/// The number of digits of a mode that may be among the lowest of an index.
const OF_A_MODE: usize = 4;

/// The maximum number of digits of a vector: 16 elements of a byte.
const OF_A_VECTOR: usize = 4;

/// The number of a digit among the lowest ones of the modes, or [`OTHER`].
type Number = u8;

/// The number of all digits that are not among the lowest ones.
const OTHER: Number = u8::MAX;

/// A sequence of digits that are the lowest of an index, the minor one first.
pub(crate) type Sequence = Vec<Number>;

/// Returns the sequences of lowest digits for a tensor, each as long as a vector.
pub(crate) fn sequences(tensor: &TileTensor, machine: &Machine) -> Vec<Sequence> {
    let most = ((machine.vector / tensor.element.bytes).max(1).ilog2() as usize).min(OF_A_VECTOR);
    if let Some(stated) = &tensor.stated {
        let numbers: Vec<Number> = lowest(stated, &tensor.extents, most).iter().map(number).take_while(|number| *number != OTHER).collect();
        return vec![numbers];
    }
    let mut numbers = Vec::new();
    for (mode, extent) in tensor.extents.iter().enumerate() {
        let twos = extent.trailing_zeros() as usize;
        numbers.extend((0..twos.min(OF_A_MODE)).map(|bit| (mode * OF_A_MODE + bit) as Number));
    }
    let mut out: Vec<Sequence> = vec![Vec::new()];
    for _ in 0..most.min(numbers.len()) {
        let longer = |of: &Sequence| {
            let more = numbers.iter().filter(|number| !of.contains(number));
            more.map(|number| of.iter().copied().chain([*number]).collect()).collect::<Vec<Sequence>>()
        };
        out = out.iter().flat_map(longer).collect();
    }
    out
}

/// Returns the digits of a sequence.
pub(crate) fn digits(sequence: &[Number]) -> Vec<Digit> {
    let of = |number: &Number| (*number as usize / OF_A_MODE, *number as usize % OF_A_MODE);
    sequence.iter().map(of).map(|(mode, bit)| Digit { mode: Some(mode), weight: 1 << bit, radix: 2 }).collect()
}

/// Returns the number of a digit.
fn number(digit: &Digit) -> Number {
    match digit.mode {
        Some(mode) if digit.radix == 2 && digit.weight.count_ones() == 1 && digit.weight < 1 << OF_A_MODE && mode < 32 => {
            (mode * OF_A_MODE) as Number + digit.weight.trailing_zeros() as Number
        }
        _ => OTHER,
    }
}

/// An access of a candidate to a shared tensor, as far as vectors depend on it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Interface {
    /// The numbers of the register digits.
    registers: Vec<Number>,
    /// The rows that `ldmatrix` serves, and how many instructions take their place.
    rows: Vec<(Vec<Number>, u64)>,
    /// The number of vectors of one element, for all warps.
    vectors: u64,
    /// The number of groups of lanes that are served together, by the number of digits of a vector.
    groups: Vec<u64>,
    bytes: u64,
    /// The wavefronts and instructions in the layout that the program states, as a sample tells.
    stated: Option<(u64, u64)>,
}

impl Interface {
    pub fn new(tensor: &TileTensor, distribution: &Distribution, store: bool, machine: &Machine) -> Interface {
        let of = Use { statement: 0, distribution: distribution.clone(), store };
        let first = |digits: &[Digit]| digits.iter().filter(|d| !store || d.mode.is_some()).map(|d| d.radix).product::<i64>() as u64;
        let vectors = product(&distribution.registers) as u64 * first(&distribution.warps);
        let rows = matrices(tensor, &of, machine).into_iter().map(|(row, _, _)| {
            let next = distribution.registers[1..].iter().take(2).take_while(|digit| digit.radix == 2).count();
            (row.iter().map(number).collect(), vectors >> (1 + next))
        });
        let active = crate::shared::sums(&distribution.lanes, &tensor.extents, store);
        let groups = (0..=OF_A_VECTOR).map(|digits| {
            let group = machine.banks(store).group((tensor.element.bytes as u32) << digits) as usize;
            active.chunks(group).filter(|group| group.iter().any(Option::is_some)).count() as u64
        });
        let stated = tensor.stated.as_ref().and_then(|stated| {
            let lowest = digits(&sequences(tensor, machine)[0]);
            sampled(tensor, stated, &of, &lowest, machine)
        });
        Interface {
            stated,
            registers: distribution.registers.iter().map(number).collect(),
            rows: rows.collect(),
            vectors,
            groups: groups.collect(),
            bytes: tensor.element.bytes as u64,
        }
    }

    /// Returns the numbers of wavefronts without conflicts and of instructions, if the index begins with `sequence`.
    pub fn cost(&self, sequence: &[Number]) -> (u64, u64) {
        if let Some(stated) = self.stated {
            return stated;
        }
        if let Some((_, instructions)) = self.rows.iter().find(|(row, _)| sequence.starts_with(row)) {
            // A matrix of 8 rows of 16 bytes is a wavefront.
            return (self.vectors >> 1, *instructions);
        }
        let digits = sequence.iter().take_while(|number| self.registers.contains(number)).count();
        let instructions = self.vectors >> digits;
        let moves =
            if self.bytes >= 4 || self.registers.starts_with(&sequence[..digits]) { 0 } else { (self.vectors * self.bytes).div_ceil(4) };
        (instructions * self.groups[digits], instructions + moves)
    }
}
