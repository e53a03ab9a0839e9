//! A move between placements: the devices of both meshes, and the tensor before and after, one colour per device.

use super::{Axis, CLASSES, Cell, Grid, Label, Look, MOST_CELLS, Picture, Rule, items, too_many};
use crate::placement::Move;
use crd2idx::placements::{Mesh, Placement, PlacementError};
use std::collections::BTreeSet;

/// The maximum extent of an axis that has a cell for each index. Longer axes have one for each range with the same devices.
const MOST_INDICES: i64 = 16;

/// The maximum number of devices whose numbers are in one cell.
const MOST_NAMES: usize = 4;

/// Draws `reshard MOVE`: the mesh, or both if they differ, and the tensor with the devices that have each element.
pub fn picture(request: Move) -> Result<Picture, String> {
    let say = |error: PlacementError| error.to_string();
    let [from, to] = request.words();
    let plan = request.plan().map_err(|refusal| refusal.message)?;
    let (source, target) = (plan.source(), plan.target());
    let devices = source.mesh().devices().max(target.mesh().devices());
    if devices > MOST_CELLS {
        return Err(too_many(devices));
    }
    let meshes = if source.mesh() == target.mesh() {
        vec![mesh("devices", source.mesh())]
    } else {
        vec![mesh("devices of the source", source.mesh()), mesh("devices of the target", target.mesh())]
    };
    let drawn = drawn([source, target]);
    let axes = drawn.iter().map(|axis| Cuts::new(*axis, [source, target])).collect::<Result<Vec<_>, _>>().map_err(say)?;
    let cells = axes.iter().map(Cuts::len).product::<usize>();
    if cells == 0 {
        return Err("there is no element to draw".into());
    }
    if cells > MOST_CELLS {
        return Err(too_many(cells));
    }
    let before = holders(source, &axes, (0..source.mesh().devices()).map(|device| (device, device))).map_err(say)?;
    let after = holders(target, &axes, plan.takers().iter().copied().enumerate()).map_err(say)?;
    let rest = match (source.shape().len(), &drawn[..]) {
        (rank, _) if rank <= 2 => String::new(),
        (rank, [first, second]) => format!("\naxes {first} and {second} of {rank}, at index 0 of the others"),
        _ => String::new(),
    };
    let mut tensors = items([grid(&format!("source: {from}{rest}"), &axes, &before), grid(&format!("target: {to}{rest}"), &axes, &after)]);
    let is_narrow = axes.last().is_none_or(|axis| axis.len() <= 16);
    let lines = match is_narrow {
        true => vec![items(meshes), tensors],
        false => vec![items(meshes), vec![tensors.remove(0)], tensors],
    };
    let title = format!("move from {from} to {to}");
    let description = format!(
        "The devices, and the tensor twice: each element with the devices that have it before and after the move, a colour for each device. \
         {} elements stay on their device and {} move.",
        plan.local(),
        plan.moved()
    );
    Picture { title, description, lines, arrows: Vec::new() }.checked()
}

/// Returns the devices of a mesh as a grid: the last axis across, the others down.
fn mesh(caption: &str, mesh: &Mesh) -> Grid {
    let columns = mesh.extent(mesh.rank().saturating_sub(1));
    let rows = mesh.devices() / columns;
    let named = |axis: Axis, name: String| {
        let mut axis = axis;
        if !name.is_empty() {
            axis.tiers.insert(0, vec![Label { span: axis.len, text: name }]);
        }
        axis
    };
    let outer: Vec<usize> = (0..mesh.rank().saturating_sub(1)).rev().map(|k| mesh.extent(k)).collect();
    let names = |axes: std::ops::Range<usize>| axes.filter_map(|k| mesh.name(k)).collect::<Vec<_>>().join(", ");
    let down = if mesh.rank() > 1 { Axis::of_leaves(&outer) } else { Axis::plain(1) };
    Grid {
        caption: caption.into(),
        rows: named(down, names(0..mesh.rank().saturating_sub(1))),
        columns: named(Axis::numbered(columns), names(mesh.rank().saturating_sub(1)..mesh.rank())),
        cells: (0..rows * columns).map(|device| Cell::of(device.to_string(), Some(device % CLASSES))).collect(),
        look: Look::Table,
    }
}

