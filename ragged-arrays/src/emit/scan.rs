//! Prints the running maximum of an array: a loop, or three kernels of workgroups.

use super::plan::Plan;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use coordinate_graph::program::Language::{Cuda, Hip, OpenCl, Wgsl};
use coordinate_graph::program::kernel::{Argument, ArgumentKind, ArrayAccess, Head, KernelLines, KernelThreads};

/// The number of values that a thread scans at a time.
const ITEMS: u32 = 4;

/// The arguments of the scan: the values, the last value of each tile (`totals`), and the number of values.
pub(super) struct Scanned {
    pub values: Argument,
    pub totals: Argument,
    pub count: Argument,
}

impl Scanned {
    pub fn new(plan: &Plan<'_>) -> Scanned {
        Scanned {
            values: plan.array("parents", ArrayAccess::Write),
            totals: plan.array("totals", ArrayAccess::Write),
            count: Argument::number("count"),
        }
    }
}

/// Returns the texts of the kernels and, in WGSL, of the array that their threads share.
pub(super) fn kernels(plan: &Plan<'_>) -> Vec<String> {
    let scanned = Scanned::new(plan);
    if !plan.context.dialect.is_parallel() {
        return vec![in_a_loop(plan, &scanned)];
    }
    let mut out = Vec::new();
    if plan.context.dialect.language == Wgsl {
        out.push(format!("var<workgroup> {}: array<u32, {}>;\n", running(plan), plan.context.workgroup));
    }
    out.extend([of_tiles(plan, &scanned), of_totals(plan, &scanned), of_carries(plan, &scanned)]);
    out
}

fn running(plan: &Plan<'_>) -> String {
    plan.context.array_name("running")
}

fn in_a_loop(plan: &Plan<'_>, scanned: &Scanned) -> String {
    let dialect = &plan.context.dialect;
    let mut lines = KernelLines::body();
    let value = dialect.element(&scanned.values.name, "k");
    lines.write(
        dialect,
        &format!(
            "var most = 0
            for k in 0..count {{
                if most < {value} {{ most = {value} }}
                {value} = most
            }}"
        ),
    );
    let head = Head {
        comment: "The running maximum: the row of every place, where parents has the numbers of rows at their first places and else 0",
        name: format!("{}_scan", plan.context.function),
        threads: KernelThreads::Grid,
    };
    plan.context.kernel(&head, &[scanned.values.clone(), scanned.count.clone()], lines)
}

/// Returns the number of values that a workgroup scans at a time.
fn tile(plan: &Plan<'_>) -> u32 {
    plan.context.workgroup * ITEMS
}

/// Prints the declaration of the array that the threads of a workgroup share. In WGSL it stands outside the kernel.
fn shared(plan: &Plan<'_>, lines: &mut KernelLines) {
    let space = match plan.context.dialect.language {
        OpenCl => "__local",
        Cuda | Hip => "__shared__",
        _ => return,
    };
    lines.push(format!("{space} {} {}[{}];", plan.context.dialect.ty(), running(plan), plan.context.workgroup));
}

