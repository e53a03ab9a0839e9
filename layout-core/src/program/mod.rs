//! Index functions as straight-line programs: the algebra's expression nodes with named inputs and outputs.
//!
//! A program comes from a coordinate graph or from a layout. It is simplified by what is known of its inputs, run on
//! numbers, and printed in the language of a kernel.

use crate::error::{Cause, LayoutError, Op, Result};
use crate::value::{Facts, Node, Num, Scope};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The most nodes of one program.
pub const NODES: usize = 2048;

/// When an input becomes known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Time {
    /// Once for each launch, on the host: extents, leading dimensions.
    Launch,
    /// In each thread: coordinates.
    Thread,
}

/// An input of a program.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name in the text.
    pub name: String,
    /// When it is known.
    pub time: Time,
    /// The number it stays below, where that is only known at run time; what is known before that is in the facts of its node.
    pub(crate) below: Option<Num>,
}

/// A result of a program.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name in the text.
    pub name: String,
    pub(crate) value: Num,
}

/// A constant table that a program looks entries up in.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name in the text.
    pub name: String,
    /// The entries.
    pub entries: Vec<i64>,
}

/// A straight-line index function: outputs from inputs, and the conditions under which they are meaningful.
#[derive(Clone)]
pub struct Program {
    pub(crate) scope: Box<Scope<NODES>>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) outputs: Vec<Output>,
    /// Each is 0 or 1; the outputs are meaningful where all are 1.
    pub(crate) conditions: Vec<Num>,
    pub(crate) tables: Vec<Table>,
}

impl Program {
    /// A program of nothing yet.
    pub(crate) fn new() -> Program {
        Program {
            scope: Box::new(Scope::new(Op::Identity)),
            inputs: Vec::new(),
            outputs: Vec::new(),
            conditions: Vec::new(),
            tables: Vec::new(),
        }
    }

    /// Adds an input of which `facts` are known.
    pub(crate) fn input(&mut self, name: &str, time: Time, facts: Facts, below: Option<Num>) -> Result<Num> {
        let number = self.inputs.len();
        self.inputs.push(Input { name: name.into(), time, below });
        self.scope.input_at(number, facts)
    }

    /// The inputs, in the order of [`run`](Program::run).
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// What is known of input `k`.
    pub fn facts_of_input(&self, k: usize) -> Facts {
        let node = (0..self.scope.len).find(|n| self.scope.node[*n] == Node::Input as u8 && self.scope.a[*n] == k as i64);
        node.map_or(Facts::ANY, |n| self.scope.facts(Num::symbol(n)))
    }

    /// The outputs on these inputs. Division by 0 gives 0.
    ///
    /// Fails where there are fewer inputs than the program has, or a number that an output needs overflows 64 bits.
    pub fn run(&self, inputs: &[i64]) -> Result<Vec<i64>> {
        let values = self.values(inputs);
        self.outputs.iter().map(|output| self.value_in(output.value, &values)).collect()
    }

    /// Whether the outputs are meaningful on these inputs: inside every extent and not in a pad.
    pub fn is_valid(&self, inputs: &[i64]) -> Result<bool> {
        let values = self.values(inputs);
        for condition in &self.conditions {
            if self.value_in(*condition, &values)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn value_in(&self, x: Num, values: &[Option<i64>]) -> Result<i64> {
        let value = match x.node() {
            Some(k) => values[k],
            None => x.value(),
        };
        value.ok_or_else(|| LayoutError::plain(Op::Identity, Cause::TooLong, 0, 0))
    }

    /// The value of every node; `None` where it, or an input that it needs, is missing or overflows.
    fn values(&self, inputs: &[i64]) -> Vec<Option<i64>> {
        let scope = &self.scope;
        let mut values: Vec<Option<i64>> = Vec::with_capacity(scope.len);
        for k in 0..scope.len {
            let of = |word: i64| match Num::raw(word).node() {
                Some(n) => values[n],
                None => Some(word),
            };
            let node = scope.node[k];
            let value = if node == Node::Input as u8 {
                inputs.get(scope.a[k] as usize).copied()
            } else if node == Node::Pair as u8 {
                None
            } else if node == Node::Select as u8 {
                let arms = Num::raw(scope.b[k]).node().map(|n| (scope.a[n], scope.b[n]));
                arms.and_then(|(then, otherwise)| if of(scope.a[k])? != 0 { of(then) } else { of(otherwise) })
            } else if node == Node::Lookup as u8 {
                let entries = &self.tables[scope.b[k] as usize].entries;
                of(scope.a[k]).map(|at| usize::try_from(at).ok().and_then(|at| entries.get(at)).copied().unwrap_or(0))
            } else if let (Some(a), Some(b)) = (of(scope.a[k]), of(scope.b[k])) {
                apply(node, a, b)
            } else {
                None
            };
            values.push(value);
        }
        values
    }
}

/// The value of a node of two numbers.
fn apply(node: u8, a: i64, b: i64) -> Option<i64> {
    let (Some(x), Some(y)) = (Num::known(a), Num::known(b)) else { return None };
    if b == 0 && node == Node::Div as u8 {
        return Some(0);
    }
    if b == 0 && node == Node::Rem as u8 {
        return Some(a);
    }
    Scope::<0>::new(Op::Identity).replay(node, x, y).ok()?.value()
}
