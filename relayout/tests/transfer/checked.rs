//! Tests copies with any numbers, and places at any position: the result is right or an error.

use super::naive::Element;
use super::random::Random;
use relayout::{Copy, Loop, Plan, Side, Transfer, TransferEnd, TransferError};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Returns mostly small numbers, and now and then one at the limits of 32-bit and 64-bit arithmetic.
fn number(random: &mut Random, small: i64) -> i64 {
    const EDGES: [i64; 16] = [
        i64::MIN,
        i64::MIN + 1,
        -(1 << 62),
        -(1 << 32),
        -1,
        0,
        1,
        1 << 31,
        (1 << 32) - 1,
        1 << 32,
        1 << 60,
        1 << 61,
        1 << 62,
        (1 << 62) + 1,
        i64::MAX - 1,
        i64::MAX,
    ];
    if random.one_in(12) { EDGES[random.below(16) as usize] } else { random.below(small as u64 + 2) as i64 - i64::from(random.one_in(10)) }
}

/// Returns the pairs of offsets of all elements; `None` if there are more than 5000, a count is negative, or an offset
/// exceeds 64 bits.
fn elements(copies: &[Copy]) -> Option<Vec<(i64, i64)>> {
    let mut out = vec![];
    for Copy { source, target, count, loops } in copies {
        let moves = |turn: &Loop| turn.count < 1 || (turn.source, turn.target) != (0, 0);
        let turns: Vec<Loop> =
            core::iter::once(Loop { count: *count, source: 1, target: 1 }).chain(loops.iter().copied()).filter(moves).collect();
        if turns.iter().any(|turn| turn.count < 0) {
            return None;
        }
        if turns.iter().any(|turn| turn.count == 0) {
            continue;
        }
        let all = turns.iter().try_fold(1_i64, |all, turn| all.checked_mul(turn.count)).filter(|all| *all <= 5000)?;
        for mut k in 0..all {
            let (mut from, mut to) = (i128::from(*source), i128::from(*target));
            for turn in &turns {
                let digit = i128::from(k % turn.count);
                k /= turn.count;
                (from, to) = (from + digit * i128::from(turn.source), to + digit * i128::from(turn.target));
            }
            out.push((i64::try_from(from).ok()?, i64::try_from(to).ok()?));
        }
    }
    Some(out)
}

/// Runs copies in every way. An element that is written several times may have any of its values.
fn check<T: Element + Send + Sync>(copies: &[Copy], lens: [usize; 2], seen: &mut [u32; 3]) {
    let inside = |elements: &Vec<(i64, i64)>| {
        let inside = |offset: i64, len: usize| usize::try_from(offset).is_ok_and(|offset| offset < len);
        elements.iter().all(|(from, to)| inside(*from, lens[0]) && inside(*to, lens[1]))
    };
    let right = elements(copies).filter(inside);
    let transfer = match Transfer::<T>::of_copies(copies.iter().cloned()) {
        Ok(transfer) => transfer,
        Err(error) => {
            assert!(right.is_none(), "{error}: {copies:?}");
            seen[0] += 1;
            return;
        }
    };
    let from: Vec<T> = (0..lens[0]).map(T::of).collect();
    let blank = T::of(usize::MAX / 3);
    let mut possible: BTreeMap<i64, Vec<T>> = BTreeMap::new();
    for (source, target) in right.iter().flatten() {
        possible.entry(*target).or_default().push(from[*source as usize]);
    }
    let mut to = vec![blank; lens[1]];
    let mut run = |how: &str, run: &mut dyn FnMut(&mut [T]) -> Result<(), TransferError>| {
        to.fill(blank);
        let result = run(&mut to);
        assert_eq!(result.is_ok(), right.is_some(), "{how}: {result:?} of {copies:?} in {lens:?}");
        for (k, value) in to.iter().enumerate() {
            let possible = possible.get(&(k as i64)).map_or(core::slice::from_ref(&blank), Vec::as_slice);
            assert!(result.is_err() || possible.contains(value), "{how}: element {k} of {copies:?} in {lens:?}");
        }
    };
    run("run", &mut |to| transfer.run(&from, to));
    run("streamed", &mut |to| transfer.clone().with_streaming(0).run(&from, to));
    run("any", &mut |to| transfer.run_any(&from, to));
    run("transform", &mut |to| transfer.transform(&from, to, |to, from| *to = *from));
    #[cfg(feature = "parallel")]
    run("threads", &mut |to| transfer.run_parallel(&from, to));
    let mut both: Vec<T> = (0..lens[0].min(lens[1])).map(T::of).collect();
    if let Ok(transfer) = transfer.in_place() {
        // Other tests check the results for small numbers.
        assert!(right.is_some() || transfer.run(&mut both).is_err() || elements(copies).is_some(), "{copies:?}");
    }
    seen[if right.is_some() { 2 } else { 1 }] += 1;
}

