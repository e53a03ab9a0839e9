//! Writes whole files: structures, tables, helper functions, and the functions of the threads and of the host.
//!
//! [`file`] takes steps 1 to 4, and [`File::source`] takes steps 5 to 7. Comments at the calls repeat these
//! numbers. `n` is the number of nodes of the program.
//!
//! | step | what it does | cost | skipped when |
//! |---|---|---|---|
//! | 1. Lower | Makes an operation of each node that an output needs (`lower.rs`). | `O(n)` | never |
//! | 2. Stage | Finds the values and divisors that are the same for all threads of a launch (`stages.rs`). | `O(n)` | never |
//! | 3. Name | Chooses names that the language and the file do not have yet (`names.rs`). | one look-up per name | never |
//! | 4. Width | Chooses the narrowest integers that hold every operation, or tests the requested width (`width.rs`). | `O(n)` | never |
//! | 5. Declare | Writes structures, tables and helper functions that the threads need. | the text | none is needed |
//! | 6. Threads | Writes a function for the outputs and one for the conditions (`body.rs`, `print.rs`). | `O(n)` and the text | the second one: the outputs have no conditions |
//! | 7. Host | Writes the function that prepares a launch, and what it needs. | `O(n)` and the text | threads need only inputs |

use super::body::{Body, Leaves, body, expression};
use super::ir::{Id, Instruction, Ir};
use super::lower::{Lowered, lower};
use super::magic;
use super::names::{Names, camel, structure};
use super::print::{Helper, Printer, word};
use super::stages::{LaunchField, Stages, stages};
use super::syntax::{self, Field, Function, FunctionParameter, Place, Returns};
use super::width::{IntegerType, choose};
use super::{Emit, EmitError, Language, Source, domain};
use crate::program::{Program, Time};
use crate::sorted::{SortedMap, SortedSet};
use layout_algebra::heap::*;

/// The maximum number of operations of a formula in a comment, and then the maximum number of its letters.
const COMMENT: u64 = 12;
const LETTERS: usize = 90;

/// A program with the operations, stages, types and names from which its file is written.
pub(super) struct File<'a> {
    pub program: &'a Program,
    emit: &'a Emit,
    lowered: Lowered,
    pub stages: Option<Stages>,
    pub int: IntegerType,
    names: Names,
    function: String,
    /// The name of each input in the text.
    pub inputs: Vec<String>,
    /// The names of the values, and the stems of the names of the divisors, of a launch.
    values: Vec<String>,
    divisors: Vec<String>,
    /// The name and the length of each table, for the threads and for the host.
    tables: Vec<(String, usize)>,
    host_tables: Vec<(String, usize)>,
}

pub(super) fn source(program: &Program, emit: &Emit) -> Result<Source, EmitError> {
    Ok(file(program, emit)?.source())
}

