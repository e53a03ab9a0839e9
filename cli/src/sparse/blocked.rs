//! Blocked, hybrid and linearised formats: from coordinates to arrays, under the names that papers use, and back.

use super::levels::{MOST_NUMBERS, coordinates, listed, summed};
use super::request::{ByLevel, Elements, OneOrMany, axis_order, list, missing, object, of_class};
use super::{composite, long_key};
use crate::answer::{Refusal, Result};
use crate::request::{Input, Parameter, structs, value_of};
use crate::words::many;
use crd2idx::sparse::{Arrays, AxisMap, BlockOrder, Composite, Format, Indices, LevelKind, Part, Scheme, SparseTensor, Values};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// The parameters of blocked formats.
#[derive(Deserialize, Default)]
pub struct Parameters {
    bits: Option<OneOrMany>,
    super_bits: Option<OneOrMany>,
    order: Option<String>,
    block: Option<Vec<u64>>,
    axis_order: Option<Vec<usize>>,
    structure: Option<Vec<String>>,
    max_fiber: Option<usize>,
    orders: Option<Vec<Vec<usize>>>,
}

structs! {
    /// A blocked format by its name, and extents.
    Named { format: String, shape: Vec<u64> }
    /// The number of parts of equal length into which keys are cut.
    Partitioned { partitions: Option<usize> }
    /// The arrays of a blocked format.
    OfArrays { arrays: Value }
    /// The arrays of levels, and their values, as `sparse.blocked` writes them.
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "`grid` and `order` may be there, and are not read")]
    OfLevels { indices: Option<ByLevel>, pointers: Option<ByLevel>, values: Vec<Value>, grid: Option<IgnoredAny>, order: Option<IgnoredAny> }
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "`assignment` may be there, and is not read")]
    OfMmCsf { parts: Vec<OfLevels>, assignment: Option<IgnoredAny> }
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "`ptr` and `intervals` may be there, and are not read")]
    OfAlto { masks: Option<Value>, keys: Vec<Value>, values: Vec<Value>, ptr: Option<IgnoredAny>, intervals: Option<IgnoredAny> }
    #[serde(deny_unknown_fields)]
    OfHicoo { bptr: Vec<u64>, kptr: Option<Vec<u64>>, binds: Vec<Vec<u64>>, einds: Vec<Vec<u64>>, values: Vec<Value> }
    #[serde(deny_unknown_fields)]
    OfHbCsf { coo: OfList, csl: OfSlices, bcsf: OfLevels }
    #[serde(deny_unknown_fields)]
    OfList { indices: Vec<Vec<u64>>, values: Vec<Value> }
    #[serde(deny_unknown_fields)]
    OfSlices { slices: Vec<u64>, pointers: Vec<u64>, indices: Vec<Vec<u64>>, values: Vec<Value> }
}

fn wrong(message: impl Into<String>) -> Refusal {
    of_class("blocked/parameter", message)
}

impl Parameters {
    /// Returns the scheme of this name with these parameters, for a tensor of this rank. Names of no scheme are read as formats
    /// of levels. Refuses missing or wrong parameters.
    pub fn scheme(&self, name: &str, rank: usize) -> Result<Scheme> {
        let axes = || axis_order(self.axis_order.as_deref(), rank);
        Ok(match name {
            "hicoo" => {
                let order = match self.order.as_deref() {
                    None | Some("morton") => BlockOrder::Morton,
                    Some("lex") => BlockOrder::Lexicographic,
                    Some(_) => return Err(wrong("order is neither `morton` nor `lex`")),
                };
                let bits = bits(&self.bits, rank).ok_or_else(|| wrong("the key `bits` is missing"))?;
                Scheme::Hicoo { bits, supers: self::bits(&self.super_bits, rank), order }
            }
            "bcsr" => {
                let edges = self.block.clone().ok_or_else(|| wrong("the key `block` is missing"))?;
                let kinds = match &self.structure {
                    None => (0..rank).map(|k| if k == 0 && rank > 1 { LevelKind::Pointers } else { LevelKind::Indices }).collect(),
                    Some(tokens) => {
                        let kinds = tokens.iter().map(|token| LevelKind::from_token(token)).collect::<Option<Vec<_>>>();
                        kinds
                            .filter(|kinds| kinds.len() == rank)
                            .ok_or_else(|| wrong(format!("structure: {tokens:?} is not a level for each axis")))?
                    }
                };
                Scheme::Blocks { edges, grid: Format::new(&kinds, &axes()).map_err(|error| wrong(error.to_string()))? }
            }
            "hbcsf" => Scheme::HbCsf { axis_order: axes(), max_fiber: self.max_fiber },
            "mmcsf" => Scheme::MmCsf { orders: self.orders.clone() },
            "alto" => Scheme::Linearised,
            "dia" => Scheme::Diagonals,
            name => Scheme::Levels(Format::parse_with_rank(name, rank)?),
        })
    }
}

