//! What travels as one message of MPI.

use crate::walk::{Walk, parts};
use mpi::Address;
use mpi::Count;
use mpi::datatype::{Equivalence, UncommittedDatatypeRef, UncommittedUserDatatype, UserDatatype};
use relayout::Copy as Strided;

/// Bytes of a packed message: buffers of this size stay in a core's cache from packing to unpacking.
const PACKED_BYTES: usize = 128 << 10;

/// Contiguous runs from this many bytes on travel without packing.
const DIRECT_BYTES: usize = 64 << 10;

/// Elements of one message: MPI counts in `int`.
const MOST_COUNTED: i64 = 1 << 30;

/// What one rank sends to another at once.
pub struct Chunk {
    /// Elements, each with the storage that has them.
    pub walks: Vec<(usize, Walk)>,
    pub elements: usize,
    pub way: Way,
}

/// How a chunk leaves or reaches its storage.
pub enum Way {
    /// Through a buffer.
    Packed,
    /// As it lies, from the first element of its storage on.
    Direct(UserDatatype),
}

/// The chunks in which copies between two ranks travel: the same on both, whatever the offsets of either are.
///
/// `walk` makes a copy elements of one side; in place nothing travels without a buffer.
pub fn chunks<T: Equivalence>(copies: &[(usize, Strided)], in_place: bool, walk: &dyn Fn(&Strided) -> Walk) -> Vec<Chunk> {
    let most = (PACKED_BYTES / size_of::<T>().max(1)).max(1);
    let mut out: Vec<Chunk> = vec![];
    for (storage, copy) in copies {
        if copy.count as usize * size_of::<T>() >= DIRECT_BYTES && !in_place {
            for part in parts(copy, MOST_COUNTED) {
                let walk = walk(&part);
                out.push(Chunk { elements: walk.elements(), way: Way::Direct(datatype::<T>(&walk)), walks: vec![(*storage, walk)] });
            }
            continue;
        }
        for part in parts(copy, most as i64) {
            let elements = part.elements() as usize;
            let walk = (*storage, walk(&part));
            match out.last_mut() {
                Some(chunk) if matches!(chunk.way, Way::Packed) && chunk.elements + elements <= most => {
                    chunk.walks.push(walk);
                    chunk.elements += elements;
                }
                _ => out.push(Chunk { walks: vec![walk], elements, way: Way::Packed }),
            }
        }
    }
    out
}

/// Nested vectors of elements, from the first of the storage on.
fn datatype<T: Equivalence>(walk: &Walk) -> UserDatatype {
    let element = T::equivalent_datatype();
    let bytes = |elements: isize| elements as Address * size_of::<T>() as Address;
    let mut nested = UncommittedUserDatatype::contiguous(1, &element);
    for turn in walk.turns() {
        if turn.step == 1 {
            nested = UncommittedUserDatatype::contiguous(turn.count as Count, &element);
            continue;
        }
        nested = UncommittedUserDatatype::heterogeneous_vector(turn.count as Count, 1, bytes(turn.step), &nested.as_ref());
    }
    let nested: UncommittedDatatypeRef = nested.as_ref();
    UserDatatype::heterogeneous_indexed(&[1], &[bytes(walk.start() as isize)], &nested)
}

impl Chunk {
    /// Reads the elements into a buffer.
    pub fn pack<'a, T: Copy + 'a>(&self, storage: impl Fn(usize) -> &'a [T], buffer: &mut [T]) {
        let mut rest = &mut buffer[..self.elements];
        for (number, walk) in &self.walks {
            let (now, later) = rest.split_at_mut(walk.elements());
            walk.gather(storage(*number), now);
            rest = later;
        }
    }

    /// Writes the elements of a buffer.
    pub fn unpack<T: Copy>(&self, buffer: &[T], target: &mut [&mut [T]]) {
        let mut rest = &buffer[..self.elements];
        for (number, walk) in &self.walks {
            let (now, later) = rest.split_at(walk.elements());
            walk.scatter(now, target[*number]);
            rest = later;
        }
    }
}
