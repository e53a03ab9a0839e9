//! The answer: chosen layouts, what each statement costs, and the least that it could cost.

use crate::assignment::Assignment;
use crate::component::{Component, Components};
use crate::convert::Conversion;
use crate::cost::{TileCost, reduction};
use crate::program::{TileMemory, TileProgram};
use crate::search::moved;
use crate::shared::{Instruction, Served};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// The layouts of a tile program, chosen by [`TileProgram::choose`]. Its text explains them.
///
/// ```
/// use layout_choice::TileProgram;
/// let choice = TileProgram::parse("
///     tile transpose
///     threads 128
///     global a f16 (64, 64)
///     global b f16 (64, 64)
///     shared s f16 (64, 64)
///     registers x f16 (64, 64)
///     registers y f16 (64, 64)
///     x[i, j] <- a[i, j]
///     s[i, j] <- x[i, j]
///     y[i, j] <- s[i, j]
///     b[j, i] <- y[i, j]
/// ")?.choose()?;
/// // All vectors to and from global memory have 16 bytes, and no sector is moved twice.
/// assert_eq!((choice.cost().global, choice.least().global), (16384, 16384));
/// assert!(choice.is_optimal());
/// # Ok::<(), layout_choice::ChoiceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TileChoice {
    pub(crate) program: TileProgram,
    pub(crate) components: Components,
    pub(crate) assignment: Assignment,
    statements: Vec<TileStatement>,
    least: TileCost,
    optimal: bool,
}

/// A statement of a tile program, and what it costs.
///
/// ```
/// use layout_choice::TileProgram;
/// let program = TileProgram::parse("tile t\nthreads 32\nglobal a f32 (8, 16)\nregisters x f32 (8, 16)\nx[i, j] <- a[i, j]")?;
/// let choice = program.choose()?;
/// let load = &choice.statements()[0];
/// assert_eq!((load.line, load.text.as_str(), load.moves.len()), (5, "x[i, j] <- a[i, j]", 1));
/// assert_eq!((load.moves[0].count, load.moves[0].least), (16, 16)); // sectors
/// # Ok::<(), layout_choice::ChoiceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TileStatement {
    /// The line, from 1.
    pub line: usize,
    /// The text.
    pub text: String,
    /// The accesses to memory, the shuffles, and the passes through shared memory. Empty if all elements stay in their threads.
    pub moves: Vec<TileMove>,
}

/// An access of a statement, or another way to move its elements.
///
/// ```
/// use layout_choice::TileProgram;
/// let program = TileProgram::parse("tile t\nthreads 32\nglobal a f32 (8, 16)\nregisters x f32 (8, 16)\nx[i, j] <- a[i, j]")?;
/// let load = program.choose()?.statements()[0].moves[0].clone();
/// assert_eq!(load.to_string(), "1 x load of 16 bytes in each of 1 warps: 16 sectors, least 16");
/// # Ok::<(), layout_choice::ChoiceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TileMove {
    /// The instruction, such as `load of 16 bytes` or `ldmatrix.x4`.
    pub instruction: String,
    /// The number of instructions of all warps.
    pub instructions: u64,
    /// The number of warps that execute them.
    pub warps: u64,
    /// What `count` counts: `sectors` of global memory, `wavefronts` of shared memory, or `shuffles`.
    pub unit: &'static str,
    /// The number of these for all warps.
    pub count: u64,
    /// The least number of these over all layouts.
    pub least: u64,
}

impl fmt::Display for TileMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileMove { instruction, instructions, warps, unit, count, least } = self;
        write!(f, "{} x {instruction} in each of {warps} warps: {count} {unit}, least {least}", instructions / (*warps).max(1))
    }
}

