//! Explains a move between two placements, device by device.

use super::page::{Account, many};
use crate::answer;
use crate::placement::asked;
use clap::Args;
use crd2idx::placements::{Mesh, Placement, ReduceOp, Reshard};
use std::collections::BTreeMap;

type Result<T> = std::result::Result<T, String>;

/// The maximum number of devices that are explained, and of names in one list.
const MOST: usize = 12;

/// The arguments of `crd2idx explain reshard`.
#[derive(Args)]
pub struct Ask {
    /// The move in JSON, as the request `reshard` of `crd2idx batch` takes it, or a file with it.
    #[arg(value_name = "MOVE")]
    request: String,
    /// The name of the tensor.
    #[arg(long, default_value = "the tensor")]
    name: String,
    /// Explain only the device of this number.
    #[arg(long, value_name = "N")]
    device: Option<usize>,
    /// Print JSON: the steps, and the statements in them.
    #[arg(long)]
    json: bool,
}

/// Returns the text to print, or the message of a failure.
pub fn run(ask: &Ask) -> Result<String> {
    let request = asked(&ask.request)?;
    let [from, to] = request.words();
    let plan = request.plan().map_err(|refusal| refusal.message)?;
    let account = account(ask, &plan)?;
    Ok(if ask.json { answer::text(account.json()) } else { format!("from {from} to {to}\n{}", account.text()) })
}

fn account(ask: &Ask, plan: &Reshard) -> Result<Account> {
    let mut account = Account::default();
    let (source, target) = (plan.source(), plan.target());
    let extents = source.shape().iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    account.say(0, format!("{} has the extents ({extents})", ask.name))?;
    for (end, placement) in [("source", source), ("target", target)] {
        account.say(0, format!("the {end}: {}", described(placement)))?;
    }
    let (local, moved) = (plan.local(), plan.moved());
    let all = local + moved;
    let stays = match (local, moved) {
        (0, 0) => "none is needed".into(),
        (_, 0) => "all stay on their device".into(),
        (0, _) => "all move".into(),
        _ => format!("{} stay on their device, the others move", percent(local, all)),
    };
    account.say(0, format!("`{local} + {moved} = {all}` elements: {stays}"))?;
    let mut shares = BTreeMap::<usize, BTreeMap<usize, i64>>::new();
    for transfer in plan.transfers().map_err(|error| error.to_string())? {
        *shares.entry(transfer.to).or_default().entry(transfer.from).or_default() += transfer.elements();
    }
    let mut devices: Vec<(usize, usize)> = plan.takers().iter().copied().enumerate().map(|(part, device)| (device, part)).collect();
    devices.sort_unstable();
    if let Some(device) = ask.device {
        devices.retain(|(number, _)| *number == device);
        if devices.is_empty() {
            return Err(format!(
                "--device: device {device} gets no part; the target has {}",
                many(target.mesh().devices() as i128, "device")
            ));
        }
    }
    let names = Names { first_axes: [source, target].map(|end| end.mesh().name(0)), meshes: [source.mesh(), target.mesh()] };
    for (device, part) in devices.iter().take(MOST) {
        let needed = needed(target, *part)?;
        let text = match shares.get(device) {
            None => format!("{} needs nothing", names.target(*device)),
            Some(shares) => {
                let (own, others): (Vec<_>, Vec<_>) = shares.iter().partition(|(from, _)| *from == device);
                let own = own.first().map_or(0, |(_, count)| **count);
                let others: Vec<(usize, i64)> = others.into_iter().map(|(from, count)| (*from, *count)).collect();
                let verb = verb(source);
                format!("{} {verb} {needed} of {}: {}", names.target(*device), ask.name, origin(own, &others, &names))
            }
        };
        account.say(0, text)?;
    }
    if devices.len() > MOST {
        account.say(0, format!("... and {} (--device N explains one)", many((devices.len() - MOST) as i128, "more device")))?;
    }
    Ok(account)
}

/// Returns the verb for elements that a device needs: it combines partial results, if there are any.
fn verb(source: &Placement) -> String {
    let count = source.summands();
    match source.reduction() {
        None => "needs".into(),
        Some(ReduceOp::Sum | ReduceOp::Mean) => format!("adds {count} summands of"),
        Some(ReduceOp::Min) => format!("takes the least of {count} values of"),
        Some(ReduceOp::Max) => format!("takes the greatest of {count} values of"),
    }
}

/// Returns the splits of a placement, its copies and its partial results.
fn described(placement: &Placement) -> String {
    let splits = placement.splits().iter().map(|split| format!("axis {} along {} ({})", split.dim, split.axis, split.rule));
    let mesh = placement.mesh();
    let copies =
        (0..mesh.rank()).filter(|k| placement.is_replicated(*k)).filter_map(|k| mesh.name(k)).map(|axis| format!("copies along {axis}"));
    let partial = placement.partial_axes().map(|axis| format!("partial results along {axis}"));
    let list: Vec<String> = splits.chain(copies).chain(partial).collect();
    if list.is_empty() { "one device has everything".into() } else { list.join(", ") }
}

