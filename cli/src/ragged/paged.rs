//! The operation `ragged.paged` of `batch`: tokens of sequences in pages.

use super::request::{index, index_at, list, numbers, numbers_at};
use crate::answer::{Refusal, Result, part};
use crd2idx::make_layout;
use crd2idx::ragged::RaggedShape;
use crd2idx::ragged::paged::{Appender, PagedError, PagedShape, PagedView};
use serde_json::{Map, Value, json};

impl From<PagedError> for Refusal {
    fn from(error: PagedError) -> Self {
        let mut refusal = Refusal::new(error.to_string()).with("class", error.class());
        for (key, number) in [("sequence", error.sequence()), ("index", error.index())] {
            refusal.more.extend(number.map(|number| (key.into(), number.into())));
        }
        refusal
    }
}

/// The most numbers that one answer lists.
const MOST_NUMBERS: usize = 1 << 24;

/// The keys of [`shape`].
pub const SHAPE: &[&str] = &["page", "pages", "lengths", "block_table", "pad", "indptr", "indices", "last_page_len"];

/// The keys of a question about a [`Shape`].
pub const QUESTION: &[&str] = &["want", "write", "pool", "heads", "dim", "layout", "q_lengths", "split"];

/// The structure of a request.
pub type Shape = PagedShape<'static, i64>;

/// What can be asked: its name, and its value of a shape and a request.
type Want = (&'static str, fn(&Shape, &Value) -> Result<Value>);

const WANTS: &[Want] = &[
    ("lengths", |shape, _| Ok(json!(shape.lengths()))),
    ("offsets", |shape, _| Ok(json!(shape.tokens()?.offsets()[0]))),
    ("page_counts", |shape, _| Ok((0..shape.len()).map(|sequence| shape.pages(sequence).len()).collect())),
    ("page_offsets", |shape, _| Ok(json!(shape.used_pages()?.offsets()[0]))),
    ("page_list", |shape, _| Ok((0..shape.len()).flat_map(|sequence| shape.pages(sequence)).copied().collect())),
    ("last_page_len", |shape, _| {
        Ok((0..shape.len()).map(|sequence| shape.runs(sequence).last().map_or(0, |run| run.tokens.len())).collect())
    }),
    ("gather", |shape, _| Ok(json!(shape.slots()?))),
    ("coords", |shape, _| Ok(tokens(shape).map(|(sequence, token)| json!([sequence, token])).collect())),
    ("page_coords", |shape, _| {
        let size = shape.page_size();
        Ok(tokens(shape).map(|(sequence, token)| json!([sequence, token / size, token % size])).collect())
    }),
    ("owners", |shape, _| {
        few_slots(shape)?;
        Ok(json!(shape.owners()?.to_nested::<2, Vec<Vec<[usize; 2]>>>()?))
    }),
    ("refcounts", |shape, _| Ok(json!(uses(shape)?))),
    ("shared", |shape, _| Ok(uses(shape)?.iter().enumerate().filter(|(_, uses)| **uses > 1).map(|(page, _)| page).collect())),
    ("append", append),
    ("data", data),
    ("elements", elements),
    ("slot_mapping", |shape, request| Ok(json!(shape.new_slots(&new_tokens(request)?)?))),
    ("pair_offsets", |shape, request| Ok(json!(shape.pairs(&new_tokens(request)?)?.leaf_offsets(0)))),
    ("pair_coords", |shape, request| pairs(&shape.pairs(&new_tokens(request)?)?, |coordinates| json!(coordinates))),
    ("pair_visible", |shape, request| {
        let pairs = shape.causal_pairs(&new_tokens(request)?)?;
        Ok((0..pairs.count(1)).map(|token| pairs.row(1, token).len()).collect())
    }),
    ("pair_slots", |shape, request| {
        let seen = shape.causal_pairs(&new_tokens(request)?)?;
        let slot = |leaf| seen.decompose(leaf).map_err(PagedError::from).and_then(|at| shape.slot(at[0], at[2]));
        few(seen.count(2))?;
        Ok(json!((0..seen.count(2)).map(slot).collect::<std::result::Result<Vec<usize>, _>>()?))
    }),
    ("expanded_table", |shape, request| {
        let split = shape.split_pages(index_at(request, "split")?)?;
        Ok((0..split.len()).map(|sequence| split.pages(sequence)).collect())
    }),
];

/// `ragged.paged`.
pub fn paged(request: &Value) -> Result<Value> {
    let shape = shape(request)?;
    few(shape.lengths().iter().fold(0, |sum, length| sum.saturating_add(*length)))?;
    if request.get("write").and_then(Value::as_bool) == Some(true) {
        few(shape.pool())?;
        shape.check_writable()?;
    }
    let wanted = request.get("want").map_or(Ok(&[][..]), |want| list(want, "want"))?;
    let value = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        let (_, of) =
            WANTS.iter().find(|(known, _)| *known == name).ok_or_else(|| Refusal::malformed(format!("`{name}` is nothing to want")))?;
        Ok((name.to_owned(), of(&shape, request)?))
    };
    Ok(Value::Object(wanted.iter().map(value).collect::<Result<Map<_, _>>>()?))
}

