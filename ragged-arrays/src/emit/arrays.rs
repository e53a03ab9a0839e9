//! Prints kernels that compute I (row) and S (begin of the row) for every level or for the leaves, in two ways: by
//! filling rows, and by marks and a scan.

use super::plan::{Plan, Rows, Section};
use super::scan::{self, Scanned};
use super::uniform::Fanout;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use coordinate_graph::program::kernel::{Argument, ArgumentKind, ArrayAccess, Head, KernelThreads};
use coordinate_graph::program::{EmitError, Source};

/// The positions whose row the kernels compute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Below {
    /// The positions of each level, with the rows of this level.
    Level,
    /// The leaves, with the rows of each level above them.
    Leaves,
}

/// A level, as the text computes where a row begins: the number of positions of each row, or the array of begins.
#[derive(Clone, Copy)]
enum Step<'p> {
    Known(i64),
    /// The same number of positions in every row, known per launch under this name.
    Launch(&'p str),
    Rows(&'p Rows),
}

/// The rows of a level, and the steps from them to the positions, outermost first.
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

    /// Returns the arrays and numbers that give the begins of rows, and also their ends if `ends`.
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

    /// Returns the text of the first position of `row`.
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

    /// Returns the text of the end of `row`: one past its last position.
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
