//! Blocked, hybrid and linearised formats: unions of parts, each a chain of levels over mapped coordinates.

// `scheme` declares the schemes, so a new one begins there; `name` prints and parses them. `blocks`, `groups` and `rows`
// build parts, and `check` tests the parts that callers give.
mod blocks;
mod check;
mod groups;
mod name;
mod rows;
mod scheme;

pub use scheme::{BlockOrder, MappedFormat, Scheme};

use crate::kernels::Value;
use crate::shape::pick;
use crate::tensor::InputFacts;
use crate::{Arrays, AxisMap, Builder, Duplicates, Format, Indices, OperationError, SparseError, SparseTensor, SparsityPattern, Values};
use alloc::vec::Vec;
use array_kernels::{LevelView, Ranges};
use layout_levels::Fixed;

/// A part of a [`Composite`]: a map of coordinates, and a tensor that stores the mapped coordinates.
///
/// ```
/// use sparse_formats::{AxisMap, Builder, Composite, Format, Indices, Part};
/// // A diagonal by columns, and one element beside it.
/// let columns: [Indices; 2] = [vec![0u8, 1, 2].into(), vec![0u8, 1, 2].into()];
/// let diagonal = Builder::new(Format::coo(2), 0).build(&[3, 3], &columns, vec![5, 6, 7])?;
/// let columns: [Indices; 2] = [vec![0u8].into(), vec![2u8].into()];
/// let tensor = Builder::new(Format::coo(2), 0).build(&[3, 3], &columns, vec![9])?;
/// let mut parts = Composite::new(&diagonal, &"dia".parse()?)?.into_parts();
/// parts.push(Part { map: AxisMap::identity(&[3, 3]), tensor });
/// let a = Composite::from_parts(&[3, 3], parts, 0)?;
/// assert_eq!(a.to_string(), "(x1 - x0 + 2, x1): S-D-R + S-S-R");
/// assert_eq!((a.at(&[1, 1]), a.at(&[0, 2]), a.at(&[2, 0])), (Some(&6), Some(&9), Some(&0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Part<'a, V: Clone> {
    /// The map from coordinates to stored coordinates.
    pub map: AxisMap,
    /// The tensor of mapped coordinates.
    pub tensor: SparseTensor<'a, V>,
}

/// A tensor stored as a union of parts, no two of which store the same element.
///
/// Each part is a map of coordinates before a chain of levels. BCSR is one part, `(x0/B0, x1/B1, x0%B0, x1%B1)`
/// before `C-S-D-D`. HB-CSF has three parts with different chains, and MM-CSF one part for each order of the axes.
/// Values in a block that belong to no element equal the fill value and do not count as elements.
///
/// ```
/// use sparse_formats::{Builder, Composite, Format, Indices, Scheme};
/// let columns: [Indices; 2] = [vec![0u8, 1, 3].into(), vec![1u8, 1, 2].into()];
/// let a = Builder::new(Format::coo(2), 0).build(&[4, 4], &columns, vec![5, 6, 7])?;
/// let blocked = Composite::new(&a, &"blocks(2,2):C-S-R".parse::<Scheme>()?)?;
/// assert_eq!(blocked.parts()[0].tensor.values(), &vec![0, 5, 0, 6, 0, 0, 7, 0].into());
/// assert_eq!(blocked.to_string(), "(x0/2, x1/2, x0%2, x1%2): C-S-D-D-R");
/// assert_eq!((blocked.shape(), blocked.fill(), blocked.at(&[3, 2])), (&[4, 4][..], &0, Some(&7)));
/// // Two blocks of four values; three pointers and two indices of a byte each.
/// assert_eq!((blocked.stored(), blocked.index_bytes()), (8, 5));
/// assert_eq!(blocked.all_elements()?, (columns.to_vec(), vec![5, 6, 7].into()));
/// assert_eq!(blocked.to_tensor(&Format::coo(2))?, a);
/// assert_eq!(blocked.into_parts().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Composite<'a, V: Clone> {
    shape: Vec<u64>,
    parts: Vec<Part<'a, V>>,
    fill: V,
}

