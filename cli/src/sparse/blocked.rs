//! Blocked, hybrid and linearised formats: coordinates to arrays, under the names that papers give these, and back.

use super::levels::{MOST_NUMBERS, listed, summed};
use super::request::{Fields, list, object};
use super::wide;
use crate::answer::{Keys, Refusal, Result};
use crd2idx::sparse::{Arrays, AxisMap, BlockOrder, Composite, Format, Indices, LevelKind, Part, Scheme, SparseTensor, Values};
use serde_json::{Value, json};

/// The keys of the parameters of blocked formats.
pub const PARAMETERS: &[&str] = &["bits", "super_bits", "order", "block", "axis_order", "structure", "max_fiber", "orders"];

/// The keys of the arrays of blocked formats.
const ARRAYS: &[&str] = &[
    "bptr",
    "kptr",
    "binds",
    "einds",
    "values",
    "grid",
    "indices",
    "pointers",
    "coo",
    "csl",
    "bcsf",
    "assignment",
    "parts",
    "masks",
    "keys",
    "ptr",
    "intervals",
];

/// The scheme of a name and its parameters, for a tensor of so many axes; what is no blocked format is the name of levels.
pub fn scheme(name: &str, parameters: &Fields, rank: usize) -> Result<Scheme> {
    let wrong = |refusal: Refusal| refusal.of_class("blocked/parameter");
    Ok(match name {
        "hicoo" => {
            let order = match parameters.get("order").map(Value::as_str) {
                None | Some(Some("morton")) => BlockOrder::Morton,
                Some(Some("lex")) => BlockOrder::Lexicographic,
                Some(_) => return Err(parameters.refuse("parameter", "order is neither `morton` nor `lex`")),
            };
            let bits = bits(parameters, "bits", rank)?.ok_or_else(|| parameters.refuse("parameter", "the key `bits` is missing"))?;
            Scheme::Hicoo { bits, supers: bits_of_supers(parameters, rank)?, order }
        }
        "bcsr" => {
            let edges = parameters.numbers("block").map_err(wrong)?;
            let axes = parameters.axis_order(rank).map_err(wrong)?;
            let kinds = match parameters.get("structure") {
                None => (0..rank).map(|k| if k == 0 && rank > 1 { LevelKind::Pointers } else { LevelKind::Indices }).collect(),
                Some(structure) => {
                    let tokens = structure.as_array().map(Vec::as_slice).unwrap_or_default();
                    let kinds = tokens.iter().map(|token| token.as_str().and_then(LevelKind::from_token)).collect::<Option<Vec<_>>>();
                    kinds
                        .filter(|kinds| kinds.len() == rank)
                        .ok_or_else(|| parameters.refuse("parameter", format!("structure: {structure} is not a level for each axis")))?
                }
            };
            Scheme::Blocks { edges, grid: Format::new(&kinds, &axes).map_err(|error| wrong(error.into()))? }
        }
        "hbcsf" => Scheme::HbCsf {
            axis_order: parameters.axis_order(rank).map_err(wrong)?,
            max_fiber: parameters.count("max_fiber").map_err(wrong)?,
        },
        "mmcsf" => {
            let orders = parameters.get("orders").map(|orders| {
                let all = orders.as_array().ok_or_else(|| parameters.refuse("parameter", "orders is not a list"))?;
                let order = |axes: &Value| {
                    let axes = parameters.whole_list(axes, "orders").map_err(wrong)?;
                    Ok(axes.into_iter().map(|axis| usize::try_from(axis).unwrap_or(usize::MAX)).collect())
                };
                all.iter().map(order).collect::<Result<Vec<_>>>()
            });
            Scheme::MmCsf { orders: orders.transpose()? }
        }
        "alto" => Scheme::Linearised,
        "dia" => Scheme::Diagonals,
        name => Scheme::Levels(Format::parse_with_rank(name, rank)?),
    })
}

fn bits_of_supers(parameters: &Fields, rank: usize) -> Result<Option<Vec<u32>>> {
    bits(parameters, "super_bits", rank)
}

/// Numbers of bits: one for all axes, or a list.
fn bits(parameters: &Fields, key: &str, rank: usize) -> Result<Option<Vec<u32>>> {
    let wrong = |refusal: Refusal| refusal.of_class("blocked/parameter");
    let numbers = match parameters.get(key) {
        None => return Ok(None),
        Some(Value::Array(_)) => parameters.numbers(key).map_err(wrong)?,
        Some(_) => vec![parameters.number(key).map_err(wrong)?.unwrap_or(0); rank],
    };
    Ok(Some(numbers.into_iter().map(|bits| u32::try_from(bits).unwrap_or(u32::MAX)).collect()))
}

