//! Moves of packed elements from one layout to another.

use crate::bits::{copy_bits, read_word, write_word};
use crate::element::{PackedElement, mask};
use crate::error::Result;
use crate::pairs::{PairLoops, for_each_pair, same_extents};
use crate::place::{read, write};
use crate::tensor::PackedTensor;
use layout_core::{Layout, TensorError};

/// Moves packed elements between two layouts of the same extents: the pattern of each coordinate in `from` becomes the pattern of
/// this coordinate in `to`. All other bits of `to` keep their values.
///
/// ```
/// use layout_core::make_layout;
/// use packed_elements::{U4, transfer_packed};
/// // Two rows of three nibbles become three rows of two.
/// let mut columns = [0; 3];
/// transfer_packed::<U4, _, _>(make_layout((2, 3), (3, 1)), &[0x21, 0x43, 0x65], make_layout((2, 3), (1, 2)), &mut columns)?;
/// assert_eq!(columns, [0x41, 0x52, 0x63]);
/// # Ok::<(), packed_elements::PackedError>(())
/// ```
///
/// Contiguous runs are copied in bytes or words. If the elements of a word of the target are gathered, the word is written once.
///
/// Fails if the extents differ, if an index lies outside of its bytes, and if two coordinates of the target share an index.
pub fn transfer_packed<E: PackedElement, L: Layout, M: Layout>(source: L, from: &[u8], target: M, to: &mut [u8]) -> Result<()> {
    PackedTensor::<_, _, E>::new(to, target)?.assign(&PackedTensor::<_, _, E>::new(from, source)?)
}

impl<S: AsRef<[u8]> + AsMut<[u8]>, L: Layout, E: PackedElement> PackedTensor<S, L, E> {
    /// Sets each element to the pattern of the element of `source` at the same coordinate, see [`transfer_packed`].
    ///
    /// Fails if the extents differ, and if two coordinates of this tensor share an index.
    ///
    /// ```
    /// use layout_core::make_layout;
    /// use packed_elements::{PackedTensor, U4};
    /// // Words of eight nibbles in the order of AWQ: nibble k has element 0, 2, 4, 6, 1, 3, 5, 7.
    /// let plain = PackedTensor::<_, _, U4>::new([0x10, 0x32, 0x54, 0x76], make_layout((2, 4), (1, 2)))?;
    /// let mut awq = PackedTensor::<_, _, U4>::new([0; 4], make_layout((2, 4), (4, 1)))?;
    /// awq.assign(&plain)?;
    /// assert_eq!(awq.into_storage(), [0x20, 0x64, 0x31, 0x75]);
    /// # Ok::<(), packed_elements::PackedError>(())
    /// ```
    pub fn assign<R: AsRef<[u8]>, M: Layout>(&mut self, source: &PackedTensor<R, M, E>) -> Result<()> {
        let (theirs, ours) = (source.layout(), self.layout());
        self.may_be_assigned(source)?;
        let (from, origins) = (source.bytes(), [source.origin(), self.origin()]);
        let to = self.bytes_mut();
        match PairLoops::by_target(&theirs, &ours) {
            Some(mut pairs) => {
                pairs.source = pairs.source.wrapping_add(origins[0]);
                pairs.target = pairs.target.wrapping_add(origins[1]);
                move_loops::<E>(pairs, from, to);
            }
            None => for_each_pair(&theirs, &ours, |at, place| {
                move_one::<E>(from, at.wrapping_add(origins[0]), to, place.wrapping_add(origins[1]));
            }),
        }
        Ok(())
    }

    /// Sets each element to `f` of the element of `source` at the same coordinate. `f` receives the elements in no specified order.
    ///
    /// Fails as [`PackedTensor::assign`] does.
    ///
    /// ```
    /// use layout_core::make_layout;
    /// use packed_elements::{I4, PackedTensor};
    /// // Rows of nibbles become columns of bytes.
    /// let rows = PackedTensor::<_, _, I4>::new([0xF1, 0x7E], make_layout((2, 2), (2, 1)))?;
    /// let mut columns = PackedTensor::<_, _, i8>::new([0; 4], make_layout((2, 2), (1, 2)))?;
    /// columns.assign_with(&rows, I4::get)?;
    /// assert_eq!(columns.into_storage().map(|byte| byte as i8), [1, -2, -1, 7]);
    /// # Ok::<(), packed_elements::PackedError>(())
    /// ```
    pub fn assign_with<R: AsRef<[u8]>, M: Layout, F: PackedElement>(
        &mut self,
        source: &PackedTensor<R, M, F>,
        mut f: impl FnMut(F) -> E,
    ) -> Result<()> {
        let (theirs, ours) = (source.layout(), self.layout());
        self.may_be_assigned(source)?;
        let (from, origins) = (source.bytes(), [source.origin(), self.origin()]);
        let to = self.bytes_mut();
        for_each_pair(&theirs, &ours, |at, place| {
            let pattern = read::<F>(from, at.wrapping_add(origins[0])).expect(CHECKED);
            write::<E>(to, place.wrapping_add(origins[1]), f(F::from_bits(pattern)).to_bits()).expect(CHECKED);
        });
        Ok(())
    }

    /// Fails if the extents of both tensors differ, and if two coordinates of this tensor share an index.
    fn may_be_assigned<R: AsRef<[u8]>, M: Layout, F: PackedElement>(&self, source: &PackedTensor<R, M, F>) -> Result<()> {
        same_extents(&source.layout(), &self.layout())?;
        match self.layout().is_injective() {
            Some(true) => Ok(()),
            Some(false) => Err(TensorError::Shared.into()),
            None => Err(TensorError::Undecided.into()),
        }
    }
}