impl<V: Clone> Part<'_, V> {
    /// Returns the levels of the stored coordinates. A position of the last level is the index of a value.
    ///
    /// Dense axes are levels of fixed size. For a matrix by diagonals, the last level has the columns of each diagonal.
    ///
    /// ```
    /// use array_kernels::chain;
    /// use layout_levels::{Compressed, End, Range, Then};
    /// use sparse_formats::{Builder, Composite, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![0u8, 1, 0].into()];
    /// let a = Builder::new(Format::coo(2), 0).build(&[2, 2], &columns, vec![5, 6, 7])?;
    /// let dia = Composite::new(&a, &"DIA".parse()?)?;
    /// type Diagonals<'p> = Then<Compressed<[usize; 2], &'p [u8]>, Then<Range<&'p [u8]>, End>>;
    /// let mut seen = Vec::new();
    /// chain::<Diagonals>(&dia.parts()[0].levels())?.for_each(|(d, (j, ())), k| seen.push((d, j, k)));
    /// assert_eq!(seen, [(0, 0, 0), (1, 0, 2), (1, 1, 3)]);
    /// assert_eq!(dia.parts()[0].tensor.values(), &vec![7, 0, 5, 6].into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn levels(&self) -> Vec<LevelView<'_>> {
        levels(&self.map, &self.tensor)
    }
}

/// Returns the levels of the part with this map and this tensor, as [`Part::levels`] does.
pub(crate) fn levels<'p, V: Clone>(map: &AxisMap, tensor: &'p SparseTensor<'_, V>) -> Vec<LevelView<'p>> {
    let pattern = tensor.pattern();
    let size = |extent: &u64| usize::try_from(*extent).unwrap_or(usize::MAX);
    let dense = pattern.block_shape();
    let mut out = pattern.any_levels();
    out.extend(dense.iter().map(|extent| LevelView::trusted(Ranges::Uniform(Fixed::new(size(extent))), None)));
    if let (true, [rows, columns], Some(diagonals)) = (map.is_diagonal(), map.shape(), pattern.indices(0)) {
        out[1] = LevelView::trusted(Ranges::Diagonals { diagonals, rows: size(rows), columns: size(columns) }, None);
    }
    out
}

/// The coordinates of elements, one array for each axis, and the values.
///
/// ```
/// use sparse_formats::{Builder, Composite, Format, Indices, PartElements};
/// let columns: [Indices; 2] = [vec![0u8, 2].into(), vec![1u8, 3].into()];
/// let a = Builder::new(Format::coo(2), 0).build(&[4, 4], &columns, vec![5, 6])?;
/// let (coordinates, values): PartElements<i32> = Composite::new(&a, &"alto".parse()?)?.elements(0)?;
/// assert_eq!((coordinates, values), (columns.to_vec(), vec![5, 6].into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type PartElements<V> = (Vec<Indices<'static>>, Values<'static, V>);

