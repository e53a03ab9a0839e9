//! The thread and value layouts of matrix instructions.
//!
//! An instruction computes `D = A B + C` for `A` of `M x K`, `B` of `K x N` and `C` of `M x N` elements, which the threads of a warp hold
//! in registers. Mode 0 of each layout is the thread, and mode 1 numbers its values. The index is the element: `m + M k` in `A`, `n + N k`
//! in `B`, `m + M n` in `C`. They are ordinary layouts: a composition applies an instruction to a tile; a product repeats it.
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
    /// The layouts of `A`, `B` and `C`, in the notation; `None` for an operand that is in memory instead of registers.
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

/// Returns the text of an element of an operand, or the text of its index.
macro_rules! element_text {
    (at a $first:literal $second:literal) => {
        concat!("m = ", $first, ", k = ", $second)
    };
    (at b $first:literal $second:literal) => {
        concat!("n = ", $first, ", k = ", $second)
    };
    (at c $first:literal $second:literal) => {
        concat!("m = ", $first, ", n = ", $second)
    };
    (index b $m:literal $n:literal $first:literal $second:literal) => {
        concat!($first, " + ", $n, " * ", $second)
    };
    (index $other:ident $m:literal $n:literal $first:literal $second:literal) => {
        concat!($first, " + ", $m, " * ", $second)
    };
}

/// Declares a layout type from the notation of a layout. The example says which element a thread holds as one of its values.
macro_rules! named_layout {
    (
        $ty:ident $layout:literal $what:expr,
        $part:ident $m:literal $n:literal ($thread:literal, $value:literal) => ($first:literal, $second:literal)
    ) => {
        #[doc = concat!("`", $layout, "`: ", $what)]
        ///
        /// ```
        #[doc = concat!("use layout_core::{Layout, atoms::", stringify!($ty), "};")]
        #[doc = concat!("// Value ", $value, " of thread ", $thread, " is the element of ", element_text!(at $part $first $second), ".")]
        #[doc = concat!("let index = ", stringify!($ty), ".crd2idx((", $thread, ", ", $value, "));")]
        #[doc = concat!("assert_eq!(index, ", element_text!(index $part $m $n $first $second), ");")]
        /// ```
        #[derive(Clone, Copy, Default)]
        pub struct $ty;

        impl crate::layouts::NamedLayout for $ty {
            const PATTERN: &'static crate::layouts::Pattern = &crate::layouts::Pattern::notation($layout);
        }
    };
}

/// Declares the instructions of one warp: extents, and for each operand in registers its layout with an example of the layout.
macro_rules! atoms {
    ($($name:literal $instruction:literal, $source:ident, $m:literal $n:literal $k:literal {
        $($part:ident $ty:ident $layout:literal ($thread:literal, $value:literal) => ($first:literal, $second:literal);)*
    })*) => {
        /// The instructions of one warp.
        const OF_WARPS: &[Atom] = &[$(Atom {
            name: $name,
            instruction: $instruction,
            source: $source,
            shape: [$m, $n, $k],
            layouts: {
                let mut layouts = [None; 3];
                $(layouts[operand(stringify!($part))] = Some($layout);)*
                layouts
            },
        }),*];

        $($(named_layout! {
            $ty $layout concat!("operand ", stringify!($part), " of ", $instruction, "."),
            $part $m $n ($thread, $value) => ($first, $second)
        })*)*
    };
}

/// Returns the number of an operand: 0 for `a`, 1 for `b`, 2 for `c`.
const fn operand(part: &str) -> usize {
    (part.as_bytes()[0] - b'a') as usize
}

const PTX: &str = "PTX ISA, Matrix Fragments for mma and wgmma";
const CDNA: &str = "AMD Instinct MI300 (CDNA3) Instruction Set Architecture, Matrix Arithmetic Instructions";
const SDM: &str = "Intel 64 and IA-32 Architectures Software Developer's Manual, AMX instructions";

