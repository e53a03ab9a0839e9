//! Linear layouts: maps between named coordinates whose sizes are powers of two, linear over F2.
//!
//! `L(x)` is the exclusive-or of the bases of the set bits of `x`. The first coordinate is the minor one: all inputs are one number, all
//! outputs another, and a [`BitMatrix`] maps one to the other. Source: Zhou et al., Linear Layouts, arXiv 2505.23819.

mod convert;
mod error;
mod operations;

pub use error::LinearError;

use crate::bits::BitMatrix;
use crate::heap::*;

/// The `Result` of linear layouts.
///
/// ```
/// use layout_algebra::linear::{LinearLayout, Result};
/// fn lanes(bits: u32) -> Result<LinearLayout> {
///     let bases = (0..bits).map(|bit| vec![1 << bit]).collect();
///     LinearLayout::new(vec![("lane".into(), bases)], vec![("row".into(), 1 << bits)])
/// }
/// assert_eq!(lanes(5)?.apply(&[("lane", 19)])?, [19]);
/// # Ok::<(), layout_algebra::linear::LinearError>(())
/// ```
pub type Result<T> = core::result::Result<T, LinearError>;

/// A named coordinate with `2^bits` values.
///
/// ```
/// use layout_algebra::linear::LinearDimension;
/// let lane = LinearDimension::new("lane", 5);
/// assert_eq!((lane.name.as_str(), lane.bits, lane.size()), ("lane", 5, 32));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearDimension {
    /// The name of the coordinate.
    pub name: String,
    /// The number of bits of its values.
    pub bits: u32,
}

impl LinearDimension {
    /// Makes the coordinate `name` with `2^bits` values.
    pub fn new(name: impl Into<String>, bits: u32) -> LinearDimension {
        LinearDimension { name: name.into(), bits }
    }

    /// Returns the number of values, `2^bits`. `bits` must be below 64.
    pub const fn size(&self) -> u64 {
        1 << self.bits
    }
}

/// A map from named coordinates to named coordinates, linear over F2: `L(x ^ y) = L(x) ^ L(y)`.
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
    inputs: Vec<LinearDimension>,
    outputs: Vec<LinearDimension>,
    matrix: BitMatrix,
}

/// Returns the total number of bits of the dimensions. Fails if there are more than 64.
fn total(dimensions: &[LinearDimension]) -> Result<u32> {
    let bits = dimensions.iter().map(|d| d.bits as usize).sum();
    if bits > crate::bits::MAX_BITS { Err(LinearError::TooManyBits { bits }) } else { Ok(bits as u32) }
}

/// Fails if a name is repeated, or a dimension has 64 bits or more.
fn distinct(dimensions: &[LinearDimension]) -> Result<()> {
    for (k, d) in dimensions.iter().enumerate() {
        if dimensions[..k].iter().any(|before| before.name == d.name) {
            return Err(LinearError::Repeated { name: d.name.clone() });
        }
        // The size 2^64 does not fit a `u64`.
        if d.bits as usize >= crate::bits::MAX_BITS {
            return Err(LinearError::TooManyBits { bits: d.bits as usize });
        }
    }
    Ok(())
}

/// Returns the lowest bit of the dimension `name` in the joined number, and its number of bits; `None` if there is no such name.
fn place(dimensions: &[LinearDimension], name: &str) -> Option<(u32, u32)> {
    let mut low = 0;
    for d in dimensions {
        if d.name == name {
            return Some((low, d.bits));
        }
        low += d.bits;
    }
    None
}

