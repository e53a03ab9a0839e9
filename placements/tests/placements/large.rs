//! Moves of tensors that nobody enumerates.

use placements::{Mesh, Placement, ReduceOp, Reshard, Rule};
use std::time::Instant;

fn rows(ranks: i64, shape: &[i64], rule: Rule) -> Placement {
    let mesh = Mesh::new([("tp", ranks)]).expect("a mesh");
    Placement::new(&mesh, shape).and_then(|all| all.split(0, "tp", rule)).expect("a placement")
}

/// DeepSpeed's vocabularies: each element once, and at most as many pieces as ranks on both sides.
#[test]
fn vocabularies() {
    for vocabulary in [13, 32, 100, 50257] {
        for source in [1, 2, 4, 8] {
            for target in [1, 2, 4, 8] {
                let (from, to) = (rows(source, &[vocabulary, 16], Rule::Chunk), rows(target, &[vocabulary, 16], Rule::Chunk));
                let transfers = Reshard::new(&from, &to).and_then(|plan| plan.transfers()).expect("transfers");
                assert!(transfers.len() as i64 <= source + target, "{vocabulary}: {source} to {target}");
                let mut next = 0;
                for one in &transfers {
                    let [rows, columns] = one.runs[..] else { panic!("two axes") };
                    assert_eq!((rows.start, rows.count, columns.start, columns.len, columns.count), (next, 1, 0, 16, 1));
                    next += rows.len;
                }
                assert_eq!(next, vocabulary);
            }
        }
    }
}

#[test]
fn a_trillion_elements() {
    let start = Instant::now();
    let shape = [1_000_000, 1_000_000];
    for (from, to) in
        [(Rule::Chunk, Rule::Chunk), (Rule::Balanced, Rule::Block(3)), (Rule::Block(64), Rule::Block(48)), (Rule::Block(7), Rule::Chunk)]
    {
        let plan = Reshard::new(&rows(256, &shape, from), &rows(128, &shape, to)).expect("a plan");
        let transfers = plan.transfers().expect("transfers");
        assert_eq!(plan.local() + plan.moved(), 1_000_000_000_000);
        assert_eq!(transfers.iter().map(|one| one.elements()).sum::<i64>(), 1_000_000_000_000);
    }
    // Sums over 4 replicas, to two axes.
    let mesh = Mesh::new([("sum", 4), ("x", 64)]).expect("a mesh");
    let from = Placement::new(&mesh, &shape).and_then(|all| all.split(0, "x", Rule::Chunk)?.partial("sum", ReduceOp::Sum)).expect("sums");
    let plan = Reshard::new(&from, &rows(128, &shape, Rule::Chunk)).expect("a plan");
    assert_eq!(plan.local() + plan.moved(), 4_000_000_000_000);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Rounds of the busiest devices: one reads from all others, and all read from all.
#[test]
fn rounds_of_many_devices() {
    let start = Instant::now();
    let mesh = Mesh::new([("x", 1 << 17)]).expect("a mesh");
    let from = Placement::new(&mesh, &[1 << 20]).and_then(|all| all.split(0, "x", Rule::Even)).expect("a placement");
    let to = rows(1, &[1 << 20], Rule::Even);
    assert_eq!(Reshard::new(&from, &to).and_then(|plan| plan.rounds()).map(|rounds| rounds.len()), Ok((1 << 17) - 1));
    let shape = [1 << 10, 1 << 10];
    let columns = Placement::new(&Mesh::new([("x", 512)]).expect("a mesh"), &shape).and_then(|all| all.split(1, "x", Rule::Even));
    let turn = Reshard::new(&rows(512, &shape, Rule::Even), &columns.expect("a placement"));
    assert_eq!(turn.and_then(|plan| plan.rounds()).map(|rounds| rounds.len()), Ok(511));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Numbers that are as large as they can be end in an answer or an error, at once.
#[test]
fn hostile_numbers() {
    let start = Instant::now();
    let huge = (1 << 62) - 1;
    let blocks = |ranks, block| rows(ranks, &[huge], Rule::Block(block));
    assert!(blocks(2, 1).ranges(0).is_err());
    assert!(Reshard::new(&blocks(2, 1_000_000_007), &blocks(3, 1_000_000_009)).is_err());
    assert!(Reshard::new(&blocks(2, huge), &blocks(3, huge / 2)).is_ok());
    let mesh = Mesh::new([("x", 1 << 9), ("y", 1 << 9)]).expect("a mesh");
    let all = Placement::new(&mesh, &[huge]).expect("a tensor");
    assert!(all.clone().split(0, "x", Rule::Block(1)).and_then(|all| all.split(0, "y", Rule::Block(3))).is_ok());
    assert!(all.clone().split(0, "x", Rule::Block(i64::MAX)).is_ok_and(|all| all.elements(0) == Ok(huge)));
    let error = Reshard::new(&all, &all).err().map(|error| error.class());
    assert_eq!(error, Some("placement/overflow"));
    let cut = all.clone().split(0, "x", Rule::Chunk).and_then(|all| all.split(0, "y", Rule::Balanced)).expect("a placement");
    assert!(Reshard::new(&cut, &cut).is_ok_and(|plan| plan.moved() == 0));
    // An axis of extent 0 makes no other one harmless.
    for shape in [[0, i64::MAX], [i64::MAX, 0], [0, 1 << 62]] {
        assert_eq!(Placement::new(&mesh, &shape).err().map(|error| error.class()), Some("placement/overflow"));
    }
    let empty = Placement::new(&mesh, &[0, huge]).and_then(|all| all.split(1, "x", Rule::Block(huge))).expect("a placement");
    assert_eq!((empty.elements(3), Reshard::new(&empty, &empty).map(|plan| plan.local())), (Ok(0), Ok(0)));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
