//! Level types and arrays of the sparse tensor dialect of MLIR. `taco` uses them too: each mode is one of these types.

use super::{CustomArrays, InteropParts};
use crate::format::Group;
use crate::{
    ArrayName, Format, Indices, InterchangeError, LevelKind, Rejected, SparseError, SparseTensor, SparsityPattern, Values, Width,
    with_indices,
};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::with_width;
use core::fmt::{Display, Formatter};
use core::ops::Range;
use core::str::FromStr;
use layout_levels::Index;

/// The storage of a level.
///
/// ```
/// use sparse_formats::{LevelFormat, LevelType};
/// let names = [LevelFormat::Dense, LevelFormat::LooseCompressed, LevelFormat::Structured { n: 2, m: 4 }];
/// assert_eq!(names.map(|format| LevelType::new(format).to_string()), ["dense", "loose_compressed", "structured[2, 4]"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LevelFormat {
    /// Every coordinate, without arrays.
    Dense,
    /// Every coordinate of a leading level, with separate arrays for each.
    Batch,
    /// An array of positions, which bound the coordinates below each parent, and an array of coordinates.
    Compressed,
    /// An array with two positions for each parent, the begin and the end of its coordinates, and an array of coordinates.
    LooseCompressed,
    /// An array with one coordinate for each parent.
    Singleton,
    /// `n` of every `m` coordinates.
    Structured {
        /// The number of stored coordinates in each group.
        n: u32,
        /// The number of coordinates in each group.
        m: u32,
    },
}

/// The type of a level: its storage and its promises.
///
/// ```
/// use sparse_formats::{LevelFormat, LevelType};
/// let level: LevelType = "compressed(nonunique, nonordered)".parse()?;
/// assert_eq!((level.format, level.nonunique, level.nonordered), (LevelFormat::Compressed, true, true));
/// let ordered = LevelType::new(LevelFormat::Compressed);
/// assert_eq!((ordered.to_string().as_str(), ordered.nonunique), ("compressed", false));
/// assert!("compressed(sorted)".parse::<LevelType>().is_err());
/// # Ok::<(), sparse_formats::InterchangeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct LevelType {
    /// The storage of the level.
    pub format: LevelFormat,
    /// True if coordinates may repeat below one parent.
    pub nonunique: bool,
    /// True if coordinates below one parent need not be sorted.
    pub nonordered: bool,
    /// True for a singleton whose coordinates are in an array of their own ("structure of arrays").
    pub soa: bool,
}

impl LevelType {
    /// Returns a unique and ordered level type.
    pub const fn new(format: LevelFormat) -> LevelType {
        LevelType { format, nonunique: false, nonordered: false, soa: false }
    }
}

/// The level formats without parameters, and their names.
const NAMES: [(&str, LevelFormat); 5] = [
    ("dense", LevelFormat::Dense),
    ("batch", LevelFormat::Batch),
    ("compressed", LevelFormat::Compressed),
    ("loose_compressed", LevelFormat::LooseCompressed),
    ("singleton", LevelFormat::Singleton),
];

impl Display for LevelType {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        match (self.format, NAMES.iter().find(|(_, format)| *format == self.format)) {
            (LevelFormat::Structured { n, m }, _) => write!(f, "structured[{n}, {m}]")?,
            (_, name) => f.write_str(name.map_or("", |(name, _)| name))?,
        }
        let flags = [(self.nonunique, "nonunique"), (self.nonordered, "nonordered"), (self.soa, "soa")];
        let mut open = "(";
        for (_, name) in flags.iter().filter(|(set, _)| *set) {
            write!(f, "{open}{name}")?;
            open = ", ";
        }
        if open == "(" { Ok(()) } else { f.write_str(")") }
    }
}

impl FromStr for LevelType {
    type Err = InterchangeError;

