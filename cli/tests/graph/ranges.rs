//! Quantities that turn out too small, and numbers at the ends of the supported range.

use crd2idx::algebra::value::{ExprGraph, Facts, SymInt};
use crd2idx::error::Op;
use crd2idx::graph::{CoordGraph, Dimension, Direction, Expr, GraphError, Transform};

/// Returns a graph of `u` and `v` under `x`, where `v` has `2 - n` elements, and `x` is `u` modulo `n`.
fn graph() -> Result<CoordGraph, GraphError> {
    let mut graph = CoordGraph::new();
    graph.parameter("n", Facts::ANY)?;
    let x = graph.add(Dimension::new("x"))?;
    let u = graph.add(Dimension::new("u"))?;
    let v = graph.add(Dimension::new("v").size(Expr::Int(2).minus(Expr::param("n"))).stride(1))?;
    let y = graph.add(Dimension::new("y"))?;
    graph.connect(Transform::Tile, [x], [u, v])?;
    graph.connect(Transform::Modulo { modulus: Expr::param("n") }, [y], [x])?;
    Ok(graph)
}

#[test]
fn sizes_and_divisors_are_refused_where_they_are_known() {
    let graph = graph().expect("a graph");
    assert_eq!(graph.forward(&[("x", 7), ("n", -1)], &["u", "v"]), Ok(vec![2, 1]));
    let size = GraphError::Range { place: "`v`".into(), what: "size", value: -1, least: 0 };
    assert_eq!(graph.forward(&[("x", i64::MAX), ("n", 3)], &["u"]), Err(size));
    assert_eq!(graph.reverse(&[("x", -7), ("n", 3)], &["y"]), Ok(vec![2]));
    for n in [0, -3] {
        let modulus = GraphError::Range { place: "Modulo(y -> x)".into(), what: "modulus", value: n, least: 1 };
        assert_eq!(graph.is_valid(Direction::Reverse, &[("x", 7), ("n", n)], &["y"]), Err(modulus));
    }
}

/// The least 64-bit integer is outside the supported range, so no result is that number.
#[test]
fn results_below_the_least_number_are_refused() {
    let mut scope = ExprGraph::<4>::new(Op::Identity);
    let number = |value| SymInt::known(value).expect("a number");
    assert!(scope.div(number(i64::MAX), number(-1)).is_err());
    assert_eq!(scope.div(number(-SymInt::MIN), number(-1)).map(SymInt::value), Ok(Some(SymInt::MIN)));
    let x = scope.input(Facts::ANY).expect("there is room");
    assert!(scope.sub(x, number(i64::MAX)).is_err());
    assert!(scope.sub(x, number(-SymInt::MIN)).is_ok());
}
