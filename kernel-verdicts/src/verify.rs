//! The verdict on a kernel: each claim is proven for all sizes, refuted by a witness, or open.

use crate::Kernel;
use crate::concurrent::{Around, Site, pairs, sites};
use crate::kernel::{Expr, Kind, Name, Role, Statement};
use crate::linear::Space;
use crate::prove::{is_free_of_races, is_inside};
use crate::reach::{is_stored, is_written};
use crate::run::{Event, FILLS, Fault, FaultKind, faults};
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The number of steps of threads that the search for a witness takes in all, and at one tuple of sizes.
const STEPS: [usize; 2] = [1 << 23, 1 << 19];

/// The maximum number of tuples of sizes that the search for a witness tries.
const TUPLES: usize = 1 << 10;

/// A claim about a kernel. Lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// No two threads touch one element of this memory without a barrier between them, unless both load, or both add.
    NoRace(String),
    /// The access of this line touches an element of its memory, and all entries of tables in this line exist.
    InBounds(usize),
    /// The load, or the sum, of this line reads an element that this thread has stored, or another one before a barrier.
    Stored(usize),
    /// The kernel stores every element of this memory.
    Written(String),
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::NoRace(memory) => write!(f, "`{memory}` has no races"),
            Claim::InBounds(line) => write!(f, "line {line} is in bounds"),
            Claim::Stored(line) => write!(f, "line {line} reads what was stored"),
            Claim::Written(memory) => write!(f, "`{memory}` is written as a whole"),
        }
    }
}

/// An access of a thread that a witness names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The line of the access, from 1.
    pub line: usize,
    /// The text of this line.
    pub text: String,
    /// The coordinates in the grid.
    pub block: Vec<(String, i64)>,
    /// The coordinates in the block.
    pub thread: Vec<(String, i64)>,
    /// The counters of the loops around the access.
    pub counters: Vec<(String, i64)>,
}

/// Sizes at which a claim is false, and the threads that show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The values of the parameters.
    pub sizes: Vec<(String, i64)>,
    /// The coordinates of the element, or of the entry of a table.
    pub element: Vec<i64>,
    /// Both accesses of a race, the access outside its memory, the load, or none.
    pub touches: Vec<Touch>,
    /// The entries of the tables, in words. Empty for a kernel without tables.
    pub tables: &'static str,
}

/// The entries of tables, by the number of the fill. Entries are numbered in row-major order.
const ENTRIES: [&str; FILLS] = [
    "each entry of a table is 0, and of a distinct one its number",
    "each entry of a table is its number modulo the bound, and of a distinct one the bound - 1 - its number",
    "each entry k of a table is (2654435769 * k >> 7) modulo the bound, and of a distinct one the bound - 1 - k",
];

/// The answer to a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KernelVerdict {
    /// The claim holds for all values of the parameters.
    Proven,
    /// The claim is false.
    Refuted(Witness),
    /// The claim is neither proven, nor false at any of the sizes that were tried.
    Open,
}

/// A claim and its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The claim.
    pub claim: Claim,
    /// The verdict.
    pub verdict: KernelVerdict,
}

/// The verdicts on a kernel.
///
/// ```
/// use kernel_verdicts::{Claim, Kernel, KernelVerdict};
/// let report = Kernel::parse("
///     kernel reverse
///     param n >= 1
///     block t < 32
///     shared s (32)
///     store s[t]
///     load s[31 - t]
/// ")?.verify();
/// assert!(!report.is_proven());
/// let KernelVerdict::Refuted(witness) = &report.findings[0].verdict else { panic!("a barrier is missing") };
/// assert_eq!(report.findings[0].claim, Claim::NoRace("s".into()));
/// assert_eq!((&witness.element[..], witness.touches[0].line, witness.touches[1].line), (&[0][..], 6, 7));
/// assert_eq!((&witness.touches[0].thread[..], &witness.touches[1].thread[..]), (&[("t".into(), 0)][..], &[("t".into(), 31)][..]));
/// # Ok::<(), kernel_verdicts::KernelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The name of the kernel.
    pub kernel: String,
    /// The parameters, each with the least value that it may have.
    pub params: Vec<(String, i64)>,
    /// The claims, in the order of the memories and of the text.
    pub findings: Vec<Finding>,
    /// The number of tuples of sizes at which the kernel was run to find witnesses.
    pub tried: usize,
}

impl Report {
    /// Returns true if all claims are proven.
    pub fn is_proven(&self) -> bool {
        self.findings.iter().all(|finding| finding.verdict == KernelVerdict::Proven)
    }

