//! Storage classes, compared with a search over the relations.

use crate::common::Rng;
use crd2idx::graph::{CoordGraph, Dataflow, Dimension, GraphError};
use std::collections::BTreeSet;

/// Returns the nodes that paths of these pairs `(from, to)` reach from `start`, without `start`.
fn reached(start: usize, pairs: &[(usize, usize)]) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([start]);
    loop {
        let more: Vec<usize> = pairs.iter().filter(|(a, b)| found.contains(a) && !found.contains(b)).map(|(_, b)| *b).collect();
        if more.is_empty() {
            found.remove(&start);
            return found;
        }
        found.extend(more);
    }
}

#[test]
fn storage_and_dataflow_are_closures() {
    let mut rng = Rng::new(61);
    let (mut held, mut refused) = (0, 0);
    for _ in 0..300 {
        let mut graph = CoordGraph::new();
        let count = 2 + rng.below(9);
        let ids: Vec<_> = (0..count).map(|k| graph.add(Dimension::new(format!("d{k}"))).expect("a new name")).collect();
        let mut holder = vec![None; count];
        let mut flows: Vec<(usize, usize)> = Vec::new();
        let mut relations: Vec<(Dataflow, usize, usize)> = Vec::new();
        for _ in 0..rng.below(2 * count) {
            let (a, b) = (rng.below(count), rng.below(count));
            let relation = *rng.pick(&Dataflow::ALL);
            let mut root = a;
            while let Some(next) = holder[root] {
                root = next;
            }
            let fits = a != b && !(relation.shares_storage() && (holder[b].is_some() || root == b));
            match graph.connect(relation, [ids[a]], [ids[b]]) {
                Ok(()) => assert!(fits, "{relation:?} {a} -> {b}"),
                Err(GraphError::Storage { .. } | GraphError::RepeatedDimension { .. }) => {
                    assert!(!fits, "{relation:?} {a} -> {b}");
                    refused += 1;
                    continue;
                }
                Err(error) => panic!("{relation:?} {a} -> {b}: {error}"),
            }
            relations.push((relation, a, b));
            if relation.shares_storage() {
                holder[b] = Some(a);
                held += 1;
            }
            if relation.carries_values() {
                flows.push((a, b));
            }
        }
        let names = |set: BTreeSet<usize>| set.into_iter().map(|k| format!("d{k}")).collect::<BTreeSet<_>>();
        let storage = |mut k: usize| {
            while let Some(next) = holder[k] {
                k = next;
            }
            k
        };
        let backward: Vec<(usize, usize)> = flows.iter().map(|(a, b)| (*b, *a)).collect();
        for k in 0..count {
            let name = format!("d{k}");
            let set = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
            assert_eq!(graph.storage_of(&name), Ok(format!("d{}", storage(k)).as_str()));
            let together = (0..count).filter(|other| storage(*other) == storage(k)).collect();
            assert_eq!(set(graph.stored_in(&name).expect("a name")), names(together));
            assert_eq!(set(graph.used_by(&name).expect("a name")), names(reached(k, &flows)));
            assert_eq!(set(graph.computed_from(&name).expect("a name")), names(reached(k, &backward)));
            let direct: Vec<(Dataflow, String)> = (relations.iter())
                .filter(|(_, a, b)| *a == k || *b == k)
                .map(|(relation, a, b)| (*relation, format!("d{}", if *a == k { b } else { a })))
                .collect();
            assert_eq!(graph.relations_of(&name), Ok(direct));
        }
    }
    assert!(held > 300 && refused > 100, "{held} held, {refused} refused");
}
