//! A build script that writes the layout of a tile in shared memory, which it finds by search: as a type for the
//! host and as CUDA for the device. `cargo run --example build_script`.
//!
//! In your package, put [`write`] into `build.rs`, call it with `OUT_DIR`, and add `crd2idx` to
//! `[build-dependencies]` too. The program has `include!(concat!(env!("OUT_DIR"), "/tile.rs"))`, and the source of
//! the kernel is `include_str!(concat!(env!("OUT_DIR"), "/tile.cuh"))`.

use crd2idx::algebra::expression::evaluate;
use crd2idx::algebra::memory::{Access, Banks, SwizzleSearch};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use crd2idx::prelude::*;
use crd2idx::program::{Coordinates, Emit, Language, Program};
use std::error::Error;
use std::path::Path;

/// The number of rows and columns of the tile, and of lanes of a warp.
const N: i64 = 32;

/// Returns the layout of `N` by `N` floats with the fewest bank conflicts. Each lane stores its row in vectors of four, and
/// loads its column element by element. Fails if no layout keeps the vectors whole.
fn search() -> Result<String, Box<dyn Error>> {
    // A coordinate is one integer that counts the rows first: row + N * column.
    let by_lane = |at: &dyn Fn(i64, i64) -> i64| (0..N).map(|lane| Some((0..N).map(|k| at(lane, k)).collect())).collect();
    let (row, column) = (by_lane(&|lane, k| lane + N * k), by_lane(&|lane, k| k + N * lane));
    let accesses = vec![(row, Access::vector(32, 4)), (column, Access::element(32))];
    let found = SwizzleSearch { shape: vec![N, N], banks: Banks::NVIDIA, accesses }.run().ok_or("no layout keeps the vectors")?;
    match found.conflicts {
        0 => Ok(found.arrangement.to_string()),
        conflicts => Err(format!("{conflicts} conflicts: {}", found.reason).into()),
    }
}

/// Writes `tile.rs`, the layout as a type, and `tile.cuh`, its index function in CUDA, to `directory`. Fails if a file
/// cannot be written.
pub fn write(directory: &Path) -> Result<(), Box<dyn Error>> {
    let layout = search()?;
    let strides = evaluate::<16, 0>(&format!("to_xor({layout})"), &mut ExprGraph::new(Op::Parse))?;
    std::fs::write(
        directory.join("tile.rs"),
        format!("crd2idx::layout! {{\n    /// `{layout}`, found by search.\n    pub type Tile = {strides};\n}}\n"),
    )?;
    let index = Program::parse_layout(&layout, Coordinates::Modes)?;
    std::fs::write(directory.join("tile.cuh"), index.emit(&Emit::new(Language::Cuda, "tile"))?.device)?;
    Ok(())
}

// The text that `include!` inserts.
layout! {
    /// `S<3,2,3> o 0 o (32,32):(32,1)`, found by search.
    pub type Tile = ((8,4),32):((^36,^256),^1);
}

/// Compares the written type with the layout, and the device text with its index.
pub fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::temp_dir().join(format!("crd2idx-build-script-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let written = write(&directory).and_then(|()| {
        let read = |name: &str| std::fs::read_to_string(directory.join(name));
        Ok((read("tile.rs")?, read("tile.cuh")?))
    });
    std::fs::remove_dir_all(&directory)?;
    let (rust, cuda) = written?;
    assert!(rust.contains(&format!("pub type Tile = {};", Tile::NOTATION)), "{rust}");
    let index = Program::of_pattern(Tile::PATTERN, Coordinates::Modes)?;
    for (i, j) in (0..N).flat_map(|i| (0..N).map(move |j| (i, j))) {
        assert_eq!(index.run(&[i, j])?, [Tile.crd2idx((i as usize, j as usize)) as i64]);
    }
    print!("{rust}");
    print!("{}", cuda.lines().skip_while(|line| !line.contains(" tile(")).map(|line| format!("{line}\n")).collect::<String>());
    Ok(())
}
