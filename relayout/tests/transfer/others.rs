//! Tests what is more than a copy: elements computed on the way, folds, one storage, tensors.

use super::naive::{Element, Strides, levels};
use super::random::{Random, extents, strides};
use layout_core::layouts::{StaticSwizzle, Swizzle};
use layout_core::{DynLayout, Int, Tensor, make_layout};
use relayout::{Place, Plan, Planner, ReducingTransfer, Side, Transfer, TransferEnd, TransferError};

pub fn pairs(seed: u64, count: usize, mut check: impl FnMut(&mut Random, Strides, Strides)) {
    let random = &mut Random(seed);
    // Miri runs few pairs, and small ones.
    for _ in 0..if cfg!(miri) { count.min(24) } else { count } {
        let most = if cfg!(miri) { 60 } else { [1000, 20000][usize::from(random.one_in(10))] };
        let extents = extents(random, most);
        let (source, target) = (strides(random, &extents, true), strides(random, &extents, false));
        check(random, source, target);
    }
}

#[test]
fn transforms_see_each_pair_once() {
    pairs(3, 300, |_, source, target| {
        let from: Vec<u16> = (0..source.storage()).map(u16::of).collect();
        let mut to: Vec<u64> = (0..target.storage()).map(u64::of).collect();
        let mut expected = to.clone();
        for c in 0..source.size() {
            let to = &mut expected[target.at(c) as usize];
            *to = to.wrapping_mul(3) + u64::from(from[source.at(c) as usize]);
        }
        let transfer = Transfer::new(&source.side(), &target.side()).expect("a plan");
        transfer.transform(&from, &mut to, |to, from| *to = to.wrapping_mul(3) + u64::from(*from)).expect("room");
        assert!(to == expected, "{source:?} to {target:?}");
    });
}

#[test]
fn folds_along_modes() {
    pairs(5, 600, |random, source, mut target| {
        // Give some modes of the target stride 0.
        for digit in &mut target.digits {
            if random.one_in(2) {
                target.base += if digit.1 < 0 { digit.1 * (digit.0 - 1).max(0) } else { 0 };
                digit.1 = 0;
            }
        }
        let from: Vec<u32> = (0..source.storage()).map(u32::of).collect();
        let blank: Vec<u64> = (0..target.storage()).map(u64::of).collect();
        let mut expected = blank.clone();
        for c in 0..source.size() {
            let to = &mut expected[target.at(c) as usize];
            *to = to.wrapping_add(u64::from(from[source.at(c) as usize]));
        }
        let reduction = ReducingTransfer::<u32>::new(&source.side(), &target.side()).expect("a plan");
        for level in levels() {
            let mut to = blank.clone();
            let reduction = reduction.clone().with_instruction_set(level);
            reduction.run(&from, &mut to, 0, |sum, x| sum.wrapping_add(u64::from(x)), u64::wrapping_add).expect("room");
            assert!(to == expected, "{source:?} to {target:?}: {reduction:?}");
        }
    });
}

/// Large enough to be split: all elements into one, rows, columns, the middle mode; backwards, every second element,
/// and with other elements between.
#[test]
fn folds_in_parts() {
    let cases: [(&str, &str); 8] = [
        ("(300,301):(301,1)", "(300,301):(0,0)"),
        ("(300,301):(301,1)", "(300,301):(1,0)"),
        ("(300,301):(301,1)", "(300,301):(0,1)"),
        ("(301,300):(1,602)", "(301,300):(0,2)"),
        ("(70000):(2)", "(70000):(0)"),
        ("(5,20000):(20000,1)", "(5,20000):(0,3)"),
        ("(40,50,60):(3000,60,1)", "(40,50,60):(60,0,1)"),
        ("(40,50,60):(1,40,2000)", "(40,50,60):(0,7,0)"),
    ];
    for (from, to) in cases {
        let [source, target] = [from, to].map(|text| {
            let numbers =
                |text: &str| -> Vec<i64> { text.trim_matches(['(', ')']).split(',').map(|n| n.parse().expect("a number")).collect() };
            let (extents, strides) = text.split_once(':').expect("a layout");
            Strides { digits: numbers(extents).into_iter().zip(numbers(strides)).collect(), base: 1 }
        });
        let data: Vec<f32> = (0..source.storage()).map(|k| (u16::of(k) as f32).sqrt()).collect();
        let (mut exact, mut sums) = (vec![0.5_f64; target.storage()], vec![0.5_f64; target.storage()]);
        (0..source.size()).for_each(|c| exact[target.at(c) as usize] += f64::from(data[source.at(c) as usize]));
        let reduction = ReducingTransfer::<f32>::new(&source.side(), &target.side()).expect("a plan");
        reduction.run(&data, &mut sums, 0.0, |sum, x| sum + f64::from(x), |a, b| a + b).expect("room");
        assert!(sums.iter().zip(&exact).all(|(sum, exact)| (sum - exact).abs() <= exact * 1e-12), "{from} to {to}");
        #[cfg(feature = "parallel")]
        {
            let mut threads = vec![0.5_f64; target.storage()];
            reduction.run_parallel(&data, &mut threads, 0.0, |sum, x| sum + f64::from(x), |a, b| a + b).expect("room");
            assert_eq!(threads, sums, "{from} to {to}");
        }
    }
}