impl<V: Value + PartialEq> Composite<'static, V> {
    /// Converts a tensor to the parts of `scheme`.
    ///
    /// # Errors
    /// Fails if the parameters of the scheme do not fit the tensor, if the tensor is a multigraph or stores one triangle
    /// for both, if memory has no room for an array, or if the scheme has dense axes and the tensor has no values.
    pub fn new(tensor: &SparseTensor<V>, scheme: &Scheme) -> Result<Self, OperationError> {
        Composite::with_at_most(tensor, scheme, usize::MAX)
    }

    /// Converts like [`Composite::new`], but fails if an array would have more than `most` elements. Few elements may
    /// need huge blocks or pointers.
    ///
    /// ```
    /// use sparse_formats::{Builder, Composite, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u16, 999].into(), vec![0u16, 999].into()];
    /// let a = Builder::new(Format::coo(2), 0.0).build(&[1000, 1000], &columns, vec![1.0, 2.0])?;
    /// let error = Composite::with_at_most(&a, &"blocks(64,64):S-S-R".parse()?, 1000).unwrap_err();
    /// assert_eq!(error.to_string(), "2 blocks of [64, 64] elements exceed memory or the given limit");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_at_most(tensor: &SparseTensor<V>, scheme: &Scheme, most: usize) -> Result<Self, OperationError> {
        let (shape, fill) = (tensor.shape(), tensor.fill());
        let chains = scheme.chains(shape)?;
        if tensor.format().is_multigraph() {
            return Err(if let Scheme::Gcxs { .. } = scheme { OperationError::Repeats } else { OperationError::Multigraph });
        }
        if tensor.attributes().is_one_triangle() && !matches!(scheme, Scheme::Levels(_)) {
            return Err(SparseError::OneTriangle.into());
        }
        let source = Source { tensor, shape, fill, most };
        let tensors = match (scheme, &chains[..]) {
            (Scheme::Levels(format), _) => Vec::from([tensor.convert(&source.builder(format))?]),
            (Scheme::HbCsf { axis_order, .. }, chains) => groups::by_slice(&source, axis_order, chains)?,
            (Scheme::MmCsf { .. }, chains) => groups::by_fiber(&source, chains)?,
            (Scheme::Hicoo { order: BlockOrder::Morton, bits, .. }, [chain]) => {
                Vec::from([blocks::in_morton_order(&source, bits.len(), chain)?])
            }
            (Scheme::Gcxs { .. }, [MappedFormat { map, format }]) => {
                let columns = tensor.pattern().coordinates()?;
                let columns = tensor.expanded(&columns)?;
                Vec::from([rows::matrix(map, &columns, tensor.values().view(), tensor.sorted_axes(), &source.builder(format))?])
            }
            (_, chains) => {
                let mapped = |chain: &MappedFormat| {
                    if let (Values::PatternOnly, true) = (tensor.values(), chain.format.dense_axes() > 0) {
                        return Err(OperationError::PatternOnly);
                    }
                    let columns = chain.map.forward_columns(&tensor.all_coordinates()?)?;
                    Ok(source.builder(&chain.format).build(chain.map.extents(), &columns, tensor.values().view())?)
                };
                chains.iter().map(mapped).collect::<Result<_, _>>()?
            }
        };
        let parts = chains.into_iter().zip(tensors).map(|(MappedFormat { map, .. }, tensor)| Part { map, tensor }).collect();
        Ok(Composite { shape: shape.to_vec(), parts, fill: fill.clone() })
    }
}