fn barrier(plan: &Plan<'_>) -> &'static str {
    match plan.context.dialect.language {
        OpenCl => "barrier(CLK_LOCAL_MEM_FENCE)",
        Wgsl => "workgroupBarrier()",
        _ => "__syncthreads()",
    }
}

/// Prints the scan of the tile that begins at `begin`: values of `array` below `count`. The first thread continues
/// from `carry`.
fn scan_tile(plan: &Plan<'_>, lines: &mut KernelLines, array: &str, begin: &str, count: &str, carry: Option<&str>) {
    let (dialect, running, barrier) = (&plan.context.dialect, running(plan), barrier(plan));
    let carry = carry.map_or(String::new(), |carry| format!("if lane == 0 {{ most = {carry} }}"));
    lines.write(
        dialect,
        &format!(
            "let first = {begin} + lane * {ITEMS}
            var last = first + {ITEMS}
            if last > {count} {{ last = {count} }}
            var most = 0
            {carry}
            for k in first..last {{
                if most < {array}[k] {{ most = {array}[k] }}
                {array}[k] = most
            }}
            {running}[lane] = most
            {barrier}
            for step in 1..{} by step {{
                var before = 0
                if lane >= step {{ before = {running}[lane - step] }}
                {barrier}
                if {running}[lane] < before {{ {running}[lane] = before }}
                {barrier}
            }}
            if lane > 0 {{
                let before = {running}[lane - 1]
                for k in first..last {{
                    if {array}[k] < before {{ {array}[k] = before }}
                }}
            }}",
            plan.context.workgroup
        ),
    );
}

fn tiles(plan: &Plan<'_>) -> String {
    let tile = tile(plan);
    format!("count / {tile} + ((count % {tile}) + {}) / {tile}", tile - 1)
}

/// Prints the kernel that scans every tile alone.
fn of_tiles(plan: &Plan<'_>, scanned: &Scanned) -> String {
    let (dialect, ids, group) = (&plan.context.dialect, plan.context.dialect.ids(), plan.context.workgroup);
    let mut lines = KernelLines::body();
    shared(plan, &mut lines);
    lines.write(
        dialect,
        &format!("let lane = {}\nlet tiles = {}\nfor tile in {}..tiles by {} {{", ids.lane, tiles(plan), ids.group, ids.groups),
    );
    scan_tile(plan, &mut lines, &scanned.values.name, &format!("tile * {}", tile(plan)), "count", None);
    let (totals, running) = (&scanned.totals.name, running(plan));
    lines.write(dialect, &format!("if lane == {} {{ {totals}[tile] = {running}[lane] }}\n{}\n}}", group - 1, barrier(plan)));
    let head = Head {
        comment: &format!("The running maximum in each tile of {} places, and the last of it; workgroups of {group} threads", tile(plan)),
        name: format!("{}_scan", plan.context.function),
        threads: KernelThreads::Groups,
    };
    plan.context.kernel(&head, &[scanned.values.clone(), scanned.totals.clone(), scanned.count.clone()], lines)
}

/// Prints the kernel that scans the last values of all tiles, in one workgroup.
fn of_totals(plan: &Plan<'_>, scanned: &Scanned) -> String {
    let (dialect, ids, group) = (&plan.context.dialect, plan.context.dialect.ids(), plan.context.workgroup);
    let mut lines = KernelLines::body();
    shared(plan, &mut lines);
    lines.write(
        dialect,
        &format!("let lane = {}\nlet tiles = {}\nvar carry = 0\nfor tile in 0..tiles by {} {{", ids.lane, tiles(plan), tile(plan)),
    );
    scan_tile(plan, &mut lines, &scanned.totals.name, "tile", "tiles", Some("carry"));
    lines.write(dialect, &format!("carry = {}[{}]\n{}\n}}", running(plan), group - 1, barrier(plan)));
    let head = Head {
        comment: &format!("The running maximum of the totals; one workgroup of {group} threads"),
        name: format!("{}_scan_totals", plan.context.function),
        threads: KernelThreads::Groups,
    };
    plan.context.kernel(&head, &[scanned.totals.clone(), scanned.count.clone()], lines)
}

/// Prints the kernel that applies the maximum of the preceding tiles to each tile.
fn of_carries(plan: &Plan<'_>, scanned: &Scanned) -> String {
    let dialect = &plan.context.dialect;
    let totals = Argument { kind: ArgumentKind::Array(dialect.ty(), ArrayAccess::Read), ..scanned.totals.clone() };
    let head = Head {
        comment: "The running maximum of all places",
        name: format!("{}_scan_carry", plan.context.function),
        threads: KernelThreads::Grid,
    };
    let arguments = [scanned.values.clone(), totals, scanned.count.clone()];
    let (values, totals) = (&scanned.values.name, &scanned.totals.name);
    let body = format!(
        "let tile = k / {}
        if tile > 0 {{
            let before = {totals}[tile - 1]
            if {values}[k] < before {{ {values}[k] = before }}
        }}",
        tile(plan)
    );
    plan.context.elementwise(&head, &arguments, ("k", "count"), |lines| lines.write(dialect, &body))
}
