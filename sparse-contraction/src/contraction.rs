//! Contractions: reads the subscripts, plans, runs the steps, and stores the result as asked.

use crate::estimate::Term;
use crate::semiring::{Arithmetic, MaxTimes, MinPlus, OrAnd};
use crate::steps::{of_dense, run, to_dense};
use crate::subscripts::Subscripts;
use crate::value::{Lettered, Sparse, Value, product, room};
use crate::{Contracted, ContractionError, ContractionPlan, Factor, Semiring};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use sparse_formats::{Format, OperationError, Scalar, SparseTensor, Values, Watched};

/// Computes the contraction that `subscripts` describe, as `einsum` of NumPy does: letters for the axes of each operand, and
/// letters of the result after `->`. Letters that the result lacks are summed over.
///
/// Operands are sparse tensors in any format, dense arrays and scalars, one or more. A letter that occurs twice in an operand
/// takes the diagonal. `...` stands for axes that are aligned at the last one and repeated if their extent is 1. Without `->`,
/// the result has the letters that occur once, in alphabetical order. Spaces are ignored.
///
/// The result is dense or sparse, as the last step of the [plan](ContractionPlan) computes it; [`Contraction`] asks for one or
/// for a format. A result without axes is dense. A sparse result stores every coordinate with a product, even if the products cancel. Floating-point numbers
/// round after each operation, in an order that depends on the plan. Integers wrap around.
///
/// ```
/// use sparse_contraction::{Factor, contract};
/// use sparse_formats::{Builder, Format, Indices};
/// let columns: [Indices; 3] = [vec![0u8, 1].into(), vec![1u8, 1].into(), vec![0u8, 1].into()];
/// let a = Builder::new(Format::csf(3), 0).build(&[2, 2, 2], &columns, vec![2, 3])?;
/// let b = Factor::Dense { shape: &[2, 2], data: &[1, 2, 3, 4] };
/// let c = Factor::Dense { shape: &[2, 2], data: &[5, 6, 7, 8] };
/// assert_eq!(contract("ijk,jr,kr->ir", &[Factor::Sparse(&a), b, c])?.dense(), Some(&[30, 48, 63, 96][..]));
/// let error = contract("ijk,jr->ir", &[Factor::Sparse(&a), Factor::Dense { shape: &[3, 1], data: &[1, 2, 3] }]).unwrap_err();
/// assert_eq!(error.to_string(), "`ijk,jr->ir`: the letter j is 2 in operand 0 and 3 in operand 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the subscripts are malformed or do not fit the operands, if a sparse operand has another fill value than 0,
/// if it stores no values or one triangle for both, or if memory has no room.
pub fn contract<T: Scalar>(subscripts: &str, factors: &[Factor<T>]) -> Result<Contracted<T>, ContractionError> {
    Contraction::new(subscripts).run(factors)
}

/// Returns the plan by which [`contract`] computes a contraction: its steps, their kernels, and estimates of their results.
///
/// ```
/// use sparse_contraction::{Factor, explain};
/// use sparse_formats::{Builder, Format, Indices};
/// let columns: [Indices; 2] = [vec![0u8, 1, 2].into(), vec![1u8, 2, 0].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[3, 3], &columns, vec![2, 3, 4])?;
/// let x = Factor::Dense { shape: &[3], data: &[1, 10, 100] };
/// let plan = explain("ij,jk,k->i", &[Factor::Sparse(&a), Factor::Sparse(&a), x])?;
/// assert_eq!(
///     plan.to_string(),
///     "`ij,jk,k->i` takes 2 steps\n\
///      1. spmv         jk,k->j: 3 products, 3 elements (dense)\n\
///      2. spmv         ij,j->i: 3 products, 3 elements (dense)\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the subscripts are malformed or do not fit the operands.
pub fn explain<T: Scalar>(subscripts: &str, factors: &[Factor<T>]) -> Result<ContractionPlan, ContractionError> {
    Contraction::new(subscripts).explain(factors)
}

