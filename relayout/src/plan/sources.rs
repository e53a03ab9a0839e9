//! Chooses among several sources: one in the place of the target, or else one of as few places as possible.

use super::affine::AffineBlock;
use super::copy::{Block, Loop};
use super::error::{PlanError, Result};
use super::place::Place;
use super::side::BoundPiece;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

/// Elements of one place of the target (`to`), with the sources that have them.
#[derive(Clone, Debug)]
pub(crate) struct BlockSources {
    pub to: Place,
    /// The place of each source, and the elements as points: the offset in the target and in that source.
    pub sources: Vec<(Place, Block)>,
}

/// The maximum number of possible sources of all blocks of one box, if the source has replicas.
pub(crate) const MOST_SOURCES: i64 = 1 << 20;

/// Returns, for each holder and each of its replicas, the distance from the holder's first replica in each component. Fails if
/// `blocks` blocks have too many sources together.
pub(crate) fn shifts(holders: &[&BoundPiece], blocks: usize) -> Result<Vec<Vec<Vec<i64>>>> {
    let replicas = holders.iter().fold(0_i64, |sum, part| sum.saturating_add(part.replicas));
    let sources = replicas.saturating_mul(blocks as i64);
    if sources > MOST_SOURCES && replicas > holders.len() as i64 {
        return Err(PlanError::Sources { sources, limit: MOST_SOURCES });
    }
    Ok(holders.iter().map(|part| part.replica_shifts()).collect())
}

/// The maximum number of places for which all subsets are tried.
const MOST_PLACES: usize = 14;

/// Returns the sources of the elements of a block. If the block's own place has them, only sources there remain. `shifts` are the
/// distances of the replicas of each source, from `shifts`.
pub(crate) fn need(atom: &AffineBlock, shifts: &[Vec<Vec<i64>>]) -> BlockSources {
    let to = Place::new(atom.start[0][1..].to_vec());
    let mut sources: Vec<(Place, Block)> = vec![];
    let mut seen = BTreeSet::new();
    for (k, shifts) in shifts.iter().enumerate() {
        let loops: Vec<Loop> =
            atom.loops.iter().map(|(count, steps)| Loop { count: *count, target: steps[0], source: steps[k + 1] }).collect();
        for shift in shifts {
            let value: Vec<i64> = atom.start[k + 1].iter().zip(shift).map(|(a, b)| a + b).collect();
            if seen.insert((value.clone(), loops.clone())) {
                sources.push((Place::new(value[1..].to_vec()), Block { start: (atom.start[0][0], value[0]), loops: loops.clone() }));
            }
        }
    }
    if sources.iter().any(|(place, _)| *place == to) {
        sources.retain(|(place, _)| *place == to);
    }
    BlockSources { to, sources }
}

/// The blocks of each message, by its source place and target place.
pub(crate) type Messages = BTreeMap<(Place, Place), Vec<Block>>;

/// Chooses one source for each block of `needs`, from as few places as possible for each place of the target.
pub(crate) fn choose(needs: Vec<BlockSources>) -> Messages {
    let mut messages = Messages::new();
    let mut open: BTreeMap<Place, Vec<BlockSources>> = BTreeMap::new();
    for mut need in needs {
        if need.sources.len() == 1 {
            if let Some((from, block)) = need.sources.pop() {
                messages.entry((from, need.to)).or_default().push(block);
            }
        } else {
            open.entry(need.to.clone()).or_default().push(need);
        }
    }
    for (to, needs) in open {
        let wanted: BTreeSet<BTreeSet<&Place>> = needs.iter().map(|need| need.sources.iter().map(|(place, _)| place).collect()).collect();
        let used: BTreeSet<Place> = messages.keys().filter(|(_, place)| *place == to).map(|(from, _)| from.clone()).collect();
        let chosen: BTreeSet<Place> = fewest(&wanted, &used).into_iter().cloned().collect();
        for need in needs {
            if let Some((from, block)) = need.sources.into_iter().find(|(place, _)| chosen.contains(place)) {
                messages.entry((from, to.clone())).or_default().push(block);
            }
        }
    }
    messages
}

