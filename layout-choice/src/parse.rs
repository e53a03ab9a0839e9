//! Reads tile programs from text.

use crate::ChoiceError;
use crate::check;
use crate::error::{Result, fail};
use crate::program::{Action, ELEMENTS, LEAVES, Reduction, Reference, Statement, TileMemory, TileProgram, TileTensor};
use crate::shared::{indices, normal, rows};
use crate::target::{TARGETS, Target};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use layout_algebra::{DynCoord, DynLayout};
use layout_core::atoms::{ATOMS, Atom};

/// The maximum number of threads of a block.
const MOST_THREADS: i64 = 1024;

/// The maximum number of elements of a tensor.
const MOST_ELEMENTS: i64 = 1 << 20;

/// The maximum number of tensors, and of statements.
const MOST_PARTS: usize = 64;

impl TileProgram {
    /// Reads a tile program from its text.
    ///
    /// ```
    /// use layout_choice::TileProgram;
    /// let program = TileProgram::parse("
    ///     tile copy
    ///     threads 128
    ///     global a f32 (64, 64):(100, 1)   # rows with a pitch of 100
    ///     registers x f32 (64, 64)
    ///     x[i, j] <- a[i, j]
    /// ")?;
    /// assert_eq!((program.name(), program.threads(), program.tensors().len()), ("copy", 128, 2));
    /// # Ok::<(), layout_choice::ChoiceError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error with the line of the first statement that is not understood.
    pub fn parse(text: &str) -> Result<TileProgram> {
        let mut program = TileProgram {
            name: String::new(),
            machine: Target::Nvidia.machine(),
            threads: 0,
            threads_line: 1,
            machine_line: 0,
            tensors: Vec::new(),
            statements: Vec::new(),
        };
        let mut last = 1;
        for (k, line) in text.lines().enumerate() {
            let (at, line) = (k + 1, line.split('#').next().unwrap_or("").trim());
            if line.is_empty() {
                continue;
            }
            last = at;
            let (word, rest) = split(line);
            match (word, program.name.is_empty()) {
                ("tile", true) => program.name = name(rest, at)?,
                ("tile", false) => return fail(at, "a text has one `tile`".into()),
                (_, true) => return fail(at, format!("expected `tile` with a name, found `{line}`")),
                _ => program.line(word, rest, line, at)?,
            }
        }
        match (program.name.is_empty(), program.threads) {
            (true, _) => fail(last, "expected `tile` with a name, found the end".into()),
            (_, 0) => fail(last, "`threads` is missing: how many threads has a block?".into()),
            _ if program.threads % program.machine.lanes != 0 => {
                let (threads, lanes) = (program.threads, program.machine.lanes);
                fail(program.threads_line, format!("{threads} threads are no whole number of warps of {lanes} lanes"))
            }
            _ => {
                let target = program.machine.target;
                let wrong = program.statements.iter().find_map(|statement| match statement.action {
                    Action::Multiply(atom) if !target.has(&ATOMS[atom]) => Some((statement.line, &ATOMS[atom])),
                    _ => None,
                });
                match wrong {
                    Some((line, atom)) => fail(line, refused(target, atom)),
                    None => Ok(program),
                }
            }
        }
    }

    /// Reads a line after the first.
    fn line(&mut self, word: &str, rest: &str, line: &str, at: usize) -> Result<()> {
        let memory = match word {
            "threads" => {
                if self.threads != 0 {
                    return fail(at, format!("line {} states the threads already", self.threads_line));
                }
                self.threads_line = at;
                self.threads = number(rest, 1, MOST_THREADS, at)?;
                return Ok(());
            }
            "target" => return self.state_target(rest, at),
            "lanes" => {
                if self.machine.target != Target::Nvidia {
                    let (target, lanes) = (self.machine.target.name(), self.machine.lanes);
                    return fail(at, format!("the target {target} has waves of {lanes} lanes; `lanes` is for NVIDIA alone"));
                }
                self.machine_line = at;
                self.machine.lanes = number(rest, 1, 128, at)?;
                return Ok(());
            }
            "sector" => {
                self.machine_line = at;
                self.machine.sector = number(rest, 16, 4096, at)?;
                return match self.machine.sector.count_ones() {
                    1 => Ok(()),
                    _ => fail(at, format!("a sector of {} bytes is no power of two", self.machine.sector)),
                };
            }
            "global" => TileMemory::Global,
            "shared" => TileMemory::Shared,
            "registers" => TileMemory::Registers,
            _ => return self.statement(line, at),
        };
        if self.tensors.len() == MOST_PARTS {
            return fail(at, format!("a program has at most {MOST_PARTS} tensors"));
        }
        let tensor = self.tensor(memory, rest, at)?;
        self.tensors.push(tensor);
        Ok(())
    }

