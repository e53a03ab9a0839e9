//! Tensors as unions of parts, each a chain of levels over mapped coordinates: blocked, hybrid and linearised formats.

mod blocks;
mod check;
mod groups;
mod name;
mod rows;
mod scheme;

pub use scheme::{BlockOrder, Chain, Scheme};

use crate::kernels::Value;
use crate::shape::pick;
use crate::tensor::Known;
use crate::{Arrays, AxisMap, Builder, Duplicates, Format, Indices, OperationError, SparseError, SparseTensor, SparsityPattern, Values};
use alloc::vec::Vec;
use array_kernels::{LevelView, Ranges};
use layout_levels::Fixed;

/// A part of a [`Composite`]: elements whose coordinates a map takes to those that the levels of a tensor store.
#[derive(Clone, Debug, PartialEq)]
pub struct Part<'a, V: Clone> {
    /// Where coordinates go.
    pub map: AxisMap,
    /// The tensor of mapped coordinates.
    pub tensor: SparseTensor<'a, V>,
}

/// A tensor stored as a union of parts, no two of which store the same element.
///
/// Each part is a map of coordinates before a chain of levels: BCSR is one part, `(x0/B0, x1/B1, x0%B0, x1%B1)` before `C-S-D-D`; HB-CSF is three parts of
/// different chains, MM-CSF as many as there are axis orders. What a block over dense axes has more than the elements it was built of is the fill value, and
/// is not an element.
///
/// ```
/// use sparse_formats::{Builder, Composite, Format, Indices, Scheme};
/// let columns: [Indices; 2] = [vec![0u8, 1, 3].into(), vec![1u8, 1, 2].into()];
/// let a = Builder::new(Format::coo(2), 0).build(&[4, 4], &columns, vec![5, 6, 7])?;
/// let blocked = Composite::new(&a, &"blocks(2,2):C-S-R".parse::<Scheme>()?)?;
/// assert_eq!(blocked.parts()[0].tensor.values(), &vec![0, 5, 0, 6, 0, 0, 7, 0].into());
/// assert_eq!(blocked.to_string(), "(x0/2, x1/2, x0%2, x1%2): C-S-D-D-R");
/// assert_eq!(blocked.to_tensor(&Format::coo(2))?, a);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Composite<'a, V: Clone> {
    shape: Vec<u64>,
    parts: Vec<Part<'a, V>>,
    fill: V,
}

impl<V: Clone> Part<'_, V> {
    /// The levels of the stored coordinates, whose last positions are the numbers of the values: dense axes are levels of one size, and below a diagonal
    /// of a matrix there are the columns of its elements.
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

/// [`Part::levels`] of a map and a tensor.
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

/// The coordinates of elements, one array for each axis, and their values.
pub type PartElements<V> = (Vec<Indices<'static>>, Values<'static, V>);

