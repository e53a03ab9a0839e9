//! Answers a question at every point of a product of ranges.

use super::query::{Bound, names, pairs};
use crate::answer::{Refusal, Result};
use crd2idx::graph::{CoordGraph, Direction};
use serde::Deserialize;
use serde_json::{Map, Number, Value, json};

/// The maximum number of values that one sweep computes.
const MOST_POINTS: i128 = 1 << 24;

/// The maximum number of values that an answer lists.
const MOST_LISTED: usize = 4096;

/// A sweep: names with fixed values, names that run through ranges of values (the last fastest), and the targets.
#[derive(Deserialize)]
pub struct Sweep {
    fixed: Option<Bound>,
    vary: Vec<(String, Range)>,
    targets: Vec<String>,
}

/// The `count` numbers `start, start + step, ...` before `stop`, from `[stop]`, `[start, stop]` or `[start, stop, step]`.
#[derive(Deserialize)]
#[serde(try_from = "Vec<i64>")]
struct Range {
    start: i64,
    step: i64,
    count: i64,
}

impl TryFrom<Vec<i64>> for Range {
    type Error = &'static str;

    fn try_from(bounds: Vec<i64>) -> std::result::Result<Range, Self::Error> {
        let (start, stop, step) = match bounds[..] {
            [stop] => (0, stop, 1),
            [start, stop] => (start, stop, 1),
            [start, stop, step] if step != 0 => (start, stop, step),
            _ => return Err("[stop], [start, stop] or [start, stop, step] with a step that is not 0"),
        };
        let (span, by) = (i128::from(stop) - i128::from(start), i128::from(step));
        let count = ((span * by.signum()).max(0) + by.abs() - 1) / by.abs();
        // Any count above the maximum is refused, so a cut one is enough.
        Ok(Range { start, step, count: count.min(MOST_POINTS + 1) as i64 })
    }
}

impl Range {
    /// Returns number `k`, counted from 0. It must be below `count`.
    fn at(&self, k: i64) -> i64 {
        self.start.wrapping_add(self.step.wrapping_mul(k))
    }
}

/// Returns count, sum, extremes and hash of the targets over all points (the last name fastest), and whether all points differ
/// in them. Refuses sweeps of more than `MOST_POINTS` values, and whatever the graph refuses.
pub fn answer(graph: &CoordGraph, direction: Direction, sweep: &Sweep) -> Result<Value> {
    let fixed = sweep.fixed.as_ref().map(pairs).unwrap_or_default();
    let targets = names(&sweep.targets);
    let (vary, ranges): (Vec<&str>, Vec<&Range>) = sweep.vary.iter().map(|(name, range)| (name.as_str(), range)).unzip();
    let points = ranges.iter().try_fold(1_i128, |points, range| points.checked_mul(i128::from(range.count)));
    let numbers = points.and_then(|points| points.checked_mul(targets.len().max(1) as i128));
    let points = match (points, numbers) {
        // An empty range leaves no point, however long the others are.
        _ if ranges.iter().any(|range| range.count == 0) => 0,
        (Some(points), Some(numbers)) if numbers <= MOST_POINTS => points as usize,
        _ => return Err(Refusal::too_large(format!("the sweep computes more than {MOST_POINTS} numbers"))),
    };
    let bound: Vec<&str> = fixed.iter().map(|(name, _)| *name).chain(vary).collect();
    let plan = graph.query(direction, &bound, &targets)?;
    let mut at: Vec<i64> = fixed.iter().map(|(_, value)| *value).chain(ranges.iter().map(|range| range.start)).collect();
    let mut places = vec![0; ranges.len()];
    let mut values = Vec::with_capacity(points * targets.len());
    for _ in 0..points {
        let here = plan.run(&at).map_err(|error| Refusal::from(error).with("at", by_name(&bound, at.iter().copied())))?;
        values.extend(here);
        for (k, range) in ranges.iter().enumerate().rev() {
            places[k] += 1;
            if places[k] == range.count {
                places[k] = 0;
            }
            at[fixed.len() + k] = range.at(places[k]);
            if places[k] > 0 {
                break;
            }
        }
    }
    Ok(summary(values, points, targets.len()))
}

fn summary(values: Vec<i64>, points: usize, width: usize) -> Value {
    let mut out = Map::new();
    let sum: i128 = values.iter().map(|value| i128::from(*value)).sum();
    out.insert("count".into(), json!(values.len()));
    // JSON numbers keep all their digits here, so every i128 is one.
    out.insert("sum".into(), Number::from_i128(sum).map_or(Value::Null, Value::Number));
    out.insert("min".into(), json!(values.iter().min()));
    out.insert("max".into(), json!(values.iter().max()));
    out.insert("fnv1a64".into(), format!("{:016x}", fnv1a64(&values)).into());
    if values.len() <= MOST_LISTED {
        out.insert("values".into(), json!(values));
    }
    let distinct = distinct(values, points, width);
    out.insert("distinct".into(), json!(distinct));
    out.insert("injective".into(), json!(distinct == points));
    out.into()
}

/// Returns the hash FNV-1a of 64 bits over the bytes of the numbers, the lowest byte of each first.
fn fnv1a64(values: &[i64]) -> u64 {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Counts the different ones among `points` groups of `width` consecutive numbers.
fn distinct(mut values: Vec<i64>, points: usize, width: usize) -> usize {
    match width {
        0 => points.min(1),
        1 => {
            values.sort_unstable();
            values.dedup();
            values.len()
        }
        _ => {
            let mut groups: Vec<&[i64]> = values.chunks_exact(width).collect();
            groups.sort_unstable();
            groups.dedup();
            groups.len()
        }
    }
}

/// Returns the JSON object of these names and values.
pub fn by_name(names: &[&str], values: impl IntoIterator<Item = i64>) -> Value {
    names.iter().zip(values).map(|(name, value)| ((*name).to_owned(), json!(value))).collect::<Map<_, _>>().into()
}
