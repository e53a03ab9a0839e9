//! Linear layouts: maps between named coordinates whose sizes are powers of two, linear over F2.
//!
//! `L(x)` is the exclusive-or of the bases of the set bits of `x`. Coordinates are ordered, the first the minor one: all inputs are one
//! number, all outputs another, and the map between these is a [`BitMatrix`]. Source: Zhou et al., Linear Layouts, arXiv 2505.23819.

mod convert;
mod error;
mod operations;

pub use error::LinearError;

use crate::bits::BitMatrix;
use crate::heap::*;

/// `Result` of linear layouts.
pub type Result<T> = core::result::Result<T, LinearError>;

/// A coordinate by name, of `2^bits` values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// The name.
    pub name: String,
    /// Number of bits.
    pub bits: u32,
}

impl Dimension {
    /// The coordinate `name` of `2^bits` values.
    pub fn new(name: impl Into<String>, bits: u32) -> Dimension {
        Dimension { name: name.into(), bits }
    }

    /// Number of values.
    pub const fn size(&self) -> u64 {
        1 << self.bits
    }
}

/// A map between named coordinates, linear over F2.
///
/// ```
/// use layout_algebra::linear::LinearLayout;
/// // Two registers of a thread hold neighbours in a row, and every lane has a row.
/// let layout = LinearLayout::new(
///     vec![("register".into(), vec![vec![1, 0]]), ("lane".into(), vec![vec![0, 1], vec![0, 2]])],
///     vec![("column".into(), 2), ("row".into(), 4)],
/// )?;
/// let place = layout.apply(&[("register", 1), ("lane", 3)])?;
/// assert_eq!(place, [1, 3]);
/// assert_eq!(layout.inverse()?.apply(&[("column", 1), ("row", 2)])?, [1, 2]);
/// # Ok::<(), layout_algebra::linear::LinearError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearLayout {
    inputs: Vec<Dimension>,
    outputs: Vec<Dimension>,
    matrix: BitMatrix,
}

/// The number of bits, if a matrix can have them.
fn total(dimensions: &[Dimension]) -> Result<u32> {
    let bits = dimensions.iter().map(|d| d.bits as usize).sum();
    if bits > crate::bits::MAX_BITS { Err(LinearError::TooManyBits { bits }) } else { Ok(bits as u32) }
}

/// Refuses a name that is given twice.
fn distinct(dimensions: &[Dimension]) -> Result<()> {
    for (k, d) in dimensions.iter().enumerate() {
        if dimensions[..k].iter().any(|before| before.name == d.name) {
            return Err(LinearError::Repeated { name: d.name.clone() });
        }
        // A size of 2^64 has no number.
        if d.bits as usize >= crate::bits::MAX_BITS {
            return Err(LinearError::TooManyBits { bits: d.bits as usize });
        }
    }
    Ok(())
}

/// The lowest bit of the dimension `name`, and how many it has.
fn place(dimensions: &[Dimension], name: &str) -> Option<(u32, u32)> {
    let mut low = 0;
    for d in dimensions {
        if d.name == name {
            return Some((low, d.bits));
        }
        low += d.bits;
    }
    None
}

impl LinearLayout {
    /// The layout with these bases: for each input its values at 1, 2, 4, ..., a component an output; for each output its size.
    ///
    /// Fails for a size that is no power of two, a name given twice, a number of components that is not that of the outputs, a component outside
    /// its output, more than 64 bits on a side.
    pub fn new(inputs: Vec<(String, Vec<Vec<u64>>)>, outputs: Vec<(String, u64)>) -> Result<Self> {
        let mut out = Vec::with_capacity(outputs.len());
        for (name, size) in outputs {
            if !size.is_power_of_two() {
                return Err(LinearError::Size { name, size });
            }
            out.push(Dimension { name, bits: size.trailing_zeros() });
        }
        let (mut dimensions, mut columns) = (Vec::with_capacity(inputs.len()), Vec::new());
        for (name, bases) in inputs {
            for basis in &bases {
                if basis.len() != out.len() {
                    return Err(LinearError::Components { name, given: basis.len(), outputs: out.len() });
                }
                if let Some((value, d)) = basis.iter().zip(&out).find(|(value, d)| **value >= d.size()) {
                    return Err(LinearError::OutOfRange { name: d.name.clone(), value: *value, size: d.size() });
                }
                columns.push(basis.clone());
            }
            dimensions.push(Dimension { name, bits: bases.len() as u32 });
        }
        let bits = total(&out)?;
        let flat: Vec<u64> = columns.iter().map(|basis| joined(basis, &out)).collect();
        let matrix = BitMatrix::from_columns(&flat, bits).ok_or(LinearError::TooManyBits { bits: flat.len() })?;
        Self::of_matrix(dimensions, out, matrix)
    }

