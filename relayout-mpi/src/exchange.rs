//! What one rank does of a plan.

use crate::chunk::{Chunk, Way, chunks};
use crate::error::{ExchangeError, Result};
use crate::walk::{Turn, Walk};
use mpi::collective::SystemOperation;
use mpi::datatype::{Equivalence, MutView, UserDatatype, View};
use mpi::request;
use mpi::topology::Rank;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use relayout::{BlockCyclic, Blocks, Copy as Strided, End, Place, Plan, Planner};

/// Memory of a place of this rank that an exchange reads or writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The place.
    pub place: Place,
    /// The least number of elements it has.
    pub len: usize,
}

/// What one rank sends, receives and copies: made once, run often, for elements `T`.
///
/// Making one is no communication; all ranks make theirs of the same plan, and run it together. Elements whose contiguous runs are long travel as they
/// are, by a derived datatype where they are strided; others are packed in pieces that stay in the cache.
///
/// ```no_run
/// use mpi::traits::Communicator;
/// use relayout::{Blocks, Plan, Side};
/// use relayout_mpi::Exchange;
///
/// let universe = mpi::initialize().expect("MPI is not yet initialised");
/// let world = universe.world();
/// // Two ranks: blocks of four become elements dealt out one by one.
/// let plan = Plan::new(&Side::parse("(4,2):(1@0,1@1)")?, &Side::parse("(2,4):(1@1,1@0)")?)?;
/// let mut exchange = Exchange::<f64>::new(&world, &plan)?;
/// let (source, mut target) = ([f64::from(world.rank()); 4], [0.0; 4]);
/// exchange.run(&world, &[&source], &mut [&mut target])?;
/// assert_eq!(target, [0.0, 0.0, 1.0, 1.0]);
///
/// // The halos of a block of 512 by 512.
/// let blocks = Blocks { below: vec![1, 1], above: vec![1, 1], faces: true, ..Blocks::new(&[1024, 512], &[2, 1]) };
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
    local: Vec<(Chunk, Chunk)>,
    send: Vec<Vec<Chunk>>,
    receive: Vec<Vec<Chunk>>,
    buffers: [Vec<T>; 3],
}

/// How places and offsets of a plan are ranks and offsets of storages.
struct Ends<'a> {
    rank: &'a dyn Fn(End, &Place) -> i64,
    offset: &'a dyn Fn(End, i64) -> i64,
    in_place: bool,
}

impl<T: Equivalence + Copy + Default> Exchange<T> {
    /// The exchange of a plan whose places are ranks.
    ///
    /// # Errors
    /// [`ExchangeError::Rank`] for a place without a rank, [`ExchangeError::Negative`] for an element before the first of a storage.
    pub fn new(comm: &impl Communicator, plan: &Plan) -> Result<Self> {
        Self::with_ranks(comm, plan, |_, place| place.number().unwrap_or(-1))
    }

    /// The exchange of a plan whose places are on the ranks that `rank` says; a rank may have several places.
    pub fn with_ranks(comm: &impl Communicator, plan: &Plan, rank: impl Fn(End, &Place) -> i64) -> Result<Self> {
        Self::build(comm, plan, &Ends { rank: &rank, offset: &|_, offset| offset, in_place: false })
    }

    /// The exchange that fills the halos of blocks, one for each rank, in place.
    pub fn halo(comm: &impl Communicator, blocks: &Blocks) -> Result<Self> {
        let plan = blocks.halo_of(i64::from(comm.rank()))?;
        let mut exchange = Self::build(
            comm,
            &plan,
            &Ends { rank: &|_, place| place.number().unwrap_or(-1), offset: &|_, offset| offset, in_place: true },
        )?;
        // Whatever its neighbours are, a rank has one storage.
        let place = Place::from(i64::from(comm.rank()));
        let extent = blocks.local_extent(i64::from(comm.rank()));
        let len = extent.map_or(0, |extent| extent.iter().product::<i64>() as usize);
        exchange.targets = vec![Slot { place, len }];
        Ok(exchange)
    }

