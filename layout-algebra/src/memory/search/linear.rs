//! The bits of an index with the fewest conflicts, found by linear algebra.
//!
//! Coordinates and indices are vectors of bits. Let `V` be the coordinates that share a word with 0, `U` those that share a bank with 0.
//! Lanes that request the span `T` take `2^(dim(T n U) - dim(T n V))` wavefronts. Vectors take the lowest bits. The bits above the bank, which
//! extend `V` to `U`, are chosen outside every `T + U` so far; if there is no choice, conflicts arise. The bank completes the basis.

use super::demand::{Demand, MOST};
use crate::bits::{BitMatrix, MAX_BITS, Span};

/// The maximum number of bases that are tried while there are conflicts.
const TRIES: u32 = 256;

/// A map from the bits of the coordinate to the bits of the index, and its number of conflicts.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub matrix: BitMatrix,
    pub conflicts: u64,
}

/// Independent coordinate vectors, in the order of the bits of the index, and their span.
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

/// Returns the next pseudo-random number.
const fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

/// Returns the map with the fewest conflicts found for coordinates of `bits` bits; `None` if no map keeps the vectors.
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

/// Returns the span of the first elements of vectors, modulo the vectors; `None` if they cannot all be multiples of the vectors.
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
            // Elements of longer vectors may be added to a start.
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

/// Builds one map, which depends on the number of the attempt; `None` if no independent vector is found for some bit.
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
    // `beside` must stay independent of the elements of vectors; `all` is the span of both.
    let mut beside = kept.span;
    let mut all = kept.span;
    k = 0;
    while k < demand.vectors {
        if !all.insert(demand.vector[k as usize]) {
            return None;
        }
        k += 1;
    }
    // The elements of vectors take the lowest bits. Choose basis vectors for the other bits of a word.
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
    // `reach` is T + U of each group; `depth` counts the steps of T that stay in its bank but leave the word.
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
    // The bank takes the remaining dimensions: first elements of vectors, then unit vectors.
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

/// Returns a vector outside `taken` that adds the fewest conflicts, or 0. It tries unit vectors first, then pairs, then random ones.
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
    // The first two attempts start from the highest and from the lowest bit.
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
        // Inside `all` but outside `beside`, a choice would make `beside` depend on the elements of vectors.
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
