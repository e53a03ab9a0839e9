//! `sparse.contract`: contractions of sparse tensors and dense arrays by subscripts.

use super::blocked::Parameters;
use super::kernel::{bits, dense, listed, whole, with_shape};
use super::levels::MOST_NUMBERS;
use super::request::{columns, missing, of_class};
use crate::answer::{Refusal, Result};
use crate::real::{Kind, Real};
use crate::request::{read_of, structs};
use crate::words::many;
use crd2idx::contraction::{Contracted, Contraction, ContractionError, Factor, Semiring};
use crd2idx::sparse::{Builder, Composite, Duplicates, Format, Scalar};
use serde_json::Value;

structs! {
    /// The subscripts, and the operands: each is read as an `Operand`.
    Asked { subscripts: String, operands: Vec<Value>, result: Option<String>, semiring: Option<String> }
    /// An operand: coordinates and values, in a format, or all elements of a dense array, the last axis fastest.
    Operand { shape: Vec<u64>, coords: Option<Vec<Vec<u64>>>, values: Option<Vec<Value>>, format: Option<String>, dense: Option<Vec<Value>> }
}

/// An operand with its numbers.
enum Stored {
    Dense(Vec<u64>, Vec<Real>),
    Sparse(Composite<'static, Real>),
}

impl Stored {
    fn factor(&self) -> Factor<'_, Real> {
        match self {
            Stored::Dense(shape, data) => Factor::Dense { shape, data },
            Stored::Sparse(tensor) => Factor::Sparse(tensor),
        }
    }
}

/// Answers `sparse.contract`: a contraction, as a list of elements or as a dense array.
pub fn contract((Asked { subscripts, operands, result, semiring },): (Asked,)) -> Result<Value> {
    let semiring = semiring.as_deref().unwrap_or(Semiring::SumProduct.name());
    let semiring = Semiring::from_name(semiring).ok_or_else(|| {
        of_class("contraction/semiring", format!("`{semiring}` is none of {}", Semiring::ALL.map(Semiring::name).join(", ")))
    })?;
    let read = |(k, operand): (usize, &Value)| read_of(operand, &format!("operands[{k}]"), "contraction").map(|(operand,)| operand);
    let operands = operands.iter().enumerate().map(read).collect::<Result<Vec<Operand>>>()?;
    let kind = kind(&operands)?;
    let stored = |(k, operand): (usize, &Operand)| operand.stored(k, kind, semiring);
    let stored = operands.iter().enumerate().map(stored).collect::<Result<Vec<Stored>>>()?;
    let factors: Vec<Factor<Real>> = stored.iter().map(Stored::factor).collect();
    let contraction = Contraction::new(&subscripts);
    let contraction = match result.as_deref() {
        None => contraction,
        Some("dense") => contraction.dense(),
        Some(name) => {
            let rank = contraction.shape(&factors)?.len();
            contraction.format(Format::parse_with_rank(name, rank)?)
        }
    };
    if let Some(step) = contraction.explain(&factors)?.steps().iter().find(|step| step.stored() > MOST_NUMBERS as f64) {
        return Err(of_class("contraction/overflow", format!("a step makes about {:.0} numbers, which are too many", step.stored())));
    }
    // The numbers know their arithmetic, so that the kernels are compiled once.
    Ok(match contraction.run(&factors)? {
        Contracted::Dense { shape, data } => {
            let data: Vec<Real> = data.into_iter().map(|number| number.plain(semiring)).collect();
            dense(&shape, &data, kind)
        }
        Contracted::Sparse(tensor) => {
            let tensor = tensor.map(|number| number.plain(semiring))?;
            with_shape(listed(&tensor, kind), tensor.shape())
        }
    })
}

/// Returns the kind of all numbers. Refuses integers whose results may exceed 128 bits.
fn kind(operands: &[Operand]) -> Result<Kind> {
    let lists = || operands.iter().flat_map(|operand| [&operand.values, &operand.dense].into_iter().flatten());
    if !lists().flatten().all(whole) {
        return Ok(Kind::Floating);
    }
    // An element of a result is a sum of products of one number per operand.
    let bits = lists()
        .fold(0u32, |sum, list| sum.saturating_add(list.iter().map(bits).max().unwrap_or(0) + usize::BITS - list.len().leading_zeros()));
    if bits < i128::BITS - 1 { Ok(Kind::Whole) } else { Err(of_class("contraction/overflow", "results may not fit 128 bits")) }
}

/// Returns the elements of a list of operand `k`, for computations in an arithmetic. Refuses values that are no numbers, and
/// negative numbers in an arithmetic that has none.
fn numbers(list: &[Value], (k, key): (usize, &str), kind: Kind, semiring: Semiring) -> Result<Vec<Real>> {
    let read = |(n, value): (usize, &Value)| {
        let number = value.as_number().and_then(|number| kind.read(number));
        let number = number.ok_or_else(|| of_class("contraction/type", format!("operands[{k}].{key}[{n}] is {value}, not a number")))?;
        if semiring == Semiring::MaxTimes && number < Real::ZERO {
            return Err(ContractionError::Negative { operand: k, found: value.to_string() }.into());
        }
        Ok(number.tagged(semiring))
    };
    list.iter().enumerate().map(read).collect()
}

impl Operand {
    /// Returns the operand with its numbers. Values that share a coordinate are summed. `k` is its number in messages.
    fn stored(&self, k: usize, kind: Kind, semiring: Semiring) -> Result<Stored> {
        let of_operand = |refusal: Refusal| {
            let refusal = refusal.of_family("contraction");
            Refusal { message: format!("operands[{k}]: {}", refusal.message), ..refusal }
        };
        if let Some(dense) = &self.dense {
            if self.coords.is_some() || self.values.is_some() || self.format.is_some() {
                return Err(of_class("contraction/unexpected", format!("operands[{k}] is dense, so it has no coords, values or format")));
            }
            return Ok(Stored::Dense(self.shape.clone(), numbers(dense, (k, "dense"), kind, semiring)?));
        }
        let absent = |key| of_operand(missing("contraction", key));
        let (coords, values) =
            (self.coords.as_ref().ok_or_else(|| absent("coords"))?, self.values.as_ref().ok_or_else(|| absent("values"))?);
        let rank = self.shape.len();
        let columns = columns(coords, rank, "contraction").map_err(of_operand)?;
        let numbers = numbers(values, (k, "values"), kind, semiring)?;
        if numbers.len() != coords.len() {
            let message =
                format!("operands[{k}] has {} for {}", many(numbers.len() as i128, "value"), many(coords.len() as i128, "coordinate"));
            return Err(of_class("contraction/shape", message));
        }
        let refused = |error: crd2idx::sparse::SparseError| of_operand(error.into());
        let builder = Builder::new(Format::coo(rank), Real::ZERO).duplicates(Duplicates::Combine(&|a: &Real, b: &Real| a.plus(*b)));
        let tensor = builder.build(&self.shape, &columns, numbers).map_err(refused)?;
        let Some(name) = self.format.as_ref().filter(|_| rank > 0) else { return Ok(Stored::Sparse(Composite::from(tensor))) };
        let scheme = Parameters::default().scheme(name, rank).map_err(of_operand)?;
        Ok(Stored::Sparse(Composite::with_at_most(&tensor, &scheme, MOST_NUMBERS).map_err(|error| of_operand(error.into()))?))
    }
}