    fn from_str(text: &str) -> Result<LevelType, InterchangeError> {
        let unknown = || InterchangeError::Level { text: text.to_string() };
        let (name, flags) = match text.trim().split_once('(') {
            None => (text.trim(), ""),
            Some((name, rest)) => (name.trim(), rest.strip_suffix(')').ok_or_else(unknown)?),
        };
        let format = match NAMES.iter().find(|(known, _)| *known == name) {
            Some((_, format)) => *format,
            None => {
                let inside = name.strip_prefix("structured[").and_then(|rest| rest.strip_suffix(']'));
                let (n, m) = inside.and_then(|inside| inside.split_once(',')).ok_or_else(unknown)?;
                let number = |text: &str| text.trim().parse().map_err(|_| unknown());
                LevelFormat::Structured { n: number(n)?, m: number(m)? }
            }
        };
        let mut out = LevelType::new(format);
        for flag in flags.split(',').map(str::trim).filter(|flag| !flag.is_empty()) {
            match flag {
                "nonunique" => out.nonunique = true,
                "nonordered" => out.nonordered = true,
                "soa" => out.soa = true,
                _ => return Err(unknown()),
            }
        }
        Ok(out)
    }
}

/// The types of the levels, and the axis of each level.
///
/// ```
/// use sparse_formats::{Format, MlirEncoding};
/// let encoding = MlirEncoding { level_types: vec!["compressed(nonunique)".parse()?, "singleton".parse()?], axis_order: vec![0, 1] };
/// encoding.verify()?;
/// assert_eq!(encoding.format()?, Format::coo(2));
/// assert_eq!(encoding.with_soa(true).level_types[1].to_string(), "singleton(soa)");
/// let wrong = MlirEncoding { level_types: vec!["dense".parse()?, "singleton".parse()?], axis_order: vec![0, 1] };
/// assert_eq!(wrong.verify().unwrap_err().to_string(), "level 1: a compressed level must come before the first singleton");
/// # Ok::<(), sparse_formats::InterchangeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct MlirEncoding {
    /// The types of the levels.
    pub level_types: Vec<LevelType>,
    /// The axis of the tensor for each level.
    pub axis_order: Vec<usize>,
}

/// The arrays of levels: positions of compressed levels, and coordinates of compressed and singleton levels.
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, MlirEncoding, MlirStorage, SparseTensor};
/// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![5, 6])?;
/// let storage = a.pattern().mlir_storage()?;
/// let (positions, coordinates) = (vec![None, Some(vec![0u8, 1, 2].into())], vec![None, Some(vec![2u8, 0].into())]);
/// assert_eq!(storage, MlirStorage { positions, coordinates });
/// assert_eq!(SparseTensor::from_mlir(&[2, 3], &MlirEncoding::of(a.format())?, storage, a.values().view(), 0)?, a);
/// # Ok::<(), sparse_formats::InterchangeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MlirStorage<'a> {
    /// The positions of each level, where its coordinates begin below each parent; `[0, n]` for the first level.
    pub positions: Vec<Option<Indices<'a>>>,
    /// The coordinates of each level: each in its own array, or together as [`MlirStorage::interleaved`] returns them.
    pub coordinates: Vec<Option<Indices<'a>>>,
}

impl MlirEncoding {
    /// Returns the encoding of a format: the level types that have the same arrays as the format.
    ///
    /// ```
    /// use sparse_formats::MlirEncoding;
    /// let types = |name: &str| -> Result<String, Box<dyn std::error::Error>> {
    ///     Ok(MlirEncoding::of(&name.parse()?)?.level_types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
    /// };
    /// assert_eq!(types("CSR")?, "dense, compressed");
    /// assert_eq!(types("COO")?, "compressed(nonunique), singleton");
    /// assert_eq!(types("COO+multigraph")?, "compressed(nonunique), singleton(nonunique)");
    /// assert!(types("C-DC-R").is_err(), "pointers to values need an axis more");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails if the last level is not `S`, or if nodes are split: neither has a counterpart.
    pub fn of(format: &Format) -> Result<MlirEncoding, InterchangeError> {
        let levels = format.levels();
        if format.kinds().last().is_some_and(|kind| *kind != LevelKind::Indices) {
            return Err(InterchangeError::NoCounterpart { level: levels - 1, what: "a last level that has pointers to values" });
        }
        if let Some(balance) = format.balanced() {
            return Err(InterchangeError::NoCounterpart { level: balance.level, what: "nodes that are split" });
        }
        let mut level_types = vec![LevelType::new(LevelFormat::Dense); format.rank()];
        for group in format.groups() {
            let Group::Tuples { first, end, .. } = group else { continue };
            let sorted = format.sorted_levels(first, end);
            for (level, level_type) in level_types.iter_mut().enumerate().take(end).skip(first) {
                *level_type = LevelType {
                    format: if level == first { LevelFormat::Compressed } else { LevelFormat::Singleton },
                    nonunique: level + 1 < end || (end == levels && format.is_multigraph()),
                    nonordered: level - first >= sorted,
                    soa: false,
                };
            }
        }
        Ok(MlirEncoding { level_types, axis_order: format.axis_order().to_vec() })
    }

