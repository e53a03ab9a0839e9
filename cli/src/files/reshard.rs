//! `crd2idx reshard`: moves checkpoints to other ranks.

use super::Outcome;
use super::args::Reshard;
use super::open::showing;
use super::size::size;
use checkpoints::{Checkpoint, CheckpointError, CheckpointSpec, Dtype, PlanOptions, PlanSummary, ReshardPlan, dtype_named, verify};
use std::ops::ControlFlow;
use std::path::Path;

pub fn run(ask: &Reshard) -> Outcome {
    match answer(ask) {
        Ok(text) => Outcome { printed: vec![text], ..Outcome::default() },
        Err(message) => Outcome { refused: vec![message], ..Outcome::default() },
    }
}

fn answer(ask: &Reshard) -> Result<String, String> {
    let text = |error: CheckpointError| error.to_string();
    let unknown = |name: &str| format!("--cast: `{name}` is not one of f64, f32, f16, bf16, f8_e4m3, f8_e5m2");
    let cast: Option<Dtype> = ask.cast.as_deref().map(|name| dtype_named(name).ok_or_else(|| unknown(name))).transpose()?;
    let options = PlanOptions {
        cast,
        memory: size("--memory", &ask.memory)?,
        threads: ask.threads.unwrap_or(0),
        shard_size: ask.shard_size.as_deref().map(|text| size("--shard-size", text)).transpose()?,
        ..PlanOptions::default()
    };
    let spec = |path: &Option<_>| {
        path.as_deref().map_or_else(|| Ok(CheckpointSpec::whole()), |path: &Path| CheckpointSpec::read(path)).map_err(text)
    };
    let (from, to) = (spec(&ask.from)?, spec(&ask.to)?);
    let source = Checkpoint::open(&ask.source, &from).map_err(text)?;
    let plan = ReshardPlan::new(&source, &to, &options).map_err(text)?;
    if ask.dry_run {
        let bandwidth = ask.bandwidth.as_deref().map(|text| size("--bandwidth", text)).transpose()?;
        return plan.summary().map(|summary| costs(summary, bandwidth)).map_err(text);
    }
    showing(format!("writing {}", ask.target.display()), |report| {
        plan.run(&ask.target, ask.fresh, &|done, all| {
            report(done, all);
            ControlFlow::Continue(())
        })
    })
    .map_err(text)?;
    let count = source.tensors().count();
    if !ask.verify {
        return Ok(format!("{}: {count} tensors", ask.target.display()));
    }
    let target = Checkpoint::open(&ask.target, &to).map_err(text)?;
    showing(format!("comparing {}", ask.target.display()), |_| verify(&source, &target, &options, &|_, _| ControlFlow::Continue(())))
        .map_err(text)?;
    Ok(format!("{}: {count} tensors, equal to those of {}", ask.target.display(), ask.source.display()))
}

fn costs(summary: PlanSummary, bandwidth: Option<u64>) -> String {
    let mean = summary.bytes_read.checked_div(summary.reads).unwrap_or(0);
    let seconds = |bandwidth| (summary.bytes_read as f64 + summary.bytes_written as f64) / bandwidth as f64;
    let time = bandwidth.map(|bandwidth| format!("time:      {:.3} s to read and write", seconds(bandwidth)));
    let lines = [
        format!("tensors:   {}", summary.tensors),
        format!("files:     {}", summary.files),
        format!("to read:   {} bytes in {} reads, {mean} bytes on average", summary.bytes_read, summary.reads),
        format!("to write:  {} bytes", summary.bytes_written),
        format!("to move:   {} bytes in {} messages between ranks", summary.bytes_moved, summary.messages),
        format!("buffers:   at most {} bytes", summary.memory),
    ];
    lines.into_iter().chain(time).collect::<Vec<_>>().join("\n")
}
