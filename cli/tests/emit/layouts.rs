//! Random layouts with every kind of coordinate, beside the algebra's own index.

use super::cases::{Case, Sample};
use crate::common::{Layout, Rng, Tree, notation};
use crd2idx::algebra::expression::apply;
use crd2idx::algebra::expression::{Operand, Parser, evaluate};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use crd2idx::program::{Coordinates, Program};

const LEAVES: usize = 32;

/// The maximum number of samples of one program, and the number of values to try for run-time leaves.
const SAMPLES: usize = 24;
const TRIALS: usize = 3;

/// A layout expression that may contain `?`.
struct Asked {
    text: String,
    /// For each trial, the expression with numbers, and the numbers in the order of the `?`.
    known: Vec<(String, Vec<i64>)>,
}

/// Returns `count` layouts: static, with run-time leaves, swizzled, divided and composed. Each has one kind of coordinate.
pub fn cases(seed: u64, count: usize) -> Vec<Case> {
    let mut rng = Rng::new(seed);
    let kinds = [Coordinates::Linear, Coordinates::Modes, Coordinates::Leaves];
    let mut out = Vec::new();
    while out.len() < count {
        let asked = match out.len() % 5 {
            0 => fixed(rng.layout(5, 600).to_string()),
            1 | 2 => run_time(&mut rng),
            3 => swizzled(&mut rng),
            _ => divided(&mut rng),
        };
        out.push(case(&asked, kinds[rng.below(3)], &mut rng));
    }
    out
}

fn fixed(text: String) -> Asked {
    Asked { known: vec![(text.clone(), Vec::new())], text }
}

/// Returns a random layout with some run-time leaves.
fn run_time(rng: &mut Rng) -> Asked {
    let layout = rng.layout(5, 600);
    let count = layout.leaves().len();
    let marks: Vec<(bool, bool)> = layout.leaves().iter().map(|leaf| (rng.one_in(3), leaf.stride >= 0 && rng.one_in(2))).collect();
    let mut known = Vec::new();
    for _ in 0..TRIALS {
        let mut other = layout.leaves();
        for (leaf, (extent, stride)) in other.iter_mut().zip(&marks) {
            leaf.extent = if *extent { rng.between(1, 7) } else { leaf.extent };
            leaf.stride = if *stride { rng.between(0, 40) } else { leaf.stride };
        }
        let extents = (0..count).filter(|k| marks[*k].0).map(|k| other[k].extent);
        let numbers = extents.chain((0..count).filter(|k| marks[*k].1).map(|k| other[k].stride)).collect();
        known.push((layout.filled(&other).to_string(), numbers));
    }
    let marked = |which: &dyn Fn(usize) -> Option<i64>| {
        let texts: Vec<String> = (0..count).map(|k| which(k).map_or("?".into(), |number| number.to_string())).collect();
        layout.filled(&texts).text(&String::clone)
    };
    let leaves = layout.leaves();
    let extents = marked(&|k| (!marks[k].0).then_some(leaves[k].extent));
    let strides = marked(&|k| (!marks[k].1).then_some(leaves[k].stride));
    Asked { text: format!("{extents}:{strides}"), known }
}

fn swizzled(rng: &mut Rng) -> Asked {
    let (bits, base) = (rng.between(0, 3), rng.between(0, 3));
    let shift = rng.between(bits, bits + 3);
    let layout = rng.compact(4, 512);
    fixed(format!("S<{bits},{base},{shift}> o {} o {layout}", rng.pick(&[0, 0, 8, 64])))
}

