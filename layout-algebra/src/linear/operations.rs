//! Operations on linear layouts: composition, products, quotients, inverses, selection of dimensions.

use super::{LinearDimension, LinearError, LinearLayout, Result, joined, parted, place};
use crate::bits::BitMatrix;
use crate::heap::*;

/// Returns the names of dimensions, for messages.
fn names(dimensions: &[LinearDimension]) -> String {
    let names: Vec<&str> = dimensions.iter().map(|d| d.name.as_str()).collect();
    format!("({})", names.join(","))
}

/// Fails unless `given` and `expected` have one set of names, and no dimension of `given` is larger.
fn fit(given: &[LinearDimension], expected: &[LinearDimension]) -> Result<()> {
    if given.len() != expected.len() || given.iter().any(|d| place(expected, &d.name).is_none()) {
        return Err(LinearError::Names { given: names(given), expected: names(expected) });
    }
    match given.iter().find(|d| place(expected, &d.name).is_some_and(|(_, bits)| bits < d.bits)) {
        None => Ok(()),
        Some(d) => {
            let bits = place(expected, &d.name).map_or(0, |(_, bits)| bits);
            Err(LinearError::Larger { name: d.name.clone(), size: d.size(), most: 1 << bits })
        }
    }
}

/// Converts a number from the dimensions `from` to the dimensions `to`. Dimensions that `from` lacks are 0; those of `from` alone go.
fn moved(value: u64, from: &[LinearDimension], to: &[LinearDimension]) -> u64 {
    let values = parted(value, from);
    let of = |d: &LinearDimension| from.iter().position(|other| other.name == d.name).map_or(0, |k| values[k]);
    joined(&to.iter().map(of).collect::<Vec<u64>>(), to)
}

/// Operations on whole layouts.
///
/// ```
/// use layout_algebra::linear::{LinearDimension, LinearLayout};
/// let layout = |input: &str, bases: &[u64], output: &str, size| {
///     let bases = bases.iter().map(|basis| vec![*basis]).collect();
///     LinearLayout::new(vec![(input.into(), bases)], vec![(output.into(), size)])
/// };
/// // A tile: four registers hold the low bits of the column. Two lanes hold its next bit.
/// let (registers, lanes) = (layout("register", &[1, 2], "column", 4)?, layout("lane", &[1], "column", 2)?);
/// let tile = registers.product(&lanes)?;
/// assert_eq!(tile.apply(&[("register", 3), ("lane", 1)])?, [7]);
/// assert_eq!(tile.divide_left(&registers)?.sublayout(&["lane"], &["column"])?, lanes);
/// assert_eq!(tile.divide_right(&lanes)?.sublayout(&["register"], &["column"])?, registers);
/// assert_eq!(registers.divide_left(&tile).unwrap_err().class(), "linear/not_a_factor");
///
/// // The registers of `tile` hold the elements that a layout in memory has at these indices.
/// let memory = layout("index", &[2, 4, 1], "column", 8)?;
/// let loads = tile.invert_and_compose(&memory)?;
/// assert_eq!(loads.apply(&[("register", 1), ("lane", 0)])?, [4]);
/// assert_eq!(loads.compose(&memory)?, tile);
/// assert_eq!(memory.inverse()?, memory.pseudo_inverse()?);
///
/// // The three input bits as one coordinate, and back.
/// let flat = tile.reshape_inputs(vec![LinearDimension::new("thread", 3)])?;
/// assert_eq!(flat.apply(&[("thread", 7)])?, [7]);
/// let pairs = flat.reshape_outputs(vec![LinearDimension::new("column", 2), LinearDimension::new("row", 1)])?;
/// assert_eq!(pairs.apply(&[("thread", 7)])?, [3, 1]);
/// # Ok::<(), layout_algebra::linear::LinearError>(())
/// ```
impl LinearLayout {
    /// Makes a layout from the columns of its matrix, each a joined number of the outputs. Fails above 64 bits.
    fn of_columns(inputs: Vec<LinearDimension>, outputs: Vec<LinearDimension>, columns: &[u64]) -> Result<LinearLayout> {
        let bits = super::total(&outputs)?;
        let matrix = BitMatrix::from_columns(columns, bits).ok_or(LinearError::TooManyBits { bits: columns.len() })?;
        LinearLayout::of_matrix(inputs, outputs, matrix)
    }