#[test]
fn copies_of_any_numbers() {
    let random = &mut Random(19);
    let mut seen = [0; 3];
    for _ in 0..if cfg!(miri) { 60 } else { 3000 } {
        let copy = |random: &mut Random| Copy {
            source: number(random, 8),
            target: number(random, 8),
            count: number(random, 5),
            loops: (0..random.below(4))
                .map(|_| Loop { count: number(random, 4), source: number(random, 9), target: number(random, 9) })
                .collect(),
        };
        let copies: Vec<Copy> = (0..random.below(4)).map(|_| copy(random)).collect();
        let lens = [random.below(90) as usize, random.below(90) as usize];
        match random.below(4) {
            0 => check::<u8>(&copies, lens, &mut seen),
            1 => check::<u32>(&copies, lens, &mut seen),
            2 => check::<[u8; 3]>(&copies, lens, &mut seen),
            _ => check::<u128>(&copies, lens, &mut seen),
        }
    }
    println!("{} refused, {} beyond their storages, {} ran", seen[0], seen[1], seen[2]);
    assert!(seen.iter().all(|seen| *seen > if cfg!(miri) { 3 } else { 300 }), "{seen:?}");
}

#[test]
fn refusals_of_copies_have_numbers() {
    let loops = |count, source, target| vec![Loop { count, source, target }];
    let error = |copy: Copy| Transfer::<u8>::of_copies([copy]).map(drop).map_err(|error| error.to_string());
    let negative = Err("the count of a copy or of one of its loops is -1; counts are at least 0".to_string());
    assert_eq!(error(Copy { source: 5, target: 5, count: -1, loops: vec![] }), negative);
    assert_eq!(error(Copy { source: 5, target: 5, count: 0, loops: loops(-1, 1, 1) }), negative);
    let beyond = Err("an offset exceeds the addresses of this machine".to_string());
    assert_eq!(error(Copy { source: 0, target: 0, count: 1, loops: loops(5, 0, 1 << 62) }), beyond);
    assert_eq!(error(Copy { source: 0, target: 0, count: 1, loops: loops(i64::MAX, 1 << 62, 0) }), beyond);
    assert_eq!(error(Copy { source: 0, target: 0, count: 3, loops: [loops(1 << 62, 1, 0), loops(2, 0, 1)].concat() }), beyond);
    assert_eq!(error(Copy { source: i64::MAX, target: 0, count: 2, loops: vec![] }), beyond);
    // No slice has this span, though each of its ends is an offset.
    assert_eq!(error(Copy { source: 0, target: -(1 << 62), count: 1, loops: loops(2, 0, i64::MAX) }), beyond);
    // The offset of the last byte of memory is one less than its size.
    assert_eq!(error(Copy { source: 0, target: isize::MAX as i64 - 1, count: 1, loops: vec![] }), Ok(()));
    assert_eq!(error(Copy { source: isize::MAX as i64, target: 0, count: 1, loops: vec![] }), beyond);
    // The step of a single turn is never taken.
    let once = Transfer::of_copies([Copy { source: 1, target: 0, count: 1, loops: loops(1, i64::MAX, i64::MIN) }]).expect("no step");
    let mut out = [0_u64; 1];
    once.run(&[3, 4], &mut out).expect("room");
    assert_eq!(out, [4]);
}

