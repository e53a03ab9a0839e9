//! Schemes: the maps and the levels of all parts of a tensor. A new scheme is a variant here with its `chains`, a name in
//! `name`, and a builder in `Composite::with_at_most` if its elements need a special order.

use crate::{AxisMap, Balance, Format, FormatError, LevelKind, SparseError};
use alloc::vec;
use alloc::vec::Vec;

/// The maximum number of bits of a coordinate in a HiCOO block, which is stored in a byte.
const BLOCK_BITS: u32 = 8;

/// The order of blocks, and of the elements in a block.
///
/// ```
/// use sparse_formats::{BlockOrder, Builder, Composite, Format, Indices, Scheme};
/// // Value 5 in the block (0, 3) of 2 x 2 elements, 6 in the block (1, 0).
/// let columns: [Indices; 2] = [vec![0u8, 2].into(), vec![6u8, 0].into()];
/// let a = Builder::new(Format::coo(2), 0).build(&[8, 8], &columns, vec![5, 6])?;
/// let stored = |order| Composite::new(&a, &Scheme::Hicoo { bits: vec![1, 1], supers: None, order });
/// assert_eq!(stored(BlockOrder::Lexicographic)?.parts()[0].tensor.values(), &vec![5, 6].into());
/// // Interleaved bits of (0, 3) are 0101, those of (1, 0) are 0010.
/// assert_eq!(stored(BlockOrder::Morton)?.parts()[0].tensor.values(), &vec![6, 5].into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum BlockOrder {
    /// By interleaved bits from the highest, the first axis first.
    #[default]
    Morton,
    /// By coordinates, the first axis first.
    Lexicographic,
}

/// A storage scheme: it divides the elements of a tensor into parts. Each part maps the coordinates and stores the mapped
/// coordinates in the levels of a [`Format`].
///
/// [`Scheme::chains`] returns the map and the format of each part. Names of schemes are, for example, `blocks(2,2):C-S-R`,
/// `hicoo(7,7,7)`, `hicoo(3,3;lex;super=5,5)`, `hbcsf[0,1,2](128)`, `mmcsf[1,2,0][0,2,1]`, `alto`, `gcxs[0,1]` and `dia`.
/// Any other name is the name of a [`Format`].
///
/// ```
/// use sparse_formats::{BlockOrder, Scheme};
/// let scheme: Scheme = "hicoo(3,3;lex;super=5,5)".parse()?;
/// assert_eq!(scheme, Scheme::Hicoo { bits: vec![3, 3], supers: Some(vec![5, 5]), order: BlockOrder::Lexicographic });
/// assert_eq!(scheme.to_string(), "hicoo(3,3;lex;super=5,5)");
/// let chains = scheme.chains(&[100, 100])?;
/// assert_eq!(chains[0].map.to_string(), "(x0/32, x1/32, x0/8%4, x1/8%4, x0%8, x1%8)");
/// assert_eq!(chains[0].format.to_string(), "S-DC-S-DC-S-S-R");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// The levels of one format, without a map.
    Levels(Format),
    /// Dense blocks (BCSR of any rank): a format over the grid of blocks, then each block in row-major order.
    Blocks {
        /// The edge of a block along each axis.
        edges: Vec<u64>,
        /// The levels over the coordinates of blocks.
        grid: Format,
    },
    /// Lists of blocks whose edges are powers of two, each block with a list of elements (HiCOO; Li, Sun, Vuduc, 2018).
    Hicoo {
        /// For each axis, the number of bits of a coordinate in a block, at most 8.
        bits: Vec<u32>,
        /// For each axis, the number of bits of a coordinate in a superblock, if there are superblocks.
        supers: Option<Vec<u32>>,
        /// The order of blocks in a superblock, and of elements in a block.
        order: BlockOrder,
    },
    /// Three parts (HB-CSF; Nisa et al., 2019): slices of one element, slices whose fibers have one element each,
    /// and all other slices, whose long fibers are split.
    HbCsf {
        /// The order of the axes in all parts.
        axis_order: Vec<usize>,
        /// The maximum number of elements of a fiber, or `None` to split no fiber.
        max_fiber: Option<usize>,
    },
    /// Several CSF tensors with different orders of the axes (MM-CSF; Nisa et al., 2019). Each element is in the tensor in
    /// which its fiber is longest.
    MmCsf {
        /// The orders of the axes. The default has one order for each axis: first all other axes by increasing extent,
        /// then this axis, along which the fibers run.
        orders: Option<Vec<Vec<usize>>>,
    },
    /// A list of elements sorted by one key of the bits of all coordinates (ALTO; Helal et al., 2021).
    Linearised,
    /// Compressed rows of two groups of axes (GCXS of PyData's `sparse`).
    Gcxs {
        /// The axes that form the rows, in increasing order. The default is [`AxisMap::default_rows`].
        compressed_axes: Option<Vec<usize>>,
    },
    /// The diagonals that have elements, each with a value for every coordinate of the last axis (DIA). For each
    /// other axis, `x_last - x` names a diagonal.
    Diagonals,
}

