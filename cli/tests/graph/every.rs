//! A graph that contains every kind of everything.

use crd2idx::algebra::value::Facts;
use crd2idx::graph::{CoordGraph, Dataflow, DimId, DimKind, Dimension, EdgeKind, Expr, ExprOp, Transform};

/// The number of kinds of transforms.
pub const TRANSFORMS: usize = Transform::NAMES.len();

/// Returns every transform, with its numbers of inputs and outputs.
pub fn transforms() -> Vec<(Transform, usize, usize)> {
    let n = || Expr::param("n");
    let condition = Expr::Arg(0).less(Expr::Arg(1).plus(n()));
    vec![
        (Transform::Flatten, 2, 1),
        (Transform::Tile, 1, 3),
        (Transform::Join, 2, 1),
        (Transform::Split, 1, 2),
        (Transform::Sunder, 1, 3),
        (Transform::Sunder, 3, 1),
        (Transform::PassThrough, 2, 2),
        (Transform::Inherit, 1, 1),
        (Transform::MakeOutput, 1, 1),
        (Transform::Forget, 2, 1),
        (
            Transform::PiecewiseAffineJoin {
                condition,
                strides: [vec![1.into(), n()], vec![i64::MIN.into(), i64::MAX.into()]],
                initial: [0.into(), n()],
            },
            2,
            1,
        ),
        (Transform::ConstructMacroTile, 2, 1),
        (Transform::DestructMacroTile, 1, 2),
        (Transform::PairSwap { rows_per_group: n() }, 1, 2),
        (Transform::Rotate { rows_per_group: 2.into(), positions: n(), inverse: true }, 1, 2),
        (Transform::Rotate { rows_per_group: 1.into(), positions: 8.into(), inverse: false }, 1, 2),
        (Transform::Pad { left: 1.into(), right: n() }, 1, 1),
        (Transform::Slice { begin: 1.into(), end: n().minus(1) }, 1, 1),
        (Transform::Embed { coefficients: vec![(-3).into(), n(), 0.into()] }, 1, 3),
        (Transform::Modulo { modulus: n() }, 1, 1),
        (Transform::Xor, 2, 2),
        (Transform::Freeze { at: (-5).into() }, 1, 0),
        (Transform::Insert, 0, 1),
        (Transform::Replicate, 0, 2),
        (Transform::Gather { table: Box::new([3, 0, i64::MAX]) }, 1, 1),
        (Transform::Gather { table: Box::new([]) }, 1, 1),
    ]
}

/// Returns every operator, applied to a parameter.
pub fn operators() -> impl Iterator<Item = Expr> {
    ExprOp::ALL.into_iter().map(|op| {
        let operands = [Expr::param("n"), Expr::Int(7)];
        Expr::Op(op, operands[..op.operands()].into())
    })
}

/// Returns a graph with every transform, relation, kind, operator and form of parameter.
pub fn graph() -> CoordGraph {
    let mut graph = CoordGraph::new();
    let facts = [Facts::POSITIVE, Facts::ANY, Facts::exactly(0), Facts { lo: -8, hi: 64, div: 8 }];
    for (name, facts) in ["n", "m", "zero", "\"\\\n"].into_iter().zip(facts) {
        graph.parameter(name, facts).expect("a new name");
    }
    for kind in DimKind::ALL {
        graph.add(Dimension::new(kind.name()).kind(kind)).expect("a new name");
    }
    for (k, quantity) in operators().enumerate() {
        let dim = Dimension::new(format!("op{k}")).size(quantity.clone()).stride(quantity.clone()).offset(quantity);
        graph.add(dim).expect("a new name");
    }
    let relations = Dataflow::ALL.iter().map(|relation| match relation {
        Dataflow::Segment(_) => Dataflow::Segment(3),
        Dataflow::Index(_) => Dataflow::Index(usize::MAX >> 1),
        other => *other,
    });
    let relations = relations.map(|relation| (EdgeKind::from(relation), 1, 1));
    let transforms = transforms().into_iter().map(|(transform, inputs, outputs)| (transform.into(), inputs, outputs));
    for (k, (kind, inputs, outputs)) in transforms.chain(relations).chain([(Dataflow::DataFlow.into(), 3, 2)]).enumerate() {
        let mut dims = |side: &str, count| -> Vec<DimId> {
            (0..count).map(|n| graph.add(Dimension::new(format!("{side} {k}.{n}"))).expect("a new name")).collect()
        };
        let (inputs, outputs) = (dims("in", inputs), dims("out", outputs));
        graph.connect(kind, inputs, outputs).expect("an edge of the right form");
    }
    graph
}

/// Tests whether two graphs are the same.
pub fn same(a: &CoordGraph, b: &CoordGraph) -> bool {
    let flatten = a.flatten_mode() == b.flatten_mode();
    flatten && a.dimensions() == b.dimensions() && a.edges() == b.edges() && a.parameters() == b.parameters()
}