    /// Returns the columns as joined numbers of `outputs`, which may have another order or other sizes than those of `self`.
    fn columns_in<'a>(&'a self, outputs: &'a [LinearDimension]) -> impl Iterator<Item = u64> + 'a {
        self.matrix.columns().iter().map(|column| moved(*column, &self.outputs, outputs))
    }

    /// Returns `x -> outer(self(x))`. Fails unless the outputs of `self` are the inputs of `outer`, in any order, and none is larger.
    pub fn compose(&self, outer: &LinearLayout) -> Result<LinearLayout> {
        fit(&self.outputs, &outer.inputs)?;
        let columns: Vec<u64> = self.columns_in(&outer.inputs).map(|x| outer.matrix.apply(x)).collect();
        Self::of_columns(self.inputs.clone(), outer.outputs.clone(), &columns)
    }

    /// Returns the block-diagonal layout: `self` on the low bits of each name, `high` above; names of `self` first. Fails above 64 bits.
    pub fn product(&self, high: &LinearLayout) -> Result<LinearLayout> {
        let both = |low: &[LinearDimension], high: &[LinearDimension]| {
            let mut all = low.to_vec();
            for d in high {
                match all.iter_mut().find(|other| other.name == d.name) {
                    Some(other) => other.bits += d.bits,
                    None => all.push(d.clone()),
                }
            }
            all
        };
        let (inputs, outputs) = (both(&self.inputs, &high.inputs), both(&self.outputs, &high.outputs));
        super::total(&inputs)?;
        super::total(&outputs)?;
        let above = |values: Vec<u64>| {
            let lift = |d: &LinearDimension| place(&self.outputs, &d.name).map_or(0, |(_, bits)| bits);
            let of = |d: &LinearDimension| high.outputs.iter().position(|other| other.name == d.name).map_or(0, |k| values[k] << lift(d));
            joined(&outputs.iter().map(of).collect::<Vec<u64>>(), &outputs)
        };
        let mut columns = Vec::new();
        for d in &inputs {
            if let Some((low, bits)) = place(&self.inputs, &d.name) {
                columns.extend((low..low + bits).map(|k| moved(self.matrix.column(k as usize), &self.outputs, &outputs)));
            }
            if let Some((low, bits)) = place(&high.inputs, &d.name) {
                columns.extend((low..low + bits).map(|k| above(parted(high.matrix.column(k as usize), &high.outputs))));
            }
        }
        Self::of_columns(inputs, outputs, &columns)
    }

    /// Returns `C` with `self = by * C` ([`product`](Self::product)), with all names of `self`. Refused if there is none.
    pub fn divide_left(&self, by: &LinearLayout) -> Result<LinearLayout> {
        self.divide(by, true)
    }

    /// Returns `C` with `self = C * by`, with all names of `self`. Refused if there is none.
    pub fn divide_right(&self, by: &LinearLayout) -> Result<LinearLayout> {
        self.divide(by, false)
    }

