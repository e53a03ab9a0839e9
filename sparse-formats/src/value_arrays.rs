//! Several named arrays of values over one pattern.

use crate::shape::product;
use crate::{Format, Rejected, SparseError, SparseTensor, SparsityPattern, Values};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use array_kernels::memory::room;

/// The values of stored elements: for each a scalar, or a small dense array.
///
/// ```
/// use sparse_formats::Elements;
/// let weights = Elements::scalars(vec![0.5, 2.0]);
/// assert!(weights.shape.is_empty());
/// // A vector of two numbers for each element.
/// let positions = Elements::arrays(&[2], vec![1.0, 0.0, 0.0, 1.0]);
/// assert_eq!((positions.shape, positions.values.len()), (vec![2], Some(4)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Elements<'a, V: Clone> {
    /// The extents of the array of each element, empty for scalars.
    pub shape: Vec<u64>,
    /// The values, in the order of the elements. The values of one element are adjacent, the last axis
    /// fastest. Over dense axes, each element of a block has its own array.
    pub values: Values<'a, V>,
}

impl<'a, V: Clone> Elements<'a, V> {
    /// Returns one scalar for each element.
    pub fn scalars(values: impl Into<Values<'a, V>>) -> Self {
        Elements { shape: Vec::new(), values: values.into() }
    }

    /// Returns one array of extents `shape` for each element. A single value for all elements fills every array.
    pub fn arrays(shape: &[u64], values: impl Into<Values<'a, V>>) -> Self {
        Elements { shape: shape.to_vec(), values: values.into() }
    }
}

/// A pattern, and arrays of values by name.
///
/// All arrays have values of one type, which may be an enum. For values of several types, let tensors share a
/// pattern by [`SparseTensor::new`].
///
/// ```
/// use sparse_formats::{Arrays, Elements, Format, SparsityPattern, ValueArrays};
/// let arrays = Arrays::new().with_pointers(0, vec![0u8, 1, 2]).with_indices(1, vec![1u8, 0]);
/// let pattern = SparsityPattern::from_parts(&[2, 2], Format::csr(), arrays)?;
/// let mut edges = ValueArrays::new(pattern);
/// edges.insert("weight", Elements::scalars(vec![0.5, 2.0]))?;
/// edges.insert("direction", Elements::arrays(&[3], vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0]))?;
/// let refused = edges.insert("age", Elements::scalars(vec![1.0])).unwrap_err();
/// assert_eq!(refused.to_string(), "values has 1 elements instead of 2");
/// assert_eq!(edges.names().collect::<Vec<_>>(), ["direction", "weight"]);
/// assert_eq!(edges.get("direction").map(|elements| elements.shape.clone()), Some(vec![3]));
/// assert_eq!(edges.of("direction", 1), Some([0.0, 1.0, 0.0].as_slice()));
/// assert_eq!(edges.tensor("weight", 0.0).map(|tensor| tensor.at(&[1, 0]).copied()), Some(Some(2.0)));
/// assert_eq!(edges.remove("weight"), Some(Elements::scalars(vec![0.5, 2.0])));
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ValueArrays<'a, V: Clone> {
    pattern: Arc<SparsityPattern<'a>>,
    arrays: BTreeMap<String, Elements<'a, V>>,
}

impl<'a, V: Clone> ValueArrays<'a, V> {
    /// Returns an empty collection over a pattern, which may be shared.
    pub fn new(pattern: impl Into<Arc<SparsityPattern<'a>>>) -> Self {
        ValueArrays { pattern: pattern.into(), arrays: BTreeMap::new() }
    }