/// Prepares the file of a program: its operations, stages, names and integers. Fails if the program has no outputs or a
/// number is not proven to fit the integers.
pub(super) fn file<'a>(program: &'a Program, emit: &'a Emit) -> Result<File<'a>, EmitError> {
    if program.outputs.is_empty() {
        return Err(EmitError::NoOutput);
    }
    // Step 1: lower the program.
    let lowered = lower(program, emit.fast_division);
    // Step 2: stage the values of a launch.
    let ir = &lowered.ir;
    let stages = stages(ir, roots(&lowered));
    let live = ir.reach(roots(&lowered), |_| false);

    // Step 3: choose names.
    let language = emit.language;
    let mut names = Names::new(language).with_host(emit.rust_host);
    let function = names.fresh_in_file(&emit.name);
    names.stem(&function, &["launch", "result", "prepare", "is_valid", "div", "magic"]);
    names.stem(&function, &HELPERS.map(Helper::name));
    for name in ["launch", "result"] {
        names.fresh_in_file(&camel(&format!("{function}_{name}")));
    }
    let mut tables = |middle: &str| -> Vec<(String, usize)> {
        let host_is_rust = !middle.is_empty() && (language == Language::Wgsl || emit.rust_host);
        let upper = |name: String| if host_is_rust || language == Language::Rust { name.to_ascii_uppercase() } else { name };
        let mut name = |table: &str| names.fresh_in_file(&upper(format!("{function}_{middle}{table}")));
        program.tables.iter().map(|table| (name(&table.name), table.entries.len())).collect()
    };
    let own = tables("");
    // A host in the same file reads the tables of the threads, unless these tables are on the device.
    let shares = language == Language::Rust || (language == Language::C && !emit.rust_host);
    let host_tables = if shares { own.clone() } else { tables("host_") };
    if stages.is_some() {
        names.fresh("launch");
    }
    if program.outputs.len() > 1 {
        names.fresh("result");
    }
    let inputs: Vec<String> = program.inputs.iter().map(|input| names.fresh(&input.name)).collect();
    // Step 4: choose the width of integers.
    let int = choose(ir, &live, &program.tables, language, emit.width, |id| {
        let leaves = input_leaves(&lowered, &inputs);
        let printer = Printer { ir, language, int: IntegerType::I64, helpers: None, tables: &own, divisors: &SortedMap::new() };
        let text = expression(&printer, id, &leaves, COMMENT).map(|text| text.text).filter(|text| text.len() <= LETTERS);
        text.unwrap_or("a part of the formula".to_string())
    })?;

    // Step 3, for a launch: its fields have their own scope of names.
    let mut fields = Names::new(language).with_host(emit.rust_host);
    let mut count = 0;
    let launch_inputs = program.inputs.iter().zip(&inputs).filter(|(input, _)| input.time == Time::Launch);
    launch_inputs.for_each(|(_, name)| drop(fields.fresh(name)));
    let (mut values, mut divisors) = (Vec::new(), Vec::new());
    if let Some(stages) = &stages {
        for id in &stages.values {
            values.push(match ir.inst(*id) {
                Instruction::Input(k) => inputs[k].clone(),
                _ => fields.numbered("h", &mut count),
            });
        }
        for id in &stages.divisors {
            let stem = match (ir.inst(*id), stages.values.iter().position(|value| value == id)) {
                (Instruction::Input(k), _) => inputs[k].clone(),
                (_, Some(at)) => values[at].clone(),
                _ => fields.numbered("h", &mut count),
            };
            divisors.push(fields.stem(&stem, &["div", "magic", "bias", "shift"]));
        }
    }
    Ok(File { program, emit, stages, int, names, function, inputs, values, divisors, tables: own, host_tables, lowered })
}

const HELPERS: [Helper; 4] = [Helper::FloorDiv, Helper::FloorRem, Helper::TotalDiv, Helper::TotalRem];

fn roots(lowered: &Lowered) -> Vec<Id> {
    lowered.outputs.iter().copied().chain(lowered.valid).collect()
}

fn input_leaves(lowered: &Lowered, inputs: &[String]) -> Leaves {
    lowered.inputs.iter().zip(inputs).filter_map(|(id, name)| Some(((*id)?, word(name.as_str())))).collect()
}

