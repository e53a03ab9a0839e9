//! `crd2idx ragged emit`: traversal as source text.

use super::request::{ARRAY, index, list, numbers};
use crate::answer::{Keys, Refusal, Result, known, part};
use crate::emit::text::{Form, named, print};
use crate::input;
use clap::Args;
use crd2idx::DynLayout;
use crd2idx::json::quantity_from_json;
use crd2idx::program::{self, EmitError, OffsetWord, PagedIndex, RaggedLevel, RaggedLevels, Source};
use serde_json::Value;
use std::path::PathBuf;

/// The levels of arrays, and what is printed of their traversal.
#[derive(Args)]
pub struct Emit {
    /// An object with `levels`, outermost first; or an array as for `info`, of which only the levels count. `-` is standard input.
    ///
    /// A level is {"kind": "ragged", "word": "u32"}, {"kind": "regular", "size": 3}, where the size may be the name of a number known per launch,
    /// {"kind": "block", "layout": "(2,4):(4,1)"}, or {"kind": "views", "word": "u32"}, of rows that ascend and do not overlap.
    ///
    /// Or {"kind": "paged", "layout": "(16,8,128):(1024,128,1)", "word": "i32"} alone, pages of tokens by a block table, whose rows have one width, or "offsets": "u32".
    #[arg(verbatim_doc_comment)]
    pub file: PathBuf,
    /// The language: c, cuda, hip, opencl, wgsl or rust.
    #[arg(long, value_name = "LANGUAGE")]
    to: String,
    /// The name of the function, and what all other names begin with.
    #[arg(long, default_value = "ragged")]
    name: String,
    /// The functions of a leaf (coordinates, the default), the arrays I and S of every level (parents) or of the leaves (leaf_rows), or a kernel
    /// that writes to every leaf (visit).
    #[arg(long, value_name = "WHICH")]
    function: Option<String>,
    /// What visit writes, a quantity of the coordinates c0, c1, ... in JSON.
    #[arg(long, value_name = "JSON")]
    write: Option<String>,
    /// The bits of numbers, 32 or 64, instead of 32 where all offsets have no more.
    #[arg(long)]
    width: Option<u32>,
    /// How many leaves visit takes for one search.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    tile: u32,
    /// The threads of a workgroup.
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1024))]
    workgroup: u32,
    /// Divide by sizes known per launch with `/`, not with magic numbers.
    #[arg(long)]
    no_fast_division: bool,
    /// The functions of the host alone, which compute what is known per launch.
    #[arg(long)]
    host: bool,
}

/// Prints functions of levels.
type Functions = fn(&RaggedLevels, &program::Emit) -> std::result::Result<Source, EmitError>;

/// The functions that are printed, by name; `visit` needs to know what it writes.
const FUNCTIONS: &[(&str, Option<Functions>)] = &[
    ("coordinates", Some(RaggedLevels::emit_coordinates)),
    ("parents", Some(RaggedLevels::emit_parents)),
    ("leaf_rows", Some(RaggedLevels::emit_leaf_rows)),
    ("visit", None),
];

/// The text of the levels that `value`, which is of the file `name`, describes.
pub fn text(ask: &Emit, value: &Value, name: &str) -> std::result::Result<String, String> {
    let form = Form::new(&ask.to, &ask.name, ask.width, !ask.no_fast_division).map_err(|(key, message)| format!("--{key}: {message}"))?;
    if value.get("kind").and_then(Value::as_str) == Some("paged") {
        let (None, None) = (&ask.function, &ask.write) else { return Err("--function and --write are not for pages".into()) };
        let paged = paged(value).map_err(|refusal| format!("{name}: {}", refusal.message))?;
        let source = paged.emit(form.emit()).map_err(|error| error.to_string())?;
        return print(source, form.language, ask.host).map(|text| text.trim_end().to_owned());
    }
    let functions = named(ask.function.as_deref(), FUNCTIONS).map_err(|message| format!("--function: {message}"))?;
    let levels = levels(value).map_err(|refusal| format!("{name}: {}", refusal.message))?;
    let levels = RaggedLevels::new(levels).map_err(|error| format!("{name}: {error}"))?.tile(ask.tile).workgroup(ask.workgroup);
    let source = match (functions, &ask.write) {
        (Some(emit), None) => emit(&levels, form.emit()),
        (Some(_), Some(_)) => return Err("--write is of --function visit".into()),
        (None, None) => return Err("--write says what visit writes".into()),
        (None, Some(text)) => {
            let value = input::parse(text.as_bytes()).map_err(|error| format!("--write: {error}"))?;
            levels.emit_visit(form.emit(), &quantity_from_json(&value).map_err(|error| format!("--write: {error}"))?)
        }
    };
    print(source.map_err(|error| error.to_string())?, form.language, ask.host).map(|text| text.trim_end().to_owned())
}

