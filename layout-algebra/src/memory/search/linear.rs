//! The bits of an index with the fewest conflicts, by linear algebra.
//!
//! Coordinates and indices are vectors of bits. With `V` the coordinates that share a word with 0 and `U` those that share a bank, lanes that ask for
//! the span `T` take `2^(dim(T n U) - dim(T n V))` wavefronts. The elements of vectors stand at the lowest bits. The bits above the bank, which `U` has
//! beside `V`, are chosen one by one outside of every `T + U` so far; that none is left costs a conflict. What completes the basis is the bank.

use super::demand::{Demand, MOST};
use crate::bits::{BitMatrix, MAX_BITS, Span};

/// How many bases are tried while there are conflicts.
const TRIES: u32 = 256;

/// A layout of the bits, and its conflicts.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub matrix: BitMatrix,
    pub conflicts: u64,
}

/// A basis in the order of the bits of the index.
#[derive(Clone, Copy)]
struct Basis {
    vector: [u64; MAX_BITS],
    len: usize,
    span: Span,
}

impl Basis {
    const fn push(&mut self, x: u64) -> bool {
        if !self.span.insert(x) {
            return false;
        }
        self.vector[self.len] = x;
        self.len += 1;
        true
    }
}

/// The next of some numbers that look like chance.
const fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

/// The fewest conflicts found for coordinates of `bits` bits; `None` where vectors cannot be kept.
pub(super) const fn search(demand: &Demand, bits: u32) -> Option<Choice> {
    if !demand.possible || bits as usize >= MAX_BITS {
        return None;
    }
    let Some(kept) = starts(demand, bits) else { return None };
    let mut best: Option<Choice> = None;
    let mut attempt = 0;
    while attempt < TRIES {
        if let Some(choice) = one(demand, &kept, bits, attempt) {
            let better = match &best {
                Some(best) => choice.conflicts < best.conflicts,
                None => true,
            };
            if better {
                best = Some(choice);
            }
            if choice.conflicts == 0 {
                break;
            }
        }
        attempt += 1;
    }
    best
}

/// The first elements of vectors, which have to stay at multiples of the vectors, as a span beside the vectors; `None` where that cannot be.
const fn starts(demand: &Demand, bits: u32) -> Option<Basis> {
    let mut kept = Basis { vector: [0; MAX_BITS], len: 0, span: Span::EMPTY };
    let mut length = demand.vectors;
    while length > 0 {
        let mut top = 0;
        while top < bits as usize {
            let start = demand.starts[length as usize].vector(top);
            top += 1;
            if start == 0 {
                continue;
            }
            // Elements of longer vectors may be added to it.
            let mut free = kept.span;
            let mut k = length;
            while k < demand.vectors {
                free.insert(demand.vector[k as usize]);
                k += 1;
            }
            if free.contains(start) {
                continue;
            }
            let mut k = 0;
            while k < length {
                free.insert(demand.vector[k as usize]);
                k += 1;
            }
            if free.contains(start) {
                return None;
            }
            kept.push(start);
        }
        length -= 1;
    }
    Some(kept)
}