    /// Reads the target, which stands before the lines that depend on it.
    fn state_target(&mut self, rest: &str, at: usize) -> Result<()> {
        let Some((_, target)) = TARGETS.iter().find(|(name, _)| *name == rest) else {
            let names = TARGETS.map(|(name, _)| name).join(", ");
            return fail(at, format!("`{rest}` is no target: {names}"));
        };
        if self.machine_line > 0 {
            return fail(at, format!("one `target` stands before `lanes` and `sector`; line {} has one of them", self.machine_line));
        }
        self.machine_line = at;
        self.machine = target.machine();
        Ok(())
    }

    /// Reads `NAME TYPE SHAPE`, `NAME TYPE LAYOUT`, or `NAME TYPE SHAPE = LAYOUT` for registers.
    fn tensor(&self, memory: TileMemory, rest: &str, line: usize) -> Result<TileTensor> {
        let (given, rest) = split(rest);
        let name = name(given, line)?;
        if self.tensors.iter().any(|tensor| tensor.name == name) {
            return fail(line, format!("`{name}` has a meaning already"));
        }
        let (given, layout) = split(rest);
        let Some(element) = ELEMENTS.iter().find(|element| element.name == given) else {
            let names: Vec<&str> = ELEMENTS.iter().map(|element| element.name).collect();
            return fail(line, format!("`{given}` is no type of elements: {}", names.join(", ")));
        };
        let (shape, fixed) = match (memory, layout.split_once('=')) {
            (TileMemory::Registers, Some((shape, fixed))) => (shape.trim(), Some(fixed.trim())),
            (TileMemory::Registers, None) => (layout, None),
            _ => (layout, layout.contains(':').then_some(layout)),
        };
        let refused = |error: layout_algebra::LayoutError| ChoiceError { line, message: format!("`{layout}`: {error}") };
        // A swizzle changes indices, and not the shape.
        let stated = fixed.filter(|_| memory == TileMemory::Shared).map(String::from);
        let strided = fixed.map(|fixed| if memory == TileMemory::Shared { fixed.rsplit(" o ").next().unwrap_or(fixed) } else { fixed });
        let fixed = strided.map(DynLayout::<LEAVES>::parse).transpose().map_err(refused)?;
        let size = fixed.as_ref().map_or(0, DynLayout::size);
        let stated = match stated {
            Some(stated) => {
                check::shared(&stated, &indices(&stated, size).map_err(refused)?, line)?;
                Some(normal(&stated).map_err(refused)?)
            }
            None => None,
        };
        let extents = match (&fixed, memory) {
            (Some(layout), TileMemory::Global | TileMemory::Shared) => modes(layout),
            _ => DynCoord::<LEAVES>::parse(shape).map_err(refused)?.leaves().collect(),
        };
        let extents: Option<Vec<i64>> = extents.into_iter().collect();
        let extents = match extents {
            Some(extents) if !extents.is_empty() && extents.iter().all(|extent| *extent > 0) => extents,
            _ => return fail(line, format!("`{layout}` states no positive extents")),
        };
        match extents.iter().try_fold(1i64, |size, extent| size.checked_mul(*extent)) {
            Some(size) if size <= MOST_ELEMENTS => {}
            _ => return fail(line, format!("a tile has at most {MOST_ELEMENTS} elements, `{name}` has the extents {extents:?}")),
        }
        let fixed = match (memory, fixed) {
            (TileMemory::Global, None) => Some(DynLayout::parse(&rows(&extents)).map_err(refused)?),
            (TileMemory::Shared, _) => None,
            (_, fixed) => fixed,
        };
        if let (TileMemory::Global, Some(layout)) = (memory, &fixed) {
            check::strides(layout, &extents, line)?;
        }
        Ok(TileTensor { name, line, memory, element, extents, fixed, stated })
    }