    /// The exchange of a matrix between two distributions of ScaLAPACK; processes are ranks row by row of their grid.
    ///
    /// `leading` is `LLD` of this rank, of the local matrix of `from` and of that of `to`.
    pub fn block_cyclic(comm: &impl Communicator, from: &BlockCyclic, to: &BlockCyclic, leading: [i64; 2]) -> Result<Self> {
        let plan = Planner::new().extent(&from.extent).plan(&from.side()?, &to.side()?)?;
        let rank = |end: End, place: &Place| {
            let matrix = if end == End::Source { from } else { to };
            let [row, column] = matrix.process(place);
            row * matrix.grid[1] + column
        };
        let offset = |end: End, offset: i64| BlockCyclic::offset(offset, leading[usize::from(end == End::Target)]);
        Self::build(comm, &plan, &Ends { rank: &rank, offset: &offset, in_place: false })
    }

    fn build(comm: &impl Communicator, plan: &Plan, ends: &Ends) -> Result<Self> {
        let (me, ranks) = (comm.rank(), comm.size());
        let rank = |end: End, place: &Place| match (ends.rank)(end, place) {
            rank if (0..i64::from(ranks)).contains(&rank) => Ok(rank as Rank),
            rank => Err(ExchangeError::Rank { place: place.clone(), rank, ranks }),
        };
        let mut slots = [vec![], vec![]];
        let mut local: Vec<(usize, usize, &Strided)> = vec![];
        let mut copies = [(); 2].map(|()| (0..ranks).map(|_| vec![]).collect::<Vec<Vec<(usize, Strided)>>>());
        for message in plan.messages() {
            let (from, to) = (rank(End::Source, &message.from)?, rank(End::Target, &message.to)?);
            let source = (from == me).then(|| slot(&mut slots[usize::from(ends.in_place)], &message.from));
            let target = (to == me).then(|| slot(&mut slots[1], &message.to));
            match (source, target) {
                (Some(source), Some(target)) => local.extend(message.copies.iter().map(|copy| (source, target, copy))),
                (Some(source), None) => copies[0][to as usize].extend(message.copies.iter().map(|copy| (source, copy.clone()))),
                (None, Some(target)) => copies[1][from as usize].extend(message.copies.iter().map(|copy| (target, copy.clone()))),
                (None, None) => {}
            }
        }
        for message in plan.messages() {
            for (end, place) in [(End::Source, &message.from), (End::Target, &message.to)] {
                let list = &mut slots[usize::from(end == End::Target || ends.in_place)];
                let Some(slot) = list.iter_mut().find(|slot| slot.place == *place).filter(|_| rank(end, place) == Ok(me)) else { continue };
                for copy in &message.copies {
                    let (least, most) = reach(copy, end, ends.offset);
                    if least < 0 {
                        return Err(ExchangeError::Negative { place: place.clone(), offset: least });
                    }
                    slot.len = slot.len.max(most as usize + 1);
                }
            }
        }
        let chunked =
            |end: End| move |copies: &Vec<(usize, Strided)>| chunks::<T>(copies, ends.in_place, &|copy| walk(copy, end, ends.offset));
        let pair = |(source, target, copy): (usize, usize, &Strided)| {
            let both = [(source, End::Source), (target, End::Target)].map(|(slot, end)| chunked(end)(&vec![(slot, copy.clone())]));
            let [from, to] = both;
            from.into_iter().zip(to).collect::<Vec<_>>()
        };
        let [sources, targets] = slots;
        Ok(Exchange {
            rank: me,
            sources,
            targets,
            in_place: ends.in_place,
            local: local.into_iter().flat_map(pair).collect(),
            send: copies[0].iter().map(chunked(End::Source)).collect(),
            receive: copies[1].iter().map(chunked(End::Target)).collect(),
            buffers: [vec![], vec![], vec![]],
        })
    }

