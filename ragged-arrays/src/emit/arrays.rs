//! Prints kernels that compute two arrays, for the positions of every level or for the leaves. I has the number of the row
//! that contains each position, and S the first position of that row.
//!
//! There are kernels for two methods: one fills the rows, the other writes marks and scans them.

use super::plan::{Plan, Rows, Section};
use super::scan::{self, Scanned};
use super::uniform::Fanout;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use coordinate_graph::program::kernel::{Argument, ArgumentKind, ArrayAccess, Head, KernelThreads};
use coordinate_graph::program::{EmitError, Source};

/// The choice between the positions of each level and the leaves. For each of these positions, the kernels compute the
/// number of the row that contains it, and the first position of that row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Below {
    /// The positions of each level: the elements of its rows. The kernels find the row of this level that contains each of them.
    Level,
    /// The leaves: the positions of the last level. For each level, the kernels find the row of that level that contains each leaf.
    Leaves,
}

/// The way in which printed text computes the first position of a row of one level.
#[derive(Clone, Copy)]
enum Step<'p> {
    /// The same number of positions in every row.
    Known(i64),
    /// The same number of positions in every row, known per launch. The string is the name of the parameter.
    Launch(&'p str),
    /// The array of the first positions of all rows.
    Rows(&'p Rows),
}

/// A level whose rows a kernel finds, and the steps from a row of it down to the positions of the kernel, outermost first.
struct RowTarget<'p> {
    level: usize,
    steps: &'p [Step<'p>],
}

pub(super) fn source(plan: &Plan<'_>, below: Below) -> Result<Source, EmitError> {
    if plan.sections.is_empty() {
        return Err(EmitError::NoOutput);
    }
    let views = plan.searched().into_iter().find(|(rows, _)| rows.sizes.is_some());
    if let (Below::Leaves, Some((rows, _))) = (below, views) {
        let what = "the level is views, whose rows need not be adjacent: convert them to offsets first".to_string();
        return Err(EmitError::Level { level: rows.level, what });
    }
    let steps: Vec<Step<'_>> = plan.sections.iter().flat_map(steps).collect();
    let last = |level: usize| if below == Below::Level { level + 1 } else { steps.len() };
    let targets: Vec<RowTarget<'_>> = (0..steps.len()).map(|level| RowTarget { level, steps: &steps[level..last(level)] }).collect();
    let scanned = Scanned::new(plan);
    let starts = plan.array("starts", ArrayAccess::Write);
    let mut kernels = Vec::new();
    let mut arguments = Vec::new();
    for target in &targets {
        arguments.extend(target.arguments(true));
        kernels.extend([fill(plan, target, &scanned, &starts), mark(plan, target, &scanned)]);
    }
    kernels.push(clear(plan, &scanned));
    kernels.extend(scan::kernels(plan));
    kernels.extend(targets.iter().map(|target| starts_of(plan, target, &scanned, &starts)));
    arguments.extend([scanned.values, starts, scanned.totals, scanned.count]);
    let device = plan.context.bindings(&arguments, &arguments).into_iter().chain(kernels).collect();
    Ok(plan.source(device, Vec::new()))
}

/// Returns the steps of the levels of a section, outermost first.
fn steps(section: &Section) -> Vec<Step<'_>> {
    match section {
        Section::Rows(rows) => vec![Step::Rows(rows)],
        Section::Uniform(run) => match &run.fanout {
            Fanout::Known(sizes) => sizes.iter().map(|size| Step::Known(*size)).collect(),
            Fanout::Launch(name) => vec![Step::Launch(name)],
        },
    }
}