#[test]
fn tensors_of_any_layouts() {
    let numbers: Vec<u16> = (0..512).collect();
    let rows = make_layout((Int::<8>, Int::<64>), (Int::<64>, Int::<1>));
    let tile = StaticSwizzle::<3, 3, 3>.composition(rows);
    let columns = DynLayout::<16>::parse("(8,64):(1,8)").expect("a layout");
    let mut room = [0; 512];
    let from = Tensor::new(&numbers, rows).expect("a tensor");

    let there = Transfer::between(rows, tile).expect("a plan");
    there.run(&from, &mut Tensor::new(&mut room, tile).expect("a tensor")).expect("the same layouts");
    let swizzled = room;
    let at = |i: usize, j: usize| Tensor::new(&swizzled, tile).expect("a tensor")[(i, j)];
    assert!((0..8).all(|i| (0..64).all(|j| at(i, j) == numbers[i * 64 + j])));

    let back = Transfer::between(tile, columns).expect("a plan");
    back.run(&Tensor::new(&swizzled, tile).expect("a tensor"), &mut Tensor::new(&mut room, columns).expect("a tensor"))
        .expect("the same layouts");
    assert!((0..8).all(|i| (0..64).all(|j| room[i + 8 * j] == numbers[i * 64 + j])));

    // A transfer into a window of a tensor writes nothing outside it.
    room.fill(9);
    let mut whole = Tensor::new(&mut room, make_layout((16, 32), (32, Int::<1>))).expect("a tensor");
    let mut part = whole.window_mut((3, 5), (Int::<8>, Int::<16>)).expect("inside");
    let narrow = make_layout((Int::<8>, Int::<16>), (Int::<1>, Int::<8>));
    let into = Transfer::between(narrow, part.layout()).expect("a plan");
    let source = Tensor::new(&numbers, narrow).expect("a tensor");
    into.run(&source, &mut part).expect("the same layouts");
    for i in 0..16 {
        for j in 0..32 {
            let inside = (3..11).contains(&i) && (5..21).contains(&j);
            assert_eq!(room[i * 32 + j], if inside { ((i - 3) + 8 * (j - 5)) as u16 } else { 9 });
        }
    }

    // Layouts of one type with different numbers are different layouts.
    let (short, long) = (make_layout((4, 4), (4, Int::<1>)), make_layout((4, 4), (5, Int::<1>)));
    let transfer = Transfer::<u16>::between(short, short).expect("a plan");
    let error = transfer.run(&Tensor::new(&numbers, long).expect("a tensor"), &mut Tensor::new(&mut room, short).expect("a tensor"));
    assert_eq!(error, Err(TransferError::Layouts));
}