    /// Returns the pattern of the stored coordinates.
    pub fn pattern(&self) -> &Arc<SparsityPattern<'a>> {
        &self.pattern
    }

    /// Inserts an array under a name, and returns the array that had the name before.
    ///
    /// Fails, and returns the array, if the number of values does not match the elements of the pattern.
    pub fn insert(
        &mut self,
        name: impl Into<String>,
        elements: Elements<'a, V>,
    ) -> Result<Option<Elements<'a, V>>, Rejected<Elements<'a, V>, SparseError>> {
        match self.pattern.check_values(&elements.shape, elements.values.len()) {
            Ok(()) => Ok(self.arrays.insert(name.into(), elements)),
            Err(error) => Err(Rejected::new(elements, error)),
        }
    }

    /// Iterates over the names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.arrays.keys().map(String::as_str)
    }

    /// Returns the array with this name, or `None` if there is none.
    pub fn get(&self, name: &str) -> Option<&Elements<'a, V>> {
        self.arrays.get(name)
    }

    /// Removes the array with this name and returns it, or `None` if there is none.
    pub fn remove(&mut self, name: &str) -> Option<Elements<'a, V>> {
        self.arrays.remove(name)
    }

    /// Returns the values of element number `element` in the array with this name. Over dense axes, returns the values of
    /// the whole block. Returns `None` if there is no such array or element, or if elements do not have their own values.
    pub fn of(&self, name: &str, element: usize) -> Option<&[V]> {
        let elements = self.arrays.get(name)?;
        let Values::Each(values) = &elements.values else { return None };
        let size = product(elements.shape.iter().copied().chain(self.pattern.block_shape()))?;
        values.get(element.checked_mul(size)?..element.checked_add(1)?.checked_mul(size)?)
    }

    /// Returns the tensor of the array of scalars with this name, over the same pattern. Returns `None` if there is no such
    /// array, or if its elements are arrays.
    pub fn tensor(&self, name: &str, fill: V) -> Option<SparseTensor<'_, V>> {
        let elements = self.arrays.get(name).filter(|elements| elements.shape.is_empty())?;
        SparseTensor::new(self.pattern.view(), elements.values.view(), fill).ok()
    }

    /// Converts all arrays to another format. The pattern is converted once, and the arrays follow it.
    ///
    /// If blocks over dense axes gain elements that are not stored here, these have the value `fill` in every array.
    ///
    /// ```
    /// use sparse_formats::{Builder, Elements, Format, Indices, ValueArrays, Values};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![1u8, 0].into()];
    /// let pattern = Builder::new(Format::csr(), 0.0).build(&[2, 2], &columns, Values::PatternOnly)?.shared_pattern();
    /// let mut edges = ValueArrays::new(pattern);
    /// edges.insert("weight", Elements::scalars(vec![0.5, 2.0]))?;
    /// edges.insert("direction", Elements::arrays(&[2], vec![1.0, 0.0, 0.0, 1.0]))?;
    /// let columns = edges.to_format(&Format::csc(), &0.0)?;
    /// assert_eq!((columns.of("weight", 0), columns.of("direction", 0)), (Some([2.0].as_slice()), Some([0.0, 1.0].as_slice())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails as [`SparseTensor::to_format`] does.
    pub fn to_format(&self, format: &Format, fill: &V) -> Result<ValueArrays<'static, V>, SparseError> {
        let elements = product(self.pattern.block_shape().into_iter().chain([self.pattern.stored() as u64]));
        let too_large = SparseError::Blocks { blocks: self.pattern.stored(), extents: self.pattern.block_shape() };
        // Convert a tensor whose values are the numbers of the elements. Its result says where the values of
        // each element go.
        let mut numbers: Vec<usize> = elements.and_then(room).ok_or_else(|| too_large.clone())?;
        numbers.extend(0..elements.unwrap_or(0));
        let numbered = SparseTensor::new(self.pattern.clone(), numbers, usize::MAX).map_err(|rejected| rejected.error)?;
        let numbered = numbered.to_format(format)?;
        let places = match numbered.values() {
            Values::Each(places) => places,
            _ => return Err(too_large),
        };
        let follow = |array: &Elements<V>| {
            let length = product(array.shape.iter().copied().chain([places.len() as u64])).ok_or_else(|| too_large.clone())?;
            let size = length.checked_div(places.len()).unwrap_or(0);
            let values = match &array.values {
                Values::PatternOnly => Values::PatternOnly,
                Values::Iso(value) if !places.contains(&usize::MAX) => Values::Iso(value.clone()),
                values => {
                    let mut out = room(length).ok_or_else(|| too_large.clone())?;
                    for place in &**places {
                        // `usize::MAX` marks elements that are not stored here; the pattern has fewer
                        // elements than that.
                        let first = place.checked_mul(size);
                        out.extend((0..size).map(|k| {
                            let number = first.filter(|_| *place < usize::MAX).map(|first| first + k);
                            number.and_then(|number| values.get(number)).unwrap_or(fill).clone()
                        }));
                    }
                    out.into()
                }
            };
            Ok::<_, SparseError>(Elements { shape: array.shape.clone(), values })
        };
        let arrays =
            self.arrays.iter().map(|(name, array)| Ok::<_, SparseError>((name.clone(), follow(array)?))).collect::<Result<_, _>>()?;
        Ok(ValueArrays { pattern: numbered.shared_pattern(), arrays })
    }
}
