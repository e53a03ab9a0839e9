//! The running maximum of an array: a loop, or three kernels of workgroups.

use super::super::Language::{Cuda, Hip, OpenCl, Wgsl};
use super::kernel::{Head, Threads, elementwise, ids, kernel};
use super::plan::Plan;
use super::words::{Access, Argument, Kind, Lines};
use crate::heap::*;

/// How many values a thread scans at a time.
const ITEMS: u32 = 4;

/// The arrays and the count.
pub(super) struct Scanned {
    pub values: Argument,
    pub totals: Argument,
    pub count: Argument,
}

impl Scanned {
    pub fn new(plan: &Plan<'_>) -> Scanned {
        Scanned {
            values: plan.array("parents", Access::Write),
            totals: plan.array("totals", Access::Write),
            count: Argument { name: "count".into(), kind: Kind::Number },
        }
    }
}

/// The kernels, and what they share.
pub(super) fn kernels(plan: &Plan<'_>) -> Vec<String> {
    let scanned = Scanned::new(plan);
    if !plan.words.is_parallel() {
        return vec![in_a_loop(plan, &scanned)];
    }
    let mut out = Vec::new();
    if plan.words.language == Wgsl {
        out.push(format!("var<workgroup> {}: array<u32, {}>;\n", running(plan), plan.workgroup));
    }
    out.extend([of_tiles(plan, &scanned), of_totals(plan, &scanned), of_carries(plan, &scanned)]);
    out
}

fn running(plan: &Plan<'_>) -> String {
    plan.words.array(&plan.function, "running")
}

fn in_a_loop(plan: &Plan<'_>, scanned: &Scanned) -> String {
    let words = &plan.words;
    let mut lines = Lines::body();
    lines.push(words.variable("most", "0"));
    lines.open(words.each("k", "0", "count", "1"));
    let value = words.element(&scanned.values.name, "k");
    lines.open(words.when(&format!("most < {value}")));
    lines.push(format!("most = {value};"));
    lines.close();
    lines.push(format!("{value} = most;"));
    lines.close();
    let head = Head {
        comment: "The running maximum: the row of every place, where parents has the numbers of rows at their first places and else 0",
        name: format!("{}_scan", plan.function),
        threads: Threads::Grid,
    };
    kernel(plan, &head, &[scanned.values.clone(), scanned.count.clone()], lines)
}

/// How many values a workgroup scans at a time.
fn tile(plan: &Plan<'_>) -> u32 {
    plan.workgroup * ITEMS
}

/// The array that the threads of a group share.
fn shared(plan: &Plan<'_>, lines: &mut Lines) {
    let space = match plan.words.language {
        OpenCl => "__local",
        Cuda | Hip => "__shared__",
        _ => return,
    };
    lines.push(format!("{space} {} {}[{}];", plan.words.ty(), running(plan), plan.workgroup));
}