    /// Fails unless there is an axis for each level, and the dialect accepts the types.
    ///
    /// Singletons follow a compressed level or each other, and only singletons follow them. All or none of them
    /// have arrays of their own. Batch levels come first. A structured level comes last, after dense ones.
    pub fn verify(&self) -> Result<(), InterchangeError> {
        let types = &self.level_types;
        if types.len() != self.axis_order.len() || Format::new(&[], &self.axis_order).is_err() {
            return Err(InterchangeError::Axes { levels: types.len(), axes: self.axis_order.clone() });
        }
        let singleton = |level: &usize| types[*level].format == LevelFormat::Singleton;
        let rule = |level, rule| Err(InterchangeError::Rule { level, rule });
        let levels = || 0..types.len();
        let batches = types.iter().take_while(|level| level.format == LevelFormat::Batch).count();
        if let Some(level) = levels().skip(batches).find(|level| types[*level].format == LevelFormat::Batch) {
            return rule(level, "batch levels can only be leading levels");
        }
        if let Some(level) = levels().find(|level| types[*level].soa && !singleton(level)) {
            return rule(level, "soa is for singletons only");
        }
        if let Some(level) = levels().find(|level| matches!(types[*level].format, LevelFormat::Structured { .. })) {
            match types[level].format {
                _ if level + 1 < types.len() => return rule(level, "structured is for the last level only"),
                _ if levels().take(level).any(|level| types[level].format != LevelFormat::Dense) => {
                    return rule(level, "only dense levels can come before a structured one");
                }
                LevelFormat::Structured { n, m } if n == 0 || n > m || m > 255 => {
                    return rule(level, "structured[n, m] needs 1 <= n <= m <= 255");
                }
                _ => {}
            }
        }
        let Some(first) = levels().find(singleton) else { return Ok(()) };
        let before = first.checked_sub(1).map(|before| types[before].format);
        if !matches!(before, Some(LevelFormat::Compressed | LevelFormat::LooseCompressed)) {
            return rule(first, "a compressed level must come before the first singleton");
        }
        if let Some(level) = (first..types.len()).find(|level| !singleton(level)) {
            return rule(level, "only singletons can follow a singleton");
        }
        match (first..types.len()).find(|level| types[*level].soa != types[first].soa) {
            Some(level) => rule(level, "either all singletons are soa or none"),
            None => Ok(()),
        }
    }