/// The reason why no access of a transfer can fail.
const CHECKED: &str = "the constructors checked all indices";

/// Moves one element.
#[inline(always)]
fn move_one<E: PackedElement>(from: &[u8], at: usize, to: &mut [u8], place: usize) {
    write::<E>(to, place, read::<E>(from, at).expect(CHECKED)).expect(CHECKED);
}

/// Returns the number of the first bit of an element.
#[inline(always)]
fn bit<E: PackedElement>(index: usize) -> u64 {
    index as u64 * u64::from(E::BITS)
}

/// Moves the elements of loops whose first indices include the origins.
fn move_loops<E: PackedElement>(mut pairs: PairLoops, from: &[u8], to: &mut [u8]) {
    let inner = pairs.at(0);
    let contiguous = (inner.source, inner.target) == (1, 1);
    let run = inner.count as u64 * u64::from(E::BITS);
    if contiguous && run >= 64 {
        return pairs.for_each(1, |at, place| copy_bits(from, bit::<E>(at), to, bit::<E>(place), run));
    }
    match Word::new::<E>(&mut pairs) {
        Some(word) => pairs.for_each(word.loops, |at, place| {
            write_word(to, bit::<E>(place), word.bits, word.gather::<E>(from, at));
        }),
        None => pairs.for_each(0, |at, place| move_one::<E>(from, at, to, place)),
    }
}

/// The maximum number of elements of a word.
const MOST: usize = 64;

/// The innermost loops of a transfer, if their elements are up to 64 contiguous bits of the target.
struct Word {
    /// The number of loops.
    loops: usize,
    /// The number of bits.
    bits: u32,
    /// The number of elements.
    count: usize,
    /// The distance, in the source, from the first element of the word to each of them.
    source: [usize; MOST],
    /// The moves within a word, if a word of the source has all elements.
    within: Option<Within>,
}

/// The bits of a word of the source that one word of the target has.
struct Within {
    /// The distance from the first element of the target's word to the first element of the source's word.
    least: usize,
    /// The number of bits of the source's word.
    bits: u32,
    /// Bits that move by the same distance: their mask in the source, and the distance, as a rotation to the left.
    moves: [(u64, u32); MOST],
    /// The number of moves.
    count: usize,
}

impl Word {
    /// Returns the word of these loops, or `None` if fewer than two elements are contiguous in the target. Splits a loop if a part of
    /// its steps fills the word.
    fn new<E: PackedElement>(pairs: &mut PairLoops) -> Option<Word> {
        let most = 64 / E::BITS as usize;
        let mut word = Word { loops: 0, bits: 0, count: 1, source: [0; MOST], within: None };
        while pairs.at(word.loops).target == word.count {
            let inner = pairs.at(word.loops);
            let fits = |count: &usize| inner.count.is_multiple_of(*count);
            let Some(steps) = (2..=(most / word.count).min(inner.count)).rev().find(fits) else { break };
            if steps < inner.count && !pairs.split(word.loops, steps) {
                break;
            }
            for k in word.count..word.count * steps {
                let step = k / word.count;
                word.source[k] = word.source[k % word.count].wrapping_add(step.wrapping_mul(inner.source));
            }
            (word.loops, word.count) = (word.loops + 1, word.count * steps);
        }
        if word.count < 2 {
            return None;
        }
        word.bits = word.count as u32 * E::BITS;
        word.within = Within::new::<E>(&word.source[..word.count]);
        Some(word)
    }

    /// Returns the word of the target that begins with element `at` of the source.
    #[inline(always)]
    fn gather<E: PackedElement>(&self, from: &[u8], at: usize) -> u64 {
        if let Some(within) = &self.within {
            let word = read_word(from, bit::<E>(at.wrapping_add(within.least)), within.bits);
            return within.moves[..within.count].iter().fold(0, |all, (mask, left)| all | (word & mask).rotate_left(*left));
        }
        let elements = self.source[..self.count].iter().enumerate();
        elements.fold(0, |all, (k, distance)| {
            let pattern = read::<E>(from, at.wrapping_add(*distance)).expect(CHECKED);
            all | u64::from(pattern) << (k as u32 * E::BITS)
        })
    }
}

impl Within {
    /// Returns the moves of elements at these distances, or `None` if they span more than a word.
    fn new<E: PackedElement>(source: &[usize]) -> Option<Within> {
        let distances = source.iter().map(|distance| *distance as isize);
        let (least, greatest) = (distances.clone().min()?, distances.max()?);
        let span = u32::try_from(greatest - least + 1).ok()?.checked_mul(E::BITS).filter(|bits| *bits <= 64)?;
        let mut within = Within { least: least as usize, bits: span, moves: [(0, 0); MOST], count: 0 };
        for (k, distance) in source.iter().enumerate() {
            let place = (*distance as isize - least) as u32 * E::BITS;
            let mask = u64::from(const { mask::<E>() }) << place;
            let left = (k as u32 * E::BITS).wrapping_sub(place) % 64;
            match within.moves[..within.count].iter_mut().find(|known| known.1 == left) {
                Some(known) => known.0 |= mask,
                None => {
                    within.moves[within.count] = (mask, left);
                    within.count += 1;
                }
            }
        }
        Some(within)
    }
}