/// One choice, which depends on the number of the attempt; `None` where its vectors run out.
const fn one(demand: &Demand, kept: &Basis, bits: u32, attempt: u32) -> Option<Choice> {
    let mut seed = 0x9e37_79b9_7f4a_7c15 ^ ((attempt as u64) << 32 | attempt as u64);
    let mut low = Basis { vector: [0; MAX_BITS], len: 0, span: Span::EMPTY };
    let mut k = 0;
    while k < demand.vectors {
        if !low.push(demand.vector[k as usize]) {
            return None;
        }
        k += 1;
    }
    // What must stay independent of the vectors, and all of it together.
    let mut beside = kept.span;
    let mut all = kept.span;
    k = 0;
    while k < demand.vectors {
        if !all.insert(demand.vector[k as usize]) {
            return None;
        }
        k += 1;
    }
    // The rest of a word.
    let mut word = low;
    while word.len < demand.word as usize && word.len < bits as usize {
        let x = choose(demand, bits, attempt, &mut seed, &word.span, &beside, &all, &[Span::EMPTY; MOST], &[0; MOST], 0);
        if !word.push(x) {
            return None;
        }
        beside.insert(x);
        all.insert(x);
    }
    let mut inside = Span::EMPTY;
    k = 0;
    while k < demand.word && (k as usize) < word.len {
        inside.insert(word.vector[k as usize]);
        k += 1;
    }
    // T + U of each group, and how many steps of T stay in its bank but not in a word.
    let mut reach = [Span::EMPTY; MOST];
    let mut g = 0;
    while g < demand.len {
        reach[g] = inside;
        let mut k = 0;
        while k < demand.group[g].len {
            reach[g].insert(demand.group[g].basis[k]);
            k += 1;
        }
        g += 1;
    }
    let mut depth = [0u32; MOST];
    let mut above = Basis { vector: [0; MAX_BITS], len: 0, span: word.span };
    let count = bits.saturating_sub(demand.word + demand.bank);
    while above.len < count as usize {
        let x = choose(demand, bits, attempt, &mut seed, &above.span, &beside, &all, &reach, &depth, demand.len);
        if !above.push(x) {
            return None;
        }
        beside.insert(x);
        all.insert(x);
        let mut g = 0;
        while g < demand.len {
            if !reach[g].insert(x) {
                depth[g] += 1;
            }
            g += 1;
        }
    }
    let mut conflicts = 0;
    let mut g = 0;
    while g < demand.len {
        conflicts += demand.group[g].times * ((1 << depth[g]) - 1);
        g += 1;
    }
    // The bank has what is left: the first elements of vectors, and unit vectors.
    let mut bank = Basis { vector: [0; MAX_BITS], len: 0, span: above.span };
    let mut k = 0;
    while k < kept.len {
        bank.push(kept.vector[k]);
        k += 1;
    }
    k = 0;
    while k < bits as usize {
        bank.push(1 << k);
        k += 1;
    }
    let (mut column, mut len) = ([0; MAX_BITS], 0);
    let parts = [&word, &bank, &above];
    let mut p = 0;
    while p < 3 {
        let mut k = 0;
        while k < parts[p].len && len < bits as usize {
            column[len] = parts[p].vector[k];
            len += 1;
            k += 1;
        }
        p += 1;
    }
    let Some(basis) = BitMatrix::from_columns(column.split_at(len).0, bits) else { return None };
    match basis.inverse() {
        Some(matrix) => Some(Choice { matrix, conflicts }),
        None => None,
    }
}

/// A vector outside `taken` with which the fewest conflicts are added: unit vectors first, then pairs, then others.
#[allow(clippy::too_many_arguments)]
const fn choose(
    demand: &Demand,
    bits: u32,
    attempt: u32,
    seed: &mut u64,
    taken: &Span,
    beside: &Span,
    all: &Span,
    reach: &[Span; MOST],
    depth: &[u32; MOST],
    groups: usize,
) -> u64 {
    let (mut best, mut least) = (0, u64::MAX);
    let n = bits as u64;
    // The first attempts go from the highest bits and from the lowest.
    let units = n;
    let pairs = n * n;
    let mut k = 0;
    while k < units + pairs + 96 {
        let x = if attempt > 1 && (k >= units || attempt % 3 == 2) {
            next(seed) & ((1 << n) - 1)
        } else if k < units {
            1 << if attempt == 0 { n - 1 - k } else { k }
        } else if k < units + pairs {
            let (i, j) = ((k - units) / n, (k - units) % n);
            1 << (n - 1 - i) | 1 << j
        } else {
            next(seed) & ((1 << n) - 1)
        };
        k += 1;
        if x == 0 || taken.contains(x) {
            continue;
        }
        // What stands beside the vectors must not meet them.
        if !beside.contains(x) && all.contains(x) {
            continue;
        }
        let mut cost = 0;
        let mut g = 0;
        while g < groups {
            if reach[g].contains(x) {
                cost += demand.group[g].times << depth[g];
            }
            g += 1;
        }
        if cost < least {
            (best, least) = (x, cost);
            if cost == 0 {
                break;
            }
        }
    }
    best
}