#[test]
fn refusals_have_numbers() {
    let side = |text: &str| Side::parse(text).expect("a side");
    let error = Transfer::<u8>::new(&side("(4,4):(1,4)"), &side("(4,4):(1,2)")).expect_err("twice");
    assert_eq!(error.class(), "plan/target");
    let error = Transfer::<u8>::new(&side("(4,4):(1@0,1@1)"), &side("(4,4):(1@1,1@0)")).expect_err("places");
    assert_eq!(error.to_string(), "the plan has 16 messages between places, but a transfer in one memory has one place");
    let error = Transfer::<u64>::new(&side("(2,2):(1,2)"), &side("(2,2):(1,2000000000000000000)")).expect_err("too far");
    assert_eq!(error.to_string(), "an offset exceeds the addresses of this machine");

    assert!(Side::parse("(8,8):(^9,^1)").is_err(), "strides that are no offsets");
    let error = Side::parse("(?,8):(8,?{div=8})").map(drop).expect_err("unknown");
    assert_eq!(error.to_string(), "the operand is not a layout `shape:stride` with known numbers");
    let transfer = Transfer::<u8>::new(&side("(4,4):(-1,4)"), &side("(4,4):(1,5)")).expect("a plan");
    let error = transfer.run(&[0; 16], &mut [0; 19]).expect_err("negative");
    assert_eq!(error.to_string(), "the source has offsets from -3 to 12, but its storage has 16 elements");
    let transfer = Transfer::<u8>::new(&side("(4,4):(1,4)"), &side("(4,4):(1,5)")).expect("a plan");
    let error = transfer.run(&[0; 16], &mut [0; 18]).expect_err("short");
    assert_eq!(error.to_string(), "the target has offsets from 0 to 18, but its storage has 18 elements");
    assert!(transfer.transform(&[0; 15], &mut [0.0; 19], |_, _| {}).is_err());

    let shift = Transfer::<u8>::new(&side("8:1"), &side("8:1").with_base(&[3])).expect("a plan");
    assert_eq!(shift.in_place().expect_err("overlap").class(), "transfer/overlap");
    let swizzle = Swizzle::new(3, 40, 3).expect("a swizzle");
    let far = Transfer::<u8>::swizzled(&side("4194304:1"), Some(swizzle), &side("4194304:1"), None).expect_err("a table");
    assert_eq!(far.class(), "transfer/limit");
}

/// Pages in any order, of one size to another size: a plan with one place for each page, as one transfer.
#[test]
fn places_in_one_storage() {
    let random = &mut Random(11);
    for tokens in if cfg!(miri) { [7, 24] } else { [1000, 70_000] } {
        let element = 3;
        let pages = |slots: i64| (slots, (tokens + slots - 1) / slots);
        let ((few, from), (many, to)) = (pages(4), pages(16));
        // In the source the elements of a token are contiguous, in the target the slots of a page.
        let source = Side::parse(&format!("({element},({few},{from})):(1@0,({element}@0,1@1))")).expect("a side");
        let target = Side::parse(&format!("({element},({many},{to})):({many}@0,(1@0,1@1))")).expect("a side");
        let plan = Planner::new().extent(&[element, tokens]).plan(&source, &target).expect("a plan");
        let mut shuffled = |pages: i64| {
            let mut table: Vec<usize> = (0..pages as usize + 2).collect();
            (1..table.len()).for_each(|k| table.swap(k, random.below(k as u64 + 1) as usize));
            table
        };
        let (old, new) = (shuffled(from), shuffled(to));
        let begin = |end, place: &Place| match end {
            TransferEnd::Source => old[place.number().expect("one number") as usize] * (few * element) as usize,
            TransferEnd::Target => new[place.number().expect("one number") as usize] * (many * element) as usize,
        };
        let transfer = Transfer::<u16>::of_places(&plan, begin).expect("pages apart");
        let pool: Vec<u16> = (0..old.len() * (few * element) as usize).map(u16::of).collect();
        let blank: Vec<u16> = vec![7; new.len() * (many * element) as usize];
        let mut expected = blank.clone();
        for token in 0..tokens as usize {
            for c in 0..element as usize {
                let slot = (new[token / many as usize], token % many as usize);
                expected[slot.0 * (many * element) as usize + c * many as usize + slot.1] =
                    pool[(old[token / few as usize] * few as usize + token % few as usize) * element as usize + c];
            }
        }
        let mut out = blank.clone();
        transfer.run(&pool, &mut out).expect("room");
        assert!(out == expected, "{tokens} tokens");
        #[cfg(feature = "parallel")]
        {
            let mut out = blank.clone();
            transfer.run_parallel(&pool, &mut out).expect("room");
            assert!(out == expected, "{tokens} tokens on threads");
        }
    }
}

