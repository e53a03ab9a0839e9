//! Tensors distributed over the ranks of MPI.
//!
//! Take this crate to redistribute a tensor between ranks, to fill the halos of blocks, or to move ScaLAPACK's matrices between
//! grids. A [`Plan`](relayout::Plan) lists the copies between places; here places are ranks. Each rank makes the same plan, so
//! no rank has to announce its messages to another.
//!
//! | item | what it is |
//! |---|---|
//! | [`Distributed`] | a tensor with some of its elements on each rank: scattered, redistributed, gathered |
//! | [`Exchange`] | the work of one rank in a plan, made once and run often: of any plan, of halos, of block-cyclic matrices |
//! | [`Slot`] | a place of this rank that an exchange reads or writes, and the length of its memory |
//! | [`ExchangeError`] | the error, with the place and the numbers |
//!
//! ```no_run
//! use mpi::traits::Communicator;
//! use relayout::Side;
//! use relayout_mpi::Distributed;
//!
//! let universe = mpi::initialize().expect("MPI is not yet initialised");
//! let world = universe.world();
//! // 50257 rows of 64 are redistributed from 4 blocks of rows to 4 blocks of columns.
//! let rows = Side::parse("((12565,4),64):((64@0,1@1),1@0)")?;
//! let columns = Side::parse("(50257,(16,4)):(16@0,(1@0,1@1))")?;
//! let own = vec![f32::from(world.rank() as u8); 12565 * 64];
//! let tensor = Distributed::new(&world, &[50257, 64], rows, own);
//! let by_column = tensor.redistribute(&columns)?;
//! assert_eq!(by_column.local().len(), 50257 * 16);
//! # Ok::<(), relayout_mpi::ExchangeError>(())
//! ```

mod chunk;
mod distributed;
mod error;
mod exchange;

pub use distributed::Distributed;
pub use error::{ExchangeError, Result};
pub use exchange::{Exchange, Slot};