impl TileChoice {
    pub(crate) fn new(
        program: &TileProgram,
        components: Components,
        assignment: Assignment,
        least: &BTreeMap<usize, u64>,
        optimal: bool,
    ) -> TileChoice {
        let mut statements: Vec<TileStatement> =
            program.statements.iter().map(|of| TileStatement { line: of.line, text: of.text.clone(), moves: Vec::new() }).collect();
        let mut bound = TileCost::default();
        for (component, distribution) in components.all.iter().zip(&assignment.distributions) {
            for (transfer, of) in component.transfers.iter().zip(moved(program, component, distribution)) {
                let tensor = &program.tensors[transfer.tensor];
                if of.memory != TileMemory::Global {
                    continue;
                }
                let access = of.steps.global(of.bytes, of.store, &program.machine);
                let time = access.time(&program.machine, program.threads);
                let lowest = least.get(&transfer.statement).map_or(time, |least| time.min(*least));
                bound.global += lowest;
                bound.sectors += tensor.bytes().div_ceil(program.machine.sector as u64);
                let warps = (program.threads / program.machine.lanes) as u64;
                let kind = if of.store { "store" } else { "load" };
                statements[transfer.statement].moves.push(TileMove {
                    instruction: format!("{kind} of {} bytes", access.vector),
                    instructions: access.instructions as u64 * warps,
                    warps,
                    unit: "sectors",
                    count: access.sectors as u64,
                    least: tensor.bytes().div_ceil(program.machine.sector as u64),
                });
            }
            for of in &component.reductions {
                let cost = reduction(of, distribution);
                if cost.shared > 0 {
                    let warps = (program.threads / program.machine.lanes) as u64;
                    let (instructions, count) = (cost.instructions, cost.shared);
                    let instruction = "shuffle or exchange between warps".to_string();
                    statements[of.statement].moves.push(TileMove { instruction, instructions, warps, unit: "shuffles", count, least: 0 });
                }
            }
        }
        for (tensor, layout) in &assignment.shared {
            let tensor = &program.tensors[*tensor];
            for served in &layout.accesses {
                let lowest = tensor.bytes().div_ceil(program.machine.wavefront(served.store));
                bound.shared += lowest;
                statements[served.statement].moves.push(through_shared(program, served, tensor.element.bytes, lowest));
            }
        }
        for (statement, converted) in &assignment.conversions {
            let tensor = &program.tensors[program.statements[*statement].target.tensor];
            let moves = &mut statements[*statement].moves;
            match &converted.conversion {
                Conversion::None => {}
                Conversion::Shuffles(shuffles) => {
                    let warps = (program.threads / program.machine.lanes) as u64;
                    let (count, _) = converted.cost;
                    let instruction = format!("shuffle with {} selections", shuffles.choices);
                    moves.push(TileMove { instruction, instructions: count, warps, unit: "shuffles", count, least: count });
                }
                Conversion::Shared(layout) => {
                    moves.extend(layout.accesses.iter().map(|served| {
                        let lowest = tensor.bytes().div_ceil(program.machine.wavefront(served.store));
                        through_shared(program, served, tensor.element.bytes, lowest)
                    }));
                }
            }
        }
        bound.registers = components
            .all
            .iter()
            .flat_map(|of: &Component| &of.tensors)
            .map(|(tensor, _)| {
                let tensor = &program.tensors[*tensor];
                tensor.bytes().div_ceil(4 * program.threads as u64)
            })
            .sum();
        TileChoice { program: program.clone(), components, assignment, statements, least: bound, optimal }
    }

    /// Returns the cost.
    pub fn cost(&self) -> TileCost {
        self.assignment.cost
    }

    /// Returns lower bounds of the cost: of global memory, what each transfer costs alone in its best distribution; of shared memory, the
    /// bytes of each access in wavefronts that fill all banks; of registers, the elements shared equally. Instructions have the bound 0.
    pub fn least(&self) -> TileCost {
        self.least
    }

    /// Tests whether the cost is known to be the least: all distributions were tried, and nothing that was left out can cost less.
    pub fn is_optimal(&self) -> bool {
        self.optimal
    }

    /// Returns the statements in the order of the program.
    pub fn statements(&self) -> &[TileStatement] {
        &self.statements
    }

