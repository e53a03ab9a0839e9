//! `crd2idx ragged emit`: traversal as source text.

use crate::answer::{Refusal, Result};
use crate::emit::text::{Form, named, print};
use crate::input;
use crate::request::{read, structs};
use clap::Args;
use crd2idx::DynLayout;
use crd2idx::json::{self, quantity_from_json};
use crd2idx::program::{self, EmitError, OffsetWord, PagedIndex, RaggedLevel, RaggedLevels, Source};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use std::path::PathBuf;

/// The arguments of `crd2idx ragged emit`.
#[derive(Args)]
pub struct Emit {
    /// An object with `levels`, outermost first; or an array as for `info`, without regard to its leaves. `-` is standard input.
    ///
    /// A level is {"kind": "ragged", "word": "u32"}; {"kind": "regular", "size": 3}, where the size may be the name of a launch parameter;
    /// {"kind": "block", "layout": "(2,4):(4,1)"}; or {"kind": "views", "word": "u32"}, for rows that ascend and do not overlap.
    /// Or {"kind": "paged", "layout": "(16,8,128):(1024,128,1)", "word": "i32"}: pages by a block table of one width ("offsets": "u32" for any).
    #[arg(verbatim_doc_comment)]
    pub file: PathBuf,
    /// The language: c, cuda, hip, opencl, wgsl or rust.
    #[arg(long, value_name = "LANGUAGE")]
    to: String,
    /// The name of the function, and the prefix of all other names.
    #[arg(long, default_value = "ragged")]
    name: String,
    /// The text to print: functions of a leaf (coordinates, the default), the arrays I and S of every level (parents) or of the
    /// leaves (leaf_rows), or a kernel that writes to every leaf (visit).
    #[arg(long, value_name = "WHICH")]
    function: Option<String>,
    /// With visit: the value to write, in JSON; an expression of the coordinates c0, c1, ...
    #[arg(long, value_name = "JSON")]
    write: Option<String>,
    /// The size of integers in bits, 32 or 64 (default: 32 if all offsets fit).
    #[arg(long)]
    width: Option<u32>,
    /// With visit: the number of leaves per search.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    tile: u32,
    /// The number of threads of a workgroup.
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1024))]
    workgroup: u32,
    /// Divide by launch parameters with `/`, not with magic numbers.
    #[arg(long)]
    no_fast_division: bool,
    /// Print only the host functions, which compute the quantities that are constant in a launch.
    #[arg(long)]
    host: bool,
}

/// A method of `RaggedLevels` that prints one kind of function as source text.
type Functions = fn(&RaggedLevels, &program::Emit) -> std::result::Result<Source, EmitError>;

/// The values of `--function`. `visit` has no function here, because it needs the value to write.
const FUNCTIONS: &[(&str, Option<Functions>)] = &[
    ("coordinates", Some(RaggedLevels::emit_coordinates)),
    ("parents", Some(RaggedLevels::emit_parents)),
    ("leaf_rows", Some(RaggedLevels::emit_leaf_rows)),
    ("visit", None),
];

/// Returns the text for the levels that `value`, from the file `name`, describes. Fails for invalid options and levels.
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
        (Some(_), Some(_)) => return Err("--write needs --function visit".into()),
        (None, None) => return Err("--function visit needs --write, the value to write".into()),
        (None, Some(text)) => {
            let value = input::parse(text.as_bytes()).map_err(|error| format!("--write: {error}"))?;
            levels.emit_visit(form.emit(), &quantity_from_json(&value).map_err(|error| format!("--write: {error}"))?)
        }
    };
    print(source.map_err(|error| error.to_string())?, form.language, ask.host).map(|text| text.trim_end().to_owned())
}

structs! {
    /// Pages by a block table.
    #[expect(dead_code, reason = "`kind` says that these are pages")]
    Pages { kind: IgnoredAny, layout: String, word: Option<String>, offsets: Option<String> }
    /// Levels, or an array whose leaves are ignored.
    #[expect(dead_code, reason = "`data` and `outer` may be there, and are not read")]
    Levels {
        levels: Option<Vec<Value>>, word: Option<String>, offsets: Option<Vec<IgnoredAny>>, data: Option<IgnoredAny>,
        outer: Option<IgnoredAny>, starts: Option<Vec<u64>>, sizes: Option<Vec<u64>>
    }
    #[expect(dead_code, reason = "`offsets` may be there, and are not read")]
    Offsets { word: Option<String>, offsets: Option<IgnoredAny> }
    Kind { kind: String }
    /// The size is a number, or the name of a launch parameter.
    Regular { size: Value }
    Block { layout: String }
    Views { word: Option<String>, starts: Option<Vec<u64>>, sizes: Option<Vec<u64>> }
}