/// The storage of a result.
#[derive(Clone, Debug)]
enum Storage {
    Any,
    Dense,
    Format(Format),
}

/// A contraction with options: the storage of its result, and the arithmetic.
///
/// ```
/// use sparse_contraction::{Contraction, Factor, Semiring};
/// use sparse_formats::{Builder, Format, Indices};
/// // The lengths of roads from 0 to 1, from 1 to 2 and from 0 to 2.
/// let columns: [Indices; 2] = [vec![0u8, 1, 0].into(), vec![1u8, 2, 2].into()];
/// let roads = Builder::new(Format::csr(), i32::MAX).build(&[3, 3], &columns, vec![2, 3, 9])?;
/// let factors = [Factor::Sparse(&roads), Factor::Sparse(&roads)];
/// let two = Contraction::new("ij,jk->ik").format(Format::csr()).run_in(Semiring::MinPlus, &factors)?;
/// let two = two.sparse().unwrap();
/// assert_eq!((two.at(&[0, 2]), two.at(&[0, 1])), (Some(&5), Some(&i32::MAX)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Contraction<'c> {
    subscripts: &'c str,
    storage: Storage,
}

impl<'c> Contraction<'c> {
    /// Returns a contraction, which computes as [`contract`] does.
    ///
    /// ```
    /// use sparse_contraction::{Contraction, Factor};
    /// let result = Contraction::new("i->").run(&[Factor::Dense { shape: &[3], data: &[1, 2, 3] }])?;
    /// assert_eq!(result.dense(), Some(&[6][..]));
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    pub fn new(subscripts: &'c str) -> Self {
        Contraction { subscripts, storage: Storage::Any }
    }

