//! Conversions: copies of registers, shuffles, and ways through shared memory.

use super::Writer;
use super::access::Access;
use super::index::{expression, place, sum};
use super::words::{cast, wide};
use crate::convert::Conversion;
use crate::distribution::{Digit, Distribution, product as count};
use crate::error::{Result, fail};
use crate::program::Statement;
use crate::shared::Served;
use crate::shuffle::{Bit, Shuffles};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl Writer<'_> {
    /// Writes a conversion: a copy of registers, shuffles, or a way through shared memory.
    pub(super) fn convert(&mut self, k: usize, statement: &Statement) -> Result<()> {
        let choice = self.choice;
        let line = statement.line;
        let Some(converted) = choice.assignment.conversions.get(&k) else { return fail(line, "a conversion is missing".into()) };
        let (from, to) = (self.distribution(&statement.sources[0], line)?, self.distribution(&statement.target, line)?);
        let (source, target) = (self.tensor(&statement.sources[0]), self.tensor(&statement.target));
        let (name, cuda, same) = (target.name.clone(), target.element.cuda, source.element.name == target.element.name);
        let value = |at: &str| {
            let value = format!("{}[{at}]", source.name);
            if same { value } else { cast(target.element.name, &wide(source.element.name, &value)) }
        };
        let layout = match &converted.conversion {
            Conversion::None => {
                let at = self.from(&to.registers, &from.registers, line)?;
                let value = value(&at);
                self.each(to.values(), &format!("{name}[step] = {value};"));
                return Ok(());
            }
            Conversion::Shuffles(shuffles) => {
                // The digits of the shuffles count the modes of the target; here they count variables.
                let shuffles = shuffles.mapped(|mode| Some(statement.target.variables[mode]));
                return self.shuffle(&shuffles, &from, &to, statement, value);
            }
            Conversion::Shared(layout) => layout,
        };
        let [Some(stored), Some(loaded)] = [layout.accesses.first(), layout.accesses.get(1)] else {
            return fail(line, "a conversion has no layout".into());
        };
        let array = self.array(target.size() * target.element.bytes);
        // The digits of the accesses count the modes of the target; here they count variables.
        let of = |served: &Served, own: Distribution| Access {
            name: array.clone(),
            reference: &statement.target,
            layout: layout.layout.clone(),
            served: Some(served.clone()),
            vector: served.vector.iter().map(|digit| digit.mapped(|mode| Some(statement.target.variables[mode]))).collect(),
            own,
        };
        let (store, load) = (of(stored, from.clone()), of(loaded, to.clone()));
        self.line("{");
        self.line(&format!("alignas(16) __shared__ {cuda} {array}[{}];", target.size()));
        let order = store.order();
        let at = self.from(&order, &from.registers, line)?;
        let value = value(&at);
        self.line(&format!("alignas(16) {cuda} stored[{}];", count(&order)));
        self.each(count(&order), &format!("stored[step] = {value};"));
        self.store(&store, statement)?;
        self.barrier();
        let values = self.load(&load, cuda, statement)?;
        let at = self.from(&to.registers, &values, line)?;
        self.each(to.values(), &format!("{name}[step] = loaded[{at}];"));
        self.line("}");
        self.line("}");
        Ok(())
    }

    /// Writes shuffles. `value(at)` is the value of the source in its register `at`.
    fn shuffle(
        &mut self,
        shuffles: &Shuffles,
        from: &Distribution,
        to: &Distribution,
        statement: &Statement,
        value: impl Fn(&str) -> String,
    ) -> Result<()> {
        let line = statement.line;
        let target = self.tensor(&statement.target);
        let (name, cuda) = (target.name.clone(), target.element.cuda);
        let elements = count(&shuffles.packed);
        let (word, whole) = match elements * target.element.bytes {
            8 => ("unsigned long long", "unsigned long long"),
            4 => ("unsigned", "unsigned"),
            2 => ("unsigned short", "unsigned"),
            _ => ("unsigned char", "unsigned"),
        };
        // The elements of the source, word by word.
        let order = |words: &[Digit]| shuffles.packed.iter().chain(words).copied().collect::<Vec<_>>();
        let (source, sent) = (count(&shuffles.source), value(&self.from(&order(&shuffles.source), &from.registers, line)?));
        self.line("{");
        self.line(&format!("alignas(16) {cuda} sent[{}];", source * elements));
        self.each(source * elements, &format!("sent[step] = {sent};"));
        self.line(&format!("{word} words_0[{source}];"));
        self.each(source, &format!("words_0[step] = reinterpret_cast<const {word}*>(sent)[step];"));
        let chosen = self.selections(0, word, &shuffles.source, &shuffles.sent);
        // Each word of the target, from the lane that has it. The pairs are the digits of one shuffle.
        let paired = |digit: &Digit| shuffles.pairs.iter().find(|(own, _)| own == digit).map_or(*digit, |(_, other)| *other);
        let at = self.from(&shuffles.target, &shuffles.source.iter().map(paired).collect::<Vec<_>>(), line)?;
        let threads: Vec<Digit> = to.lanes.iter().chain(&to.warps).copied().collect();
        let lane = |own: Bit| shuffles.from.iter().enumerate().filter(|(_, from)| **from == Some(own)).map(|(lane, _)| 1i64 << lane).sum();
        let first = expression(&(0..threads.len()).map(|bit| (2, lane(bit))).collect(), &Vec::new(), ["tid", "0"], line)?;
        let other = |digit: &Digit| shuffles.rounds.iter().find(|(own, _)| own == digit).map_or(0, |(_, bit)| 1i64 << bit);
        let round = expression(&sum(&shuffles.target, other), &Vec::new(), ["step", "0"], line)?;
        let (received, all) = (chosen + 1, count(&shuffles.target));
        let moved = format!("__shfl_sync(~0u, ({whole})words_{chosen}[{at}], ({first}) ^ ({round}))");
        let moved = if shuffles.keeps() { format!("({round}) == 0 ? words_{chosen}[{at}] : {moved}") } else { moved };
        self.line(&format!("{word} words_{received}[{all}];"));
        self.each(all, &format!("words_{received}[step] = {moved};"));
        let last = self.selections(received, word, &shuffles.target, &shuffles.received);
        self.line(&format!("alignas(16) {cuda} received[{}];", all * elements));
        self.each(all, &format!("reinterpret_cast<{word}*>(received)[step] = words_{last}[step];"));
        let at = self.from(&to.registers, &order(&shuffles.target), line)?;
        self.each(to.values(), &format!("{name}[step] = received[{at}];"));
        self.line("}");
        Ok(())
    }

    /// Writes exchanges of words whose numbers differ in a digit, in threads whose bit is 1. Returns the number of the last array.
    fn selections(&mut self, first: usize, word: &str, words: &[Digit], by: &[(Digit, Bit)]) -> usize {
        let mut last = first;
        for (digit, bit) in by {
            let (all, other) = (count(words), place(words, digit).unwrap_or(0));
            self.line(&format!("{word} words_{}[{all}];", last + 1));
            self.each(
                all,
                &format!("words_{}[step] = tid & {} ? words_{last}[step ^ {other}] : words_{last}[step];", last + 1, 1u64 << bit),
            );
            last += 1;
        }
        last
    }
}
