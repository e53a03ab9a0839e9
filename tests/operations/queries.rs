//! Questions about the graphs of `examples/graphs` and about layouts, whose operations are counted.

use crd2idx::graph::{Bound, CoordGraph, Direction, Domain};
use crd2idx::json::parse_graph;
use crd2idx::program::{Coordinates, Program};

/// A question about an example.
pub struct Asked {
    pub name: &'static str,
    pub graph: CoordGraph,
    pub direction: Direction,
    pub sources: Vec<Bound<'static>>,
    pub targets: &'static [&'static str],
}

impl Asked {
    pub fn program(&self) -> Program {
        let program = self.graph.program(self.direction, &self.sources, self.targets, Domain::Declared);
        program.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    pub fn unsimplified(&self) -> Program {
        let program = self.graph.unsimplified(self.direction, &self.sources, self.targets, Domain::Declared);
        program.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

pub fn asked() -> Vec<Asked> {
    use Bound::{Constant, Thread};
    use Direction::{Forward, Reverse};
    let gemm = include_str!("../../examples/graphs/gemm.json");
    let stream_k = include_str!("../../examples/graphs/stream_k.json");
    let im2col = include_str!("../../examples/graphs/im2col.json");
    let workgroups = include_str!("../../examples/graphs/workgroups.json");
    let threads = |names: &[&'static str]| names.iter().map(|name| Thread(name)).collect::<Vec<_>>();
    let thread = threads(&["block", "step", "pass", "tid", "v"]);
    let streamed = [threads(&["stream_group", "stream_step"]), vec![Constant("part", 0)]].concat();
    let parallel = [threads(&["parallel_group", "parallel_step"]), vec![Constant("part", 1)]].concat();
    let either = threads(&["stream_group", "stream_step", "parallel_group", "parallel_step", "part"]);
    let mnk: &'static [&'static str] = &["m", "n", "k"];
    let asked = |name, text, direction, sources, targets| {
        let graph = parse_graph(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        Asked { name, graph, direction, sources, targets }
    };
    vec![
        asked("gemm: A, lds", gemm, Reverse, thread.clone(), &["A", "lds"]),
        asked("gemm: A", gemm, Reverse, thread, &["A"]),
        asked("gemm: lds", gemm, Reverse, threads(&["pass", "tid", "v"]), &["lds"]),
        asked("stream-K: streamed", stream_k, Reverse, streamed, mnk),
        asked("stream-K: parallel", stream_k, Reverse, parallel, mnk),
        asked("stream-K: by a switch", stream_k, Reverse, either, mnk),
        asked("stream-K: tile", stream_k, Forward, threads(mnk), &["tile"]),
        asked("im2col: x", im2col, Reverse, threads(&["m", "k"]), &["x"]),
        asked("im2col: hp, wp", im2col, Reverse, threads(&["m", "k"]), &["hp", "wp"]),
        asked("workgroups: row, col", workgroups, Forward, threads(&["wg"]), &["row", "col"]),
    ]
}

/// Layouts, and the form of the coordinates at which they are evaluated.
pub const LAYOUTS: [(&str, Coordinates); 8] = [
    ("((2,4),(3,5)):((3,6),(1,24))", Coordinates::Linear),
    ("((2,4),(3,5)):((3,6),(1,24))", Coordinates::Modes),
    ("(8,?{div=4}):(?,1)", Coordinates::Modes),
    ("((8,16),(4,32)):((1,8),(128,512))", Coordinates::Linear),
    ("S<3,3,3> o 0 o (64,64):(64,1)", Coordinates::Modes),
    ("zipped_divide((?,256):(1,?), (128,32))", Coordinates::Modes),
    ("logical_divide((96,80):(80,1), (32,16))", Coordinates::Modes),
    ("((4,?),(?,8)):((1,?),(4,?))", Coordinates::Linear),
];