/// The scheme of a request, and the extents.
fn asked(fields: &Fields) -> Result<(Scheme, Vec<u64>)> {
    let shape = fields.numbers("shape")?;
    let name = fields.need("format")?.as_str().unwrap_or_default();
    if !["hicoo", "bcsr", "hbcsf", "mmcsf", "alto", "dia"].contains(&name) {
        return Err(fields.refuse("parameter", format!("`{name}` is none of the formats hicoo, bcsr, hbcsf, mmcsf, alto, dia")));
    }
    let scheme = scheme(name, fields, shape.len())?;
    // Parameters are looked at before elements are.
    scheme.chains(&shape)?;
    Ok((scheme, shape))
}

/// `sparse.blocked`.
pub fn blocked(request: &Value) -> Result<Value> {
    let fields = Fields::new(request, "blocked");
    let (scheme, shape) = asked(&fields)?;
    let partitions = fields.count("partitions").map_err(|refusal| refusal.of_class("blocked/parameter"))?;
    if let Some(count) = partitions.filter(|count| *count == 0 || *count > MOST_NUMBERS) {
        return Err(fields.refuse("parameter", format!("partitions: {count} is not between 1 and {MOST_NUMBERS}")));
    }
    let tensor = summed(&Fields::new(request, "input")).map_err(|refusal| refusal.of_family("input"))?;
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
        Scheme::Levels(_) | Scheme::Diagonals => levels(parts[0]),
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

/// The arrays of the levels, and the values.
fn levels(tensor: &SparseTensor<Value>) -> Value {
    let arrays = tensor.pattern().arrays();
    json!({"indices": object(&arrays.indices), "pointers": object(&arrays.pointers), "values": listed(tensor.values())})
}

/// Coordinates of blocks are those in the tensor, and superblocks have those of their first block.
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

/// The part of each element, in the order of coordinates.
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

/// The columns of the words of keys.
fn key_columns<'t>(tensor: &'t SparseTensor<'static, Value>) -> Vec<&'t Indices<'static>> {
    (0..tensor.shape().len()).filter_map(|level| tensor.pattern().indices(level)).collect()
}

fn masks(map: &AxisMap) -> Vec<Value> {
    (0..map.shape().len()).map(|axis| wide::number(&map.mask(axis))).collect()
}

fn linearised(composite: &Composite<'static, Value>, partitions: Option<usize>) -> Result<Value> {
    let Part { map, tensor } = &composite.parts()[0];
    let columns = key_columns(tensor);
    let key = |k: usize| wide::number(&columns.iter().filter_map(|column| column.get(k)).collect::<Vec<u64>>());
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

/// `sparse.unblock`.
pub fn unblock(request: &Value) -> Result<Value> {
    let fields = Fields::new(request, "blocked");
    let (scheme, shape) = asked(&fields)?;
    let arrays = read(&scheme, &shape, fields.need("arrays")?)?;
    let composite = Composite::from_arrays(&shape, &scheme, arrays, json!(0))?;
    if composite.stored() > MOST_NUMBERS {
        return Err(fields.refuse("overflow", format!("{} values are too many to list", composite.stored())));
    }
    let tensor = composite.to_tensor(&Format::coo(shape.len()))?;
    Ok(coordinates(&tensor))
}

/// The coordinates and the values of the elements, in storage order.
pub fn coordinates(tensor: &SparseTensor<Value>) -> Value {
    let (mut coords, mut values) = (Vec::with_capacity(tensor.stored()), Vec::with_capacity(tensor.stored()));
    tensor.for_each(|coordinate, value| {
        coords.push(json!(coordinate));
        values.extend(value.cloned());
    });
    json!({"coords": coords, "values": values})
}

/// The keys of the arrays of levels.
const LEVELS: &[&str] = &["indices", "pointers", "values"];

/// Returns the fields of an object; refuses keys other than `keys`.
fn only<'r>(value: &'r Value, keys: Keys) -> Result<Fields<'r>> {
    let fields = Fields::new(value, "blocked");
    fields.only(keys).map(|()| fields)
}

