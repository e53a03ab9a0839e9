//! Contractions of a sparse tensor with other operands, given by subscripts as in `einsum`.

use super::{
    Cells, Dense, Elementwise, Major, Reduction, Scalar, Sddmm, SparseOperand, Watched, elementwise, mttkrp, reduce, spgemm, spmm, spmv,
    ttm, ttv,
};
use crate::{Format, OperationError, SparseTensor};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// An operand of a contraction after the first one.
///
/// ```
/// use sparse_formats::{Builder, Contracted, Factor, Format, Indices, contract};
/// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![2u8, 0, 2].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![2, 3, 4])?;
/// let x = Factor::Dense { shape: &[3], data: &[1, 10, 100] };
/// assert_eq!(contract("ij,j->i", &a, &[x])?, Contracted::Dense { shape: vec![2], data: vec![200, 403] });
/// let squares = a.map(|x| x * x)?.to_format(&Format::coo(2))?;
/// assert_eq!(contract("ij,ij->ij", &a, &[Factor::Sparse(&a)])?, Contracted::Sparse(squares));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Factor<'f, T: Scalar> {
    /// A dense array, row-major.
    Dense {
        /// The extents.
        shape: &'f [u64],
        /// The elements.
        data: &'f [T],
    },
    /// A sparse tensor.
    Sparse(&'f SparseTensor<'f, T>),
}

impl<T: Scalar> Factor<'_, T> {
    fn shape(&self) -> &[u64] {
        match self {
            Factor::Dense { shape, .. } => shape,
            Factor::Sparse(tensor) => tensor.shape(),
        }
    }
}

/// The result of a contraction.
///
/// ```
/// use sparse_formats::{Builder, Contracted, Format, Indices, contract};
/// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![2u8, 0, 2].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![2, 3, 4])?;
/// match contract("ij->j", &a, &[])? {
///     Contracted::Sparse(sums) => assert_eq!((sums.at(&[0]), sums.at(&[1]), sums.at(&[2])), (Some(&3), Some(&0), Some(&6))),
///     Contracted::Dense { .. } => unreachable!("a sum over axes is sparse"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Contracted<T: Scalar> {
    /// A dense array, row-major.
    Dense {
        /// The extents.
        shape: Vec<u64>,
        /// The elements.
        data: Vec<T>,
    },
    /// A sparse tensor.
    Sparse(SparseTensor<'static, T>),
}

/// Computes the contraction that `subscripts` describe, as in `einsum`: letters for the axes of each operand and of
/// the result. The first operand is sparse. Letters that the result lacks are summed over.
///
/// | subscripts, for instance | kernel | result |
/// |---|---|---|
/// | `ijk,jr,kr->ir` | [`mttkrp`] in the mode that the result keeps | dense |
/// | `ijk,kr->ijr` | [`ttm`]; the new letter replaces the one that is summed over, or comes last | sparse |
/// | `ijk,j,k->i` | [`ttv`] | sparse |
/// | `ij,j->i`, `ij,i->j` | [`spmv`] | dense |
/// | `ij,jr->ir`, `ij,ir->jr` | [`spmm`] | dense |
/// | `ij,ir,jr->ij` | [`Sddmm`] | sparse |
/// | `ij,jk->ik`, both sparse | [`spgemm`] | sparse |
/// | `ijk,ijk->ijk`, both sparse | [`elementwise`] | sparse |
/// | `ijk->ik` | [`reduce`] | sparse |
/// | `ijk->kij` | another order of the axes | sparse |
///
/// ```
/// use sparse_formats::{Builder, Contracted, Factor, Format, Indices, contract};
/// let columns: [Indices; 3] = [vec![0u8, 1].into(), vec![1u8, 1].into(), vec![0u8, 1].into()];
/// let a = Builder::new(Format::csf(3), 0).build(&[2, 2, 2], &columns, vec![2, 3])?;
/// let (b, c) = ([1, 2, 3, 4], [5, 6, 7, 8]);
/// let [b, c] = [&b, &c].map(|data| Factor::Dense { shape: &[2, 2], data });
/// let expected = Contracted::Dense { shape: vec![2, 2], data: vec![30, 48, 63, 96] };
/// assert_eq!(contract("ijk,jr,kr->ir", &a, &[b, c])?, expected);
/// let error = contract("ijk,jk->i", &a, &[b]).unwrap_err();
/// assert_eq!(error.to_string(), "`ijk,jk->i`: no kernel sums the axes j, k of a sparse tensor with one dense array of 2 axes");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the subscripts are malformed, if they do not fit the operands, if no kernel computes them, or if
/// the kernel fails.
pub fn contract<T: Scalar, A>(subscripts: &str, a: &A, factors: &[Factor<T>]) -> Result<Contracted<T>, OperationError>
where
    A: SparseOperand<T>,
{
    let plan = Subscripts::new(subscripts, a.shape(), factors)?;
    plan.run(a, factors)
}

