//! Transfers between tensors of `layout_core`, whose layouts may be static or swizzled.

use super::table::OffsetMap;
use super::{Result, Transfer, TransferError};
use crate::plan::{Plan, PlanError, Side};
use alloc::string::String;
use core::fmt::Write;
use layout_core::layouts::MAX_LEAVES;
use layout_core::tensor::{PlainData, Storage, StorageMut};
use layout_core::{Layout, Tensor};

/// A [`Transfer`] between tensors of two given layouts, which may be static, mixed, dynamic or swizzled.
///
/// ```
/// use layout_core::{Int, Tensor, make_layout};
/// use layout_core::layouts::StaticSwizzle;
/// use relayout::Transfer;
/// let rows = make_layout((Int::<8>, Int::<8>), (Int::<8>, Int::<1>));
/// let tile = StaticSwizzle::<3, 0, 3>.composition(rows);
/// let numbers: Vec<u16> = (0..64).collect();
/// let mut room = [0; 64];
/// let swizzle = Transfer::between(rows, tile)?;
/// swizzle.run(&Tensor::new(&numbers, rows)?, &mut Tensor::new(&mut room, tile)?)?;
/// assert_eq!(Tensor::new(&room, tile)?[(3, 5)], numbers[3 * 8 + 5]);
/// assert_eq!(room[3 * 8..][..8], [27, 26, 25, 24, 31, 30, 29, 28]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Between<T, L, M> {
    // All offsets are indices of `source` and of `target`: `between` makes them from the loops and images of both.
    transfer: Transfer<T>,
    source: L,
    target: M,
}

impl<T: Copy> Transfer<T> {
    /// Creates a transfer between two layouts of the same extents.
    ///
    /// Fails as [`Transfer::new`] does, if the extents differ, and if a swizzle has no period or too many elements in a block.
    ///
    /// ```
    /// use layout_core::{Int, make_layout};
    /// use relayout::{Transfer, TransferError};
    /// let rows = make_layout((Int::<2>, Int::<3>), (Int::<3>, Int::<1>));
    /// let columns = make_layout((2, 3), (1, 2)); // known at run time
    /// assert!(Transfer::<u8>::between(rows, columns).is_ok());
    /// let other = make_layout((3, 2), (1, 3));
    /// assert_eq!(Transfer::<u8>::between(rows, other).err(), Some(TransferError::Extents));
    /// ```
    pub fn between<L: Layout, M: Layout>(source: L, target: M) -> Result<Between<T, L, M>> {
        let rank = source.rank().max(target.rank());
        if source.extents()[..rank] != target.extents()[..rank] {
            return Err(TransferError::Extents);
        }
        let plan = Plan::new(&side(&source)?, &side(&target)?)?;
        let of_source = |sum: i64| source.image(sum as usize) as isize as i64;
        let of_target = |sum: i64| target.image(sum as usize) as isize as i64;
        let block = |period: Option<usize>| period.and_then(|period| i64::try_from(period).ok()).ok_or(PlanError::NotALayout);
        let images =
            [OffsetMap { of: &of_source, block: block(source.period())? }, OffsetMap { of: &of_target, block: block(target.period())? }];
        let transfer = Transfer::of_images(&plan, &images)?;
        // The planner proves that no two sums of steps in the target are equal. Their images differ too if an image
        // only adds a constant, or if the layout is known to be injective.
        let once = target.period() == Some(1) || target.is_injective() == Some(true);
        Ok(Between { transfer: Transfer { once, ..transfer }, source, target })
    }
}

/// Returns the sums of the steps of a layout, before any swizzle, as a side. Fails if the layout has no loops.
fn side<L: Layout>(layout: &L) -> Result<Side> {
    let loops = layout.loops::<MAX_LEAVES>().ok_or(PlanError::NotALayout)?;
    let list = |numbers: &mut dyn Iterator<Item = isize>| {
        let mut text = String::from("1");
        numbers.for_each(|number| write!(text, ",{number}").expect("a string"));
        text
    };
    let extents = list(&mut (0..loops.len).map(|k| loops.extents[k] as isize));
    let steps = list(&mut (0..loops.len).map(|k| loops.steps[k] as isize));
    Ok(Side::parse(&alloc::format!("({extents}):({steps})"))?.with_base(&[loops.start as isize as i64]))
}

impl<T: PlainData, L: Layout, M: Layout> Between<T, L, M> {
    /// Moves the elements of one tensor to another.
    ///
    /// Fails unless both tensors provably have the layouts that the transfer was made for; see
    /// [`same_as`](layout_core::layouts::RawLayout::same_as).
    pub fn run<S: Storage<Item = T>, R: StorageMut<Item = T>>(&self, source: &Tensor<S, L>, target: &mut Tensor<R, M>) -> Result<()> {
        if !source.layout().same_as(&self.source) || !target.layout().same_as(&self.target) {
            return Err(TransferError::Layouts);
        }
        // SAFETY: all offsets are indices of the layouts of `between`, and `same_as`, of an unsafe trait, proves that
        // the tensors have these layouts. The constructor of a tensor checks that all indices of its layout are
        // accessible. The target is borrowed exclusively.
        unsafe { self.transfer.steps(self.transfer.instructions, source.as_ptr(), target.as_mut_ptr()) };
        Ok(())
    }
}

impl<T, L, M> Between<T, L, M> {
    /// Returns the transfer for slices instead of tensors: the first element of a slice has index 0 of its layout.
    ///
    /// ```
    /// use layout_core::{Int, make_layout};
    /// use relayout::Transfer;
    /// let rows = make_layout((Int::<2>, Int::<3>), (Int::<3>, Int::<1>));
    /// let columns = make_layout((Int::<2>, Int::<3>), (Int::<1>, Int::<2>));
    /// let between = Transfer::between(rows, columns)?;
    /// let mut out = [0; 6];
    /// between.transfer().run(&[1, 2, 3, 4, 5, 6], &mut out)?;
    /// assert_eq!(out, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), relayout::TransferError>(())
    /// ```
    pub fn transfer(&self) -> &Transfer<T> {
        &self.transfer
    }
}