    /// The layout whose inputs and outputs, flattened minor first, are those of a matrix.
    pub fn of_matrix(inputs: Vec<Dimension>, outputs: Vec<Dimension>, matrix: BitMatrix) -> Result<Self> {
        distinct(&inputs)?;
        distinct(&outputs)?;
        for (dimensions, bits) in [(&inputs, matrix.inputs()), (&outputs, matrix.outputs())] {
            let given = total(dimensions)?;
            if given != bits {
                return Err(LinearError::Total { given, bits });
            }
        }
        Ok(LinearLayout { inputs, outputs, matrix })
    }

    /// The inputs, the minor one first.
    pub fn inputs(&self) -> &[Dimension] {
        &self.inputs
    }

    /// The outputs, the minor one first.
    pub fn outputs(&self) -> &[Dimension] {
        &self.outputs
    }

    /// The map of the flattened inputs to the flattened outputs.
    pub const fn matrix(&self) -> &BitMatrix {
        &self.matrix
    }

    /// The bases of every input, a component an output.
    pub fn bases(&self) -> Vec<(&str, Vec<Vec<u64>>)> {
        let mut columns = self.matrix.columns().iter();
        let bases = |d: &Dimension, columns: &mut core::slice::Iter<'_, u64>| {
            columns.take(d.bits as usize).map(|column| parted(*column, &self.outputs)).collect()
        };
        self.inputs.iter().map(|d| (d.name.as_str(), bases(d, &mut columns))).collect()
    }

    /// The outputs at a value for each input, in any order.
    pub fn apply(&self, at: &[(&str, u64)]) -> Result<Vec<u64>> {
        if let Some((name, _)) = at.iter().find(|(name, _)| place(&self.inputs, name).is_none()) {
            return Err(LinearError::NoSuchName { name: (*name).to_owned() });
        }
        let mut values = Vec::with_capacity(self.inputs.len());
        for d in &self.inputs {
            let mut given = at.iter().filter(|(name, _)| *name == d.name);
            let value = match (given.next(), given.next()) {
                (Some((_, value)), None) => *value,
                (None, _) => return Err(LinearError::NoSuchName { name: d.name.clone() }),
                _ => return Err(LinearError::Repeated { name: d.name.clone() }),
            };
            if value >= d.size() {
                return Err(LinearError::OutOfRange { name: d.name.clone(), value, size: d.size() });
            }
            values.push(value);
        }
        Ok(parted(self.matrix.apply(joined(&values, &self.inputs)), &self.outputs))
    }

    /// The inputs whose bases are sums of bases before them, as a mask for each input: what such a bit selects is found without it.
    pub fn free_masks(&self) -> Vec<(&str, u64)> {
        let masks = parted(self.matrix.free(), &self.inputs);
        self.inputs.iter().zip(masks).map(|(d, mask)| (d.name.as_str(), mask)).collect()
    }

    /// The largest power of two `V` with `L(a V + v, ...) = L(a V, ...) + (v, 0, ...)` for `v < V`, of the first input and the first output:
    /// how many elements are consecutive and aligned.
    pub fn consecutive(&self) -> u64 {
        let (inputs, outputs) = (self.inputs.first().map_or(0, |d| d.bits), self.outputs.first().map_or(0, |d| d.bits));
        let column = |k: usize| self.matrix.column(k);
        let mut bits = 0;
        while bits < inputs.min(outputs) && column(bits as usize) == 1 << bits {
            bits += 1;
        }
        // The others must leave the low bits alone.
        while (bits as usize..self.matrix.columns().len()).any(|k| column(k) & ((1 << bits) - 1) != 0) {
            bits -= 1;
        }
        1 << bits
    }
}

/// The values of coordinates as one number, the first in the low bits.
fn joined(values: &[u64], dimensions: &[Dimension]) -> u64 {
    let mut low = 0;
    let parts = values.iter().zip(dimensions).filter(|(_, d)| d.bits > 0);
    parts.fold(0, |sum, (value, d)| {
        low += d.bits;
        sum | value << (low - d.bits)
    })
}

/// The values of coordinates that a number has.
fn parted(value: u64, dimensions: &[Dimension]) -> Vec<u64> {
    let mut rest = value;
    let mut part = |d: &Dimension| {
        let part = rest & (d.size() - 1);
        rest >>= d.bits;
        part
    };
    dimensions.iter().map(&mut part).collect()
}
