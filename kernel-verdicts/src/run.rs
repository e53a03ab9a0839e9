//! Runs a kernel at given sizes, one thread after the other, and compares all accesses: the oracle of the proofs, and the source of
//! witnesses.

use crate::concurrent::{Site, sites};
use crate::kernel::{Access, Expr, Kernel, Kind, Name, Operator, Role, Statement};
use alloc::vec;
use alloc::vec::Vec;

/// The ways in which tables are filled.
pub(crate) const FILLS: usize = 3;

/// The number of steps of any comparison.
const COMPARED: usize = 1 << 16;

/// One access of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub site: usize,
    pub element: Vec<i64>,
    /// The coordinates in the grid and in the block, and the counters of the loops, by their names.
    pub names: Vec<i64>,
    block: usize,
    thread: usize,
    /// The number of barriers before: of the block or the grid, and of the grid.
    epochs: [usize; 2],
    /// The number of accesses before, in all threads.
    serial: usize,
}

/// A fault, and the accesses that show it: two, one or none.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub kind: FaultKind,
    /// The accesses. A statement without an access stands for the next one.
    pub events: Vec<Event>,
    /// The coordinates of the element.
    pub element: Vec<i64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    /// Two accesses of one memory conflict.
    Race(usize),
    /// The access with this number is outside its memory or reads outside a table.
    Outside(usize),
    /// The load or the sum with this number reads an element that is not stored.
    NotStored(usize),
    /// An element of the memory with this number is not stored.
    NotWritten(usize),
    /// The loop or the condition in this line reads outside a table.
    Table(usize),
}

/// The run ended before its end: it took too many steps, a number was too great, or the sizes do not exist.
pub(crate) struct Aborted;

type Result<T> = core::result::Result<T, Aborted>;

/// Returns the faults of a kernel. `sizes` has a number for each name, and the names of parameters read theirs. Counts steps down
/// from `budget`. If these do not suffice, it returns false, and the races and the accesses out of bounds up to there.
pub(crate) fn faults(kernel: &Kernel, sizes: &[i64], fill: usize, budget: &mut usize) -> Result<(Vec<Fault>, bool)> {
    let sites = sites(kernel);
    let mut run = Run {
        kernel,
        sites: &sites,
        names: sizes.to_vec(),
        fill,
        budget,
        events: Vec::new(),
        faults: Vec::new(),
        at: [0; 2],
        epochs: [0; 2],
        site: 0,
    };
    for table in &kernel.tables {
        let count = product(&run.extents(&table.extents)?)?;
        let below = run.value(&table.below)?;
        if (table.distinct && count > below) || (count > 0 && below < 1) {
            return Err(Aborted);
        }
    }
    let of_grid = kernel.names_where(|role| matches!(role, Role::Grid(_)));
    let of_block = kernel.names_where(|role| matches!(role, Role::Block(_)));
    let ended = run.each(&of_grid, &mut |run| {
        run.at[1] = 0;
        run.each(&of_block, &mut |run| {
            (run.epochs, run.site) = ([0; 2], 0);
            run.statements(&kernel.body)?;
            run.at[1] += 1;
            Ok(())
        })?;
        run.at[0] += 1;
        Ok(())
    });
    // A comparison has steps of its own, in proportion to the accesses. It finds races even if the run has no end.
    let left = core::mem::replace(run.budget, 4 * run.events.len() + COMPARED);
    let compared = run.compare(ended.is_ok());
    *run.budget = left;
    compared?;
    Ok((run.faults, ended.is_ok()))
}

struct Run<'r, 'k> {
    kernel: &'k Kernel,
    sites: &'r [Site<'k>],
    names: Vec<i64>,
    fill: usize,
    budget: &'r mut usize,
    events: Vec<Event>,
    faults: Vec<Fault>,
    /// The numbers of the block and of the thread.
    at: [usize; 2],
    epochs: [usize; 2],
    /// The number of the next access in the text.
    site: usize,
}

/// The value of an expression, or the coordinates of an entry outside its table.
enum Value {
    Is(i64),
    Outside(Vec<i64>),
}