fn barrier(plan: &Plan<'_>) -> &'static str {
    match plan.words.language {
        OpenCl => "barrier(CLK_LOCAL_MEM_FENCE);",
        Wgsl => "workgroupBarrier();",
        _ => "__syncthreads();",
    }
}

/// Scans the tile that begins at `begin`: values of `array` below `count`; the first thread goes on from `carry`.
fn scan_tile(plan: &Plan<'_>, lines: &mut Lines, array: &str, begin: &str, count: &str, carry: Option<&str>) {
    let (words, running, barrier) = (&plan.words, running(plan), barrier(plan));
    lines.push(words.constant("first", &format!("{begin} + lane * {ITEMS}")));
    lines.push(words.variable("last", &format!("first + {ITEMS}")));
    lines.open(words.when(&format!("last > {count}")));
    lines.push(format!("last = {count};"));
    lines.close();
    lines.push(words.variable("most", "0"));
    if let Some(carry) = carry {
        lines.open(words.when("lane == 0"));
        lines.push(format!("most = {carry};"));
        lines.close();
    }
    lines.open(words.each("k", "first", "last", "1"));
    lines.open(words.when(&format!("most < {array}[k]")));
    lines.push(format!("most = {array}[k];"));
    lines.close();
    lines.push(format!("{array}[k] = most;"));
    lines.close();
    lines.push(format!("{running}[lane] = most;"));
    lines.push(barrier);
    lines.open(words.each("step", "1", &format!("{}", plan.workgroup), "step"));
    lines.push(words.variable("before", "0"));
    lines.open(words.when("lane >= step"));
    lines.push(format!("before = {running}[lane - step];"));
    lines.close();
    lines.push(barrier);
    lines.open(words.when(&format!("{running}[lane] < before")));
    lines.push(format!("{running}[lane] = before;"));
    lines.close();
    lines.push(barrier);
    lines.close();
    lines.open(words.when("lane > 0"));
    lines.push(words.constant("before", &format!("{running}[lane - 1]")));
    lines.open(words.each("k", "first", "last", "1"));
    lines.open(words.when(&format!("{array}[k] < before")));
    lines.push(format!("{array}[k] = before;"));
    lines.close();
    lines.close();
    lines.close();
}

fn tiles(plan: &Plan<'_>) -> String {
    let tile = tile(plan);
    format!("count / {tile} + ((count % {tile}) + {}) / {tile}", tile - 1)
}

/// Every tile for itself.
fn of_tiles(plan: &Plan<'_>, scanned: &Scanned) -> String {
    let (words, ids, group) = (&plan.words, ids(plan.words.language), plan.workgroup);
    let mut lines = Lines::body();
    shared(plan, &mut lines);
    lines.push(words.constant("lane", ids.lane));
    lines.push(words.constant("tiles", &tiles(plan)));
    lines.open(words.each("tile", ids.group, "tiles", ids.groups));
    scan_tile(plan, &mut lines, &scanned.values.name, &format!("tile * {}", tile(plan)), "count", None);
    lines.open(words.when(&format!("lane == {}", group - 1)));
    lines.push(format!("{}[tile] = {}[lane];", scanned.totals.name, running(plan)));
    lines.close();
    lines.push(barrier(plan));
    lines.close();
    let head = Head {
        comment: &format!("The running maximum in each tile of {} places, and the last of it; workgroups of {group} threads", tile(plan)),
        name: format!("{}_scan", plan.function),
        threads: Threads::Groups,
    };
    kernel(plan, &head, &[scanned.values.clone(), scanned.totals.clone(), scanned.count.clone()], lines)
}

/// The last values of all tiles, by one workgroup.
fn of_totals(plan: &Plan<'_>, scanned: &Scanned) -> String {
    let (words, ids, group) = (&plan.words, ids(plan.words.language), plan.workgroup);
    let mut lines = Lines::body();
    shared(plan, &mut lines);
    lines.push(words.constant("lane", ids.lane));
    lines.push(words.constant("tiles", &tiles(plan)));
    lines.push(words.variable("carry", "0"));
    lines.open(words.each("tile", "0", "tiles", &format!("{}", tile(plan))));
    scan_tile(plan, &mut lines, &scanned.totals.name, "tile", "tiles", Some("carry"));
    lines.push(format!("carry = {}[{}];", running(plan), group - 1));
    lines.push(barrier(plan));
    lines.close();
    let head = Head {
        comment: &format!("The running maximum of the totals; one workgroup of {group} threads"),
        name: format!("{}_scan_totals", plan.function),
        threads: Threads::Groups,
    };
    kernel(plan, &head, &[scanned.totals.clone(), scanned.count.clone()], lines)
}

/// What the tiles before each one come to.
fn of_carries(plan: &Plan<'_>, scanned: &Scanned) -> String {
    let words = &plan.words;
    let totals = Argument { kind: Kind::Array(words.ty(), Access::Read), ..scanned.totals.clone() };
    let head = Head { comment: "The running maximum of all places", name: format!("{}_scan_carry", plan.function), threads: Threads::Grid };
    let arguments = [scanned.values.clone(), totals, scanned.count.clone()];
    elementwise(plan, &head, &arguments, ("k", "count"), |lines| {
        lines.push(words.constant("tile", &format!("k / {}", tile(plan))));
        lines.open(words.when("tile > 0"));
        lines.push(words.constant("before", &format!("{}[tile - 1]", scanned.totals.name)));
        lines.open(words.when(&format!("{}[k] < before", scanned.values.name)));
        lines.push(format!("{}[k] = before;", scanned.values.name));
        lines.close();
        lines.close();
    })
}