/// The parsed subscripts: the letters of each operand and of the result.
struct Subscripts<'p> {
    text: &'p str,
    first: Vec<char>,
    others: Vec<Vec<char>>,
    out: Vec<char>,
}

impl<'p> Subscripts<'p> {
    fn new<T: Scalar>(text: &'p str, shape: &[u64], factors: &[Factor<T>]) -> Result<Self, OperationError> {
        let lacks = |lacks: String| OperationError::Contraction { subscripts: text.to_string(), lacks };
        let (operands, out) =
            text.split_once("->").ok_or_else(|| lacks("`->` and the letters of the result are missing, as in `ij,jk->ik`".into()))?;
        let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<Vec<char>>();
        let mut lists = operands.split(',').map(letters);
        let first = lists.next().unwrap_or_default();
        let (others, out): (Vec<Vec<char>>, _) = (lists.collect(), letters(out));
        if others.len() != factors.len() {
            return Err(lacks(alloc::format!(
                "the subscripts have {} operands after the first, but {} are given",
                others.len(),
                factors.len()
            )));
        }
        let mut extents: Vec<(char, u64)> = Vec::new();
        let shapes = core::iter::once((&first, shape)).chain(others.iter().zip(factors.iter().map(Factor::shape)));
        for (letters, shape) in shapes {
            if letters.len() != shape.len() {
                return Err(lacks(alloc::format!("an operand of {1} axes has {0} letters", letters.len(), shape.len())));
            }
            for (k, (letter, extent)) in letters.iter().zip(shape).enumerate() {
                if !letter.is_alphabetic() {
                    return Err(lacks(alloc::format!("`{letter}` is not a letter")));
                }
                if letters[..k].contains(letter) {
                    return Err(lacks(alloc::format!("`{letter}` occurs twice in one operand, but no kernel takes a diagonal")));
                }
                match extents.iter().find(|(known, _)| known == letter) {
                    Some((_, known)) if known != extent => {
                        let found = vec![*extent];
                        return Err(OperationError::Operand { what: "axes with the same letter", found, expected: vec![*known] });
                    }
                    Some(_) => {}
                    None => extents.push((*letter, *extent)),
                }
            }
        }
        if let Some((k, letter)) =
            out.iter().enumerate().find(|(k, letter)| out[..*k].contains(letter) || !extents.iter().any(|(known, _)| known == *letter))
        {
            let why = if out[..k].contains(letter) { "occurs twice in the result" } else { "is in no operand" };
            return Err(lacks(alloc::format!("`{letter}` {why}")));
        }
        Ok(Subscripts { text, first, others, out })
    }

    /// Returns the axis of a letter in the first operand, or `None` if the operand lacks the letter.
    fn axis(&self, letter: char) -> Option<usize> {
        self.first.iter().position(|known| *known == letter)
    }

