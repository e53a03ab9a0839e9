//! The accesses of a search, as spans of coordinate bits.

use crate::banks::{Access, Banks};
#[cfg(feature = "alloc")]
use crate::bits::BitMatrix;
use crate::bits::Span;

/// The maximum number of distinct groups that are recorded.
pub(super) const MOST: usize = 32;
/// The maximum number of basis vectors of a group: of its lanes and of their vectors.
const LANE_BITS: usize = 16;

/// The coordinates of one group of lanes that are served together, with the elements of their vectors, up to an offset.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub span: Span,
    pub basis: [u64; LANE_BITS],
    pub len: usize,
    /// The number of groups with this span.
    pub times: u64,
}

/// All requests of the accesses, as spans of coordinate bits.
#[derive(Clone, Copy)]
pub(super) struct Demand {
    pub len: usize,
    pub group: [Group; MOST],
    /// The number of index bits, from the lowest up, that select the element in a word, and then the bank.
    pub word: u32,
    pub bank: u32,
    /// The coordinate bits of the lowest bits of the index: the elements of the longest vectors.
    pub vector: [u64; 8],
    pub vectors: u32,
    /// The coordinates of the first elements of vectors, by log2 of the length of the vectors.
    pub starts: [Span; 8],
    /// True if the elements of vectors differ in the same coordinate bits everywhere.
    pub linear: bool,
    /// True if every group is recorded and contains all coordinates of its span.
    pub complete: bool,
    /// True if all vectors lie along the same coordinate bits.
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

    /// Adds one group of lanes: the coordinates of the elements of each lane's vector, lane by lane. Returns the number of
    /// coordinates in the span of the group.
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

    /// Returns the conflicts of a map of bits; `None` if it breaks a vector. Exact if the demand is linear and complete.
    ///
    /// The words that a group requests are a span, and so are their banks. Each bank has `2^(dim(words) - dim(banks))` words.
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

    /// Records that element `2^bit` of a vector differs from its first element by `step`.
    const fn consecutive(&mut self, step: u64, bit: u32) {
        if bit == self.vectors {
            self.vector[bit as usize] = step;
            self.vectors += 1;
        } else if self.vector[bit as usize] != step {
            self.possible = false;
        }
    }
}

/// Returns true if the groups `a` and `b` have equal spans.
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
