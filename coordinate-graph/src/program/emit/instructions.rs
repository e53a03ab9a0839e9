//! Programs as lists of operations, for code generators outside of this package.

use super::ir::Instruction;
use super::lower;
use crate::program::Program;
use layout_algebra::heap::*;
use layout_algebra::value::Facts;

/// A program as a list of operations, operands before the operations that use them.
///
/// ```
/// use coordinate_graph::program::{Coordinates, Instruction, Instructions, Program};
/// let Instructions { steps, outputs, valid, tables } = Program::parse_layout("(4,8):(8,1)", Coordinates::Linear)?.instructions();
/// // (i % 4) * 8 + i / 4
/// assert!(steps.iter().any(|(step, facts)| matches!(step, Instruction::Mask(..)) && facts.hi == 3));
/// assert_eq!((outputs.len(), valid, tables.len()), (1, None, 0));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Instructions {
    /// The operations, each with the facts of its value. A truth value has the facts of 0 and 1.
    pub steps: Vec<(Instruction, Facts)>,
    /// For each output of the program, the position of its operation.
    pub outputs: Vec<usize>,
    /// The position of the truth value that the outputs are meaningful; `None` if they always are.
    pub valid: Option<usize>,
    /// The entries of each table that [`Instruction::Lookup`] reads.
    pub tables: Vec<Vec<i64>>,
}

impl Program {
    /// Lowers the program to the operations that [`emit`](Program::emit) prints, without unused ones. No operation
    /// is moved to the host: numbers that are known per launch are inputs.
    ///
    /// The operations compute the outputs of [`run`](Program::run), in integers that hold all their values.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Instruction, Program};
    /// let index = Program::parse_layout("(8,?{max=64}):(?{max=64},1)", Coordinates::Modes)?;
    /// let code = index.instructions();
    /// let (last, facts) = code.steps[code.outputs[0]];
    /// assert!(matches!(last, Instruction::Add(..)));
    /// assert_eq!(facts.hi, 7 * 64 + 63);
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn instructions(&self) -> Instructions {
        let lowered = lower::lower(self, false);
        let ir = &lowered.ir;
        let live = ir.reach(lowered.outputs.iter().copied().chain(lowered.valid), |_| false);
        let mut position = vec![0; ir.len()];
        let mut steps = Vec::new();
        for id in (0..ir.len()).filter(|id| live[*id]) {
            position[id] = steps.len();
            steps.push((ir.inst(id).map(|operand| position[operand]), ir.facts(id)));
        }
        Instructions {
            steps,
            outputs: lowered.outputs.iter().map(|id| position[*id]).collect(),
            valid: lowered.valid.map(|id| position[id]),
            tables: self.tables.iter().map(|table| table.entries.clone()).collect(),
        }
    }
}
