//! Accesses to memory: the threads and instructions that make them, and the elements that they reach.

use super::index::{expression, of_layout, sum};
use crate::distribution::{Digit, Distribution, product as count};
use crate::error::Result;
use crate::program::{Reference, Statement};
use crate::shared::{Instruction, Served};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// An access to memory by a statement.
pub(super) struct Access<'a> {
    pub name: String,
    pub reference: &'a Reference,
    /// The layout of the tensor.
    pub layout: String,
    pub served: Option<Served>,
    /// The digits of a vector or of a row of a matrix.
    pub vector: Vec<Digit>,
    /// The distribution over the variables of the statement.
    pub own: Distribution,
}

impl Access<'_> {
    /// Returns the digits of the instructions of a thread.
    pub fn rest(&self) -> Vec<Digit> {
        let registers = &self.own.registers;
        match self.served.as_ref().map(|served| served.instruction) {
            Some(Instruction::Matrices { digits, .. }) => registers[1 + digits..].to_vec(),
            _ => registers.iter().filter(|digit| !self.vector.contains(digit)).copied().collect(),
        }
    }

    /// Returns the order of the values in a local array: vectors are consecutive.
    pub fn order(&self) -> Vec<Digit> {
        match self.served.as_ref().map(|served| served.instruction) {
            Some(Instruction::Matrices { .. }) => self.own.registers.clone(),
            _ => self.vector.iter().chain(&self.rest()).copied().collect(),
        }
    }

    /// Returns the digits of the threads. For matrices, these say whose row a lane gives.
    pub fn threads(&self) -> Vec<Digit> {
        let warps = &self.own.warps;
        let Some(Instruction::Matrices { digits, transposed }) = self.served.as_ref().map(|served| served.instruction) else {
            return self.own.lanes.iter().chain(warps).copied().collect();
        };
        let (registers, lanes) = (&self.own.registers, &self.own.lanes);
        let rows = if transposed { vec![registers[0], lanes[0], lanes[1]] } else { lanes[2..].to_vec() };
        let mut all: Vec<Digit> = rows.into_iter().chain(registers[1..=digits].iter().copied()).collect();
        // Lanes beyond the rows give any address.
        all.push(Digit { mode: None, weight: 0, radix: 32 / count(&all) });
        all.extend(warps);
        all
    }

    /// Returns a declaration of each variable: the coordinate of the first element of instruction `step` of thread `tid`.
    pub fn coordinates(&self, statement: &Statement) -> Result<Vec<String>> {
        let (threads, rest) = (self.threads(), self.rest());
        let of = |variable: &usize| {
            let weight = |digit: &Digit| if digit.mode == Some(*variable) { digit.weight } else { 0 };
            let text = expression(&sum(&threads, weight), &sum(&rest, weight), ["tid", "step"], statement.line)?;
            Ok(format!("const int at_{} = {text};", statement.variables[*variable]))
        };
        self.reference.variables.iter().map(of).collect()
    }

    /// Returns the index of the coordinate in the memory.
    pub fn index(&self, statement: &Statement) -> Result<String> {
        let names: Vec<String> = self.reference.variables.iter().map(|variable| format!("at_{}", statement.variables[*variable])).collect();
        of_layout(&self.layout, &names.iter().map(String::as_str).collect::<Vec<_>>(), statement.line)
    }

    /// Returns the type of a vector, and its number of elements.
    pub fn vector_type(&self, bytes: i64) -> (&'static str, i64) {
        let length = count(&self.vector);
        let ty = match length * bytes {
            16 => "uint4",
            8 => "uint2",
            4 => "unsigned",
            2 => "unsigned short",
            _ => "unsigned char",
        };
        (ty, length)
    }
}
