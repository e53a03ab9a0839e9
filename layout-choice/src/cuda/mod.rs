//! A choice as a kernel in CUDA or HIP.

mod access;
mod convert;
mod cores;
mod index;
mod product;
mod reduce;
mod words;

use crate::check::is_bytes;
use crate::distribution::{Digit, Distribution, product as count};
use crate::error::{Result, fail};
use crate::program::{Action, Reference, Statement, TileMemory, TileTensor};
use crate::report::TileChoice;
use crate::search::moved;
use crate::shared::Instruction;
use crate::target::Target;
use access::Access;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use index::{Sum, expression, place, sum, sums};
use words::{INTEGERS, cast, headers, in_hip, reserved, wide};

impl TileChoice {
    /// Returns a kernel in CUDA that executes the statements for one tile of each tensor.
    ///
    /// Its parameters are pointers to the first elements of the tiles in global memory, aligned to 16 bytes, in the order of their
    /// declarations. A launch has one block of all threads for each tile, and the caller moves the pointers.
    ///
    /// ```
    /// use layout_choice::TileProgram;
    /// let program = TileProgram::parse("tile copy\nthreads 32\nglobal a f32 (8, 16)\nglobal b f32 (8, 16)\nregisters x f32 (8, 16)
    ///     x[i, j] <- a[i, j]
    ///     b[i, j] <- x[i, j]")?;
    /// let text = program.choose()?.cuda()?;
    /// assert!(text.contains("extern \"C\" __global__ void __launch_bounds__(32) copy(const float* __restrict__ a, float* __restrict__ b)"));
    /// # Ok::<(), layout_choice::ChoiceError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error for a target of AMD, for warps that have not 32 lanes, for instructions other than `mma.sync`, for casts of types of
    /// 8 bits, for a tensor that is read before a statement writes it, above 48 KiB of shared memory, and for names with a meaning in CUDA.
    pub fn cuda(&self) -> Result<String> {
        self.kernel("cuda")
    }

    /// Returns a kernel in HIP for a target of AMD, as [`TileChoice::cuda`] does for NVIDIA.
    ///
    /// Its products are the functions that the compiler of HIP has for the matrix instructions of the target.
    ///
    /// ```
    /// use layout_choice::TileProgram;
    /// let text = "tile copy\ntarget cdna3\nthreads 64\nglobal a f32 (8, 32)\nglobal b f32 (8, 32)\nregisters x f32 (8, 32)
    ///     x[i, j] <- a[i, j]
    ///     b[i, j] <- x[i, j]";
    /// let choice = TileProgram::parse(text)?.choose()?;
    /// assert!(choice.hip()?.contains("#include <hip/hip_runtime.h>"));
    /// assert!(choice.cuda().is_err_and(|error| error.to_string().contains("cdna3")));
    /// # Ok::<(), layout_choice::ChoiceError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error for the target `nvidia`, for casts of types of 8 bits, for a tensor that is read before a statement writes it,
    /// above 64 KiB of shared memory, and for names that have a meaning in HIP.
    pub fn hip(&self) -> Result<String> {
        self.kernel("hip")
    }

    fn kernel(&self, language: &str) -> Result<String> {
        let (program, lanes) = (&self.program, self.program.machine.lanes);
        let target = program.machine.target;
        if target.language() != language {
            let (target, own) = (target.name(), target.language());
            return fail(program.threads_line, format!("the target is {target}, whose kernels are in {own}, not in {language}"));
        }
        if target == Target::Nvidia && lanes != 32 {
            return fail(program.threads_line, format!("CUDA has warps of 32 lanes, not {lanes}"));
        }
        let names = program.tensors.iter().map(|tensor| (&tensor.name, tensor.line)).chain([(&program.name, program.threads_line)]);
        if let Some((name, line)) = names.into_iter().find(|(name, _)| reserved(name)) {
            return fail(line, format!("`{name}` has a meaning in C++ or in the kernel; choose another name"));
        }
        for (k, statement) in program.statements.iter().enumerate() {
            let written = |tensor: usize| program.statements[..k].iter().any(|earlier| earlier.target.tensor == tensor);
            let tensors = || statement.sources.iter().map(|source| (source.tensor, &program.tensors[source.tensor]));
            if let Some((_, of)) = tensors().find(|(k, of)| of.memory != TileMemory::Global && !written(*k)) {
                return fail(statement.line, format!("`{}` is read, and no earlier statement writes it", of.name));
            }
            let target = &program.tensors[statement.target.tensor];
            let copied = statement.between.iter().all(|text| text.trim().is_empty())
                && tensors().all(|(_, of)| of.element.name == target.element.name);
            let bytes = tensors().map(|(_, of)| of).chain([target]).find(|of| is_bytes(of.element));
            if let (Some(of), false, Action::Map | Action::Convert | Action::Reduce(_)) = (bytes, copied, statement.action) {
                return fail(
                    statement.line,
                    format!("a kernel casts no `{}` without headers, and `{}` has this type", of.element.name, of.name),
                );
            }
        }
        let mut writer = Writer {
            choice: self,
            helpers: BTreeSet::new(),
            body: String::new(),
            scratch: 0,
            shared: shared_bytes(self),
            stored: BTreeSet::new(),
            loaded: BTreeSet::new(),
        };
        for k in 0..program.statements.len() {
            writer.statement(k)?;
        }
        let bytes = writer.shared;
        if bytes > target.most_shared() {
            let most = target.most_shared();
            return fail(program.threads_line, format!("the kernel has {bytes} bytes of shared memory, and a block at most {most}"));
        }
        let text = writer.finish();
        Ok(if target == Target::Nvidia { text } else { in_hip(&text) })
    }
}

