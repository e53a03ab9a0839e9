//! The work of one rank in a plan: its messages, in rounds over the other ranks, and its copies within the rank.

use crate::chunk::{Chunk, Direction, Way, chunks, merged};
use crate::error::{ExchangeError, Result};
use layout_core::tensor::PlainData;
use mpi::collective::SystemOperation;
use mpi::datatype::{Equivalence, MutView, UserDatatype, View};
use mpi::request;
use mpi::topology::Rank;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use relayout::{
    BlockCyclic, Copy as Strided, HaloBlocks, InPlace, Loop, Place, Plan, PlanError, Planner, Transfer, TransferEnd, TransferError,
};

/// The memory of a place of this rank that an exchange reads or writes.
///
/// ```no_run
/// use mpi::traits::Communicator;
/// use relayout::{Place, Plan, Side};
/// use relayout_mpi::{Exchange, Slot};
///
/// let universe = mpi::initialize().expect("MPI is not yet initialised");
/// let world = universe.world();
/// // Two ranks send four elements each to rank 0.
/// let plan = Plan::new(&Side::parse("(4,2):(1@0,1@1)")?, &Side::parse("8:1")?)?;
/// let exchange = Exchange::<f64>::new(&world, &plan)?;
/// let expected = if world.rank() == 0 { vec![Slot { place: Place::from(0), len: 8 }] } else { vec![] };
/// assert_eq!(exchange.targets(), expected);
/// let storages: Vec<Vec<f64>> = exchange.targets().iter().map(|slot| vec![0.0; slot.len]).collect();
/// # Ok::<(), relayout_mpi::ExchangeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The place of the plan whose elements are in this memory.
    pub place: Place,
    /// The minimum length of the storage at this place, in elements.
    pub len: usize,
}

/// The messages and copies of one rank for elements `T`. It is made once and runs often.
///
/// Creating one sends no messages. All ranks create theirs from the same plan, and run it together. Long contiguous
/// runs travel without packing, as a derived datatype if they are strided. Other elements are packed into messages
/// that stay in the cache.
///
/// ```no_run
/// use mpi::traits::Communicator;
/// use relayout::{HaloBlocks, Plan, Side};
/// use relayout_mpi::Exchange;
///
/// let universe = mpi::initialize().expect("MPI is not yet initialised");
/// let world = universe.world();
/// // Two ranks: blocks of four become a cyclic distribution.
/// let plan = Plan::new(&Side::parse("(4,2):(1@0,1@1)")?, &Side::parse("(2,4):(1@1,1@0)")?)?;
/// let mut exchange = Exchange::<f64>::new(&world, &plan)?;
/// let (source, mut target) = ([f64::from(world.rank()); 4], [0.0; 4]);
/// exchange.run(&world, &[&source], &mut [&mut target])?;
/// assert_eq!(target, [0.0, 0.0, 1.0, 1.0]);
///
/// // The halos of a block of 512 by 512.
/// let blocks = HaloBlocks { below: vec![1, 1], above: vec![1, 1], faces: true, ..HaloBlocks::new(&[1024, 512], &[2, 1]) };
/// let mut halo = Exchange::<f64>::halo(&world, &blocks)?;
/// let mut field = vec![0.0; 514 * 514];
/// halo.run_in_place(&world, &mut [&mut field])?;
/// # Ok::<(), relayout_mpi::ExchangeError>(())
/// ```
pub struct Exchange<T> {
    rank: Rank,
    sources: Vec<Slot>,
    targets: Vec<Slot>,
    in_place: bool,
    local: Local<T>,
    send: Vec<Vec<Chunk<T>>>,
    receive: Vec<Vec<Chunk<T>>>,
    buffers: [Vec<T>; 3],
}

/// The transfers of the elements that stay on a rank.
enum Local<T> {
    /// Transfers, each with the numbers of its source storage and its target storage.
    Between(Vec<(usize, usize, Transfer<T>)>),
    /// The transfer within the only storage, which is in place; `None` if no elements move.
    Within(Option<InPlace<T>>),
}

