//! What accesses ask of the bits of a coordinate.

use crate::banks::{Access, Banks};
#[cfg(feature = "alloc")]
use crate::bits::BitMatrix;
use crate::bits::Span;

/// The most distinct groups of lanes that are told apart.
pub(super) const MOST: usize = 32;
/// The most vectors of a span of lanes: those of a warp and of a vector.
const LANE_BITS: usize = 16;

/// Coordinates that are asked for at once, but for an offset: of lanes that are served together, and the elements of their vectors.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub span: Span,
    pub basis: [u64; LANE_BITS],
    pub len: usize,
    /// How many groups are alike.
    pub times: u64,
}

/// All that the accesses ask for, as spans of coordinate bits.
#[derive(Clone, Copy)]
pub(super) struct Demand {
    pub len: usize,
    pub group: [Group; MOST],
    /// Bits of an element's place in a word, and bits of the bank.
    pub word: u32,
    pub bank: u32,
    /// What stands at the lowest bits of the index: the elements of the longest vectors.
    pub vector: [u64; 8],
    pub vectors: u32,
    /// The first elements of vectors, by the length of the vectors.
    pub starts: [Span; 8],
    /// Elements follow each other along the same bits everywhere.
    pub linear: bool,
    /// Every group is told apart, and is all of its span.
    pub complete: bool,
    /// All vectors go along the same bits.
    pub possible: bool,
}

impl Demand {
    pub(super) const fn new(element_bits: u32, banks: Banks) -> Demand {
        let element = element_bits.next_power_of_two();
        let word = if banks.bytes() * 8 > element { banks.bytes() * 8 } else { element };
        let in_bank = banks.count() * banks.bytes() * 8 / word;
        Demand {
            len: 0,
            group: [Group { span: Span::EMPTY, basis: [0; LANE_BITS], len: 0, times: 0 }; MOST],
            word: (word / element).trailing_zeros(),
            bank: if in_bank == 0 { 0 } else { in_bank.ilog2() },
            vector: [0; 8],
            vectors: 0,
            starts: [Span::EMPTY; 8],
            linear: element == element_bits && banks.count().is_power_of_two(),
            complete: true,
            possible: true,
        }
    }

    /// Adds one group of lanes: the coordinates of the elements of each lane's vector, lane by lane.
    /// Returns the number of coordinates that the group would have if it were all of its span.
    pub(super) const fn add(&mut self, coordinates: &[u64], access: Access) -> u64 {
        let vector = access.vector as usize;
        if coordinates.is_empty() || !access.vector.is_power_of_two() || access.vector > 128 {
            return 0;
        }
        let bits = access.vector.trailing_zeros();
        let mut group = Group { span: Span::EMPTY, basis: [0; LANE_BITS], len: 0, times: 1 };
        let mut k = 0;
        while k < coordinates.len() {
            let start = coordinates[k - k % vector];
            let step = coordinates[k] ^ if k % vector == 0 { coordinates[0] } else { start };
            let within = k % vector;
            if within.is_power_of_two() {
                self.consecutive(step, within.trailing_zeros());
            } else if within > 0 && step != coordinates[within] ^ coordinates[0] {
                self.linear = false;
            }
            if within == 0 && bits > 0 {
                self.starts[bits as usize].insert(start);
            }
            if group.span.insert(step) {
                if group.len == LANE_BITS {
                    self.linear = false;
                    return 0;
                }
                group.basis[group.len] = step;
                group.len += 1;
            }
            k += 1;
        }
        let mut other = 0;
        while other < self.len {
            if same(&self.group[other], &group) {
                self.group[other].times += 1;
                return 1 << group.len;
            }
            other += 1;
        }
        if self.len < MOST {
            self.group[self.len] = group;
            self.len += 1;
        } else {
            self.complete = false;
        }
        1 << group.len
    }

    /// The conflicts of a map of bits, if it keeps all vectors: exact where the demand is linear and complete.
    ///
    /// The words that a group asks for and the banks they are in are spans; a bank has as many words as the one has more elements.
    #[cfg(feature = "alloc")]
    pub(super) const fn conflicts(&self, matrix: &BitMatrix) -> Option<u64> {
        let mut k = 0;
        while k < self.vectors {
            if matrix.apply(self.vector[k as usize]) != 1 << k {
                return None;
            }
            k += 1;
        }
        let mut length = 1;
        while length < self.starts.len() {
            let mut top = 0;
            while top < matrix.inputs() as usize {
                if matrix.apply(self.starts[length].vector(top)) & ((1 << length) - 1) != 0 {
                    return None;
                }
                top += 1;
            }
            length += 1;
        }
        let (mut conflicts, mut g) = (0, 0);
        while g < self.len {
            let (mut words, mut banks) = (Span::EMPTY, Span::EMPTY);
            let mut k = 0;
            while k < self.group[g].len {
                let word = matrix.apply(self.group[g].basis[k]) >> self.word;
                words.insert(word);
                banks.insert(word & ((1 << self.bank) - 1));
                k += 1;
            }
            conflicts += self.group[g].times * ((1 << (words.dim() - banks.dim())) - 1);
            g += 1;
        }
        Some(conflicts)
    }

    /// Element `2^bit` of a vector is `step` from its first.
    const fn consecutive(&mut self, step: u64, bit: u32) {
        if bit == self.vectors {
            self.vector[bit as usize] = step;
            self.vectors += 1;
        } else if self.vector[bit as usize] != step {
            self.possible = false;
        }
    }
}

/// Tests whether two groups have one span.
const fn same(a: &Group, b: &Group) -> bool {
    if a.len != b.len {
        return false;
    }
    let mut k = 0;
    while k < a.len {
        if !b.span.contains(a.basis[k]) {
            return false;
        }
        k += 1;
    }
    true
}