/// The text of a kernel so far.
struct Writer<'a> {
    choice: &'a TileChoice,
    helpers: BTreeSet<String>,
    body: String,
    /// The number of arrays for conversions and reductions.
    scratch: usize,
    /// The number of bytes of shared memory.
    shared: i64,
    /// The memories that threads stored to, and loaded from, since the last barrier.
    stored: BTreeSet<String>,
    loaded: BTreeSet<String>,
}

impl<'a> Writer<'a> {
    fn line(&mut self, text: &str) {
        self.body.push_str("    ");
        self.body.push_str(text);
        self.body.push('\n');
    }

    /// Writes a loop of `count` values of `step`.
    fn each(&mut self, count: i64, body: &str) {
        self.line("#pragma unroll");
        self.line(&format!("for (int step = 0; step < {count}; ++step) {body}"));
    }

    fn tensor(&self, reference: &Reference) -> &'a TileTensor {
        &self.choice.program.tensors[reference.tensor]
    }

    /// Returns the distribution of a tensor in registers over the variables of a statement.
    fn distribution(&self, reference: &Reference, line: usize) -> Result<Distribution> {
        let Some(own) = self.choice.distribution(reference.tensor) else { return fail(line, "a tensor has no distribution".into()) };
        Ok(own.mapped(|mode| Some(reference.variables[mode])))
    }

    fn statement(&mut self, k: usize) -> Result<()> {
        let choice = self.choice;
        let statement = &choice.program.statements[k];
        self.line(&format!("// {}", statement.text));
        match statement.action {
            Action::Multiply(atom) => self.product(statement, atom),
            Action::Convert => self.convert(k, statement),
            Action::Reduce(kind) => self.reduce(statement, kind),
            Action::Map if self.tensor(&statement.target).memory == TileMemory::Registers && self.registers(statement) => {
                self.map(statement)
            }
            Action::Map => self.transfer(k, statement),
        }
    }

    fn registers(&self, statement: &Statement) -> bool {
        statement.sources.iter().all(|source| self.tensor(source).memory == TileMemory::Registers)
    }

    /// Writes `y[..] = expression` for all values of the target.
    fn map(&mut self, statement: &Statement) -> Result<()> {
        let target = self.distribution(&statement.target, statement.line)?;
        let text = self.value(statement, &target.registers)?;
        let text = cast(self.tensor(&statement.target).element.name, &text);
        let name = self.tensor(&statement.target).name.clone();
        self.each(target.values(), &format!("{name}[step] = {text};"));
        Ok(())
    }

    /// Returns the expression of a statement at value `step` of these register digits.
    fn value(&mut self, statement: &Statement, registers: &[Digit]) -> Result<String> {
        let mut text = String::new();
        for (before, source) in statement.between.iter().zip(&statement.sources) {
            let own = self.distribution(source, statement.line)?;
            let at = self.from(registers, &own.registers, statement.line)?;
            let tensor = self.tensor(source);
            text.push_str(before);
            text.push_str(&wide(tensor.element.name, &format!("{}[{at}]", tensor.name)));
        }
        text.push_str(statement.between.last().map_or("", String::as_str));
        Ok(text.trim().to_string())
    }

    /// Returns the number of the value in `own` that value `step` of `registers` has, as an expression. Digits that `own` lacks drop out.
    fn from(&self, registers: &[Digit], own: &[Digit], line: usize) -> Result<String> {
        expression(&sum(registers, |digit| place(own, digit).unwrap_or(0)), &Vec::new(), ["step", "0"], line)
    }

    /// Writes a copy between memories, or between a memory and registers.
    fn transfer(&mut self, k: usize, statement: &Statement) -> Result<()> {
        let choice = self.choice;
        let (component, distribution) = choice
            .components
            .all
            .iter()
            .zip(&choice.assignment.distributions)
            .find(|(component, _)| component.transfers.iter().any(|transfer| transfer.statement == k))
            .ok_or_else(|| crate::ChoiceError { line: statement.line, message: "a statement has no component".into() })?;
        let (mut from, mut last) = (None, None);
        for (transfer, of) in component.transfers.iter().zip(moved(&choice.program, component, distribution)) {
            if transfer.statement != k {
                continue;
            }
            let reference = if transfer.store { &statement.target } else { &statement.sources[0] };
            let variable = |mode: usize| Some(reference.variables[mode]);
            let own = distribution.projected(&transfer.dimensions).mapped(variable);
            let name = self.tensor(reference).name.clone();
            let layout = choice.layout(&name).unwrap_or_default();
            let served =
                choice.assignment.shared.get(&transfer.tensor).and_then(|layout| {
                    layout.accesses.iter().find(|served| served.statement == k && served.store == transfer.store).cloned()
                });
            let vector = match &served {
                Some(served) => served.vector.iter().map(|digit| digit.mapped(variable)).collect(),
                None => own.registers[..of.steps.global_vector(of.bytes, &choice.program.machine)].to_vec(),
            };
            let access = Access { name, reference, layout, served, vector, own };
            if transfer.store { last = Some(access) } else { from = Some(access) }
        }
        let loaded = match from {
            Some(access) => {
                let element = self.tensor(access.reference).element;
                let values = self.load(&access, element.cuda, statement)?;
                Some((values, element.name))
            }
            None => None,
        };
        let line = statement.line;
        match (loaded, last) {
            // The target is registers.
            (Some((values, element)), None) => {
                let target = self.distribution(&statement.target, line)?;
                let at = self.from(&target.registers, &values, line)?;
                let (name, own) = (self.tensor(&statement.target).name.clone(), self.tensor(&statement.target).element.name);
                let value = format!("loaded[{at}]");
                let value = if own == element { value } else { cast(own, &wide(element, &value)) };
                self.each(target.values(), &format!("{name}[step] = {value};"));
                self.line("}");
            }
            // The source is registers or the other memory.
            (loaded, Some(access)) => {
                let element = self.tensor(access.reference).element;
                let order = access.order();
                let (source, digits, from) = match &loaded {
                    Some((values, from)) => ("loaded".to_string(), values.clone(), *from),
                    None => {
                        let source = &statement.sources[0];
                        (self.tensor(source).name.clone(), self.distribution(source, line)?.registers, self.tensor(source).element.name)
                    }
                };
                let at = self.from(&order, &digits, line)?;
                let value = format!("{source}[{at}]");
                let value = if element.name == from { value } else { cast(element.name, &wide(from, &value)) };
                self.barrier_before_store(&access);
                self.line("{");
                self.line(&format!("alignas(16) {} stored[{}];", element.cuda, count(&order)));
                self.each(count(&order), &format!("stored[step] = {value};"));
                self.store(&access, statement)?;
                self.line("}");
                if loaded.is_some() {
                    self.line("}");
                }
            }
            (None, None) => return fail(line, "a copy has no memory".into()),
        }
        Ok(())
    }

    /// Writes a barrier if the access would overtake stores to the memory.
    fn barrier_before_load(&mut self, name: &str) {
        if self.stored.contains(name) {
            self.barrier();
        }
        self.loaded.insert(name.into());
    }

    /// Writes a barrier if the access would overtake others to the memory.
    fn barrier_before_store(&mut self, access: &Access<'_>) {
        if self.loaded.contains(&access.name) || self.stored.contains(&access.name) {
            self.barrier();
        }
        self.stored.insert(access.name.clone());
    }

    fn barrier(&mut self) {
        self.line("__syncthreads();");
        self.stored.clear();
        self.loaded.clear();
    }

    /// Writes the loads of an access into a new array `loaded`, in a block that the caller ends. Returns the digits of its values.
    fn load(&mut self, access: &Access<'_>, cuda: &str, statement: &Statement) -> Result<Vec<Digit>> {
        self.barrier_before_load(&access.name);
        let order = access.order();
        self.line("{");
        self.line(&format!("alignas(16) {cuda} loaded[{}];", count(&order)));
        let at = access.coordinates(statement)?;
        let rest = access.rest();
        self.each(count(&rest), "{");
        at.iter().for_each(|text| self.line(&format!("    {text}")));
        let index = access.index(statement)?;
        match access.served.as_ref().map(|served| served.instruction) {
            Some(Instruction::Matrices { digits, transposed }) => {
                let name = format!("ldmatrix_x{}{}", 1 << digits, if transposed { "_trans" } else { "" });
                self.helpers.insert(name.clone());
                self.line(&format!("    {name}(reinterpret_cast<unsigned*>(loaded) + {} * step, &{}[{index}]);", 1 << digits, access.name));
            }
            _ => {
                let (ty, length) = access.vector_type(self.tensor(access.reference).element.bytes);
                self.line(&format!(
                    "    *reinterpret_cast<{ty}*>(&loaded[{length} * step]) = *reinterpret_cast<const {ty}*>(&{}[{index}]);",
                    access.name
                ));
            }
        }
        self.line("}");
        Ok(order)
    }

    /// Writes the stores of an access from the array `stored`.
    fn store(&mut self, access: &Access<'_>, statement: &Statement) -> Result<()> {
        let (ty, length) = access.vector_type(self.tensor(access.reference).element.bytes);
        // The first of equal copies stores.
        let threads = access.threads();
        let copies: Sum = threads.iter().map(|digit| (digit.radix, i64::from(digit.mode.is_none()))).collect();
        if copies.iter().any(|(_, copy)| *copy > 0) {
            let text = expression(&copies, &Vec::new(), ["tid", "0"], statement.line)?;
            self.line(&format!("if (({text}) == 0)"));
        }
        self.each(count(&access.rest()), "{");
        access.coordinates(statement)?.iter().for_each(|text| self.line(&format!("    {text}")));
        let index = access.index(statement)?;
        self.line(&format!(
            "    *reinterpret_cast<{ty}*>(&{}[{index}]) = *reinterpret_cast<const {ty}*>(&stored[{length} * step]);",
            access.name
        ));
        self.line("}");
        Ok(())
    }

    /// Returns the name of a new array of this number of bytes in shared memory.
    fn array(&mut self, bytes: i64) -> String {
        self.scratch += 1;
        self.shared += bytes;
        format!("scratch{}", self.scratch)
    }

    fn finish(self) -> String {
        let program = &self.choice.program;
        let mut out = format!("// {}: one tile of each tensor, {} threads.\n", program.name, program.threads);
        out.push_str(&headers(program.machine.target, |name| program.tensors.iter().any(|tensor| tensor.element.name == name)));
        if self.body.contains("int32_t") || self.body.contains("int64_t") {
            out.push_str(INTEGERS);
        }
        self.helpers.iter().for_each(|helper| out.push_str(&product::helper(helper)));
        let written = |k: usize| program.statements.iter().any(|statement| statement.target.tensor == k);
        let parameters: Vec<String> = program
            .tensors
            .iter()
            .enumerate()
            .filter(|(_, tensor)| tensor.memory == TileMemory::Global)
            .map(|(k, tensor)| format!("{}{}* __restrict__ {}", if written(k) { "" } else { "const " }, tensor.element.cuda, tensor.name))
            .collect();
        let _ = writeln!(
            out,
            "extern \"C\" __global__ void __launch_bounds__({}) {}({}) {{",
            program.threads,
            program.name,
            parameters.join(", ")
        );
        out.push_str("    const int tid = threadIdx.x;\n");
        for (k, tensor) in program.tensors.iter().enumerate() {
            let size = match tensor.memory {
                TileMemory::Global => continue,
                TileMemory::Shared => self.choice.shared_size(k),
                TileMemory::Registers => self.choice.distribution(k).map(|of| of.values()),
            };
            if let Some(size) = size {
                let kind = if tensor.memory == TileMemory::Shared { "__shared__ " } else { "" };
                let _ = writeln!(out, "    alignas(16) {kind}{} {}[{size}];", tensor.element.cuda, tensor.name);
            }
        }
        out.push_str(&self.body);
        out.push_str("}\n");
        out
    }
}

/// Returns the number of bytes of the tensors in shared memory.
fn shared_bytes(choice: &TileChoice) -> i64 {
    let tensors = choice.program.tensors.iter().enumerate().filter(|(_, tensor)| tensor.memory == TileMemory::Shared);
    tensors.map(|(k, tensor)| choice.shared_size(k).unwrap_or(0) * tensor.element.bytes).sum()
}