/// The functions from places of a plan to ranks, and from its offsets and steps to those of storages.
struct Ends<'a> {
    rank: &'a dyn Fn(TransferEnd, &Place) -> i64,
    offset: &'a dyn Fn(TransferEnd, i64) -> i64,
    in_place: bool,
}

/// ```no_run
/// use relayout::{Place, Plan, Side, TransferEnd};
/// use relayout_mpi::Exchange;
///
/// let universe = mpi::initialize().expect("MPI is not yet initialised");
/// let world = universe.world();
/// // Eight blocks of 4, dealt out to two ranks, become four blocks of 8, the first two of them on rank 0.
/// let plan = Plan::new(&Side::parse("(4,8):(1@0,1@1)")?, &Side::parse("(8,4):(1@0,1@1)")?)?;
/// let rank = |end: TransferEnd, place: &Place| match (end, place.number().unwrap_or(-1)) {
///     (TransferEnd::Source, block) => block % 2,
///     (TransferEnd::Target, block) => block / 2,
/// };
/// let mut exchange = Exchange::<f32>::with_ranks(&world, &plan, rank)?;
/// assert_eq!((exchange.sources().len(), exchange.targets().len()), (4, 2));
/// assert_eq!((exchange.send_counts().iter().sum::<usize>(), exchange.receive_counts().iter().sum::<usize>()), (8, 8));
/// // One storage for each place of this rank.
/// let sources: Vec<Vec<f32>> = exchange.sources().iter().map(|slot| vec![1.0; slot.len]).collect();
/// let mut targets: Vec<Vec<f32>> = exchange.targets().iter().map(|slot| vec![0.0; slot.len]).collect();
/// let read: Vec<&[f32]> = sources.iter().map(Vec::as_slice).collect();
/// let mut written: Vec<&mut [f32]> = targets.iter_mut().map(Vec::as_mut_slice).collect();
/// exchange.run(&world, &read, &mut written)?;
/// assert_eq!(targets, [[1.0; 8]; 2]);
/// # Ok::<(), relayout_mpi::ExchangeError>(())
/// ```
impl<T: Equivalence + PlainData + Default> Exchange<T> {
    /// Creates the exchange of a plan whose places are ranks.
    ///
    /// # Errors
    /// Returns [`ExchangeError::Rank`] if a place has no rank, and [`ExchangeError::Negative`] if an element lies
    /// before the first element of its storage.
    pub fn new(comm: &impl Communicator, plan: &Plan) -> Result<Self> {
        Self::with_ranks(comm, plan, |_, place| place.number().unwrap_or(-1))
    }

    /// Creates the exchange of a plan whose places are on the ranks that `rank` returns. A rank may have several places.
    ///
    /// # Errors
    ///
    /// Fails as [`Exchange::new`] does.
    pub fn with_ranks(comm: &impl Communicator, plan: &Plan, rank: impl Fn(TransferEnd, &Place) -> i64) -> Result<Self> {
        Self::build(comm, plan, &Ends { rank: &rank, offset: &|_, offset| offset, in_place: false })
    }

    /// Creates the exchange that fills the halos of blocks in place. Each rank has one block.
    ///
    /// # Errors
    ///
    /// Fails as [`HaloBlocks::halo_of`] and [`Exchange::new`] do.
    pub fn halo(comm: &impl Communicator, blocks: &HaloBlocks) -> Result<Self> {
        let plan = blocks.halo_of(i64::from(comm.rank()))?;
        let mut exchange = Self::build(
            comm,
            &plan,
            &Ends { rank: &|_, place| place.number().unwrap_or(-1), offset: &|_, offset| offset, in_place: true },
        )?;
        // Even without neighbours, a rank has one storage.
        let place = Place::from(i64::from(comm.rank()));
        let extent = blocks.local_extent(i64::from(comm.rank()));
        let len = extent.map_or(0, |extent| extent.iter().product::<i64>() as usize);
        exchange.targets = vec![Slot { place, len }];
        Ok(exchange)
    }

