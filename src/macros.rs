//! Macros for the notation of layouts, tuples and coordinate graphs.
//!
//! Parentheses alone always make a tuple, so `(4)` is a tuple of one mode. The spelling of a **leaf** alone
//! decides what it is:
//!
//! | spelling | leaf | kind |
//! |---|---|---|
//! | `8`, `0x40`, `1_024`, `_8` | `Int<8>` | static |
//! | `BLOCK_M`, `M`, `Self::BM`, `tiles::LD` (a path whose last name has only capitals, digits and `_`) | `Int<BLOCK_M>` | static |
//! | `{ LD / 2 }`, `const { LD / 2 }`, `const name` | `Int<{ LD / 2 }>` | static |
//! | `type U8`, `type Quot<Int<BN>, Int<4>>` | that type | static |
//! | `-8`, `-LD`, `-{ LD / 2 }`, `-type T` | `Neg<...>` of the same | static |
//! | `_` | `Keep` | |
//! | `dyn M`: a variable with a name in capitals | the value of `M` | decided by its type |
//! | anything else: `m`, `self.rows`, `rows[0]`, `a.len()`, `2 * m`, `(m + 1) / 2` | the value of the expression | decided by its type: `usize` is known at run time |
//!
//! A constant in braces has the type `usize`. A const generic parameter is a constant too: in a function that is
//! generic over `const BM: usize`, `BM` gives `Int<BM>`. Stable Rust refuses arithmetic on such a parameter in
//! braces; use `type Quot<...>`, `Prod` or `Sum` instead.
//!
//! A whole operand of an operation may also name a layout. `type T` may be a layout type, and `Tile` is the layout
//! that `layout!` named so. A name in capitals is a layout if the operation takes a layout there, not a tiler: as
//! the first operand, and as the second operand of compositions and products.
//!
//! The macros refuse two likely mistakes: an expression of only literals, constants and operators without braces
//! (`LD / 2`), and a variable in braces (`{ h * w }`; write `const { .. }` if `h` is a constant). For an argument
//! or a `let` with a name in capitals, the compiler reports "attempt to use a non-constant value in a constant".
//! Write its name in small letters, or `dyn M`.
//!
//! An expression ends at the next `,`, `:` or `;` outside brackets and outside `::<...>`.
//!
//! ```
//! use crd2idx::{Layout, Int, layout};
//! use crd2idx::number::Quot;
//! fn vectors<const BM: usize, const BN: usize>(rows: usize) -> usize {
//!     layout!((rows, type Quot<Int<BN>, Int<4>>, 4) : (BN, 4, 1)).crd2idx((1, 2, BM))
//! }
//! assert_eq!(vectors::<3, 64>(100), 64 + 2 * 4 + 3);
//! ```

// These macros pass the path of this crate to `layout-macros`, so that they work under any name of this dependency.

#[doc(inline)]
pub use crate::{coord, graph, int, layout, layout_text, prove_kernel, shape, stride, table, try_layout};

/// Makes a static integer: `int!(8)`, `int!(-3)`, `int!(BLOCK_M)`, `int!({ LD / 2 })`, `int!(type U8)`.
///
/// ```
/// use crd2idx::{Int, int};
/// const BLOCK_M: usize = 128;
/// let half: Int<64> = int!({ BLOCK_M / 2 });
/// assert_eq!(size_of_val(&half), 0);
///
/// fn width<const BN: usize>() -> Int<BN> {
///     int!(BN)
/// }
/// assert_eq!(width::<8>(), int!(8));
/// ```
#[macro_export]
macro_rules! int {
    ($($tokens:tt)*) => { $crate::__macros::int! { @ $crate $($tokens)* } };
}

