//! Inverts the digits of an axis map: computes the coordinates of a tensor from the coordinates of its stored axes. For
//! diagonals, whose map has the digits of an identity, `stream` then computes `x_last - x + extent - 1`.

use crate::AxisMap;
use crate::kernels::extract_bits::add_bits;
use alloc::vec::Vec;

/// The term that a stored coordinate adds to a coordinate of the tensor.
pub(super) struct Addend {
    /// The axis of the tensor to whose coordinate the term is added.
    pub axis: usize,
    /// The stored axis whose coordinate has the digit.
    pub stored: usize,
    digit: Digit,
}

/// A digit of a stored coordinate, and the step of that digit in the axis of the tensor.
#[derive(Clone, Copy)]
enum Digit {
    /// The whole coordinate, times `step`.
    Whole { step: u64 },
    /// The whole coordinate, times `1 << shift`.
    Shifted { shift: u32 },
    /// The bits under a mask, compacted to the low end, times `1 << shift`.
    Bits { mask: u64, shift: u32 },
    /// The digit `coordinate / weight % count`, times `step`.
    Divided { weight: u64, count: u64, step: u64 },
}

impl Addend {
    /// Adds the term of each stored coordinate to its slot in `out`.
    pub fn add(&self, stored: &[u64], out: &mut [u64]) {
        match self.digit {
            Digit::Shifted { shift } => out.iter_mut().zip(stored).for_each(|(slot, x)| *slot += x << shift),
            Digit::Whole { step } => out.iter_mut().zip(stored).for_each(|(slot, x)| *slot += x * step),
            Digit::Bits { mask, shift } => add_bits(stored, mask, shift, out),
            Digit::Divided { weight, count, step } => {
                out.iter_mut().zip(stored).for_each(|(slot, x)| *slot += x / weight % count.max(1) * step);
            }
        }
    }
}

/// Returns the addends of the coordinates of all axes. Consecutive bits of an axis that lie in order in one stored
/// coordinate form a single addend.
pub(super) fn unmap(map: &AxisMap) -> Vec<Addend> {
    let mut out: Vec<Addend> = Vec::new();
    let mut digits = map.digits().to_vec();
    digits.sort_by_key(|digit| (digit.axis, digit.target, digit.step));
    let mut next = 0;
    for digit in digits {
        let mut push = |of: Digit| out.push(Addend { axis: digit.axis, stored: digit.target, digit: of });
        let alone = map.digits().iter().filter(|other| other.target == digit.target).count() == 1;
        let powers = [digit.step, digit.count, digit.weight].iter().all(|n| n.is_power_of_two());
        if alone && digit.weight == 1 && digit.step.is_power_of_two() {
            push(Digit::Shifted { shift: digit.step.trailing_zeros() });
            continue;
        }
        if alone && digit.weight == 1 {
            push(Digit::Whole { step: digit.step });
            continue;
        }
        if !powers {
            push(Digit::Divided { weight: digit.weight, count: digit.count, step: digit.step });
            continue;
        }
        let bits = (digit.count - 1) * digit.weight;
        match out.last_mut() {
            Some(Addend { axis, stored, digit: Digit::Bits { mask, .. } })
                if (*axis, *stored, next) == (digit.axis, digit.target, digit.step) && *mask < bits =>
            {
                *mask |= bits
            }
            _ => out.push(Addend {
                axis: digit.axis,
                stored: digit.target,
                digit: Digit::Bits { mask: bits, shift: digit.step.trailing_zeros() },
            }),
        }
        next = digit.step.saturating_mul(digit.count);
    }
    out
}