    /// Creates the exchange of a matrix between two ScaLAPACK distributions. Ranks number the processes row by row of
    /// each grid.
    ///
    /// `leading` is the `LLD` of this rank's local matrices: first of `from`, then of `to`.
    ///
    /// # Errors
    /// Fails as the planner does, and with [`PlanError::Descriptor`] if `leading` is below this rank's rows or above 31 bits.
    ///
    /// ```no_run
    /// use mpi::traits::Communicator;
    /// use relayout::BlockCyclic;
    /// use relayout_mpi::Exchange;
    ///
    /// let universe = mpi::initialize().expect("MPI is not yet initialised");
    /// let world = universe.world();
    /// // Four ranks: a matrix of 100 by 80 moves from a grid of 2 by 2 to a grid of 4 by 1.
    /// let from = BlockCyclic { extent: [100, 80], block: [8, 8], grid: [2, 2], first: [0, 0] };
    /// let to = BlockCyclic { grid: [4, 1], ..from };
    /// let me = i64::from(world.rank());
    /// let ([rows, columns], [new_rows, new_columns]) = (from.local_extent([me / 2, me % 2]), to.local_extent([me, 0]));
    /// let mut exchange = Exchange::<f64>::block_cyclic(&world, &from, &to, [rows, new_rows])?;
    /// let (source, mut target) = (vec![1.0; (rows * columns) as usize], vec![0.0; (new_rows * new_columns) as usize]);
    /// exchange.run(&world, &[&source], &mut [&mut target])?;
    /// assert!(target.iter().all(|element| *element == 1.0));
    /// # Ok::<(), relayout_mpi::ExchangeError>(())
    /// ```
    pub fn block_cyclic(comm: &impl Communicator, from: &BlockCyclic, to: &BlockCyclic, leading: [i64; 2]) -> Result<Self> {
        let plan = Planner::new().extent(&from.extent).plan(&from.side()?, &to.side()?)?;
        let me = i64::from(comm.rank());
        for (matrix, value) in [(from, leading[0]), (to, leading[1])] {
            // A rank beyond the grid has no matrix.
            let rows =
                if me < matrix.grid[0] * matrix.grid[1] { matrix.local_extent([me / matrix.grid[1], me % matrix.grid[1]])[0] } else { 0 };
            if value < rows || value > i64::from(i32::MAX) {
                return Err(PlanError::Descriptor { entry: "LLD", value }.into());
            }
        }
        let rank = |end: TransferEnd, place: &Place| {
            let matrix = if end == TransferEnd::Source { from } else { to };
            let [row, column] = matrix.process(place);
            row * matrix.grid[1] + column
        };
        let offset = |end: TransferEnd, offset: i64| BlockCyclic::offset(offset, leading[usize::from(end == TransferEnd::Target)]);
        Self::build(comm, &plan, &Ends { rank: &rank, offset: &offset, in_place: false })
    }