/// Makes a shape: a nested tuple of extents. In a tiler, `_` keeps a mode. `shape!(2, 4)` equals `shape!((2, 4))`.
///
/// Without run-time leaves, the macro can also be written in place of a type.
///
/// ```
/// use crd2idx::{Int, Strided, TypedLayout, shape, stride};
/// let rows = 100;
/// let s: ((Int<2>, Int<4>), usize) = shape!((2, 4), rows);
/// assert_eq!(s.1, 100);
///
/// type Tile = Strided<shape!(4, 8), stride!(8, 1)>;
/// assert_eq!(Tile::NOTATION, "(4,8):(8,1)");
/// ```
#[macro_export]
macro_rules! shape {
    ($($tokens:tt)*) => { $crate::__macros::shape! { @ $crate $($tokens)* } };
}

/// Makes strides: a nested tuple of steps, which may be negative. `stride!(1, -4)` equals `stride!((1, -4))`.
///
/// ```
/// use crd2idx::{Layout, make_layout, shape, stride};
/// use crd2idx::number::Signed;
/// let reversed = make_layout(shape!(8, 4), stride!(1, -8));
/// assert_eq!(reversed.offset((3, 2)), 3 - 16);
///
/// // A run-time stride that may be negative is a `Signed`.
/// let step = -8;
/// let same = make_layout(shape!(8, 4), stride!(1, Signed(step)));
/// assert_eq!(same.offset((3, 2)), 3 - 16);
/// ```
///
/// `^9` is an XOR stride, which is added without carries. It is static, but other strides of the layout may be
/// run-time numbers.
///
/// ```
/// use crd2idx::{Layout, make_layout, shape, stride};
/// let (stages, pitch) = (3, 64);
/// let ring = make_layout(shape!(8, 8, stages), stride!(^9, ^1, pitch));
/// assert_eq!(ring.crd2idx((3, 5, 2)), ((3 ^ 3 << 3) ^ 5) + 128);
/// ```
#[macro_export]
macro_rules! stride {
    ($($tokens:tt)*) => { $crate::__macros::stride! { @ $crate $($tokens)* } };
}

/// Makes a coordinate: a nested tuple of integers. In a slice, `_` keeps a mode. `coord!(2, _)` equals `coord!((2, _))`.
///
/// ```
/// use crd2idx::{Layout, LayoutAlgebra, coord, layout};
/// let a = layout!((4, 8) : (8, 1));
/// assert_eq!(a.crd2idx(coord!(3, 7)), 31);
/// let (row, offset) = a.slice(coord!(2, _));
/// assert_eq!(offset + row.crd2idx(coord!((5))), a.crd2idx(coord!(2, 5)));
/// ```
#[macro_export]
macro_rules! coord {
    ($($tokens:tt)*) => { $crate::__macros::coord! { @ $crate $($tokens)* } };
}