impl<V: Value + PartialEq> Composite<'static, V> {
    /// A tensor in parts of this scheme.
    ///
    /// # Errors
    /// Parameters that do not fit the tensor; coordinates that repeat; arrays that memory has no room for; blocks of a tensor without values.
    pub fn new(tensor: &SparseTensor<V>, scheme: &Scheme) -> Result<Self, OperationError> {
        Composite::with_at_most(tensor, scheme, usize::MAX)
    }

    /// [`Composite::new`] with no array longer than `most`: few elements may ask for large blocks or many pointers.
    pub fn with_at_most(tensor: &SparseTensor<V>, scheme: &Scheme, most: usize) -> Result<Self, OperationError> {
        let (shape, fill) = (tensor.shape(), tensor.fill());
        let chains = scheme.chains(shape)?;
        if tensor.format().is_multigraph() {
            return Err(if let Scheme::Gcxs { .. } = scheme { OperationError::Repeats } else { OperationError::Multigraph });
        }
        let source = Source { tensor, shape, fill, most };
        let tensors = match (scheme, &chains[..]) {
            (Scheme::Levels(format), _) => Vec::from([tensor.convert(&source.builder(format))?]),
            (Scheme::HbCsf { axis_order, .. }, chains) => groups::by_slice(&source, axis_order, chains)?,
            (Scheme::MmCsf { .. }, chains) => groups::by_fiber(&source, chains)?,
            (Scheme::Hicoo { order: BlockOrder::Morton, bits, .. }, [chain]) => {
                Vec::from([blocks::in_morton_order(&source, bits.len(), chain)?])
            }
            (Scheme::Gcxs { .. }, [Chain { map, format }]) => {
                let columns = tensor.pattern().coordinates()?;
                let columns = tensor.expanded(&columns)?;
                Vec::from([rows::matrix(map, &columns, tensor.values().view(), tensor.sorted_axes(), &source.builder(format))?])
            }
            (_, chains) => {
                let mapped = |chain: &Chain| {
                    if let (Values::PatternOnly, true) = (tensor.values(), chain.format.dense_axes() > 0) {
                        return Err(OperationError::PatternOnly);
                    }
                    let columns = chain.map.forward_columns(&tensor.all_coordinates()?)?;
                    Ok(source.builder(&chain.format).build(chain.map.extents(), &columns, tensor.values().view())?)
                };
                chains.iter().map(mapped).collect::<Result<_, _>>()?
            }
        };
        let parts = chains.into_iter().zip(tensors).map(|(Chain { map, .. }, tensor)| Part { map, tensor }).collect();
        Ok(Composite { shape: shape.to_vec(), parts, fill: fill.clone() })
    }
}

impl<'a, V: Value + PartialEq> Composite<'a, V> {
    /// The tensor of the arrays of each part of a scheme, which may come from elsewhere: all is checked that the scheme says of them.
    ///
    /// # Errors
    /// What [`SparsityPattern::from_parts`](crate::SparsityPattern::from_parts) refuses; another number of parts; coordinates beyond the shape; elements that
    /// are in two parts, in another order than the scheme has, or in a group that they do not belong to.
    pub fn from_arrays(shape: &[u64], scheme: &Scheme, arrays: Vec<(Arrays<'a>, Values<'a, V>)>, fill: V) -> Result<Self, SparseError> {
        let chains = scheme.chains(shape)?;
        if chains.len() != arrays.len() {
            return Err(SparseError::Parts { found: arrays.len(), expected: chains.len() });
        }
        let part = |(Chain { map, format }, (arrays, values))| {
            let tensor =
                SparseTensor::from_parts(map.extents(), format, arrays, values, fill.clone()).map_err(|rejected| rejected.error)?;
            Ok(Part { map, tensor })
        };
        let parts = chains.into_iter().zip(arrays).map(part).collect::<Result<_, SparseError>>()?;
        let composite = Composite::from_parts(shape, parts, fill)?;
        check::order(&composite, scheme)?;
        Ok(composite)
    }

    /// The union of any parts.
    ///
    /// # Errors
    /// Parts of another shape or fill value, or of coordinates that repeat; elements beyond the shape, or in two parts.
    pub fn from_parts(shape: &[u64], parts: Vec<Part<'a, V>>, fill: V) -> Result<Self, SparseError> {
        let composite = Composite { shape: shape.to_vec(), parts, fill };
        check::parts(&composite)?;
        Ok(composite)
    }

    /// The elements of a part, in storage order, those beyond what blocks were built of left out.
    ///
    /// # Errors
    /// Memory has no room for them.
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

    /// The elements of all parts, one part after the other.
    ///
    /// # Errors
    /// Memory has no room for them.
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