    /// Iterates over the claims that are false, each with its witness.
    pub fn refuted(&self) -> impl Iterator<Item = (&Claim, &Witness)> {
        self.findings.iter().filter_map(|finding| match &finding.verdict {
            KernelVerdict::Refuted(witness) => Some((&finding.claim, witness)),
            _ => None,
        })
    }

    /// Iterates over the claims that are neither proven nor refuted.
    pub fn open(&self) -> impl Iterator<Item = &Claim> {
        self.findings.iter().filter(|finding| finding.verdict == KernelVerdict::Open).map(|finding| &finding.claim)
    }
}

/// Numbers with their names.
struct Named<'n>(&'n [(String, i64)]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(k, (name, number))| write!(f, "{}{name} = {number}", if k > 0 { ", " } else { "" }))
    }
}

impl fmt::Display for Touch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `{}`", self.line, self.text)?;
        let names = [&self.block[..], &self.thread, &self.counters].concat();
        if names.is_empty() { Ok(()) } else { write!(f, " where {}", Named(&names)) }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let proven = self.findings.iter().filter(|finding| finding.verdict == KernelVerdict::Proven).count();
        write!(f, "{}: {proven} of {} claims are proven", self.kernel, self.findings.len())?;
        for (k, (name, least)) in self.params.iter().enumerate() {
            write!(f, "{}{name} >= {least}", if k == 0 { " for all " } else { ", " })?;
        }
        writeln!(f)?;
        for finding in &self.findings {
            match &finding.verdict {
                KernelVerdict::Proven => {}
                KernelVerdict::Open => writeln!(f, "open: {}; no fault at {} tuples of sizes", finding.claim, self.tried)?,
                KernelVerdict::Refuted(witness) => {
                    write!(f, "false: {}", finding.claim)?;
                    if !witness.sizes.is_empty() {
                        write!(f, " where {}", Named(&witness.sizes))?;
                    }
                    writeln!(f, ", at {:?}", witness.element)?;
                    if !witness.tables.is_empty() {
                        writeln!(f, "  where {}", witness.tables)?;
                    }
                    witness.touches.iter().try_for_each(|touch| writeln!(f, "  {touch}"))?;
                }
            }
        }
        Ok(())
    }
}

impl Kernel {
    /// Decides all claims about the kernel: no races, all accesses in bounds, no load of an element that was never stored, and no
    /// element of a `written` memory left out.
    ///
    /// A claim is [`Proven`](KernelVerdict::Proven) for all values of the parameters, or [`Refuted`](KernelVerdict::Refuted) by the threads and
    /// sizes at which it is false. Proofs use mixed radices, ranges and conditions. Witnesses come from runs of the kernel at small sizes,
    /// and at sizes around its numbers. A claim that neither decides is [`Open`](KernelVerdict::Open).
    ///
    /// ```
    /// use kernel_verdicts::Kernel;
    /// let report = Kernel::parse("
    ///     kernel fill
    ///     param n >= 1
    ///     grid b < ceil(n / 64)
    ///     block t < 64
    ///     global y (n) written
    ///     store y[64 * b + t]
    /// ")?.verify();
    /// assert_eq!(report.to_string(), "\
    /// fill: 2 of 3 claims are proven for all n >= 1
    /// false: line 7 is in bounds where n = 1, at [1]
    ///   line 7: `store y[64 * b + t]` where b = 0, t = 1
    /// ");
    /// # Ok::<(), kernel_verdicts::KernelError>(())
    /// ```
    pub fn verify(&self) -> Report {
        self.verify_only(|_| true)
    }