/// The structure that a request describes, by lengths and rows or by used pages and last pages.
pub fn shape(request: &Value) -> Result<Shape> {
    let (page, pool) = (index_at(request, "page")?, index_at(request, "pages")?);
    if request.get("indptr").is_some() {
        let offsets = numbers_at(request, "indptr", Value::as_i64)?;
        let (table, last) = (numbers_at(request, "indices", Value::as_i64)?, numbers_at(request, "last_page_len", Value::as_i64)?);
        return Ok(PagedShape::from_last_pages(page, pool, offsets, table, &last)?);
    }
    let lengths = numbers_at(request, "lengths", Value::as_i64)?;
    let pad = request.get("pad").and_then(Value::as_i64);
    let (mut table, mut offsets) = (Vec::new(), vec![0_u64]);
    for row in list(part(request, "block_table")?, "block_table")? {
        let row = numbers(row, "block_table", Value::as_i64)?;
        let used = row.iter().rposition(|number| Some(*number) != pad).map_or(0, |last| last + 1);
        table.extend_from_slice(&row[..used]);
        offsets.push(table.len() as u64);
    }
    Ok(PagedShape::from_offsets(page, pool, &lengths, offsets, table)?)
}

fn few(count: usize) -> Result<()> {
    if count > MOST_NUMBERS { Err(Refusal::too_large(format!("{count} numbers are too many to list"))) } else { Ok(()) }
}

/// Refuses pools of more slots than are listed, whoever's they are.
fn few_slots(shape: &Shape) -> Result<()> {
    few(shape.pool().saturating_mul(shape.page_size()))
}

fn uses(shape: &Shape) -> Result<Vec<u32>> {
    few(shape.pool())?;
    Ok(shape.uses()?)
}

/// The sequence and the token of all tokens.
fn tokens(shape: &Shape) -> impl Iterator<Item = (usize, usize)> + '_ {
    shape.lengths().iter().enumerate().flat_map(|(sequence, length)| (0..*length).map(move |token| (sequence, token)))
}

fn new_tokens(request: &Value) -> Result<Vec<usize>> {
    numbers_at(request, "q_lengths", index)
}

/// A value for the coordinates of each pair.
fn pairs(pairs: &RaggedShape, value: impl Fn(Vec<usize>) -> Value) -> Result<Value> {
    let count = pairs.count(2);
    few(count)?;
    Ok(Value::Array((0..count).map(|leaf| Ok(value(pairs.decompose(leaf)?))).collect::<Result<_>>()?))
}

/// The slot of the next token of each sequence: -1 without a page for it, -2 where that is in use elsewhere.
fn append(shape: &Shape, _: &Value) -> Result<Value> {
    few(shape.pool())?;
    let appender = Appender::new(shape.view())?;
    let next = |sequence| match appender.next(sequence) {
        Ok(slot) => Ok(json!(slot)),
        Err(PagedError::NoPage { .. }) => Ok(json!(-1)),
        Err(PagedError::SharedPage { .. }) => Ok(json!(-2)),
        Err(error) => Err(error.into()),
    };
    Ok(Value::Array((0..shape.len()).map(next).collect::<Result<_>>()?))
}

/// The element of `pool` in the slot of each token.
fn data(shape: &Shape, request: &Value) -> Result<Value> {
    let pool = list(part(request, "pool")?, "pool")?;
    Ok(PagedView::new(shape, make_layout((shape.page_size(),), (1,)), pool)?.gather()?.into())
}

/// The index of each element of each token.
fn elements(shape: &Shape, request: &Value) -> Result<Value> {
    let (heads, dim, page) = (index_at(request, "heads")?, index_at(request, "dim")?, shape.page_size());
    let strides = match part(request, "layout")?.as_str() {
        Some("NHD") => heads.checked_mul(dim).map(|token| (token, dim, 1)),
        Some("HND") => page.checked_mul(dim).map(|head| (dim, head, 1)),
        _ => return Err(Refusal::malformed("`layout` is neither `NHD` nor `HND`")),
    };
    let token = heads.checked_mul(dim).filter(|token| token.checked_mul(shape.pool().saturating_mul(page)).is_some());
    let (strides, token) = strides.zip(token).ok_or(PagedError::Overflow)?;
    few(token.saturating_mul(shape.lengths().iter().sum()))?;
    // Elements without content take no memory.
    let pool = vec![(); token * page * shape.pool()];
    let view = PagedView::new(shape, make_layout((page, heads, dim), strides), &pool)?;
    let of_token = |(sequence, t): (usize, usize)| (0..token).map(move |k| (sequence, t, [k / dim, k % dim]));
    let indices = tokens(shape).flat_map(of_token).map(|(sequence, t, of_token)| view.index(sequence, t, &of_token));
    Ok(json!(indices.collect::<std::result::Result<Vec<usize>, _>>()?))
}