/// Copies without elements have no offsets, so their starts are ignored.
#[test]
fn copies_without_elements() {
    let far =
        |count: i64, turns: i64| Copy { source: 1 << 40, target: -7, count, loops: vec![Loop { count: turns, source: 1, target: 1 }] };
    let one = Copy { source: 2, target: 1, count: 2, loops: vec![] };
    for copies in [vec![far(0, 3), one.clone()], vec![one.clone(), far(3, 0)], vec![far(0, 0), one, far(0, i64::MAX)]] {
        let transfer = Transfer::of_copies(copies).expect("small numbers");
        let mut out = [0_u8; 3];
        transfer.run(&[1, 2, 3, 4], &mut out).expect("room");
        assert_eq!(out, [0, 3, 4]);
        assert!(transfer.run(&[1, 2, 3], &mut out).is_err());
    }
    Transfer::<u8>::of_copies([far(0, 3)]).expect("nothing").run(&[], &mut []).expect("nothing is out of nothing");
}

/// Elements without bytes are counted like others.
#[test]
fn elements_without_bytes() {
    let transfer = Transfer::<()>::new(&Side::parse("8:1").expect("a side"), &Side::parse("8:2").expect("a side")).expect("a plan");
    let (few, many) = (vec![(); 8], vec![(); usize::MAX]);
    let mut seen = 0;
    assert!(transfer.transform(&few, &mut [(); 14], |(), ()| seen += 1).is_err());
    transfer.transform(&few, &mut [(); 15], |(), ()| seen += 1).expect("room");
    transfer.transform(&many, &mut [(); usize::MAX], |(), ()| seen += 1).expect("room");
    assert_eq!(seen, 16);
}

/// Copies that write an element twice run on one thread, one after the other, even in `run_parallel`.
#[test]
#[cfg(feature = "parallel")]
fn copies_that_write_an_element_twice() {
    let elements = if cfg!(miri) { 64 } else { 1 << 18 };
    let copy = |source: i64| Copy { source, target: 0, count: elements, loops: vec![] };
    let still = Copy { source: 0, target: 3, count: 1, loops: vec![Loop { count: 2 * elements, source: 1, target: 0 }] };
    let source: Vec<u64> = (0..2 * elements as u64).collect();
    let threads = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads");
    for copies in [vec![copy(0), copy(elements)], vec![copy(elements), copy(0), still]] {
        let transfer = Transfer::<u64>::of_copies(copies).expect("small numbers");
        let [mut one, mut many] = [(); 2].map(|()| vec![u64::MAX; elements as usize]);
        transfer.run(&source, &mut one).expect("room");
        for _ in 0..if cfg!(miri) { 1 } else { 20 } {
            many.fill(u64::MAX);
            threads.install(|| transfer.run_parallel(&source, &mut many)).expect("room");
            assert!(one == many);
        }
    }
}