    /// Returns the format with the same arrays. Does not check whether the dialect accepts the types.
    ///
    /// Fails for batches, for loose and structured levels, for a singleton that is the first level or follows a dense
    /// one, and if a level with distinct coordinates comes before a singleton. Also fails if coordinates repeat in a
    /// level that is neither the last one nor followed by a singleton, or if levels and axes are not those of a
    /// [`Format`].
    ///
    /// ```
    /// use sparse_formats::{LevelType, MlirEncoding};
    /// let format = |first: &str, last: &str| {
    ///     let level_types: Vec<LevelType> = vec![first.parse()?, last.parse()?];
    ///     MlirEncoding { level_types, axis_order: vec![0, 1] }.format()
    /// };
    /// assert_eq!(format("dense", "compressed(nonordered)")?.to_string(), "C-S-R+unsorted(1)");
    /// assert_eq!(format("compressed", "dense")?.to_string(), "S-D-R");
    /// let error = format("dense", "structured[2, 4]").unwrap_err();
    /// assert_eq!(error.to_string(), "level 1: the target format cannot represent a structured level");
    /// # Ok::<(), sparse_formats::InterchangeError>(())
    /// ```
    pub fn format(&self) -> Result<Format, InterchangeError> {
        let types = &self.level_types;
        let no = |level, what| InterchangeError::NoCounterpart { level, what };
        let last = types.iter().rposition(|level| level.format != LevelFormat::Dense).map_or(0, |last| last + 1);
        let mut kinds = Vec::with_capacity(last);
        let mut unsorted = Vec::with_capacity(last);
        let mut multigraph = false;
        // A flag of a `Format` covers the rest of the tuple, so only the first unsorted level of a tuple gets one.
        let mut said = false;
        for (k, level) in types[..last].iter().enumerate() {
            let continues = types.get(k + 1).is_some_and(|next| next.format == LevelFormat::Singleton);
            let kind = match level.format {
                LevelFormat::Batch => return Err(no(k, "a batch")),
                LevelFormat::LooseCompressed => return Err(no(k, "a loose level")),
                LevelFormat::Structured { .. } => return Err(no(k, "a structured level")),
                LevelFormat::Singleton if k == 0 || types[k - 1].format == LevelFormat::Dense => {
                    return Err(no(k, "a singleton without tuples"));
                }
                LevelFormat::Dense => LevelKind::Pointers,
                _ if continues && !level.nonunique => return Err(no(k, "a unique level before a singleton")),
                _ if continues || k + 1 == last => LevelKind::Indices,
                _ if level.nonunique => return Err(no(k, "a level whose nodes repeat")),
                _ => LevelKind::IndexedPointers,
            };
            multigraph = level.nonunique;
            said &= level.format == LevelFormat::Singleton;
            unsorted.push(level.nonordered && kind != LevelKind::Pointers && !said);
            said |= level.nonordered;
            kinds.push(kind);
        }
        let format = Format::new(&kinds, &self.axis_order).and_then(|format| format.with_multigraph(multigraph)?.with_unsorted(&unsorted));
        let format = format.ok().filter(|_| types.len() == self.axis_order.len());
        format.ok_or_else(|| InterchangeError::Axes { levels: types.len(), axes: self.axis_order.clone() })
    }

    /// Returns the encoding with singletons in arrays of their own (`soa` is true), or together in one array of tuples.
    pub fn with_soa(mut self, soa: bool) -> MlirEncoding {
        self.level_types.iter_mut().filter(|level| level.format == LevelFormat::Singleton).for_each(|level| level.soa = soa);
        self
    }

    /// Returns the levels whose coordinates are together in one array: the singletons without arrays of their own,
    /// and the level before them. Returns an empty range if there are none.
    fn tuples(&self) -> Range<usize> {
        let types = &self.level_types;
        let together = |level: &usize| types[*level].format == LevelFormat::Singleton && !types[*level].soa;
        match (1..types.len()).find(together) {
            Some(first) => first - 1..(first..types.len()).find(|level| !together(level)).unwrap_or(types.len()),
            None => 0..0,
        }
    }
}

