//! Writes plans for other executors: flat lists of addresses and lengths, and copies with one or two pitches.

use crate::plan::{Copy, Loop, Message, Place, Plan, PlanError, Result};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// Contiguous bytes in one place.
///
/// ```
/// use relayout::{MemoryDescriptor, Place, Plan, Side};
/// // Two places of 4 elements of 8 bytes become one of 8. Place 0 begins at 0x1000, place 1 at 0x2000.
/// let plan = Plan::new(&Side::parse("(4,2):(1@0,1@1)")?, &Side::parse("(4,2):(1@0,4@0)")?)?;
/// let lists = plan.descriptors(8, 0, 100, |_, place| 0x1000 * (1 + place.numbers()[0] as u64))?;
/// assert_eq!(lists.source[1], MemoryDescriptor { address: 0x2000, length: 32, place: Place::from(1) });
/// assert_eq!(lists.target[1], MemoryDescriptor { address: 0x1020, length: 32, place: Place::from(0) });
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemoryDescriptor {
    /// The address of the first byte.
    pub address: u64,
    /// Number of bytes.
    pub length: u64,
    /// The place whose memory has the bytes.
    pub place: Place,
}

/// Two lists of memory descriptors of equal length: the bytes of `source[k]` are copied to `target[k]`.
///
/// ```
/// use relayout::{Plan, Side};
/// // Six columns of 8 numbers of 4 bytes, padded to 10.
/// let plan = Plan::new(&Side::parse("(8,6):(1,8)")?, &Side::parse("(8,6):(1,10)")?)?;
/// let lists = plan.descriptors(4, 32, 100, |_, _| 0)?;
/// assert_eq!((lists.source.len(), lists.target.len(), lists.short.len()), (6, 6, 0));
/// assert_eq!((lists.source[5].address, lists.target[5].address), (5 * 8 * 4, 5 * 10 * 4));
/// // With at least 64 bytes, all columns are too short. They stay one copy.
/// let lists = plan.descriptors(4, 64, 100, |_, _| 0)?;
/// assert_eq!((lists.source.len(), lists.short[0].copies.len()), (0, 1));
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Descriptors {
    /// The bytes to read, one descriptor for each contiguous run.
    pub source: Vec<MemoryDescriptor>,
    /// The bytes to write, in the order of `source`.
    pub target: Vec<MemoryDescriptor>,
    /// The copies whose contiguous runs have fewer bytes than the requested minimum. The caller packs them first.
    pub short: Vec<Message>,
}

/// The source or the target of a transfer.
///
/// ```
/// use relayout::{Plan, Side, TransferEnd};
/// // The source is a buffer at 0x1000, the target one at 0x8000.
/// let plan = Plan::new(&Side::parse("16:1")?, &Side::parse("16:1")?.with_base(&[4]))?;
/// let begin = |end, _: &_| if end == TransferEnd::Source { 0x1000 } else { 0x8000 };
/// let lists = plan.descriptors(2, 0, 10, begin)?;
/// assert_eq!((lists.source[0].address, lists.target[0].address), (0x1000, 0x8008));
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransferEnd {
    /// The side that is read.
    Source,
    /// The side that is written.
    Target,
}

/// A cache of the results of a closure that says where offset 0 of a place is. It calls the closure once for each side and place,
/// and keeps the result.
pub(crate) struct CachedBegins<'a, A, F> {
    ask: F,
    answers: [BTreeMap<&'a Place, A>; 2],
}

impl<'a, A: core::marker::Copy, F: Fn(TransferEnd, &Place) -> A> CachedBegins<'a, A, F> {
    pub fn new(ask: F) -> Self {
        CachedBegins { ask, answers: [BTreeMap::new(), BTreeMap::new()] }
    }

    pub fn of(&mut self, end: TransferEnd, place: &'a Place) -> A {
        *self.answers[usize::from(end == TransferEnd::Target)].entry(place).or_insert_with(|| (self.ask)(end, place))
    }
}