/// Makes a layout, or types that name layouts.
///
/// `layout!(shape : stride)` is a value that stores its run-time leaves. An operation is written by name with its
/// operands. If all leaves are literals, the algebra runs during expansion: an error points at the wrong literal,
/// and the result is a plain static layout. `[4:1;_]` is a tiler with one entry for each mode, and an operand may
/// be in parentheses. An operation whose result depends on run-time leaves has a `try_` form.
///
/// ```
/// use crd2idx::{Layout, layout};
/// let (m, ld) = (96, 128);
/// let a = layout!((m, 64) : (1, ld));
/// let static_tiles = layout!(logical_divide(((4,2,3):(2,1,8)), 4:2));
/// assert_eq!(size_of_val(&static_tiles), 0);
///
/// let by_columns = layout!(logical_divide(a, [_;8]));
/// assert_eq!(by_columns.crd2idx((3, (5, 2))), a.crd2idx((3, 21)));
/// let blocks = layout!(try_zipped_divide(a, (4, 8)))?;
/// assert_eq!(blocks.crd2idx(((1, 2), (3, 4))), a.crd2idx((13, 34)));
/// # Ok::<(), crd2idx::LayoutError>(())
/// ```
///
/// `S<bits,base,shift> o offset o layout` swizzles the indices of a layout. Operations belong inside, in place of
/// `layout`.
///
/// ```
/// use crd2idx::{Layout, layout};
/// let tile = layout!(S<3, 0, 3> o 0 o (8, 8) : (8, 1));
/// assert_eq!(tile.crd2idx((3, 5)), 3 * 8 + (5 ^ 3));
/// ```
///
/// `layout! { pub type Tile = layout; }` makes a type of size 0 that is the layout. Errors show the layout under
/// this name. All leaves are static, and an operand may be a type that was named before. `cargo check` already
/// reports a wrong layout. If all leaves are literals, the type also implements
/// [`StaticCosize`](crate::tensor::StaticCosize), for any size.
///
/// ```
/// use crd2idx::{Layout, TypedLayout, layout};
/// use crd2idx::tensor::Stored;
/// const LD: usize = 33;
/// layout! {
///     /// Padded by one column against bank conflicts.
///     pub type Tile = (32, 32) : (LD, 1);
///     type Warps = zipped_divide(Tile, (8, 4));
///     type Scratch = (40, 50) : (50, 1);
/// }
/// assert_eq!(Tile::NOTATION, "(32,32):(33,1)");
/// assert_eq!(Warps.crd2idx(((1, 2), (3, 4))), Tile.crd2idx((25, 18)));
/// assert_eq!(Stored::filled(Scratch, 0u8).as_slice().len(), 2000);
/// ```
#[macro_export]
macro_rules! layout {
    ($($tokens:tt)*) => { $crate::__macros::layout! { @ $crate $($tokens)* } };
}