/// The parts of a layout, and its values.
///
/// ```
/// use layout_algebra::bits::BitMatrix;
/// use layout_algebra::linear::{LinearDimension, LinearLayout};
/// let dimension = LinearDimension::new;
/// // Four registers of four lanes hold the eight elements of a row. Lane bit 1 repeats lane bit 0.
/// let matrix = BitMatrix::from_columns(&[0b001, 0b010, 0b100, 0b100], 3).unwrap();
/// let layout = LinearLayout::of_matrix(vec![dimension("register", 2), dimension("lane", 2)], vec![dimension("column", 3)], matrix)?;
/// assert_eq!((layout.inputs()[1].size(), layout.outputs()[0].size(), layout.matrix().rank()), (4, 8, 3));
/// assert_eq!(layout.bases()[1], ("lane", vec![vec![4], vec![4]]));
/// // Lanes 2 and 3 hold copies, and each thread holds four consecutive columns.
/// assert_eq!(layout.free_masks(), [("register", 0b00), ("lane", 0b10)]);
/// assert_eq!(layout.consecutive(), 4);
/// assert_eq!(layout.apply(&[("lane", 1), ("register", 3)])?, [7]);
/// assert_eq!(layout.apply(&[("lane", 4), ("register", 0)]).unwrap_err().to_string(), "4 is outside the size 4 of `lane`");
/// # Ok::<(), layout_algebra::linear::LinearError>(())
/// ```
impl LinearLayout {
    /// Makes a layout from the bases of each input and the size of each output.
    ///
    /// Basis `k` of an input is the image of its value `2^k`, with one component for each output. Fails if a size is not a
    /// power of two, a basis has another number of components, or a component is not below the size of its output. Fails also
    /// if two inputs or two outputs have the same name, an input has 64 bases or more, or a side has more than 64 bits.
    pub fn new(inputs: Vec<(String, Vec<Vec<u64>>)>, outputs: Vec<(String, u64)>) -> Result<Self> {
        let mut out = Vec::with_capacity(outputs.len());
        for (name, size) in outputs {
            if !size.is_power_of_two() {
                return Err(LinearError::Size { name, size });
            }
            out.push(LinearDimension { name, bits: size.trailing_zeros() });
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
            dimensions.push(LinearDimension { name, bits: bases.len() as u32 });
        }
        let bits = total(&out)?;
        let flat: Vec<u64> = columns.iter().map(|basis| joined(basis, &out)).collect();
        let matrix = BitMatrix::from_columns(&flat, bits).ok_or(LinearError::TooManyBits { bits: flat.len() })?;
        Self::of_matrix(dimensions, out, matrix)
    }

    /// Makes the layout of a matrix. `inputs` split its input bits, from the lowest up, and `outputs` its output bits. Fails
    /// unless the numbers of bits agree, if two dimensions of a side have the same name, or if a dimension has 64 bits or more.
    pub fn of_matrix(inputs: Vec<LinearDimension>, outputs: Vec<LinearDimension>, matrix: BitMatrix) -> Result<Self> {
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

    /// Returns the inputs, the minor one first.
    pub fn inputs(&self) -> &[LinearDimension] {
        &self.inputs
    }

    /// Returns the outputs, the minor one first.
    pub fn outputs(&self) -> &[LinearDimension] {
        &self.outputs
    }

    /// Returns the map from the flattened inputs to the flattened outputs.
    pub const fn matrix(&self) -> &BitMatrix {
        &self.matrix
    }

    /// Returns the bases of every input, with one component for each output.
    pub fn bases(&self) -> Vec<(&str, Vec<Vec<u64>>)> {
        let mut columns = self.matrix.columns().iter();
        let bases = |d: &LinearDimension, columns: &mut core::slice::Iter<'_, u64>| {
            columns.take(d.bits as usize).map(|column| parted(*column, &self.outputs)).collect()
        };
        self.inputs.iter().map(|d| (d.name.as_str(), bases(d, &mut columns))).collect()
    }

    /// Returns the outputs at a value for each input, in any order. Fails for missing, repeated or unknown names and too large values.
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

    /// Returns a mask for each input: the bits whose bases are sums of earlier bases. All values are reached without these bits.
    pub fn free_masks(&self) -> Vec<(&str, u64)> {
        let masks = parted(self.matrix.free(), &self.inputs);
        self.inputs.iter().zip(masks).map(|(d, mask)| (d.name.as_str(), mask)).collect()
    }

    /// Returns the number of elements that are consecutive and aligned: the largest power of two `V` with
    /// `L(a V + v, ...) = L(a V, ...) + (v, 0, ...)` for `v < V`, in the first input and the first output.
    pub fn consecutive(&self) -> u64 {
        let (inputs, outputs) = (self.inputs.first().map_or(0, |d| d.bits), self.outputs.first().map_or(0, |d| d.bits));
        let column = |k: usize| self.matrix.column(k);
        let mut bits = 0;
        while bits < inputs.min(outputs) && column(bits as usize) == 1 << bits {
            bits += 1;
        }
        // The bases of all other bits must leave these low bits alone.
        while (bits as usize..self.matrix.columns().len()).any(|k| column(k) & ((1 << bits) - 1) != 0) {
            bits -= 1;
        }
        1 << bits
    }
}

/// Joins the values of coordinates into one number, the first in the low bits.
fn joined(values: &[u64], dimensions: &[LinearDimension]) -> u64 {
    let mut low = 0;
    let parts = values.iter().zip(dimensions).filter(|(_, d)| d.bits > 0);
    parts.fold(0, |sum, (value, d)| {
        low += d.bits;
        sum | value << (low - d.bits)
    })
}

/// Splits a number into the values of coordinates, the first from the low bits.
fn parted(value: u64, dimensions: &[LinearDimension]) -> Vec<u64> {
    let mut rest = value;
    let mut part = |d: &LinearDimension| {
        let part = rest & (d.size() - 1);
        rest >>= d.bits;
        part
    };
    dimensions.iter().map(&mut part).collect()
}
