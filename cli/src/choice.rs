//! Layouts chosen for tile programs: `crd2idx choose`, and the request `{"op": "choose", "program": text}` of `batch`.

use crate::answer::{Refusal, Result, of_class};
use crate::input;
use crate::request::{requests, structs};
use crd2idx::choice::{TileChoice, TileCost, TileMove, TileProgram};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

requests! {
    /// Chooses the layouts of the tiles of a program in registers and in shared memory.
    "choose" => answer;
}

structs! {
    /// A tile program as text, and the language in which to print its kernel.
    Chosen { program: String, to: Option<String> }
}

/// The program, and what to print.
#[derive(clap::Args)]
pub struct Choose {
    /// The file of the program; `-` for standard input.
    file: PathBuf,
    /// Print a kernel that moves the tiles, in place of the layouts and their costs: in CUDA, or in HIP for a `target` of AMD.
    #[arg(long, value_name = "LANGUAGE")]
    to: Option<Target>,
}

/// A language in which a program is printed.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Target {
    Cuda,
    Hip,
}

/// Returns the layouts with their costs, or the kernel. Fails with the line of the text that is wrong.
pub fn run(Choose { file, to }: &Choose) -> std::result::Result<String, String> {
    let (choice, named) = (read(file)?, |error| format!("{}: {error}", input::name(file)));
    match to {
        None => Ok(choice.to_string().trim_end().to_owned()),
        Some(Target::Cuda) => Ok(choice.cuda().map_err(named)?.trim_end().to_owned()),
        Some(Target::Hip) => Ok(choice.hip().map_err(named)?.trim_end().to_owned()),
    }
}

/// Returns the choice for the program in a file. Fails with the line of the text that is wrong.
pub fn read(file: &Path) -> std::result::Result<TileChoice, String> {
    let chosen = TileProgram::parse(&input::text(file)?).and_then(|program| program.choose());
    chosen.map_err(|error| format!("{}: {error}", input::name(file)))
}

fn answer((request,): (Chosen,)) -> Result<Value> {
    let chosen = TileProgram::parse(&request.program).and_then(|program| program.choose());
    let refused = |error| of_class("tile/text", format!("program: {error}"));
    let choice = chosen.map_err(refused)?;
    let layouts: Map<String, Value> =
        choice.program().tensors().iter().filter_map(|of| Some((of.name().to_owned(), choice.layout(of.name())?.into()))).collect();
    let statements: Vec<Value> =
        choice.statements().iter().map(|of| json!({"line": of.line, "text": of.text, "moves": moves(&of.moves)})).collect();
    let mut answer = json!({
        "name": choice.program().name(),
        "layouts": layouts,
        "statements": statements,
        "cost": cost(choice.cost()),
        "least": cost(choice.least()),
        "optimal": TileChoice::is_optimal(&choice),
    });
    match request.to.as_deref() {
        None => {}
        Some("cuda") => answer["text"] = choice.cuda().map_err(refused)?.into(),
        Some("hip") => answer["text"] = choice.hip().map_err(refused)?.into(),
        Some(other) => return Err(Refusal::malformed(format!("to: {other:?} is not cuda or hip"))),
    }
    Ok(answer)
}

fn moves(moves: &[TileMove]) -> Vec<Value> {
    let of = |TileMove { instruction, instructions, warps, unit, count, least }: &TileMove| json!({"instruction": instruction, "instructions": instructions, "warps": warps, "unit": unit, "count": count, "least": least});
    moves.iter().map(of).collect()
}

fn cost(TileCost { global, sectors, shared, instructions, registers }: TileCost) -> Value {
    json!({"global": global, "sectors": sectors, "shared": shared, "instructions": instructions, "registers": registers})
}
