//! Divides copies into chunks, each of which travels as one MPI message.

use layout_core::tensor::PlainData;
use mpi::Address;
use mpi::Count;
use mpi::datatype::{Equivalence, UncommittedDatatypeRef, UncommittedUserDatatype, UserDatatype};
use relayout::{Copy as Strided, Loop, Transfer, TransferError};

/// The maximum bytes of a packed message. Buffers of this size stay in a core's cache from packing to unpacking.
const PACKED_BYTES: usize = 128 << 10;

/// The minimum bytes of a contiguous run that travels without packing.
const DIRECT_BYTES: usize = 64 << 10;

/// The maximum number of elements of a message, because MPI counts in `int`.
const MOST_COUNTED: i64 = 1 << 30;

/// The minimum bytes received from one rank that are written past the caches, because no cache would keep them.
const LARGE_BYTES: usize = 4 << 20;

/// The elements that one rank sends to another in one message: their number, and how they leave or reach the storages.
pub struct Chunk<T> {
    pub elements: usize,
    pub way: Way<T>,
}

/// The way in which a chunk leaves or reaches its storages.
pub enum Way<T> {
    /// Through a buffer, by these transfers in turn, each with the number of its storage.
    Packed(Vec<(usize, Transfer<T>)>),
    /// Directly from or to the storage of this number, as the datatype describes.
    Direct(usize, UserDatatype),
}

/// The direction of a chunk: out of this rank's storages, or into them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Out,
    In,
}

/// Divides the copies between two ranks into chunks. Sender and receiver get the same chunks, whatever their offsets are.
///
/// Each copy comes with the number of its storage on this rank. Its source offsets belong to the sending storage, its target
/// offsets to the receiving one. In place, chunks travel through a buffer. Fails if a byte offset does not fit a pointer.
pub fn chunks<T: Equivalence + PlainData>(
    copies: &[(usize, Strided)],
    direction: Direction,
    in_place: bool,
) -> Result<Vec<Chunk<T>>, TransferError> {
    let most = (PACKED_BYTES / size_of::<T>().max(1)).max(1);
    let total: i64 = copies.iter().map(|(_, copy)| copy.elements()).sum();
    // Received data that does not fit a cache is written past it.
    let streaming = if direction == Direction::In && total as usize * size_of::<T>() >= LARGE_BYTES { 0 } else { usize::MAX };
    let mut out: Vec<Chunk<T>> = vec![];
    for (storage, copy) in copies {
        if copy.count as usize * size_of::<T>() >= DIRECT_BYTES && !in_place {
            let direct =
                |part: Strided| Chunk { elements: part.elements() as usize, way: Way::Direct(*storage, datatype::<T>(&part, direction)) };
            out.extend(parts(copy, MOST_COUNTED).into_iter().map(direct));
            continue;
        }
        for part in parts(copy, most as i64) {
            let elements = part.elements() as usize;
            let open = out.last_mut().filter(|chunk| chunk.elements + elements <= most);
            let (at, pieces, filled) = match open {
                Some(Chunk { elements: filled, way: Way::Packed(pieces) }) => (*filled, pieces, filled),
                _ => {
                    out.push(Chunk { elements: 0, way: Way::Packed(vec![]) });
                    match out.last_mut() {
                        Some(Chunk { elements: filled, way: Way::Packed(pieces) }) => (0, pieces, filled),
                        _ => continue,
                    }
                }
            };
            let transfer = Transfer::of_copies([packed(&part, at as i64, direction)])?;
            pieces.push((*storage, transfer.with_streaming(streaming)));
            *filled += elements;
        }
    }
    Ok(out)
}

/// Returns the copy of `part` out to a buffer or in from a buffer, in which its elements are contiguous and begin at `at`.
fn packed(part: &Strided, at: i64, direction: Direction) -> Strided {
    let mut below = part.count;
    let mut loops: Vec<Loop> = vec![];
    for turn in &part.loops {
        loops.push(match direction {
            Direction::Out => Loop { target: below, ..*turn },
            Direction::In => Loop { source: below, ..*turn },
        });
        below *= turn.count;
    }
    let packed = match direction {
        Direction::Out => Strided { target: at, loops, ..part.clone() },
        Direction::In => Strided { source: at, loops, ..part.clone() },
    };
    merged(packed)
}

/// Merges the loops of a copy that continue one another, its contiguous elements included.
pub fn merged(copy: Strided) -> Strided {
    let mut turns: Vec<Loop> = vec![Loop { count: copy.count, source: 1, target: 1 }];
    for turn in copy.loops {
        match turns.last_mut() {
            Some(last) if last.count == 1 => *last = turn,
            Some(last) if (last.count * last.source, last.count * last.target) == (turn.source, turn.target) => last.count *= turn.count,
            _ => turns.push(turn),
        }
    }
    let contiguous = (turns[0].source, turns[0].target) == (1, 1);
    let count = if contiguous { turns.remove(0).count } else { 1 };
    Strided { count, loops: turns, ..copy }
}

/// Returns the MPI type of a copy's elements in its storage, as nested vectors relative to the storage's first element.
fn datatype<T: Equivalence>(part: &Strided, direction: Direction) -> UserDatatype {
    let bytes = |elements: i64| elements as Address * size_of::<T>() as Address;
    let mut nested = UncommittedUserDatatype::contiguous(part.count as Count, &T::equivalent_datatype());
    for turn in &part.loops {
        let step = if direction == Direction::Out { turn.source } else { turn.target };
        nested = UncommittedUserDatatype::heterogeneous_vector(turn.count as Count, 1, bytes(step), &nested.as_ref());
    }
    let nested: UncommittedDatatypeRef = nested.as_ref();
    let first = if direction == Direction::Out { part.source } else { part.target };
    UserDatatype::heterogeneous_indexed(&[1], &[bytes(first)], &nested)
}

/// Splits a copy into parts of at most `most` elements, in the order of its loops.
fn parts(copy: &Strided, most: i64) -> Vec<Strided> {
    if copy.elements() <= most {
        return vec![copy.clone()];
    }
    let cut = |count: i64, size: i64| (0..count).step_by(size as usize).map(move |first| (first, size.min(count - first)));
    let Some((outer, inner)) = copy.loops.split_last() else {
        let part = |(first, count)| Strided { source: copy.source + first, target: copy.target + first, count, loops: vec![] };
        return cut(copy.count, most).map(part).collect();
    };
    let inner = Strided { loops: inner.to_vec(), ..copy.clone() };
    let shifted = |by: i64, part: &Strided| Strided {
        source: part.source + by * outer.source,
        target: part.target + by * outer.target,
        ..part.clone()
    };
    let turns = most / inner.elements();
    if turns == 0 {
        let pieces = parts(&inner, most);
        return (0..outer.count).flat_map(|i| pieces.iter().map(|part| shifted(i, part)).collect::<Vec<_>>()).collect();
    }
    let part = |(first, count)| {
        let mut part = shifted(first, &inner);
        part.loops.push(Loop { count, ..*outer });
        part
    };
    cut(outer.count, turns).map(part).collect()
}