    fn run<T: Scalar, A: SparseOperand<T>>(&self, a: &A, factors: &[Factor<T>]) -> Result<Contracted<T>, OperationError> {
        let summed: Vec<usize> = (0..self.first.len()).filter(|axis| !self.out.contains(&self.first[*axis])).collect();
        match factors {
            [] => {
                let tensor = match summed[..] {
                    [] => a.gathered(&Format::coo(self.first.len()))?,
                    _ => reduce(a, &summed, Reduction::Sum, Cells::Stored)?,
                };
                let left: Vec<char> = self.first.iter().copied().filter(|letter| self.out.contains(letter)).collect();
                self.ordered(tensor, &left)
            }
            [Factor::Sparse(b)] => self.sparse(a, b, &summed),
            _ => {
                let dense = |factor: &Factor<T>| match factor {
                    Factor::Dense { .. } => true,
                    Factor::Sparse(_) => false,
                };
                if !factors.iter().all(dense) {
                    return Err(self.lacks(
                        "no kernel takes more than two sparse operands, or a mix of sparse and dense operands after the first".into(),
                    ));
                }
                self.dense(a, factors, &summed)
            }
        }
    }

    /// Returns the error for subscripts that no kernel computes; `lacks` says why.
    fn lacks(&self, lacks: String) -> OperationError {
        OperationError::Contraction { subscripts: self.text.to_string(), lacks }
    }

    /// Permutes the axes of a tensor, which have the letters `letters`, to the order of the result. Fails if the result has
    /// other letters.
    fn ordered<T: Scalar>(&self, tensor: SparseTensor<'static, T>, letters: &[char]) -> Result<Contracted<T>, OperationError> {
        let places: Option<Vec<usize>> = self.out.iter().map(|letter| letters.iter().position(|known| known == letter)).collect();
        let places = places.filter(|places| places.len() == letters.len());
        let places = places.ok_or_else(|| self.lacks("the kernel for these operands computes a result with other letters".into()))?;
        if places.is_sorted() {
            return Ok(Contracted::Sparse(tensor));
        }
        Ok(Contracted::Sparse(tensor.permute(&places)?))
    }

    /// Computes a contraction of two sparse operands over the axes `summed` of the first. Fails if no kernel computes it, or if
    /// the kernel fails.
    fn sparse<T: Scalar, A: SparseOperand<T>>(
        &self,
        a: &A,
        b: &SparseTensor<T>,
        summed: &[usize],
    ) -> Result<Contracted<T>, OperationError> {
        let other = &self.others[0];
        if *other == self.first && summed.is_empty() {
            let format = Format::coo(self.first.len());
            return self.ordered(elementwise(a, b, Elementwise::Mul, &format)?, &self.first);
        }
        if let ([_, _], [_, _], [axis]) = (&self.first[..], &other[..], summed)
            && let Some(inner) = other.iter().position(|letter| *letter == self.first[*axis])
            && !self.first.contains(&other[1 - inner])
        {
            let left;
            let letters = [self.first[1 - axis], other[1 - inner]];
            let right = if inner == 0 { b.view() } else { b.view().permute(&[1, 0])? };
            let product = if *axis == 1 {
                spgemm(a, &right)?
            } else {
                left = a.gathered(&Format::csr())?.permute(&[1, 0])?;
                spgemm(&Watched::like(&left, a), &right)?
            };
            return self.ordered(product, &letters);
        }
        Err(self.lacks("two sparse operands must have the same letters, or be matrices with one common axis, which is summed".into()))
    }

