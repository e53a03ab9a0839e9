//! Shuffles, executed lane by lane, move every element to its place; and none moves more often than it must.

use super::{Shuffles, shuffles};
use crate::distribution::{Digit, Distribution, product};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// Numbers from a fixed seed (Vigna, xorshift64*).
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % most
    }

    fn shuffled(&mut self, mut digits: Vec<Digit>) -> Vec<Digit> {
        for k in (1..digits.len()).rev() {
            digits.swap(k, self.below(k + 1));
        }
        digits
    }
}

const COPY: Digit = Digit { mode: None, weight: 0, radix: 2 };

/// Returns a distribution of these bits, with `copies` copies among the lanes.
fn distribution(chance: &mut Chance, bits: &[Digit], warps: &[Digit], lanes: usize, copies: usize) -> Distribution {
    let mut all = chance.shuffled(bits.to_vec());
    let mut own: Vec<Digit> = all.split_off(all.len() - (lanes - copies));
    own.resize(lanes, COPY);
    Distribution { registers: all, lanes: chance.shuffled(own), warps: warps.to_vec() }
}

/// Returns the element that a thread has as one of its values.
fn element(of: &Distribution, value: i64, lane: i64, warp: i64) -> i64 {
    let all = [(&of.registers, value), (&of.lanes, lane), (&of.warps, warp)];
    all.iter().flat_map(|(digits, number)| digits.iter().map(move |digit| digit.weight * part(digits, digit, *number))).sum()
}

/// Returns what a step of a digit of `digits` adds to their number.
fn place(digits: &[Digit], digit: &Digit) -> Option<i64> {
    Some(product(&digits[..digits.iter().position(|known| known == digit)?]))
}

/// Returns the value of a digit in a number of `digits`, or 0 if it is none of them.
fn part(digits: &[Digit], digit: &Digit, number: i64) -> i64 {
    place(digits, digit).map_or(0, |place| number / place % digit.radix)
}

/// Executes the shuffles as the kernel does: each value is the number of an element. Returns the values of each thread.
fn executed(plan: &Shuffles, source: &Distribution, target: &Distribution) -> Vec<Vec<i64>> {
    let lanes = 1i64 << source.lanes.len();
    let threads = lanes << source.warps.len();
    let number =
        |own: &[Digit], of: &dyn Fn(&Digit) -> i64| own.iter().filter_map(|digit| Some(of(digit) * place(own, digit)?)).sum::<i64>();
    let exchanged = |words: &[Digit], by: &[(Digit, usize)], word: i64, thread: i64| {
        by.iter().fold(word, |word, (digit, own)| word ^ (place(words, digit).expect("a digit of the words") * (thread >> own & 1)))
    };
    // The words that each thread sends, after it has exchanged them.
    let sent = |thread: i64, word: i64| {
        let word = exchanged(&plan.source, &plan.sent, word, thread);
        (0..product(&plan.packed)).map(move |packed| {
            let of = |digit: &Digit| part(&plan.packed, digit, packed) + part(&plan.source, digit, word);
            element(source, number(&source.registers, &of), thread % lanes, thread / lanes)
        })
    };
    let mut out = Vec::new();
    for thread in 0..threads {
        let mut words = Vec::new();
        for round in 0..product(&plan.target) {
            let other: i64 = plan.rounds.iter().map(|(digit, own)| part(&plan.target, digit, round) << own).sum();
            let first: i64 = plan.from.iter().enumerate().filter_map(|(lane, from)| from.map(|from| (thread >> from & 1) << lane)).sum();
            let of = |digit: &Digit| {
                let other = plan.pairs.iter().find(|(own, _)| own == digit).map_or(digit, |(_, other)| other);
                part(&plan.target, other, round)
            };
            let from = if other == 0 && plan.keeps() { thread % lanes } else { first ^ other };
            words.push(sent(thread / lanes * lanes + from, number(&plan.source, &of)).collect::<Vec<_>>());
        }
        let values = (0..target.values()).map(|value| {
            let of = |digit: &Digit| part(&target.registers, digit, value);
            let word = exchanged(&plan.target, &plan.received, number(&plan.target, &of), thread);
            words[word as usize][number(&plan.packed, &of) as usize]
        });
        out.push(values.collect());
    }
    out
}

