//! Prints the functions of a tile: `name_find` searches, `name_next` walks, and `name` computes the coordinates.

use super::plan::{Plan, Rows, Section};
use super::uniform::Uniform;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use coordinate_graph::program::Language;
use coordinate_graph::program::kernel::{Argument, Field, Function, FunctionParameter, KernelLines, Returns};

/// The names of the cursor's fields for a searched level, before the number of the level: the current row, its begin and its end.
const FIELDS: [&str; 3] = ["row", "begin", "end"];

/// Returns the WGSL bindings of the arrays that these functions read, or `None` in other languages.
pub(super) fn bindings(plan: &Plan<'_>) -> Option<String> {
    let arguments: Vec<Argument> = find_arguments(plan).into_iter().chain(valid_arguments(plan)).collect();
    plan.context.bindings(&arguments, &[])
}

/// Returns the texts of the structures and of the functions of a tile. Without searched levels, there is no cursor.
pub(super) fn functions(plan: &Plan<'_>) -> Vec<String> {
    let mut out = Vec::new();
    if !plan.searched().is_empty() {
        out.extend([cursor(plan), find(plan), next(plan)]);
    }
    if plan.has_views() {
        out.push(is_valid(plan));
    }
    if plan.axes > 1 && plan.context.dialect.language != Language::Rust {
        let ty = plan.context.dialect.ty();
        let fields: Vec<Field> = (0..plan.axes).map(|axis| Field { name: format!("c{axis}"), ty: ty.into(), comment: None }).collect();
        let comment = format!("The results of {}", plan.context.function);
        out.push(plan.context.dialect.structure(&comment, &plan.context.structure("result"), &fields));
    }
    out.push(coordinates(plan));
    out
}

/// Returns the arguments that the printed function `name_find` takes after the leaf.
pub(super) fn find_arguments(plan: &Plan<'_>) -> Vec<Argument> {
    arguments(plan, |rows| vec![rows.begins.clone(), rows.rows.clone()])
}

/// Returns the arguments that the printed function `name_next` takes after the cursor and the leaf.
pub(super) fn next_arguments(plan: &Plan<'_>) -> Vec<Argument> {
    arguments(plan, |rows| match &rows.sizes {
        Some(_) => vec![rows.begins.clone(), rows.rows.clone()],
        None => vec![rows.begins.clone()],
    })
}

/// Returns the arguments that the printed function `name_is_valid` takes after the leaf and the cursor.
pub(super) fn valid_arguments(plan: &Plan<'_>) -> Vec<Argument> {
    let mut out: Vec<Argument> = Vec::new();
    for (rows, below) in checked(plan).into_iter().rev() {
        out.extend(rows.sizes.clone());
        out.extend(below.iter().rev().filter_map(|run| launched(run)));
    }
    out
}

/// Returns the levels at which a position may be in no row, innermost first: the innermost views, and all levels above
/// them.
fn checked<'p>(plan: &'p Plan<'_>) -> Vec<(&'p Rows, Vec<&'p Uniform>)> {
    plan.searched().into_iter().skip_while(|(rows, _)| rows.sizes.is_none()).collect()
}

/// Returns the arguments that the printed function `name` takes after the leaf and the cursor.
pub(super) fn coordinate_arguments(plan: &Plan<'_>) -> Vec<Argument> {
    let run = |section: &Section| if let Section::Uniform(run) = section { launched(run) } else { None };
    plan.sections.iter().filter_map(run).collect()
}

/// Returns the arguments that `of` gives for each searched level, and the arguments of the runs below it, outermost first.
fn arguments(plan: &Plan<'_>, of: impl Fn(&Rows) -> Vec<Argument>) -> Vec<Argument> {
    let mut out = Vec::new();
    for (rows, below) in plan.searched().into_iter().rev() {
        out.extend(of(rows));
        out.extend(below.iter().rev().filter_map(|run| launched(run)));
    }
    out
}

fn launched(run: &Uniform) -> Option<Argument> {
    run.argument.as_ref().map(|(argument, _)| argument.clone())
}

fn cursor(plan: &Plan<'_>) -> String {
    let mut fields = Vec::new();
    for (rows, _) in plan.searched().into_iter().rev() {
        let (q, array) = (rows.level, &rows.begins.name);
        let is = [("the row at ", format!("level {q}")), ("", format!("{array}[row{q}]")), ("", format!("{array}[row{q} + 1]"))];
        for (stem, comment) in FIELDS.into_iter().zip(is) {
            fields.push(Field { name: format!("{stem}{q}"), ty: plan.context.dialect.ty().into(), comment: Some(comment) });
        }
    }
    plan.context.dialect.structure("Where a leaf lies", &plan.context.structure("cursor"), &fields)
}

