//! Reductions: over the values of a thread, then over lanes, then over warps.

use super::Writer;
use super::index::sums;
use super::words::limit;
use crate::distribution::{Digit, product as count};
use crate::error::{Result, fail};
use crate::program::{Reduction, Statement};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Writer<'_> {
    /// Writes a reduction: over the values of a thread, then over lanes, then over warps.
    pub(super) fn reduce(&mut self, statement: &Statement, kind: Reduction) -> Result<()> {
        let (line, width) = (statement.line, self.choice.program.machine.lanes);
        let target = self.distribution(&statement.target, line)?;
        let (name, element) = (self.tensor(&statement.target).name.clone(), self.tensor(&statement.target).element);
        if !matches!(element.name, "f32" | "f64" | "i32" | "u32" | "i64" | "u64") {
            return fail(
                line,
                format!("`{name}` has the type {}; a reduction in a kernel is of f32, f64, or integers of 32 or 64 bits", element.name),
            );
        }
        // The register digits of all tensors: those that only the target has repeat the sources.
        let mut all: Vec<Digit> = target.registers.clone();
        let (mut lanes, mut warps): (Vec<Digit>, Vec<Digit>) = (Vec::new(), Vec::new());
        for source in &statement.sources {
            let own = self.distribution(source, line)?;
            all.extend(own.registers.iter().filter(|digit| !all.contains(digit)).copied().collect::<Vec<_>>());
            // A source that lacks a variable has copies at the place where another has a digit of it.
            for (known, more) in [(&mut lanes, own.lanes), (&mut warps, own.warps)] {
                if known.is_empty() {
                    *known = more;
                } else {
                    known.iter_mut().zip(more).filter(|(known, _)| known.mode.is_none()).for_each(|(known, more)| *known = more);
                }
            }
        }
        let (start, join) = match kind {
            Reduction::Sum => ("0".to_string(), "a + b"),
            Reduction::Max => (limit(element.name, false), "a < b ? b : a"),
            Reduction::Min => (limit(element.name, true), "b < a ? b : a"),
        };
        let cuda = element.cuda;
        let value = self.value(statement, &all)?;
        let at = self.from(&all, &target.registers, line)?;
        let results = target.values();
        self.line(&format!("{{ const auto join = []({cuda} a, {cuda} b) {{ return {join}; }};"));
        self.each(results, &format!("{name}[step] = {start};"));
        self.each(count(&all), &format!("{name}[{at}] = join({name}[{at}], ({cuda})({value}));"));
        let mut place = 1;
        for (own, left) in lanes.iter().zip(&target.lanes) {
            if left.mode.is_none() && own.mode.is_some() {
                self.each(results, &format!("{name}[step] = join({name}[step], __shfl_xor_sync(~0u, {name}[step], {place}));"));
            }
            place *= own.radix;
        }
        let gone: Vec<(i64, i64)> = {
            let mut place = 1;
            warps
                .iter()
                .zip(&target.warps)
                .map(|(own, left)| {
                    let digit = if left.mode.is_none() && own.mode.is_some() { (own.radix, place) } else { (1, 0) };
                    place *= own.radix;
                    digit
                })
                .filter(|(radix, _)| *radix > 1)
                .collect()
        };
        if !gone.is_empty() {
            let count_of_warps = self.choice.program.threads / width;
            let array = self.array(count_of_warps * results * width * element.bytes);
            self.line(&format!("alignas(16) __shared__ {cuda} {array}[{}];", count_of_warps * results * width));
            let at = format!("(tid / {width} * {results} + step) * {width} + tid % {width}");
            self.line(&format!("for (int step = 0; step < {results}; ++step) {array}[{at}] = {name}[step];"));
            self.barrier();
            // The warps that differ in these digits alone.
            let own: Vec<String> = gone.iter().map(|(radix, place)| format!("tid / {width} / {place} % {radix} * {place}")).collect();
            self.line(&format!("const int first = tid / {width} - ({});", own.join(" + ")));
            self.each(results, "{");
            for (k, offset) in sums(&gone).into_iter().enumerate() {
                let part = format!("{array}[((first + {offset}) * {results} + step) * {width} + tid % {width}]");
                let value = if k == 0 { part } else { format!("join({name}[step], {part})") };
                self.line(&format!("    {name}[step] = {value};"));
            }
            self.line("}");
        }
        self.line("}");
        Ok(())
    }
}
