//! The request `ragged.paged` of `batch`: tokens of sequences in pages.

use crate::answer::{Refusal, Result};
use crd2idx::make_layout;
use crd2idx::ragged::RaggedShape;
use crd2idx::ragged::paged::{Appender, PagedError, PagedShape, PagedView};
use serde::Deserialize;
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

/// The maximum number of values that one answer lists.
const MOST_NUMBERS: usize = 1 << 24;

/// Sequences in pages: by lengths and a block table, or by used pages and last pages.
#[derive(Deserialize)]
pub struct Pages {
    page: usize,
    pages: usize,
    lengths: Option<Vec<i64>>,
    block_table: Option<Vec<Vec<i64>>>,
    pad: Option<i64>,
    indptr: Option<Vec<i64>>,
    indices: Option<Vec<i64>>,
    last_page_len: Option<Vec<i64>>,
}

/// A question about sequences in pages.
#[derive(Deserialize)]
pub struct Question {
    want: Option<Vec<String>>,
    write: Option<bool>,
    pool: Option<Vec<Value>>,
    heads: Option<usize>,
    dim: Option<usize>,
    layout: Option<String>,
    q_lengths: Option<Vec<usize>>,
    split: Option<usize>,
}

/// Returns the value of a key that an answer needs, and refuses a missing one.
fn need<'r, T>(value: &'r Option<T>, key: &str) -> Result<&'r T> {
    value.as_ref().ok_or_else(|| Refusal::missing(key))
}

/// The sequences and pages of a request, with tables that it owns.
pub type Shape = PagedShape<'static, i64>;

/// A property by name, with the function that computes it from a structure and a request.
type Want = (&'static str, fn(&Shape, &Question) -> Result<Value>);

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
    ("slot_mapping", |shape, request| Ok(json!(shape.new_slots(new_tokens(request)?)?))),
    ("pair_offsets", |shape, request| Ok(json!(shape.pairs(new_tokens(request)?)?.leaf_offsets(0)))),
    ("pair_coords", |shape, request| pairs(&shape.pairs(new_tokens(request)?)?, |coordinates| json!(coordinates))),
    ("pair_visible", |shape, request| {
        let pairs = shape.causal_pairs(new_tokens(request)?)?;
        Ok((0..pairs.count(1)).map(|token| pairs.row(1, token).len()).collect())
    }),
    ("pair_slots", |shape, request| {
        let seen = shape.causal_pairs(new_tokens(request)?)?;
        let slot = |leaf| seen.decompose(leaf).map_err(PagedError::from).and_then(|at| shape.slot(at[0], at[2]));
        few(seen.count(2))?;
        Ok(json!((0..seen.count(2)).map(slot).collect::<std::result::Result<Vec<usize>, _>>()?))
    }),
    ("expanded_table", |shape, request| {
        let split = shape.split_pages(*need(&request.split, "split")?)?;
        Ok((0..split.len()).map(|sequence| split.pages(sequence)).collect())
    }),
];

/// Answers `ragged.paged`: the wanted properties of tokens of sequences in pages.
pub fn paged((pages, question): (Pages, Question)) -> Result<Value> {
    let shape = pages.shape()?;
    few(shape.lengths().iter().fold(0, |sum, length| sum.saturating_add(*length)))?;
    if question.write == Some(true) {
        few(shape.pool())?;
        shape.check_writable()?;
    }
    let value = |name: &String| {
        let (_, of) =
            WANTS.iter().find(|(known, _)| known == name).ok_or_else(|| Refusal::malformed(format!("`{name}` is no property of pages")))?;
        Ok((name.clone(), of(&shape, &question)?))
    };
    Ok(Value::Object(question.want.iter().flatten().map(value).collect::<Result<Map<_, _>>>()?))
}