/// An index map with a period that is not injective: elements share an offset, so a single thread must write them.
#[test]
#[cfg(feature = "parallel")]
fn images_that_share_an_element() {
    use layout_core::error::Result;
    use layout_core::layouts::{Composed, IndexMap};
    use layout_core::{Int, make_layout};

    #[derive(Clone, Copy)]
    struct Even;

    // SAFETY: the map is a function of the index, adding 2 to that adds 2 to its image, and the range of even numbers holds all images.
    unsafe impl IndexMap for Even {
        const BLOCK: Option<usize> = Some(2);

        fn period(&self) -> Option<usize> {
            Some(2)
        }

        fn map(&self, index: usize) -> usize {
            index & !1
        }

        fn image(&self, range: core::ops::Range<isize>) -> Result<core::ops::Range<isize>> {
            Ok(range.start & !1..(range.end + 1) & !1)
        }
    }

    let elements = if cfg!(miri) { 1 << 9 } else { 1 << 18 };
    let rows = make_layout((elements,), (Int::<1>,));
    let pairs = Transfer::<u128>::between(rows, Composed::new(Even, 1usize, rows)).expect("a transfer");
    let numbers: Vec<u128> = (0..elements as u128).collect();
    let (mut alone, mut shared) = (vec![0; elements + 2], vec![0; elements + 2]);
    pairs.transfer().run(&numbers, &mut alone).expect("it fits");
    pairs.transfer().run_parallel(&numbers, &mut shared).expect("it fits");
    assert_eq!(alone, shared);
    // Every even offset has one of its two elements, and every odd offset has none.
    assert!(shared[2..].chunks(2).enumerate().all(|(k, pair)| pair[1] == 0 && pair[0] / 2 <= k as u128 + 1));
}

/// Ranges of two places with one element in common are an error; ranges with none are not.
#[test]
fn places_that_share_one_element() {
    let side = |text: &str| Side::parse(text).expect("a side");
    let plan = Plan::new(&side("(4,2):(1@0,1@1)"), &side("(4,2):(2@0,1@1)")).expect("a plan");
    let of = |first: usize, second: usize| {
        Transfer::<u16>::of_places(&plan, |end, place| match (end, place.number()) {
            (TransferEnd::Source, _) => 0,
            (TransferEnd::Target, Some(0)) => first,
            (TransferEnd::Target, _) => second,
        })
    };
    // Each place has offsets 0 to 6.
    for (first, second, shared) in [(0, 6, 6), (9, 3, 9)] {
        let error = of(first, second).expect_err("one element in common").to_string();
        let (place, other) = if first < second { (0, 1) } else { (1, 0) };
        assert_eq!(error, format!("the places {place} and {other} of the target both write offsets from {shared} to {shared}"));
    }
    for (first, second) in [(0, 7), (10, 3)] {
        let transfer = of(first, second).expect("apart");
        let (from, mut to) = ([1, 2, 3, 4], [0; 17]);
        transfer.run(&from, &mut to).expect("room");
        for k in 0..4 {
            assert_eq!([to[first + 2 * k], to[second + 2 * k]], [from[k]; 2]);
        }
    }
}

/// The closure for places is called once for each side and place, and its first result holds.
#[test]
fn places_are_asked_for_once() {
    let side = |text: &str| Side::parse(text).expect("a side");
    // Each place of the target receives two copies, from two places of the source.
    let plan = Plan::new(&side("(6,4):(1@0,1@1)"), &side("(6,(2,2)):(2@0,(1@0,1@1))")).expect("a plan");
    assert!(plan.copies().count() > plan.messages().iter().map(|message| &message.to).collect::<std::collections::BTreeSet<_>>().len());
    let asked = RefCell::new(BTreeMap::new());
    let begin = |end: TransferEnd, place: &relayout::Place| {
        let key = (end == TransferEnd::Target, place.number().expect("one number"));
        let times = *asked.borrow_mut().entry(key).and_modify(|times| *times += 1).or_insert(1);
        // A second call would return another position.
        24 * key.1 as usize + 1000 * (times - 1)
    };
    let transfer = Transfer::<u32>::of_places(&plan, begin).expect("apart");
    assert!(asked.borrow().values().all(|times| *times == 1), "{asked:?}");
    assert_eq!(asked.borrow().len(), 6);
    let from: Vec<u32> = (0..24 * 4).collect();
    let mut to = vec![u32::MAX; 24 * 2];
    transfer.run(&from, &mut to).expect("room");
    for c in 0..24 {
        let (i, j) = (c % 6, c / 6);
        assert_eq!(to[2 * i + j % 2 + 24 * (j / 2)], (i + 24 * j) as u32);
    }
}