impl MlirStorage<'_> {
    /// Returns the arrays as the dialect has them in memory. Coordinates of singletons that are not `soa` are
    /// stored element by element in one array, under the level before the singletons.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices, MlirEncoding, SparseTensor};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
    /// let a = Builder::new(Format::coo(2), 0).build(&[2, 3], &columns, vec![5, 6])?;
    /// let encoding = MlirEncoding::of(a.format())?;
    /// let storage = a.pattern().mlir_storage()?.interleaved(&encoding)?;
    /// assert_eq!(storage.coordinates, [Some(vec![0u8, 2, 1, 0].into()), None]);
    /// assert_eq!(SparseTensor::from_mlir(&[2, 3], &encoding, storage, vec![5, 6], 0)?, a);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails if the dialect refuses the encoding, or if coordinates are missing or differ in length.
    pub fn interleaved(&self, encoding: &MlirEncoding) -> Result<MlirStorage<'static>, InterchangeError> {
        encoding.verify()?;
        let mut out = MlirStorage {
            positions: self.positions.iter().map(|array| array.clone().map(Indices::into_owned)).collect(),
            coordinates: self.coordinates.iter().map(|array| array.clone().map(Indices::into_owned)).collect(),
        };
        let levels = encoding.tuples();
        let mut columns = Vec::with_capacity(levels.len());
        for level in levels.clone() {
            let array = ArrayName::Indices(level);
            let column = out.coordinates.get_mut(level).and_then(Option::take).ok_or(SparseError::Missing { array })?;
            let expected = columns.first().map_or(column.len(), Indices::len);
            if column.len() != expected {
                return Err(SparseError::Length { array, found: column.len(), expected }.into());
            }
            columns.push(column);
        }
        let width = columns.iter().map(Indices::width).max().unwrap_or(Width::U8);
        if let Some(first) = columns.first() {
            out.coordinates[levels.start] = Some(with_width!(width, T => {
                let tuples = (0..first.len()).flat_map(|k| columns.iter().map(move |column| T::from_low_bits(column.get(k).unwrap_or(0))));
                tuples.collect::<Vec<T>>().into()
            }));
        }
        Ok(out)
    }

    /// Splits one array of tuples into the coordinates of each level of [`MlirEncoding::tuples`]. Returns `None` if
    /// the levels have arrays of their own. Fails if the length of the array is no multiple of the number of levels.
    fn columns(&self, encoding: &MlirEncoding) -> Result<Option<Vec<Indices<'static>>>, InterchangeError> {
        let levels = encoding.tuples();
        let own = |level: usize| self.coordinates.get(level).and_then(Option::as_ref);
        let Some(tuples) = levels.clone().next().and_then(own) else { return Ok(None) };
        if levels.clone().skip(1).any(|level| own(level).is_some()) {
            return Ok(None);
        }
        if !tuples.len().is_multiple_of(levels.len()) {
            return Err(InterchangeError::Tuples { level: levels.start, found: tuples.len(), width: levels.len() });
        }
        let column = |k| with_indices!(tuples, tuples => tuples.iter().skip(k).step_by(levels.len()).copied().collect::<Vec<_>>().into());
        Ok(Some((0..levels.len()).map(column).collect()))
    }

    /// Fails unless the positions of the first level are `[0, n]`. `n` is the number of its coordinates: `tuples[0]` has
    /// them if tuples begin at this level.
    fn check_root(&self, encoding: &MlirEncoding, tuples: Option<&[Indices]>) -> Result<(), InterchangeError> {
        let first = tuples.filter(|_| encoding.tuples().start == 0).and_then(<[_]>::first);
        let first = first.or(self.coordinates.first().and_then(Option::as_ref));
        let root = self.positions.first().and_then(Option::as_ref);
        let found: Vec<u64> = root.ok_or(SparseError::Missing { array: ArrayName::Pointers(0) })?.iter().collect();
        let expected = first.map_or(0, Indices::len);
        if found == [0, expected as u64] { Ok(()) } else { Err(InterchangeError::Root { found, expected }) }
    }
}

impl SparsityPattern<'_> {
    /// Returns the arrays of the levels that [`MlirEncoding::of`] gives for the format. Fails as `MlirEncoding::of` does.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
    /// let a = Builder::new(Format::coo(2), 0).build(&[2, 3], &columns, vec![5, 6])?;
    /// let storage = a.pattern().mlir_storage()?;
    /// // The first level has positions here, which bound all its coordinates.
    /// assert_eq!(storage.positions, [Some(vec![0u8, 2].into()), None]);
    /// assert_eq!(storage.coordinates, [Some(vec![0u8, 1].into()), Some(vec![2u8, 0].into())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mlir_storage(&self) -> Result<MlirStorage<'_>, InterchangeError> {
        MlirEncoding::of(self.format())?;
        let mut arrays = self.group_arrays();
        if let Some(first) = arrays.indices.first().and_then(Option::as_ref) {
            arrays.pointers_to[0] = Some(Indices::narrowest(&[0, first.len() as u64]));
        }
        Ok(MlirStorage { positions: arrays.pointers_to, coordinates: arrays.indices })
    }
}

