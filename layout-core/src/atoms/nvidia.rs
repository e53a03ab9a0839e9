//! Instructions of NVIDIA.

use super::Atom;
use super::declare::operand;

const PTX: &str = "PTX ISA, Matrix Fragments for mma and wgmma";
const MOVES: &str = "PTX ISA, Matrix Fragments for tcgen05.ld and tcgen05.st";
const PATHS: &str = "PTX ISA, Data Path Layout Organization of tcgen05.mma: layouts D, E and F";

atoms! { OF_WARPS:
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

/// The `tcgen05.mma` instructions of one block and one type, one for each `N`; the arguments list pairs of `N` and `N / 8`. `A` is
/// in shared memory or tensor memory, `B` is in shared memory, and `C` is in tensor memory, with 32 bits for each element.
macro_rules! tcgen05_mma {
    ($of:literal, $kind:literal, $k:literal, $m:literal, $lanes:literal $strides:literal, $which:literal:
        $($n:literal $eighth:literal)*
    ) => {
        &[$(Atom {
            name: concat!("tcgen05.mma.m", $m, "n", $n, "k", $k, ".", $of),
            instruction: concat!("tcgen05.mma.cta_group::1.kind::", $kind, " of M = ", $m, ", N = ", $n, ", C in ", $which),
            source: PATHS,
            shape: [$m, $n, $k],
            layouts: [None, None, Some(concat!("(", $lanes, ",", $n, "):(", $strides, ")"))],
        }),*]
    };
}

/// The `tcgen05.mma.ws` instructions of `M = 64`. The arguments list `N`, `N / 2` and `32 N`.
macro_rules! tcgen05_mma_ws {
    ($($of:literal $kind:literal $k:literal: $($n:literal $half:literal $stride:literal)*;)*) => {
        &[$($(Atom {
            name: concat!("tcgen05.mma.ws.m64n", $n, "k", $k, ".", $of),
            instruction: concat!("tcgen05.mma.ws.cta_group::1.kind::", $kind, " of M = 64, N = ", $n, ", C in all lanes, half the columns"),
            source: PATHS,
            shape: [64, $n, $k],
            layouts: [None, None, Some(concat!("((64,2),", $half, "):((1,", $stride, "),64)"))],
        }),*),*]
    };
}

/// Expands a macro with its arguments and all `N` from 8 to 256 in steps of 8, each with `N / 8`.
macro_rules! in_eights {
    ($list:ident: $($argument:tt)*) => { $list! { $($argument)*:
        8 1 16 2 24 3 32 4 40 5 48 6 56 7 64 8 72 9 80 10 88 11 96 12 104 13 112 14 120 15 128 16 136 17 144 18 152 19 160 20 168 21 176 22
        184 23 192 24 200 25 208 26 216 27 224 28 232 29 240 30 248 31 256 32
    } };
}

/// Expands a macro like [`in_eights`], from 16 on in steps of 16.
macro_rules! by_sixteen {
    ($list:ident: $($argument:tt)*) => { $list! { $($argument)*:
        16 2 32 4 48 6 64 8 80 10 96 12 112 14 128 16 144 18 160 20 176 22 192 24 208 26 224 28 240 30 256 32
    } };
}

/// Expands a macro like [`in_eights`], above 32 in steps of 16.
macro_rules! in_sixteens {
    ($list:ident: $($argument:tt)*) => { $list! { $($argument)*:
        8 1 16 2 24 3 32 4 48 6 64 8 80 10 96 12 112 14 128 16 144 18 160 20 176 22 192 24 208 26 224 28 240 30 256 32
    } };
}

/// The loads and stores of tensor memory of one shape, one for each number of repetitions. The arguments list this number and the columns.
macro_rules! tcgen05_moves {
    ($shape:literal, $lanes:literal, $before:literal $after:literal, $strides:literal: $($x:literal $columns:literal)*) => {
        &[$(Atom {
            name: concat!("tcgen05.ld.", $shape, ".x", $x),
            instruction: concat!("tcgen05.ld and tcgen05.st, .", $shape, ".x", $x, ": the lanes and columns of tensor memory of a thread"),
            source: MOVES,
            shape: [$lanes, $columns, 1],
            layouts: [None, None, Some(concat!($before, $x, $after, ":", $strides))],
        }),*]
    };
}

pub(super) const KINDS: [&[Atom]; 19] = [
    OF_WARPS,
    in_eights!(wgmma: "f16", ".f16 and .bf16", 16, "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"),
    in_eights!(wgmma: "tf32", ".tf32", 8, "((4,8,4),(2,2)):((64,1,16),(8,256))"),
    in_eights!(wgmma: "e4m3", ".e4m3 and .e5m2", 32, "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))"),
    in_sixteens!(wgmma: "s8", ".s8 and .u8", 32, "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))"),
    in_sixteens!(wgmma: "b1", ".b1", 256, "((4,8,4),(32,2,2)):((2048,1,16),(64,8,8192))"),
    tcgen05_moves!("32x32b", 32, "(32," ")", "(1,32)": 1 1 2 2 4 4 8 8 16 16 32 32 64 64 128 128),
    tcgen05_moves!("16x64b", 16, "((2,2,8)," ")", "((8,16,1),32)": 1 2 2 4 4 8 8 16 16 32 32 64 64 128 128 256),
    tcgen05_moves!("16x128b", 16, "((4,8),(2," "))", "((16,1),(8,64))": 1 4 2 8 4 16 8 32 16 64 32 128 64 256),
    tcgen05_moves!("16x256b", 16, "((4,8),(2,2," "))", "((32,1),(16,8,128))": 1 8 2 16 4 32 8 64 16 128 32 256),
    by_sixteen!(tcgen05_mma: "f16", "f16", 16, 128, "128" "1,128", "lanes 0 to 127"),
    by_sixteen!(tcgen05_mma: "tf32", "tf32", 8, 128, "128" "1,128", "lanes 0 to 127"),
    by_sixteen!(tcgen05_mma: "f8f6f4", "f8f6f4", 32, 128, "128" "1,128", "lanes 0 to 127"),
    by_sixteen!(tcgen05_mma: "i8", "i8", 32, 128, "128" "1,128", "lanes 0 to 127"),
    in_eights!(tcgen05_mma: "f16", "f16", 16, 64, "(16,4)" "(1,16),64", "lanes 0 to 15 of the 32 of each warp, or 16 to 31"),
    in_eights!(tcgen05_mma: "tf32", "tf32", 8, 64, "(16,4)" "(1,16),64", "lanes 0 to 15 of the 32 of each warp, or 16 to 31"),
    in_eights!(tcgen05_mma: "f8f6f4", "f8f6f4", 32, 64, "(16,4)" "(1,16),64", "lanes 0 to 15 of the 32 of each warp, or 16 to 31"),
    in_sixteens!(tcgen05_mma: "i8", "i8", 32, 64, "(16,4)" "(1,16),64", "lanes 0 to 15 of the 32 of each warp, or 16 to 31"),
    tcgen05_mma_ws! {
        "f16" "f16" 16: 64 32 2048 128 64 4096 256 128 8192;
        "tf32" "tf32" 8: 64 32 2048 128 64 4096 256 128 8192;
        "f8f6f4" "f8f6f4" 32: 64 32 2048 128 64 4096 256 128 8192;
        "i8" "i8" 32: 64 32 2048 128 64 4096 256 128 8192;
    },
];

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

counted_layout! {
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
    M64C<N> if N >= 8 && N <= 256 && N.is_multiple_of(8), "wgmma has 8 to 256 columns, in steps of 8";
    "((4,8,4),(2,2," (N / 8) ")):((128,1,16),(64,8,512))"
}
counted_layout! {
    /// `(32,X):(1,32)`: the threads and values of `tcgen05.ld.32x32b` and `.st` with `X` repetitions: 1 to 128.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 3 of thread 5 is lane 5, column 3 of tensor memory.
    /// assert_eq!(atoms::TensorMemory32X32B::<8>.crd2idx((5, 3)), 5 + 32 * 3);
    /// ```
    TensorMemory32X32B<X> if X.is_power_of_two() && X <= 128, ".32x32b has 1, 2, 4, .. 128 repetitions";
    "(32," (X) "):(1,32)"
}
counted_layout! {
    /// `((2,2,8),X):((8,16,1),32)`: the threads and values of `tcgen05.ld.16x64b` and `.st` with `X` repetitions: 1 to 128.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 3 of thread 7 is lane 1 + 8, column 1 + 2 * 3 of tensor memory.
    /// assert_eq!(atoms::TensorMemory16X64B::<4>.crd2idx((7, 3)), 9 + 16 * 7);
    /// ```
    TensorMemory16X64B<X> if X.is_power_of_two() && X <= 128, ".16x64b has 1, 2, 4, .. 128 repetitions";
    "((2,2,8)," (X) "):((8,16,1),32)"
}
counted_layout! {
    /// `((4,8),(2,X)):((16,1),(8,64))`: the threads and values of `tcgen05.ld.16x128b` and `.st` with `X` repetitions: 1 to 64.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 3 of thread 6 is lane 1 + 8, column 2 + 4 of tensor memory.
    /// assert_eq!(atoms::TensorMemory16X128B::<2>.crd2idx((6, 3)), 9 + 16 * 6);
    /// ```
    TensorMemory16X128B<X> if X.is_power_of_two() && X <= 64, ".16x128b has 1, 2, 4, .. 64 repetitions";
    "((4,8),(2," (X) ")):((16,1),(8,64))"
}
counted_layout! {
    /// `((4,8),(2,2,X)):((32,1),(16,8,128))`: the threads and values of `tcgen05.ld.16x256b` and `.st` with `X` repetitions: 1 to 32.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 7 of thread 6 is lane 1 + 8, column 4 + 1 + 8 of tensor memory.
    /// assert_eq!(atoms::TensorMemory16X256B::<2>.crd2idx((6, 7)), 9 + 16 * 13);
    /// ```
    TensorMemory16X256B<X> if X.is_power_of_two() && X <= 32, ".16x256b has 1, 2, 4, .. 32 repetitions";
    "((4,8),(2,2," (X) ")):((32,1),(16,8,128))"
}
counted_layout! {
    /// `(128,N):(1,128)`: the lanes and columns of `C` of `tcgen05.mma` with 128 rows and `N` columns: 16 to 256 in steps of 16.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Lane 70 and column 5 of tensor memory have the element in row 70, column 5.
    /// assert_eq!(atoms::TensorMemory128C::<16>.crd2idx((70, 5)), 70 + 128 * 5);
    /// ```
    TensorMemory128C<N> if N >= 16 && N <= 256 && N.is_multiple_of(16), "tcgen05.mma of 128 rows has 16 to 256 columns, in steps of 16";
    "(128," (N) "):(1,128)"
}
counted_layout! {
    /// `((16,4),N):((1,16),64)`: the lanes and columns of `C` of `tcgen05.mma` with 64 rows and `N` columns: 8 to 256 in steps of 8.
    ///
    /// A warp reaches 32 lanes of tensor memory, and `C` has either the first or the last 16 of them. Coordinate `(l, w)` is the lane
    /// `32 w + l`, or `32 w + 16 + l`.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Lane 32 + 3, or 32 + 16 + 3, has row 16 + 3.
    /// assert_eq!(atoms::TensorMemory64C::<8>.crd2idx(((3, 1), 5)), 19 + 64 * 5);
    /// ```
    TensorMemory64C<N> if N >= 8 && N <= 256 && N.is_multiple_of(8), "tcgen05.mma of 64 rows has 8 to 256 columns, in steps of 8";
    "((16,4)," (N) "):((1,16),64)"
}
counted_layout! {
    /// `((64,2),N/2):((1,32N),64)`: the lanes and columns of `C` of `tcgen05.mma.ws` with 64 rows and `N` columns: 64, 128 or 256.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Lane 70 and column 5 of tensor memory have the element in row 6, column 32 + 5.
    /// assert_eq!(atoms::TensorMemory64WsC::<64>.crd2idx((70, 5)), 6 + 64 * 37);
    /// ```
    TensorMemory64WsC<N> if N == 64 || N == 128 || N == 256, "tcgen05.mma.ws has 64, 128 or 256 columns";
    "((64,2)," (N / 2) "):((1," (32 * N) "),64)"
}
