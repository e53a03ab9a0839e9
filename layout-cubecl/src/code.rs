//! Index functions as code: the operations of a program, checked for 32-bit arithmetic, and their expansion into a kernel.

use crate::{CubeError, Result};
use coordinate_graph::program::{Instruction, Program, Time};
use cubecl::prelude::*;
use layout_algebra::value::Facts;

/// The operations of an index function. Equal code is one kernel, whatever the run-time leaves are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Code {
    steps: Vec<Instruction>,
    outputs: Vec<usize>,
    /// The greatest value of each output; `None` if nothing bounds it.
    pub greatest: Vec<Option<i64>>,
    /// The number of inputs that are known per launch. They come before the coordinate.
    pub leaves: usize,
}

const WORD: Facts = Facts { lo: 0, hi: u32::MAX as i64, div: 1 };

impl Code {
    /// Lowers a program. Sums and products are modulo 2^32, so they need no bounds. Fails if another operation needs numbers that
    /// are not proven to be from 0 to 2^32 - 1. The caller proves that the outputs are.
    pub fn new(program: &Program, layout: &str) -> Result<Code> {
        use Instruction::*;
        let leaves = program.inputs().iter().take_while(|input| input.time == Time::Launch).count();
        let code = program.instructions();
        let mut facts: Vec<Facts> = Vec::with_capacity(code.steps.len());
        for (step, known) in &code.steps {
            let of = |id: usize| facts[id];
            let closer = match *step {
                Input(_) => WORD,
                Add(a, b) => of(a).add(of(b)),
                Sub(a, b) => of(a).sub(of(b)),
                Mul(a, b) => of(a).mul(of(b)),
                Shift(a, exponent) => of(a).div(Facts::exactly(1 << exponent)),
                // The operands are not negative, or the operation is refused below.
                Div(a, _) | FloorDiv(a, _) | GuardedDiv(a, _) | TotalDiv(a, _) => Facts { lo: 0, hi: of(a).hi, div: 1 },
                Rem(a, _) | FloorRem(a, _) | GuardedRem(a, _) | TotalRem(a, _) => Facts { lo: 0, hi: of(a).hi, div: 1 },
                Xor(a, b) => of(a).xor(of(b)),
                Min(a, b) => of(a).min(of(b)),
                Max(a, b) => of(a).max(of(b)),
                Select(_, a, b) => of(a).union(of(b)),
                _ => Facts::ANY,
            };
            let ring = matches!(step, Int(_) | Truth(_) | Input(_) | Neg(_) | Add(..) | Sub(..) | Mul(..));
            let exact = |id: usize| of(id).lo >= 0 && of(id).hi <= WORD.hi;
            let choice = matches!(step, Select(..));
            let mut operands = step.operands().skip(usize::from(choice));
            if !ring && !choice && !operands.all(exact) || matches!(step, Lookup(..) | Quotient(..) | Abs(_)) {
                let text = format!("{step:?}").to_lowercase();
                let operation = text.split('(').next().unwrap_or_default().to_string();
                return Err(CubeError::Unproven { layout: layout.into(), operation });
            }
            if let Int(value) = *step
                && !(i64::from(i32::MIN)..=WORD.hi).contains(&value)
            {
                return Err(CubeError::Width { layout: layout.into(), value });
            }
            let signed = matches!(step, Input(_)) && known.lo < 0;
            facts.push(Facts { lo: known.lo.max(if signed { i64::MIN } else { closer.lo }), hi: known.hi.min(closer.hi), div: 1 });
        }
        let greatest = code.outputs.iter().map(|id| (facts[*id].hi <= WORD.hi).then_some(facts[*id].hi)).collect();
        Ok(Code { steps: code.steps.into_iter().map(|(step, _)| step).collect(), outputs: code.outputs, greatest, leaves })
    }

    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Adds the operations to the kernel and returns the outputs. `inputs` are the run-time leaves, then the coordinate.
    pub fn expand(&self, scope: &Scope, inputs: &[NativeExpand<u32>]) -> Vec<NativeExpand<u32>> {
        let mut values: Vec<Value> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = expand(scope, *step, inputs, &values);
            values.push(value);
        }
        self.outputs.iter().map(|id| values[*id].number()).collect()
    }
}

/// The value of an operation in a kernel.
#[derive(Clone, Copy)]
enum Value {
    Number(NativeExpand<u32>),
    Truth(NativeExpand<bool>),
}