fn paged(value: &Value) -> Result<PagedIndex> {
    let (pages,): (Pages,) = read(value, &[])?;
    let paged = PagedIndex::new(layout(&pages.layout)?).map_err(|error| Refusal::malformed(error.to_string()))?;
    let paged = paged.table(word(pages.word.as_deref())?);
    Ok(if let Some(name) = &pages.offsets { paged.offsets(word(Some(name))?) } else { paged })
}

/// Returns the layout of a block or a page. Refuses texts that are no layout.
fn layout(text: &str) -> Result<DynLayout<16>> {
    text.parse().map_err(|error: crd2idx::LayoutError| Refusal::malformed(error.to_string()))
}

/// Returns the levels of an object. Refuses objects that describe none.
fn levels(value: &Value) -> Result<Vec<RaggedLevel>> {
    match read(value, &[])? {
        (Levels { levels: Some(levels), .. },) => levels.iter().enumerate().map(|(q, value)| level(q, value)).collect(),
        (Levels { offsets: Some(offsets), word: name, .. },) => {
            let word = word(name.as_deref())?;
            Ok(offsets.iter().map(|_| RaggedLevel::Offsets(word)).collect())
        }
        (Levels { starts: starts @ Some(_), sizes, word: name, .. },) => {
            ascending(0, starts.as_deref(), sizes.as_deref())?;
            Ok(vec![RaggedLevel::Views(word(name.as_deref())?)])
        }
        _ => Err(Refusal::malformed("one of the keys `levels`, `offsets` and `starts` is needed")),
    }
}

/// Returns level `q`, counted from 0. The kind determines which keys are read, and others are refused.
fn level(q: usize, value: &Value) -> Result<RaggedLevel> {
    fn fields<T: DeserializeOwned>(q: usize, value: &Value) -> Result<T> {
        read::<(T,)>(value, &["kind"]).map(|(fields,)| fields).map_err(|error| error.below(&format!("level {q}")).into())
    }
    let kind: Kind = json::read(value).map_err(|error| error.below(&format!("level {q}")))?;
    match kind.kind.as_str() {
        "ragged" => Ok(RaggedLevel::Offsets(word(fields::<Offsets>(q, value)?.word.as_deref())?)),
        "views" => {
            let Views { word: name, starts, sizes } = fields(q, value)?;
            ascending(q, starts.as_deref(), sizes.as_deref())?;
            Ok(RaggedLevel::Views(word(name.as_deref())?))
        }
        "regular" => match fields::<Regular>(q, value)?.size {
            Value::String(name) => Ok(RaggedLevel::Dense(name)),
            size => match size.as_u64() {
                Some(size) => Ok(RaggedLevel::Fixed(size)),
                None => Err(Refusal::malformed(format!("level {q}.size: {size} is not a whole number, or a name"))),
            },
        },
        "block" => {
            let layout = layout(&fields::<Block>(q, value)?.layout);
            Ok(RaggedLevel::block(layout.map_err(|refusal| Refusal::malformed(format!("level {q}: {}", refusal.message)))?))
        }
        _ => Err(Refusal::malformed(format!("level {q}: the kind of a level is `ragged`, `regular`, `block` or `views`"))),
    }
}

/// Returns the type of offsets with this name. Refuses unknown names.
fn word(name: Option<&str>) -> Result<OffsetWord> {
    named(name, &OffsetWord::ALL.map(|word| (word.name(), word))).map_err(|message| Refusal::malformed(format!("word: {message}")))
}

/// Refuses given views that do not ascend: a search finds the row of a position only among ascending rows.
fn ascending(q: usize, starts: Option<&[u64]>, sizes: Option<&[u64]>) -> Result<()> {
    let (Some(starts), Some(sizes)) = (starts, sizes) else { return Ok(()) };
    let ends: Vec<u64> = starts.iter().zip(sizes).map(|(start, size)| start.saturating_add(*size)).collect();
    if let Some(row) = (1..starts.len().min(ends.len())).find(|row| starts[*row] < ends[row - 1]) {
        let (start, end) = (starts[row], ends[row - 1]);
        return Err(Refusal::malformed(format!(
            "level {q}: starts[{row}] = {start} is before {end}, where row {} ends: rows that do not ascend have no inverse; pack them first",
            row - 1
        )));
    }
    Ok(())
}