#[test]
fn places_that_are_not_apart() {
    let plan =
        Plan::new(&Side::parse("(4,3):(1@0,1@1)").expect("a side"), &Side::parse("(4,3):(1@0,1@1)").expect("a side")).expect("a plan");
    let begins = |source: [usize; 3], target: [usize; 3]| {
        Transfer::<u8>::of_places(&plan, |end, place| {
            [source, target][usize::from(end == TransferEnd::Target)][place.numbers()[0] as usize]
        })
    };
    // Places of the source may share elements.
    let mut out = [0; 12];
    begins([0, 0, 1], [8, 0, 4]).expect("apart").run(&[1, 2, 3, 4, 5], &mut out).expect("room");
    assert_eq!(out, [1, 2, 3, 4, 2, 3, 4, 5, 1, 2, 3, 4]);
    let error = begins([0, 4, 8], [8, 0, 9]).expect_err("not apart");
    assert_eq!(error.to_string(), "the places 0 and 2 of the target both write offsets from 9 to 11");
    assert!(begins([0, 4, 8], [8, 0, 8]).is_err());
    assert_eq!(begins([0, 4, usize::MAX], [8, 0, 4]).expect_err("beyond numbers"), TransferError::Overflow);
    assert_eq!(begins([0, 4, i64::MAX as usize], [8, 0, 4]).expect_err("beyond numbers"), TransferError::Overflow);
    let far = begins([0, 4, 1 << 30], [8, 0, 4]).expect("apart");
    assert!(matches!(far.run(&[0; 12], &mut out), Err(TransferError::Source { elements: 12, .. })));
}

/// Digits that do not nest: source and target have different modes and correspond by linear coordinate.
#[test]
fn folds_of_other_shapes() {
    let random = &mut Random(23);
    let mut mixed = 0;
    for _ in 0..if cfg!(miri) { 3 } else { 400 } {
        // The factors are in different orders, so that digits of the two sides overlap.
        let factors: Vec<i64> = (0..2 + random.below(3)).map(|_| 2 + random.below(3) as i64).collect();
        let digits = |random: &mut Random, still: bool| {
            let mut extents = factors.clone();
            (1..extents.len()).rev().for_each(|k| extents.swap(k, random.below(k as u64 + 1) as usize));
            if random.one_in(2) && extents.len() > 2 {
                let last = extents.pop().expect("a factor");
                extents[0] *= last;
            }
            let mut side = strides(random, &extents, false);
            for digit in &mut side.digits {
                if still && random.one_in(2) {
                    side.base += if digit.1 < 0 { digit.1 * (digit.0 - 1) } else { 0 };
                    digit.1 = 0;
                }
            }
            side
        };
        let (source, target) = (digits(random, false), digits(random, true));
        let from: Vec<u32> = (0..source.storage()).map(u32::of).collect();
        // Extra elements show whether anything is written too far.
        let blank: Vec<u64> = (0..target.storage() + 5000).map(u64::of).collect();
        let mut expected = blank.clone();
        for c in 0..source.size() {
            let to = &mut expected[target.at(c) as usize];
            *to = to.wrapping_add(u64::from(from[source.at(c) as usize]));
        }
        let reduction = ReducingTransfer::<u32>::new(&source.side(), &target.side()).expect("a plan");
        let mut to = blank.clone();
        reduction.run(&from, &mut to, 0, |sum, x| sum.wrapping_add(u64::from(x)), u64::wrapping_add).expect("room");
        assert!(to == expected, "{source:?} to {target:?}: {reduction:?}");
        // Some of these plans have a loop along two modes at once.
        mixed += u32::from(format!("{reduction:?}").contains("mixed: true"));
    }
    assert!(mixed > 0 || cfg!(miri));
}

/// Large enough for threads, and one loop of the plan moves along two modes of the target.
#[test]
#[cfg(feature = "parallel")]
#[cfg_attr(miri, ignore = "large")]
fn folds_of_other_shapes_on_threads() {
    let side = |text: &str| Side::parse(text).expect("a side");
    for (from, to) in [("(2,300001):(-1,2)", "(300001,2):(1,0)"), ("(2,200001):(-1,2)", "(200001,2):(2,0)")] {
        let reduction = ReducingTransfer::<u32>::new(&side(from).with_base(&[3]), &side(to)).expect("a plan");
        assert!(format!("{reduction:?}").contains("mixed: true"), "{reduction:?}");
        let source: Vec<u32> = (0..600_006).map(u32::of).collect();
        let [mut one, mut many] = [(); 2].map(|()| vec![1_u64; 400_001]);
        let add = |sum: u64, x: u32| sum.wrapping_mul(3) ^ u64::from(x);
        reduction.run(&source, &mut one, 0, add, |a, b| a ^ b).expect("room");
        reduction.run_parallel(&source, &mut many, 0, add, |a, b| a ^ b).expect("room");
        assert!(one == many, "{reduction:?}");
    }
}
