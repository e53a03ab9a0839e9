//! Instructions of Intel.

use super::Atom;
use super::declare::operand;

const SDM: &str = "Intel 64 and IA-32 Architectures Software Developer's Manual, AMX instructions";
const DPAS: &str = "OpenCL extension cl_intel_subgroup_matrix_multiply_accumulate; Intel Xe Instruction Set Architecture, dpas";

atoms! { TILES:
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

/// The layout of `A` of `dpas`: rows are values, and a lane has 1, 2 or 4 neighbours of `K` in each. Rows of tf32 fill half a register.
macro_rules! rows {
    (1 $n:literal $m:literal $stride:literal) => {
        concat!("(", $n, ",", $m, "):(", $stride, ",1)")
    };
    (half $n:literal $m:literal $half:literal) => {
        concat!("((8,2),", $half, "):((", $m, ",1),2)")
    };
    ($each:literal $n:literal $m:literal $stride:literal) => {
        concat!("(", $n, ",(", $each, ",", $m, ")):(", $stride, ",(", $m, ",1))")
    };
}

/// The `dpas` instructions of one type and one size of sub-groups, one for each repeat count, which is `M`. The arguments list `M` and the
/// stride of the lanes in `A`, or half of `M`.
macro_rules! dpas {
    ($of:literal, $types:literal, $n:literal, $k:literal, $each:tt: $($m:literal $stride:literal)*) => {
        &[$(Atom {
            name: concat!("dpas.", $m, "x", $n, "x", $k, ".", $of),
            instruction: concat!("dpas.8x", $m, " of ", $types, ", sub-groups of ", $n, " lanes; B in words of its K (VNNI)"),
            source: DPAS,
            shape: [$m, $n, $k],
            layouts: [
                Some(rows!($each $n $m $stride)),
                Some(concat!("(", $n, ",", $k, "):(1,", $n, ")")),
                Some(concat!("(", $n, ",", $m, "):(", $m, ",1)")),
            ],
        }),*]
    };
}

pub(super) const KINDS: [&[Atom]; 6] = [
    TILES,
    dpas!("f16", "f16 and bf16", 8, 16, 2: 1 2 2 4 3 6 4 8 5 10 6 12 7 14 8 16),
    dpas!("i8", "s8 and u8", 8, 32, 4: 1 4 2 8 3 12 4 16 5 20 6 24 7 28 8 32),
    dpas!("f16", "f16 and bf16", 16, 16, 1: 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8),
    dpas!("i8", "s8 and u8", 16, 32, 2: 1 2 2 4 3 6 4 8 5 10 6 12 7 14 8 16),
    // With an odd number of rows, half of a register has no elements. No layout describes that, so these are left out.
    dpas!("tf32", "tf32", 16, 8, half: 2 1 4 2 6 3 8 4),
];

counted_layout! {
    /// `(8,(2,M)):(2M,(M,1))`: operand a of dpas of f16 and bf16, sub-groups of 8 lanes, with `M` rows.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 7 of lane 5 is the element of m = 3, k = 11.
    /// assert_eq!(atoms::Dpas8F16A::<4>.crd2idx((5, 7)), 3 + 4 * 11);
    /// ```
    Dpas8F16A<M> if M >= 1 && M <= 8, "dpas has 1 to 8 rows";
    "(8,(2," (M) ")):(" (2 * M) ",(" (M) ",1))"
}
counted_layout! {
    /// `(8,(4,M)):(4M,(M,1))`: operand a of dpas of types of 8 bits, sub-groups of 8 lanes, with `M` rows.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 7 of lane 5 is the element of m = 1, k = 23.
    /// assert_eq!(atoms::Dpas8I8A::<4>.crd2idx((5, 7)), 1 + 4 * 23);
    /// ```
    Dpas8I8A<M> if M >= 1 && M <= 8, "dpas has 1 to 8 rows";
    "(8,(4," (M) ")):(" (4 * M) ",(" (M) ",1))"
}
counted_layout! {
    /// `(8,M):(M,1)`: operand c of dpas of any type, sub-groups of 8 lanes, with `M` rows.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 3 of lane 5 is the element of m = 3, n = 5.
    /// assert_eq!(atoms::Dpas8C::<4>.crd2idx((5, 3)), 3 + 4 * 5);
    /// ```
    Dpas8C<M> if M >= 1 && M <= 8, "dpas has 1 to 8 rows";
    "(8," (M) "):(" (M) ",1)"
}
counted_layout! {
    /// `(16,M):(M,1)`: operand a of dpas of f16 and bf16, sub-groups of 16 lanes, with `M` rows.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 3 of lane 5 is the element of m = 3, k = 5.
    /// assert_eq!(atoms::Dpas16F16A::<4>.crd2idx((5, 3)), 3 + 4 * 5);
    /// ```
    Dpas16F16A<M> if M >= 1 && M <= 8, "dpas has 1 to 8 rows";
    "(16," (M) "):(" (M) ",1)"
}
counted_layout! {
    /// `(16,(2,M)):(2M,(M,1))`: operand a of dpas of types of 8 bits, sub-groups of 16 lanes, with `M` rows.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 7 of lane 5 is the element of m = 3, k = 11.
    /// assert_eq!(atoms::Dpas16I8A::<4>.crd2idx((5, 7)), 3 + 4 * 11);
    /// ```
    Dpas16I8A<M> if M >= 1 && M <= 8, "dpas has 1 to 8 rows";
    "(16,(2," (M) ")):(" (2 * M) ",(" (M) ",1))"
}
counted_layout! {
    /// `((8,2),M/2):((M,1),2)`: operand a of dpas of tf32, sub-groups of 16 lanes, with `M` rows.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 1 of lane 9 is the element of m = 3, k = 1.
    /// assert_eq!(atoms::Dpas16TF32A::<4>.crd2idx((9, 1)), 3 + 4 * 1);
    /// ```
    Dpas16TF32A<M> if M >= 2 && M <= 8 && M.is_multiple_of(2), "dpas of tf32 has 2, 4, 6 or 8 rows here";
    "((8,2)," (M / 2) "):((" (M) ",1),2)"
}
counted_layout! {
    /// `(16,M):(M,1)`: operand c of dpas of any type, sub-groups of 16 lanes, with `M` rows.
    ///
    /// ```
    /// use layout_core::{Layout, atoms};
    /// // Value 3 of lane 5 is the element of m = 3, n = 5.
    /// assert_eq!(atoms::Dpas16C::<4>.crd2idx((5, 3)), 3 + 4 * 5);
    /// ```
    Dpas16C<M> if M >= 1 && M <= 8, "dpas has 1 to 8 rows";
    "(16," (M) "):(" (M) ",1)"
}
named_layout! {
    Dpas8F16B "(8,16):(1,8)" "operand b of dpas of f16 and bf16, sub-groups of 8 lanes, whatever its `M`.",
    b 8 8 (5, 11) => (5, 11)
}
named_layout! {
    Dpas8I8B "(8,32):(1,8)" "operand b of dpas of types of 8 bits, sub-groups of 8 lanes, whatever its `M`.",
    b 8 8 (5, 11) => (5, 11)
}
named_layout! {
    Dpas16F16B "(16,16):(1,16)" "operand b of dpas of f16 and bf16, sub-groups of 16 lanes, whatever its `M`.",
    b 8 16 (5, 11) => (5, 11)
}
named_layout! {
    Dpas16I8B "(16,32):(1,16)" "operand b of dpas of types of 8 bits, sub-groups of 16 lanes, whatever its `M`.",
    b 8 16 (5, 11) => (5, 11)
}
named_layout! {
    Dpas16TF32B "(16,8):(1,16)" "operand b of dpas of tf32, sub-groups of 16 lanes, whatever its `M`.",
    b 8 16 (5, 7) => (5, 7)
}