    fn build(comm: &impl Communicator, plan: &Plan, ends: &Ends) -> Result<Self> {
        let (me, ranks) = (comm.rank(), comm.size());
        let rank = |end: TransferEnd, place: &Place| match (ends.rank)(end, place) {
            rank if (0..i64::from(ranks)).contains(&rank) => Ok(rank as Rank),
            rank => Err(ExchangeError::Rank { place: place.clone(), rank, ranks }),
        };
        let mut slots = [vec![], vec![]];
        let mut local: Vec<(usize, usize, Strided)> = vec![];
        let mut copies = [(); 2].map(|()| (0..ranks).map(|_| vec![]).collect::<Vec<Vec<(usize, Strided)>>>());
        for message in plan.messages() {
            let (from, to) = (rank(TransferEnd::Source, &message.from)?, rank(TransferEnd::Target, &message.to)?);
            let mut of = |end: TransferEnd, place: &Place, here: bool| match here {
                true => {
                    slot(&mut slots[usize::from(end == TransferEnd::Target || ends.in_place)], place, &message.copies, end, ends.offset)
                        .map(Some)
                }
                false => Ok(None),
            };
            let (source, target) = (of(TransferEnd::Source, &message.from, from == me)?, of(TransferEnd::Target, &message.to, to == me)?);
            let here = message.copies.iter().map(|copy| placed(copy, ends.offset));
            match (source, target) {
                (Some(source), Some(target)) => local.extend(here.map(|copy| (source, target, copy))),
                (Some(source), None) => copies[0][to as usize].extend(here.map(|copy| (source, copy))),
                (None, Some(target)) => copies[1][from as usize].extend(here.map(|copy| (target, copy))),
                (None, None) => {}
            }
        }
        let chunked = |copies: &[Vec<(usize, Strided)>], direction: Direction| {
            copies.iter().map(|copies| chunks::<T>(copies, direction, ends.in_place)).collect::<core::result::Result<Vec<_>, _>>()
        };
        let local = match ends.in_place {
            true if local.is_empty() => Local::Within(None),
            true => Local::Within(Some(Transfer::of_copies(local.into_iter().map(|(.., copy)| merged(copy)))?.in_place()?)),
            false => {
                let between = |(source, target, copy)| Ok((source, target, Transfer::of_copies([merged(copy)])?));
                Local::Between(local.into_iter().map(between).collect::<Result<_>>()?)
            }
        };
        let [sources, targets] = slots;
        Ok(Exchange {
            rank: me,
            sources,
            targets,
            in_place: ends.in_place,
            local,
            send: chunked(&copies[0], Direction::Out)?,
            receive: chunked(&copies[1], Direction::In)?,
            buffers: [vec![], vec![], vec![]],
        })
    }

    /// Returns the places of this rank that are read, in the order in which [`run`](Self::run) takes their storages.
    pub fn sources(&self) -> &[Slot] {
        if self.in_place { &self.targets } else { &self.sources }
    }

    /// Returns the places of this rank that are written, in the order in which [`run`](Self::run) takes their storages.
    pub fn targets(&self) -> &[Slot] {
        &self.targets
    }

    /// Returns the number of elements that this rank receives from each rank, by its number. No message is needed for this.
    pub fn receive_counts(&self) -> Vec<usize> {
        self.receive.iter().map(|chunks| chunks.iter().map(|chunk| chunk.elements).sum()).collect()
    }

    /// Returns the number of elements that this rank sends to each rank, by its number.
    pub fn send_counts(&self) -> Vec<usize> {
        self.send.iter().map(|chunks| chunks.iter().map(|chunk| chunk.elements).sum()).collect()
    }

    /// Moves the elements of the sources of all ranks to the targets. Other elements of the targets keep their values.
    ///
    /// # Errors
    /// Fails if this rank or another has more or fewer storages than places, or a storage that is too short. Then no
    /// rank writes anything.
    pub fn run<C: Communicator>(&mut self, comm: &C, source: &[&[T]], target: &mut [&mut [T]]) -> Result<()> {
        let lens = |storages: &[usize], slots: &[Slot]| fits(storages, slots);
        let sources: Vec<usize> = source.iter().map(|storage| storage.len()).collect();
        let targets: Vec<usize> = target.iter().map(|storage| storage.len()).collect();
        together(comm, lens(&sources, self.sources()).and_then(|()| lens(&targets, self.targets())))?;
        self.transfer(comm, Some(source), target);
        Ok(())
    }