atoms! {
    "m8n8k4.f64" "mma.sync.m8n8k4.f64", PTX, 8 8 4 {
        a M8N8K4F64A "((4,8),1):((8,1),0)" (21, 0) => (5, 1);
        b M8N8K4F64B "((4,8),1):((8,1),0)" (21, 0) => (5, 1);
        c M8N8K4F64C "((4,8),2):((16,1),8)" (21, 1) => (5, 3);
    }
    "m16n8k4.tf32" "mma.sync.m16n8k4.tf32", PTX, 16 8 4 {
        a M16N8K4TF32A "((4,8),2):((16,1),8)" (21, 1) => (13, 1);
        b M16N8K4TF32B "((4,8),1):((8,1),0)" (21, 0) => (5, 1);
        c M16N8K4TF32C "((4,8),(2,2)):((32,1),(16,8))" (21, 3) => (13, 3);
    }
    "m16n8k8.tf32" "mma.sync.m16n8k8.tf32", PTX, 16 8 8 {
        a M16N8K8TF32A "((4,8),(2,2)):((16,1),(8,64))" (21, 3) => (13, 5);
        b M16N8K8TF32B "((4,8),2):((8,1),32)" (21, 1) => (5, 5);
        c M16N8K8TF32C "((4,8),(2,2)):((32,1),(16,8))" (21, 3) => (13, 3);
    }
    "m16n8k8.f16" "mma.sync.m16n8k8.f16 and .bf16", PTX, 16 8 8 {
        a M16N8K8F16A "((4,8),(2,2)):((32,1),(16,8))" (21, 3) => (13, 3);
        b M16N8K8F16B "((4,8),2):((16,1),8)" (21, 1) => (5, 3);
        c M16N8K8F16C "((4,8),(2,2)):((32,1),(16,8))" (21, 3) => (13, 3);
    }
    "m16n8k16.f16" "mma.sync.m16n8k16.f16 and .bf16", PTX, 16 8 16 {
        a M16N8K16F16A "((4,8),(2,2,2)):((32,1),(16,8,128))" (21, 7) => (13, 11);
        b M16N8K16F16B "((4,8),(2,2)):((16,1),(8,64))" (21, 3) => (5, 11);
        c M16N8K16F16C "((4,8),(2,2)):((32,1),(16,8))" (21, 3) => (13, 3);
    }
    "m16n8k16.s8" "mma.sync.m16n8k16.s8 and .u8", PTX, 16 8 16 {
        a M16N8K16S8A "((4,8),(4,2)):((64,1),(16,8))" (21, 7) => (13, 7);
        b M16N8K16S8B "((4,8),4):((32,1),8)" (21, 3) => (5, 7);
        c M16N8K16S8C "((4,8),(2,2)):((32,1),(16,8))" (21, 3) => (13, 3);
    }
    "m16n8k32.s8" "mma.sync.m16n8k32.s8, .u8, .e4m3 and .e5m2", PTX, 16 8 32 {
        a M16N8K32S8A "((4,8),(4,2,2)):((64,1),(16,8,256))" (21, 6) => (13, 6);
        b M16N8K32S8B "((4,8),(4,2)):((32,1),(8,128))" (21, 7) => (5, 23);
        c M16N8K32S8C "((4,8),(2,2)):((32,1),(16,8))" (21, 3) => (13, 3);
    }
    "ldmatrix.x1" "ldmatrix.m8n8.x1.b16: what each thread receives of 8 rows of 8 columns", PTX, 8 8 8 {
        a LdMatrixX1 "((4,8),2):((16,1),8)" (21, 1) => (5, 3);
    }
    "ldmatrix.x4" "ldmatrix.m8n8.x4.b16: four matrices, two below each other and two beside", PTX, 16 8 16 {
        a LdMatrixX4 "((4,8),(2,2,2)):((32,1),(16,8,128))" (21, 7) => (13, 11);
    }
    "ldmatrix.x1.trans" "ldmatrix.m8n8.x1.trans.b16: what each thread receives of 8 rows of 8 columns", PTX, 8 8 8 {
        a LdMatrixX1Trans "((4,8),2):((2,8),1)" (21, 1) => (3, 5);
    }
    "mfma.16x16x4.f32" "v_mfma_f32_16x16x4_f32", CDNA, 16 16 4 {
        a Mfma16X16X4F32A "((16,4),1):((1,16),0)" (21, 0) => (5, 1);
        b Mfma16X16X4F32B "((16,4),1):((1,16),0)" (21, 0) => (5, 1);
        c Mfma16X16X4F32C "((16,4),4):((16,4),1)" (21, 3) => (7, 5);
    }
    "mfma.16x16x16.f16" "v_mfma_f32_16x16x16_f16 and _bf16", CDNA, 16 16 16 {
        a Mfma16X16X16F16A "((16,4),4):((1,64),16)" (21, 3) => (5, 7);
        b Mfma16X16X16F16B "((16,4),4):((1,64),16)" (21, 3) => (5, 7);
        c Mfma16X16X16F16C "((16,4),4):((16,4),1)" (21, 3) => (7, 5);
    }
    "mfma.32x32x8.f16" "v_mfma_f32_32x32x8_f16 and _bf16", CDNA, 32 32 8 {
        a Mfma32X32X8F16A "((32,2),4):((1,128),32)" (21, 3) => (21, 3);
        b Mfma32X32X8F16B "((32,2),4):((1,128),32)" (21, 3) => (21, 3);
        c Mfma32X32X8F16C "((32,2),(4,4)):((32,4),(1,8))" (21, 6) => (10, 21);
    }
    "tdpbf16ps" "TDPBF16PS: rows of the tiles as threads; B in pairs of its K (VNNI)", SDM, 16 16 32 {
        a TileBf16A "(16,32):(1,16)" (5, 6) => (5, 6);
        b TileBf16B "(16,(2,16)):(32,(16,1))" (5, 6) => (3, 10);
        c TileBf16C "(16,16):(1,16)" (5, 6) => (5, 6);
    }
    "tdpbssd" "TDPBSSD: rows of the tiles as threads; B in fours of its K (VNNI)", SDM, 16 16 64 {
        a TileS8A "(16,64):(1,16)" (5, 6) => (5, 6);
        b TileS8B "(16,(4,16)):(64,(16,1))" (5, 6) => (1, 22);
        c TileS8C "(16,16):(1,16)" (5, 6) => (5, 6);
    }
}