impl<'a, V: Value + PartialEq> Composite<'a, V> {
    /// Returns the tensor whose parts have the given arrays. Checks everything that the scheme promises about them.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Composite, Scheme};
    /// // Diagonal `x1 - x0 + 2 = 2` of a matrix of 3 rows, with a value for each of the 4 columns.
    /// let arrays = Arrays::new().with_indices(0, vec![2u8]);
    /// let a = Composite::from_arrays(&[3, 4], &Scheme::Diagonals, vec![(arrays, vec![5, 6, 7, 0].into())], 0)?;
    /// assert_eq!((a.at(&[1, 1]), a.at(&[1, 2])), (Some(&6), Some(&0)));
    /// let error = Composite::from_arrays(&[3, 4], &Scheme::Diagonals, vec![], 0).unwrap_err();
    /// assert_eq!(error.to_string(), "0 parts are given instead of 1");
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`SparsityPattern::from_parts`](crate::SparsityPattern::from_parts) does. Fails if the number of
    /// parts is wrong, coordinates exceed the shape, two parts store the same element, or elements are in the wrong
    /// order or group.
    pub fn from_arrays(shape: &[u64], scheme: &Scheme, arrays: Vec<(Arrays<'a>, Values<'a, V>)>, fill: V) -> Result<Self, SparseError> {
        let chains = scheme.chains(shape)?;
        if chains.len() != arrays.len() {
            return Err(SparseError::Parts { found: arrays.len(), expected: chains.len() });
        }
        let part = |(MappedFormat { map, format }, (arrays, values))| {
            let tensor =
                SparseTensor::from_parts(map.extents(), format, arrays, values, fill.clone()).map_err(|rejected| rejected.error)?;
            Ok(Part { map, tensor })
        };
        let parts = chains.into_iter().zip(arrays).map(part).collect::<Result<_, SparseError>>()?;
        let composite = Composite::from_parts(shape, parts, fill)?;
        check::order(&composite, scheme)?;
        Ok(composite)
    }

    /// Returns the tensor of extents `shape` whose elements are the elements of all `parts`.
    ///
    /// ```
    /// use sparse_formats::{AxisMap, Builder, Composite, Format, Indices, Part};
    /// let columns: [Indices; 1] = [vec![1u8, 4].into()];
    /// let tensor = Builder::new(Format::vector(), 0).build(&[5], &columns, vec![6, 7])?;
    /// let part = Part { map: AxisMap::identity(&[5]), tensor };
    /// assert_eq!(Composite::from_parts(&[5], vec![part.clone()], 0)?.at(&[4]), Some(&7));
    /// let error = Composite::from_parts(&[5], vec![part.clone(), part], 0).unwrap_err();
    /// assert_eq!(error.to_string(), "parts 0 and 1 both store the element [1]");
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the shape or the fill value of a part differs from the given one, or a part is a multigraph. Fails if an
    /// element exceeds the shape or is stored by two parts.
    pub fn from_parts(shape: &[u64], parts: Vec<Part<'a, V>>, fill: V) -> Result<Self, SparseError> {
        let composite = Composite { shape: shape.to_vec(), parts, fill };
        check::parts(&composite)?;
        Ok(composite)
    }

    /// Returns the elements of part number `part` (from 0), in storage order. In blocks over dense axes, leaves out values
    /// that equal the fill value. Panics if there is no such part.
    ///
    /// ```
    /// use sparse_formats::{Builder, Composite, Format, Indices};
    /// // Slices of one element go to part 0, slices whose fibers have one element each to part 1.
    /// let columns: [Indices; 3] = [vec![0u8, 1, 1].into(), vec![0u8, 0, 1].into(), vec![1u8, 1, 0].into()];
    /// let a = Builder::new(Format::coo(3), 0).build(&[2, 2, 2], &columns, vec![5, 6, 7])?;
    /// let hybrid = Composite::new(&a, &"hbcsf[0,1,2](8)".parse()?)?;
    /// assert_eq!(hybrid.elements(0)?, (vec![vec![0u8].into(), vec![0u8].into(), vec![1u8].into()], vec![5].into()));
    /// assert_eq!(hybrid.elements(1)?.1, vec![6, 7].into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if memory has no room for the result.
    pub fn elements(&self, part: usize) -> Result<PartElements<V>, SparseError> {
        let Part { map, tensor } = &self.parts[part];
        let columns = tensor.all_coordinates()?;
        if tensor.format().dense_axes() == 0 {
            let columns = if map.is_identity() { columns } else { map.backward_columns(&columns)? };
            return Ok((columns, tensor.values().clone().into_owned()));
        }
        let length = columns.first().map_or(0, Indices::len);
        let places: Vec<usize> = (0..length).filter(|k| tensor.values().get(*k) != Some(tensor.fill())).collect();
        let columns: Vec<Indices> = columns.iter().map(|column| column.gather(&places)).collect();
        let values = tensor.values().gather(places.iter().map(|k| *k..k + 1), places.len(), 1)?;
        Ok((map.backward_columns(&columns)?, values))
    }

    /// Returns the elements of all parts: first those of part 0, then those of part 1, and so on.
    ///
    /// # Errors
    /// Fails if memory has no room for the result.
    pub fn all_elements(&self) -> Result<PartElements<V>, SparseError> {
        if self.parts.len() == 1 {
            return self.elements(0);
        }
        let mut columns: Vec<Vec<u64>> = alloc::vec![Vec::new(); self.shape.len()];
        let mut values: Vec<V> = Vec::new();
        let mut pattern_only = false;
        for part in 0..self.parts.len() {
            let (of, these) = self.elements(part)?;
            let length = of.first().map_or(0, Indices::len);
            columns.iter_mut().zip(&of).for_each(|(column, of)| column.extend(of.iter()));
            pattern_only |= matches!(these, Values::PatternOnly);
            values.extend((0..length).filter_map(|k| these.get(k).cloned()));
        }
        let columns = columns.into_iter().map(|column| Indices::narrowest(&column)).collect();
        Ok((columns, if pattern_only { Values::PatternOnly } else { values.into() }))
    }

    /// Converts to a tensor of the given format.
    ///
    /// # Errors
    /// Fails if the format is for another rank, or memory has no room for the result.
    pub fn to_tensor(&self, format: &Format) -> Result<SparseTensor<'static, V>, OperationError> {
        self.convert(&Builder::new(format.clone(), self.fill.clone()))
    }

    /// Converts to the tensor that `builder` makes from the elements of all parts.
    ///
    /// ```
    /// use sparse_formats::{Builder, Composite, Format, Indices, Width, Widths};
    /// let columns: [Indices; 2] = [vec![0u8, 2].into(), vec![1u8, 3].into()];
    /// let a = Builder::new(Format::coo(2), 0).build(&[3, 4], &columns, vec![5, 6])?;
    /// let blocked = Composite::new(&a, &"blocks(2,2):C-S-R".parse()?)?;
    /// let csr = blocked.convert(&Builder::new(Format::csr(), 0).widths(Widths::all(Width::U32)))?;
    /// assert_eq!(csr.pattern().indices(1).map(|columns| columns.width()), Some(Width::U32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`Builder::build`] does.
    pub fn convert(&self, builder: &Builder<V>) -> Result<SparseTensor<'static, V>, OperationError> {
        if let [Part { map, tensor }] = &self.parts[..]
            && map.is_identity()
        {
            return Ok(tensor.convert(builder)?);
        }
        let (columns, values) = self.all_elements()?;
        Ok(builder.build(&self.shape, &columns, values)?)
    }

    /// Converts to the parts of another scheme.
    ///
    /// ```
    /// use sparse_formats::{Builder, Composite, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![1u8, 2].into()];
    /// let a = Builder::new(Format::coo(2), 0).build(&[4, 4], &columns, vec![5, 6])?;
    /// let blocked = Composite::new(&a, &"blocks(2,2):C-S-R".parse()?)?;
    /// let diagonals = blocked.to_scheme(&"dia".parse()?)?;
    /// assert_eq!((blocked.stored(), diagonals.stored()), (8, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`Composite::new`] does.
    pub fn to_scheme(&self, scheme: &Scheme) -> Result<Composite<'static, V>, OperationError> {
        if let Scheme::Gcxs { .. } = scheme {
            return rows::of_composite(self, scheme);
        }
        Composite::new(&self.to_tensor(&Format::coo(self.shape.len()))?, scheme)
    }
}