/// Returns the numbers of bits of the axes, from one number for all or from a list. Returns `None` if none is given.
fn bits(given: &Option<OneOrMany>, rank: usize) -> Option<Vec<u32>> {
    let numbers = match given.as_ref()? {
        OneOrMany::One(bits) => vec![*bits; rank],
        OneOrMany::Many(bits) => bits.clone(),
    };
    Some(numbers.into_iter().map(|bits| u32::try_from(bits).unwrap_or(u32::MAX)).collect())
}

/// Returns the scheme of a request. Refuses unknown names and wrong parameters, before any element is read.
fn scheme(named: &Named, parameters: &Parameters) -> Result<Scheme> {
    let Named { format: name, shape } = named;
    if !["hicoo", "bcsr", "hbcsf", "mmcsf", "alto"].contains(&name.as_str()) {
        return Err(wrong(format!("`{name}` is none of the formats hicoo, bcsr, hbcsf, mmcsf, alto")));
    }
    let scheme = parameters.scheme(name, shape.len())?;
    scheme.chains(shape)?;
    Ok(scheme)
}

/// Answers `sparse.blocked`: the arrays of a tensor in a blocked, hybrid or linearised format.
pub fn blocked(
    (named, Parameter(parameters), Parameter(Partitioned { partitions }), Input(elements)): (
        Named,
        Parameter<Parameters>,
        Parameter<Partitioned>,
        Input<Elements>,
    ),
) -> Result<Value> {
    let (scheme, shape) = (scheme(&named, &parameters)?, &named.shape);
    if let Some(count) = partitions.filter(|count| *count == 0 || *count > MOST_NUMBERS) {
        return Err(wrong(format!("partitions: {count} is not between 1 and {MOST_NUMBERS}")));
    }
    let tensor = summed(shape, &elements).map_err(|refusal| refusal.of_family("input"))?;
    let composite = Composite::with_at_most(&tensor, &scheme, MOST_NUMBERS)?;
    let parts: Vec<&SparseTensor<Value>> = composite.parts().iter().map(|part| &part.tensor).collect();
    let rank = shape.len();
    Ok(match &scheme {
        Scheme::Hicoo { bits, supers, .. } => hicoo(parts[0], rank, bits, supers.as_deref()),
        Scheme::Blocks { grid, .. } => {
            let extents: Vec<u64> = grid.axis_order().iter().map(|axis| parts[0].shape()[*axis]).collect();
            with(levels(parts[0]), "grid", json!(extents))
        }
        Scheme::HbCsf { .. } => {
            let lists = |part: &SparseTensor<Value>, from: usize| (from..rank).map(|level| index(part, level)).collect::<Vec<_>>();
            json!({
                "coo": {"indices": lists(parts[0], 0), "values": listed(parts[0].values())},
                "csl": {
                    "slices": index(parts[1], 0),
                    "pointers": pointer(parts[1], 0),
                    "indices": lists(parts[1], 1),
                    "values": listed(parts[1].values()),
                },
                "bcsf": levels(parts[2]),
            })
        }
        Scheme::MmCsf { .. } => {
            let listed: Vec<Value> = parts.iter().map(|part| with(levels(part), "order", json!(part.format().axis_order()))).collect();
            json!({"assignment": assignment(&composite)?, "parts": listed})
        }
        Scheme::Linearised => linearised(&composite, partitions)?,
        Scheme::Levels(_) | Scheme::Gcxs { .. } | Scheme::Diagonals => levels(parts[0]),
    })
}

fn with(mut value: Value, key: &str, more: Value) -> Value {
    value[key] = more;
    value
}

fn index(tensor: &SparseTensor<Value>, level: usize) -> Value {
    tensor.pattern().indices(level).map_or(json!([]), list)
}

fn pointer(tensor: &SparseTensor<Value>, level: usize) -> Value {
    tensor.pattern().pointers(level).map_or(json!([]), list)
}

/// Returns the arrays of the levels, and the values, as JSON.
fn levels(tensor: &SparseTensor<Value>) -> Value {
    let arrays = tensor.pattern().arrays();
    json!({"indices": object(&arrays.indices), "pointers": object(&arrays.pointers), "values": listed(tensor.values())})
}