/// The `wgmma` instructions of one type, one for each `N`; the arguments list pairs of `N` and `N / 8`. Each of the four warps has
/// 16 rows. `A` is in registers or in shared memory, `B` is in shared memory, and the layout of `C` depends on `N` alone.
macro_rules! wgmma {
    ($of:literal, $types:literal, $k:literal, $a:literal: $($n:literal $eighth:literal)*) => {
        &[$(Atom {
            name: concat!("m64n", $n, "k", $k, ".", $of),
            instruction: concat!("wgmma.mma_async.m64n", $n, "k", $k, " of ", $types, ", A in registers, B in shared memory"),
            source: PTX,
            shape: [64, $n, $k],
            layouts: [Some($a), None, Some(concat!("((4,8,4),(2,2,", $eighth, ")):((128,1,16),(64,8,512))"))],
        }),*]
    };
}

macro_rules! in_eights {
    ($of:literal, $types:literal, $k:literal, $a:literal) => { wgmma! { $of, $types, $k, $a:
        8 1 16 2 24 3 32 4 40 5 48 6 56 7 64 8 72 9 80 10 88 11 96 12 104 13 112 14 120 15 128 16 136 17 144 18 152 19 160 20 168 21 176 22
        184 23 192 24 200 25 208 26 216 27 224 28 232 29 240 30 248 31 256 32
    } };
}

