//! Tests that limits are checked before the work begins.

use relayout::{BlockCyclic, Copy, HaloBlocks, Loop, Plan, PlanError, Planner, Side, TransferEnd};
use std::cell::RefCell;
use std::collections::BTreeMap;

fn side(text: &str) -> Side {
    Side::parse(text).expect("a side")
}

fn list(count: usize, of: impl Fn(usize) -> i64) -> String {
    format!("({})", (0..count).map(|k| of(k).to_string()).collect::<Vec<_>>().join(","))
}

/// Each of these plans would take hours, or all memory, if copies, boxes or replicas were made before they are counted.
#[test]
fn what_is_too_much_is_not_begun() {
    let limit = |answer: Result<Plan, PlanError>, least: i64| match answer {
        Err(PlanError::Limit { copies, limit }) => assert!(copies >= least && limit == relayout::DEFAULT_LIMIT, "{copies}"),
        other => panic!("{other:?}"),
    };
    // Each element, or each pair of row and column, has a pair of places of its own.
    limit(Plan::new(&side("4000000:1@1"), &side("4000000:1")), 4_000_000);
    limit(Plan::new(&side("1000000000000:1@1"), &side("1000000000000:1")), 1 << 21);
    limit(Plan::new(&side("(1100,1100):(1@1,1@2)"), &side("(1100,1100):(1@0,1100@0)")), 1_210_000);
    limit(Plan::new(&side("(1100,1100):(1@1,1@0)"), &side("(1100,1100):(1@0,1@1)")), 1_210_000);
    limit(Plan::new(&side("(2000,2000):(1@1,2000@1)"), &side("(2000,2000):(1@0,2000@0)")), 4_000_000);
    limit(HaloBlocks { below: vec![1], above: vec![1], ..HaloBlocks::new(&[1 << 40], &[1 << 40]) }.halo(), 1 << 40);
    assert_eq!(HaloBlocks::new(&[1 << 40], &[1 << 40]).side().map(drop).map_err(|error| error.class()), Err("plan/limit"));

    // The source has more replicas than the planner compares.
    let replicas = side("(4,1099511627776):(1@0,1@1)").with_replicas(1 << 40);
    let error = Plan::new(&replicas, &side("4:1")).expect_err("too many");
    assert_eq!(error, PlanError::Sources { sources: 1 << 40, limit: 1 << 20 });
    assert_eq!(replicas.spots(&[4], &[1]).map(drop), Err(error));
}

/// The number of boxes to compare grows with each mode of the target whose extent ends within its digits.
#[test]
fn boxes_are_counted() {
    let modes = |count: usize, step: &dyn Fn(usize) -> [i64; 2]| {
        let shape = format!("({})", vec!["(3,2)"; count].join(","));
        let strides: Vec<String> = (0..count).map(|k| format!("({},{})", step(k)[0], step(k)[1])).collect();
        side(&format!("{shape}:({})", strides.join(",")))
    };
    // Digits that do not collide even beyond the extents cannot collide within them.
    let apart = modes(20, &|k| [2 * 6_i64.pow(k as u32), 6_i64.pow(k as u32)]);
    assert_eq!(
        Planner::new().extent(&[5; 20]).plan(&apart, &apart).map(|plan| plan.copies().count()).map_err(|error| error.class()),
        Ok(1)
    );
    // The sixth element of each mode does not exist; it would lie on the fourth. Each mode takes two boxes.
    let beyond = |count: usize| {
        let target = modes(count, &|k| [2 * 5_i64.pow(k as u32), if k == 0 { 1 } else { 5_i64.pow(k as u32) }]);
        Planner::new().extent(&vec![5; count]).plan(&target, &target).map(|plan| plan.elements()).map_err(|error| error.class())
    };
    assert_eq!(beyond(2), Ok(25));
    assert_eq!(beyond(22), Err("plan/target"));
}

/// A plan of exactly `limit` copies is accepted, and one more copy is an error. Places may repeat, and may come from
/// several progressions.
#[test]
fn places_are_counted_exactly() {
    // Both modes move one component of the place: 8 by 8 elements have 15 places, or 64 if the steps nest.
    let source = side("(8,8):(1@1,1@1)");
    let target = side("(8,8):(1@0,8@0)");
    for (limit, from, copies) in
        [(64, &side("(8,8):(1@1,8@1)"), Some(64)), (63, &side("(8,8):(1@1,8@1)"), None), (15, &source, Some(15)), (14, &source, None)]
    {
        let plan = Planner::new().limit(limit).plan(from, &target).map(|plan| plan.copies().count());
        assert_eq!(plan.ok(), copies, "{limit}");
    }
    // The reach of the smaller step equals the other step, so places repeat: 0, 1, 1, 2.
    let few = |limit: usize| Planner::new().limit(limit).plan(&side("(2,2):(1@1,1@1)"), &side("(2,2):(1@0,2@0)"));
    assert_eq!(few(3).map(|plan| plan.copies().count()), Ok(3));
    assert!(few(2).is_err());
    // Blocks of 4 to blocks of 3: each has its boundaries, and every 12 elements they coincide.
    let count = |limit: usize| Planner::new().elements(1200).limit(limit).plan(&side("(4,300):(1@0,1@1)"), &side("(3,400):(1@0,1@1)"));
    assert_eq!(count(600).map(|plan| plan.copies().count()), Ok(600));
    assert_eq!(count(599).map(drop), Err(PlanError::Limit { copies: 600, limit: 599 }));
}