/// The arrays of each part.
type PartArrays = Vec<(Arrays<'static>, Values<'static, Value>)>;

fn read(scheme: &Scheme, shape: &[u64], arrays: &Value) -> Result<PartArrays> {
    let (fields, rank) = (Fields::new(arrays, "blocked"), shape.len());
    fields.only(&[ARRAYS])?;
    let of_levels = |fields: &Fields| Ok::<_, Refusal>((fields.arrays()?, Values::from(fields.values()?)));
    let part = |key: &str, keys| only(fields.need(key)?, keys);
    Ok(match scheme {
        Scheme::Hicoo { bits, supers, .. } => vec![read_hicoo(&fields, rank, bits, supers.as_deref())?],
        Scheme::Blocks { .. } | Scheme::Levels(_) | Scheme::Diagonals => vec![of_levels(&fields)?],
        Scheme::HbCsf { .. } => {
            let (coo, csl) = (part("coo", &[&["indices", "values"]])?, part("csl", &[&["slices", "pointers", "indices", "values"]])?);
            let coo_arrays = numbered(Arrays::new(), 0, coo.lists("indices", rank)?);
            let csl_arrays = Arrays::new().with_indices(0, csl.array("slices")?).with_pointers(0, csl.array("pointers")?);
            let csl_arrays = numbered(csl_arrays, 1, csl.lists("indices", rank - 1)?);
            vec![(coo_arrays, coo.values()?.into()), (csl_arrays, csl.values()?.into()), of_levels(&part("bcsf", &[LEVELS])?)?]
        }
        Scheme::MmCsf { .. } => {
            let parts = fields.need("parts")?.as_array().ok_or_else(|| fields.refuse("type", "parts is not a list"))?;
            parts.iter().map(|part| of_levels(&only(part, &[&["order"], LEVELS])?)).collect::<Result<_>>()?
        }
        Scheme::Linearised => {
            let map = AxisMap::linearised(shape)?;
            if let Some(given) = fields.get("masks")
                && *given != json!(masks(&map))
            {
                return Err(fields.refuse("masks", format!("masks {given} are not {}, those of the shape", json!(masks(&map)))));
            }
            let words = map.extents().len();
            let mut columns = vec![Vec::new(); words];
            let keys = fields.need("keys")?.as_array().ok_or_else(|| fields.refuse("type", "keys is not a list"))?;
            for (k, key) in keys.iter().enumerate() {
                let of =
                    wide::words(key, words).ok_or_else(|| fields.refuse("range", format!("keys[{k}]: {key} is no key of the shape")))?;
                columns.iter_mut().zip(of).for_each(|(column, word)| column.push(word));
            }
            let columns = columns.iter().map(|column| Indices::narrowest(column)).collect();
            vec![(numbered(Arrays::new(), 0, columns), fields.values()?.into())]
        }
    })
}

/// With the indices of levels from `first` on.
fn numbered(arrays: Arrays<'static>, first: usize, lists: Vec<Indices<'static>>) -> Arrays<'static> {
    (first..).zip(lists).fold(arrays, |arrays, (level, indices)| arrays.with_indices(level, indices))
}

fn read_hicoo(fields: &Fields, rank: usize, bits: &[u32], supers: Option<&[u32]>) -> Result<(Arrays<'static>, Values<'static, Value>)> {
    let (binds, einds) = (fields.lists("binds", rank)?, fields.lists("einds", rank)?);
    let mut arrays = Arrays::new();
    let mut blocks = binds;
    if let Some(supers) = supers {
        let pointers = fields.array("kptr")?;
        for (axis, column) in blocks.iter_mut().enumerate() {
            let shift = supers[axis] - bits[axis];
            let (mut outer, mut inner) = (Vec::new(), Vec::with_capacity(column.len()));
            let of = |block: u64| column.get(usize::try_from(block).unwrap_or(usize::MAX)).map(|x| x >> shift);
            for superblock in 1..pointers.len() {
                let (start, end) = (pointers.get(superblock - 1).unwrap_or(0), pointers.get(superblock).unwrap_or(0));
                let first = of(start).unwrap_or(0);
                if let Some(block) = (start..end.min(column.len() as u64)).find(|block| of(*block) != Some(first)) {
                    return Err(fields.refuse("super", format!("binds[{axis}][{block}] is in another superblock than block {start}")));
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
    Ok((arrays.with_pointers(outer + rank - 1, fields.array("bptr")?), fields.values()?.into()))
}