    /// Asks for a dense result.
    ///
    /// ```
    /// use sparse_contraction::{Contraction, Factor};
    /// use sparse_formats::{Builder, Format};
    /// let a = Builder::new(Format::vector(), 0).build(&[3], &[vec![1u8].into()], vec![5])?;
    /// assert_eq!(Contraction::new("i->i").dense().run(&[Factor::Sparse(&a)])?.dense(), Some(&[0, 5, 0][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dense(self) -> Self {
        Contraction { storage: Storage::Dense, ..self }
    }

    /// Asks for a sparse result in a format. Elements of a dense array that are 0 are not stored.
    ///
    /// ```
    /// use sparse_contraction::{Contraction, Factor};
    /// use sparse_formats::Format;
    /// let a = Factor::Dense { shape: &[2, 2], data: &[0, 5, 6, 0] };
    /// let result = Contraction::new("ij->ji").format(Format::csc()).run(&[a])?;
    /// assert_eq!(result.sparse().map(|tensor| (tensor.format().to_string(), tensor.stored())), Some(("C-S-C".into(), 2)));
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    pub fn format(self, format: Format) -> Self {
        Contraction { storage: Storage::Format(format), ..self }
    }

    /// Returns the extents of the result.
    ///
    /// ```
    /// use sparse_contraction::{Contraction, Factor};
    /// let a = Factor::Dense { shape: &[2, 3], data: &[1, 2, 3, 4, 5, 6] };
    /// assert_eq!(Contraction::new("ij->ji").shape(&[a])?, [3, 2]);
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error as [`explain`] does.
    pub fn shape<T: Scalar>(&self, factors: &[Factor<T>]) -> Result<Vec<u64>, ContractionError> {
        let subscripts = self.subscripts(factors)?;
        Ok(subscripts.shape(&subscripts.output))
    }

    /// Returns the plan: its steps, their kernels, and estimates of their results.
    ///
    /// ```
    /// use sparse_contraction::{Contraction, Factor};
    /// let plan = Contraction::new("i,i->").explain(&[Factor::Dense { shape: &[2], data: &[5, 6] }; 2])?;
    /// assert_eq!(plan.to_string(), "`i,i->` takes 1 step\n1. loops        i,i->: 2 products, 1 elements (dense)\n");
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error as [`explain`] does.
    pub fn explain<T: Scalar>(&self, factors: &[Factor<T>]) -> Result<ContractionPlan, ContractionError> {
        let subscripts = self.subscripts(factors)?;
        let terms: Vec<Term> = operands(&subscripts, factors)?.iter().map(Lettered::term).collect();
        Ok(self.plan(&subscripts, terms))
    }

    /// Computes the contraction with sums of products, or with `plus` and `times` of the type of the elements.
    ///
    /// ```
    /// use sparse_contraction::{Contraction, Factor, MinPlus};
    /// let roads = [MinPlus(2), MinPlus(3)];
    /// let shortest = Contraction::new("i->").run(&[Factor::Dense { shape: &[2], data: &roads }])?;
    /// assert_eq!(shortest.dense(), Some(&[MinPlus(2)][..]));
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error as [`contract`] does, or if the format has another number of axes than the result.
    pub fn run<T: Scalar>(&self, factors: &[Factor<T>]) -> Result<Contracted<T>, ContractionError> {
        let subscripts = self.subscripts(factors)?;
        check_fill(factors, T::ZERO)?;
        if let Storage::Format(format) = &self.storage
            && format.rank() != subscripts.output.len()
        {
            let (axes, rank) = (format.rank(), subscripts.output.len());
            return Err(ContractionError::Format { format: format.to_string(), axes, rank });
        }
        let operands = operands(&subscripts, factors)?;
        let plan = self.plan(&subscripts, operands.iter().map(Lettered::term).collect());
        factors.iter().filter(|factor| factor.shape().is_empty()).filter_map(sparse_of).for_each(|number| number.report());
        let mut tensors: Vec<Option<Lettered<T>>> = operands.into_iter().map(Some).collect();
        for step in plan.steps() {
            let inputs = step.inputs().iter().filter_map(|number| tensors[*number].take()).collect();
            tensors.push(Some(run(step, &subscripts.extents, inputs)?));
        }
        match tensors.pop().flatten() {
            Some(last) => self.stored(&subscripts, last.value),
            None => unreachable!("a plan has a step"),
        }
    }

    /// Computes the contraction in an arithmetic. The operands are copied, unless it is [`Semiring::SumProduct`]. For operands
    /// that are used often, convert them once to [`MinPlus`], [`MaxTimes`] or [`OrAnd`], and use [`Contraction::run`].
    ///
    /// ```
    /// use sparse_contraction::{Contraction, Factor, Semiring};
    /// let a = Factor::Dense { shape: &[2, 2], data: &[5, 1, 2, 9] };
    /// let best = Contraction::new("ij,jk->ik").run_in(Semiring::MaxTimes, &[a, a])?;
    /// assert_eq!(best.dense(), Some(&[25, 9, 18, 81][..]));
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error as [`Contraction::run`] does, where elements that are not stored must be the zero of the arithmetic. Also
    /// if an element is negative for [`Semiring::MaxTimes`].
    pub fn run_in<T: Scalar>(&self, semiring: Semiring, factors: &[Factor<T>]) -> Result<Contracted<T>, ContractionError> {
        match semiring {
            Semiring::SumProduct => self.run(factors),
            Semiring::MinPlus => self.run_as::<MinPlus<T>, T>(factors),
            Semiring::MaxTimes => self.run_as::<MaxTimes<T>, T>(factors),
            Semiring::OrAnd => self.run_as::<OrAnd<T>, T>(factors),
        }
    }

    /// Computes the contraction in one arithmetic, as [`Contraction::run_in`] does. Only its kernels are compiled.
    ///
    /// ```
    /// use sparse_contraction::{Contraction, Factor, MaxTimes};
    /// let a = Factor::Dense { shape: &[2, 2], data: &[5, 1, 2, 9] };
    /// let best = Contraction::new("ij->i").run_as::<MaxTimes<i32>, i32>(&[a])?;
    /// assert_eq!(best.dense(), Some(&[5, 9][..]));
    /// # Ok::<(), sparse_contraction::ContractionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error as [`Contraction::run_in`] does.
    pub fn run_as<S: Arithmetic<T>, T: Scalar>(&self, factors: &[Factor<T>]) -> Result<Contracted<T>, ContractionError> {
        check_fill(factors, S::ZERO.number())?;
        if !S::NEGATIVE {
            check_signs(factors)?;
        }
        self.through(factors, S::of, S::number)
    }

    /// Computes the contraction with numbers of another type, which `to` and `from` convert to and from.
    fn through<T: Scalar, S: Scalar>(
        &self,
        factors: &[Factor<T>],
        to: impl Fn(T) -> S,
        from: impl Fn(S) -> T,
    ) -> Result<Contracted<T>, ContractionError> {
        enum Copied<'c, S: Scalar> {
            Dense(Vec<S>),
            Sparse(SparseTensor<'c, S>),
        }
        let given: Vec<Option<Sparse<T>>> = factors.iter().map(sparse_of).collect();
        let copy = |(factor, given): (&Factor<T>, &'_ Option<Sparse<T>>)| match (factor, given) {
            (Factor::Dense { data, .. }, _) => {
                let mut copy = room(data.len())?;
                copy.extend(data.iter().map(|x| to(*x)));
                Ok(Copied::Dense(copy))
            }
            (Factor::Sparse(operand), _) => {
                let values = |values: Values<'_, T>| values.map(|x| to(*x)).into_owned();
                let (tensor, fill) = match operand.tensors()[..] {
                    [(None, tensor)] => (tensor.clone().into_owned(), *tensor.fill()),
                    ref tensors => (
                        operand.gathered(&Format::coo(factor.shape().len()))?,
                        tensors.first().map_or(T::ZERO, |(_, tensor)| *tensor.fill()),
                    ),
                };
                Ok::<_, ContractionError>(Copied::Sparse(tensor.with_values(values, to(fill))?))
            }
        };
        let copies = factors.iter().zip(&given).map(copy).collect::<Result<Vec<_>, _>>()?;
        let watched: Vec<Option<Watched<SparseTensor<S>>>> = copies
            .iter()
            .zip(&given)
            .map(|(copy, given)| match (copy, given) {
                (Copied::Sparse(tensor), Some(given)) => Some(Watched::like(tensor, given)),
                _ => None,
            })
            .collect();
        let all: Vec<Factor<S>> = copies
            .iter()
            .zip(&watched)
            .zip(factors)
            .map(|((copy, watched), factor)| match (copy, watched) {
                (Copied::Dense(data), _) => Factor::Dense { shape: factor.shape(), data },
                (Copied::Sparse(_), Some(watched)) => Factor::Sparse(watched),
                (Copied::Sparse(tensor), None) => Factor::Sparse(tensor),
            })
            .collect();
        Ok(match self.run(&all)? {
            Contracted::Dense { shape, data } => Contracted::Dense { shape, data: data.into_iter().map(from).collect() },
            Contracted::Sparse(tensor) => {
                let fill = from(*tensor.fill());
                Contracted::Sparse(tensor.with_values(|values| values.map(|x| from(*x)).into_owned(), fill)?)
            }
        })
    }

    /// Reads the subscripts, and compares them with the operands.
    fn subscripts<T: Scalar>(&self, factors: &[Factor<T>]) -> Result<Subscripts, ContractionError> {
        for (operand, factor) in factors.iter().enumerate() {
            if let Factor::Dense { shape, data } = factor
                && product(shape) != Some(data.len())
            {
                return Err(ContractionError::Elements { operand, found: data.len(), shape: shape.to_vec() });
            }
        }
        Subscripts::new(self.subscripts, &factors.iter().map(Factor::shape).collect::<Vec<_>>())
    }

    fn plan(&self, subscripts: &Subscripts, terms: Vec<Term>) -> ContractionPlan {
        let dense = match self.storage {
            Storage::Any => None,
            Storage::Dense => Some(true),
            Storage::Format(_) => Some(false),
        };
        ContractionPlan::new(subscripts, terms, dense)
    }

    /// Stores the last tensor as asked for.
    fn stored<T: Scalar>(&self, subscripts: &Subscripts, value: Value<T>) -> Result<Contracted<T>, ContractionError> {
        let shape = subscripts.shape(&subscripts.output);
        let sparse = |sparse| match sparse {
            Sparse::Made(tensor) => Ok(tensor),
            Sparse::Given(operand) => operand.gathered(&Format::coo(shape.len())),
        };
        Ok(match (value, &self.storage) {
            (Value::Dense(data), Storage::Format(format)) => Contracted::Sparse(of_dense(&shape, &data, format)?),
            (Value::Dense(data), _) => {
                let data = if let alloc::borrow::Cow::Borrowed(data) = data { copied(data)? } else { data.into_owned() };
                Contracted::Dense { shape, data }
            }
            (Value::Sparse(given), Storage::Any) => Contracted::Sparse(sparse(given)?),
            (Value::Sparse(given), Storage::Dense) => Contracted::Dense { data: to_dense(&given)?, shape },
            (Value::Sparse(given), Storage::Format(format)) => {
                let tensor = sparse(given)?;
                Contracted::Sparse(if tensor.format() == format { tensor } else { tensor.to_format(format)? })
            }
        })
    }
}