    /// The places of this rank that are read, in the order in which [`run`](Self::run) takes their storages.
    pub fn sources(&self) -> &[Slot] {
        if self.in_place { &self.targets } else { &self.sources }
    }

    /// The places of this rank that are written, in the order in which [`run`](Self::run) takes their storages.
    pub fn targets(&self) -> &[Slot] {
        &self.targets
    }

    /// Number of elements that this rank receives from each rank: known without a message.
    pub fn receive_counts(&self) -> Vec<usize> {
        self.receive.iter().map(|chunks| chunks.iter().map(|chunk| chunk.elements).sum()).collect()
    }

    /// Number of elements that this rank sends to each rank.
    pub fn send_counts(&self) -> Vec<usize> {
        self.send.iter().map(|chunks| chunks.iter().map(|chunk| chunk.elements).sum()).collect()
    }

    /// Brings the elements of the sources of all ranks to the targets; what no element goes to is untouched.
    ///
    /// # Errors
    /// Too few storages or too short ones, on this rank or on another: then nothing is written anywhere.
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
    /// As [`run`](Self::run); and an exchange that is not one of halos.
    pub fn run_in_place<C: Communicator>(&mut self, comm: &C, data: &mut [&mut [T]]) -> Result<()> {
        let lens: Vec<usize> = data.iter().map(|storage| storage.len()).collect();
        let halos = if self.in_place { Ok(()) } else { Err(ExchangeError::Storages { given: 0, needed: self.sources.len() }) };
        together(comm, halos.and_then(|()| fits(&lens, self.targets())))?;
        self.transfer(comm, None, data);
        Ok(())
    }

    /// The exchange with storages that fit; in place where there is no source.
    pub(crate) fn transfer<C: Communicator>(&mut self, comm: &C, source: Option<&[&[T]]>, target: &mut [&mut [T]]) {
        let buffers = &mut self.buffers;
        let packed = [&self.send, &self.receive].into_iter().flatten().flatten().filter(|chunk| matches!(chunk.way, Way::Packed));
        let most = packed.chain(self.local.iter().map(|(from, _)| from)).map(|chunk| chunk.elements).max().unwrap_or(0);
        buffers.iter_mut().for_each(|buffer| buffer.resize(most, T::default()));
        let [outgoing, incoming, last] = buffers;
        for (from, to) in &self.local {
            from.pack(|slot| source.map_or_else(|| &*target[slot], |source| source[slot]), outgoing);
            to.unpack(outgoing, target);
        }
        let ranks = self.send.len() as Rank;
        let mut waiting: Option<&Chunk> = None;
        for round in 1..ranks {
            let (to, from) = ((self.rank + round) % ranks, (self.rank + ranks - round) % ranks);
            let (sends, receives) = (&self.send[to as usize], &self.receive[from as usize]);
            let (to, from) = (comm.process_at_rank(to), comm.process_at_rank(from));
            for k in 0..sends.len().max(receives.len()) {
                let (send, receive) = (sends.get(k), receives.get(k));
                let way_out = match send {
                    None => Outgoing::Nothing,
                    Some(Chunk { way: Way::Direct(datatype), walks, .. }) => {
                        let storage = source.map_or(&[][..], |source| source[walks[0].0]);
                        // SAFETY: the datatype covers offsets `start` to `end` of a storage that has been found to be long enough.
                        Outgoing::Direct(unsafe { View::with_count_and_datatype(storage, 1, datatype) })
                    }
                    Some(chunk) => {
                        chunk.pack(|slot| source.map_or_else(|| &*target[slot], |source| source[slot]), outgoing);
                        Outgoing::Packed(&outgoing[..chunk.elements])
                    }
                };
                match receive {
                    Some(Chunk { way: Way::Direct(datatype), walks, .. }) => {
                        if let Some(chunk) = waiting.take() {
                            chunk.unpack(last, target);
                        }
                        // SAFETY: as above; targets are written once, so elements of the datatype do not overlap.
                        let mut view = unsafe { MutView::with_count_and_datatype(&mut *target[walks[0].0], 1, datatype) };
                        request::scope(|scope| {
                            let receiving = from.immediate_receive_into(scope, &mut view);
                            way_out.send(&to, || ());
                            receiving.wait();
                        });
                    }
                    Some(chunk) => {
                        request::scope(|scope| {
                            let receiving = from.immediate_receive_into(scope, &mut incoming[..chunk.elements]);
                            way_out.send(&to, || {
                                if let Some(chunk) = waiting.take() {
                                    chunk.unpack(last, target)
                                }
                            });
                            receiving.wait();
                        });
                        core::mem::swap(incoming, last);
                        waiting = Some(chunk);
                    }
                    None => way_out.send(&to, || {
                        if let Some(chunk) = waiting.take() {
                            chunk.unpack(last, target)
                        }
                    }),
                }
            }
        }
        if let Some(chunk) = waiting {
            chunk.unpack(last, target);
        }
    }
}

