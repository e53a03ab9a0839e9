//! What kernels ask of vectors.
//!
//! All functions are inlined where the instructions are enabled: `#[inline(always)]` down to a function with `#[target_feature]`.

/// Bytes that a cache moves together.
pub(crate) const LINE: usize = 64;

/// Bytes of a page: what is as far apart is in the same set of the nearest cache.
pub(crate) const PAGE: usize = 1 << 12;

/// Bytes in a register.
///
/// # Safety
///
/// Every function of it and of the traits below needs its instructions. Pointers of `load`, `store` and `stream` are good for `BYTES` bytes, that of
/// `stream` is aligned to as many, and a fence comes before anyone else reads.
pub(crate) trait Vector: Copy {
    const BYTES: usize;
    unsafe fn load(from: *const u8) -> Self;
    unsafe fn store(self, to: *mut u8);
    unsafe fn stream(self, to: *mut u8);

    /// Asks for the line that the byte is in, to be written. Any address will do.
    unsafe fn own(at: *const u8);

    /// Asks for the line that the byte is in, to be read later: into the second cache. Any address will do.
    unsafe fn fetch(at: *const u8);

    /// The element of `width` bytes, 1, 2, 4, 8 or 16, again and again.
    unsafe fn splat(from: *const u8, width: usize) -> Self;

    #[inline(always)]
    unsafe fn write(self, to: *mut u8, stream: bool) {
        // SAFETY: promised by the caller.
        unsafe { if stream { self.stream(to) } else { self.store(to) } }
    }
}

/// Vectors of 16-byte lanes.
pub(crate) trait Lanes: Vector {
    /// `BYTES / 16`, at most 4.
    const LANES: usize;

    /// In each lane: elements of `E` bytes by turns from `self` and `other`, of their lower halves and of their upper halves.
    unsafe fn zip<const E: usize>(self, other: Self) -> (Self, Self);

    /// The lanes from the last to the first, each with its bytes in the order of the same lane of `order`.
    unsafe fn backwards(self, order: Self) -> Self;

    /// Lane `j` of vector `i` becomes lane `i` of vector `j`, of the first `LANES` vectors.
    unsafe fn transpose(vectors: &mut [Self; 4]);
}

/// Vectors whose bytes go anywhere in a lane: all of a vector, or each half of it by itself.
pub(crate) trait Permute: Vector {
    /// Bytes of a lane, 16 or 64.
    const LANE: usize;

    type Index: Copy;

    /// Where each byte of a lane comes from: its number in the lanes of up to three vectors, one behind the other.
    unsafe fn index(bytes: &[u8; 64]) -> Self::Index;
    unsafe fn one(a: Self, index: Self::Index) -> Self;
    unsafe fn two(a: Self, b: Self, index: Self::Index) -> Self;
    unsafe fn three(a: Self, b: Self, c: Self, index: Self::Index) -> Self;

    /// Lanes that are one behind the other in `K` vectors, so that the first `K` of them are the first lanes.
    unsafe fn deal<const K: usize>(v: [Self; K]) -> [Self; K];

    /// The way back.
    unsafe fn collect<const K: usize>(v: [Self; K]) -> [Self; K];
}

/// The vectors of a level.
pub(crate) trait Set {
    /// The widest.
    type Wide: Lanes;
    /// 32 bytes.
    type Half: Lanes;
    /// Those whose bytes one or two instructions permute.
    type Bytes: Permute;
    /// 16 bytes.
    type Short: Lanes;
}