/// Returns the tensor axes to draw: the first two that are split, or else the first ones.
fn drawn(ends: [&Placement; 2]) -> Vec<usize> {
    let rank = ends[0].shape().len();
    let is_split = |axis: &usize| ends.iter().any(|end| end.splits().iter().any(|split| split.dim == *axis));
    let (split, whole): (Vec<usize>, Vec<usize>) = (0..rank).partition(is_split);
    let mut chosen: Vec<usize> = split.into_iter().chain(whole).take(2).collect();
    chosen.sort_unstable();
    chosen
}

/// The ranges of an axis on which the devices do not change.
struct Cuts {
    axis: usize,
    /// The first index of each range, and the extent.
    bounds: Vec<i64>,
}

impl Cuts {
    fn new(axis: usize, ends: [&Placement; 2]) -> Result<Cuts, PlacementError> {
        let extent = ends[0].shape()[axis];
        if extent <= MOST_INDICES {
            return Ok(Cuts { axis, bounds: (0..=extent).collect() });
        }
        let mut bounds = BTreeSet::from([0, extent]);
        for end in ends {
            for device in 0..end.mesh().devices() {
                bounds.extend(end.ranges(device)?[axis].iter().flatten());
            }
        }
        Ok(Cuts { axis, bounds: bounds.into_iter().collect() })
    }

    fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Returns the axis of a grid, with the indices as labels.
    fn axis(&self) -> Axis {
        let label = |ends: &[i64]| if ends[1] - ends[0] == 1 { ends[0].to_string() } else { format!("{}-{}", ends[0], ends[1] - 1) };
        Axis { len: self.len(), tiers: vec![self.bounds.windows(2).map(|ends| Label::one(label(ends))).collect()], rules: vec![] }
    }
}

/// Returns for each cell the devices that have it, by summand. `parts` has the number of each part and its device.
fn holders(end: &Placement, axes: &[Cuts], parts: impl Iterator<Item = (usize, usize)>) -> Result<Vec<String>, PlacementError> {
    let cells = axes.iter().map(Cuts::len).product::<usize>();
    let mut of = vec![vec![Vec::new(); end.summands()]; cells];
    let columns = axes.get(1).map_or(1, Cuts::len);
    for (part, device) in parts {
        let ranges = end.ranges(part)?;
        let has = |axis: usize, index: i64| ranges[axis].iter().any(|[start, stop]| (*start..*stop).contains(&index));
        let mut hidden = (0..ranges.len()).filter(|axis| axes.iter().all(|cuts| cuts.axis != *axis));
        if !hidden.all(|axis| has(axis, 0)) {
            continue;
        }
        let summand = end.summand(part)?;
        for (cell, holders) in of.iter_mut().enumerate() {
            let at = [cell / columns, cell % columns];
            if axes.iter().zip(at).all(|(cuts, k)| has(cuts.axis, cuts.bounds[k])) {
                holders[summand].push(device);
            }
        }
    }
    let named = |devices: &Vec<usize>| {
        let names = devices.iter().take(MOST_NAMES).map(usize::to_string).collect::<Vec<_>>().join(",");
        if devices.len() > MOST_NAMES { format!("{names},..") } else { names }
    };
    Ok(of.iter().map(|summands| summands.iter().map(named).collect::<Vec<_>>().join("+")).collect())
}

/// Returns the tensor as a grid: the first drawn axis down, the second across. Rules part ranges that other devices have.
fn grid(caption: &str, axes: &[Cuts], holders: &[String]) -> Grid {
    let across = |cuts: Option<&Cuts>| cuts.map_or(Axis::plain(1), Cuts::axis);
    let (rows, columns) = match axes {
        [one] => (Axis::plain(1), one.axis()),
        _ => (across(axes.first()), across(axes.get(1))),
    };
    let (height, width) = (rows.len, columns.len);
    let at = |row: usize, column: usize| &holders[row * width + column];
    let thick = |differs: bool| if differs { Rule::Thick } else { Rule::None };
    let first = |text: &String| text.split([',', '+']).next().and_then(|number| number.parse::<usize>().ok());
    Grid {
        caption: caption.into(),
        rows: rows.ruled(|k| thick((0..width).all(|column| at(k - 1, column) != at(k, column)))),
        columns: columns.ruled(|k| thick((0..height).all(|row| at(row, k - 1) != at(row, k)))),
        cells: holders.iter().map(|text| Cell::of(text.clone(), first(text).map(|device| device % CLASSES))).collect(),
        look: Look::Table,
    }
}