    /// Computes a contraction of a sparse operand with dense ones. `summed` are the axes of the sparse operand that are summed
    /// over. Fails if no kernel computes the contraction, or if the kernel fails.
    fn dense<T: Scalar, A: SparseOperand<T>>(
        &self,
        a: &A,
        factors: &[Factor<T>],
        summed: &[usize],
    ) -> Result<Contracted<T>, OperationError> {
        let data = |k: usize| match factors[k] {
            Factor::Dense { data, .. } => data,
            Factor::Sparse(_) => &[],
        };
        let extent = |k: usize, axis: usize| factors[k].shape()[axis];
        for (k, factor) in factors.iter().enumerate() {
            super::operand("dense array", factor.shape(), data(k).len(), factor.shape())?;
        }
        // First case: a vector along each axis that is summed over.
        let vector = |axis: &usize| self.others.iter().position(|letters| letters[..] == [self.first[*axis]]);
        let vectors: Option<Vec<usize>> = summed.iter().map(vector).collect();
        if let Some(vectors) = vectors.filter(|vectors| !vectors.is_empty() && vectors.len() == factors.len()) {
            if let ([_, _], [axis]) = (&self.first[..], summed) {
                let data = spmv(a, *axis == 0, data(vectors[0]))?;
                return Ok(Contracted::Dense { shape: vec![data.len() as u64], data });
            }
            let of: Vec<&[T]> = vectors.iter().map(|k| data(*k)).collect();
            let left: Vec<char> = self.first.iter().copied().filter(|letter| self.out.contains(letter)).collect();
            return self.ordered(ttv(a, summed, &of)?, &left);
        }
        // Second case: matrices that share a letter that the first operand lacks.
        let columns = self.others[0].get(1).copied().filter(|letter| self.axis(*letter).is_none());
        let matrices =
            self.others.iter().all(|letters| letters.len() == 2 && Some(letters[1]) == columns && self.axis(letters[0]).is_some());
        if let (true, Some(columns)) = (matrices, columns) {
            let rank = extent(0, 1) as usize;
            let axes: Vec<usize> = self.others.iter().filter_map(|letters| self.axis(letters[0])).collect();
            let kept = self.out.contains(&columns);
            if !kept && self.first.len() == 2 && summed.is_empty() && (axes[..] == [0, 1] || axes[..] == [1, 0]) {
                let matrix = |axis: usize| {
                    let k = usize::from(axes[0] != axis);
                    Dense::packed(data(k), [extent(k, 0) as usize, rank], Major::Rows)
                };
                let list = a.gathered(&Format::coo(2))?;
                let tensor = Watched::like(&list, a).sddmm(matrix(0)?, matrix(1)?)?;
                return self.ordered(tensor, &self.first);
            }
            let mut sorted = axes.clone();
            sorted.sort_unstable();
            if kept && sorted == summed && self.out.len() == self.first.len() - summed.len() + 1 {
                if let ([_, _], [axis]) = (&self.first[..], summed) {
                    let b = Dense::packed(data(0), [extent(0, 0) as usize, rank], Major::Rows)?;
                    let rows = a.shape()[1 - axis];
                    let major = if self.out[0] == columns { Major::Columns } else { Major::Rows };
                    let product = spmm(a, *axis == 0, b, major)?;
                    let shape = if major == Major::Rows { vec![rows, rank as u64] } else { vec![rank as u64, rows] };
                    return Ok(Contracted::Dense { shape, data: product });
                }
                if let ([mode], [letter, last]) =
                    (&(0..self.first.len()).filter(|axis| !summed.contains(axis)).collect::<Vec<_>>()[..], &self.out[..])
                    && (*letter, *last) == (self.first[*mode], columns)
                {
                    let mut of: Vec<&[T]> = vec![&[]; self.first.len()];
                    axes.iter().enumerate().for_each(|(k, axis)| of[*axis] = data(k));
                    let product = mttkrp(a, *mode, &of, rank)?;
                    return Ok(Contracted::Dense { shape: vec![a.shape()[*mode], rank as u64], data: product });
                }
                if let [axis] = *summed {
                    let letters: Vec<char> =
                        self.first.iter().map(|letter| if *letter == self.first[axis] { columns } else { *letter }).collect();
                    return self.ordered(ttm(a, axis, data(0), rank)?, &letters);
                }
            }
        }
        let letters: Vec<String> = summed.iter().map(|axis| self.first[*axis].to_string()).collect();
        let axes: Vec<String> = self.others.iter().map(|letters| letters.len().to_string()).collect();
        let with = if axes.len() == 1 { "one dense array".to_string() } else { alloc::format!("{} dense arrays", axes.len()) };
        Err(self.lacks(alloc::format!(
            "no kernel sums the axes {} of a sparse tensor with {with} of {} axes",
            letters.join(", "),
            axes.join(", ")
        )))
    }
}
