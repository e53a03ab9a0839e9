//! Moves, element by element.

use crate::enumeration::indices;
use crate::random::Random;
use placements::{Placement, Reshard};
use relayout::{Place, Planner};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the coordinates of the elements of a device, in the order in which it stores them.
fn coordinates(placement: &Placement, device: usize) -> Vec<Vec<i64>> {
    indices(placement, device).iter().fold(vec![vec![]], |all, list| {
        all.iter().flat_map(|front| list.iter().map(move |index| [&front[..], &[*index]].concat())).collect()
    })
}

/// Returns the numbers of elements that stay and that move, by the definition.
fn counts(from: &Placement, to: &Placement) -> (i64, i64) {
    let (mut local, mut moved) = (0, 0);
    for device in 0..to.mesh().devices() {
        let own: BTreeSet<Vec<i64>> =
            if device < from.mesh().devices() { coordinates(from, device).into_iter().collect() } else { BTreeSet::new() };
        for element in coordinates(to, device) {
            let here = i64::from(own.contains(&element));
            local += here;
            moved += from.summands() as i64 - here;
        }
    }
    (local, moved)
}

/// The summands that a result has, in their order: the element and the number of each.
type Summands = Vec<(Vec<i64>, usize)>;

fn check(from: &Placement, to: &Placement) {
    let plan = Reshard::new(from, to).expect("a plan");
    assert_eq!((plan.local(), plan.moved()), counts(from, to), "{from} to {to}");
    let transfers = plan.transfers().expect("transfers");
    let (local, sent): (Vec<_>, Vec<_>) = transfers.iter().partition(|one| one.is_local());
    let elements = |list: &[&placements::DeviceTransfer]| list.iter().map(|one| one.elements()).sum::<i64>();
    assert_eq!((elements(&local), elements(&sent)), (plan.local(), plan.moved()), "{from} to {to}");
    assert!(transfers.iter().all(|one| one.elements() > 0 && one.from < from.mesh().devices() && one.to < to.mesh().devices()));

    // A value is the number of a list: of the summands that it has, in the order in which they were combined.
    let values: RefCell<Vec<Summands>> = RefCell::default();
    let value = |list: Summands| {
        values.borrow_mut().push(list);
        values.borrow().len() - 1
    };
    let own = |device: usize| {
        let summand = from.summand(device).expect("a device");
        coordinates(from, device).into_iter().map(|element| value(vec![(element, summand)])).collect()
    };
    let sources: Vec<Vec<usize>> = (0..from.mesh().devices()).map(own).collect();
    let sources: Vec<&[usize]> = sources.iter().map(Vec::as_slice).collect();
    let mut targets: Vec<Vec<usize>> = (0..to.mesh().devices()).map(|device| vec![usize::MAX; coordinates(to, device).len()]).collect();
    let mut slices: Vec<&mut [usize]> = targets.iter_mut().map(Vec::as_mut_slice).collect();
    let combine = |sum: usize, next: usize| {
        let joined = [&values.borrow()[sum][..], &values.borrow()[next][..]].concat();
        value(joined)
    };
    plan.run(&sources, &mut slices, combine).expect("a run");
    for (device, found) in targets.iter().enumerate() {
        for (element, result) in coordinates(to, device).iter().zip(found) {
            let expected: Vec<_> = (0..from.summands()).map(|summand| (element.clone(), summand)).collect();
            assert_eq!(values.borrow()[*result], expected, "{from} to {to}, device {device}");
        }
    }

    // Rounds have all messages, at most one of each sender and receiver, and they are as few as the busiest device allows.
    let rounds = plan.rounds().expect("rounds");
    let mut ends: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); 2];
    for round in &rounds {
        for (side, counts) in ends.iter_mut().enumerate() {
            let devices: BTreeSet<usize> = round.iter().map(|one| if side == 0 { one.from } else { one.to }).collect();
            assert_eq!(devices.len(), round.len(), "{from} to {to}: {round:?}");
            devices.into_iter().for_each(|device| *counts.entry(device).or_default() += 1);
        }
    }
    assert_eq!(rounds.len(), ends.iter().flat_map(|counts| counts.values()).copied().max().unwrap_or(0), "{from} to {to}");
    assert_eq!(rounds.iter().flatten().map(|one| one.elements).sum::<i64>(), plan.moved());

    // Two steps move no more than one.
    let steps = Reshard::steps(from, to).expect("steps");
    assert!(steps.iter().map(Reshard::moved).sum::<i64>() <= plan.moved() && steps.len() <= from.summands().min(2));

    // No holder of some elements sends more than its share of them.
    let mut groups: BTreeMap<(Vec<Vec<i64>>, usize), Vec<i64>> = BTreeMap::new();
    for device in 0..from.mesh().devices() {
        let sent = transfers.iter().filter(|one| one.from == device && !one.is_local()).map(|one| one.elements()).sum();
        groups.entry((indices(from, device), from.summand(device).expect("a device"))).or_default().push(sent);
    }
    for ((part, _), sent) in groups.iter().filter(|((part, _), _)| part.iter().all(|list| !list.is_empty())) {
        let all: i64 = sent.iter().sum();
        let share = (all as u64).div_ceil(sent.len() as u64) as i64;
        assert!(sent.iter().all(|one| *one <= share), "{from} to {to}: {part:?} {sent:?}");
    }
}