/// What leaves at once.
enum Outgoing<'a, T: Equivalence> {
    Nothing,
    Packed(&'a [T]),
    Direct(View<'a, 'a, UserDatatype, [T]>),
}

impl<T: Equivalence> Outgoing<'_, T> {
    /// Sends it, and does other work on the way.
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

/// The number of a place in a list, to which it is added where it is new.
fn slot(slots: &mut Vec<Slot>, place: &Place) -> usize {
    slots.iter().position(|slot| slot.place == *place).unwrap_or_else(|| {
        slots.push(Slot { place: place.clone(), len: 0 });
        slots.len() - 1
    })
}

/// One side of a copy: its first offset, and the step of each loop.
fn side(copy: &Strided, end: End) -> (i64, impl Iterator<Item = (i64, i64)> + '_) {
    let step = move |turn: &relayout::Loop| if end == End::Source { turn.source } else { turn.target };
    let first = if end == End::Source { copy.source } else { copy.target };
    (first, [(copy.count, 1)].into_iter().chain(copy.loops.iter().map(move |turn| (turn.count, step(turn)))))
}

/// The least and the greatest offset of a copy.
fn reach(copy: &Strided, end: End, offset: &dyn Fn(End, i64) -> i64) -> (i64, i64) {
    let (first, turns) = side(copy, end);
    let first = offset(end, first);
    turns.fold((first, first), |(least, most), (count, step)| {
        let by = (count - 1) * offset(end, step);
        (least + by.min(0), most + by.max(0))
    })
}

fn walk(copy: &Strided, end: End, offset: &dyn Fn(End, i64) -> i64) -> Walk {
    let (first, turns) = side(copy, end);
    Walk::new(offset(end, first) as usize, turns.map(|(count, step)| Turn { count: count as usize, step: offset(end, step) as isize }))
}

/// Refuses storages that are not those of the slots.
fn fits(storages: &[usize], slots: &[Slot]) -> Result<()> {
    if storages.len() != slots.len() {
        return Err(ExchangeError::Storages { given: storages.len(), needed: slots.len() });
    }
    match storages.iter().zip(slots).find(|(len, slot)| **len < slot.len) {
        Some((len, slot)) => Err(ExchangeError::Short { place: slot.place.clone(), len: *len, needed: slot.len }),
        None => Ok(()),
    }
}

/// An error on one rank is an error on all of them.
pub(crate) fn together<T>(comm: &impl CommunicatorCollectives, result: Result<T>) -> Result<T> {
    let mut failed = 0_u8;
    comm.all_reduce_into(&u8::from(result.is_err()), &mut failed, SystemOperation::max());
    result.and_then(|value| if failed == 0 { Ok(value) } else { Err(ExchangeError::Elsewhere) })
}
