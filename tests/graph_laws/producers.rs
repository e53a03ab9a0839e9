//! Two paths to one dimension must agree.

use crate::common::Rng;
use crd2idx::algebra::value::Facts;
use crd2idx::graph::{Bound, CoordGraph, Dimension, Direction, Domain, Expr, GraphError, Transform};

/// Connects `x` to `y` directly, and by its digits and back with `more` added. The size of the faster digit is a number or a parameter.
fn two_ways(sizes: [i64; 3], symbolic: bool, joined: bool, more: i64) -> CoordGraph {
    let mut graph = CoordGraph::new();
    let size = |graph: &mut CoordGraph, name: &str, size: i64| {
        if !symbolic {
            return Expr::from(size);
        }
        graph.parameter(name, Facts { lo: 1, hi: 100, div: 1 }).expect("a new name");
        Expr::param(name)
    };
    let (n, m) = (size(&mut graph, "n", sizes[1]), size(&mut graph, "m", sizes[2]));
    let x = graph.add(Dimension::new("x")).expect("a new name");
    let t = graph.add(Dimension::new("t").size(sizes[0]).stride(n.clone().times(m.clone()))).expect("a new name");
    let i = graph.add(Dimension::new("i").size(n).stride(m.clone())).expect("a new name");
    let j = graph.add(Dimension::new("j").size(m).stride(1)).expect("a new name");
    let back = graph.add(Dimension::new("back")).expect("a new name");
    let y = graph.add(Dimension::new("y")).expect("a new name");
    graph.connect(Transform::Tile, [x], [t, i, j]).expect("an edge");
    graph.connect(if joined { Transform::Join } else { Transform::Flatten }, [t, i, j], [back]).expect("an edge");
    graph.connect(Transform::Pad { left: more.into(), right: 0.into() }, [back], [y]).expect("an edge");
    graph.connect(Transform::PassThrough, [x], [y]).expect("an edge");
    graph
}

#[test]
fn equal_ways_are_accepted_and_others_are_a_conflict() {
    let mut rng = Rng::new(41);
    for k in 0..120 {
        let sizes = [rng.between(1, 9), rng.between(1, 9), rng.between(1, 9)];
        let (symbolic, more) = (k % 2 == 0, if k % 3 == 0 { rng.between(1, 5) } else { 0 });
        let graph = two_ways(sizes, symbolic, rng.one_in(2), more);
        let parameters = if symbolic { vec![("n", sizes[1]), ("m", sizes[2])] } else { vec![] };
        for _ in 0..10 {
            let x = rng.between(-50, 900);
            let got = graph.evaluate(Direction::Forward, &[&parameters[..], &[("x", x)]].concat(), &["y"]);
            match got {
                Ok(values) => assert!(more == 0 && values == [x], "{sizes:?} at {x}: {values:?}"),
                Err(GraphError::Conflict { dim, values, .. }) => {
                    let values = values.map(|(a, b)| [a.min(b), a.max(b)]);
                    assert!(more > 0 && dim == "y" && values == Some([x, x + more]), "{sizes:?} at {x}: {values:?}");
                }
                Err(error) => panic!("{sizes:?} at {x}: {error}"),
            }
        }
        for domain in [Domain::Declared, Domain::Natural, Domain::Any] {
            let program = graph.program(Direction::Forward, &[Bound::Thread("x")], &["y"], domain);
            match program {
                Ok(program) => {
                    assert!(more == 0, "{sizes:?}: accepted");
                    assert_eq!(program.without_conditions().operations().total(), 0, "{sizes:?}");
                }
                Err(GraphError::Conflict { dim, values, .. }) => assert!(more > 0 && dim == "y" && values.is_none(), "{sizes:?}"),
                Err(error) => panic!("{sizes:?}: {error}"),
            }
        }
    }
}

/// Two ways that agree at some coordinates only are a conflict, unless the known size of a coordinate excludes all others.
#[test]
fn ways_that_meet_at_some_places_are_a_conflict_elsewhere() {
    let mut graph = CoordGraph::new();
    let x = graph.add(Dimension::new("x").size(4)).expect("a new name");
    let y = graph.add(Dimension::new("y")).expect("a new name");
    graph.connect(Transform::PassThrough, [y], [x]).expect("an edge");
    graph.connect(Transform::Modulo { modulus: 4.into() }, [y], [x]).expect("an edge");
    assert_eq!(graph.reverse(&[("x", 3)], &["y"]), Ok(vec![3]));
    assert!(matches!(graph.reverse(&[("x", 7)], &["y"]), Err(GraphError::Conflict { values: Some((7, 3)), .. })));
    let program = |domain| graph.program(Direction::Reverse, &[Bound::Thread("x")], &["y"], domain);
    assert!(program(Domain::Declared).is_ok_and(|program| program.run(&[3]) == Ok(vec![3])));
    assert!(matches!(program(Domain::Natural), Err(GraphError::Conflict { values: None, .. })));
}
