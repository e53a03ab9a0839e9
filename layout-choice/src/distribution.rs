//! Distributions: which thread holds which element of a tile, and as which of its values.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A part of a coordinate: the values `weight * 0`, .., `weight * (radix - 1)` of a mode. `None` numbers copies of an element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Digit {
    pub mode: Option<usize>,
    pub weight: i64,
    pub radix: i64,
}

impl Digit {
    /// Returns the digit of another mode: mode `k` is `of(k)`.
    pub fn mapped(self, of: impl Fn(usize) -> Option<usize>) -> Digit {
        Digit { mode: self.mode.and_then(of), ..self }
    }
}

/// The digits of all modes, each at a place: a register, a lane or a warp. The first digit of a place is its minor one.
///
/// Thread `lane + lanes * warp` holds, as value `register`, the element whose coordinate in each mode is the sum of the digits there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Distribution {
    pub registers: Vec<Digit>,
    pub lanes: Vec<Digit>,
    pub warps: Vec<Digit>,
}

/// Returns the product of the radices.
pub(crate) fn product(digits: &[Digit]) -> i64 {
    digits.iter().map(|digit| digit.radix).product()
}

/// Returns the digits of a mode: its factors of two from the minor one up, then its odd prime factors.
pub(crate) fn digits(mode: usize, extent: i64) -> Vec<Digit> {
    let (mut out, mut weight, mut left, mut factor) = (Vec::new(), 1, extent, 2);
    while left > 1 {
        if left % factor == 0 {
            out.push(Digit { mode: Some(mode), weight, radix: factor });
            weight *= factor;
            left /= factor;
        } else {
            factor += 1;
        }
    }
    out
}

impl Distribution {
    /// Returns the number of values of a thread.
    pub fn values(&self) -> i64 {
        product(&self.registers)
    }

    /// Returns the digits of all places.
    pub fn all(&self) -> impl Iterator<Item = &Digit> {
        self.registers.iter().chain(&self.lanes).chain(&self.warps)
    }

    /// Returns the distribution over other modes: mode `k` is `of(k)`. Digits whose mode is `None` number copies.
    pub fn mapped(&self, of: impl Fn(usize) -> Option<usize>) -> Distribution {
        let all = |digits: &[Digit]| digits.iter().map(|digit| digit.mapped(&of)).collect();
        Distribution { registers: all(&self.registers), lanes: all(&self.lanes), warps: all(&self.warps) }
    }

    /// Returns the distribution of a tensor that has only some of the modes: mode `k` of it is `modes[k]` here.
    ///
    /// Lanes and warps that differ in another mode hold copies.
    pub fn projected(&self, modes: &[usize]) -> Distribution {
        let mut out = self.mapped(|mode| modes.iter().position(|known| *known == mode));
        out.registers.retain(|digit| digit.mode.is_some());
        out
    }

    /// Returns the layout in the notation, from `(thread, value)` to the integer coordinate of the tile.
    pub fn notation(&self, extents: &[i64]) -> String {
        let below = |mode: usize| extents[..mode].iter().product::<i64>();
        let part = |digits: &[Digit]| {
            let mut out: Vec<(i64, i64)> = Vec::new();
            for digit in digits {
                let stride = digit.mode.map_or(0, |mode| digit.weight * below(mode));
                match out.last_mut() {
                    Some((radix, first)) if *first * *radix == stride && (stride != 0 || *first == 0) => *radix *= digit.radix,
                    _ => out.push((digit.radix, stride)),
                }
            }
            out
        };
        let list = |parts: &[(i64, i64)], of: fn(&(i64, i64)) -> i64, empty: i64| match parts {
            [] => format!("{empty}"),
            [one] => format!("{}", of(one)),
            _ => format!("({})", parts.iter().map(|part| format!("{}", of(part))).collect::<Vec<_>>().join(",")),
        };
        let threads: Vec<Digit> = self.lanes.iter().chain(&self.warps).copied().collect();
        let (threads, values) = (part(&threads), part(&self.registers));
        let (extent, stride) = (|part: &(i64, i64)| part.0, |part: &(i64, i64)| part.1);
        format!("({},{}):({},{})", list(&threads, extent, 1), list(&values, extent, 1), list(&threads, stride, 0), list(&values, stride, 0))
    }
}