impl<'a, V: Clone> SparseTensor<'a, V> {
    /// Returns the tensor of an encoding and its arrays. Checks them as [`SparseTensor::from_parts`] does.
    ///
    /// Coordinates of singletons that are not `soa` may be stored element by element in one array. Fails at the
    /// first violation, and returns the arrays.
    ///
    /// ```
    /// use sparse_formats::{Format, MlirEncoding, MlirStorage, SparseTensor};
    /// let encoding = MlirEncoding::of(&Format::csr())?;
    /// let (positions, coordinates) = (vec![None, Some(vec![0u8, 1, 2].into())], vec![None, Some(vec![2u8, 3].into())]);
    /// let refused = SparseTensor::from_mlir(&[2, 3], &encoding, MlirStorage { positions, coordinates }, vec![5, 6], 0).unwrap_err();
    /// assert_eq!(refused.to_string(), "indices_1[1] is 3, but the extent is 3");
    /// assert_eq!(refused.parts.arrays.coordinates[1], Some(vec![2u8, 3].into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_mlir(
        shape: &[u64],
        encoding: &MlirEncoding,
        storage: MlirStorage<'a>,
        values: impl Into<Values<'a, V>>,
        fill: V,
    ) -> Result<Self, Rejected<InteropParts<'a, MlirStorage<'a>, V>, InterchangeError>> {
        let parts = InteropParts { arrays: storage, values: values.into(), fill };
        let found = encoding.format().and_then(|format| {
            let tuples = parts.arrays.columns(encoding)?;
            if format.stores_indices(0) {
                parts.arrays.check_root(encoding, tuples.as_deref())?;
            }
            Ok((format, tuples))
        });
        let (format, tuples) = match found {
            Ok(found) => found,
            Err(error) => return Err(Rejected::new(parts, error)),
        };
        let mut kept = Kept::default();
        let parts = parts.with_arrays(|storage| kept.take(storage, encoding, &format, tuples));
        SparseTensor::from_custom_as(shape, format, parts)
            .map_err(|Rejected { parts, error }| Rejected::new(parts.with_arrays(|arrays| kept.give_back(arrays)), error))
    }
}

/// Arrays of the dialect that a tensor of this crate does not store, kept to return them to the caller after an error.
#[derive(Default)]
struct Kept<'a> {
    /// The positions of level 0.
    root: Option<Indices<'a>>,
    /// The levels of tuples, their array, and the number of slots for arrays of coordinates.
    tuples: Option<(Range<usize>, Indices<'a>, usize)>,
}

impl<'a> Kept<'a> {
    /// Moves the arrays out of the storage. `tuples` has a column of coordinates for each level that shares one array.
    fn take(
        &mut self,
        storage: MlirStorage<'a>,
        encoding: &MlirEncoding,
        format: &Format,
        tuples: Option<Vec<Indices<'a>>>,
    ) -> CustomArrays<'a> {
        let MlirStorage { mut positions, mut coordinates } = storage;
        if format.stores_indices(0) {
            self.root = positions.first_mut().and_then(Option::take);
        }
        if let Some(columns) = tuples {
            let (levels, length) = (encoding.tuples(), coordinates.len());
            self.tuples = coordinates[levels.start].take().map(|tuples| (levels.clone(), tuples, length));
            coordinates.resize(length.max(levels.end), None);
            coordinates[levels].iter_mut().zip(columns).for_each(|(slot, column)| *slot = Some(column));
        }
        CustomArrays { pointers_to: positions, indices: coordinates }
    }

    /// Undoes `take`: returns the storage as the caller gave it.
    fn give_back(self, arrays: CustomArrays<'a>) -> MlirStorage<'a> {
        let CustomArrays { pointers_to: mut positions, indices: mut coordinates } = arrays;
        if let (Some(first), Some(root)) = (positions.first_mut(), self.root) {
            *first = Some(root);
        }
        if let Some((levels, tuples, length)) = self.tuples {
            coordinates[levels.clone()].fill(None);
            coordinates[levels.start] = Some(tuples);
            coordinates.truncate(length);
        }
        MlirStorage { positions, coordinates }
    }
}
