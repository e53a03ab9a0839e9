//! The examples that users start from. Each compares with the loops of the definition. They run here, and print what the book shows.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

#[path = "../../examples/build_script.rs"]
mod build_script;
#[path = "../../examples/channel_blocks.rs"]
mod channel_blocks;
#[path = "../../examples/cp_als.rs"]
mod cp_als;
#[path = "../../examples/fir_bank.rs"]
mod fir_bank;
#[path = "../../examples/im2col.rs"]
mod im2col;
#[path = "../../examples/matmul_tiles.rs"]
mod matmul_tiles;
#[path = "../../examples/packed_gemm.rs"]
mod packed_gemm;
#[path = "../../examples/padded_tile.rs"]
mod padded_tile;
#[path = "../../examples/planes_to_pixels.rs"]
mod planes_to_pixels;
#[path = "../../examples/ragged_batch.rs"]
mod ragged_batch;
#[path = "../../examples/sparse_traversal.rs"]
mod sparse_traversal;
#[path = "../../examples/static_filter.rs"]
mod static_filter;
#[path = "../../examples/stencil.rs"]
mod stencil;
#[path = "../../examples/transpose.rs"]
mod transpose;

#[test]
fn run_build_script() -> Result<(), Box<dyn std::error::Error>> {
    build_script::main()
}

#[test]
fn run_packed_gemm() -> Result<(), Box<dyn std::error::Error>> {
    Ok(packed_gemm::main()?)
}

#[test]
fn run_matmul_tiles() -> Result<(), Box<dyn std::error::Error>> {
    Ok(matmul_tiles::main()?)
}

#[test]
fn run_padded_tile() {
    padded_tile::main();
}

#[test]
fn run_transpose() -> Result<(), Box<dyn std::error::Error>> {
    Ok(transpose::main()?)
}

#[test]
fn run_im2col() -> Result<(), Box<dyn std::error::Error>> {
    Ok(im2col::main()?)
}

#[test]
fn run_channel_blocks() -> Result<(), Box<dyn std::error::Error>> {
    Ok(channel_blocks::main()?)
}

#[test]
fn run_planes_to_pixels() -> Result<(), Box<dyn std::error::Error>> {
    planes_to_pixels::main()
}

#[test]
fn run_stencil() -> Result<(), Box<dyn std::error::Error>> {
    Ok(stencil::main()?)
}

#[test]
fn run_fir_bank() {
    fir_bank::main();
}

#[test]
fn run_static_filter() {
    static_filter::main();
}

#[test]
fn run_sparse_traversal() -> Result<(), Box<dyn std::error::Error>> {
    sparse_traversal::main()
}

#[test]
fn run_cp_als() -> Result<(), Box<dyn std::error::Error>> {
    cp_als::main()
}

#[test]
fn run_ragged_batch() -> Result<(), Box<dyn std::error::Error>> {
    Ok(ragged_batch::main()?)
}

/// Returns, for each console block of `text` that begins with `cargo run --example`, the name of the example and the lines that it prints.
fn shown(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands = blocks.filter_map(|block| block.strip_prefix("$ cargo run ")?.split_once('\n'));
    commands.filter_map(|(command, printed)| Some((command.split("--example ").nth(1)?.to_string(), printed.to_string()))).collect()
}

/// Returns the text that the test of an example prints, without the lines of the test harness.
fn printed(example: &str) -> String {
    let name = format!("{}::run_{example}", module_path!().split_once("::").expect("a module of the tests").1);
    let binary = std::env::current_exe().expect("the path of this program");
    let output = Command::new(binary).args(["--exact", &name, "--nocapture", "--test-threads=2"]).output().expect("the examples run");
    assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("1 passed"), "there is no test `{name}`");
    let of_harness = |line: &str| line.is_empty() || ["running ", "test "].iter().any(|word| line.starts_with(word));
    text.lines().filter(|line| !of_harness(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_page_shows_what_they_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/do/examples.md")).expect("the page");
    let shown = shown(&page);
    for (example, text) in &shown {
        assert_eq!(*text, printed(example), "{example}");
    }
    // Two more examples take arguments, and have no single output.
    let mut named: BTreeSet<String> = shown.into_iter().map(|(example, _)| example).collect();
    let with_arguments = page.lines().filter_map(|line| line.strip_prefix("cargo run --example ")?.split_once(" -- "));
    named.extend(with_arguments.map(|(example, _)| example.to_string()));
    let files = std::fs::read_dir(root.join("examples")).expect("examples").map(|entry| entry.expect("an entry").path());
    let files: BTreeSet<String> = files
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    assert_eq!(named, files);
}
