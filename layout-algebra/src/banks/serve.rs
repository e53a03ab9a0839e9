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
/// // AMD's CDNA serves loads of 16 bytes in groups of lanes that are not neighbours: 0 to 3 with 20 to 23.
/// let group: Vec<usize> = (0..Banks::CDNA_LOADS.group(16) as usize).map(|place| Banks::CDNA_LOADS.lane(16, place)).collect();
/// assert_eq!(group, [0, 1, 2, 3, 20, 21, 22, 23]);
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
    order: LaneOrder,
}

/// The order in which lanes are served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LaneOrder {
    /// Lane after lane.
    Consecutive,
    /// Lane after lane, but by [`FOURS`] if each lane requests 16 bytes.
    Fours,
}

/// The order of the groups of four lanes, within 32 lanes.
const FOURS: [usize; 8] = [0, 5, 3, 6, 1, 4, 2, 7];

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
    ///
    /// Source: CUDA C++ Programming Guide, compute capability 5.x and later. Half and quarter warps for 8 and 16 bytes follow Zhou et al.,
    /// Linear Layouts, arXiv 2505.23819.
    pub const NVIDIA: Banks = Banks::consecutive(32, 32);

    /// 32 banks of 4 bytes, wavefronts of 64 lanes, served lane after lane: the same as [`Banks::CDNA_STORES`].
    pub const AMD: Banks = Banks::consecutive(32, 64);

    /// Stores of AMD's CDNA 1 to 3: 32 banks of 4 bytes, wavefronts of 64 lanes, served lane after lane.
    ///
    /// Source: documentation of Composable Kernel, "Understanding AMD GPU LDS and Bank Conflicts": `ds_write_b128` is served in eight
    /// groups of eight lanes.
    pub const CDNA_STORES: Banks = Banks::AMD;

    /// Loads of AMD's CDNA 1 to 3: as [`Banks::CDNA_STORES`], but loads of 16 bytes are served in groups such as lanes 0 to 3 and 20 to 23.
    ///
    /// Source: the same page for `ds_read_b128`. It names no generation; measurements on MI300 (CDNA 3), published in several projects,
    /// give the same groups, and 16 neighbours for `ds_read_b64`.
    pub const CDNA_LOADS: Banks = Banks { order: LaneOrder::Fours, ..Banks::AMD };

    /// Stores of AMD's CDNA 4: the same as [`Banks::CDNA_STORES`].
    ///
    /// Source: Hu et al., HipKittens, arXiv 2511.08083, which measures 32 banks and four groups of 16 neighbours for `ds_write_b64`.
    pub const CDNA4_STORES: Banks = Banks::AMD;

    /// Loads of AMD's CDNA 4: 64 banks of 4 bytes, wavefronts of 64 lanes. Loads of 16 bytes are served in groups such as lanes 0 to 3,
    /// 12 to 15 and 20 to 27.
    ///
    /// Source: rocRoller in ROCm's libraries, `LDSSwizzling.md`, for `ds_read_b128`. HipKittens measures the same, and two groups of 32
    /// neighbours for `ds_read_b64`. No source has the groups of narrower loads. The model serves all lanes together.
    pub const CDNA4_LOADS: Banks = Banks { order: LaneOrder::Fours, ..Banks::consecutive(64, 64) };

    /// The nearer half of the memory of AMD's RDNA: 32 banks of 4 bytes, wavefronts of 32 lanes.
    ///
    /// Source: "RDNA3" Instruction Set Architecture, chapter 12: 64 banks, 32 of them for each pair of SIMDs. It has no groups for 8 and
    /// 16 bytes. The model takes the neighbours that fill all banks once.
    pub const RDNA: Banks = Banks::consecutive(32, 32);

    /// Intel's Xe: 16 banks of 4 bytes. Sub-groups of 16 lanes fill them once.
    ///
    /// Source: oneAPI GPU Optimization Guide, "Shared Local Memory": 64 consecutive bytes lie in 16 banks. It has no groups for 8 and 16
    /// bytes. The model takes the neighbours that fill all banks once.
    pub const XE: Banks = Banks::consecutive(16, 16);

    /// Returns `count` banks of 4 bytes for `warp` lanes, served lane after lane.
    const fn consecutive(count: u32, warp: u32) -> Banks {
        Banks { count, bytes: 4, warp, order: LaneOrder::Consecutive }
    }

    /// Makes `count` banks of `bytes` bytes for `warp` lanes. Fails if a number is 0 or above 128, or `bytes` is not a power of two.
    pub const fn new(count: u32, bytes: u32, warp: u32) -> Result<Banks> {
        if count == 0 || count as usize > MAX_LANES || warp == 0 || warp as usize > MAX_LANES || !bytes.is_power_of_two() || bytes > 128 {
            return Err(LayoutError::triple(Op::BankConflicts, Cause::BankModel, count as i64, bytes as i64, warp as i64));
        }
        Ok(Banks { count, bytes, warp, order: LaneOrder::Consecutive })
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

    /// Returns the lane at `place` in the order in which lanes that request `bytes` each are served, both from 0. Each
    /// [`Banks::group`] places are served together.
    ///
    /// ```
    /// use layout_algebra::memory::Banks;
    /// let places = [0, 4, 8, 12, 16, 32];
    /// assert_eq!(places.map(|place| Banks::CDNA4_LOADS.lane(16, place)), [0, 20, 12, 24, 4, 32]);
    /// assert_eq!(places.map(|place| Banks::CDNA4_LOADS.lane(8, place)), places);
    /// ```
    pub const fn lane(&self, bytes: u32, place: usize) -> usize {
        match self.order {
            LaneOrder::Fours if bytes == 16 => place / 32 * 32 + FOURS[place % 32 / 4] * 4 + place % 4,
            _ => place,
        }
    }

    /// Returns the number of places that contain `lanes` lanes.
    pub(crate) const fn places(&self, lanes: usize) -> usize {
        match self.order {
            LaneOrder::Consecutive => lanes,
            LaneOrder::Fours => lanes.next_multiple_of(32),
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
        let places = self.places(lanes.len);
        let mut from = 0;
        while from < places {
            let end = if from + group < places { from + group } else { places };
            let depth = self.depth(lanes, from, end);
            served.wavefronts += depth;
            served.ideal += (depth > 0) as u32;
            from = end;
        }
        served
    }

    /// Returns the maximum, over all banks, of the number of distinct words of a bank that the lanes at places `from..end` request.
    const fn depth(&self, lanes: &Lanes, from: usize, end: usize) -> u32 {
        // One lane of a group may request several words; a group requests at most one word per bank or one per lane.
        let mut word = [0i64; MAX_LANES];
        let mut count = [0u32; MAX_LANES];
        let (mut len, mut most) = (0, 0);
        let mut place = from;
        while place < end {
            let lane = self.lane(lanes.bytes as u32, place);
            if lane < lanes.len && lanes.active[lane] {
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
            place += 1;
        }
        most
    }
}
