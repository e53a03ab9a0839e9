//! The operations on vectors that kernels need.
//!
//! All functions are inlined where their instructions are enabled: `#[inline(always)]` down to a function with
//! `#[target_feature]`.

/// Number of bytes that a cache moves together: a cache line.
pub(crate) const LINE: usize = 64;

/// Number of bytes of a page. Lines that are a page apart fall into the same set of the nearest cache.
pub(crate) const PAGE: usize = 1 << 12;

/// A vector: the bytes of a register, or of two.
///
/// # Safety
///
/// The functions of this trait and of the traits below need a processor with their instructions. Pointers of `load`,
/// `store` and `stream` are valid for `BYTES` bytes. The pointer of `stream` is aligned to `BYTES`, and a fence comes
/// before anyone else reads.
pub(crate) trait Vector: Copy {
    const BYTES: usize;
    unsafe fn load(from: *const u8) -> Self;
    unsafe fn store(self, to: *mut u8);

    /// Stores past the caches, if the instruction set has such stores ([`InstructionSet::streams`](super::InstructionSet)).
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: promised by the caller.
        unsafe { self.store(to) }
    }

    /// Prefetches the cache line of a byte for writing, if the instruction set has such hints. Any address is allowed.
    #[inline(always)]
    unsafe fn own(_: *const u8) {}

    /// Prefetches the cache line of a byte into the second-level cache, for a later read, if the instruction set has such
    /// hints. Any address is allowed.
    #[inline(always)]
    unsafe fn fetch(_: *const u8) {}

    /// Repeats the element of `width` bytes (1, 2, 4, 8 or 16) over the vector.
    unsafe fn splat(from: *const u8, width: usize) -> Self;

    #[inline(always)]
    unsafe fn write(self, to: *mut u8, stream: bool) {
        // SAFETY: promised by the caller.
        unsafe { if stream { self.stream(to) } else { self.store(to) } }
    }
}

/// A vector of 16-byte lanes.
pub(crate) trait Lanes: Vector {
    /// `BYTES / 16`, at most 4.
    const LANES: usize;

    /// Interleaves the elements of `E` bytes of `self` and `other` within each lane. Returns the lower halves
    /// interleaved, and the upper halves interleaved.
    unsafe fn zip<const E: usize>(self, other: Self) -> (Self, Self);

    /// Reverses the order of the lanes. Within each lane, bytes get the order in the same lane of `order`.
    unsafe fn backwards(self, order: Self) -> Self;

    /// Transposes the first `LANES` vectors: lane `j` of vector `i` becomes lane `i` of vector `j`.
    unsafe fn transpose(vectors: &mut [Self; 4]);
}

/// A vector whose bytes can go anywhere within a lane: the whole vector, or each half of it.
pub(crate) trait Permute: Vector {
    /// Number of bytes of a lane, 16 or 64.
    const LANE: usize;

    type Index: Copy;

    /// Makes the index of a permutation: byte `b` of a result lane is byte `bytes[b]` of the lanes of up to three
    /// vectors in sequence.
    unsafe fn index(bytes: &[u8; 64]) -> Self::Index;
    unsafe fn one(a: Self, index: Self::Index) -> Self;
    unsafe fn two(a: Self, b: Self, index: Self::Index) -> Self;
    unsafe fn three(a: Self, b: Self, c: Self, index: Self::Index) -> Self;

    /// Distributes the lanes of `K` vectors, counted in sequence: lane `l` of result `k` is lane `k + l K` of the sequence.
    unsafe fn deal<const K: usize>(v: [Self; K]) -> [Self; K];

    /// Inverts [`Permute::deal`]: the lanes of the results, counted in sequence, are the first lanes, then the second, and so on.
    unsafe fn collect<const K: usize>(v: [Self; K]) -> [Self; K];
}

/// The vector types of an instruction set.
pub(crate) trait Set {
    /// The widest vector.
    type Wide: Lanes;
    /// A vector of 32 bytes.
    type Half: Lanes;
    /// A vector whose bytes can be permuted by one or two instructions.
    type Bytes: Permute;
    /// A vector of 16 bytes.
    type Short: Lanes;
}
