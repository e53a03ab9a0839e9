//! Computes in this process the numbers that the threads of a launch share. The emitted function `name_prepare` must
//! compute the same numbers.

use super::ir::Instruction;
use super::source::{File, file};
use super::stages::LaunchField;
use super::width::IntegerType;
use super::{Emit, EmitError, Language, domain};
use crate::program::{Program, Time, apply};
use layout_algebra::heap::*;
use layout_algebra::value::Node;
use layout_algebra::{FastDiv32, FastDiv64};

impl Program {
    /// Returns the bytes of the structure `name_launch` of the [emitted](Program::emit) text, filled as the
    /// function `name_prepare` fills it.
    ///
    /// A host in Rust passes the bytes to the kernel by value or in a uniform buffer. `inputs` are the inputs of the
    /// launch, in the order of [`inputs`](Program::inputs). The bytes have the byte order of this machine. Returns `None`
    /// if the text has no such structure and takes the inputs directly.
    ///
    /// Fails as [`emit`](Program::emit) does, and if an input is missing or outside its domain. Fails also for
    /// Rust and MLIR, whose texts have no structure of bytes.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Emit, Language, Program};
    /// let index = Program::parse_layout("((?{div=4},?),2):((?,1),?)", Coordinates::Modes)?;
    /// let emit = Emit::new(Language::Cuda, "place");
    /// let text = index.emit(&emit)?.device;
    /// let structure = text.split("typedef struct {").nth(1).and_then(|rest| rest.split('}').next()).unwrap();
    /// // n0 = 12, d0 = 5, d2 = 60.
    /// let launch = index.launch(&emit, &[12, 5, 60])?.unwrap();
    /// assert_eq!(launch.len(), 8 * structure.matches(';').count());
    /// assert_eq!(launch[..8], 12u64.to_ne_bytes());
    /// assert_eq!(index.launch(&emit, &[13, 5, 60]).unwrap_err().to_string(), "`n0` is 13, which is outside its domain: n0 >= 0, a multiple of 4");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn launch(&self, emit: &Emit, inputs: &[i64]) -> Result<Option<Vec<u8>>, EmitError> {
        if let language @ (Language::Rust | Language::Mlir) = emit.language {
            return Err(EmitError::Construct { language, construct: "the bytes of a launch" });
        }
        let file = file(self, emit)?;
        file.check_launch(inputs)?;
        file.launch_bytes(inputs)
    }
}

impl File<'_> {
    /// Iterates over the positions, among all inputs, of the inputs of the launch.
    fn launch_inputs(&self) -> impl Iterator<Item = usize> {
        (0..self.program.inputs.len()).filter(|k| self.program.inputs[*k].time == Time::Launch)
    }

    fn check_launch(&self, inputs: &[i64]) -> Result<(), EmitError> {
        let expected = self.launch_inputs().count();
        if inputs.len() != expected {
            return Err(EmitError::LaunchInputs { got: inputs.len(), expected });
        }
        for (k, value) in self.launch_inputs().zip(inputs.iter().copied()) {
            let known = self.program.facts_of_input(k);
            if !(known.lo..=known.hi).contains(&value) || value % known.div != 0 {
                let name = self.inputs[k].clone();
                return Err(EmitError::Outside { domain: domain::of(&name, known, None, ""), name, value });
            }
        }
        Ok(())
    }

    fn launch_bytes(&self, inputs: &[i64]) -> Result<Option<Vec<u8>>, EmitError> {
        let Some(stages) = &self.stages else { return Ok(None) };
        let mut given = vec![None; self.program.inputs.len()];
        self.launch_inputs().zip(inputs).for_each(|(k, value)| given[k] = Some(*value));
        let mut values: Vec<Option<i64>> = Vec::with_capacity(self.ir().len());
        for id in 0..self.ir().len() {
            let value = self.value(self.ir().inst(id), &given, &values);
            values.push(value);
        }
        let overflow = || EmitError::Expression { why: "a number of the launch overflows 64 bits".into() };
        let mut words = Vec::new();
        for field in stages.fields() {
            let value = values[field.id()].ok_or_else(overflow)?;
            match (field, self.int.is_narrow()) {
                (LaunchField::Value(..), _) => words.push(value as u64),
                (LaunchField::Divisor(..), true) => {
                    let by = FastDiv32::total(value as u32);
                    words.extend([by.magic() as u64, by.bias() as u64, by.shift() as u64]);
                }
                (LaunchField::Divisor(..), false) => {
                    let by = FastDiv64::total(value as u64);
                    words.extend([by.magic(), by.bias(), by.shift() as u64]);
                }
            }
        }
        Ok(Some(match self.int {
            IntegerType::U32 | IntegerType::I32 => words.iter().flat_map(|word| (*word as u32).to_ne_bytes()).collect(),
            _ => words.iter().flat_map(|word| word.to_ne_bytes()).collect(),
        }))
    }

    /// Returns the value of an operation from the values of all inputs and of all earlier nodes; `None` if it overflows or
    /// needs a value that only threads know.
    fn value(&self, inst: Instruction, inputs: &[Option<i64>], values: &[Option<i64>]) -> Option<i64> {
        use Instruction::*;
        let of = |id: usize| values[id];
        let two = |node, a, b| apply(node, of(a)?, of(b)?);
        Some(match inst {
            Int(value) => value,
            Truth(value) => value as i64,
            Input(k) => inputs[k]?,
            Neg(a) => of(a)?.checked_neg()?,
            Add(a, b) => two(Node::Add, a, b)?,
            Sub(a, b) => two(Node::Sub, a, b)?,
            Mul(a, b) => two(Node::Mul, a, b)?,
            Div(a, b) | GuardedDiv(a, b) | FloorDiv(a, b) | TotalDiv(a, b) | Quotient(a, b) => two(Node::Div, a, b)?,
            Rem(a, b) | GuardedRem(a, b) | FloorRem(a, b) | TotalRem(a, b) => two(Node::Rem, a, b)?,
            Shift(a, shift) => of(a)? >> shift,
            Mask(a, mask) => of(a)? & mask,
            Xor(a, b) => two(Node::Xor, a, b)?,
            Min(a, b) => of(a)?.min(of(b)?),
            Max(a, b) => of(a)?.max(of(b)?),
            Abs(a) => of(a)?.checked_abs()?,
            Lookup(at, table, _) => {
                usize::try_from(of(at)?).ok().and_then(|at| self.program.tables[table].entries.get(at)).copied().unwrap_or(0)
            }
            Number(a) => of(a)?,
            Less(a, b) => (of(a)? < of(b)?) as i64,
            AtLeast(a, b) => (of(a)? >= of(b)?) as i64,
            Equal(a, b) => (of(a)? == of(b)?) as i64,
            Unequal(a, b) => (of(a)? != of(b)?) as i64,
            Not(a) => (of(a)? == 0) as i64,
            And(a, b) => of(a)? & of(b)?,
            Or(a, b) => of(a)? | of(b)?,
            Select(c, a, b) => of(if of(c)? != 0 { a } else { b })?,
        })
    }
}