    /// The tensor in a format.
    ///
    /// # Errors
    /// Another rank, or arrays that memory has no room for.
    pub fn to_tensor(&self, format: &Format) -> Result<SparseTensor<'static, V>, OperationError> {
        self.convert(&Builder::new(format.clone(), self.fill.clone()))
    }

    /// The tensor that a builder makes of the elements.
    ///
    /// # Errors
    /// What the builder refuses.
    pub fn convert(&self, builder: &Builder<V>) -> Result<SparseTensor<'static, V>, OperationError> {
        if let [Part { map, tensor }] = &self.parts[..]
            && map.is_identity()
        {
            return Ok(tensor.convert(builder)?);
        }
        let (columns, values) = self.all_elements()?;
        Ok(builder.build(&self.shape, &columns, values)?)
    }

    /// The tensor in parts of another scheme.
    ///
    /// # Errors
    /// What [`Composite::new`] refuses.
    pub fn to_scheme(&self, scheme: &Scheme) -> Result<Composite<'static, V>, OperationError> {
        if let Scheme::Gcxs { .. } = scheme {
            return rows::of_composite(self, scheme);
        }
        Composite::new(&self.to_tensor(&Format::coo(self.shape.len()))?, scheme)
    }
}

impl<'a, V: Clone + PartialEq> Composite<'a, V> {
    /// The value of the element at a coordinate, or `fill`; `None` out of range, and where values are not stored.
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
    /// The extents, in the order of the axes.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The parts.
    pub fn parts(&self) -> &[Part<'a, V>] {
        &self.parts
    }

    /// The one part.
    pub(crate) fn of_part(part: Part<'a, V>) -> Composite<'a, V> {
        Composite { shape: part.map.shape().to_vec(), fill: part.tensor.fill().clone(), parts: Vec::from([part]) }
    }

    /// The parts, owned.
    pub fn into_parts(self) -> Vec<Part<'a, V>> {
        self.parts
    }

    /// Of parts that store the same elements.
    pub(crate) fn with_parts<'b>(&self, parts: Vec<Part<'b, V>>, fill: V) -> Composite<'b, V> {
        Composite { shape: self.shape.clone(), parts, fill }
    }

    /// The value of elements that are not stored.
    pub fn fill(&self) -> &V {
        &self.fill
    }

    /// Number of values that are stored, those that fill up blocks too.
    pub fn stored(&self) -> usize {
        self.parts.iter().map(|part| part.tensor.stored().saturating_mul(part.tensor.pattern().block())).sum()
    }

    /// The bytes of all index arrays.
    pub fn index_bytes(&self) -> usize {
        let arrays = self.parts.iter().map(|part| part.tensor.pattern().arrays());
        let all = arrays.flat_map(|arrays| arrays.indices.iter().chain(&arrays.pointers).flatten());
        all.map(|array| array.len() * (array.width().bits() / 8) as usize).sum()
    }
}

/// One part: the levels of a tensor, its coordinates as they are.
impl<'a, V: Clone> From<SparseTensor<'a, V>> for Composite<'a, V> {
    fn from(tensor: SparseTensor<'a, V>) -> Self {
        let (shape, fill) = (tensor.shape().to_vec(), tensor.fill().clone());
        Composite { parts: Vec::from([Part { map: AxisMap::identity(&shape), tensor }]), shape, fill }
    }
}

/// Each part: the coordinates that are stored, unless they are those of the axes, and the format of the levels.
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

/// What parts are built of: a tensor that has each coordinate once.
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

    /// The elements as a list in the order of these axes: their columns in this order, and their values.
    fn sorted(&self, axis_order: &[usize]) -> Result<(Vec<Indices<'static>>, Values<'static, V>), SparseError> {
        let list = self.tensor.convert(&self.builder(&Format::coo(axis_order.len()).with_axis_order(axis_order)?))?;
        let columns = list.pattern().level_columns()?.into_iter().map(Indices::into_owned).collect();
        Ok((columns, list.values))
    }

    /// The tensor of some of the elements, which are in the order of these axes; columns are in their order too.
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
        let known = Known { elements: Some(places.len()), in_range: true, order: axis_order, distinct: true, ..Known::default() };
        self.builder(format).build_known(self.shape, &columns, values, known)
    }

    /// The tensor of a pattern that is made of these elements, and their values.
    fn tensor_of(&self, pattern: SparsityPattern<'static>, values: Values<'static, V>) -> Result<SparseTensor<'static, V>, SparseError> {
        self.builder(pattern.format()).tensor(pattern, values)
    }
}
