//! Compares transfers within one storage with a list of all elements.

use super::naive::{Element, Strides};
use super::others::pairs;
use super::random::Random;
use relayout::{Copy, Loop, Side, Transfer, TransferError};

/// The source offset and the target offset of each element.
type Moves = Vec<(i64, i64)>;

/// Tests whether an element moves to an offset where another element is read.
fn meets(moves: &Moves) -> bool {
    let overwritten: std::collections::HashSet<i64> = moves.iter().filter(|(from, to)| from != to).map(|(_, to)| *to).collect();
    moves.iter().any(|(from, _)| overwritten.contains(from))
}

/// Checks that the transfer is an error exactly if elements meet, that the error is true, and that the result is right
/// otherwise. Returns true if it ran.
fn check(transfer: &Transfer<u32>, moves: &Moves, storage: usize, what: &str) -> bool {
    let mut data: Vec<u32> = (0..storage).map(u32::of).collect();
    let mut expected = data.clone();
    moves.iter().for_each(|(from, to)| expected[*to as usize] = data[*from as usize]);
    match transfer.in_place() {
        Ok(transfer) => {
            assert!(!meets(moves), "accepted: {what}");
            transfer.run(&mut data).expect("room");
            assert!(data == expected, "{what}: {transfer:?}");
            true
        }
        Err(TransferError::InPlace { offset, from, to }) => {
            assert!(moves.contains(&(from, offset)) && from != offset, "{offset} is not overwritten by {from}: {what}");
            assert!(moves.contains(&(offset, to)) && (offset, to) != (from, offset), "{offset} is not needed at {to}: {what}");
            false
        }
        Err(error) => panic!("{error}: {what}"),
    }
}

fn of_layouts(source: &Strides, target: &Strides) -> bool {
    let transfer = Transfer::<u32>::new(&source.side(), &target.side()).expect("a plan");
    let moves: Moves = (0..source.size()).map(|c| (source.at(c), target.at(c))).collect();
    check(&transfer, &moves, source.storage().max(target.storage()), &format!("{source:?} to {target:?}"))
}

#[test]
fn one_storage() {
    let (mut ran, mut refused) = (0, 0);
    pairs(7, 600, |random, source, mut target| {
        target.base += [0, 0, 1, 7, source.storage() as i64][random.below(5) as usize];
        *(if of_layouts(&source, &target) { &mut ran } else { &mut refused }) += 1;
    });
    let least = if cfg!(miri) { 1 } else { 100 };
    assert!(ran > least && refused > least, "{ran} ran, {refused} were refused");
}

/// Small layouts, often with elements that stay: a single one, faces of a box, diagonals.
#[test]
fn elements_that_stay() {
    let random = &mut Random(13);
    let (mut ran, mut refused) = (0, 0);
    for _ in 0..if cfg!(miri) { 40 } else { 6000 } {
        let rank = 1 + random.below(3) as usize;
        let digits = |random: &mut Random, extents: &[i64]| Strides {
            digits: extents.iter().map(|extent| (*extent, random.below(25) as i64 - 8)).collect(),
            base: 0,
        };
        let extents: Vec<i64> = (0..rank).map(|_| 1 + random.below(5) as i64).collect();
        let [mut source, mut target] = [digits(random, &extents), digits(random, &extents)];
        let least = |side: &Strides| side.digits.iter().map(|(extent, stride)| ((extent - 1) * stride).min(0)).sum::<i64>();
        // Shift the target so that some element stays.
        let stays = random.below(source.size() as u64) as i64;
        target.base = source.at(stays) - target.at(stays);
        let up = least(&source).min(target.base + least(&target));
        (source.base, target.base) = (source.base - up, target.base - up);
        let spots: std::collections::HashSet<i64> = (0..target.size()).map(|c| target.at(c)).collect();
        if spots.len() as i64 == target.size() {
            *(if of_layouts(&source, &target) { &mut ran } else { &mut refused }) += 1;
        }
    }
    let least = if cfg!(miri) { 1 } else { 400 };
    assert!(ran > least && refused > least, "{ran} ran, {refused} were refused");
}

/// Several copies, some with elements that stay. Targets that are written twice are left out.
#[test]
fn several_copies() {
    let random = &mut Random(17);
    let (mut ran, mut refused) = (0, 0);
    for _ in 0..if cfg!(miri) { 60 } else { 4000 } {
        let copy = |random: &mut Random| {
            let number = |random: &mut Random, lo: i64, hi: i64| lo + random.below((hi - lo) as u64) as i64;
            let turn =
                |random: &mut Random| Loop { count: number(random, 0, 4), source: number(random, -9, 10), target: number(random, -9, 10) };
            let loops = (0..random.below(3)).map(|_| turn(random)).collect();
            Copy { source: 40 + number(random, 0, 12), target: 40 + number(random, 0, 12), count: number(random, 0, 4), loops }
        };
        let copies: Vec<Copy> = (0..1 + random.below(3)).map(|_| copy(random)).collect();
        let runs = copies.iter().flat_map(|copy| copy.offsets().map(|start| (start, copy.count)).collect::<Vec<_>>());
        let moves: Moves = runs.flat_map(|((from, to), count)| (0..count).map(move |k| (from + k, to + k))).collect();
        let spots: std::collections::HashSet<i64> = moves.iter().map(|(_, to)| *to).collect();
        if spots.len() == moves.len() {
            let transfer = Transfer::of_copies(copies.iter().cloned()).expect("small numbers");
            *(if check(&transfer, &moves, 120, &format!("{copies:?}")) { &mut ran } else { &mut refused }) += 1;
        }
    }
    let least = if cfg!(miri) { 1 } else { 200 };
    assert!(ran > least && refused > least, "{ran} ran, {refused} were refused");
}

/// Layouts that grow or shrink around an element that stays, some with offsets so large that the combined equation
/// exceeds 64 bits.
#[test]
fn padding_is_added_and_removed() {
    let side = |text: &str, base: i64| Side::parse(text).expect("a side").with_base(&[base]);
    for (from, to, base) in [
        ("2:2", "2:3", 0),
        ("(3,2):(1,3)", "(3,2):(1,6)", 0),
        ("(3,2):(1,6)", "(3,2):(1,3)", 0),
        ("(16,8):(1,16)", "(16,8):(1,160)", 0),
        ("(4,2):(1,100)", "(4,2):(1,50)", 0),
        ("(2,2):(8,1)", "(2,2):(8,3)", 0),
        ("(5,2):(1,0)", "(5,2):(1,10)", 0),
        ("4:6", "4:-6", 18),
        ("(3,3):(10,100)", "(3,3):(11,99)", 0),
        ("(3,3):(10000000000,100000000000)", "(3,3):(11000000000,99000000000)", 0),
        ("(2,2):(1000000000000,1)", "(2,2):(1000000000000,3000000000001)", 7),
    ] {
        if cfg!(target_pointer_width = "32") && from.contains("0000000000") {
            // Such offsets exceed the addresses.
            continue;
        }
        let transfer = Transfer::<u32>::new(&side(from, base), &side(to, base)).expect("a plan");
        assert!(transfer.in_place().is_ok(), "{from} to {to}");
    }
    let shift = Transfer::<u32>::new(&side("8:1", 0), &side("8:1", 3)).expect("a plan").in_place().expect_err("an overlap");
    let TransferError::InPlace { offset, from, to } = shift else { panic!("{shift}") };
    assert_eq!((from + 3, to - 3), (offset, offset));
    assert_eq!(
        shift.to_string(),
        format!(
            "source and target share a storage: the element of offset {from} overwrites offset {offset}, whose element is still needed at offset {to}"
        )
    );
}