macro_rules! in_sixteens {
    ($of:literal, $types:literal, $k:literal, $a:literal) => {
        wgmma! { $of, $types, $k, $a:
            8 1 16 2 24 3 32 4 48 6 64 8 80 10 96 12 112 14 128 16 144 18 160 20 176 22 192 24 208 26 224 28 240 30 256 32
        }
    };
}

const KINDS: [&[Atom]; 6] = [
    OF_WARPS,
    in_eights!("f16", ".f16 and .bf16", 16, "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"),
    in_eights!("tf32", ".tf32", 8, "((4,8,4),(2,2)):((64,1,16),(8,256))"),
    in_eights!("e4m3", ".e4m3 and .e5m2", 32, "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))"),
    in_sixteens!("s8", ".s8 and .u8", 32, "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))"),
    in_sixteens!("b1", ".b1", 256, "((4,8,4),(32,2,2)):((2048,1,16),(64,8,8192))"),
];

/// Every instruction.
///
/// ```
/// use layout_core::atoms::ATOMS;
/// // The instructions of bf16 and f16 whose tile of C has 16 rows.
/// let names: Vec<&str> = ATOMS.iter().filter(|atom| atom.shape[0] == 16 && atom.name.ends_with(".f16")).map(|atom| atom.name).collect();
/// assert_eq!(names, ["m16n8k8.f16", "m16n8k16.f16", "mfma.16x16x16.f16"]);
/// ```
pub const ATOMS: &[Atom] = &ALL;

const COUNT: usize = {
    let mut count = 0;
    each!(kind, 0..KINDS.len(), {
        count += KINDS[kind].len();
    });
    count
};

static ALL: [Atom; COUNT] = {
    let (mut all, mut next) = ([OF_WARPS[0]; COUNT], 0);
    each!(kind, 0..KINDS.len(), {
        each!(k, 0..KINDS[kind].len(), {
            all[next] = KINDS[kind][k];
            next += 1;
        });
    });
    all
};

named_layout! {
    M64K16F16A "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))" "operand a of wgmma of .f16 and .bf16, in registers, whatever its `N`.",
    a 64 8 (37, 6) => (25, 10)
}
named_layout! {
    M64K8TF32A "((4,8,4),(2,2)):((64,1,16),(8,256))" "operand a of wgmma of .tf32, in registers, whatever its `N`.",
    a 64 8 (37, 3) => (25, 5)
}
named_layout! {
    M64K32S8A "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))" "operand a of wgmma of types of 8 bits, in registers, whatever its `N`.",
    a 64 8 (37, 6) => (25, 6)
}
named_layout! {
    M64K256B1A "((4,8,4),(32,2,2)):((2048,1,16),(64,8,8192))" "operand a of wgmma of .b1, in registers, whatever its `N`.",
    a 64 8 (37, 35) => (25, 35)
}

/// `((4,8,4),(2,2,N/8)):((128,1,16),(64,8,512))`: operand c of wgmma of any type, with `N` columns: 8 to 256 in steps of 8.
///
/// ```
/// use layout_core::{Layout, atoms};
/// // Value 6 of thread 37, in a group of four warps, is the element in row 16 + 1 + 8, column 2 + 8.
/// assert_eq!(atoms::M64C::<24>.crd2idx((37, 6)), 25 + 64 * 10);
/// ```
///
/// ```compile_fail
/// use layout_core::{Layout, atoms};
/// atoms::M64C::<20>.crd2idx((0, 0));
/// ```
#[derive(Clone, Copy, Default)]
pub struct M64C<const N: usize>;

impl<const N: usize> crate::layouts::NamedLayout for M64C<N> {
    const PATTERN: &'static crate::layouts::Pattern = &{
        assert!(N >= 8 && N <= 256 && N.is_multiple_of(8), "wgmma has 8 to 256 columns, in steps of 8");
        let mut text = layout_algebra::error::Text::<64>::EMPTY;
        text.push_str("((4,8,4),(2,2,");
        text.push_int((N / 8) as i64);
        text.push_str(")):((128,1,16),(64,8,512))");
        crate::layouts::Pattern::notation(text.as_str())
    };
}