    /// Fills the halos of the storages.
    ///
    /// # Errors
    /// Fails as [`run`](Self::run) does, and if the exchange was not created by [`halo`](Self::halo).
    pub fn run_in_place<C: Communicator>(&mut self, comm: &C, data: &mut [&mut [T]]) -> Result<()> {
        let lens: Vec<usize> = data.iter().map(|storage| storage.len()).collect();
        let halos = if self.in_place { Ok(()) } else { Err(ExchangeError::Storages { given: 0, needed: self.sources.len() }) };
        together(comm, halos.and_then(|()| fits(&lens, self.targets())))?;
        self.transfer(comm, None, data);
        Ok(())
    }

    /// Runs the exchange with storages that fit. Without `source`, it runs in place.
    pub(crate) fn transfer<C: Communicator>(&mut self, comm: &C, source: Option<&[&[T]]>, target: &mut [&mut [T]]) {
        let packed = [&self.send, &self.receive].into_iter().flatten().flatten().filter(|chunk| matches!(chunk.way, Way::Packed(_)));
        let most = packed.map(|chunk| chunk.elements).max().unwrap_or(0);
        self.buffers.iter_mut().for_each(|buffer| buffer.resize(most, T::default()));
        let [outgoing, incoming, last] = &mut self.buffers;
        match (&self.local, source) {
            (Local::Between(transfers), Some(source)) => {
                transfers.iter().for_each(|(from, to, transfer)| fits_now(transfer.run(source[*from], target[*to])));
            }
            (Local::Within(Some(transfer)), _) => fits_now(transfer.run(target[0])),
            _ => {}
        }
        let ranks = self.send.len() as Rank;
        let mut waiting: Option<&[(usize, Transfer<T>)]> = None;
        for round in 1..ranks {
            let (to, from) = ((self.rank + round) % ranks, (self.rank + ranks - round) % ranks);
            let (sends, receives) = (&self.send[to as usize], &self.receive[from as usize]);
            let (to, from) = (comm.process_at_rank(to), comm.process_at_rank(from));
            for k in 0..sends.len().max(receives.len()) {
                let (send, receive) = (sends.get(k), receives.get(k));
                let leaving = match send.map(|chunk| (chunk.elements, &chunk.way)) {
                    None => Outgoing::Nothing,
                    Some((_, Way::Direct(slot, datatype))) => {
                        let storage = source.map_or(&[][..], |source| source[*slot]);
                        // SAFETY: the datatype covers only offsets of the storage, whose length has been checked.
                        Outgoing::Direct(unsafe { View::with_count_and_datatype(storage, 1, datatype) })
                    }
                    Some((elements, Way::Packed(pieces))) => {
                        for (slot, transfer) in pieces {
                            fits_now(transfer.run(source.map_or_else(|| &*target[*slot], |source| source[*slot]), outgoing));
                        }
                        Outgoing::Packed(&outgoing[..elements])
                    }
                };
                match receive.map(|chunk| (chunk.elements, &chunk.way)) {
                    Some((_, Way::Direct(slot, datatype))) => {
                        unpack(waiting.take(), last, target);
                        // SAFETY: as above; a plan writes each element once, so elements of the datatype do not overlap.
                        let mut view = unsafe { MutView::with_count_and_datatype(&mut *target[*slot], 1, datatype) };
                        request::scope(|scope| {
                            let receiving = from.immediate_receive_into(scope, &mut view);
                            leaving.send(&to, || ());
                            receiving.wait();
                        });
                    }
                    Some((elements, Way::Packed(pieces))) => {
                        request::scope(|scope| {
                            let receiving = from.immediate_receive_into(scope, &mut incoming[..elements]);
                            leaving.send(&to, || unpack(waiting.take(), last, target));
                            receiving.wait();
                        });
                        core::mem::swap(incoming, last);
                        waiting = Some(pieces);
                    }
                    None => leaving.send(&to, || unpack(waiting.take(), last, target)),
                }
            }
        }
        unpack(waiting, last, target);
    }
}

/// Unpacks a received message from `buffer` to the storages. Without `pieces`, there is none to unpack.
fn unpack<T: PlainData>(pieces: Option<&[(usize, Transfer<T>)]>, buffer: &[T], target: &mut [&mut [T]]) {
    pieces.unwrap_or_default().iter().for_each(|(slot, transfer)| fits_now(transfer.run(buffer, target[*slot])));
}

