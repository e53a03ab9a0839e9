//! `crd2idx analyze`, and the requests `analyze` and `from_table` of `batch`: all indices of a layout, and the layout of given indices.

use crate::answer::{self, Answer, Refusal, Result, success};
use crate::eval::{EXPRESSION, LEAVES, describe};
use crate::request::{requests, structs};
use clap::Args;
use crd2idx::algebra::analysis::{Analysis, Permutation};
use crd2idx::algebra::expression::{ComposedValue, Operand, apply, evaluate};
use crd2idx::algebra::memory::{Access, Banks, Lines, Threads};
use crd2idx::algebra::table;
use crd2idx::algebra::value::{ExprGraph, TupleValue};
use crd2idx::error::{Cause, Op};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A question about all indices of a layout.
#[derive(Args, Deserialize)]
pub struct Analyze {
    /// A layout, or an expression that gives one.
    #[arg(allow_hyphen_values = true, value_hint = EXPRESSION)]
    layout: String,
    /// The size of an element in bits: also count bank conflicts and lines. Mode 0 is the thread, further modes are its values.
    #[arg(long)]
    element_bits: Option<u32>,
    /// The number of values of one access.
    #[arg(long)]
    vector: Option<u32>,
    /// List the cycles of the permutation, not only their lengths.
    #[arg(long)]
    #[serde(default)]
    cycles: bool,
}

structs! {
    Table { indices: Vec<i64>, shape: Option<String> }
}

requests! {
    /// Analyzes all indices of a layout: aliases, holes, runs, vectors, the cycles of the permutation, bank conflicts and lines.
    "analyze" => |(ask,): (Analyze,)| facts(&ask).map(|facts| Value::Object(facts.into_iter().map(|(key, value)| (key.into(), value)).collect()));
    /// Returns the layout whose index at linear coordinate `k` is entry `k` of `indices`: strides, a swizzle of these, or XOR strides.
    "from_table" => |(table,): (Table,)| from_table(&table);
}