/// A map of coordinates, and the levels that store the mapped coordinates.
///
/// ```
/// use sparse_formats::{MappedFormat, Scheme};
/// for MappedFormat { map, format } in Scheme::gcxs(&[0, 1]).chains(&[2, 3, 4])? {
///     assert_eq!((map.to_string().as_str(), format.to_string().as_str()), ("(x0*3 + x1, x2)", "C-S-R"));
/// }
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MappedFormat {
    /// The map from coordinates to stored coordinates.
    pub map: AxisMap,
    /// The format of the levels that store the mapped coordinates.
    pub format: Format,
}

impl Scheme {
    /// Returns the scheme of compressed rows with these axes as rows. `Scheme::chains` checks them.
    ///
    /// ```
    /// use sparse_formats::Scheme;
    /// assert_eq!(Scheme::gcxs(&[0, 2]), "gcxs[0,2]".parse()?);
    /// assert!(Scheme::gcxs(&[0, 2]).chains(&[5, 5]).is_err(), "a matrix has no axis 2");
    /// # Ok::<(), sparse_formats::FormatError>(())
    /// ```
    pub fn gcxs(compressed_axes: &[usize]) -> Scheme {
        Scheme::Gcxs { compressed_axes: Some(compressed_axes.to_vec()) }
    }

    /// Returns the map and the levels of each part, for a tensor of extents `shape`.
    ///
    /// # Errors
    /// Fails if the parameters of the scheme are invalid, or do not fit the number of axes or their extents.
    pub fn chains(&self, shape: &[u64]) -> Result<Vec<MappedFormat>, SparseError> {
        let rank = shape.len();
        let plain = |format: Format| MappedFormat { map: AxisMap::identity(shape), format };
        Ok(match self {
            Scheme::Levels(format) if format.rank() != rank => return Err(SparseError::Rank { shape: rank, format: format.rank() }),
            Scheme::Levels(format) => vec![plain(format.clone())],
            Scheme::Blocks { edges, grid } => {
                let simple = Format::new(grid.kinds(), grid.axis_order())?;
                if simple != *grid || grid.dense_axes() > 0 || grid.rank() != rank {
                    let expected = "sorted levels over all coordinates of blocks, each once";
                    return Err(parameter("axes of the grid", grid.axis_order(), expected).into());
                }
                let axes: Vec<usize> = grid.axis_order().iter().copied().chain(rank..2 * rank).collect();
                vec![MappedFormat { map: AxisMap::blocks(shape, edges)?, format: Format::new(grid.kinds(), &axes)? }]
            }
            Scheme::Hicoo { bits, supers, order } => vec![hicoo(shape, bits, supers.as_deref(), *order)?],
            Scheme::HbCsf { axis_order, max_fiber } => {
                fibered(shape)?;
                order(axis_order, rank)?;
                let kinds = |first, others| {
                    let mut kinds = vec![others; rank];
                    (kinds[0], kinds[rank - 1]) = (first, LevelKind::Indices);
                    Format::new(&kinds, axis_order)
                };
                let balance = match max_fiber {
                    Some(0) => return Err(parameter("max_fiber", &[0], "at least 1").into()),
                    most => most.map(|most| Balance { level: rank - 2, most }),
                };
                vec![
                    plain(kinds(LevelKind::Indices, LevelKind::Indices)?),
                    plain(kinds(LevelKind::IndexedPointers, LevelKind::Indices)?),
                    plain(kinds(LevelKind::IndexedPointers, LevelKind::IndexedPointers)?.with_balanced(balance)?),
                ]
            }
            Scheme::MmCsf { orders } => {
                fibered(shape)?;
                let orders = orders.clone().unwrap_or_else(|| directions(shape));
                if orders.is_empty() {
                    return Err(parameter::<usize>("orders", &[], "at least one order of the axes").into());
                }
                let csf = |axes: &Vec<usize>| {
                    order(axes, rank)?;
                    Ok(plain(Format::csf(rank).with_axis_order(axes)?))
                };
                orders.iter().map(csf).collect::<Result<_, FormatError>>()?
            }
            Scheme::Linearised if rank == 0 => return Err(parameter("shape", shape, "at least one axis").into()),
            Scheme::Linearised => {
                let map = AxisMap::linearised(shape)?;
                vec![MappedFormat { format: Format::coo(map.extents().len()), map }]
            }
            Scheme::Gcxs { compressed_axes } => {
                let axes = compressed_axes.clone().unwrap_or_else(|| AxisMap::default_rows(shape));
                vec![MappedFormat { map: AxisMap::rows(shape, &axes)?, format: Format::csr() }]
            }
            Scheme::Diagonals => {
                let map = AxisMap::diagonals(shape)?;
                vec![MappedFormat { format: Format::new(&vec![LevelKind::Indices; rank - 1], &(0..rank).collect::<Vec<_>>())?, map }]
            }
        })
    }
}