/// Creates the function `name` of the parameters `first`, as (name, type), and these arguments, with the lines of `body`.
fn function(plan: &Plan<'_>, comment: &[&str], name: &str, first: &[(&str, &str)], arguments: &[Argument], body: KernelLines) -> Function {
    let first = first.iter().map(|(name, ty)| FunctionParameter { name: name.to_string(), ty: ty.to_string(), used: true });
    Function {
        comment: comment.iter().map(|line| line.to_string()).collect(),
        name: name.to_string(),
        parameters: first.chain(arguments.iter().filter_map(|argument| plan.context.dialect.parameter(argument))).collect(),
        returns: Returns::Number,
        lines: body.into_lines(),
        results: Vec::new(),
    }
}

/// Prints a function that returns the cursor of `row{q}`, `begin{q}`, `end{q}` of every level.
fn returning_cursor(plan: &Plan<'_>, mut f: Function) -> String {
    let searched = plan.searched();
    let names: Vec<String> = searched.iter().rev().flat_map(|(rows, _)| FIELDS.map(|stem| format!("{stem}{}", rows.level))).collect();
    let ty = plan.context.structure("cursor");
    if plan.context.dialect.language == Language::Rust {
        f.results.push(format!("{ty} {{ {} }}", names.join(", ")));
        f.returns = Returns::Of(ty);
    } else {
        f.returns = Returns::Numbers(ty, names.clone());
        f.results = names;
    }
    plan.context.dialect.function(&f)
}

/// Prints calls that compute the position above the runs `below`, and returns its text. `from` is the text below them.
fn position(plan: &Plan<'_>, lines: &mut KernelLines, from: &str, below: &[&Uniform]) -> String {
    let mut from = from.to_string();
    for run in below {
        let name = format!("s{}", run.level);
        lines.push(plan.context.dialect.constant_of(&run.result, &name, &run.call(&plan.context.dialect, &from)));
        from = plan.context.dialect.field(&name, "row", 0);
    }
    from
}

/// Prints the assignment of `end{q}`: where row `row{q}` ends or, for views, where the next row begins. It declares
/// the name if `is_new`.
fn end(plan: &Plan<'_>, lines: &mut KernelLines, rows: &Rows, is_new: bool) {
    let (q, dialect) = (rows.level, &plan.context.dialect);
    let name = format!("end{q}");
    let next = dialect.read(&rows.begins.name, rows.word.int(), &format!("row{q} + 1"));
    let (rows_of, most) = (&rows.rows.name, dialect.most());
    let text = match rows.sizes {
        None => format!("{}{name} = {next}", if is_new { "let " } else { "" }),
        Some(_) => format!("{}{name} = {most}\nif row{q} + 1 < {rows_of} {{ {name} = {next} }}", if is_new { "var " } else { "" }),
    };
    lines.write(dialect, &text);
}

fn find(plan: &Plan<'_>) -> String {
    let dialect = &plan.context.dialect;
    let mut lines = KernelLines::body();
    let mut from = "leaf".to_string();
    for (rows, below) in plan.searched() {
        let q = rows.level;
        let (array, word) = (&rows.begins.name, rows.word.int());
        let position = position(plan, &mut lines, &from, &below);
        let text = format!(
            "var row{q} = 0
            var high{q} = {}
            while high{q} - row{q} > 1 {{
                let middle = row{q} + (high{q} - row{q}) / 2
                let begin = {}
                if begin <= {position} {{
                    row{q} = middle
                }} else {{
                    high{q} = middle
                }}
            }}
            let begin{q} = {}",
            rows.rows.name,
            dialect.read(array, word, "middle"),
            dialect.read(array, word, &format!("row{q}")),
        );
        lines.write(dialect, &text);
        end(plan, &mut lines, rows, true);
        from = format!("row{q}");
    }
    let comment = ["The rows of a leaf: at each level the last that begins at or before it, so that it is not empty"];
    let f = function(plan, &comment, &format!("{}_find", plan.context.function), &[("leaf", dialect.ty())], &find_arguments(plan), lines);
    returning_cursor(plan, f)
}