/// Returns the greatest number of elements that a lane sends or receives. No schedule has fewer shuffles, and one reaches it (König, 1916).
fn degree(source: &Distribution, target: &Distribution) -> u64 {
    let (lanes, mut holders) = (1i64 << source.lanes.len(), BTreeMap::new());
    for lane in 0..lanes {
        holders.extend((0..source.values()).map(|value| (element(source, value, lane, 0), lane)));
    }
    let (mut sent, mut received) = (vec![0; lanes as usize], vec![0; lanes as usize]);
    for lane in 0..lanes {
        for value in 0..target.values() {
            let from = holders[&element(target, value, lane, 0)];
            if from != lane {
                sent[from as usize] += 1;
                received[lane as usize] += 1;
            }
        }
    }
    sent.into_iter().chain(received).max().unwrap_or(0)
}

#[test]
fn every_element_arrives() {
    let mut chance = Chance(20_261_128);
    let (mut planned, mut refused) = (0, 0);
    for case in 0..3000 {
        let (lanes, warps) = (1 + chance.below(4), chance.below(3));
        let (from_copies, to_copies) = (chance.below(lanes + 1), chance.below(lanes + 1));
        let least = lanes - from_copies.min(to_copies);
        let bits: Vec<Digit> = (0..least + chance.below(4)).map(|bit| Digit { mode: Some(0), weight: 1 << bit, radix: 2 }).collect();
        let own: Vec<Digit> = (0..warps).map(|bit| Digit { mode: Some(0), weight: 1 << (bits.len() + bit), radix: 2 }).collect();
        let mut source = distribution(&mut chance, &bits, &own, lanes, from_copies);
        let mut target = distribution(&mut chance, &bits, &own, lanes, to_copies);
        // An odd factor stays in the registers, at any place.
        if chance.below(3) == 0 {
            for registers in [&mut source.registers, &mut target.registers] {
                let at = chance.below(registers.len() + 1);
                registers.insert(at, Digit { mode: Some(0), weight: 1 << (bits.len() + warps), radix: 3 });
            }
        }
        // Some sources have all warps as copies, and the digits of the warps in registers.
        if warps > 0 && chance.below(4) == 0 {
            source.registers.push(core::mem::replace(&mut source.warps[0], COPY));
        }
        let bytes = 1 << chance.below(4);
        let Some(plan) = shuffles(&source, &target, bytes) else {
            refused += 1;
            continue;
        };
        planned += 1;
        for (thread, values) in executed(&plan, &source, &target).iter().enumerate() {
            let (lane, warp) = (thread as i64 % (1 << lanes), thread as i64 >> lanes);
            let right: Vec<i64> = (0..target.values()).map(|value| element(&target, value, lane, warp)).collect();
            assert_eq!(*values, right, "case {case}, thread {thread}: {source:?} to {target:?} by {plan:?}");
        }
        if from_copies == 0 && to_copies == 0 && source.warps == target.warps && bytes == 4 {
            assert_eq!(plan.count(4), degree(&source, &target), "case {case}: {source:?} to {target:?}");
        }
    }
    assert!(planned > 2500 && refused < 100, "{planned} planned, {refused} refused");
}

#[test]
fn what_changes_warps_is_refused() {
    let digit = |bit: usize| Digit { mode: Some(0), weight: 1 << bit, radix: 2 };
    let of = |register, lane, warp| Distribution { registers: vec![digit(register)], lanes: vec![digit(lane)], warps: vec![digit(warp)] };
    assert_eq!(shuffles(&of(0, 1, 2), &of(0, 2, 1), 4), None);
    let third = Distribution { registers: vec![Digit { radix: 3, ..digit(0) }], ..of(0, 1, 2) };
    assert_eq!(shuffles(&third, &third, 4).map(|plan| plan.count(4)), Some(0));
}