/// Returns the elements of a part in words, as in `rows 0 to 3 and columns 2 to 5`.
fn needed(target: &Placement, part: usize) -> Result<String> {
    let ranges = target.ranges(part).map_err(|error| error.to_string())?;
    let rank = target.shape().len();
    let mut axes = Vec::new();
    for (axis, (list, extent)) in ranges.iter().zip(target.shape()).enumerate() {
        if list[..] == [[0, *extent]] {
            continue;
        }
        let one = |[start, stop]: &[i64; 2]| if stop - start == 1 { start.to_string() } else { format!("{start} to {}", stop - 1) };
        let mut numbers: Vec<String> = list.iter().take(4).map(one).collect();
        if list.len() > 4 {
            numbers.push(format!("{} more", many((list.len() - 4) as i128, "range")));
        }
        let is_one = matches!(list[..], [[start, stop]] if stop - start == 1);
        axes.push(match (rank, axis, is_one) {
            (2, 0, true) => format!("row {}", numbers[0]),
            (2, 1, true) => format!("column {}", numbers[0]),
            (2, 0, false) => format!("rows {}", listed(&numbers)),
            (2, _, false) => format!("columns {}", listed(&numbers)),
            (1, _, _) => format!("{} {}", if is_one { "element" } else { "elements" }, listed(&numbers)),
            _ => format!("{} {} of axis {axis}", if is_one { "index" } else { "indices" }, listed(&numbers)),
        });
    }
    Ok(if axes.is_empty() { "all elements".into() } else { axes.join(" and ") })
}

/// Returns the devices that have elements, with their shares.
fn origin(own: i64, others: &[(usize, i64)], names: &Names) -> String {
    let all = own + others.iter().map(|(_, count)| count).sum::<i64>();
    let devices: Vec<usize> = others.iter().map(|(device, _)| *device).collect();
    match (own, others) {
        (_, []) => "all from its own part".into(),
        (0, [(device, _)]) => format!("all from {}", names.sources(&[*device])),
        (0, _) if others.len() <= 4 => listed(
            &others
                .iter()
                .map(|(device, count)| format!("{} from {}", percent(*count, all), names.sources(&[*device])))
                .collect::<Vec<_>>(),
        ),
        (0, _) => format!("from {}", names.sources(&devices)),
        _ => format!("{} from its own part, the rest from {}", percent(own, all), names.sources(&devices)),
    }
}

/// The names of devices: by their only mesh axis if both meshes have one of the same name, or else by number and coordinates.
struct Names<'p> {
    first_axes: [Option<&'p str>; 2],
    meshes: [&'p Mesh; 2],
}

impl Names<'_> {
    /// Returns the axis of both meshes, if that is their only one.
    fn axis(&self) -> Option<&str> {
        let [source, target] = self.first_axes;
        source.filter(|_| source == target && self.meshes.iter().all(|mesh| mesh.rank() == 1))
    }

    /// Returns the name of a device that gets elements.
    fn target(&self, device: usize) -> String {
        self.axis().map_or_else(|| self.one(device, self.meshes[1]), |axis| format!("{axis} rank {device}"))
    }

    /// Returns the names of devices that have elements.
    fn sources(&self, devices: &[usize]) -> String {
        let Some(axis) = self.axis() else {
            return shortened(devices, |device| self.one(device, self.meshes[0]));
        };
        format!("{axis} {} {}", if devices.len() == 1 { "rank" } else { "ranks" }, shortened(devices, |device| device.to_string()))
    }

    /// Returns the number of a device, and its coordinates on a mesh that has it.
    fn one(&self, device: usize, mesh: &Mesh) -> String {
        let coordinates = (0..mesh.rank()).filter_map(|k| Some(format!("{} {}", mesh.name(k)?, mesh.coordinate(device, k))));
        match device < mesh.devices() && mesh.rank() > 0 {
            true => format!("device {device} ({})", coordinates.collect::<Vec<_>>().join(", ")),
            false => format!("device {device}"),
        }
    }
}

/// Returns a list of at most [`MOST`] names.
fn shortened(devices: &[usize], name: impl Fn(usize) -> String) -> String {
    let mut names: Vec<String> = devices.iter().take(MOST).map(|device| name(*device)).collect();
    if devices.len() > MOST {
        names.push(format!("{} more", devices.len() - MOST));
    }
    listed(&names)
}

/// Returns a list in words: `a`, `a and b`, `a, b and c`.
fn listed(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns a share in percent. Only the whole is 100 %, and only nothing is 0 %.
fn percent(part: i64, all: i64) -> String {
    if part == all || part == 0 {
        return if part == 0 { "0 %".into() } else { "100 %".into() };
    }
    match part as f64 * 100.0 / all as f64 {
        share if share < 1.0 => "under 1 %".into(),
        share if share > 99.0 => "over 99 %".into(),
        share => format!("{share:.0} %"),
    }
}