    /// Decides the claims for which `wanted` returns true. The report has these claims alone, and the search for witnesses is for these
    /// alone.
    ///
    /// ```
    /// use kernel_verdicts::{Claim, Kernel};
    /// let kernel = Kernel::parse("kernel k\nparam n >= 1\nblock t < 32\nglobal y (n)\nstore y[t]")?;
    /// assert!(!kernel.verify().is_proven());
    /// assert!(kernel.verify_only(|claim| matches!(claim, Claim::NoRace(_))).is_proven());
    /// # Ok::<(), kernel_verdicts::KernelError>(())
    /// ```
    pub fn verify_only(&self, wanted: impl Fn(&Claim) -> bool) -> Report {
        let sites = sites(self);
        let mut findings = self.claims(&sites);
        findings.retain(|(kind, _)| wanted(&self.claim(*kind, &sites)));
        let mut open: Vec<usize> = (0..findings.len()).filter(|k| findings[*k].1 == KernelVerdict::Open).collect();
        let (mut tried, mut steps) = (0, STEPS[0]);
        let tuples = if open.is_empty() { Vec::new() } else { self.sizes() };
        for sizes in tuples {
            if open.is_empty() || steps == 0 {
                break;
            }
            let fills = if self.tables.is_empty() { 1 } else { FILLS };
            for fill in 0..fills {
                let mut budget = STEPS[1].min(steps);
                let before = budget;
                let found = faults(self, &sizes, fill, &mut budget);
                steps = steps.saturating_sub(before.saturating_sub(budget));
                let Ok((found, whole)) = found else { continue };
                tried += usize::from(fill == 0 && whole);
                for fault in found {
                    if let Some(place) = open.iter().position(|k| findings[*k].0 == fault.kind) {
                        let k = open.swap_remove(place);
                        findings[k].1 = KernelVerdict::Refuted(self.witness(&sizes, fill, &fault, &sites));
                    }
                }
            }
        }
        let findings = findings.into_iter().map(|(kind, verdict)| Finding { claim: self.claim(kind, &sites), verdict }).collect();
        Report {
            kernel: self.name.clone(),
            params: self.params().map(|(name, least)| (name.to_string(), least)).collect(),
            findings,
            tried,
        }
    }

    /// Returns the claims by the faults that refute them, each proven or open.
    pub(crate) fn claims(&self, sites: &[Site]) -> Vec<(FaultKind, KernelVerdict)> {
        let verdict = |proven: Option<bool>| if proven == Some(true) { KernelVerdict::Proven } else { KernelVerdict::Open };
        let (of_block, of_grid) = (pairs(self, sites, false), pairs(self, sites, true));
        let mut out = Vec::new();
        for memory in 0..self.memories.len() {
            if sites.iter().any(|site| site.access.memory == memory) {
                let free = [(&of_block, false), (&of_grid, true)].into_iter().all(|(pairs, grid)| {
                    pairs
                        .pairs
                        .iter()
                        .filter(|pair| sites[pair.sites[0]].access.memory == memory)
                        .all(|pair| is_free_of_races(&mut Space::new(self), sites, pair, grid) == Some(true))
                });
                out.push((FaultKind::Race(memory), verdict(Some(free))));
            }
        }
        for (number, site) in sites.iter().enumerate() {
            let access = site.access;
            let inside = is_inside(&mut Space::new(self), &site.around, &access.at, &self.memories[access.memory].extents) == Some(true);
            let all = inside && access.at.iter().all(|at| self.has_entries(&site.around, at));
            out.push((FaultKind::Outside(number), verdict(Some(all))));
            if access.kind != Kind::Store && !self.memories[access.memory].given {
                out.push((FaultKind::NotStored(number), verdict(is_stored(&mut Space::new(self), sites, &of_block, number))));
            }
        }
        self.reads_of_tables(&self.body, &mut Vec::new(), &mut out);
        for (number, _) in self.memories.iter().enumerate().filter(|(_, memory)| memory.written) {
            out.push((FaultKind::NotWritten(number), verdict(is_written(&mut Space::new(self), sites, number))));
        }
        out
    }

