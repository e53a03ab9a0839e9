//! The banks, and the number of wavefronts in which they serve an access.

use super::lanes::{Lanes, MAX_LANES};
use crate::error::{Cause, LayoutError, Op, Result};

/// A model of shared memory: consecutive words lie in consecutive banks, each of which serves one word at a time.
///
/// ```
/// use layout_algebra::memory::{Access, Banks, Lanes};
/// let banks = Banks::NVIDIA;
/// assert_eq!((banks.count(), banks.bytes(), banks.warp()), (32, 4, 32));
/// // Byte 132 is in the word 33, which lies in bank 1.
/// assert_eq!((banks.bank(132), banks.bank(4)), (1, 1));
/// // All 32 lanes are served together if each requests 4 bytes, 8 if each requests 16.
/// assert_eq!((banks.group(4), banks.group(16), Banks::AMD.warp()), (32, 8, 64));
/// // A model with wide banks.
/// assert_eq!(Banks::new(32, 8, 32)?.group(8), 32);
/// assert!(Banks::new(32, 6, 32).is_err());
/// // `serve` counts the wavefronts of an access. All lanes request one word here.
/// let mut lanes = Lanes::new(Access::element(32))?;
/// lanes.push(Some(5))?;
/// lanes.push(Some(5))?;
/// assert_eq!(banks.serve(&lanes).wavefronts, 1);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banks {
    pub(super) count: u32,
    pub(super) bytes: u32,
    pub(super) warp: u32,
}

/// The cost of one access of a warp.
///
/// ```
/// use layout_algebra::memory::{Access, Banks, Lanes, Served};
/// let mut column = Lanes::new(Access::element(32))?;
/// for row in 0..4 {
///     column.push(Some(32 * row))?;
/// }
/// let served = Banks::NVIDIA.serve(&column);
/// assert_eq!((served, served.conflicts()), (Served { wavefronts: 4, ideal: 1 }, 3));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Served {
    /// The number of wavefronts, which are served one after another.
    pub wavefronts: u32,
    /// The number of wavefronts without conflicts: the groups that have an active lane.
    pub ideal: u32,
}

impl Served {
    /// Returns the number of wavefronts that conflicts add.
    pub const fn conflicts(self) -> u32 {
        self.wavefronts - self.ideal
    }
}

impl Default for Banks {
    fn default() -> Self {
        Banks::NVIDIA
    }
}

impl Banks {
    /// 32 banks of 4 bytes, warps of 32 lanes.
    pub const NVIDIA: Banks = Banks { count: 32, bytes: 4, warp: 32 };
    /// 32 banks of 4 bytes, wavefronts of 64 lanes (CDNA).
    pub const AMD: Banks = Banks { count: 32, bytes: 4, warp: 64 };

    /// Makes `count` banks of `bytes` bytes for `warp` lanes. Fails if a number is 0 or above 128, or `bytes` is not a power of two.
    pub const fn new(count: u32, bytes: u32, warp: u32) -> Result<Banks> {
        if count == 0 || count as usize > MAX_LANES || warp == 0 || warp as usize > MAX_LANES || !bytes.is_power_of_two() || bytes > 128 {
            return Err(LayoutError::triple(Op::BankConflicts, Cause::BankModel, count as i64, bytes as i64, warp as i64));
        }
        Ok(Banks { count, bytes, warp })
    }

    /// Returns the number of lanes of a warp.
    pub const fn warp(&self) -> u32 {
        self.warp
    }

    /// Returns the number of bytes of a word, which one bank serves at a time.
    pub const fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Returns the number of banks.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Returns the number of lanes that are served together if each requests `bytes`: they fill one word of every bank.
    pub const fn group(&self, bytes: u32) -> u32 {
        let most = self.count * self.bytes / bytes;
        if most == 0 {
            1
        } else if most < self.warp {
            most
        } else {
            self.warp
        }
    }

    /// Returns the number of the bank, from 0, that holds `byte`, which must not be negative.
    pub const fn bank(&self, byte: i64) -> u32 {
        (byte / self.bytes as i64 % self.count as i64) as u32
    }

    /// Returns the number of wavefronts that serve the access `lanes`, one group of lanes after the other.
    pub const fn serve(&self, lanes: &Lanes) -> Served {
        let mut served = Served { wavefronts: 0, ideal: 0 };
        let group = self.group(lanes.bytes as u32) as usize;
        let mut from = 0;
        while from < lanes.len {
            let end = if from + group < lanes.len { from + group } else { lanes.len };
            let depth = self.depth(lanes, from, end);
            served.wavefronts += depth;
            served.ideal += (depth > 0) as u32;
            from = end;
        }
        served
    }

    /// Returns the maximum, over all banks, of the number of distinct words of a bank that lanes `from..end` request.
    const fn depth(&self, lanes: &Lanes, from: usize, end: usize) -> u32 {
        // One lane of a group may request several words; a group requests at most one word per bank or one per lane.
        let mut word = [0i64; MAX_LANES];
        let mut count = [0u32; MAX_LANES];
        let (mut len, mut most) = (0, 0);
        let mut lane = from;
        while lane < end {
            if lanes.active[lane] {
                let first = lanes.first[lane] / self.bytes as i64;
                let last = (lanes.first[lane] + lanes.bytes - 1) / self.bytes as i64;
                let mut asked = first;
                while asked <= last {
                    let mut k = 0;
                    while k < len && word[k] != asked {
                        k += 1;
                    }
                    if k == len && len < MAX_LANES {
                        word[len] = asked;
                        len += 1;
                        let bank = (asked % self.count as i64) as usize;
                        count[bank] += 1;
                        if count[bank] > most {
                            most = count[bank];
                        }
                    }
                    asked += 1;
                }
            }
            lane += 1;
        }
        most
    }
}