/// Makes a constant tensor: `static NAME: element, Layout = |i, j| value;`, with a coordinate for each mode. A
/// loop over the layout fills it during compilation.
///
/// `layout!` must have named the layout. An index without a coordinate gets the value of the first coordinate.
/// Attributes go to the `static` or `const`; one may choose the section of the program.
///
/// ```
/// use crd2idx::{layout, table};
/// layout! { type Taps = (3, 3) : (4, 1); }
/// table! {
///     /// Weights of the neighbours of a pixel, in sixteenths.
///     #[cfg_attr(target_os = "linux", unsafe(link_section = ".rodata.weights"))]
///     static WEIGHTS: u8, Taps = |y, x| (1 + (y == 1) as u8) * (1 + (x == 1) as u8);
/// }
/// assert_eq!((WEIGHTS[(0, 0)], WEIGHTS[(1, 0)], WEIGHTS[(1, 1)]), (1, 2, 4));
/// assert_eq!(WEIGHTS.iter().map(|w| u32::from(*w)).sum::<u32>(), 16);
/// ```
#[macro_export]
macro_rules! table {
    ($(#[$attribute:meta])* $vis:vis static $($rest:tt)+) => { $crate::table! { @ [$(#[$attribute])* $vis static] $($rest)+ } };
    ($(#[$attribute:meta])* $vis:vis const $($rest:tt)+) => { $crate::table! { @ [$(#[$attribute])* $vis const] $($rest)+ } };
    (@ [$($item:tt)+] $name:ident: $type:ty, $layout:ident = |$($i:ident),+| $value:expr;) => {
        $($item)+ $name: $crate::Owned<$type, $layout, { $crate::__macros::cosize::<$layout>() }> = {
            const MODES: usize = [$(stringify!($i)),+].len();
            #[allow(unused_variables)]
            let [$($i),+] = [0usize; MODES];
            let mut data: [$type; $crate::__macros::cosize::<$layout>()] = [$value; $crate::__macros::cosize::<$layout>()];
            let mut k = 0;
            while k < $crate::__macros::size::<$layout>() {
                let at = $crate::layouts::const_coordinate::<$layout, MODES>(k);
                #[allow(unused_variables)]
                let [$($i),+] = at;
                data[$crate::layouts::const_index::<$layout, MODES>(at)] = $value;
                k += 1;
            }
            $crate::Tensor::from_array($layout, data)
        };
    };
}

/// Makes a layout and checks it: the result is `Ok`, or the [`LayoutError`](crate::LayoutError) that says what is wrong.
///
/// `layout!` does not check shape and strides, and its index arithmetic is modular. Here the size and every index
/// must fit `isize`, and every operation is its `try_` form, in operands too.
///
/// ```
/// use crd2idx::{Layout, try_layout};
/// let (m, n) = (96, 128);
/// let tiles = try_layout!(zipped_divide((m, n) : (n, 1), (8, 4)))?;
/// assert_eq!(tiles.crd2idx(((1, 2), (3, 4))), (3 * 8 + 1) * 128 + 4 * 4 + 2);
///
/// let n = 1 << 40;
/// let error = try_layout!((n, n) : (n, 1)).unwrap_err();
/// assert_eq!(error.to_string(), "make_layout: 1099511627776 and 1099511627776 overflow 64 bits in the layout");
/// # Ok::<(), crd2idx::LayoutError>(())
/// ```
#[macro_export]
macro_rules! try_layout {
    ($($tokens:tt)*) => { $crate::__macros::try_layout! { @ $crate $($tokens)* } };
}

/// Makes functions of a coordinate graph, as straight-line code without a heap or a graph at run time. They can be
/// used in `const`.
///
/// | statement | meaning |
/// |---|---|
/// | `param m: 1..=4096, ld: 0.. % 8;` | run-time quantities with their known range and divisor; functions that need one take it as an argument |
/// | `const BM: 1..;` | the same, as const generic parameters |
/// | `dim a, i = 16, row = m : ld, k = 64 : 1 offset 8;` | dimensions: `size : stride`, with `_` if there is none |
/// | `flatten sizes;` | the mode of every Flatten: `sizes`, `strides`, or `declared`, which uses strides if all inputs have one |
/// | `Tile(k -> i, j);` | a transform; its quantities are written by name: `Pad(x -> u; left = 1, right = 1)` |
/// | <code>PiecewiseAffineJoin(a, b -> f; if a == 0 { 4 * b } else { a + b });</code> | a choice by a condition; each case is a sum of multiples of the dimensions |
/// | `pub fn f = forward(i, j) -> k;` | a function of the coordinates `i`, `j`, then of the parameters that it needs, as declared |
/// | `fn f = forward(i, ld, j) -> k;` | the same with a parameter at another position |
/// | <code>fn f = forward { i, j } -> k;</code> | arguments by name, as fields of `FArgs`, so that exchanged arguments do not compile |
/// | `fn g = reverse(i, s = 0) -> (a, b);` | a coordinate with a known value; a known switch leaves one branch |
/// | `fn inside = valid reverse(i) -> a;` | true if every coordinate lies in its size |
/// | `fn step = delta i by 4 reverse(i, j) -> a;` | the change of the targets when a coordinate grows |
/// | `fn rows = runs j reverse(i, j) -> a;` | an iterator over the runs along `j`, whose argument is a range. Along a run, each target has a fixed step, and all coordinates are valid or none is ([`Run`](crate::layouts::runs::Run)) |
/// | `fn f = forward(i, j) -> k as cuda, wgsl;` | the same, and its text for devices as constants `F_CUDA`, `F_WGSL`; languages are c, cuda, hip, opencl, wgsl, mlir |
///
/// Sizes are literals, parameters, constants in capitals, and arithmetic on these, with `ceil_div(a, b)`, `min`,
/// `max`. The transforms are the variants of `crd2idx::graph::Transform`. Functions assume that coordinates lie in
/// their sizes, and are simplified under this assumption. Results that may be negative are `isize`. A choice
/// between divisions becomes a branch.
///
/// An error of the macro points at the missing size or stride, or at the name of the target or the function that
/// cannot be computed. Names may be keywords and may have capitals. The arguments of a function have their names
/// in small letters.
///
/// ```
/// crd2idx::graph! {
///     param m: 1.., ld: 1..;
///     dim a, row = m : ld, col = 64 : 1;
///     dim block, i = 16, thread = 256, lane = 16;
///     Split(a -> row, col);
///     Tile(row -> block, i);
///     Flatten(i, lane -> thread);
///
///     /// The element of a thread.
///     pub fn element = reverse(block, thread, col) -> a;
///     /// Whether its row is one of the matrix.
///     pub fn inside = valid reverse(block, thread, col) -> a;
/// }
/// assert_eq!(element(2, 37, 5, 100), (2 * 16 + 37 / 16) * 100 + 5);
/// assert_eq!((inside(2, 37, 5, 35), inside(2, 37, 5, 34)), (true, false));
/// ```
///
/// In a device text, the parameters come first, as declared, then the coordinates of the list. Parameters outside
/// the list are known per launch. If the host can save work for the threads, as in divisions by such parameters, the
/// text has a structure `f_launch`. The host has the same structure as `FLaunch`, and `f_prepare` makes it from the
/// parameters, as declared. All integers have 32 bits if that is proven to suffice, so give bounds to parameters:
///
/// ```
/// crd2idx::graph! {
///     param rows: 1..=4096, cols: 1..=4096;
///     dim row = rows, col = cols, wg = rows * cols;
///     Flatten(col, row -> wg);
///     pub fn tile = reverse(wg) -> (row, col) as cuda, wgsl;
/// }
/// assert!(TILE_CUDA.contains("tile_result tile(uint32_t wg, const tile_launch launch) {"));
/// assert!(TILE_WGSL.contains("fn tile(wg: u32, launch: TileLaunch) -> TileResult {"));
/// let launch: TileLaunch = tile_prepare(100);
/// assert_eq!((launch.rows, size_of::<TileLaunch>()), (100, 16));
/// assert_eq!(tile(1234, 100), (34, 12));
/// ```
///
/// ```compile_fail
/// crd2idx::graph! {
///     dim k, i = 4, j;
///     Flatten(i, j -> k);
///     fn number = forward(i, j) -> k; // Flatten(i, j -> k): the size of `j` is missing
/// }
/// ```
#[macro_export]
macro_rules! graph {
    ($($tokens:tt)*) => { $crate::__macros::graph! { @ $crate $($tokens)* } };
}

/// Makes constants with the text of index functions of layouts, for devices: `NAME_CUDA`. Languages are c, cuda,
/// hip, opencl, wgsl and mlir.
///
/// A layout is an expression in the notation, with operations and swizzles, and `?` for numbers known at run time.
/// `?{max=4096}` bounds such a number. If all are bounded, 32 bits may suffice.
///
/// | parameter, in this order | meaning |
/// |---|---|
/// | `n0`, `n1`, .. | a `?` that is the extent of that leaf; leaves count over the whole layout |
/// | `d0`, `d1`, .. | a `?` that is the stride of that leaf |
/// | `p0`, `p1`, .. | a `?` that an operation splits |
/// | `i0`, `i1`, .. | the coordinate of that mode |
///
/// An extent that no index depends on is not a parameter. A list in parentheses gives the parameters other names,
/// in the same order. If threads need numbers that are computed once per launch, there are also `NameLaunch` and
/// `name_prepare`, as for [`graph!`](crate::graph!).
///
/// ```
/// crd2idx::layout_text! {
///     /// A tile in shared memory, without conflicts of banks.
///     pub shared = "S<3,3,3> o 0 o (64,64):(64,1)" as cuda;
///     pub plain = "(8,?{max=64}):(?{max=4096},1)" as opencl;
///     pub place(ld, row, col) = "(8,?{max=64}):(?{max=4096},1)" as opencl, wgsl;
///     tile(rows, ld, inside, outside) = "zipped_divide((?{div=8,min=8,max=512},?{div=8,min=8,max=512}):(?{max=512},1), (8,8))" as cuda;
/// }
/// assert!(SHARED_CUDA.contains("return ((i0 & 7) * 8) ^ (i0 * 64 + i1);"));
/// assert!(PLAIN_OPENCL.contains("uint plain(uint d0, uint i0, uint i1)"));
/// assert!(PLACE_OPENCL.contains("uint place(uint ld, uint row, uint col) {\n    return ld * row + col;"));
/// assert!(TILE_CUDA.contains("    uint32_t inside,\n    uint32_t outside,\n    const tile_launch launch\n"));
/// assert_eq!(tile_prepare(64, 100).ld, 100);
/// ```
#[macro_export]
macro_rules! layout_text {
    ($($tokens:tt)*) => { $crate::__macros::layout_text! { @ $crate $($tokens)* } };
}

/// Proves the claims about a kernel while the compiler runs: no races, all accesses in bounds, no barrier missing, no element left out.
/// A claim that is false, or that nothing proves, is an error of the compiler. Needs the feature `verdicts`.
///
/// | form | meaning |
/// |---|---|
/// | `prove_kernel! { "text" }` | proves all claims about the kernel of a string literal, plain or raw; expands to nothing |
/// | `prove_kernel! { file "kernels/copy.kernel" }` | the same for a file. Its path begins at the folder of `Cargo.toml`. Cargo builds again if the file changes |
/// | `prove_kernel! { race_free, in_bounds: "text" }` | proves these claims alone, of `race_free`, `in_bounds`, `stored` and `written`. The kernel must make each |
/// | `prove_kernel! { pub const COPY = "text"; }` | also declares the text as a constant, a `&'static str`; files and claims work here, too |
///
/// `crd2idx::verdicts` describes the text and the claims. Statements end with lines, so the text is a literal: the compiler hands no
/// ends of lines to macros.
///
/// ```
/// crd2idx::prove_kernel! {
///     pub const TRANSPOSE = "
///         kernel transpose
///         param m >= 1, n >= 1
///         grid by < ceil(m / 32), bx < ceil(n / 32)
///         block ty < 32, tx < 32
///         global a (m, n) given, b (n, m) written
///         shared tile (32, 32)
///         if 32 * by + ty < m, 32 * bx + tx < n {
///             load a[32 * by + ty, 32 * bx + tx]
///             store tile[ty, tx]
///         }
///         barrier
///         if 32 * bx + ty < n, 32 * by + tx < m {
///             load tile[tx, ty]
///             store b[32 * bx + ty, 32 * by + tx]
///         }
///     ";
/// }
/// assert_eq!(TRANSPOSE.lines().nth(1), Some("        kernel transpose"));
/// ```
///
/// An error points at the literal. It is the report of `crd2idx::verdicts`, with the sizes, both threads and the element:
///
/// ```compile_fail
/// crd2idx::prove_kernel! {
///     "kernel rotate
///     block t < 64
///     shared s (64)
///     store s[t]
///     load s[(t + 1) % 64]"
/// }
/// ```
///
/// ```text
/// error: rotate: 2 of 4 claims are proven
///        false: `s` has no races, at [0]
///          line 5: `store s[t]` where t = 0
///          line 6: `load s[(t + 1) % 64]` where t = 63
///        false: line 6 reads what was stored, at [0]
///          line 6: `load s[(t + 1) % 64]` where t = 63
///  --> src/lib.rs:2:5
/// ```
///
/// A report counts the lines of the Rust file. In a literal with escapes, such as `"kernel k\nblock t < 32"`, and in a file with a kernel,
/// it counts from the first line of the text.
#[macro_export]
macro_rules! prove_kernel {
    ($($tokens:tt)*) => { $crate::__macros::prove_kernel! { @ $crate $($tokens)* } };
}
