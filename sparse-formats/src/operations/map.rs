//! Operations on the values of a tensor one by one.

use crate::attributes::{Attributes, Change};
use crate::kernels::Value;
use crate::tensor::InputFacts;
use crate::{Builder, Indices, OperationError, Rejected, SparseError, SparseTensor, Symmetry, Values};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use array_kernels::memory::room;

impl<'a, V: Value> SparseTensor<'a, V> {
    /// Applies `f` to each value and to the fill value. The result shares the pattern. Fails if one triangle stands for both
    /// and the symmetry is not `Symmetry::Symmetric`, because `f` may not keep it.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 1] = [vec![1u8, 4].into()];
    /// let a = Builder::new(Format::vector(), 0.0).build(&[5], &columns, vec![1.0, 4.0])?;
    /// let roots = a.map(|x| f64::sqrt(*x))?;
    /// assert_eq!(roots.at(&[4]), Some(&2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map<W: Clone + 'a>(&self, mut f: impl FnMut(&V) -> W) -> Result<SparseTensor<'a, W>, OperationError> {
        let attributes = self.attributes().after(Change::Values)?;
        let (fill, values) = (f(self.fill()), self.values().map(f));
        SparseTensor::new(self.shared_pattern(), values, fill)
            .map(|tensor| tensor.with_believed(attributes))
            .map_err(|rejected| rejected.error.into())
    }

    /// Returns the tensor with the values that `f` makes from its values, in the order of the elements, and with the fill
    /// value `fill`. Keeps the symmetry without a check.
    ///
    /// Fails unless there is one value for each element.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 1] = [vec![1u8, 4].into()];
    /// let a = Builder::new(Format::vector(), 0).build(&[5], &columns, vec![3, 7])?;
    /// assert!(a.clone().with_values(|_| vec![0.3].into(), 0.0).is_err());
    /// let b = a.with_values(|_| vec![0.3, 0.7].into(), 0.0)?;
    /// assert_eq!((b.at(&[4]), b.at(&[0])), (Some(&0.7), Some(&0.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_values<W: Clone>(
        self,
        f: impl FnOnce(Values<'a, V>) -> Values<'a, W>,
        fill: W,
    ) -> Result<SparseTensor<'a, W>, SparseError> {
        let SparseTensor { pattern, values, attributes, .. } = self;
        let tensor = SparseTensor::new(pattern, f(values), fill).map_err(|rejected| rejected.error)?;
        Ok(tensor.with_believed(attributes))
    }

    /// Changes each value and the fill value in place. Fails as `SparseTensor::map` does, without a change.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 1] = [vec![1u8, 4].into()];
    /// let mut a = Builder::new(Format::vector(), 0).build(&[5], &columns, vec![3, 7])?;
    /// a.map_in_place(|x| *x += 1)?;
    /// assert_eq!((a.at(&[4]), a.at(&[0])), (Some(&8), Some(&1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map_in_place(&mut self, mut f: impl FnMut(&mut V)) -> Result<(), OperationError> {
        let attributes = self.attributes().after(Change::Values)?;
        match &mut self.values {
            Values::Each(values) => values.to_mut().iter_mut().for_each(&mut f),
            Values::Iso(value) => f(value),
            Values::PatternOnly => {}
        }
        f(&mut self.fill);
        self.attributes = attributes;
        Ok(())
    }

    /// Keeps only the stored elements for whose values `keep` is true. All others become `fill`.
    ///
    /// A block over dense axes stays if `keep` is true for one of its values. A value that all elements share is
    /// tested once. Fails if the tensor stores no values, or memory has no room.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 1] = [vec![1u8, 4, 6].into()];
    /// let a = Builder::new(Format::vector(), 0.0).build(&[9], &columns, vec![3.0, 0.0, 1e-9f64])?;
    /// assert_eq!(a.pruned(|x| *x != 0.0)?.stored(), 2);
    /// let large = a.pruned(|x| x.abs() > 1e-6)?;
    /// assert_eq!((large.stored(), large.at(&[6])), (1, Some(&0.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pruned(&self, mut keep: impl FnMut(&V) -> bool) -> Result<SparseTensor<'static, V>, OperationError> {
        let attributes = self.attributes().after(Change::Pruned)?;
        if matches!(self.values(), Values::PatternOnly) {
            return Err(OperationError::PatternOnly);
        }
        let block = self.pattern().block();
        // Get the coordinates first: this fails if the claimed number of elements exceeds memory.
        let columns = self.pattern().coordinates()?;
        let mut kept: Vec<usize> = room(self.stored()).ok_or(SparseError::Memory { elements: self.stored() })?;
        match self.values() {
            Values::Iso(value) if block > 0 && keep(value) => kept.extend(0..self.stored()),
            Values::Iso(_) | Values::PatternOnly => {}
            Values::Each(values) => {
                kept.extend((0..self.stored()).filter(|element| values[element * block..][..block].iter().any(&mut keep)));
            }
        }
        let columns: Vec<Indices> = columns.iter().map(|column| column.gather(&kept)).collect();
        let values = self.values().gather(kept.iter().map(|element| *element..element + 1), kept.len(), block)?;
        let builder = Builder::new(self.format().clone(), self.fill().clone());
        let known = InputFacts { elements: Some(kept.len()), in_range: true, ..InputFacts::default() };
        Ok(builder.build_known(self.shape(), &columns, values, known)?.with_believed(attributes))
    }

    /// Stores both triangles if the tensor stores one for both. Otherwise returns a copy.
    ///
    /// `mirror` computes the value at the mirror image of an element: the value itself for [`Symmetry::Symmetric`],
    /// otherwise its conjugate or its negative. Elements of a multigraph that share a coordinate stay separate,
    /// also at the mirror image. Fails if a tensor with one stored triangle does not have two axes, or memory has no room.
    ///
    /// ```
    /// use sparse_formats::{Attributes, Builder, Format, Indices, Symmetry, Triangle};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![0u8, 0].into()];
    /// let attributes = Attributes { symmetry: Some(Symmetry::Symmetric), triangle: Some(Triangle::Lower), ..Attributes::default() };
    /// let a = Builder::new(Format::csr(), 0).build(&[2, 2], &columns, vec![5, 6])?.with_attributes(attributes)?;
    /// let full = a.expand(|value, _| *value)?;
    /// assert_eq!((a.stored(), full.stored(), full.at(&[0, 1])), (2, 3, Some(&6)));
    /// assert!(full.attributes().structure_symmetric && full.attributes().triangle.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expand(&self, mut mirror: impl FnMut(&V, Symmetry) -> V) -> Result<SparseTensor<'static, V>, OperationError> {
        let (Some(symmetry), true) = (self.attributes().symmetry, self.attributes().is_one_triangle()) else {
            return Ok(self.clone().into_owned());
        };
        if self.shape().len() != 2 {
            return Err(OperationError::KernelRank { found: self.shape().len(), expected: 2 });
        }
        let columns = self.all_coordinates()?;
        let off: Vec<usize> = (0..columns[0].len()).filter(|k| columns[0].get(*k) != columns[1].get(*k)).collect();
        let both = |a: usize, b: usize| {
            let all: Vec<u64> = columns[a].iter().chain(columns[b].gather(&off).iter()).collect();
            Indices::narrowest(&all)
        };
        let values: Values<V> = match self.values() {
            Values::PatternOnly => Values::PatternOnly,
            values => {
                let stored = (0..columns[0].len()).filter_map(|k| values.get(k)).cloned();
                let mut all: Vec<V> = stored.collect();
                all.extend(off.iter().filter_map(|k| values.get(*k)).map(|value| mirror(value, symmetry)));
                Values::Each(Cow::Owned(all))
            }
        };
        let builder = Builder::new(self.format().clone(), self.fill().clone());
        let built = builder.build(self.shape(), &[both(0, 1), both(1, 0)], values)?;
        let attributes = Attributes { triangle: None, structure_symmetric: true, ..self.attributes().clone() };
        Ok(built.with_believed(attributes))
    }

    /// Sets the attributes.
    ///
    /// Fails, and returns the tensor, if the stored coordinates contradict them. Symmetries of values are trusted.
    ///
    /// ```
    /// use sparse_formats::{Attributes, Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![1u8, 1].into()];
    /// let a = Builder::new(Format::csr(), 0).build(&[2, 2], &columns, vec![5, 6])?;
    /// let a = a.with_attributes(Attributes { diagonal: Some(1), ..Attributes::default() })?;
    /// let refused = a.with_attributes(Attributes { structure_symmetric: true, ..Attributes::default() }).unwrap_err();
    /// assert_eq!(refused.to_string(), "element 0 at [0, 1] has no mirror image: the symmetry needs an element at [1, 0]");
    /// assert_eq!(refused.parts.attributes().diagonal, Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_attributes(self, attributes: Attributes) -> Result<Self, Rejected<Self, SparseError>> {
        match attributes.check(self.pattern()) {
            Ok(()) => Ok(self.with_believed(attributes)),
            Err(error) => Err(Rejected::new(self, error)),
        }
    }
}