/// A search that no rule decides ends after the number of steps in the error.
#[test]
#[cfg_attr(miri, ignore = "2^18 steps")]
fn hard_targets_end() {
    let mut state = 12345_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 9) as i64 & ((1 << 45) - 1)
    };
    let steps: Vec<i64> = (0..44).map(|_| random()).collect();
    let target = side(&format!("{}:{}", list(44, |_| 2), list(44, |k| steps[k])));
    let source = side(&format!("{}:{}", list(44, |_| 2), list(44, |k| 1 << k)));
    assert_eq!(Planner::new().extent(&[2; 44]).plan(&source, &target), Err(PlanError::Undecided { steps: 1 << 18 }));
}

/// Numbers beyond 64 bits are an error and do not wrap around.
#[test]
fn sizes_do_not_wrap() {
    let wide = "(4294967296,4294967296):(0,0)";
    for from in [wide, "((4294967296,2,4294967296)):((0,1,0))", "((4294967296,2,4294967296)):((0@0,1@1,0@0))"] {
        let Ok(from) = Side::parse(from) else { continue };
        assert!(Plan::new(&from, &side("1:1")).is_err());
        assert!(Planner::new().extent(&[4]).plan(&from, &side("4:1")).is_err());
        assert!(Planner::new().elements(4).plan(&from, &from).is_err());
        assert!(relayout::Transfer::<u8>::fill(&from).is_err());
        assert!(relayout::ReducingTransfer::<u8>::new(&from, &side("1:1")).is_err());
    }
}

/// Copies with any numbers in their public fields are counted and printed without a panic.
#[test]
fn copies_of_any_numbers_are_described() {
    let numbers = [i64::MIN, -3, -1, 0, 1, 2, 1 << 62, i64::MAX];
    for count in numbers {
        for turns in numbers {
            for step in numbers {
                let copy = Copy { source: 0, target: 0, count, loops: vec![Loop { count: turns, source: step, target: step }; 2] };
                let runs = if turns < 1 { 0 } else { turns.saturating_mul(turns) };
                assert_eq!(copy.runs(), runs);
                assert_eq!(copy.elements(), count.max(0).saturating_mul(runs));
                if let Some(pitched) = copy.pitched(4) {
                    assert!(count > 0 && turns > 0 && step >= count, "{copy}: {pitched:?}");
                }
                assert!(!copy.to_string().is_empty());
            }
        }
    }
}

/// The closure for addresses is called once for each place and side.
#[test]
fn addresses_are_asked_for_once() {
    let plan = Plan::new(&side("(6,4):(1@0,1@1)"), &side("(6,(2,2)):(2@0,(1@0,1@1))")).expect("a plan");
    let asked = RefCell::new(BTreeMap::new());
    let address = |end: TransferEnd, place: &relayout::Place| {
        *asked.borrow_mut().entry((end == TransferEnd::Target, place.clone())).or_insert(0) += 1;
        1 << 20
    };
    plan.descriptors(4, 0, 1000, address).expect("few");
    assert!(asked.borrow().len() == 6 && asked.borrow().values().all(|times| *times == 1), "{asked:?}");
}

#[test]
fn places_beyond_a_grid() {
    let blocks = HaloBlocks { below: vec![1, 1], ..HaloBlocks::new(&[4, 5], &[2, 3]) };
    for place in [i64::MIN, -1, 6, i64::MAX] {
        let error = |result: Result<(), PlanError>| result.expect_err("no block").to_string();
        let message = format!("place {place} has no block: the grid has 6 places");
        assert_eq!(error(blocks.local_extent(place).map(drop)), message);
        assert_eq!(error(blocks.first(place).map(drop)), message);
        assert_eq!(error(blocks.halo_of(place).map(drop)), message);
    }
    assert_eq!(blocks.local_extent(5), Ok(vec![3, 2]));
    let matrix = BlockCyclic { extent: [7, 9], block: [2, 2], grid: [2, 3], first: [0, 0] };
    for process in [[-1, 0], [0, 3], [2, 0], [i64::MIN, i64::MAX]] {
        assert_eq!(matrix.local_extent(process), [0, 0]);
    }
    for impossible in
        [BlockCyclic { grid: [0, 3], ..matrix }, BlockCyclic { block: [0, 2], ..matrix }, BlockCyclic { extent: [-1, 2], ..matrix }]
    {
        assert_eq!(impossible.local_extent([0, 0]), [0, 0]);
    }
    let hostile = Copy { source: i64::MAX, target: i64::MIN, count: 1, loops: vec![Loop { count: 3, source: i64::MAX, target: -1 }] };
    assert_eq!((hostile.offsets().count(), hostile.spans()), (3, None));
}