/// Returns the elements as a vector. Fails if memory has no room.
fn copied<T: Scalar>(data: &[T]) -> Result<Vec<T>, ContractionError> {
    let mut copy = room(data.len())?;
    copy.extend_from_slice(data);
    Ok(copy)
}

/// Returns the sparse tensor of a factor, or `None` for a dense array.
fn sparse_of<'f, T: Scalar>(factor: &Factor<'f, T>) -> Option<Sparse<'f, T>> {
    match *factor {
        Factor::Dense { .. } => None,
        Factor::Sparse(operand) => Some(Sparse::Given(operand)),
    }
}

/// Returns the operands with their letters. A sparse tensor without axes becomes a number.
fn operands<'f, T: Scalar>(subscripts: &Subscripts, factors: &[Factor<'f, T>]) -> Result<Vec<Lettered<'f, T>>, ContractionError> {
    let operand = |(letters, factor): (&Vec<usize>, &Factor<'f, T>)| {
        let operand = Lettered::new(letters, factor);
        match (&operand.value, &letters[..]) {
            (Value::Sparse(sparse), []) => Ok(Lettered { letters: Vec::new(), value: Value::Dense(to_dense(sparse)?.into()) }),
            _ => Ok(operand),
        }
    };
    subscripts.inputs.iter().zip(factors).map(operand).collect()
}