impl Plan {
    /// Returns the plan as lists of (address, length, place), for transfer engines that take contiguous blocks.
    ///
    /// Elements have `element_bytes` bytes on both sides. `address` returns the address of offset 0 of a place; it is called once
    /// for each place and side. Copies whose runs have fewer than `least` bytes go to `short`. Fails if there are more than
    /// `limit` descriptors a side (counted before any is made), or if an address or a length does not fit 64 bits.
    ///
    /// ```
    /// use relayout::{Plan, Side};
    /// let plan = Plan::new(&Side::parse("(4,4):(1@0,1@1)")?, &Side::parse("(8,2):(1@0,1@1)")?)?;
    /// let lists = plan.descriptors(2, 0, 1000, |_, place| 0x1000 * place.numbers()[0] as u64)?;
    /// assert_eq!((lists.source[3].address, lists.source[3].length), (0x3000, 8));
    /// assert_eq!((lists.target[3].address, lists.target[3].place.number()), (0x1008, Some(1)));
    /// # Ok::<(), relayout::PlanError>(())
    /// ```
    pub fn descriptors(
        &self,
        element_bytes: u64,
        least: u64,
        limit: usize,
        address: impl Fn(TransferEnd, &Place) -> u64,
    ) -> Result<Descriptors> {
        let length =
            |copy: &Copy| u64::try_from(copy.count).ok().and_then(|count| count.checked_mul(element_bytes)).ok_or(PlanError::Overflow);
        let mut out = Descriptors { source: vec![], target: vec![], short: vec![] };
        let mut long: Vec<(&Message, &Copy)> = vec![];
        let mut count = 0_i64;
        for message in self.messages() {
            let mut short = vec![];
            for copy in &message.copies {
                if length(copy)? < least {
                    short.push(copy.clone());
                } else {
                    count = count.saturating_add(copy.runs());
                    long.push((message, copy));
                }
            }
            if !short.is_empty() {
                out.short.push(Message { from: message.from.clone(), to: message.to.clone(), copies: short });
            }
        }
        if usize::try_from(count).map_or(true, |count| count > limit) {
            return Err(PlanError::Limit { copies: count, limit });
        }
        let at = |base: u64, offset: i64| {
            let byte = i128::from(base) + i128::from(offset) * i128::from(element_bytes);
            u64::try_from(byte).map_err(|_| PlanError::Overflow)
        };
        let mut asked = CachedBegins::new(address);
        for (message, copy) in long {
            let length = length(copy)?;
            let (from, to) = (asked.of(TransferEnd::Source, &message.from), asked.of(TransferEnd::Target, &message.to));
            for (source, target) in copy.offsets() {
                out.source.push(MemoryDescriptor { address: at(from, source)?, length, place: message.from.clone() });
                out.target.push(MemoryDescriptor { address: at(to, target)?, length, place: message.to.clone() });
            }
        }
        Ok(out)
    }
}

/// Rows of contiguous bytes with one pitch on each side, and optionally planes of rows: the arguments of
/// `cudaMemcpy2D` and `cudaMemcpy3D`.
///
/// ```
/// use relayout::{Copy, Loop, Pitched};
/// // A tile of 2 rows of 3 numbers of 4 bytes, cut out of rows of 8: `cudaMemcpy2D(target, 12, source + 36, 32, 12, 2, ..)`.
/// let tile = Copy { source: 9, target: 0, count: 3, loops: vec![Loop { count: 2, source: 8, target: 3 }] };
/// let Pitched { source, width, height, depth, pitch, .. } = tile.pitched(4).ok_or("more than two loops")?;
/// assert_eq!((source, width, height, depth, pitch), (36, 12, 2, 1, [32, 12]));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pitched {
    /// The first byte in the source, counted in bytes from offset 0.
    pub source: i64,
    /// The first byte in the target, counted in bytes from offset 0.
    pub target: i64,
    /// The number of bytes of a row.
    pub width: i64,
    /// The number of rows of a plane.
    pub height: i64,
    /// The number of planes.
    pub depth: i64,
    /// The distance between rows in bytes, in the source and in the target.
    pub pitch: [i64; 2],
    /// The distance between planes in rows, in the source and in the target.
    pub plane: [i64; 2],
}

impl Copy {
    /// Returns the copy as rows and planes of bytes, for elements of `element_bytes` bytes. Returns `None` unless it has at most
    /// two loops, all counts are at least 1, rows do not overlap, planes are whole rows, and all numbers of bytes fit 64 bits.
    ///
    /// ```
    /// use relayout::{Plan, Side};
    /// let plan = Plan::new(&Side::parse("(8,6,5):(1,8,48)")?, &Side::parse("(8,6,5):(1,10,100)")?)?;
    /// let copy = &plan.messages()[0].copies[0];
    /// let pitched = copy.pitched(4).expect("rows of 8, planes of 6 rows");
    /// assert_eq!((pitched.width, pitched.height, pitched.depth), (32, 6, 5));
    /// assert_eq!((pitched.pitch, pitched.plane), ([32, 40], [6, 10]));
    /// # Ok::<(), relayout::PlanError>(())
    /// ```
    pub fn pitched(&self, element_bytes: i64) -> Option<Pitched> {
        let bytes = |elements: i64| elements.checked_mul(element_bytes);
        let width = bytes(self.count)?;
        let row = self.loops.first().copied().unwrap_or(Loop { count: 1, source: self.count, target: self.count });
        let pitch = [bytes(row.source)?, bytes(row.target)?];
        let steps = match self.loops.get(1) {
            Some(turn) => [turn.source, turn.target],
            None => [row.count.checked_mul(row.source)?, row.count.checked_mul(row.target)?],
        };
        let rows = [row.source, row.target];
        if self.count < 1 || self.loops.iter().any(|turn| turn.count < 1) {
            return None;
        }
        let whole = |k: usize| rows[k] >= self.count && steps[k] % rows[k] == 0 && steps[k] / rows[k] >= row.count;
        if self.loops.len() > 2 || !whole(0) || !whole(1) {
            return None;
        }
        Some(Pitched {
            source: bytes(self.source)?,
            target: bytes(self.target)?,
            width,
            height: row.count,
            depth: self.loops.get(1).map_or(1, |turn| turn.count),
            pitch,
            plane: [steps[0] / rows[0], steps[1] / rows[1]],
        })
    }
}
