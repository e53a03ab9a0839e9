//! The errors of exchanges.

use relayout::{Place, PlanError, TransferError};

layout_core::errors! {
    /// The reason why an exchange or a distributed tensor fails.
    ///
    /// ```no_run
    /// use relayout::{Plan, Side};
    /// use relayout_mpi::{Exchange, ExchangeError};
    ///
    /// let universe = mpi::initialize().expect("MPI is not yet initialised");
    /// let world = universe.world();
    /// let side = Side::parse("(4,2):(1@0,1@1)")?;
    /// let mut exchange = Exchange::<f64>::new(&world, &Plan::new(&side, &side)?)?;
    /// // The storages of both ranks are too short, so nothing moves.
    /// let error = exchange.run(&world, &[&[0.0; 3]], &mut [&mut [0.0; 4]]).unwrap_err();
    /// assert!(matches!(error, ExchangeError::Short { len: 3, needed: 4, .. }) && error.class() == "exchange/storage");
    /// # Ok::<(), ExchangeError>(())
    /// ```
    #[non_exhaustive]
    ExchangeError of Plan(PlanError), Transfer(TransferError) {
        /// The place belongs to no rank of the communicator.
        Rank { place: Place, rank: i64, ranks: i32 } => "exchange/rank", "place {place} belongs to rank {rank}, but there are {ranks} ranks";
        /// An element lies before the first element of its storage.
        Negative { place: Place, offset: i64 } => "exchange/storage", "an element has the offset {offset} in place {place}; offsets are at least 0";
        /// The number of storages differs from the number of places of this rank.
        Storages { given: usize, needed: usize } => "exchange/storage", "{given} storages are given, but this rank has {needed} places";
        /// A storage is too short for the elements of its place.
        Short { place: Place, len: usize, needed: usize } => "exchange/storage", "the storage of place {place} has {len} elements, but needs {needed}";
        /// The storages of another rank, or the tensor of the root, do not fit, so no rank writes anything.
        Elsewhere => "exchange/storage", "the storages of another rank do not fit, so no rank wrote anything";
        /// The root has no tensor, or a tensor of another size.
        Root { len: usize, needed: usize } => "exchange/root", "the tensor at the root has {len} elements, but needs {needed}";
    }
}

/// The result of an operation that may fail with an [`ExchangeError`].
///
/// ```no_run
/// use mpi::traits::Communicator;
/// use relayout::Side;
/// use relayout_mpi::{Distributed, Result};
///
/// /// Returns the sum of each row of 6 of this rank, for rows in blocks of two.
/// fn row_sums(comm: &impl Communicator, root: Option<&[f64]>) -> Result<Vec<f64>> {
///     let side = Side::parse("((2,4),6):((6@0,1@1),1@0)")?;
///     let rows = Distributed::scatter(comm, &[8, 6], 0, root, side)?;
///     Ok(rows.local().chunks(6).map(|row| row.iter().sum()).collect())
/// }
/// let universe = mpi::initialize().expect("MPI is not yet initialised");
/// let world = universe.world();
/// let whole = [1.0; 48];
/// assert_eq!(row_sums(&world, (world.rank() == 0).then_some(&whole[..]))?, [6.0, 6.0]);
/// # Ok::<(), relayout_mpi::ExchangeError>(())
/// ```
pub type Result<T> = core::result::Result<T, ExchangeError>;
