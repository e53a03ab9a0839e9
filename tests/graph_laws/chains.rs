//! Long chains and cycles.

use crate::common::Rng;
use crd2idx::graph::{Bound, CoordGraph, DimId, Dimension, Direction, Domain, GraphError, Transform};

const LONG: usize = 100_000;

/// Adds `count` dimensions, named `d0`, `d1`, and so on.
fn dimensions(graph: &mut CoordGraph, count: usize) -> Vec<DimId> {
    (0..count).map(|k| graph.add(Dimension::new(format!("d{k}"))).expect("a new name")).collect()
}

/// Runs `work` on a small stack, which a recursion over the chain would exceed.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn long_chains_need_no_stack() {
    on_a_small_stack(|| {
        let mut graph = CoordGraph::new();
        let dims = dimensions(&mut graph, LONG + 1);
        for (k, pair) in dims.windows(2).enumerate() {
            let pad = Transform::Pad { left: 1.into(), right: 0.into() };
            graph.connect(if k % 2 == 0 { pad } else { Transform::PassThrough }, [pair[0]], [pair[1]]).expect("an edge");
        }
        let last = format!("d{LONG}");
        assert_eq!(graph.forward(&[("d0", 7)], &[&last]), Ok(vec![7 + LONG as i64 / 2]));
        assert_eq!(graph.reverse(&[(&last, 7)], &["d0"]), Ok(vec![7 - LONG as i64 / 2]));
        assert_eq!(graph.is_valid(Direction::Forward, &[("d0", 7)], &[&last]), Ok(true));
        assert_eq!(graph.has_path(Direction::Forward, &["d0"], &[&last]), Ok(true));
        assert_eq!(graph.delta(Direction::Reverse, &[(&last, 7)], &last, 3, &["d0"]), Ok(vec![3]));
        assert_eq!(graph.determined(Direction::Forward, &[("d0", 0)]).expect("values").len(), LONG);
        let error = graph.forward(&[("d1", 7)], &["d0"]).expect_err("nothing leads there");
        assert!(matches!(error, GraphError::Unreachable { .. }), "{error}");
    });
}

#[test]
fn long_chains_have_short_programs() {
    on_a_small_stack(|| {
        let mut graph = CoordGraph::new();
        let dims = dimensions(&mut graph, LONG + 1);
        for pair in dims.windows(2) {
            graph.connect(Transform::PassThrough, [pair[0]], [pair[1]]).expect("an edge");
        }
        let program = graph.program(Direction::Forward, &[Bound::Thread("d0")], &[&format!("d{LONG}")], Domain::Any).expect("a program");
        assert_eq!((program.run(&[7]), program.operations().total()), (Ok(vec![7]), 0));
    });
}

/// Evaluation ends in rings of random transforms, entered at any dimension: with a value, or with a conflict.
#[test]
fn cycles_end() {
    let mut rng = Rng::new(51);
    let (mut values, mut conflicts) = (0, 0);
    for _ in 0..400 {
        let mut graph = CoordGraph::new();
        let count = 2 + rng.below(6);
        let dims = dimensions(&mut graph, count);
        let shifts: Vec<i64> = (0..count).map(|_| if rng.one_in(2) { 0 } else { rng.between(0, 2) }).collect();
        for k in 0..count {
            graph.connect(Transform::Pad { left: shifts[k].into(), right: 0.into() }, [dims[k]], [dims[(k + 1) % count]]).expect("an edge");
        }
        // One tail leads into the ring, and one leads out.
        let (from, to) = (rng.below(count), rng.below(count));
        let (head, tail) = (graph.add(Dimension::new("head")).expect("a name"), graph.add(Dimension::new("tail")).expect("a name"));
        graph.connect(Transform::PassThrough, [head], [dims[from]]).expect("an edge");
        graph.connect(Transform::PassThrough, [dims[to]], [tail]).expect("an edge");
        let way: i64 = (0..(to + count - from) % count).map(|step| shifts[(from + step) % count]).sum();
        let closes = shifts.iter().sum::<i64>() == 0;
        match graph.forward(&[("head", 5)], &["tail"]) {
            Ok(got) => {
                assert!(closes && got == [5 + way], "{shifts:?} from {from} to {to}: {got:?}");
                values += 1;
            }
            Err(GraphError::Conflict { .. }) => {
                assert!(!closes, "{shifts:?} from {from} to {to}");
                conflicts += 1;
            }
            Err(error) => panic!("{shifts:?}: {error}"),
        }
        let program = graph.program(Direction::Forward, &[Bound::Thread("head")], &["tail"], Domain::Any);
        assert_eq!(program.is_ok(), closes, "{shifts:?} from {from} to {to}");
        // A dimension that is bound inside the ring is not computed again.
        let bound = format!("d{from}");
        assert_eq!(graph.forward(&[(&bound, 5)], &[&format!("d{to}")]), Ok(vec![5 + if from == to { 0 } else { way }]));
        assert!(matches!(graph.forward(&[], &["tail"]), Err(GraphError::Unreachable { .. })));
        assert_eq!(graph.has_path(Direction::Forward, &["head"], &["tail"]), Ok(true));
        assert_eq!(graph.has_path(Direction::Forward, &["tail"], &["head"]), Ok(false));
    }
    assert!(values > 20 && conflicts > 100, "{values} values, {conflicts} conflicts");
}