    /// Adds a claim for each loop and each condition that reads a table.
    fn reads_of_tables<'k>(&'k self, body: &'k [Statement], around: &mut Vec<Around<'k>>, out: &mut Vec<(FaultKind, KernelVerdict)>) {
        for statement in body {
            let outside = around.len();
            let mut reads = |line: usize, around: &[Around], expr: &Expr| {
                if expr.has_entry() {
                    let proven = self.has_entries(around, expr);
                    let claim = (FaultKind::Table(line), if proven { KernelVerdict::Proven } else { KernelVerdict::Open });
                    match out.iter_mut().find(|(kind, _)| *kind == claim.0) {
                        Some(known) if !proven => *known = claim,
                        Some(_) => {}
                        None => out.push(claim),
                    }
                }
            };
            match statement {
                Statement::Loop { line, counter, body } => {
                    if let Role::Loop(extent) = &self.roles[*counter] {
                        reads(*line, around, extent);
                    }
                    around.push(Around::Loop(*counter));
                    self.reads_of_tables(body, around, out);
                }
                Statement::If { line, conditions, body } => {
                    for condition in conditions {
                        reads(*line, around, condition);
                        around.push(Around::If(condition));
                    }
                    self.reads_of_tables(body, around, out);
                }
                Statement::Access(_) | Statement::Barrier { .. } => {}
            }
            around.truncate(outside);
        }
    }

    /// Tests whether all entries of tables in an expression are proven to exist.
    fn has_entries(&self, around: &[Around], of: &Expr) -> bool {
        let mut entries = Vec::new();
        entries_of(of, &mut entries);
        entries.iter().all(|(table, at)| is_inside(&mut Space::new(self), around, at, &self.tables[*table].extents) == Some(true))
    }

    fn claim(&self, kind: FaultKind, sites: &[Site]) -> Claim {
        match kind {
            FaultKind::Race(memory) => Claim::NoRace(self.memories[memory].name.clone()),
            FaultKind::Outside(site) => Claim::InBounds(sites[site].access.line),
            FaultKind::Table(line) => Claim::InBounds(line),
            FaultKind::NotStored(site) => Claim::Stored(sites[site].access.line),
            FaultKind::NotWritten(memory) => Claim::Written(self.memories[memory].name.clone()),
        }
    }

    fn witness(&self, sizes: &[i64], fill: usize, fault: &Fault, sites: &[Site]) -> Witness {
        let named = |names: Vec<Name>, values: &[i64]| names.into_iter().map(|name| (self.names[name].clone(), values[name])).collect();
        let touch = |event: &Event| {
            let line = if let FaultKind::Table(line) = fault.kind { line } else { sites[event.site].access.line };
            Touch {
                line,
                text: self.lines.get(line - 1).cloned().unwrap_or_default(),
                block: named(self.names_where(|role| matches!(role, Role::Grid(_))), &event.names),
                thread: named(self.names_where(|role| matches!(role, Role::Block(_))), &event.names),
                counters: named(sites.get(event.site).map_or(Vec::new(), Site::loops), &event.names),
            }
        };
        Witness {
            sizes: named(self.names_where(|role| matches!(role, Role::Param(_))), sizes),
            element: fault.element.clone(),
            touches: fault.events.iter().map(touch).collect(),
            tables: if self.tables.is_empty() { "" } else { ENTRIES[fill] },
        }
    }

    /// Returns tuples of sizes to try, the least product first: small numbers, and the neighbours of numbers in the text.
    pub(crate) fn sizes(&self) -> Vec<Vec<i64>> {
        let params = self.names_where(|role| matches!(role, Role::Param(_)));
        let mut numbers = BTreeSet::new();
        let words = self.lines.iter().flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        numbers.extend(words.filter_map(|word| word.parse::<i64>().ok()).filter(|number| (2..=300).contains(number)));
        let mut lists: Vec<Vec<i64>> = Vec::new();
        for name in &params {
            let Role::Param(least) = self.roles[*name] else { continue };
            let around = numbers.iter().flat_map(|number| [number - 1, *number, number + 1, 2 * number]);
            let list: BTreeSet<i64> = [least, least + 1, least + 2].into_iter().chain(around.filter(|number| *number > least)).collect();
            lists.push(list.into_iter().collect());
        }
        // Shorten the longest list until there are few enough tuples.
        while lists.iter().fold(1usize, |count, list| count.saturating_mul(list.len())) > TUPLES {
            if let Some(longest) = lists.iter_mut().max_by_key(|list| list.len()) {
                longest.pop();
            }
        }
        let mut tuples = vec![vec![0; self.names.len()]];
        for (name, list) in params.iter().zip(&lists) {
            tuples = tuples
                .iter()
                .flat_map(|tuple| {
                    list.iter().map(|size| {
                        let mut tuple = tuple.clone();
                        tuple[*name] = *size;
                        tuple
                    })
                })
                .collect();
        }
        // The steps of a run grow with the product of the sizes.
        let product = |tuple: &Vec<i64>| params.iter().fold(1i64, |product, name| product.saturating_mul(tuple[*name].max(1)));
        tuples.sort_by_cached_key(|tuple| (product(tuple), tuple.iter().sum::<i64>()));
        tuples
    }
}

/// Adds the entries of tables in an expression: the table and the coordinates.
fn entries_of<'e>(expr: &'e Expr, out: &mut Vec<(usize, &'e [Expr])>) {
    match expr {
        Expr::Int(_) | Expr::Name(_) => {}
        Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|expr| entries_of(expr, out)),
        Expr::Entry(table, at) => {
            out.push((*table, at));
            at.iter().for_each(|expr| entries_of(expr, out));
        }
    }
}