/// Returns places, few if not the fewest, such that every set of `wanted` has one. It prefers `used` places, which cost nothing.
fn fewest<'a>(wanted: &BTreeSet<BTreeSet<&'a Place>>, used: &BTreeSet<Place>) -> Vec<&'a Place> {
    let (free, served): (Vec<_>, Vec<_>) = wanted.iter().partition(|set| !set.iter().any(|place| used.contains(*place)));
    let mut chosen: Vec<&'a Place> = served.into_iter().flatten().copied().filter(|place| used.contains(*place)).collect();
    let places: Vec<&'a Place> = free.iter().flat_map(|set| set.iter().copied()).collect::<BTreeSet<_>>().into_iter().collect();
    let numbers = |set: &BTreeSet<&'a Place>| set.iter().filter_map(|place| places.binary_search(place).ok()).collect();
    let sets: Vec<Vec<usize>> = free.into_iter().map(numbers).collect();
    for group in connected(&sets, places.len()) {
        let places_of: Vec<usize> = group.iter().flat_map(|set| sets[*set].iter().copied()).collect::<BTreeSet<_>>().into_iter().collect();
        let sets: Vec<&[usize]> = group.iter().map(|set| &sets[*set][..]).collect();
        let numbers = if places_of.len() <= MOST_PLACES { cover(&sets, &places_of) } else { cover_greedily(&sets, places.len()) };
        chosen.extend(numbers.into_iter().map(|number| places[number]));
    }
    chosen
}

/// Groups the sets that share numbers below `numbers`, directly or through other sets. A group lists the indices of its sets.
fn connected(sets: &[Vec<usize>], numbers: usize) -> Vec<Vec<usize>> {
    let mut owner: Vec<Option<usize>> = vec![None; numbers];
    let mut groups: Vec<Vec<usize>> = vec![];
    for (k, set) in sets.iter().enumerate() {
        let mut joined: Vec<usize> = set.iter().filter_map(|number| owner[*number]).collect();
        joined.sort_unstable();
        joined.dedup();
        // Move the smaller groups to the largest.
        let home = joined.iter().copied().max_by_key(|group| groups[*group].len()).unwrap_or_else(|| {
            groups.push(vec![]);
            groups.len() - 1
        });
        groups[home].push(k);
        for number in set {
            owner[*number] = Some(home);
        }
        for group in joined.into_iter().filter(|group| *group != home) {
            let moved = core::mem::take(&mut groups[group]);
            for number in moved.iter().flat_map(|set| &sets[*set]) {
                owner[*number] = Some(home);
            }
            groups[home].extend(moved);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Returns the fewest of `numbers` such that every set has one of them: the lexicographically first choice if several have as
/// few.
fn cover(sets: &[&[usize]], numbers: &[usize]) -> Vec<usize> {
    // The first number is the highest bit, so the greatest mask is the first subset.
    let bit = |number: usize| numbers.iter().rev().position(|other| *other == number).map_or(0, |k| 1_u32 << k);
    let masks: Vec<u32> = sets.iter().map(|set| set.iter().map(|number| bit(*number)).sum()).collect();
    let serving = (0..1_u32 << numbers.len()).filter(|subset| masks.iter().all(|mask| mask & subset != 0));
    let best = serving.min_by_key(|subset| (subset.count_ones(), core::cmp::Reverse(*subset))).unwrap_or(0);
    numbers.iter().copied().filter(|number| bit(*number) & best != 0).collect()
}

/// Returns numbers below `numbers` such that every set has one of them. It is greedy: the next number is the one that is in most
/// of the remaining sets.
fn cover_greedily(sets: &[&[usize]], numbers: usize) -> Vec<usize> {
    let mut holders: Vec<Vec<usize>> = vec![vec![]; numbers];
    for (k, set) in sets.iter().enumerate() {
        set.iter().for_each(|number| holders[*number].push(k));
    }
    let mut serves: Vec<usize> = holders.iter().map(Vec::len).collect();
    let mut open = vec![true; sets.len()];
    let mut out = vec![];
    while let Some(number) =
        (0..numbers).filter(|number| serves[*number] > 0).max_by_key(|number| (serves[*number], core::cmp::Reverse(*number)))
    {
        out.push(number);
        for set in &holders[number] {
            if core::mem::take(&mut open[*set]) {
                sets[*set].iter().for_each(|number| serves[*number] -= 1);
            }
        }
    }
    out
}
