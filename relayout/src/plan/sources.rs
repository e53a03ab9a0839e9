//! Which source of several: one in the place of the target, else one of as few places as serve it.

use super::atoms::Atom;
use super::copy::{Block, Loop};
use super::place::Place;
use super::side::Part;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

/// Elements of one place of the target, and where they may come from.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    pub to: Place,
    /// Each source: its place, and the points.
    pub sources: Vec<(Place, Block)>,
}

/// The most places whose subsets are all tried.
const MOST_PLACES: usize = 14;

/// Where the elements of an atom may come from; only from their own place if it has them.
pub(crate) fn need(atom: &Atom, parts: &[&Part]) -> Need {
    let to = Place::new(atom.start[0][1..].to_vec());
    let mut sources: Vec<(Place, Block)> = vec![];
    for (k, part) in parts.iter().enumerate() {
        let loops: Vec<Loop> =
            atom.loops.iter().map(|(count, steps)| Loop { count: *count, target: steps[0], source: steps[k + 1] }).collect();
        for shift in replicas(part, atom.start[k + 1].len()) {
            let value: Vec<i64> = atom.start[k + 1].iter().zip(&shift).map(|(a, b)| a + b).collect();
            let source = (Place::new(value[1..].to_vec()), Block { start: (atom.start[0][0], value[0]), loops: loops.clone() });
            if !sources.iter().any(|(place, block)| *place == source.0 && block.start == source.1.start && block.loops == source.1.loops) {
                sources.push(source);
            }
        }
    }
    if sources.iter().any(|(place, _)| *place == to) {
        sources.retain(|(place, _)| *place == to);
    }
    Need { to, sources }
}

/// How far each replica is from the first.
fn replicas(part: &Part, components: usize) -> Vec<Vec<i64>> {
    let mut all = vec![vec![0; components]];
    for digit in &part.replica {
        let on = |value: &Vec<i64>, i: i64| {
            let mut value = value.clone();
            value[digit.component] += i * digit.step;
            value
        };
        all = (0..digit.count).flat_map(|i| all.iter().map(|value| on(value, i)).collect::<Vec<_>>()).collect();
    }
    all
}

/// The blocks of each message, by its places.
pub(crate) type Messages = BTreeMap<(Place, Place), Vec<Block>>;

/// Chooses the sources: for each place of the target as few places as can be.
pub(crate) fn choose(needs: Vec<Need>) -> Messages {
    let mut messages = Messages::new();
    let mut open: BTreeMap<Place, Vec<Need>> = BTreeMap::new();
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

/// The fewest places that serve every set of alternatives, those that are used anyway first; of many places, what serves most first.
fn fewest<'a>(wanted: &BTreeSet<BTreeSet<&'a Place>>, used: &BTreeSet<Place>) -> Vec<&'a Place> {
    let free = |set: &&BTreeSet<&'a Place>| !set.iter().any(|place| used.contains(*place));
    let mut chosen: Vec<&'a Place> = wanted.iter().flatten().copied().filter(|place| used.contains(*place)).collect();
    let left: Vec<&BTreeSet<&'a Place>> = wanted.iter().filter(free).collect();
    let places: Vec<&'a Place> = left.iter().flat_map(|set| set.iter().copied()).collect::<BTreeSet<_>>().into_iter().collect();
    if places.len() <= MOST_PLACES {
        let bits: Vec<u32> =
            left.iter().map(|set| places.iter().enumerate().filter(|(_, place)| set.contains(*place)).map(|(k, _)| 1 << k).sum()).collect();
        let serving = (0_u32..1 << places.len()).filter(|subset| bits.iter().all(|set| set & subset != 0));
        // Of subsets as small, that of the first places.
        let best = serving.min_by_key(|subset| (subset.count_ones(), subset.reverse_bits().wrapping_neg())).unwrap_or(0);
        chosen.extend(places.iter().enumerate().filter(|(k, _)| best >> k & 1 == 1).map(|(_, place)| *place));
        return chosen;
    }
    let mut left = left;
    while !left.is_empty() {
        let most =
            places.iter().copied().max_by_key(|place| (left.iter().filter(|set| set.contains(place)).count(), core::cmp::Reverse(*place)));
        let Some(place) = most else { break };
        chosen.push(place);
        left.retain(|set| !set.contains(place));
    }
    chosen
}
