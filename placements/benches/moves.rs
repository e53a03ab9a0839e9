//! Measures how long moves take to plan: `cargo bench -p placements`. No other library makes such plans, so there is no comparison.

use placements::{Mesh, ParallelLayer, Placement, Reshard, Result, Rule};
use std::time::Instant;

/// Returns a tensor of which axis `dim` is split over ranks, with a rule.
fn split(ranks: i64, shape: &[i64], dim: usize, rule: Rule) -> Result<Placement> {
    Placement::new(&Mesh::new([("tp", ranks)])?, shape)?.split(dim, "tp", rule)
}

/// The shapes and layers of the weights of a model with the numbers of Llama 3.1 405B, from tensor parallelism `from` over `data`
/// replicas to `to`. Returns the numbers of tensors, transfers and elements.
fn model(data: i64, from: i64, to: i64) -> Result<(usize, usize, i64)> {
    let [from, to] = [Mesh::new([("dp", data), ("tp", from)])?, Mesh::new([("dp", data), ("tp", to)])?];
    let mut tensors: Vec<(Vec<i64>, Option<ParallelLayer>)> = vec![
        (vec![128256, 16384], Some(ParallelLayer::Vocabulary { divisible_by: 1 })),
        (vec![128256, 16384], Some(ParallelLayer::Vocabulary { divisible_by: 1 })),
        (vec![16384], None),
    ];
    for _ in 0..126 {
        tensors.extend([
            (vec![16384 + 2 * 1024, 16384], Some(ParallelLayer::Qkv { heads: 128, groups: 8, head_dim: 128 })),
            (vec![16384, 16384], Some(ParallelLayer::Row)),
            (vec![53248, 16384], Some(ParallelLayer::Column)),
            (vec![53248, 16384], Some(ParallelLayer::Column)),
            (vec![16384, 53248], Some(ParallelLayer::Row)),
            (vec![16384], None),
            (vec![16384], None),
        ]);
    }
    let (mut transfers, mut elements) = (0, 0);
    for (shape, layer) in &tensors {
        let placed = |mesh: &Mesh| match layer {
            Some(layer) => Placement::from_megatron(mesh, shape, "tp", *layer),
            None => Placement::new(mesh, shape),
        };
        let plan = Reshard::new(&placed(&from)?, &placed(&to)?)?;
        transfers += plan.transfers()?.len();
        elements += plan.local() + plan.moved();
    }
    Ok((tensors.len(), transfers, elements))
}

fn main() -> Result<()> {
    let square = [1_000_000, 1_000_000];
    let cases = [
        ("chunks of rows, 256 to 128 ranks", split(256, &square, 0, Rule::Chunk)?, split(128, &square, 0, Rule::Chunk)?),
        ("rows to columns, 256 to 128 ranks", split(256, &square, 0, Rule::Chunk)?, split(128, &square, 1, Rule::Chunk)?),
        ("blocks of 64 to 48, 256 to 128 ranks", split(256, &square, 0, Rule::Block(64))?, split(128, &square, 0, Rule::Block(48))?),
    ];
    for (name, from, to) in cases {
        let start = Instant::now();
        let plan = Reshard::new(&from, &to)?;
        let (compared, transfers) = (start.elapsed(), plan.transfers()?.len());
        let listed = start.elapsed();
        let rounds = plan.rounds()?.len();
        let (ordered, moved) = (start.elapsed() - listed, plan.moved());
        println!(
            "{name}: compared in {compared:.1?}, {transfers} transfers in {listed:.1?}, {rounds} rounds in {ordered:.1?}, {moved} elements move"
        );
    }
    for (data, from, to) in [(1, 8, 4), (16, 8, 4), (128, 8, 2)] {
        let start = Instant::now();
        let (tensors, transfers, elements) = model(data, from, to)?;
        let devices = data * from;
        println!(
            "405B, {devices} to {} devices: {tensors} tensors, {transfers} transfers of {elements} elements in {:.1?}",
            data * to,
            start.elapsed()
        );
    }
    Ok(())
}