/// Returns the arrays of HiCOO as JSON. They give each block its coordinate in the tensor, while the levels count it from its
/// superblock.
fn hicoo(tensor: &SparseTensor<Value>, rank: usize, bits: &[u32], supers: Option<&[u32]>) -> Value {
    let outer = supers.map_or(0, |_| rank);
    let pattern = tensor.pattern();
    let blocks = |axis: usize| {
        let inner = pattern.indices(outer + axis)?;
        let (Some(supers), Some(coordinates), Some(pointers)) = (supers, pattern.indices(axis), pattern.pointers(rank - 1)) else {
            return Some(list(inner));
        };
        let mut superblock = 0;
        let whole = |(block, inner): (usize, u64)| {
            while pointers.get(superblock + 1).is_some_and(|end| end as usize <= block) {
                superblock += 1;
            }
            coordinates.get(superblock).unwrap_or(0) << (supers[axis] - bits[axis]) | inner
        };
        Some(inner.iter().enumerate().map(whole).map(Value::from).collect())
    };
    let mut out = json!({
        "bptr": pointer(tensor, outer + rank - 1),
        "binds": (0..rank).map(|axis| blocks(axis).unwrap_or(json!([]))).collect::<Vec<_>>(),
        "einds": (0..rank).map(|axis| index(tensor, outer + rank + axis)).collect::<Vec<_>>(),
        "values": listed(tensor.values()),
    });
    if supers.is_some() {
        out["kptr"] = pointer(tensor, rank - 1);
    }
    out
}

/// Returns for each element, in the order of coordinates, the number of the part that stores it, from 0. Fails if the
/// coordinates of a part cannot be listed.
fn assignment(composite: &Composite<Value>) -> Result<Vec<usize>> {
    let mut all: Vec<(Vec<u64>, usize)> = Vec::new();
    for part in 0..composite.parts().len() {
        let (columns, _) = composite.elements(part)?;
        let length = columns.first().map_or(0, Indices::len);
        all.extend((0..length).map(|k| (columns.iter().filter_map(|column| column.get(k)).collect(), part)));
    }
    all.sort();
    Ok(all.into_iter().map(|(_, part)| part).collect())
}

/// Returns the index array of each level, which has one word of every key, the highest word first.
fn key_columns<'t>(tensor: &'t SparseTensor<'static, Value>) -> Vec<&'t Indices<'static>> {
    (0..tensor.shape().len()).filter_map(|level| tensor.pattern().indices(level)).collect()
}

fn masks(map: &AxisMap) -> Vec<Value> {
    (0..map.shape().len()).map(|axis| long_key::number(&map.mask(axis))).collect()
}

fn linearised(composite: &Composite<'static, Value>, partitions: Option<usize>) -> Result<Value> {
    let Part { map, tensor } = &composite.parts()[0];
    let columns = key_columns(tensor);
    let key = |k: usize| long_key::number(&columns.iter().filter_map(|column| column.get(k)).collect::<Vec<u64>>());
    let keys: Vec<Value> = (0..tensor.stored()).map(key).collect();
    let mut out = json!({"masks": masks(map), "keys": keys, "values": listed(tensor.values())});
    if let Some(count) = partitions {
        let (columns, _) = composite.elements(0)?;
        let cut = |p: usize| (p as u128 * tensor.stored() as u128 / count as u128) as usize;
        let interval = |p: usize| {
            let range = cut(p)..cut(p + 1);
            let of = |column: &Indices| {
                let numbers = || range.clone().filter_map(|k| column.get(k));
                json!([numbers().min(), numbers().max()])
            };
            if range.is_empty() { Value::Null } else { columns.iter().map(of).collect() }
        };
        out["ptr"] = (0..=count).map(cut).collect();
        out["intervals"] = (0..count).map(interval).collect();
    }
    Ok(out)
}

/// Answers `sparse.unblock`: the coordinates and values of a tensor, from the arrays of such a format.
pub fn unblock(
    (named, Parameter(parameters), Parameter(_), OfArrays { arrays }): (Named, Parameter<Parameters>, Parameter<Partitioned>, OfArrays),
) -> Result<Value> {
    let (scheme, shape) = (scheme(&named, &parameters)?, &named.shape);
    let composite = Composite::from_arrays(shape, &scheme, read(&scheme, shape, &arrays)?, json!(0))?;
    Ok(coordinates(&composite::list(&composite)?, Value::clone))
}

/// The arrays and the values of each part.
type PartArrays = Vec<(Arrays<'static>, Values<'static, Value>)>;

impl OfLevels {
    fn arrays(self) -> (Arrays<'static>, Values<'static, Value>) {
        let of = |arrays: Option<ByLevel>| arrays.map(|ByLevel(arrays)| arrays).unwrap_or_default();
        (Arrays { indices: of(self.indices), pointers: of(self.pointers) }, self.values.into())
    }
}

