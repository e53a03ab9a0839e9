//! The table of operations: it declares each operation once.
//!
//! `operations!(callback)` passes the table to the macro `callback`. The names ([`Op`](crate::error::Op)), dispatch by name, checks of
//! operands, layout types, methods of [`DynLayout`](crate::DynLayout) and the list of `crd2idx ops` are made from it.
//!
//! * `layouts` take a layout and return one. A row is `Name "text" ["alias", ...] on choice { forms }`, a form is `/// law`, then
//!   `method try_method(operand: TypeParameter kind, ...) => example;`. The first operand is the layout itself.
//!   With `by name` before the braces, that function of [`dispatch`](crate::algebra::dispatch) chooses the form.
//! * `makers` take a shape and return a layout, in rows of the same form.
//! * `functions` are all others: `/// law`, then `Name "text" ["alias", ...] (operand: kind, ...) -> result on choice`, then `= function`,
//!   `of function` if it takes the [`Op`](crate::error::Op) as well, or `by function` for a function of the dispatcher, then `=> example;`.
//!
//! An example is `("operand", ...) "result"`, in the notation. The documentation of every method and `crd2idx ops NAME` show it.
//!
//! `on choice` says how the operation treats a swizzled or composed first operand ([`OfComposed`](crate::error::OfComposed)). As a later
//! operand, it becomes one layout for the kind `layout`, and its shape for the kinds `shape`, `tuple`, `coord` and `extent`.
//!
//! The kinds of operands are the functions of [`operands`](crate::algebra::operands). The law is the documentation everywhere.