impl<'k> Run<'_, 'k> {
    fn step(&mut self) -> Result<()> {
        *self.budget = self.budget.checked_sub(1).ok_or(Aborted)?;
        Ok(())
    }

    /// Calls `each` with every coordinate of the names.
    fn each(&mut self, names: &[Name], each: &mut dyn FnMut(&mut Self) -> Result<()>) -> Result<()> {
        let Some((first, rest)) = names.split_first() else { return each(self) };
        let (Role::Grid(extent) | Role::Block(extent)) = &self.kernel.roles[*first] else { return Err(Aborted) };
        for x in 0..self.value(extent)? {
            self.step()?;
            self.names[*first] = x;
            self.each(rest, each)?;
        }
        Ok(())
    }

    fn extents(&mut self, extents: &[Expr]) -> Result<Vec<i64>> {
        extents.iter().map(|extent| self.value(extent)).collect()
    }

    /// Returns the value of an expression without entries outside their tables.
    fn value(&mut self, expr: &Expr) -> Result<i64> {
        match self.evaluate(expr)? {
            Value::Is(value) => Ok(value),
            Value::Outside(_) => Err(Aborted),
        }
    }

    fn evaluate(&mut self, expr: &Expr) -> Result<Value> {
        Ok(Value::Is(match expr {
            Expr::Int(number) => *number,
            Expr::Name(name) => self.names[*name],
            Expr::Binary(operator, a, b) => {
                let a = match self.evaluate(a)? {
                    Value::Is(a) => a,
                    outside => return Ok(outside),
                };
                let b = match self.evaluate(b)? {
                    Value::Is(b) => b,
                    outside => return Ok(outside),
                };
                let value = match operator {
                    Operator::Add => a.checked_add(b),
                    Operator::Subtract => a.checked_sub(b),
                    Operator::Multiply => a.checked_mul(b),
                    Operator::Quotient if b > 0 => Some(a.div_euclid(b)),
                    Operator::Remainder if b > 0 => Some(a.rem_euclid(b)),
                    Operator::Quotient | Operator::Remainder => None,
                    Operator::Xor => Some(a ^ b),
                };
                value.ok_or(Aborted)?
            }
            Expr::Entry(table, at) => {
                let table = &self.kernel.tables[*table];
                let mut found = Vec::new();
                for at in at {
                    match self.evaluate(at)? {
                        Value::Is(x) => found.push(x),
                        outside => return Ok(outside),
                    }
                }
                let (extents, below) = (self.extents(&table.extents)?, self.value(&table.below)?);
                let Some(number) = number(&found, &extents) else { return Ok(Value::Outside(found)) };
                match (table.distinct, self.fill) {
                    (true, 0) => number,
                    (true, _) => below - 1 - number,
                    (false, 0) => 0,
                    (false, 1) => number % below,
                    (false, _) => (number.wrapping_mul(0x9e37_79b9) >> 7).rem_euclid(below),
                }
            }
        }))
    }

    fn event(&self, site: usize, element: Vec<i64>) -> Event {
        Event {
            site,
            element,
            names: self.names.clone(),
            block: self.at[0],
            thread: self.at[1],
            epochs: self.epochs,
            serial: self.events.len(),
        }
    }

    /// Records a fault, one of each kind.
    fn fault(&mut self, kind: FaultKind, events: Vec<Event>, element: Vec<i64>) {
        if self.faults.iter().all(|fault| fault.kind != kind) {
            self.faults.push(Fault { kind, events, element });
        }
    }

    fn statements(&mut self, body: &'k [Statement]) -> Result<()> {
        body.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'k Statement) -> Result<()> {
        self.step()?;
        match statement {
            Statement::Access(access) => {
                self.access(access)?;
                self.site += 1;
            }
            Statement::Barrier { grid } => {
                self.epochs[0] += 1;
                self.epochs[1] += usize::from(*grid);
            }
            Statement::If { line, conditions, body } => {
                let first = self.site;
                let mut holds = true;
                for condition in conditions {
                    match self.evaluate(condition)? {
                        Value::Is(value) => holds = value >= 0,
                        Value::Outside(at) => {
                            self.fault(FaultKind::Table(*line), vec![self.event(first, at.clone())], at);
                            holds = false;
                        }
                    }
                    if !holds {
                        break;
                    }
                }
                if holds {
                    self.statements(body)?;
                }
                self.site = first + accesses(body);
            }
            Statement::Loop { line, counter, body } => {
                let first = self.site;
                let Role::Loop(extent) = &self.kernel.roles[*counter] else { return Err(Aborted) };
                match self.evaluate(extent)? {
                    Value::Is(extent) => {
                        for k in 0..extent {
                            self.step()?;
                            (self.names[*counter], self.site) = (k, first);
                            self.statements(body)?;
                        }
                    }
                    Value::Outside(at) => self.fault(FaultKind::Table(*line), vec![self.event(first, at.clone())], at),
                }
                self.site = first + accesses(body);
            }
        }
        Ok(())
    }

    fn access(&mut self, access: &Access) -> Result<()> {
        let extents = self.extents(&self.kernel.memories[access.memory].extents)?;
        let mut at = Vec::new();
        for expr in &access.at {
            match self.evaluate(expr)? {
                Value::Is(x) => at.push(x),
                Value::Outside(at) => {
                    self.fault(FaultKind::Outside(self.site), vec![self.event(self.site, at.clone())], at);
                    return Ok(());
                }
            }
        }
        let event = self.event(self.site, at.clone());
        match number(&at, &extents) {
            Some(_) => self.events.push(event),
            None => self.fault(FaultKind::Outside(self.site), vec![event], at),
        }
        Ok(())
    }

    /// Finds the accesses that conflict and, after a whole run, loads of elements that are not stored, and elements that are not
    /// written.
    fn compare(&mut self, whole: bool) -> Result<()> {
        let (kernel, sites) = (self.kernel, self.sites);
        let access = |event: &Event| sites[event.site].access;
        let mut events = core::mem::take(&mut self.events);
        // The events of one element are adjacent, in the order of the threads and of the text.
        let key = |event: &Event| {
            let memory = access(event).memory;
            (memory, if kernel.memories[memory].global { 0 } else { event.block }, event.element.clone())
        };
        events.sort_by_cached_key(key);
        let same = |a: &Event, b: &Event| {
            access(a).memory == access(b).memory
                && a.element == b.element
                && (kernel.memories[access(a).memory].global || a.block == b.block)
        };
        for group in events.chunk_by(same) {
            self.of_element(group, whole)?;
        }
        if !whole {
            return Ok(());
        }
        for (number, memory) in kernel.memories.iter().enumerate().filter(|(_, memory)| memory.written) {
            let extents = self.extents(&memory.extents)?;
            let mut stored: Vec<&[i64]> = events
                .iter()
                .filter(|event| access(event).memory == number && access(event).kind != Kind::Load)
                .map(|event| &event.element[..])
                .collect();
            stored.dedup();
            let mut at = vec![0; extents.len()];
            let count = product(&extents)?;
            for k in 0..count {
                self.step()?;
                let mut rest = k;
                for (x, extent) in at.iter_mut().zip(&extents).rev() {
                    (*x, rest) = (rest % extent, rest / extent);
                }
                if stored.binary_search(&&at[..]).is_err() {
                    self.fault(FaultKind::NotWritten(number), Vec::new(), at);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Compares the accesses of one element.
    fn of_element(&mut self, group: &[Event], whole: bool) -> Result<()> {
        let kind = |event: &Event| self.sites[event.site].access.kind;
        let memory = self.sites[group[0].site].access.memory;
        let given = self.kernel.memories[memory].given || !whole;
        let writers: Vec<&Event> = group.iter().filter(|event| kind(event) != Kind::Load).collect();
        if given && (writers.is_empty() || group.iter().all(|event| kind(event) == Kind::Add)) {
            return Ok(());
        }
        *self.budget = self.budget.checked_sub(group.len() * (writers.len() / 8 + 1)).ok_or(Aborted)?;
        let is_concurrent = |a: &Event, b: &Event| match a.block == b.block {
            true => a.thread != b.thread && a.epochs[0] == b.epochs[0],
            false => a.epochs[1] == b.epochs[1],
        };
        let is_before = |a: &Event, b: &Event| match (a.block == b.block, a.thread == b.thread) {
            (true, true) => a.serial < b.serial,
            (true, false) => a.epochs[0] < b.epochs[0],
            _ => a.epochs[1] < b.epochs[1],
        };
        let mut found = Vec::new();
        let race = writers.iter().find_map(|a| {
            let b = group.iter().find(|b| kind(a).conflicts(kind(b)) && is_concurrent(a, b))?;
            Some(if a.serial < b.serial { [*a, b] } else { [b, *a] })
        });
        found.extend(race.map(|pair| (FaultKind::Race(memory), pair.map(Event::clone).to_vec())));
        if !given {
            let missing = |a: &&Event| kind(a) != Kind::Store && !writers.iter().any(|writer| is_before(writer, a));
            found.extend(group.iter().filter(missing).map(|a| (FaultKind::NotStored(a.site), vec![a.clone()])));
        }
        found.into_iter().for_each(|(kind, events)| self.fault(kind, events, group[0].element.clone()));
        Ok(())
    }
}

/// Returns the number of elements of a memory.
fn product(extents: &[i64]) -> Result<i64> {
    extents.iter().try_fold(1i64, |product, extent| product.checked_mul((*extent).max(0))).ok_or(Aborted)
}

/// Returns the row-major number of an element, or `None` if it is outside.
fn number(at: &[i64], extents: &[i64]) -> Option<i64> {
    at.iter().zip(extents).try_fold(
        0i64,
        |number, (x, extent)| {
            if (0..*extent).contains(x) { number.checked_mul(*extent)?.checked_add(*x) } else { None }
        },
    )
}

/// Returns the number of accesses in the text of statements.
fn accesses(body: &[Statement]) -> usize {
    let of = |statement: &Statement| match statement {
        Statement::Access(_) => 1,
        Statement::Loop { body, .. } | Statement::If { body, .. } => accesses(body),
        Statement::Barrier { .. } => 0,
    };
    body.iter().map(of).sum()
}