/// Fails if an element that an operand does not store is not `zero`.
fn check_fill<T: Scalar>(factors: &[Factor<T>], zero: T) -> Result<(), ContractionError> {
    for (operand, factor) in factors.iter().enumerate() {
        let Factor::Sparse(sparse) = factor else { continue };
        if let Some((_, tensor)) = sparse.tensors().iter().find(|(_, tensor)| *tensor.fill() != zero) {
            return Err(ContractionError::Fill { operand, fill: format!("{:?}", tensor.fill()), zero: format!("{zero:?}") });
        }
    }
    Ok(())
}

/// Fails if an element is negative.
fn check_signs<T: Scalar>(factors: &[Factor<T>]) -> Result<(), ContractionError> {
    let check = |operand, value: &T| match *value < T::ZERO {
        true => Err(ContractionError::Negative { operand, found: format!("{value:?}") }),
        false => Ok(()),
    };
    for (operand, factor) in factors.iter().enumerate() {
        match factor {
            Factor::Dense { data, .. } => data.iter().try_for_each(|value| check(operand, value))?,
            Factor::Sparse(sparse) => {
                for (_, tensor) in sparse.tensors() {
                    match tensor.values() {
                        Values::Each(values) => values.iter().try_for_each(|value| check(operand, value))?,
                        Values::Iso(value) => check(operand, value)?,
                        Values::PatternOnly => return Err(OperationError::PatternOnly.into()),
                    }
                }
            }
        }
    }
    Ok(())
}