impl Pages {
    /// Returns the structure of the pages. Refuses missing keys, and numbers that do not fit together.
    pub fn shape(self) -> Result<Shape> {
        let (page, pool) = (self.page, self.pages);
        if let Some(offsets) = self.indptr {
            let table = self.indices.ok_or_else(|| Refusal::missing("indices"))?;
            return Ok(PagedShape::from_last_pages(page, pool, offsets, table, need(&self.last_page_len, "last_page_len")?)?);
        }
        let lengths = need(&self.lengths, "lengths")?;
        let (mut table, mut offsets) = (Vec::new(), vec![0_u64]);
        for row in need(&self.block_table, "block_table")? {
            let used = row.iter().rposition(|number| Some(*number) != self.pad).map_or(0, |last| last + 1);
            table.extend_from_slice(&row[..used]);
            offsets.push(table.len() as u64);
        }
        Ok(PagedShape::from_offsets(page, pool, lengths, offsets, table)?)
    }
}

fn few(count: usize) -> Result<()> {
    if count > MOST_NUMBERS { Err(Refusal::too_large(format!("{count} numbers are too many to list"))) } else { Ok(()) }
}

/// Refuses pools of more slots than an answer lists, used or not.
fn few_slots(shape: &Shape) -> Result<()> {
    few(shape.pool().saturating_mul(shape.page_size()))
}

fn uses(shape: &Shape) -> Result<Vec<u32>> {
    few(shape.pool())?;
    Ok(shape.uses()?)
}

/// Iterates over all tokens, as pairs of a sequence and a token.
fn tokens(shape: &Shape) -> impl Iterator<Item = (usize, usize)> + '_ {
    shape.lengths().iter().enumerate().flat_map(|(sequence, length)| (0..*length).map(move |token| (sequence, token)))
}

fn new_tokens(request: &Question) -> Result<&[usize]> {
    Ok(need(&request.q_lengths, "q_lengths")?)
}

/// Returns `value` of the coordinates of each pair. Refuses more pairs than an answer lists.
fn pairs(pairs: &RaggedShape, value: impl Fn(Vec<usize>) -> Value) -> Result<Value> {
    let count = pairs.count(2);
    few(count)?;
    Ok(Value::Array((0..count).map(|leaf| Ok(value(pairs.decompose(leaf)?))).collect::<Result<_>>()?))
}

/// Returns the slot of the next token of each sequence: -1 without a page for it, -2 if another sequence shares that page.
/// Refuses pools that are too large.
fn append(shape: &Shape, _: &Question) -> Result<Value> {
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

/// Returns the element of `pool` in the slot of each token. Refuses a missing `pool`, and one of another size.
fn data(shape: &Shape, request: &Question) -> Result<Value> {
    let pool = need(&request.pool, "pool")?;
    Ok(PagedView::new(shape, make_layout((shape.page_size(),), (1,)), pool)?.gather()?.into())
}

/// Returns the index of each element of each token in the pool. Refuses missing extents, unknown layouts, and too many
/// elements.
fn elements(shape: &Shape, request: &Question) -> Result<Value> {
    let (heads, dim, page) = (*need(&request.heads, "heads")?, *need(&request.dim, "dim")?, shape.page_size());
    let strides = match need(&request.layout, "layout")?.as_str() {
        "NHD" => heads.checked_mul(dim).map(|token| (token, dim, 1)),
        "HND" => page.checked_mul(dim).map(|head| (dim, head, 1)),
        _ => return Err(Refusal::malformed("`layout` is neither `NHD` nor `HND`")),
    };
    let token = heads.checked_mul(dim).filter(|token| token.checked_mul(shape.pool().saturating_mul(page)).is_some());
    let (strides, token) = strides.zip(token).ok_or(PagedError::Overflow)?;
    few(token.saturating_mul(shape.lengths().iter().sum()))?;
    // Elements of type `()` take no memory.
    let pool = vec![(); token * page * shape.pool()];
    let view = PagedView::new(shape, make_layout((page, heads, dim), strides), &pool)?;
    let of_token = |(sequence, t): (usize, usize)| (0..token).map(move |k| (sequence, t, [k / dim, k % dim]));
    let indices = tokens(shape).flat_map(of_token).map(|(sequence, t, of_token)| view.index(sequence, t, &of_token));
    Ok(json!(indices.collect::<std::result::Result<Vec<usize>, _>>()?))
}