    fn divide(&self, by: &LinearLayout, low: bool) -> Result<LinearLayout> {
        let rest = |all: &[LinearDimension], part: &[LinearDimension]| -> Result<Vec<LinearDimension>> {
            if part.iter().any(|d| place(all, &d.name).is_none_or(|(_, bits)| bits < d.bits)) {
                return Err(LinearError::NotAFactor);
            }
            let taken = |d: &LinearDimension| place(part, &d.name).map_or(0, |(_, bits)| bits);
            Ok(all.iter().map(|d| LinearDimension { name: d.name.clone(), bits: d.bits - taken(d) }).collect())
        };
        let (inputs, outputs) = (rest(&self.inputs, &by.inputs)?, rest(&self.outputs, &by.outputs)?);
        let mut columns = Vec::new();
        for d in &inputs {
            let (first, bits) = place(&self.inputs, &d.name).ok_or(LinearError::NotAFactor)?;
            let from = if low { first + bits - d.bits } else { first };
            for k in from..from + d.bits {
                let values = parted(self.matrix.column(k as usize), &self.outputs);
                // Keep the bits of the quotient: above the bits of `by` if `low`, else below them.
                let lift = |whole: &LinearDimension, kept: &LinearDimension| if low { whole.bits - kept.bits } else { 0 };
                let kept: Vec<u64> =
                    self.outputs.iter().zip(&outputs).zip(&values).map(|((w, c), v)| v >> lift(w, c) & (c.size() - 1)).collect();
                columns.push(joined(&kept, &outputs));
            }
        }
        let quotient = Self::of_columns(inputs, outputs, &columns)?;
        let product = if low { by.product(&quotient)? } else { quotient.product(by)? };
        if product.reordered(&self.inputs, &self.outputs)? == *self { Ok(quotient) } else { Err(LinearError::NotAFactor) }
    }

    /// Returns the map of `self` with its dimensions in the order of `inputs` and `outputs`.
    fn reordered(&self, inputs: &[LinearDimension], outputs: &[LinearDimension]) -> Result<LinearLayout> {
        self.sublayout(
            &inputs.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(),
            &outputs.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(),
        )
    }

    /// Returns the inverse. Refused if `self` is not a bijection.
    pub fn inverse(&self) -> Result<LinearLayout> {
        self.turned(self.matrix.inverse())
    }

    /// Returns the least `P` with `self(P(y)) = y`. Refused if `self` is not surjective.
    ///
    /// ```
    /// use layout_algebra::linear::LinearLayout;
    /// // Lanes 2 and 3 hold copies of lanes 0 and 1.
    /// let copies = LinearLayout::new(vec![("lane".into(), vec![vec![1], vec![0]])], vec![("row".into(), 2)])?;
    /// assert_eq!(copies.pseudo_inverse()?.apply(&[("row", 1)])?, [1]);
    /// assert_eq!(copies.inverse().unwrap_err().to_string(), "2 bits to 1 bits with rank 1: there is no such inverse");
    /// # Ok::<(), layout_algebra::linear::LinearError>(())
    /// ```
    pub fn pseudo_inverse(&self) -> Result<LinearLayout> {
        self.turned(self.matrix.right_inverse())
    }

    fn turned(&self, matrix: Option<BitMatrix>) -> Result<LinearLayout> {
        match matrix {
            Some(matrix) => Self::of_matrix(self.outputs.clone(), self.inputs.clone(), matrix),
            None => {
                let (inputs, outputs) = (self.matrix.inputs(), self.matrix.outputs());
                Err(LinearError::NotInvertible { inputs, outputs, rank: self.matrix.rank() })
            }
        }
    }

    /// Returns the least `C` with `self(x) = other(C(x))`: the element at `x` of `self` is at `C(x)` in `other`. Both have the
    /// same output names, and no output of `self` is larger. Refused if `other` does not take some value of `self`.
    pub fn invert_and_compose(&self, other: &LinearLayout) -> Result<LinearLayout> {
        fit(&self.outputs, &other.outputs)?;
        let span = other.matrix.span();
        let mut columns = Vec::new();
        for (k, value) in self.columns_in(&other.outputs).enumerate() {
            match span.reduce(value) {
                (0, x) => columns.push(x),
                _ => return Err(self.no_value(k as u32)),
            }
        }
        Self::of_columns(self.inputs.clone(), other.inputs.clone(), &columns)
    }