    /// Reads `TARGET <- EXPRESSION`, `TARGET <- sum EXPRESSION`, `convert TARGET <- SOURCE` or `TARGET <- A, B by INSTRUCTION`.
    fn statement(&mut self, text: &str, line: usize) -> Result<()> {
        if self.statements.len() == MOST_PARTS {
            return fail(line, format!("a program has at most {MOST_PARTS} statements"));
        }
        let (convert, body) = if split(text).0 == "convert" { (true, split(text).1) } else { (false, text) };
        let Some((target, sources)) = body.split_once("<-") else {
            return fail(line, format!("expected a declaration or `x[i, j] <- a[i, j]`, found `{text}`"));
        };
        let (sources, instruction) = match sources.rsplit_once(" by ") {
            Some((sources, instruction)) => (sources, Some(instruction.trim())),
            None => (sources, None),
        };
        // `max(..)` of several arguments is a function of C.
        let kinds = [("sum", Reduction::Sum), ("max", Reduction::Max), ("min", Reduction::Min)];
        let found = kinds.into_iter().find(|(word, _)| split(sources).0 == *word).map(|(_, kind)| (split(sources).1, kind));
        let (sources, reduction) = found.map_or((sources, None), |(rest, kind)| (rest, Some(kind)));
        let mut variables = Vec::new();
        let (targets, around) = self.references(target, &mut variables, line)?;
        let kept = variables.len();
        let (sources, between) = self.references(sources, &mut variables, line)?;
        let [target] = &targets[..] else { return fail(line, format!("expected one target, found {}", targets.len())) };
        if let Some(text) = around.iter().find(|text| !text.trim().is_empty()) {
            return fail(line, format!("expected a target, found `{}`", text.trim()));
        }
        let action = match (instruction, reduction) {
            (Some(name), None) => {
                let Some(atom) = ATOMS.iter().position(|atom| atom.name == name) else {
                    let names: Vec<&str> = self.machine.target.instructions().collect();
                    return fail(line, format!("`{name}` is no matrix instruction: {}", names.join(", ")));
                };
                Action::Multiply(atom)
            }
            (Some(_), Some(_)) => return fail(line, "a product has no `sum`, `max` or `min`".into()),
            (None, Some(kind)) if variables.len() > kept => Action::Reduce(kind),
            (None, Some(_)) => return fail(line, "each variable of the sources is one of the target: there is nothing to reduce".into()),
            (None, None) if variables.len() > kept => {
                let name = &variables[kept];
                return fail(line, format!("the target lacks `{name}`; `<- sum x[..]`, `max` or `min` reduces it"));
            }
            (None, None) if convert => Action::Convert,
            (None, None) => Action::Map,
        };
        let statement = Statement { line, text: text.to_string(), action, target: target.clone(), sources, variables, between };
        check::statement(&self.tensors, &statement, kept)?;
        self.statements.push(statement);
        Ok(())
    }

    /// Reads the references of an expression such as `a[i, j] - m[i]`, and returns the texts around them. Adds new variables to `variables`.
    fn references(&self, text: &str, variables: &mut Vec<String>, line: usize) -> Result<(Vec<Reference>, Vec<String>)> {
        let (mut out, mut between, mut rest) = (Vec::new(), Vec::new(), text);
        while let Some((before, after)) = rest.split_once('[') {
            let Some((within, after)) = after.split_once(']') else { return fail(line, format!("`[` without `]` in `{}`", text.trim())) };
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let start = before.len() - before.bytes().rev().take_while(|byte| word(char::from(*byte))).count();
            let given = &before[start..];
            let Some(tensor) = self.tensors.iter().position(|tensor| tensor.name == given) else {
                return fail(line, format!("`{given}` is no tensor"));
            };
            between.push(before[..start].to_string());
            let mut of = Vec::new();
            for variable in within.split(',') {
                let variable = name(variable.trim(), line)?;
                let known = variables.iter().position(|known| *known == variable);
                of.push(known.unwrap_or(variables.len()));
                if known.is_none() {
                    variables.push(variable);
                }
            }
            let modes = self.tensors[tensor].extents.len();
            if of.len() != modes {
                return fail(line, format!("`{given}` has {modes} modes, and {} variables are given", of.len()));
            }
            if let Some(k) = (1..of.len()).find(|k| of[..*k].contains(&of[*k])) {
                return fail(line, format!("the variable `{}` stands for two modes of `{given}`", variables[of[k]]));
            }
            out.push(Reference { tensor, variables: of });
            rest = after;
        }
        between.push(rest.to_string());
        Ok((out, between))
    }
}

/// Returns the extents of the modes of a layout, each the size of its mode; `None` for one that is not known.
fn modes(layout: &DynLayout<LEAVES>) -> Vec<Option<i64>> {
    (0..layout.rank()).map(|mode| layout.mode(mode).ok().map(|mode| mode.size())).collect()
}

/// Returns the first word of a text, and the rest.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

/// Returns a name, or an error if the text is none.
fn name(text: &str, line: usize) -> Result<String> {
    let good = |k: usize, c: char| c == '_' || if k == 0 { c.is_ascii_alphabetic() } else { c.is_ascii_alphanumeric() };
    match text.is_empty() || !text.chars().enumerate().all(|(k, c)| good(k, c)) {
        true => fail(line, format!("expected a name, found `{text}`")),
        false => Ok(text.into()),
    }
}

/// Returns a number of a range, or an error.
fn number(text: &str, least: i64, most: i64, line: usize) -> Result<i64> {
    match text.trim().parse::<i64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => fail(line, format!("expected a number from {least} to {most}, found `{}`", text.trim())),
    }
}

/// Returns the reason for which a target refuses an instruction.
fn refused(target: Target, atom: &Atom) -> String {
    let others: Vec<&str> = TARGETS.iter().filter(|(_, other)| other.has(atom)).map(|(name, _)| *name).collect();
    let of = match others.is_empty() {
        true => "no target multiplies tiles in registers by it".to_string(),
        false => format!("it is an instruction of {}", others.join(" and ")),
    };
    let own: Vec<&str> = target.instructions().collect();
    format!("the target {} has no `{}`: {of}; {} has {}", target.name(), atom.name, target.name(), own.join(", "))
}