impl<'a, V: Clone + PartialEq> Composite<'a, V> {
    /// Returns the value at a coordinate, or `fill` if no element is stored there. Returns `None` if the coordinate is out
    /// of range, or if its element is stored without a value, in a part that has only a pattern.
    ///
    /// ```
    /// use sparse_formats::{Builder, Composite, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 2].into(), vec![1u8, 3].into()];
    /// let a = Builder::new(Format::coo(2), 0).build(&[3, 4], &columns, vec![5, 6])?;
    /// let dia = Composite::new(&a, &"DIA".parse()?)?;
    /// assert_eq!((dia.at(&[2, 3]), dia.at(&[1, 2]), dia.at(&[3, 0])), (Some(&6), Some(&0), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, coordinate: &[u64]) -> Option<&V> {
        if coordinate.len() != self.shape.len() || coordinate.iter().zip(&self.shape).any(|(c, extent)| c >= extent) {
            return None;
        }
        for Part { map, tensor } in &self.parts {
            match tensor.at(&map.forward(coordinate)) {
                Some(value) if *value == self.fill => {}
                found => return found,
            }
        }
        Some(&self.fill)
    }
}

impl<'a, V: Clone> Composite<'a, V> {
    /// Returns the extents, in the order of the axes.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns the parts, in the order of the scheme.
    pub fn parts(&self) -> &[Part<'a, V>] {
        &self.parts
    }

    /// Returns the composite tensor whose only part is `part`. Checks nothing.
    pub(crate) fn of_part(part: Part<'a, V>) -> Composite<'a, V> {
        Composite { shape: part.map.shape().to_vec(), fill: part.tensor.fill().clone(), parts: Vec::from([part]) }
    }

    /// Consumes the tensor and returns its parts.
    pub fn into_parts(self) -> Vec<Part<'a, V>> {
        self.parts
    }