/// Asserts that a transfer between storages of checked lengths succeeded.
fn fits_now(result: core::result::Result<(), TransferError>) {
    assert_eq!(result, Ok(()), "a checked transfer must succeed");
}

/// The message that this rank sends in one round, if any: a filled buffer, or a datatype over a storage.
enum Outgoing<'a, T: Equivalence> {
    Nothing,
    Packed(&'a [T]),
    Direct(View<'a, 'a, UserDatatype, [T]>),
}

impl<T: Equivalence> Outgoing<'_, T> {
    /// Sends the message to a rank, and calls `meanwhile` before it waits until the message has left.
    fn send(&self, to: &impl Destination, meanwhile: impl FnOnce()) {
        request::scope(|scope| match self {
            Outgoing::Nothing => meanwhile(),
            Outgoing::Packed(buffer) => {
                let sending = to.immediate_send(scope, *buffer);
                meanwhile();
                sending.wait();
            }
            Outgoing::Direct(view) => {
                let sending = to.immediate_send(scope, view);
                meanwhile();
                sending.wait();
            }
        });
    }
}

/// Returns the index of a place in the list, and adds the place if it is new. The slot becomes as long as these copies need.
/// Fails if an offset is below 0 or exceeds 64 bits.
fn slot(
    slots: &mut Vec<Slot>,
    place: &Place,
    copies: &[Strided],
    end: TransferEnd,
    offset: &dyn Fn(TransferEnd, i64) -> i64,
) -> Result<usize> {
    let number = slots.iter().position(|slot| slot.place == *place).unwrap_or_else(|| {
        slots.push(Slot { place: place.clone(), len: 0 });
        slots.len() - 1
    });
    for copy in copies {
        let spans = placed(copy, offset).spans().ok_or(TransferError::Overflow)?;
        let (least, most) = spans[usize::from(end == TransferEnd::Target)];
        if least < 0 {
            return Err(ExchangeError::Negative { place: place.clone(), offset: least });
        }
        slots[number].len = slots[number].len.max(most as usize + 1);
    }
    Ok(number)
}

/// Returns the copy with its offsets and steps converted by `offset` to offsets and steps in the storages.
fn placed(copy: &Strided, offset: &dyn Fn(TransferEnd, i64) -> i64) -> Strided {
    let both = |source: i64, target: i64| (offset(TransferEnd::Source, source), offset(TransferEnd::Target, target));
    let (source, target) = both(copy.source, copy.target);
    let turn = |turn: &Loop| {
        let (source, target) = both(turn.source, turn.target);
        Loop { count: turn.count, source, target }
    };
    Strided { source, target, count: copy.count, loops: copy.loops.iter().map(turn).collect() }
}

/// Fails unless there is one storage for each slot and its length, in elements, is at least the length of the slot.
fn fits(storages: &[usize], slots: &[Slot]) -> Result<()> {
    if storages.len() != slots.len() {
        return Err(ExchangeError::Storages { given: storages.len(), needed: slots.len() });
    }
    match storages.iter().zip(slots).find(|(len, slot)| **len < slot.len) {
        Some((len, slot)) => Err(ExchangeError::Short { place: slot.place.clone(), len: *len, needed: slot.len }),
        None => Ok(()),
    }
}

/// Returns this rank's result if it is an error or all ranks succeeded, and otherwise `ExchangeError::Elsewhere`.
pub(crate) fn together<T>(comm: &impl CommunicatorCollectives, result: Result<T>) -> Result<T> {
    let mut failed = 0_u8;
    comm.all_reduce_into(&u8::from(result.is_err()), &mut failed, SystemOperation::max());
    result.and_then(|value| if failed == 0 { Ok(value) } else { Err(ExchangeError::Elsewhere) })
}