/// Returns an order of the axes for each axis: the other axes by increasing extent, then the axis itself.
fn directions(shape: &[u64]) -> Vec<Vec<usize>> {
    let towards = |axis: usize| {
        let mut axes: Vec<usize> = (0..shape.len()).filter(|other| *other != axis).collect();
        axes.sort_by_key(|other| shape[*other]);
        axes.push(axis);
        axes
    };
    (0..shape.len()).map(towards).collect()
}

/// Returns the map and the levels of HiCOO. Fails if the numbers of bits do not fit the shape or each other.
fn hicoo(shape: &[u64], bits: &[u32], supers: Option<&[u32]>, order: BlockOrder) -> Result<MappedFormat, FormatError> {
    let rank = shape.len();
    if rank == 0 || bits.len() != rank || bits.iter().any(|bits| *bits > BLOCK_BITS) {
        return Err(parameter("bits", bits, "a number up to 8 for each axis"));
    }
    let fits = |supers: &[u32]| supers.len() == rank && supers.iter().zip(bits).all(|(outer, inner)| outer >= inner && *outer < u64::BITS);
    if let Some(supers) = supers.filter(|supers| !fits(supers)) {
        return Err(parameter("super_bits", supers, "for each axis a number from the bits of the blocks to 63"));
    }
    let edges = |bits: &[u32]| bits.iter().map(|bits| 1 << bits).collect::<Vec<u64>>();
    let nested: Vec<Vec<u64>> = supers.into_iter().chain([bits]).map(edges).collect();
    let map = AxisMap::nested(shape, &nested.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    let mut kinds = vec![LevelKind::Indices; map.extents().len()];
    (0..nested.len()).for_each(|k| kinds[(k + 1) * rank - 1] = LevelKind::IndexedPointers);
    // Superblocks are always in lexicographic order.
    let sorted = if order == BlockOrder::Lexicographic { kinds.len() } else { (nested.len() - 1) * rank };
    let unsorted: Vec<bool> = (0..kinds.len()).map(|level| level >= sorted).collect();
    Ok(MappedFormat { format: Format::regular(&kinds)?.with_unsorted(&unsorted)?, map })
}

/// Fails for shapes of fewer than two axes, in which slices and fibers would be the same elements.
fn fibered(shape: &[u64]) -> Result<(), FormatError> {
    if shape.len() < 2 { Err(parameter("shape", shape, "at least two axes")) } else { Ok(()) }
}

/// Fails unless `axes` has each of the `rank` axes once.
fn order(axes: &[usize], rank: usize) -> Result<(), FormatError> {
    let mut seen = vec![false; rank];
    let fresh = |axis: &usize| seen.get_mut(*axis).is_some_and(|seen| !core::mem::replace(seen, true));
    if axes.len() == rank && axes.iter().all(fresh) { Ok(()) } else { Err(parameter("axis_order", axes, "each axis once")) }
}

fn parameter<T: Copy + TryInto<u64>>(name: &'static str, given: &[T], expected: &'static str) -> FormatError {
    FormatError::Parameter { name, given: given.iter().map(|n| (*n).try_into().unwrap_or(u64::MAX)).collect(), expected }
}