    /// Returns a composite tensor of the shape of this one, with these parts and this fill value. Checks nothing.
    pub(crate) fn with_parts<'b>(&self, parts: Vec<Part<'b, V>>, fill: V) -> Composite<'b, V> {
        Composite { shape: self.shape.clone(), parts, fill }
    }

    /// Returns the fill value, the value of all elements that no part stores.
    pub fn fill(&self) -> &V {
        &self.fill
    }

    /// Returns the number of stored values of all parts, including values in blocks that belong to no element.
    pub fn stored(&self) -> usize {
        self.parts.iter().map(|part| part.tensor.stored().saturating_mul(part.tensor.pattern().block())).sum()
    }

    /// Returns the size in bytes of all arrays of indices and pointers, without the values.
    pub fn index_bytes(&self) -> usize {
        let arrays = self.parts.iter().map(|part| part.tensor.pattern().arrays());
        let all = arrays.flat_map(|arrays| arrays.indices.iter().chain(&arrays.pointers).flatten());
        all.map(|array| array.len() * (array.width().bits() / 8) as usize).sum()
    }
}

/// Makes the tensor the only part, with the identity as its map.
impl<'a, V: Clone> From<SparseTensor<'a, V>> for Composite<'a, V> {
    fn from(tensor: SparseTensor<'a, V>) -> Self {
        let (shape, fill) = (tensor.shape().to_vec(), tensor.fill().clone());
        Composite { parts: Vec::from([Part { map: AxisMap::identity(&shape), tensor }]), shape, fill }
    }
}

/// Prints each part: its map, unless that is the identity, and the format of its levels.
impl<V: Clone> core::fmt::Display for Composite<'_, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (k, part) in self.parts.iter().enumerate() {
            f.write_str(if k == 0 { "" } else { " + " })?;
            if !part.map.is_identity() {
                write!(f, "{}: ", part.map)?;
            }
            write!(f, "{}", part.tensor.format())?;
        }
        Ok(())
    }
}

/// A tensor without repeated coordinates, from which parts are built. No array of a part may exceed `most` elements.
struct Source<'s, 't, V: Clone> {
    tensor: &'s SparseTensor<'t, V>,
    shape: &'s [u64],
    fill: &'s V,
    most: usize,
}

impl<V: Value> Source<'_, '_, V> {
    fn builder(&self, format: &Format) -> Builder<'static, V> {
        Builder::new(format.clone(), self.fill.clone()).at_most(self.most).duplicates(Duplicates::Refuse)
    }

    /// Returns the elements sorted by the axes `axis_order`: a column for each of these axes, in this order, and the
    /// values. Fails if memory has no room.
    fn sorted(&self, axis_order: &[usize]) -> Result<(Vec<Indices<'static>>, Values<'static, V>), SparseError> {
        let list = self.tensor.convert(&self.builder(&Format::coo(axis_order.len()).with_axis_order(axis_order)?))?;
        let columns = list.pattern().level_columns()?.into_iter().map(Indices::into_owned).collect();
        Ok((columns, list.values))
    }

    /// Returns the tensor of the elements at the positions `places` of `columns` and `values`. They are sorted by the axes
    /// `axis_order`, and `columns[k]` has the coordinates of axis `axis_order[k]`. Fails if memory has no room.
    fn part(
        &self,
        format: &Format,
        axis_order: &[usize],
        columns: &[Indices],
        values: &Values<V>,
        places: &[usize],
    ) -> Result<SparseTensor<'static, V>, SparseError> {
        let by_axis = pick(&(0..axis_order.len()).collect::<Vec<_>>(), &crate::shape::inverse(axis_order));
        let columns: Vec<Indices> = by_axis.iter().map(|k| columns[*k].gather(places)).collect();
        let values = values.gather(places.iter().map(|k| *k..k + 1), places.len(), 1)?;
        let known = InputFacts { elements: Some(places.len()), in_range: true, order: axis_order, distinct: true, ..InputFacts::default() };
        self.builder(format).build_known(self.shape, &columns, values, known)
    }

    /// Returns the tensor of a pattern that was built from these elements, and their values in the order of the pattern.
    fn tensor_of(&self, pattern: SparsityPattern<'static>, values: Values<'static, V>) -> Result<SparseTensor<'static, V>, SparseError> {
        self.builder(pattern.format()).tensor(pattern, values)
    }
}