    /// Returns the layout of a tensor in the notation: of a tensor in memory from the coordinate to the element, of one in registers from
    /// `(thread, value)` to the integer coordinate of the tile. `None` if there is no such tensor, or no statement has it.
    ///
    /// ```
    /// use layout_choice::TileProgram;
    /// let program = TileProgram::parse("tile t\nthreads 32\nglobal a f32 (32)\nregisters x f32 (32)\nx[i] <- a[i]")?;
    /// let choice = program.choose()?;
    /// assert_eq!([choice.layout("a"), choice.layout("x"), choice.layout("y")], [Some("(32):(1)".into()), Some("(32,1):(1,0)".into()), None]);
    /// # Ok::<(), layout_choice::ChoiceError>(())
    /// ```
    pub fn layout(&self, name: &str) -> Option<String> {
        let k = self.program.tensors.iter().position(|tensor| tensor.name == name)?;
        let tensor = &self.program.tensors[k];
        if tensor.memory == TileMemory::Registers {
            return self.distribution(k).map(|distribution| distribution.notation(&tensor.extents));
        }
        match self.assignment.shared.get(&k) {
            Some(found) => Some(found.layout.clone()),
            None => tensor.stated.clone().or(tensor.fixed.as_ref().map(ToString::to_string)),
        }
    }

    /// Returns the program.
    pub fn program(&self) -> &TileProgram {
        &self.program
    }

    /// Returns the number of elements that the layout of a shared tensor spans.
    pub(crate) fn shared_size(&self, tensor: usize) -> Option<i64> {
        let layout = &self.assignment.shared.get(&tensor)?.layout;
        crate::shared::indices(layout, self.program.tensors[tensor].size()).ok()?.into_iter().max().map(|last| last + 1)
    }

    /// Returns the distribution of a tensor in registers over its own modes.
    pub(crate) fn distribution(&self, tensor: usize) -> Option<crate::distribution::Distribution> {
        self.components.all.iter().zip(&self.assignment.distributions).find_map(|(component, distribution)| {
            let (_, dimensions) = component.tensors.iter().find(|(k, _)| *k == tensor)?;
            Some(distribution.projected(dimensions))
        })
    }
}

/// Returns the move of an access to shared memory.
fn through_shared(program: &TileProgram, served: &Served, bytes: i64, least: u64) -> TileMove {
    let instruction = match served.instruction {
        Instruction::Matrices { digits, transposed } => format!("ldmatrix.x{}{}", 1 << digits, if transposed { ".trans" } else { "" }),
        Instruction::Vector { digits } => format!("{} of {} bytes", if served.store { "store" } else { "load" }, bytes << digits),
    };
    let warps = (program.threads / program.machine.lanes) as u64;
    TileMove { instruction, instructions: served.instructions, warps, unit: "wavefronts", count: served.wavefronts, least }
}

impl fmt::Display for TileChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} threads", self.program.name, self.program.threads)?;
        let width = self.program.tensors.iter().map(|tensor| tensor.name.len()).max().unwrap_or(0);
        for tensor in self.program.tensors.iter().filter(|tensor| tensor.memory != TileMemory::Global) {
            if let Some(layout) = self.layout(&tensor.name) {
                let kind = if tensor.memory == TileMemory::Shared { "shared memory" } else { "thread and value" };
                writeln!(f, "  {:width$}  {layout}  ({kind})", tensor.name)?;
            }
        }
        for statement in &self.statements {
            writeln!(f, "line {}: {}", statement.line, statement.text)?;
            for of in &statement.moves {
                writeln!(f, "  {of}")?;
            }
        }
        let (cost, least) = (self.cost(), self.least);
        write!(
            f,
            "global memory: {} bytes of time, least {}, and {} sectors, least {}; ",
            cost.global, least.global, cost.sectors, least.sectors
        )?;
        write!(f, "shared memory: {} wavefronts, least {}; ", cost.shared, least.shared)?;
        writeln!(f, "{} instructions; {} registers, least {}", cost.instructions, cost.registers, least.registers)?;
        let optimal = if self.optimal { "no other choice costs less" } else { "the search did not try all choices" };
        writeln!(f, "{optimal}")
    }
}