impl Value {
    fn number(self) -> NativeExpand<u32> {
        match self {
            Value::Number(value) => value,
            Value::Truth(_) => 0_u32.into(),
        }
    }

    fn truth(self) -> NativeExpand<bool> {
        match self {
            Value::Truth(value) => value,
            Value::Number(_) => false.into(),
        }
    }
}

/// Adds one operation to the kernel. `values` has the values of the operations before it.
fn expand(scope: &Scope, step: Instruction, inputs: &[NativeExpand<u32>], values: &[Value]) -> Value {
    use Instruction::*;
    let n = |id: usize| values[id].number();
    let t = |id: usize| values[id].truth();
    let word = |value: i64| NativeExpand::<u32>::from(value as u32);
    let known = |id: usize| n(id).constant().map(|value| value.as_u32());
    let quotient = |a: usize, b: usize| n(a).__expand_div_method(scope, n(b));
    let remainder = |a: usize, b: usize| n(a).__expand_rem_method(scope, n(b));
    let zero = |id: usize| n(id).__expand_eq_method(scope, &word(0));
    // A thread never divides by 0.
    let divisor = |id: usize| select::expand(scope, zero(id), word(1), n(id));
    let select_number = |c, a, b| Value::Number(select::expand::<u32>(scope, c, a, b));
    match step {
        Int(value) => Value::Number(word(value)),
        Truth(value) => Value::Truth(value.into()),
        Input(k) => Value::Number(inputs[k]),
        Neg(a) => Value::Number(word(0).__expand_sub_method(scope, n(a))),
        Add(a, b) => Value::Number(n(a).__expand_add_method(scope, n(b))),
        Sub(a, b) => Value::Number(n(a).__expand_sub_method(scope, n(b))),
        Mul(a, b) => Value::Number(match known(b) {
            Some(factor) if factor.is_power_of_two() => n(a).__expand_shl_method(scope, word(factor.trailing_zeros().into())),
            _ => n(a).__expand_mul_method(scope, n(b)),
        }),
        Div(a, b) | FloorDiv(a, b) => Value::Number(quotient(a, b)),
        Rem(a, b) | FloorRem(a, b) => Value::Number(remainder(a, b)),
        GuardedDiv(a, b) | TotalDiv(a, b) => select_number(zero(b), word(0), n(a).__expand_div_method(scope, divisor(b))),
        GuardedRem(a, b) | TotalRem(a, b) => select_number(zero(b), n(a), n(a).__expand_rem_method(scope, divisor(b))),
        Shift(a, exponent) => Value::Number(n(a).__expand_shr_method(scope, word(exponent.into()))),
        Mask(a, mask) => Value::Number(n(a).__expand_bitand_method(scope, word(mask))),
        Xor(a, b) => Value::Number(n(a).__expand_bitxor_method(scope, n(b))),
        Min(a, b) => select_number(n(a).__expand_lt_method(scope, &n(b)), n(a), n(b)),
        Max(a, b) => select_number(n(a).__expand_lt_method(scope, &n(b)), n(b), n(a)),
        Number(a) => select_number(t(a), word(1), word(0)),
        Less(a, b) => Value::Truth(n(a).__expand_lt_method(scope, &n(b))),
        AtLeast(a, b) => Value::Truth(n(a).__expand_ge_method(scope, &n(b))),
        Equal(a, b) | Unequal(a, b) => {
            let equal = match (values[a], values[b]) {
                (Value::Truth(a), Value::Truth(b)) => a.__expand_eq_method(scope, &b),
                _ => n(a).__expand_eq_method(scope, &n(b)),
            };
            Value::Truth(if matches!(step, Equal(..)) { equal } else { equal.__expand_not_method(scope) })
        }
        Not(a) => Value::Truth(t(a).__expand_not_method(scope)),
        And(a, b) => Value::Truth(t(a).__expand_and_method(scope, t(b))),
        Or(a, b) => Value::Truth(t(a).__expand_or_method(scope, t(b))),
        Select(c, a, b) => match (values[a], values[b]) {
            (Value::Truth(a), Value::Truth(b)) => {
                let otherwise = t(c).__expand_not_method(scope).__expand_and_method(scope, b);
                Value::Truth(t(c).__expand_and_method(scope, a).__expand_or_method(scope, otherwise))
            }
            _ => select_number(t(c), n(a), n(b)),
        },
        // `Code::new` refuses these.
        Quotient(..) | Lookup(..) | Abs(_) => Value::Number(word(0)),
    }
}
