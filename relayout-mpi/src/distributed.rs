//! A tensor whose elements are distributed over the ranks.

use crate::error::{ExchangeError, Result};
use crate::exchange::{Exchange, together};
use layout_core::tensor::PlainData;
use mpi::datatype::Equivalence;
use mpi::topology::Rank;
use mpi::traits::Communicator;
use relayout::{Place, Plan, Planner, Side};

/// A tensor whose elements are distributed over the ranks. Its [`Side`] gives the place of each element, which is the number of a
/// rank, and its offset in the memory of that rank.
///
/// All ranks call its methods together.
///
/// ```no_run
/// use mpi::traits::Communicator;
/// use relayout::{Place, Side};
/// use relayout_mpi::Distributed;
///
/// let universe = mpi::initialize().expect("MPI is not yet initialised");
/// let world = universe.world();
/// // Four ranks get two rows of 6 each from rank 0, and double them.
/// let whole: Option<Vec<f32>> = (world.rank() == 0).then(|| vec![1.0; 48]);
/// let by_row = Side::parse("((2,4),6):((6@0,1@1),1@0)")?;
/// let mut rows = Distributed::scatter(&world, &[8, 6], 0, whole.as_deref(), by_row)?;
/// assert_eq!((rows.extent(), rows.local().len()), (&[8, 6][..], 12));
/// rows.local_mut().iter_mut().for_each(|element| *element *= 2.0);
/// // Ranks 0 and 1 get three columns each. The plan says what this moves.
/// let by_column = Side::parse("(8,(3,2)):(1@0,(8@0,1@1))")?;
/// assert_eq!(rows.plan(&by_column)?.statistics().elements, 48);
/// let columns = rows.redistribute(&by_column)?;
/// assert_eq!(columns.side().spots(columns.extent(), &[7, 5])?, [(Place::from(1), 7 + 2 * 8)]);
/// if let Some(whole) = columns.gather(0)? {
///     assert_eq!(whole, [2.0; 48]); // at rank 0 alone
/// }
/// # Ok::<(), relayout_mpi::ExchangeError>(())
/// ```
pub struct Distributed<'c, T, C> {
    comm: &'c C,
    extent: Vec<i64>,
    side: Side,
    local: Vec<T>,
}

impl<'c, T: Equivalence + PlainData + Default, C: Communicator> Distributed<'c, T, C> {
    /// Creates the tensor of these extents. `local` has the elements of this rank: an element of offset `o` is `local[o]`. `side`
    /// gives the rank and the offset of each element.
    ///
    /// A `local` that is too short is an error only when its elements are needed.
    pub fn new(comm: &'c C, extent: &[i64], side: Side, local: Vec<T>) -> Self {
        Distributed { comm, extent: extent.to_vec(), side, local }
    }

    /// Distributes the tensor of `root` to all ranks. In `whole`, the first mode is contiguous.
    ///
    /// # Errors
    /// Fails as [`Exchange::new`] and the planner do, and with [`ExchangeError::Root`] if `whole` has another number
    /// of elements or is `None` at the root. Then the other ranks fail with [`ExchangeError::Elsewhere`].
    pub fn scatter(comm: &'c C, extent: &[i64], root: Rank, whole: Option<&[T]>, side: Side) -> Result<Self> {
        let needed = extent.iter().product::<i64>() as usize;
        let len = whole.map_or(0, <[T]>::len);
        together(comm, if comm.rank() == root && len != needed { Err(ExchangeError::Root { len, needed }) } else { Ok(()) })?;
        let plan = Planner::new().extent(extent).plan(&compact(extent, root)?, &side)?;
        let mut exchange = Exchange::new(comm, &plan)?;
        let mut local = target(&exchange, comm.rank());
        let source = whole.unwrap_or_default();
        move_between(&mut exchange, comm, source, &mut local)?;
        Ok(Distributed { comm, extent: extent.to_vec(), side, local })
    }

    /// Returns the same tensor, with its elements at the ranks and offsets that `side` gives.
    ///
    /// # Errors
    /// Fails as [`Exchange::new`] and the planner do, and with [`ExchangeError::Short`] if a rank has too few elements.
    pub fn redistribute(&self, side: &Side) -> Result<Self> {
        let mut exchange = Exchange::new(self.comm, &self.plan(side)?)?;
        let mut local = target(&exchange, self.comm.rank());
        move_between(&mut exchange, self.comm, &self.local, &mut local)?;
        Ok(Distributed { comm: self.comm, extent: self.extent.clone(), side: side.clone(), local })
    }

    /// Returns the whole tensor at `root`, with its first mode contiguous. Returns `None` on other ranks. Fails as
    /// [`redistribute`](Self::redistribute) does.
    pub fn gather(&self, root: Rank) -> Result<Option<Vec<T>>> {
        let whole = self.redistribute(&compact(&self.extent, root)?)?;
        Ok((self.comm.rank() == root).then_some(whole.local))
    }

    /// Returns the plan that [`redistribute`](Self::redistribute) runs for `side`. Fails as `Planner::plan` does.
    pub fn plan(&self, side: &Side) -> Result<Plan> {
        Ok(Planner::new().extent(&self.extent).plan(&self.side, side)?)
    }

    /// Returns the elements of this rank. An element of offset `o` is number `o` of the slice; [`side`](Self::side) gives the offset
    /// and the rank of each element.
    pub fn local(&self) -> &[T] {
        &self.local
    }

    /// Returns the elements of this rank as a mutable slice, in the order of [`local`](Self::local).
    pub fn local_mut(&mut self) -> &mut [T] {
        &mut self.local
    }

    /// Returns the extents of the tensor.
    pub fn extent(&self) -> &[i64] {
        &self.extent
    }

    /// Returns the side, which gives the rank and the offset of each element.
    pub fn side(&self) -> &Side {
        &self.side
    }
}

/// Returns the side of a tensor whose elements are all on `rank`, with its first mode contiguous. Fails if a number exceeds 62 bits.
fn compact(extent: &[i64], rank: Rank) -> Result<Side> {
    let mut step = 1_i64;
    let mut strides = vec![];
    for extent in extent {
        strides.push(format!("{step}@0"));
        step = step.saturating_mul((*extent).max(1));
    }
    let shape: Vec<String> = extent.iter().map(|extent| extent.to_string()).collect();
    Ok(Side::parse(&format!("({}):({})", shape.join(","), strides.join(",")))?.with_base(&[0, i64::from(rank)]))
}

/// Allocates the memory of `rank` that an exchange writes, filled with defaults.
fn target<T: Equivalence + PlainData + Default>(exchange: &Exchange<T>, rank: Rank) -> Vec<T> {
    let own = exchange.targets().iter().find(|slot| slot.place == Place::from(i64::from(rank)));
    vec![T::default(); own.map_or(0, |slot| slot.len)]
}

/// Runs an exchange in which each rank has at most one place on either side. Fails as `Exchange::run` does.
fn move_between<T: Equivalence + PlainData + Default>(
    exchange: &mut Exchange<T>,
    comm: &impl Communicator,
    source: &[T],
    target: &mut [T],
) -> Result<()> {
    let (sources, targets) = (exchange.sources().len(), exchange.targets().len());
    exchange.run(comm, &[source][..sources], &mut [target][..targets])
}