/// Pages by a block table.
fn paged(value: &Value) -> Result<PagedIndex> {
    known(value, "the pages", &[&["kind", "layout", "word", "offsets"]])?;
    let paged = PagedIndex::new(layout(value)?).map_err(|error| Refusal::malformed(error.to_string()))?.table(word(value)?);
    match value.get("offsets") {
        None => Ok(paged),
        Some(name) => Ok(paged.offsets(word_of(Some(name))?)),
    }
}

/// The layout of a block or a page.
fn layout(value: &Value) -> Result<DynLayout<16>> {
    let text = part(value, "layout")?;
    let text = text.as_str().ok_or_else(|| Refusal::malformed(format!("the layout {text} is not a string")))?;
    text.parse().map_err(|error: crd2idx::LayoutError| Refusal::malformed(error.to_string()))
}

/// The levels of an object.
fn levels(value: &Value) -> Result<Vec<RaggedLevel>> {
    known(value, "the array", &[ARRAY, &["word"]])?;
    if let Some(levels) = value.get("levels") {
        return list(levels, "levels")?.iter().enumerate().map(|(q, level)| of_kind(q, level)).collect();
    }
    if let Some(offsets) = value.get("offsets") {
        let word = word(value)?;
        return Ok(list(offsets, "offsets")?.iter().map(|_| RaggedLevel::Offsets(word)).collect());
    }
    if value.get("starts").is_some() {
        return Ok(vec![views(0, value)?]);
    }
    Err(Refusal::malformed("one of the keys `levels`, `offsets` and `starts` is needed"))
}

fn of_kind(q: usize, level: &Value) -> Result<RaggedLevel> {
    let kind = part(level, "kind")?.as_str();
    let keys: Keys = match kind {
        Some("regular") => &[&["kind", "size"]],
        Some("block") => &[&["kind", "layout"]],
        Some("views") => &[&["kind", "word", "starts", "sizes"]],
        _ => &[&["kind", "word", "offsets"]],
    };
    known(level, &format!("level {q}"), keys)?;
    match kind {
        Some("ragged") => Ok(RaggedLevel::Offsets(word(level)?)),
        Some("views") => views(q, level),
        Some("regular") => match part(level, "size")? {
            Value::String(name) => Ok(RaggedLevel::Dense(name.clone())),
            size => {
                let wrong = || Refusal::malformed(format!("level {q}: the size {size} is no number and no name"));
                Ok(RaggedLevel::Fixed(index(size).ok_or_else(wrong)? as u64))
            }
        },
        Some("block") => {
            let layout = layout(level).map_err(|refusal| Refusal::malformed(format!("level {q}: {}", refusal.message)))?;
            Ok(RaggedLevel::block(layout))
        }
        _ => Err(Refusal::malformed(format!("level {q}: the kind of a level is `ragged`, `regular`, `block` or `views`"))),
    }
}

/// The numbers of the arrays of a level.
fn word(level: &Value) -> Result<OffsetWord> {
    word_of(level.get("word"))
}

fn word_of(name: Option<&Value>) -> Result<OffsetWord> {
    let words = OffsetWord::ALL.map(|word| (word.name(), word));
    let name = match name.filter(|word| !word.is_null()) {
        None => None,
        Some(Value::String(name)) => Some(name.as_str()),
        Some(other) => return Err(Refusal::malformed(format!("the word {other} is not a string"))),
    };
    named(name, &words).map_err(|message| Refusal::malformed(format!("word: {message}")))
}

/// A level of views. Where the arrays are given, they must ascend: a place of rows in any order has no row that a search finds.
fn views(q: usize, level: &Value) -> Result<RaggedLevel> {
    if let (Some(starts), Some(sizes)) = (level.get("starts"), level.get("sizes")) {
        let (starts, sizes) = (numbers(starts, "starts", Value::as_u64)?, numbers(sizes, "sizes", Value::as_u64)?);
        let ends: Vec<u64> = starts.iter().zip(&sizes).map(|(start, size)| start.saturating_add(*size)).collect();
        if let Some(row) = (1..starts.len().min(ends.len())).find(|row| starts[*row] < ends[row - 1]) {
            let (start, end) = (starts[row], ends[row - 1]);
            return Err(Refusal::malformed(format!(
                "level {q}: starts[{row}] = {start} is before {end}, where row {} ends: rows that do not ascend have no inverse; pack them first",
                row - 1
            )));
        }
    }
    Ok(RaggedLevel::Views(word(level)?))
}
