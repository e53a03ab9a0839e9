//! Conversions within warps, by shuffles.

use crate::distribution::{Digit, Distribution, product};
use alloc::vec;
use alloc::vec::Vec;

#[cfg(test)]
mod tests;

/// The position of a bit in the number of a thread.
pub(crate) type Bit = usize;

/// Shuffles that move elements between the lanes of each warp.
///
/// All digits that move are bits. A register bit of the source that becomes a lane bit, and a lane bit that becomes a register bit, form a
/// pair. Each pair doubles the number of rounds, because in one round a lane sends one register. Before the rounds each sender selects its
/// registers, and after them each receiver selects their places. If no other bit moves, nothing moves in the first of the `2^k` rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shuffles {
    /// The digits of the elements in a word.
    pub packed: Vec<Digit>,
    /// The digits of the words of a thread of the source, bits first.
    pub source: Vec<Digit>,
    /// The digits of the words of a thread of the target, bits first.
    pub target: Vec<Digit>,
    /// Digits of source words that the sender chooses by a bit of its own number.
    pub sent: Vec<(Digit, Bit)>,
    /// Digits of target words that the receiver chooses by a bit of its own number.
    pub received: Vec<(Digit, Bit)>,
    /// The digit of source words for one of target words in the same shuffle.
    pub pairs: Vec<(Digit, Digit)>,
    /// For each bit of the lane that sends, the bit of the receiver's number.
    pub from: Vec<Option<Bit>>,
    /// For a digit of target words, the bit of the lane that sends.
    pub rounds: Vec<(Digit, Bit)>,
    /// The number of words that move, for each thread.
    pub words: u64,
    /// The number of instructions that choose or pack words.
    pub choices: u64,
}

impl Shuffles {
    /// Tests whether no element moves in the first round: each lane receives from itself.
    pub fn keeps(&self) -> bool {
        self.from.iter().enumerate().all(|(lane, from)| *from == Some(lane))
    }

    /// Returns the shuffles of digits of other modes: mode `k` is `of(k)`.
    pub fn mapped(&self, of: impl Fn(usize) -> Option<usize>) -> Shuffles {
        let all = |digits: &[Digit]| digits.iter().map(|digit| digit.mapped(&of)).collect();
        let bits = |digits: &[(Digit, Bit)]| digits.iter().map(|(digit, bit)| (digit.mapped(&of), *bit)).collect();
        Shuffles {
            packed: all(&self.packed),
            source: all(&self.source),
            target: all(&self.target),
            sent: bits(&self.sent),
            received: bits(&self.received),
            pairs: self.pairs.iter().map(|(digit, other)| (digit.mapped(&of), other.mapped(&of))).collect(),
            rounds: bits(&self.rounds),
            ..self.clone()
        }
    }

    /// Returns the number of shuffles of a warp.
    pub fn count(&self, bytes: i64) -> u64 {
        self.words * (((bytes * product(&self.packed)) as u64).div_ceil(4))
    }
}

/// Returns the shuffles between two distributions of elements of `bytes` bytes.
///
/// Returns `None` if elements change warps, if a digit that moves is no bit, or if a lane would send two registers at once.
pub(crate) fn shuffles(source: &Distribution, target: &Distribution, bytes: i64) -> Option<Shuffles> {
    let copy = |digit: &Digit| digit.mode.is_none();
    let near =
        source.warps.len() == target.warps.len() && source.warps.iter().zip(&target.warps).all(|(from, to)| from == to || copy(from));
    let whole = target.all().all(|digit| copy(digit) || source.all().any(|known| known == digit));
    let stays = |digit: &Digit| source.registers.contains(digit) && target.registers.contains(digit);
    if !near || !whole || source.all().chain(target.all()).any(|digit| digit.radix != 2 && !stays(digit)) {
        return None;
    }
    let threads: Vec<Digit> = target.lanes.iter().chain(&target.warps).copied().collect();
    let lanes = target.lanes.len();
    // Lane bits of the sender that the receiver's number does not determine: register bits of the target, and copies.
    let (mut from, mut free, mut slots, mut sent) = (vec![None; lanes], Vec::new(), Vec::new(), Vec::new());
    for (bit, digit) in source.lanes.iter().enumerate() {
        match threads.iter().position(|known| known == digit).filter(|_| !copy(digit)) {
            Some(place) => from[bit] = Some(place),
            None => free.push((bit, Some(*digit).filter(|digit| !copy(digit)))),
        }
    }
    // Bits of the receiver by which the sender selects a register.
    for digit in &source.registers {
        match threads.iter().position(|known| known == digit) {
            Some(place) if place < lanes => slots.push((place, Some(*digit))),
            Some(place) => sent.push((*digit, place)),
            None => {}
        }
    }
    slots.extend((0..lanes).filter(|place| copy(&threads[*place])).map(|place| (place, None)));
    let (mut received, mut pairs) = (Vec::new(), Vec::new());
    // Serve registers before copies, and bits that stay in place before others.
    for (needed, same) in [(true, true), (true, false), (false, true), (false, false)] {
        for slot in core::mem::take(&mut slots) {
            let (place, register): (Bit, Option<Digit>) = slot;
            let fits = |(bit, digit): &(Bit, Option<Digit>)| *bit == place || !same && (needed || digit.is_some());
            let found = free.iter().position(fits).filter(|_| register.is_some() == needed);
            let Some((bit, digit)) = found.map(|found| free.remove(found)) else {
                slots.push(slot);
                continue;
            };
            from[bit] = Some(place);
            received.extend(digit.map(|digit| (digit, place)));
            sent.extend(register.map(|register| (register, bit)));
            pairs.extend(register.zip(digit));
        }
    }
    if slots.iter().any(|(_, register)| register.is_some()) {
        return None;
    }
    // A copy that no other bit needs is the receiver's own.
    free.iter().filter(|(_, digit)| digit.is_none()).for_each(|(bit, _)| from[*bit] = Some(*bit));
    let rounds: Vec<(Digit, Bit)> = {
        let lane = |digit: &Digit| source.lanes.iter().position(|known| known == digit);
        target.registers.iter().filter_map(|digit| lane(digit).map(|bit| (*digit, bit))).collect()
    };
    // Elements whose digits stay in the registers share a word of 32 bits.
    let bit = |digit: &&Digit| stays(digit) && digit.radix == 2;
    let most = (4 / bytes).max(1).ilog2() as usize;
    let packed: Vec<Digit> = source.registers.iter().filter(bit).take(most).copied().collect();
    let words = |own: &Distribution| {
        let mut words: Vec<Digit> = own.registers.iter().filter(|digit| !packed.contains(digit)).copied().collect();
        // Bits come first, so that an exchange of words flips a bit of their number.
        words.sort_by_key(|digit| digit.radix != 2);
        words
    };
    let (source_words, target_words) = (words(source), words(target));
    let count = |digits: &[Digit]| product(digits) as u64 * ((bytes * product(&packed)) as u64).div_ceil(4);
    let packs = |own: &Distribution, words: &[Digit]| if own.registers.starts_with(&packed) { 0 } else { count(words) };
    let choices = sent.len() as u64 * count(&source_words)
        + received.len() as u64 * count(&target_words)
        + packs(source, &source_words)
        + packs(target, &target_words);
    let all = product(&target_words) as u64;
    let mut out = Shuffles { packed, source: source_words, target: target_words, sent, received, pairs, from, rounds, words: all, choices };
    if out.keeps() {
        out.words -= all >> out.rounds.len();
    }
    Some(out)
}
