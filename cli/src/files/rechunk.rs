//! `crd2idx rechunk`: copies a dense array into chunks of another shape.

use super::Outcome;
use super::args::Rechunk;
use super::open::showing;
use super::size::size;
use crate::answer;
use chunked_arrays::{ArrayCodec, Chunks, Grid, RechunkError, RechunkOptions, RechunkPlan, SourceArray};
use serde_json::json;
use std::path::Path;

pub fn run(ask: &Rechunk) -> Outcome {
    match copied(ask) {
        Ok(printed) => Outcome { printed: printed.into_iter().collect(), ..Outcome::default() },
        Err(message) => Outcome { refused: vec![message], ..Outcome::default() },
    }
}

/// Copies the array, or returns the text of the plan. Fails for invalid options, and as [`chunked_arrays::rechunk`] does.
fn copied(ask: &Rechunk) -> Result<Option<String>, String> {
    let named = |path: &Path, error: RechunkError| format!("{}: {error}", path.display());
    let options = RechunkOptions {
        memory_bytes: size("--memory", &ask.memory)?,
        codec: ask.codec.as_deref().map_or(Ok(ArrayCodec::Keep), codec)?,
        overwrite: ask.force,
        ..RechunkOptions::default()
    };
    let options = match ask.threads {
        Some(0) => return Err("--threads: at least 1 thread is needed".into()),
        Some(threads) => RechunkOptions { threads, ..options },
        None => options,
    };
    let source = match &ask.group {
        Some(group) => SourceArray::open_group(&ask.source, group),
        None => SourceArray::open(&ask.source),
    };
    let source = source.map_err(|error| named(&ask.source, error))?;
    let chunks = chunks(ask, &source.grid().shape())?;
    let plan = chunked_arrays::plan(&source, &ask.target, &chunks, &options).map_err(|error| match error {
        RechunkError::Target(message) => message,
        error => format!("--memory: {error}"),
    })?;
    if ask.dry_run {
        return Ok(Some(if ask.json { as_json(&plan) } else { plan.to_string() }));
    }
    let done = showing(format!("copying {}", ask.source.display()), |tell| {
        chunked_arrays::rechunk(&source, &ask.target, &chunks, &options, &tell)
    });
    match done {
        Ok(_) => Ok(None),
        Err(error @ RechunkError::Target(_)) => Err(error.to_string()),
        Err(RechunkError::Exists(_)) => Err(format!("{} exists; --force replaces an array", ask.target.display())),
        Err(error) => Err(named(&ask.target, error)),
    }
}

/// Returns the chunks that the options name. Fails if there are none for Zarr, or if they do not fit the shape.
fn chunks(ask: &Rechunk, shape: &[u64]) -> Result<Chunks, String> {
    let npy = ask.target.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"));
    if npy && (ask.chunks.is_some() || ask.shards.is_some() || ask.codec.is_some()) {
        return Err("a .npy file has no chunks, shards or codecs: leave --chunks, --shards and --codec out".into());
    }
    if npy {
        return Ok(Chunks { grid: Grid::regular(shape, &vec![1; shape.len()]).map_err(|error| error.to_string())?, inner: None });
    }
    let chunk = match &ask.chunks {
        Some(words) => extents("--chunks", words, shape)?,
        None if shape.is_empty() => Vec::new(),
        None => return Err(format!("--chunks: name the extents of a chunk of the array of shape {shape:?}")),
    };
    let shard = ask.shards.as_deref().map(|words| extents("--shards", words, shape)).transpose()?;
    Chunks::new(shape, &chunk, shard.as_deref()).map_err(|error| format!("--chunks: {error}"))
}

/// Returns the extents that words name. Fails for other words, and unless there is one for each axis.
fn extents(flag: &str, words: &[String], shape: &[u64]) -> Result<Vec<u64>, String> {
    if words.len() != shape.len() {
        return Err(format!("{flag}: {} extents are given, but the array of shape {shape:?} has {} axes", words.len(), shape.len()));
    }
    let of = |(word, extent): (&String, &u64)| match word.trim() {
        "full" | "-1" => Ok((*extent).max(1)),
        word => word.parse().map_err(|_| format!("{flag}: `{word}` is not a number, full or -1")),
    };
    words.iter().zip(shape).map(of).collect()
}

/// Returns the compression that a name means. Fails for other names.
fn codec(name: &str) -> Result<ArrayCodec, String> {
    let unknown = || format!("--codec: `{name}` is not one of zstd:LEVEL, gzip:LEVEL, none");
    let (word, level) = name.split_once(':').map_or((name, None), |(word, level)| (word, Some(level)));
    let level = level.map(|level| level.parse::<i32>().map_err(|_| unknown())).transpose()?;
    match (word, level) {
        ("none", None) => Ok(ArrayCodec::None),
        ("zstd", level) if (-131_072..=22).contains(&level.unwrap_or(3)) => Ok(ArrayCodec::Zstd(level.unwrap_or(3))),
        ("gzip", level @ (None | Some(0..=9))) => Ok(ArrayCodec::Gzip(level.map_or(5, i32::unsigned_abs))),
        _ => Err(unknown()),
    }
}

/// Returns the plan as JSON.
fn as_json(plan: &RechunkPlan) -> String {
    let stage = |stage: &chunked_arrays::Stage| {
        json!({
            "boxes": stage.boxes.chunks(), "bytes_read": stage.bytes_read, "bytes_written": stage.bytes_written,
            "requests": stage.requests, "threads": stage.threads, "peak_bytes": stage.peak_bytes,
        })
    };
    let stages: Vec<_> = plan.stages().iter().map(stage).collect();
    answer::text(json!({
        "stages": stages, "bytes": plan.bytes(), "lower_bound": plan.lower_bound(), "peak_bytes": plan.peak_bytes(),
        "temporary_bytes": plan.temporary_bytes(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(
            [codec("zstd:3"), codec("gzip"), codec("none")],
            [Ok(ArrayCodec::Zstd(3)), Ok(ArrayCodec::Gzip(5)), Ok(ArrayCodec::None)]
        );
        assert!(codec("gzip:10").is_err() && codec("none:1").is_err() && codec("lz4").is_err());
    }
}
