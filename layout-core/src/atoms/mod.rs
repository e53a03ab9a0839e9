//! The thread and value layouts of matrix instructions.
//!
//! An instruction computes `D = A B + C` for `A` of `M x K`, `B` of `K x N` and `C` of `M x N` elements, which the threads of a warp hold
//! in registers. Mode 0 of each layout is the thread, and mode 1 numbers its values. The index is the element: `m + M k` in `A`, `n + N k`
//! in `B`, `m + M n` in `C`. They are ordinary layouts: a composition applies an instruction to a tile; a product repeats it. A stride of 0
//! in mode 0 means that several threads hold the same element, as RDNA3 requires for `A` and `B`.
//!
//! Tensor memory of NVIDIA has lanes and columns of 32 bits. The loads and stores `tcgen05.ld` and `tcgen05.st` have a `C` alone, whose
//! rows are these lanes, and `K` is 1. `C` of `tcgen05.mma` lies in tensor memory: its mode 0 is the lane, and mode 1 the column.
//!
//! ```
//! use layout_core::{Int, Layout, LayoutAlgebra, atoms, make_layout};
//! // A tile of A, 64 x 32 and row-major in memory, cut for instructions of 16 x 16: which element is value 3 of thread 5?
//! let tile = make_layout((Int::<64>, Int::<32>), (Int::<32>, Int::<1>));
//! let blocks = tile.zipped_divide((Int::<16>, Int::<16>));
//! let fragments = blocks.composition((atoms::M16N8K16F16A, make_layout(Int::<8>, Int::<1>)));
//! // Row 1 + 8, column 2 + 1 of the block in row 2 and column 1.
//! assert_eq!(fragments.crd2idx(((5, 3), 2 + 4)), (2 * 16 + 9) * 32 + 16 + 3);
//! ```

#[macro_use]
mod declare;
mod amd;
mod intel;
mod nvidia;

pub use amd::*;
pub use intel::*;
pub use nvidia::*;

/// A matrix instruction.
///
/// ```
/// use layout_core::{DynLayout, LayoutError, atoms::{ATOMS, Atom}};
/// let mma = Atom::find("m16n8k16.f16").expect("an instruction of this name");
/// assert_eq!((mma.shape, mma.extents(0)), ([16, 8, 16], [16, 16])); // M, N and K; the extents of A
/// let b: DynLayout<16> = mma.layouts[1].expect("B is in registers").parse()?;
/// assert_eq!((b.to_string(), b.size()), ("((4,8),(2,2)):((16,1),(8,64))".to_string(), 8 * 16));
/// assert_eq!(b.crd2idx(&"(5,3)".parse()?)?, 1 + 8 * 11); // value 3 of thread 5: n = 1, k = 11
/// assert!(Atom::find("m16n8k17.f16").is_none());
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Atom {
    /// The name, as the command line takes it.
    pub name: &'static str,
    /// The instruction of the processor, with its variants.
    pub instruction: &'static str,
    /// The manual that publishes its tables.
    pub source: &'static str,
    /// The extents `[M, N, K]`, in elements.
    pub shape: [usize; 3],
    /// The layouts of `A`, `B` and `C`, in the notation; `None` for an operand that is in shared memory or that the instruction
    /// lacks.
    pub layouts: [Option<&'static str>; 3],
}

impl Atom {
    /// Returns the instruction named `name`, or `None` if there is no such instruction.
    pub fn find(name: &str) -> Option<&'static Atom> {
        ATOMS.iter().find(|atom| atom.name == name)
    }

    /// Returns the extents of operand `k`, the one of stride 1 first: `[M, K]` of `A` (0), `[N, K]` of `B` (1), `[M, N]` of `C` (others).
    pub const fn extents(&self, k: usize) -> [usize; 2] {
        let [m, n, depth] = self.shape;
        match k {
            0 => [m, depth],
            1 => [n, depth],
            _ => [m, n],
        }
    }
}

const KINDS: [&[&[Atom]]; 3] = [&nvidia::KINDS, &amd::KINDS, &intel::KINDS];

/// Every instruction.
///
/// ```
/// use layout_core::atoms::ATOMS;
/// // The instructions of one warp for bf16 and f16 whose tile of C has 16 rows and 8 columns.
/// let found = ATOMS.iter().filter(|atom| atom.shape[..2] == [16, 8] && atom.name.ends_with(".f16"));
/// let names: Vec<&str> = found.map(|atom| atom.name).collect();
/// assert_eq!(names, ["m16n8k8.f16", "m16n8k16.f16"]);
/// ```
pub const ATOMS: &[Atom] = &ALL;

const COUNT: usize = {
    let mut count = 0;
    each!(vendor, 0..KINDS.len(), {
        each!(kind, 0..KINDS[vendor].len(), {
            count += KINDS[vendor][kind].len();
        });
    });
    count
};

static ALL: [Atom; COUNT] = {
    let (mut all, mut next) = ([KINDS[0][0][0]; COUNT], 0);
    each!(vendor, 0..KINDS.len(), {
        each!(kind, 0..KINDS[vendor].len(), {
            each!(k, 0..KINDS[vendor][kind].len(), {
                all[next] = KINDS[vendor][kind][k];
                next += 1;
            });
        });
    });
    all
};