/// A side has each element where the device stores it, and relayout's plans between sides keep as many elements in place.
#[test]
fn sides_have_the_offsets_of_parts() {
    let mut random = Random(5);
    for _ in 0..300 {
        let shape: Vec<i64> = (0..random.number(1, 2)).map(|_| random.number(1, 9)).collect();
        let (from, to) = (random.placement(&shape, true), random.placement(&shape, false));
        let sides: Vec<_> = (0..from.summands()).map(|summand| from.side_of(summand).expect("a side")).collect();
        let mut count = 0;
        for device in 0..from.mesh().devices() {
            let side = &sides[from.summand(device).expect("a device")];
            for (offset, element) in coordinates(&from, device).iter().enumerate() {
                let spots = side.spots(&shape, element).expect("spots");
                assert!(spots.contains(&(Place::from(device as i64), offset as i64)), "{from}: {element:?} {spots:?}");
                count += 1;
            }
        }
        let all = coordinates(&Placement::new(from.mesh(), &shape).expect("a tensor"), 0);
        let spots = |element: &Vec<i64>| sides.iter().map(|side| side.spots(&shape, element).expect("spots").len()).sum::<usize>();
        assert_eq!(all.iter().map(spots).sum::<usize>(), count, "{from}");
        if from.summands() == 1 {
            let planner = Planner::new().extent(&shape).overlapping();
            let plan = planner.plan(&sides[0], &to.side().expect("a side")).expect("a plan").statistics();
            let ours = Reshard::new(&from, &to).expect("a plan");
            assert_eq!((plan.local, plan.remote), (ours.local(), ours.moved()), "{from} to {to}");
        }
    }
}

#[test]
fn every_element_comes_from_a_holder() {
    let mut random = Random(2);
    for _ in 0..1500 {
        let mut shape = random.shape(0);
        shape.iter_mut().for_each(|extent| *extent = (*extent).min(9));
        let (from, to) = (random.placement(&shape, true), random.placement(&shape, false));
        check(&from, &to);
    }
}

/// Returns the fewest elements that move if each part goes to a device of its own: all orders are tried.
#[cfg(feature = "relabel")]
fn fewest(plan: &Reshard, taken: &mut Vec<usize>, local: &[Vec<i64>]) -> i64 {
    let Some(own) = local.get(taken.len()) else {
        let kept: i64 = taken.iter().zip(local).map(|(device, own)| own[*device]).sum();
        return plan.local() + plan.moved() - kept;
    };
    let mut least = i64::MAX;
    for device in (0..own.len()).filter(|device| !taken.contains(device)).collect::<Vec<_>>() {
        taken.push(device);
        least = least.min(fewest(plan, taken, local));
        taken.pop();
    }
    least
}

#[cfg(feature = "relabel")]
#[test]
fn relabelled_moves_are_the_least() {
    let mut random = Random(7);
    let mut fewer = 0;
    for _ in 0..1500 {
        let shape: Vec<i64> = (0..random.number(0, 2)).map(|_| random.number(0, 7)).collect();
        let (from, to) = (random.placement(&shape, true), random.placement(&shape, false));
        let devices = from.mesh().devices().max(to.mesh().devices());
        if devices > 5 {
            continue;
        }
        let direct = Reshard::new(&from, &to).expect("a plan");
        let held = |device: usize| if device < from.mesh().devices() { coordinates(&from, device) } else { vec![] };
        let parts: Vec<_> = (0..to.mesh().devices()).map(|part| coordinates(&to, part)).collect();
        let kept = |part: &[Vec<i64>], device| held(device).iter().filter(|one| part.contains(one)).count() as i64;
        let local: Vec<Vec<i64>> = parts.iter().map(|part| (0..devices).map(|device| kept(part, device)).collect()).collect();
        let plan = Reshard::new(&from, &to).expect("a plan").relabelled().expect("a plan");
        assert_eq!(plan.moved(), fewest(&direct, &mut vec![], &local), "{from} to {to}");
        assert_eq!(plan.local() + plan.moved(), direct.local() + direct.moved());
        fewer += usize::from(plan.moved() < direct.moved());

        // Each taker gets the elements of its part.
        let numbers = |list: &[Vec<i64>]| list.iter().map(|one| one.iter().fold(1, |number, index| number * 8 + index)).collect::<Vec<_>>();
        let sources: Vec<_> = (0..from.mesh().devices()).map(|device| numbers(&held(device))).collect();
        let sources: Vec<&[i64]> = sources.iter().map(Vec::as_slice).collect();
        let most = plan.takers().iter().max().expect("a device") + 1;
        let mut expected = vec![vec![]; most];
        plan.takers().iter().zip(&parts).for_each(|(device, part)| expected[*device] = numbers(part));
        let mut targets: Vec<Vec<i64>> = expected.iter().map(|part| vec![0; part.len()]).collect();
        let mut slices: Vec<&mut [i64]> = targets.iter_mut().map(Vec::as_mut_slice).collect();
        plan.run(&sources, &mut slices, |sum, next| sum + next).expect("a run");
        expected.iter_mut().flatten().for_each(|number| *number *= from.summands() as i64);
        assert_eq!(targets, expected, "{from} to {to}: {:?}", plan.takers());
        let messages: i64 = plan.rounds().expect("rounds").iter().flatten().map(|one| one.elements).sum();
        assert_eq!(messages, plan.moved());
    }
    assert!(fewer > 30, "{fewer}");
}