#[doc(hidden)]
#[macro_export]
macro_rules! operations {
    ($callback:ident) => {
        $callback! {
            layouts {
                Coalesce "coalesce" [] on domain by coalesce {
                    /// The fewest modes with the same function on the domain: `coalesce(A)(i) = A(i)` for `i < size(A)`.
                    coalesce try_coalesce() => ("((2,4),6):((1,2),8)") "48:1";
                    /// Coalesces mode by mode, down to the leaves of `profile`.
                    coalesce_by try_coalesce_by(profile: P coord) => ("((2,4),6):((1,2),8)", "(1,1)") "(8,6):(1,8)";
                }
                Filter "filter" [] on domain {
                    /// Drops the modes of stride 0 and extent 1 and coalesces the rest: the image stays the same.
                    filter try_filter() => ("(4,2,3):(1,0,4)") "12:1";
                }
                FilterZeros "filter_zeros" [] on domain {
                    /// Sets the extents of the modes of stride 0 to 1: the image and the nesting stay the same.
                    filter_zeros try_filter_zeros() => ("(4,(2,3)):(1,(0,4))") "(4,(1,3)):(1,(0,4))";
                }
                Flatten "flatten" [] on domain {
                    /// Removes the nesting: the same function of the linear coordinate.
                    flatten try_flatten() => ("((2,4),6):((1,2),8)") "(2,4,6):(1,2,8)";
                }
                Unflatten "unflatten" [] on domain {
                    /// Nests the leaves like `profile`: `flatten(unflatten(A, P)) = flatten(A)`.
                    unflatten try_unflatten(profile: P coord) => ("(2,4,6):(1,2,8)", "((1,1),1)") "((2,4),6):((1,2),8)";
                }
                RightInverse "right_inverse" [] on bits by inverse {
                    /// The largest layout `R` that `A` undoes: `A(R(i)) = i` for `i < size(R)`.
                    right_inverse try_right_inverse() => ("(4,8):(8,1)") "(8,4):(4,1)";
                }
                LeftInverse "left_inverse" [] on bits by inverse {
                    /// The layout `Q` that undoes `A`: `Q(A(c)) = c` where `A` is injective.
                    left_inverse try_left_inverse() => ("(4,8):(1,5)") "(5,8):(1,4)";
                }
                Nullspace "nullspace" [] on bits {
                    /// The coordinates that do not change the index, as a layout `K`: `A(K(i)) = 0`.
                    nullspace try_nullspace() => ("(4,2,3):(1,0,4)") "2:4";
                }
                LayoutLike "make_layout_like" ["layout_like"] on inside {
                    /// The compact layout of the same shape whose strides are in the same order; modes of stride 0 keep stride 0.
                    layout_like try_layout_like() => ("(4,8):(16,1)") "(4,8):(8,1)";
                }
                Composition "composition" ["compose", "compose_by"] on domain by composition {
                    /// One layout after another: `R(c) = A(B(c))`, with a shape that refines the shape of `B`.
                    composition try_composition(b: B layout) => ("(6,2):(8,2)", "(4,3):(3,1)") "((2,2),3):((24,2),8)";
                    /// Composes mode by mode; modes that the tiler does not name stay.
                    composition_by try_composition_by(tiler: T tiler) => ("(4,8):(1,4)", "(2,4)") "(2,4):(1,4)";
                }
                Complement "complement" [] on bits by complement {
                    /// The ordered layout that completes `A` up to `m`: its sums with values of `A` all differ, and take every index below `m` if the strides of `A` nest; `m` is `cosize(A)` unless given.
                    complement try_complement(m: M extent) => ("(2,2):(1,6)", "24") "(3,2):(2,12)";
                }
                LogicalDivide "logical_divide" [] on domain {
                    /// `(tile, rest)` for each mode of the tiler; refused where a tile does not divide.
                    logical_divide try_logical_divide(tiler: T tiler) => ("(32,16):(1,32)", "(8,4)") "((8,4),(4,4)):((1,8),(32,128))";
                }
                ZippedDivide "zipped_divide" [] on domain {
                    /// `((tiles), (rests))` of `logical_divide`.
                    zipped_divide try_zipped_divide(tiler: T tiler) => ("(32,16):(1,32)", "(8,4)") "((8,4),(4,4)):((1,32),(8,128))";
                }
                TiledDivide "tiled_divide" [] on domain {
                    /// `((tiles), rest, rest, ...)` of `logical_divide`.
                    tiled_divide try_tiled_divide(tiler: T tiler) => ("(32,16):(1,32)", "(8,4)") "((8,4),4,4):((1,32),8,128)";
                }
                FlatDivide "flat_divide" [] on domain {
                    /// `(tile, tile, ..., rest, rest, ...)` of `logical_divide`.
                    flat_divide try_flat_divide(tiler: T tiler) => ("(32,16):(1,32)", "(8,4)") "(8,4,4,4):(1,32,8,128)";
                }
                Windows "windows" [] on domain {
                    /// `((windows), (places))`, mode by mode: `R(w, p) = A(T(w) + p)` for every `p` with `T(w) + p < size(A)`.
                    windows try_windows(tiler: T tiler) => ("(8,6):(1,8)", "(3,3)") "((3,3),(6,4)):((1,8),(1,8))";
                }
                LogicalProduct "logical_product" [] on domain {
                    /// `(A, copies)`: disjoint copies of `A`, laid out as `b` says.
                    logical_product try_logical_product(b: B tiler) => ("(2,2):(1,2)", "(3,4)") "((2,3),(2,(2,2))):((1,2),(2,(1,4)))";
                }
                ZippedProduct "zipped_product" [] on domain {
                    /// `((blocks), (copies))` of `logical_product`.
                    zipped_product try_zipped_product(b: B tiler) => ("(2,2):(1,2)", "(3,4)") "((2,2),(3,(2,2))):((1,2),(2,(1,4)))";
                }
                TiledProduct "tiled_product" [] on domain {
                    /// `((blocks), copies, copies, ...)` of `logical_product`.
                    tiled_product try_tiled_product(b: B tiler) => ("(2,2):(1,2)", "(3,4)") "((2,2),3,(2,2)):((1,2),2,(1,4))";
                }
                FlatProduct "flat_product" [] on domain {
                    /// `(block, block, ..., copies, copies, ...)` of `logical_product`.
                    flat_product try_flat_product(b: B tiler) => ("(2,2):(1,2)", "(3,4)") "(2,2,3,(2,2)):(1,2,2,(1,4))";
                }
                BlockedProduct "blocked_product" [] on domain {
                    /// Copies of `A` side by side: mode `k` is `(A_k, B_k)`.
                    blocked_product try_blocked_product(b: B layout) => ("(2,2):(1,2)", "(3,4):(1,3)") "((2,3),(2,4)):((1,4),(2,12))";
                }
                RakedProduct "raked_product" [] on domain {
                    /// Copies of `A` interleaved: mode `k` is `(B_k, A_k)`.
                    raked_product try_raked_product(b: B layout) => ("(2,2):(1,2)", "(3,4):(1,3)") "((3,2),(4,2)):((4,1),(12,2))";
                }
                TileToShape "tile_to_shape" [] on domain {
                    /// Copies of `A` that cover `shape`, laid out in `order`; column-major unless given.
                    tile_to_shape try_tile_to_shape(shape: S shape, order: O order) => ("(2,4):(1,2)", "(4,8)", "(1,0)") "((2,2),(4,2)):((1,16),(2,8))";
                }
                Upcast "upcast" [] on itself by cast {
                    /// The layout of groups of `n` elements.
                    upcast try_upcast(n: N integer) => ("(8,4):(1,8)", "4") "(2,4):(1,2)";
                }
                Downcast "downcast" [] on itself by cast {
                    /// The layout of the `n` parts of each element.
                    downcast try_downcast(n: N integer) => ("(2,4):(1,2)", "4") "(8,4):(1,8)";
                }
                Recast "recast_layout" ["recast"] on itself by cast {
                    /// The layout for elements of `new` bits in place of `old`: an upcast, a downcast, or one after the other.
                    recast try_recast(old: Old number, new: New number) => ("(8,4):(1,8)", "16", "32") "(4,4):(1,4)";
                }
                MaxCommonLayout "max_common_layout" [] on bits {
                    /// The elements that are contiguous in both layouts, as a layout into their linear coordinates.
                    max_common_layout try_max_common_layout(b: B layout) => ("(8,4):(1,8)", "(8,4):(1,16)") "8:1";
                }
                Get "get" ["mode"] on domain by get {
                    /// Mode `k`; each further number selects a mode inside it.
                    mode try_mode(k: K mode) => ("(4,(2,3)):(1,(4,8))", "1") "(2,3):(4,8)";
                }
                Select "select" [] on domain {
                    /// The modes that the integers of `modes` name, in that order.
                    select try_select(modes: K tuple) => ("(4,2,3):(1,4,8)", "(2,0)") "(3,4):(8,1)";
                }
                Take "take" [] on domain {
                    /// Modes `begin..end`.
                    take try_take(begin: B mode, end: E mode) => ("(4,2,3):(1,4,8)", "1", "3") "(2,3):(4,8)";
                }
                Group "group" [] on domain {
                    /// Modes `begin..end` as one nested mode: the same function of the linear coordinate.
                    group try_group(begin: B mode, end: E mode) => ("(4,2,3):(1,4,8)", "0", "2") "((4,2),3):((1,4),8)";
                }
                Append "append" [] on domain {
                    /// Adds `x` as the last mode.
                    append try_append(x: X layout) => ("(4,2):(1,4)", "3:8") "(4,2,3):(1,4,8)";
                }
                Prepend "prepend" [] on domain {
                    /// Adds `x` as the first mode.
                    prepend try_prepend(x: X layout) => ("(4,2):(1,4)", "3:8") "(3,4,2):(8,1,4)";
                }
                Replace "replace" [] on domain {
                    /// Replaces mode `k` by `x`.
                    replace try_replace(k: K mode, x: X layout) => ("(4,2):(1,4)", "1", "(2,2):(4,16)") "(4,(2,2)):(1,(4,16))";
                }
                Concat "concat" [] on domain by concat {
                    /// The layouts, two or more, as the modes of one.
                    concat try_concat(b: B layout) => ("(4,2):(1,4)", "3:8") "((4,2),3):((1,4),8)";
                }
                Dice "dice" [] on domain {
                    /// Keeps the modes that `c` fixes and drops the modes marked `_`.
                    dice try_dice(c: C coord) => ("(4,2,3):(1,4,8)", "(0,_,0)") "(4,3):(1,8)";
                }
            }
            makers {
                ColMajor "col_major" [] on shape {
                    /// The compact layout of a shape whose leftmost mode is contiguous.
                    col_major() => ("(4,(2,3))") "(4,(2,3)):(1,(4,8))";
                }
                RowMajor "row_major" [] on shape {
                    /// The compact layout of a shape whose rightmost mode is contiguous.
                    row_major() => ("(4,(2,3))") "(4,(2,3)):(6,(3,1))";
                }
                Ordered "make_ordered_layout" ["ordered"] on shape {
                    /// The compact layout of a shape whose modes are visited by increasing `order`.
                    ordered(order: O tuple) => ("(4,2,3)", "(1,0,2)") "(4,2,3):(2,1,8)";
                }
            }
            functions {
                /// Returns the operand as it is: the names of kinds of tuples have no effect.
                Identity "identity" ["to_coord", "make_shape", "make_stride", "make_coord", "make_int_tuple", "make_tile"] (x: any) -> any on itself by identity => ("(4,(2,3))") "(4,(2,3))";
                /// The tuple itself; layouts and `_` are refused.
                ToIntTuple "to_int_tuple" [] (x: tuple) -> tuple on nothing by plain_tuple => ("(4,(2,3))") "(4,(2,3))";
                /// The layout of a shape and a stride, or of layouts as its modes.
                MakeLayout "make_layout" [] (shape: shape, stride: tuple) -> layout on domain by make_layout => ("(4,2)", "(2,1)") "(4,2):(2,1)";
                /// The layout whose value at a coordinate is that coordinate: its strides are along coordinates.
                IdentityLayout "make_identity_layout" [] (shape: shape) -> layout on shape = TupleValue::identity => ("(4,2)") "(4,2):(1@0,1@1)";
                /// The composed layout `c -> inner(offset + outer(c))`.
                Composed "make_composed_layout" [] (inner: any, offset: tuple, outer: layout) -> composed on nothing by make_composed => ("S<1,0,2>", "3", "(4,2):(1,4)") "S<1,0,2> o 3 o (4,2):(1,4)";
                /// The function that a composed layout applies last.
                GetInner "composed_get_inner" [] (l: composed) -> any on itself by parts => ("S<1,0,2> o 3 o (4,2):(1,4)") "S<1,0,2>";
                /// The offset of a composed layout.
                GetOffset "composed_get_offset" [] (l: composed) -> tuple on itself by parts => ("S<1,0,2> o 3 o (4,2):(1,4)") "3";
                /// The function that a composed layout applies first, which has its shape.
                GetOuter "composed_get_outer" [] (l: composed) -> layout on itself by parts => ("S<1,0,2> o 3 o (4,2):(1,4)") "(4,2):(1,4)";
                /// The same function with XOR strides, for a layout with integer strides or a swizzled layout; refused where sums carry.
                ToXor "to_xor" [] (l: any) -> layout on itself by to_xor => ("S<1,0,2> o 0 o (4,2):(1,4)") "(4,2):(^1,^5)";
                /// The same function with integer strides, or as a swizzle of a layout that has them; refused where neither exists.
                ToAffine "to_affine" [] (l: any) -> any on itself by to_affine => ("(4,2):(^1,^4)") "(4,2):(1,4)";
                /// The layout whose index at linear coordinate `k` is entry `k` of the table: integer strides if possible, else a swizzle of these, else XOR strides. Leaves of the shape may become nested; without a shape, there is one mode.
                FromTable "from_table" [] (table: tuple, shape: order) -> any on nothing by from_table => ("(0,1,4,5)", "(2,2)") "(2,2):(1,4)";
                /// The leaves by increasing stride, leaves of one stride by increasing extent.
                Sort "sort" [] (l: layout) -> layout on domain = LayoutValue::sort => ("(4,(2,3)):(6,(3,1))") "(3,2,4):(1,3,6)";
                /// Applies a swizzle to a number.
                Swizzle "swizzle" [] (s: swizzle, x: integer) -> integer on nothing by swizzle => ("S<1,0,2>", "6") "7";

                /// The shape of a layout.
                GetShape "get_shape" ["shape", "to_shape"] (l: any) -> tuple on shape by get_shape => ("(4,(2,3)):(1,(4,8))") "(4,(2,3))";
                /// The strides of a layout.
                GetStride "get_stride" ["stride", "to_stride"] (l: any) -> tuple on inside by get_stride => ("(4,(2,3)):(1,(4,8))") "(1,(4,8))";
                /// The number of coordinates, or the product of a tuple.
                Size "size" [] (l: extent) -> integer on shape by product => ("(4,(2,3)):(1,(4,8))") "24";
                /// The number of elements between the least and the greatest index, both included: `size(coshape(L))`.
                Cosize "cosize" [] (l: layout) -> integer on itself by cosize => ("(4,2):(1,8)") "12";
                /// The extents of the indices, coordinate by coordinate; the cosize if the indices are integers.
                Coshape "coshape" [] (l: layout) -> tuple on itself by cosize => ("(4,2):(1@0,1@1)") "(4,2)";
                /// The number of modes; 1 for an integer.
                Rank "rank" [] (x: coord) -> integer on shape = TupleValue::rank => ("(4,(2,3))") "2";
                /// The number of nested tuples; 0 for an integer.
                Depth "depth" [] (x: coord) -> integer on shape = TupleValue::depth => ("(4,(2,3))") "2";
                /// The number of elements that are contiguous in both layouts: what one vector copy can move.
                MaxCommonVector "max_common_vector" [] (a: layout, b: layout) -> integer on bits = LayoutValue::max_common_vector => ("(8,4):(1,8)", "(8,4):(1,16)") "8";
                /// The largest `n` that divides the extent of the contiguous mode and every other stride: copies move aligned groups of `n`.
                MaxAlignment "max_alignment" [] (l: layout) -> integer on itself by max_alignment => ("(8,4):(1,12)") "4";
                /// The coordinates of both layouts that `n` threads copy from `a` to `b`, for elements of `bits` bits: mode 0 is the thread, mode 1 its values. Each thread takes the longest vector that is contiguous and aligned in both layouts, up to 128 bits, in the order of `b`.
                CopyThreads "copy_threads" [] (a: layout, b: layout, n: number, bits: number) -> layout on bits = LayoutValue::copy_threads => ("(64,8):(1,64)", "(64,8):(1,64)", "32", "32") "(32,(4,4)):(4,(1,128))";
                /// The number of bank conflicts of threads that access a layout, `vector` values of `bits` bits at once, with 32 banks of 4 bytes: mode 0 of `threads` is the thread, further modes are its values.
                BankConflicts "bank_conflicts" [] (l: any, threads: layout, bits: number, vector: number) -> integer on itself by bank_conflicts => ("(32,32):(32,1)", "32:1", "32", "1") "31";
                /// A layout of at most `n` elements that cuts the modes of a shape evenly, from the left.
                DomainDistribute "domain_distribute" [] (shape: shape, n: integer) -> layout on shape = TupleValue::domain_distribute => ("(4,6)", "8") "8:1";

                /// The index of a coordinate in a layout; in a shape, its colexicographic position. The two operands may be given in either order, and a shape and strides, after the coordinate, in place of a layout.
                Crd2Idx "crd2idx" ["layout_eval", "crd2flat", "crd2offset"] (l: layout, c: coord) -> integer on itself by crd2idx => ("(4,(2,3)):(1,(4,8))", "(3,(1,2))") "23";
                /// The coordinate at a colexicographic position of a shape; of a layout, the coordinate with that index (`preimage`). The two operands may be given in either order, and a shape and strides, after the index, in place of a layout.
                Idx2Crd "idx2crd" ["get_hier_coord"] (i: coord, shape: shape) -> tuple on itself by idx2crd => ("13", "(4,(2,3))") "(1,(1,1))";
                /// The coordinate of `idx2crd` with one integer for each mode.
                FlatCoordinate "get_flat_coord" [] (i: coord, shape: shape) -> tuple on itself by idx2crd => ("11", "((2,4),8):((1,2),8)") "(3,1)";
                /// The coordinate of `idx2crd` as one integer, its colexicographic position.
                LinearCoordinate "get_1d_coord" [] (i: coord, shape: shape) -> integer on itself by idx2crd => ("11", "(4,8):(8,1)") "13";
                /// A coordinate whose index in a layout is `index`.
                Preimage "preimage" [] (l: layout, index: integer) -> tuple on itself by preimage => ("(4,8):(8,1)", "11") "(1,3)";
                /// The coordinate of `to` at the colexicographic position that `c` has in `from`.
                Crd2Crd "crd2crd" [] (c: coord, from: shape, to: shape) -> tuple on shape = TupleValue::crd2crd => ("(3,1)", "(4,6)", "(8,3)") "(7,0)";
                /// The colexicographic position of a coordinate of a shape.
                Crd2IdxShape "crd2idx_shape" [] (shape: shape, c: coord) -> integer on shape = TupleValue::crd2idx_shape => ("(4,6)", "(3,2)") "11";
                /// The coordinate at a colexicographic position of a shape; the last mode takes the whole quotient.
                Idx2CrdShape "idx2crd_shape" [] (shape: shape, i: coord) -> tuple on shape = TupleValue::idx2crd => ("(4,6)", "11") "(3,2)";
                /// The next coordinate of a shape in colexicographic order.
                IncrementCoord "increment_coord" [] (c: coord, shape: shape) -> tuple on shape = TupleValue::increment => ("(3,2)", "(4,6)") "(0,3)";
                /// The modes that `c` marks with `_`; the others are fixed, `R(k) + offset = L(c with k for each _)`.
                Slice "slice" [] (l: layout, c: coord) -> layout on domain = LayoutValue::kept => ("(4,2,3):(1,4,8)", "(2,_,1)") "(2):(4)";

                /// The shape of the coalesced column-major layout of a shape.
                CoalesceShape "coalesce_shape" [] (shape: tuple) -> tuple on shape = TupleValue::coalesce_shape => ("(4,(2,3))") "24";
                /// 1 if two tuples are nested alike, else 0.
                Congruent "congruent" [] (a: coord, b: coord) -> truth on shape by nesting => ("(4,(2,3))", "(1,(2,2))") "1";
                /// 1 if replacing integers of `a` by tuples can give the nesting of `b`, else 0.
                WeaklyCongruent "weakly_congruent" [] (a: coord, b: coord) -> truth on shape by nesting => ("(4,6)", "(4,(2,3))") "1";
                /// 1 if `b` refines `a`, else 0: each integer of `a` is the product of the integers that replace it in `b`.
                Compatible "compatible" [] (a: tuple, b: tuple) -> truth on shape = TupleValue::compatible => ("(4,6)", "(4,(2,3))") "1";
                /// 1 if every mode of `a` is a multiple of the corresponding mode of `b`, else 0.
                EvenlyDivides "evenly_divides" [] (a: tuple, b: tuple) -> truth on shape = TupleValue::evenly_divides => ("(8,6)", "(4,3)") "1";
                /// 1 if each integer of `a` is less than the corresponding integer of `b`, else 0.
                ElemLess "elem_less" ["int_lt"] (a: tuple, b: tuple) -> truth on shape = TupleValue::elem_less => ("(1,2)", "(4,6)") "1";
                /// 1 if two layouts have the same size, and the same index at every linear coordinate, else 0.
                EqualFunctions "equal_functions" ["functionally_equal"] (a: any, b: any) -> truth on itself by equal_functions => ("((2,2),3):((1,2),4)", "12:1") "1";
                /// 1 if no two coordinates of a layout share an index, else 0.
                Injective "injective" [] (l: any) -> truth on itself by injective => ("(4,8):(8,1)") "1";
                /// 1 if two layouts have no index in common, else 0.
                Disjoint "disjoint" [] (a: any, b: any) -> truth on itself by disjoint => ("(4,8):(1,8)", "4:4") "0";
                /// 1 if every index of `b` is an index of `a`, else 0. A number `n` has the indices from 0 to `n - 1`.
                Covers "covers" [] (a: any, b: any) -> truth on itself by covers => ("(4,8):(8,1)", "32") "1";
                /// 1 if all indices of a layout are from 0 to `n - 1`, else 0.
                InBounds "in_bounds" [] (l: any, n: number) -> truth on itself by in_bounds => ("(4,8):(1,5)", "39") "1";
                /// 1 if two tuples are the same, else 0.
                Equal "equal" ["int_eq"] (a: coord, b: coord) -> truth on nothing by equal => ("(4,6)", "(4,(2,3))") "0";
                /// The quotients rounded up; for a layout `b`, the numbers of its copies that cover the shape `a`.
                CeilDiv "ceil_div" [] (a: tuple, b: any) -> tuple on shape by ceil_div => ("(10,6)", "(4,3)") "(3,2)";
                /// The integers of `a`, each rounded up to a multiple of the corresponding integer of `b`.
                RoundUp "round_up" [] (a: tuple, b: tuple) -> tuple on shape of TupleValue::elementwise => ("(10,6)", "(4,3)") "(12,6)";
                /// The quotients of corresponding integers, rounded up; one of the two must divide the other.
                ShapeDiv "shape_div" [] (a: tuple, b: tuple) -> tuple on shape of TupleValue::elementwise => ("(12,2)", "(4,6)") "(3,1)";
                /// The products of corresponding integers.
                ElemScale "elem_scale" [] (a: tuple, b: tuple) -> tuple on shape of TupleValue::elementwise => ("(4,6)", "(2,3)") "(8,18)";
                /// The sums of corresponding integers; modes that only one tuple has stay as they are.
                TupleAdd "tuple_add" ["int_add"] (a: tuple, b: tuple) -> tuple on shape of TupleValue::elementwise => ("(4,6)", "(2,3)") "(6,9)";
                /// The differences of corresponding integers; modes that only one tuple has stay as they are.
                TupleSub "tuple_sub" ["int_sub"] (a: tuple, b: tuple) -> tuple on shape of TupleValue::elementwise => ("(4,6)", "(2,3)") "(2,3)";
                /// The largest integer of a tuple, or the larger ones of two tuples.
                TupleMax "tuple_max" ["int_max"] (a: tuple) -> tuple on shape by fold_or_pair => ("(4,(2,6))") "6";
                /// The smallest integer of a tuple, or the smaller ones of two tuples.
                TupleMin "tuple_min" ["int_min"] (a: tuple) -> tuple on shape by fold_or_pair => ("(4,(2,6))") "2";
                /// The greatest common divisor of all integers.
                TupleGcd "tuple_gcd" ["int_gcd"] (a: tuple) -> integer on shape by fold_or_pair => ("(4,(2,6))") "2";
                /// The sum of all integers.
                TupleSum "tuple_sum" [] (a: tuple) -> integer on shape of TupleValue::fold => ("(4,(2,6))") "12";
                /// The product of all integers.
                Product "tuple_product" ["product"] (a: tuple) -> integer on shape of TupleValue::fold => ("(4,(2,6))") "48";
                /// The product of each mode.
                ProductEach "tuple_product_each" ["product_each"] (a: tuple) -> tuple on shape = TupleValue::product_each => ("(4,(2,6))") "(4,12)";
                /// The products of `a` at the leaves of `guide`.
                ProductLike "product_like" [] (a: tuple, guide: tuple) -> tuple on shape = TupleValue::product_like => ("(4,(2,6))", "(1,1)") "(4,12)";
                /// The sum of the products of corresponding integers.
                InnerProduct "inner_product" [] (a: tuple, b: tuple) -> integer on shape = TupleValue::inner_product => ("(3,2)", "(1,4)") "11";
                /// The products of the integers to the left: the strides of the column-major layout.
                PrefixProduct "prefix_product" [] (a: tuple) -> tuple on shape = TupleValue::prefix_product => ("(4,2,6)") "(1,4,8)";
                /// The products of the integers to the right: the strides of the row-major layout.
                SuffixProduct "suffix_product" [] (a: tuple) -> tuple on shape = TupleValue::suffix_product => ("(4,2,6)") "(12,6,1)";
                /// The products of corresponding integers.
                IntMul "int_mul" [] (a: tuple, b: tuple) -> tuple on nothing of TupleValue::elementwise => ("6", "7") "42";
                /// The quotients of corresponding integers, rounded down.
                IntDiv "int_div" [] (a: tuple, b: tuple) -> tuple on nothing of TupleValue::elementwise => ("-7", "2") "-4";
                /// The remainders of corresponding integers, never negative.
                IntMod "int_mod" [] (a: tuple, b: tuple) -> tuple on nothing of TupleValue::elementwise => ("-7", "2") "1";
            }
        }
    };
}