/// Returns a layout cut into tiles that divide it. Some have a run-time extent that is a multiple of the tile.
fn divided(rng: &mut Rng) -> Asked {
    let op = *rng.pick(&["logical_divide", "zipped_divide", "tiled_divide", "flat_divide"]);
    let tile = [rng.between(1, 4), rng.between(1, 4)];
    let times = [rng.between(1, 4), rng.between(1, 5)];
    let stride = [rng.between(1, 3), rng.between(-20, 40)];
    let text = |m: &str, n: i64, d: &str| format!("{op}(({m},{n}):({d},{}), ({},{}))", stride[1], tile[0], tile[1]);
    let n = tile[1] * times[1];
    if rng.one_in(2) {
        return fixed(text(&(tile[0] * times[0]).to_string(), n, &stride[0].to_string()));
    }
    let known = (0..TRIALS).map(|_| {
        let (m, d) = (tile[0] * rng.between(1, 6), rng.between(0, 50));
        (text(&m.to_string(), n, &d.to_string()), vec![m, d])
    });
    Asked { known: known.collect(), text: text("?", n, "?") }
}

fn case(asked: &Asked, coordinates: Coordinates, rng: &mut Rng) -> Case {
    let what = format!("{} by {coordinates:?}", asked.text);
    let program = Program::parse_layout(&asked.text, coordinates).unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut samples = Vec::new();
    for (known, numbers) in &asked.known {
        let value = value(known);
        let domain = domain(&value);
        let (shape, leaves) = (domain.shape(), domain.leaves());
        for _ in 0..SAMPLES / asked.known.len() {
            let at: Vec<i64> = shape.leaves().iter().map(|n| rng.between(0, (n - 1).max(0))).collect();
            let (coordinate, parts) = coordinate(&shape, &at, coordinates);
            let mut scope = ExprGraph::<0>::new(Op::Crd2Idx);
            let at = Parser::whole::<LEAVES, 0>(&coordinate.to_string(), &mut scope).expect("a coordinate");
            let index = apply(Op::Crd2Idx, &[value, at], &mut scope).unwrap_or_else(|error| panic!("{known} at {coordinate}: {error}"));
            // `n` and `d` name the extent and the stride of a leaf.
            let input = |input: &crd2idx::program::Input| {
                let (of, number) = input.name.split_at(1);
                let k = if number.is_empty() { 0 } else { number.parse::<usize>().expect("a number") };
                match of {
                    "p" => numbers[k],
                    "n" => leaves[k].extent,
                    "d" => leaves[k].stride,
                    _ => parts[k],
                }
            };
            let inputs = program.inputs().iter().map(input).collect();
            samples.push(Sample { inputs, outputs: vec![index.to_string().parse().expect("a number")], valid: true });
        }
    }
    Case::new(what, program, samples)
}

fn value(text: &str) -> Operand<LEAVES> {
    evaluate::<LEAVES, 0>(text, &mut ExprGraph::<0>::new(Op::Parse)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the layout of the coordinates of `value`.
fn domain(value: &Operand<LEAVES>) -> Layout {
    let text = value.to_string();
    notation::parse(text.rsplit(" o ").next().expect("a part"))
}

/// Returns a coordinate in the chosen form, and its integers.
fn coordinate(shape: &Tree<i64>, at: &[i64], coordinates: Coordinates) -> (Tree<i64>, Vec<i64>) {
    let linear = |shape: &Tree<i64>, at: &[i64]| {
        let steps = shape.leaves().into_iter().zip(at).rev();
        steps.fold(0, |sum, (n, x)| sum * n + x)
    };
    let coordinate = match coordinates {
        Coordinates::Leaves => shape.filled(at),
        Coordinates::Linear => Tree::Leaf(linear(shape, at)),
        Coordinates::Modes if shape.is_leaf() => Tree::Leaf(at[0]),
        Coordinates::Modes => {
            let mut from = 0;
            let mode = |mode: Tree<i64>| {
                let lo = from;
                from += mode.leaves().len();
                Tree::Leaf(linear(&mode, &at[lo..from]))
            };
            Tree::Node(shape.modes().into_iter().map(mode).collect())
        }
    };
    let parts = coordinate.leaves();
    (coordinate, parts)
}