/// Returns the facts about a layout, one a line. Fails if the text is no layout of known numbers.
pub fn run(ask: &Analyze) -> std::result::Result<String, String> {
    let facts = facts(ask).map_err(|refusal| refusal.message)?;
    let line = |(key, value): (&str, Value)| match value {
        Value::String(text) => format!("{key}: {text}"),
        value => format!("{key}: {}", answer::text(value)),
    };
    Ok(facts.into_iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// Returns the coordinate at a linear coordinate of the shape, in the notation.
fn coordinate(shape: Operand<LEAVES>, linear: u64, scope: &mut ExprGraph<0>) -> Result<String> {
    let linear = TupleValue::integer(linear as i64).ok_or_else(|| Refusal::new("the coordinate overflows"))?;
    Ok(apply(Op::Idx2CrdShape, &[shape, Operand::Tuple(linear)], scope)?.to_string())
}

/// Returns the facts about a layout by name, in the order of their documentation.
fn facts(ask: &Analyze) -> Result<Vec<(&'static str, Value)>> {
    let mut scope = ExprGraph::<0>::new(Op::Parse);
    let operand = evaluate::<LEAVES, 0>(&ask.layout, &mut scope).map_err(|error| Refusal::new(describe(&ask.layout, &error)))?;
    let (Operand::Layout(domain) | Operand::Composed(ComposedValue { outer: domain, .. })) = &operand else {
        return Err(Refusal::new(format!("{operand} is not a layout")));
    };
    let analysis = Analysis::of(&operand)?;
    let shape = apply(Op::GetShape, &[operand], &mut scope)?;
    let alias = match analysis.alias() {
        Some((index, of)) => {
            let of = of.iter().map(|k| coordinate(shape, u64::from(*k), &mut scope)).collect::<Result<Vec<_>>>()?;
            json!({"index": index, "coordinates": of, "most": analysis.most_aliases()})
        }
        None => Value::Null,
    };
    let (mut runs, mut largest_gap, mut end) = (0u64, 0, None);
    for (first, last) in analysis.runs() {
        runs += 1;
        largest_gap = end.map_or(0, |end: i64| largest_gap.max(first - end - 1));
        end = Some(last);
    }
    let mut order: Vec<usize> = (0..domain.len()).collect();
    order.sort_by_key(|k| domain.scale(*k).value().unwrap_or(0).unsigned_abs());
    let mut facts = vec![
        ("layout", json!(operand.to_string())),
        ("size", json!(analysis.indices().len())),
        ("least", json!(analysis.least())),
        ("greatest", json!(analysis.greatest())),
        ("distinct", json!(analysis.distinct())),
        ("injective", json!(analysis.is_injective())),
        ("surjective", json!(analysis.is_surjective())),
        ("bijective", json!(analysis.is_injective() && analysis.is_surjective())),
        ("alias", alias),
        ("holes", json!(analysis.holes())),
        ("runs", json!(runs)),
        ("largest_gap", json!(largest_gap)),
        ("leaves_by_stride", json!(order)),
        ("contiguous", json!(analysis.contiguous())),
        ("contiguous_by_mode", json!(analysis.contiguous_by_mode())),
        ("fixed_points", json!(analysis.fixed_points().count())),
        ("permutation", analysis.permutation().map_or(Value::Null, |found| permutation(&found, ask.cycles))),
    ];
    if let Some(bits) = ask.element_bits {
        let access = access(bits, ask.vector.unwrap_or(1))?;
        let threads = threads(
            &analysis,
            domain
                .tree()
                .mode(domain.root(), 0)
                .map_or(Ok(1), |mode| domain.size_of(mode, &mut scope).map(|size| size.value().unwrap_or(1)))?,
        )?;
        let banks = threads.banks(access, Banks::NVIDIA)?;
        facts.push(("bank_conflicts", json!({"wavefronts": banks.wavefronts(), "ideal": banks.ideal(), "conflicts": banks.conflicts()})));
        let lines = threads.lines(access, 32, Lines::default())?;
        facts.push((
            "coalescing",
            json!({
                "sectors": lines.sectors.iter().sum::<u64>(),
                "ideal_sectors": lines.ideal_sectors,
                "lines": lines.lines.iter().sum::<u64>(),
                "ideal_lines": lines.ideal_lines,
                "useful_bytes": lines.useful_bytes,
            }),
        ));
    }
    Ok(facts)
}

/// Returns an access of `vector` elements. Refuses 0, and numbers above 128.
fn access(element_bits: u32, vector: u32) -> Result<Access> {
    match (1..=128).contains(&element_bits) && (1..=128).contains(&vector) {
        true => Ok(Access { element_bits, vector }),
        false => Err(Refusal::new(format!("an access of {vector} elements of {element_bits} bits: both are from 1 to 128"))),
    }
}

/// Returns the indices of each thread, where mode 0 has `count` threads.
fn threads(analysis: &Analysis, count: i64) -> Result<Threads> {
    let (indices, count) = (analysis.indices(), count.max(1) as usize);
    Ok(Threads::new(
        (0..count.min(indices.len())).map(|thread| Some(indices[thread..].iter().step_by(count).copied().collect())).collect(),
    )?)
}

/// Returns the order, the parity and the cycles of a permutation: the number of cycles of each length, or with `all` each cycle.
fn permutation(of: &Permutation, all: bool) -> Value {
    let mut lengths = BTreeMap::<usize, usize>::new();
    of.cycles().iter().for_each(|cycle| *lengths.entry(cycle.len()).or_default() += 1);
    let mut facts = json!({"order": of.order(), "even": of.is_even(), "cycles_by_length": lengths.into_iter().collect::<Vec<_>>()});
    if all {
        facts["cycles"] = json!(of.cycles());
    }
    facts
}

fn from_table(Table { indices, shape }: &Table) -> Result<Answer> {
    let mut scope = ExprGraph::<0>::new(Op::FromTable);
    let shape = match shape {
        Some(text) => evaluate::<LEAVES, 0>(text, &mut scope).map_err(|error| Refusal::new(describe(text, &error)))?,
        None => Operand::Tuple(TupleValue::integer(indices.len() as i64).ok_or_else(|| Refusal::new("the table is too long"))?),
    };
    let Operand::Tuple(of) = shape else { return Err(Refusal::new(format!("{shape} is not a shape"))) };
    scope.begin(Op::FromTable);
    match table::layout_of(indices, &of, &mut scope) {
        Ok(layout) => Ok(success(json!(layout.to_string()))),
        Err(error) if error.cause == Cause::TableIndex => {
            let linear = error.numbers()[0].unwrap_or(0);
            let at = coordinate(shape, linear as u64, &mut scope)?;
            Err(Refusal::new(format!("{error}; coordinate {linear} is {at}")).with("coordinate", at))
        }
        Err(error) => Err(error.into()),
    }
}