impl RowTarget<'_> {
    /// Returns the name of the argument with the number of rows.
    fn rows(&self) -> String {
        format!("rows{}", self.level)
    }

    /// Returns the arguments from which the text computes the first position of a row. If `ends` is true, adds the
    /// arguments for the ends of rows.
    fn arguments(&self, ends: bool) -> Vec<Argument> {
        let mut out = Vec::new();
        for step in self.steps {
            match step {
                Step::Known(_) => {}
                Step::Launch(name) => out.push(Argument::number(*name)),
                Step::Rows(rows) => {
                    out.push(rows.begins.clone());
                    out.extend(rows.sizes.clone().filter(|_| ends));
                }
            }
        }
        if ends {
            out.push(Argument::number(self.rows()));
        }
        out
    }

    /// Returns the text that computes the first position of a row from `row`, the text of its number.
    fn begin(&self, plan: &Plan<'_>, row: &str) -> String {
        let (mut text, mut factor) = (row.to_string(), 1_i64);
        let times = |text: String, by: &str| {
            if text.contains(' ') && !text.ends_with(']') { format!("({text}) * {by}") } else { format!("{text} * {by}") }
        };
        let scaled = |text: String, factor: i64| if factor == 1 { text } else { times(text, &factor.to_string()) };
        for step in self.steps {
            match step {
                // The product fits, because the run has been checked.
                Step::Known(size) => factor = factor.wrapping_mul(*size),
                Step::Launch(name) => text = times(scaled(text, core::mem::replace(&mut factor, 1)), name),
                Step::Rows(rows) => {
                    let row = scaled(text, core::mem::replace(&mut factor, 1));
                    text = plan.context.dialect.read(&rows.begins.name, rows.word.int(), &row);
                }
            }
        }
        scaled(text, factor)
    }

    /// Returns the text that computes the end of the row of number `row`: one past its last position. It uses the
    /// variables `row` and `begin`.
    fn end(&self, plan: &Plan<'_>) -> String {
        match self.steps {
            [Step::Rows(rows)] => match &rows.sizes {
                Some(sizes) => format!("begin + {}", plan.context.dialect.read(&sizes.name, rows.word.int(), "row")),
                None => self.begin(plan, "row + 1"),
            },
            _ => self.begin(plan, "row + 1"),
        }
    }
}

/// Prints the kernel `name_{what}{level}`, which runs `body` for each row of a target, with `row`, `begin` and `end`.
fn of_rows(plan: &Plan<'_>, target: &RowTarget<'_>, (what, comment): (&str, &str), arrays: &[&Argument], body: &str) -> String {
    let head = Head { comment, name: format!("{}_{what}{}", plan.context.function, target.level), threads: KernelThreads::Grid };
    let mut arguments = target.arguments(true);
    arguments.extend(arrays.iter().map(|array| (*array).clone()));
    plan.context.elementwise(&head, &arguments, ("row", &target.rows()), |lines| {
        lines.write(&plan.context.dialect, &format!("let begin = {}\nlet end = {}", target.begin(plan, "row"), target.end(plan)));
        lines.write(&plan.context.dialect, body);
    })
}

fn fill(plan: &Plan<'_>, target: &RowTarget<'_>, scanned: &Scanned, starts: &Argument) -> String {
    let dialect = &plan.context.dialect;
    let comment = format!("The row of every place below level {}, and where it begins: a thread a row", target.level);
    let [parent, start] = [&scanned.values, starts].map(|array| dialect.element(&array.name, "k"));
    let body = format!("for k in begin..end {{\n{parent} = row\n{start} = begin\n}}");
    of_rows(plan, target, ("fill", &comment), &[&scanned.values, starts], &body)
}

fn mark(plan: &Plan<'_>, target: &RowTarget<'_>, scanned: &Scanned) -> String {
    let dialect = &plan.context.dialect;
    let comment = format!("The number of every row of level {} that is not empty at its first place, where 0 was", target.level);
    let body = format!("if begin < end {{ {} = row }}", dialect.element(&scanned.values.name, "begin"));
    of_rows(plan, target, ("mark", &comment), &[&scanned.values], &body)
}

fn clear(plan: &Plan<'_>, scanned: &Scanned) -> String {
    let head = Head { comment: "No marks", name: format!("{}_clear", plan.context.function), threads: KernelThreads::Grid };
    let body = format!("{} = 0", plan.context.dialect.element(&scanned.values.name, "k"));
    plan.context.elementwise(&head, &[scanned.values.clone(), scanned.count.clone()], ("k", "count"), |lines| {
        lines.write(&plan.context.dialect, &body)
    })
}

fn starts_of(plan: &Plan<'_>, target: &RowTarget<'_>, scanned: &Scanned, starts: &Argument) -> String {
    let dialect = &plan.context.dialect;
    let head = Head {
        comment: &format!("Where the row of every place below level {} begins", target.level),
        name: format!("{}_begins{}", plan.context.function, target.level),
        threads: KernelThreads::Grid,
    };
    let parents = Argument { kind: ArgumentKind::Array(dialect.ty(), ArrayAccess::Read), ..scanned.values.clone() };
    let mut arguments = target.arguments(false);
    arguments.extend([parents, starts.clone(), scanned.count.clone()]);
    let [parent, start] = [&scanned.values, starts].map(|array| dialect.element(&array.name, "k"));
    let body = format!("let row = {parent}\n{start} = {}", target.begin(plan, "row"));
    plan.context.elementwise(&head, &arguments, ("k", "count"), |lines| lines.write(dialect, &body))
}