fn read(scheme: &Scheme, shape: &[u64], arrays: &Value) -> Result<PartArrays> {
    let rank = shape.len();
    Ok(match scheme {
        Scheme::Hicoo { bits, supers, .. } => vec![hicoo_arrays(value(arrays)?, rank, bits, supers.as_deref())?],
        Scheme::Blocks { .. } | Scheme::Levels(_) | Scheme::Gcxs { .. } | Scheme::Diagonals => vec![value::<OfLevels>(arrays)?.arrays()],
        Scheme::HbCsf { .. } => {
            let OfHbCsf { coo, csl, bcsf } = value(arrays)?;
            let coo_arrays = numbered(Arrays::new(), 0, lists("indices", &coo.indices, rank)?);
            let csl_arrays =
                Arrays::new().with_indices(0, Indices::narrowest(&csl.slices)).with_pointers(0, Indices::narrowest(&csl.pointers));
            let csl_arrays = numbered(csl_arrays, 1, lists("indices", &csl.indices, rank - 1)?);
            vec![(coo_arrays, coo.values.into()), (csl_arrays, csl.values.into()), bcsf.arrays()]
        }
        Scheme::MmCsf { .. } => value::<OfMmCsf>(arrays)?.parts.into_iter().map(OfLevels::arrays).collect(),
        Scheme::Linearised => {
            let map = AxisMap::linearised(shape)?;
            let given: OfAlto = value(arrays)?;
            if let Some(given) = given.masks.filter(|given| *given != json!(masks(&map))) {
                return Err(of_class("blocked/masks", format!("masks {given} are not {}, those of the shape", json!(masks(&map)))));
            }
            let words = map.extents().len();
            let mut columns = vec![Vec::new(); words];
            for (k, key) in given.keys.iter().enumerate() {
                let of = long_key::words(key, words)
                    .ok_or_else(|| of_class("blocked/range", format!("keys[{k}]: {key} is no key of the shape")))?;
                columns.iter_mut().zip(of).for_each(|(column, word)| column.push(word));
            }
            let columns = columns.iter().map(|column| Indices::narrowest(column)).collect();
            vec![(numbered(Arrays::new(), 0, columns), given.values.into())]
        }
    })
}

fn value<T: for<'de> Deserialize<'de>>(arrays: &Value) -> Result<T> {
    value_of(arrays, "arrays", "blocked")
}

/// Returns the lists under `key` as arrays. Refuses them unless there are `count`.
fn lists(key: &str, lists: &[Vec<u64>], count: usize) -> Result<Vec<Indices<'static>>> {
    if lists.len() != count {
        return Err(of_class("blocked/shape", format!("{key} is not a list of {}", many(count as i128, "list"))));
    }
    Ok(lists.iter().map(|list| Indices::narrowest(list)).collect())
}

/// Adds the lists as the indices of consecutive levels, of which the first is `first`.
fn numbered(arrays: Arrays<'static>, first: usize, lists: Vec<Indices<'static>>) -> Arrays<'static> {
    (first..).zip(lists).fold(arrays, |arrays, (level, indices)| arrays.with_indices(level, indices))
}

fn hicoo_arrays(given: OfHicoo, rank: usize, bits: &[u32], supers: Option<&[u32]>) -> Result<(Arrays<'static>, Values<'static, Value>)> {
    let (binds, einds) = (lists("binds", &given.binds, rank)?, lists("einds", &given.einds, rank)?);
    let mut arrays = Arrays::new();
    let mut blocks = binds;
    if let Some(supers) = supers {
        let pointers = Indices::narrowest(&given.kptr.ok_or_else(|| missing("blocked", "kptr"))?);
        for (axis, column) in blocks.iter_mut().enumerate() {
            let shift = supers[axis] - bits[axis];
            let (mut outer, mut inner) = (Vec::new(), Vec::with_capacity(column.len()));
            let of = |block: u64| column.get(usize::try_from(block).unwrap_or(usize::MAX)).map(|x| x >> shift);
            for superblock in 1..pointers.len() {
                let (start, end) = (pointers.get(superblock - 1).unwrap_or(0), pointers.get(superblock).unwrap_or(0));
                let first = of(start).unwrap_or(0);
                if let Some(block) = (start..end.min(column.len() as u64)).find(|block| of(*block) != Some(first)) {
                    let message = format!(
                        "binds[{axis}][{block}] is in superblock {}, but kptr puts blocks {start} to {} in superblock {first}",
                        of(block).unwrap_or(0),
                        end - 1
                    );
                    return Err(of_class("blocked/super", message));
                }
                outer.push(first);
            }
            inner.extend(column.iter().map(|x| x & ((1 << shift) - 1)));
            arrays = arrays.with_indices(axis, Indices::narrowest(&outer));
            *column = Indices::narrowest(&inner);
        }
        arrays = arrays.with_pointers(rank - 1, pointers);
    }
    let outer = supers.map_or(0, |_| rank);
    let arrays = numbered(numbered(arrays, outer, blocks), outer + rank, einds);
    Ok((arrays.with_pointers(outer + rank - 1, Indices::narrowest(&given.bptr)), given.values.into()))
}