    /// Returns the error that another layout does not take the value of column `k`.
    fn no_value(&self, k: u32) -> LinearError {
        let mut bit = k;
        for d in &self.inputs {
            if bit < d.bits {
                return LinearError::NotAValue { name: d.name.clone(), bit };
            }
            bit -= d.bits;
        }
        LinearError::NotAFactor
    }

    /// Returns the layout of the named inputs and outputs, in this order. Other inputs are 0, other outputs go. Fails for unknown names.
    pub fn sublayout(&self, inputs: &[&str], outputs: &[&str]) -> Result<LinearLayout> {
        let of = |all: &[LinearDimension], names: &[&str]| -> Result<Vec<LinearDimension>> {
            let one =
                |name: &&str| all.iter().find(|d| d.name == **name).cloned().ok_or(LinearError::NoSuchName { name: (**name).to_owned() });
            names.iter().map(one).collect()
        };
        let (inputs, outputs) = (of(&self.inputs, inputs)?, of(&self.outputs, outputs)?);
        let mut columns = Vec::new();
        for d in &inputs {
            let (low, bits) = place(&self.inputs, &d.name).ok_or(LinearError::NotAFactor)?;
            columns.extend((low..low + bits).map(|k| moved(self.matrix.column(k as usize), &self.outputs, &outputs)));
        }
        Self::of_columns(inputs, outputs, &columns)
    }

    /// Returns the layout without the dimensions `dims`. Fails unless the identity maps each to itself, and no other input reaches it.
    ///
    /// ```
    /// use layout_algebra::linear::LinearLayout;
    /// let layout = LinearLayout::new(
    ///     vec![("block".into(), vec![vec![0, 1]]), ("lane".into(), vec![vec![2, 0], vec![1, 0]])],
    ///     vec![("row".into(), 4), ("block".into(), 2)],
    /// )?;
    /// assert_eq!(layout.quotient(&["block"])?, layout.sublayout(&["lane"], &["row"])?);
    /// assert_eq!(layout.quotient(&["lane"]).unwrap_err().to_string(), "there is no dimension `lane`");
    /// # Ok::<(), layout_algebra::linear::LinearError>(())
    /// ```
    pub fn quotient(&self, dims: &[&str]) -> Result<LinearLayout> {
        for name in dims {
            let (Some((first, bits)), Some((low, size))) = (place(&self.inputs, name), place(&self.outputs, name)) else {
                return Err(LinearError::NoSuchName { name: (*name).to_owned() });
            };
            let mask = ((1u64 << size) - 1) << low;
            let alone = |k: u32| {
                let column = self.matrix.column(k as usize);
                if (first..first + bits).contains(&k) { column == 1 << (low + k - first) } else { column & mask == 0 }
            };
            if bits != size || !(0..self.matrix.inputs()).all(alone) {
                return Err(LinearError::NotIdentity { name: (*name).to_owned() });
            }
        }
        let rest = |all: &'_ [LinearDimension]| -> Vec<String> {
            all.iter().filter(|d| !dims.contains(&d.name.as_str())).map(|d| d.name.clone()).collect()
        };
        let (inputs, outputs) = (rest(&self.inputs), rest(&self.outputs));
        fn text(names: &[String]) -> Vec<&str> {
            names.iter().map(String::as_str).collect()
        }
        self.sublayout(&text(&inputs), &text(&outputs))
    }

    /// Splits the input bits, from the lowest up, into other `inputs`. Fails unless the numbers of bits agree.
    pub fn reshape_inputs(&self, inputs: Vec<LinearDimension>) -> Result<LinearLayout> {
        Self::of_matrix(inputs, self.outputs.clone(), self.matrix)
    }

    /// Splits the output bits, from the lowest up, into other `outputs`. Fails unless the numbers of bits agree.
    pub fn reshape_outputs(&self, outputs: Vec<LinearDimension>) -> Result<LinearLayout> {
        Self::of_matrix(self.inputs.clone(), outputs, self.matrix)
    }
}