fn next(plan: &Plan<'_>) -> String {
    let (dialect, searched) = (&plan.context.dialect, plan.searched());
    let mut lines = KernelLines::body();
    for (rows, _) in searched.iter().rev() {
        for stem in FIELDS {
            let name = format!("{stem}{}", rows.level);
            lines.push(dialect.variable(&name, &format!("at.{name}")));
        }
    }
    let mut from = "leaf".to_string();
    let mut open = 0;
    for (k, (rows, below)) in searched.iter().enumerate() {
        let q = rows.level;
        let position = position(plan, &mut lines, &from, below);
        let outermost = k + 1 == searched.len();
        if !outermost {
            // The levels above move only if this one does.
            lines.write(dialect, &format!("if {position} >= end{q} {{"));
            open += 1;
        }
        lines.write(dialect, &format!("while {position} >= end{q} {{\nrow{q} += 1\nbegin{q} = end{q}"));
        end(plan, &mut lines, rows, false);
        lines.close();
        from = format!("row{q}");
    }
    (0..open).for_each(|_| lines.close());
    let cursor = plan.context.structure("cursor");
    let comment = ["The same for a leaf that does not come before that of the cursor: on from row to row, past empty ones"];
    let first = [("at", cursor.as_str()), ("leaf", dialect.ty())];
    let f = function(plan, &comment, &format!("{}_next", plan.context.function), &first, &next_arguments(plan), lines);
    returning_cursor(plan, f)
}

fn is_valid(plan: &Plan<'_>) -> String {
    let dialect = &plan.context.dialect;
    let mut lines = KernelLines::body();
    let checked = checked(plan);
    let inner = plan.searched().len() - checked.len();
    let mut from = match plan.searched().get(inner.wrapping_sub(1)) {
        Some((rows, _)) => format!("at.row{}", rows.level),
        None => "leaf".to_string(),
    };
    let mut checks = Vec::new();
    for (rows, below) in checked {
        let q = rows.level;
        let position = position(plan, &mut lines, &from, &below);
        if let Some(sizes) = &rows.sizes {
            let size = dialect.read(&sizes.name, rows.word.int(), &format!("at.row{q}"));
            lines.push(dialect.constant(&format!("size{q}"), &size));
            checks.push(format!("{position} >= at.begin{q} && {position} - at.begin{q} < size{q}"));
        } else {
            checks.push(format!("{position} >= at.begin{q} && {position} < at.end{q}"));
        }
        from = format!("at.row{q}");
    }
    let cursor = plan.context.structure("cursor");
    let first = [("leaf", dialect.ty()), ("at", cursor.as_str())];
    let comment = ["Whether the place is in a row, and not between two"];
    let mut f = function(plan, &comment, &format!("{}_is_valid", plan.context.function), &first, &valid_arguments(plan), lines);
    // A leaf below offsets is in a row, so the row is checked instead of the leaf.
    f.parameters[0].used = inner == 0;
    f.returns = Returns::Truth;
    f.results = vec![checks.join(" && ")];
    dialect.function(&f)
}

fn coordinates(plan: &Plan<'_>) -> String {
    let dialect = &plan.context.dialect;
    let mut lines = KernelLines::body();
    let mut results = vec![String::new(); plan.axes];
    let mut from = "leaf".to_string();
    for section in plan.sections.iter().rev() {
        match section {
            Section::Uniform(run) => {
                from = position(plan, &mut lines, &from, &[run]);
                for (k, axis) in run.axes.clone().enumerate() {
                    results[axis] = dialect.field(&format!("s{}", run.level), &format!("c{axis}"), k + 1);
                }
            }
            Section::Rows(rows) => {
                results[rows.axis] = format!("{from} - at.begin{}", rows.level);
                from = format!("at.row{}", rows.level);
            }
        }
    }
    results[0] = from;
    let cursor = plan.context.structure("cursor");
    let ty = dialect.ty();
    let all = [("leaf", ty), ("at", cursor.as_str())];
    let first = if plan.searched().is_empty() { &all[..1] } else { &all[..] };
    let names: Vec<String> = (0..plan.axes).map(|axis| format!("c{axis}")).collect();
    let returned = format!("returns ({})", names.join(", "));
    let mut comment = vec!["The coordinates of a leaf"];
    if dialect.language == Language::Rust {
        comment.push(&returned);
    }
    let mut f = function(plan, &comment, &plan.context.function, first, &coordinate_arguments(plan), lines);
    if plan.axes > 1 {
        f.returns = Returns::Numbers(plan.context.structure("result"), names);
    }
    f.results = results;
    dialect.function(&f)
}