impl File<'_> {
    pub fn ir(&self) -> &Ir {
        &self.lowered.ir
    }

    fn language(&self) -> Language {
        self.emit.language
    }

    fn host(&self) -> Language {
        match self.language() {
            Language::Wgsl | Language::Rust => Language::Rust,
            _ if self.emit.rust_host => Language::Rust,
            _ => Language::C,
        }
    }

    /// Returns the name of a structure in the text of the host: the name of the function followed by `what`.
    fn host_structure(&self, what: &str) -> String {
        structure(self.host(), &self.function, what)
    }

    /// Returns true if the text of the host can use functions and structures of the text of the device.
    fn is_one_file(&self) -> bool {
        !matches!(self.language(), Language::OpenCl | Language::Wgsl) && (self.language() == Language::Rust || self.host() == Language::C)
    }

    /// Returns the name of a structure: the name of the function followed by `what`.
    fn structure(&self, what: &str) -> String {
        structure(self.language(), &self.function, what)
    }

    fn source(&self) -> Source {
        let language = self.language();
        let mut device = vec![];
        let is_launch = |id: &Id| self.ir().time(*id) == Some(Time::Launch) && self.stages.is_some();
        let live = self.ir().reach(roots(&self.lowered), |_| false);
        let (there, here): (Vec<Id>, Vec<Id>) = (0..self.ir().len()).filter(|id| live[*id]).partition(is_launch);
        let shares_helpers = self.is_one_file();
        let shares_tables = shares_helpers && matches!(language, Language::C | Language::Rust);

        let divisors: SortedMap<Id, String> = self.divisor_calls();
        let printer = self.printer(language, &self.tables, &divisors);
        let tables = |ids: &[Id]| -> SortedSet<usize> { ids.iter().filter_map(|id| table_of(self.ir().inst(*id))).collect() };
        let helpers = |ids: &[Id]| -> SortedSet<Helper> { ids.iter().filter_map(|id| Helper::of(self.ir().inst(*id))).collect() };
        let own_tables = tables(&here);
        let place = if own_tables.is_empty() || shares_tables { Place::Device } else { Place::DeviceOnly };

        // Step 5: declare structures, tables and helper functions.
        device.extend(syntax::includes(language).map(ToString::to_string));
        if self.stages.is_some() {
            device.push(self.launch_structure(language));
        }
        if self.program.outputs.len() > 1 && language != Language::Rust {
            device.push(self.result_structure());
        }
        let all = |a: &[Id], b: &[Id], shared: bool| if shared { [a, b].concat() } else { a.to_vec() };
        for table in tables(&all(&here, &there, shares_tables)) {
            device.push(syntax::table(&printer, place, &self.tables[table].0, &self.program.tables[table].entries));
        }
        for kind in helpers(&all(&here, &there, shares_helpers)) {
            if !(language == Language::Rust && kind.is_method()) {
                device.push(syntax::helper(&printer, Place::Device, &self.function, kind));
            }
        }
        if !self.divisors.is_empty() && language != Language::Rust {
            device.push(magic::quotient(language, self.int, &self.function));
        }
        // Step 6: write the functions of the threads.
        device.push(self.thread_function(&printer, place, &self.function, &self.lowered.outputs));
        if let Some(valid) = self.lowered.valid {
            device.push(self.thread_function(&printer, place, &format!("{}_is_valid", self.function), &[valid]));
        }
        // Step 7: write the function of the host.
        let host = self.stages.as_ref().map(|stages| {
            let mut host = vec![];
            let nothing = SortedMap::new();
            let printer = self.printer(self.host(), &self.host_tables, &nothing);
            if language == Language::OpenCl && self.host() == Language::C {
                host.extend(syntax::includes(Language::C).map(ToString::to_string));
            }
            if !shares_helpers {
                host.push(self.launch_structure(self.host()));
            }
            if !shares_tables {
                for table in tables(&there) {
                    let entries = &self.program.tables[table].entries;
                    host.push(syntax::table(&printer, Place::Host, &self.host_tables[table].0, entries));
                }
            }
            for kind in helpers(if shares_helpers { &[] } else { &there }) {
                if !(self.host() == Language::Rust && kind.is_method()) {
                    host.push(syntax::helper(&printer, Place::Host, &self.function, kind));
                }
            }
            if !self.divisors.is_empty() && self.host() == Language::C {
                host.push(magic::magic(self.int, &self.function));
            }
            host.push(self.prepare(&printer, stages));
            if shares_helpers { syntax::host_only(language, host.join("\n")) } else { host.join("\n") }
        });
        Source { device: device.join("\n"), host, integer: self.int.name(self.emit.language) }
    }

    fn printer<'a>(&'a self, language: Language, tables: &'a [(String, usize)], divisors: &'a SortedMap<Id, String>) -> Printer<'a> {
        Printer { ir: self.ir(), language, int: self.int, helpers: Some(&self.function), tables, divisors }
    }

    /// Returns, for each divisor that is known per launch, the arguments that give its magic numbers to a division.
    fn divisor_calls(&self) -> SortedMap<Id, String> {
        let ids = self.stages.iter().flat_map(|stages| &stages.divisors);
        let call = |stem: &String| match self.language() {
            Language::Rust => format!("launch.{stem}_div"),
            _ => format!("launch.{stem}_magic, launch.{stem}_bias, launch.{stem}_shift"),
        };
        ids.copied().zip(self.divisors.iter().map(call)).collect()
    }

    /// Returns the formula of a node for a comment; `None` if it is too long.
    fn formula(&self, language: Language, id: Id) -> Option<String> {
        let nothing = SortedMap::new();
        let printer = Printer { helpers: None, ..self.printer(language, &self.tables, &nothing) };
        expression(&printer, id, &input_leaves(&self.lowered, &self.inputs), COMMENT)
            .map(|text| text.text)
            .filter(|text| text.len() <= LETTERS)
    }

    fn launch_structure(&self, language: Language) -> String {
        let (ty, part) = (self.int.name(language), self.int.unsigned().name(language));
        let mut fields = Vec::new();
        let Some(stages) = &self.stages else { return String::new() };
        for field in stages.fields() {
            let formula = self.formula(language, field.id());
            let (k, comment) = match field {
                LaunchField::Value(k, _) => {
                    let (name, formula) = (&self.values[k], formula.map(|formula| ("", formula)));
                    fields.push(Field { name: name.clone(), ty: ty.into(), comment: formula.filter(|(_, formula)| formula != name) });
                    continue;
                }
                LaunchField::Divisor(k, _) => (k, formula.map(|formula| ("division by ", formula))),
            };
            let stem = &self.divisors[k];
            if self.language() == Language::Rust {
                fields.push(Field { name: format!("{stem}_div"), ty: self.divider(), comment });
                continue;
            }
            let mut comments = [comment, None, None].into_iter();
            for name in ["magic", "bias", "shift"] {
                fields.push(Field { name: format!("{stem}_{name}"), ty: part.into(), comment: comments.next().flatten() });
            }
        }
        let comment = format!("What {} needs that is known per launch", self.function);
        syntax::structure(language, &comment, &structure(language, &self.function, "launch"), &fields)
    }

    /// Returns the Rust type of divisions by magic numbers.
    fn divider(&self) -> String {
        let name = match self.int.unsigned() {
            IntegerType::U32 => "FastDiv32",
            IntegerType::U64 => "FastDiv64",
            _ => "FastDiv",
        };
        format!("{}::{name}", self.emit.crate_path)
    }

    fn output_names(&self) -> Vec<String> {
        let mut names = Names::new(self.language());
        self.program.outputs.iter().map(|output| names.fresh(&output.name)).collect()
    }

    fn result_structure(&self) -> String {
        let ty = self.int.name(self.language());
        let fields: Vec<Field> = self.output_names().into_iter().map(|name| Field { name, ty: ty.into(), comment: None }).collect();
        syntax::structure(self.language(), &format!("The results of {}", self.function), &self.structure("result"), &fields)
    }

    /// Returns the domain of input `k` in words, for a comment.
    fn domain(&self, k: usize) -> String {
        let below = self.lowered.below[k].and_then(|below| self.formula(self.language(), below));
        let note = match self.lowered.inputs[k] {
            None => ", not used",
            _ if self.stages.is_some() && self.program.inputs[k].time == Time::Launch => ", per launch",
            _ => "",
        };
        domain::of(&self.inputs[k], self.program.facts_of_input(k), below, note)
    }

    fn thread_function(&self, printer: &Printer<'_>, place: Place, name: &str, roots: &[Id]) -> String {
        let language = self.language();
        let mut leaves = input_leaves(&self.lowered, &self.inputs);
        if let Some(stages) = &self.stages {
            for (id, name) in stages.values.iter().zip(&self.values) {
                let field = word(format!("launch.{name}"));
                if self.ir().is_truth(*id) {
                    leaves.insert(*id, printer.unequal_zero(&field));
                    if let Some(number) = self.ir().find(Instruction::Number(*id)) {
                        leaves.insert(number, field);
                    }
                } else {
                    leaves.insert(*id, field);
                }
            }
            // Threads receive a divisor of the launch only as magic numbers, so the divisor itself has no text.
            for id in &stages.divisors {
                leaves.or_insert(*id, word(""));
            }
        }
        let Body { lines, results, live } = body(printer, &mut self.names.clone(), roots, &leaves);
        let mut parameters = Vec::new();
        for (k, input) in self.program.inputs.iter().enumerate() {
            if self.stages.is_none() || input.time == Time::Thread {
                let used = self.lowered.inputs[k].is_some_and(|id| live[id]);
                parameters.push(FunctionParameter { name: self.inputs[k].clone(), ty: self.int.name(language).into(), used });
            }
        }
        if self.stages.is_some() {
            let divides = (0..self.ir().len()).any(|id| live[id] && matches!(self.ir().inst(id), Instruction::Quotient(..)));
            let used = divides || leaves.keys().any(|id| live[*id] && self.ir().time(*id) == Some(Time::Launch));
            let ty = match language {
                Language::Rust => format!("&{}", self.structure("launch")),
                Language::Wgsl => self.structure("launch"),
                _ => format!("const {}", self.structure("launch")),
            };
            parameters.push(FunctionParameter { name: "launch".into(), ty, used });
        }
        let is_valid = self.lowered.valid.is_some() && name != self.function;
        let mut comment: Vec<String> = Vec::new();
        if is_valid {
            comment.push(format!("Whether the results of {} are meaningful", self.function));
        } else {
            comment.extend((0..self.inputs.len()).map(|k| self.domain(k)));
            if language == Language::Rust && roots.len() > 1 {
                comment.push(format!("returns ({})", self.output_names().join(", ")));
            }
            if self.int.is_signed() && language != Language::Rust && language != Language::Wgsl && has_shift(self.ir(), &live) {
                comment.push("shifts of negative numbers keep the sign".to_string());
            }
        }
        let returns = if is_valid {
            Returns::Truth
        } else if roots.len() == 1 {
            Returns::Number
        } else {
            Returns::Numbers(self.structure("result"), self.output_names())
        };
        let results = results.into_iter().map(|text| text.text).collect();
        let function = Function { comment, name: name.to_string(), parameters, returns, lines, results };
        syntax::function(language, place, self.int, &function)
    }

    /// Returns the text of the host function that fills the structure of a launch.
    fn prepare(&self, printer: &Printer<'_>, stages: &Stages) -> String {
        let host = self.host();
        let mut names = self.names.clone();
        let all: Vec<Id> = stages.values.iter().chain(&stages.divisors).copied().collect();
        let leaves = input_leaves(&self.lowered, &self.inputs);
        let body = body(printer, &mut names, &all, &leaves);
        let (values, divisors) = body.results.split_at(stages.values.len());
        let values: Vec<String> = stages.values.iter().zip(values).map(|(id, text)| printer.as_number(*id, text).text).collect();
        let mut f = Function {
            comment: (0..self.inputs.len()).filter(|k| self.program.inputs[*k].time == Time::Launch).map(|k| self.domain(k)).collect(),
            name: format!("{}_prepare", self.function),
            parameters: Vec::new(),
            returns: Returns::Of(self.host_structure("launch")),
            lines: body.lines,
            results: Vec::new(),
        };
        for (k, _) in self.program.inputs.iter().enumerate().filter(|(_, input)| input.time == Time::Launch) {
            let used = self.lowered.inputs[k].is_some_and(|id| body.live[id]);
            f.parameters.push(FunctionParameter { name: self.inputs[k].clone(), ty: self.int.name(host).into(), used });
        }
        if host == Language::C {
            f.lines.push(format!("    {} launch;", self.host_structure("launch")));
            for (name, value) in self.values.iter().zip(values) {
                f.lines.push(format!("    launch.{name} = {value};"));
            }
            for (stem, divisor) in self.divisors.iter().zip(divisors) {
                let parts = ["magic", "bias", "shift"].map(|part| format!("&launch.{stem}_{part}")).join(", ");
                f.lines.push(format!("    {}_magic({}, {parts});", self.function, divisor.text));
            }
            f.results.push("launch".to_string());
        } else {
            let mut fields: Vec<String> = Vec::new();
            for (name, value) in self.values.iter().zip(values) {
                fields.push(if *name == value { value } else { format!("{name}: {value}") });
            }
            for (stem, divisor) in self.divisors.iter().zip(divisors) {
                let divisor = match self.int.is_signed() {
                    true => printer.cast(divisor, self.int.unsigned()).text,
                    false => divisor.text.clone(),
                };
                let divider = format!("{}::total({divisor})", self.divider());
                if self.language() == Language::Rust {
                    fields.push(format!("{stem}_div: {divider}"));
                    continue;
                }
                let name = names.fresh(&format!("{stem}_div"));
                f.lines.push(format!("    let {name} = {divider};"));
                let cast = if self.int.is_narrow() { String::new() } else { format!(" as {}", self.int.unsigned().name(host)) };
                fields.extend(["magic", "bias"].map(|part| format!("{stem}_{part}: {name}.{part}()")));
                fields.push(format!("{stem}_shift: {name}.shift(){cast}"));
            }
            let one = format!("{} {{ {} }}", self.host_structure("launch"), fields.join(", "));
            let many = format!("{} {{\n        {},\n    }}", self.host_structure("launch"), fields.join(",\n        "));
            f.results.push(if one.len() <= 100 { one } else { many });
        }
        syntax::function(host, Place::Host, self.int, &f)
    }
}

fn table_of(op: Instruction) -> Option<usize> {
    match op {
        Instruction::Lookup(_, table, _) => Some(table),
        _ => None,
    }
}

fn has_shift(ir: &Ir, live: &[bool]) -> bool {
    let negative = |a: Id| ir.facts(a).lo < 0;
    (0..ir.len()).any(|id| live[id] && matches!(ir.inst(id), Instruction::Shift(a, _) if negative(a)))
}
