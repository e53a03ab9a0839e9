//! Searches the layout of a tile of 32 by 32 floats in shared memory, of which a warp stores rows and loads columns. `tile.rs` is the layout as a type, and `tile.cuh`
//! its index function.

use crd2idx::algebra::expression::evaluate;
use crd2idx::algebra::memory::{Access, Banks, SwizzleSearch};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use crd2idx::program::{Coordinates, Emit, Language, Program};
use std::error::Error;
use std::path::Path;

const N: i64 = 32;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::var("OUT_DIR")?;
    // A coordinate of the tile is one integer that counts the rows first: row + N * column.
    let lanes = |at: &dyn Fn(i64, i64) -> i64| (0..N).map(|lane| Some((0..N).map(|k| at(lane, k)).collect())).collect();
    let (rows, columns) = (lanes(&|lane, k| k + N * lane), lanes(&|lane, k| lane + N * k));
    let accesses = vec![(rows, Access::element(32)), (columns, Access::element(32))];
    let found = SwizzleSearch { shape: vec![N, N], banks: Banks::NVIDIA, accesses }.run().ok_or("there is no layout")?;
    let layout = found.arrangement.to_string();
    println!("cargo::warning=the tile is {layout}, with {} bank conflicts", found.conflicts);

    let strides = evaluate::<16, 0>(&format!("to_xor({layout})"), &mut ExprGraph::new(Op::Parse))?;
    let declared = format!("crd2idx::layout! {{\n    /// `{layout}`.\n    pub type Tile = {strides};\n}}\n");
    std::fs::write(Path::new(&folder).join("tile.rs"), declared)?;
    let index = Program::parse_layout(&layout, Coordinates::Modes)?;
    std::fs::write(Path::new(&folder).join("tile.cuh"), index.emit(&Emit::new(Language::Cuda, "tile"))?.device)?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
