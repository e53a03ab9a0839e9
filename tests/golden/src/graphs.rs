//! Functions that `graph!` makes from coordinate graphs.

use layout_macros::graph;

graph! {
    param ld: 1..;
    dim a, row = _ : ld, col = _ : 1;
    dim block_row, i = 16, block_col, j = 64;
    Split(a -> row, col);
    Tile(row -> block_row, i);
    Tile(col -> block_col, j);
    #[unsafe(no_mangle)]
    pub fn graph_tile_layout = reverse(block_row, i, block_col, j) -> a;
    #[unsafe(no_mangle)]
    pub fn graph_next_tile_layout = delta block_row by 2 reverse(block_row, i, block_col, j) -> a;
    #[unsafe(no_mangle)]
    pub fn graph_const_delta_layout = delta block_col reverse(block_row, i, block_col, j) -> a;
}

#[unsafe(no_mangle)]
pub fn graph_tile_hand(block_row: usize, i: usize, block_col: usize, j: usize, ld: usize) -> usize {
    (block_row * 16 + i) * ld + block_col * 64 + j
}

#[unsafe(no_mangle)]
pub fn graph_next_tile_hand(block_row: usize, i: usize, block_col: usize, j: usize, ld: usize) -> usize {
    32 * ld
}

#[unsafe(no_mangle)]
pub fn graph_const_delta_hand(block_row: usize, i: usize, block_col: usize, j: usize) -> usize {
    64
}

graph! {
    dim a, row = 256 : 128, col = 128 : 1;
    dim block_row, mi = 128, block_col, ki = 32, wave_row, m2 = 32, wave_col, k2 = 8;
    Split(a -> row, col);
    Tile(row -> block_row, mi);
    Tile(col -> block_col, ki);
    Tile(mi -> wave_row, m2);
    Tile(ki -> wave_col, k2);
    #[unsafe(no_mangle)]
    pub fn graph_gemm_static_layout = reverse(block_row, wave_row, m2, block_col, wave_col, k2) -> a;
}

#[unsafe(no_mangle)]
pub fn graph_gemm_static_hand(block_row: usize, wave_row: usize, m2: usize, block_col: usize, wave_col: usize, k2: usize) -> usize {
    ((block_row * 4 + wave_row) * 32 + m2) * 128 + (block_col * 4 + wave_col) * 8 + k2
}

graph! {
    param ld: 1..;
    dim a, row = _ : ld, col = _ : 1;
    dim block_row, mi = 128, block_col, ki = 32, wave_row, m2 = 32, wave_col, k2 = 8;
    Split(a -> row, col);
    Tile(row -> block_row, mi);
    Tile(col -> block_col, ki);
    Tile(mi -> wave_row, m2);
    Tile(ki -> wave_col, k2);
    #[unsafe(no_mangle)]
    pub fn graph_gemm_ld_layout = reverse(block_row, wave_row, m2, block_col, wave_col, k2) -> a;
}

#[unsafe(no_mangle)]
pub fn graph_gemm_ld_hand(block_row: usize, wave_row: usize, m2: usize, block_col: usize, wave_col: usize, k2: usize, ld: usize) -> usize {
    ((block_row * 4 + wave_row) * 32 + m2) * ld + (block_col * 4 + wave_col) * 8 + k2
}

// A workgroup of 256 threads copies 128 x 32 elements in four passes of four elements each, into rows of 36.
graph! {
    param m: 1..=65536, k: 1..=65536 % 4, lda: 1..=65536 % 4;
    dim a, row = m : lda, col = k : 1;
    dim block = ceil_div(m, 128), mi = 128 : 36, step = ceil_div(k, 32), ki = 32 : 1;
    dim pass = 4, tm = 32, tk = 8, v = 4, thread = 256, shared;
    Split(a -> row, col);
    Tile(row -> block, mi);
    Tile(col -> step, ki);
    Tile(mi -> pass, tm);
    Tile(ki -> tk, v);
    Flatten(tm, tk -> thread);
    Split(shared -> mi, ki);
    #[unsafe(no_mangle)]
    pub fn graph_copy_layout = reverse(block, step, pass, thread, v) -> (a, shared);
    #[unsafe(no_mangle)]
    pub fn graph_inside_layout = valid reverse(block, step, pass, thread, v) -> a;
}

#[unsafe(no_mangle)]
pub fn graph_copy_hand(block: usize, step: usize, pass: usize, thread: usize, v: usize, lda: usize) -> (usize, usize) {
    let (row, col) = (pass * 32 + thread / 8, thread % 8 * 4 + v);
    ((block * 128 + row) * lda + step * 32 + col, row * 36 + col)
}

#[unsafe(no_mangle)]
pub fn graph_inside_hand(block: usize, step: usize, pass: usize, thread: usize, v: usize, m: usize, k: usize) -> bool {
    // `k` is a multiple of 4.
    block * 128 + pass * 32 + thread / 8 < m && step * 32 + thread % 8 * 4 < k
}

graph! {
    dim thread = 256, row, col = 32;
    Tile(thread -> row, col);
    #[unsafe(no_mangle)]
    pub fn graph_threads_layout = forward(thread) -> (row, col);
}

#[unsafe(no_mangle)]
pub fn graph_threads_hand(thread: usize) -> (usize, usize) {
    (thread / 32, thread % 32)
}

graph! {
    flatten sizes;
    dim shared, row = 32 : 36, col = 32 : 1, thread = 256, v = 4, element = 1024;
    Flatten(thread, v -> element);
    Tile(element -> row, col);
    Join(row, col -> shared);
    #[unsafe(no_mangle)]
    pub fn graph_padded_layout = forward(thread, v) -> shared;
}

#[unsafe(no_mangle)]
pub fn graph_padded_hand(thread: usize, v: usize) -> usize {
    // Rows of 32 elements, and 4 more after each.
    (thread + thread / 8) * 4 + v
}

graph! {
    dim m = 10, n = 12, k = 512, tile = 61440;
    dim streamed = 28672, parallel = 32768, part = 2;
    dim group = 32, step = 896, parallel_group = 32, parallel_step = 1024;
    Flatten(m, n, k -> tile);
    Sunder(tile -> streamed, parallel, part);
    Tile(streamed -> group, step);
    Tile(parallel -> parallel_group, parallel_step);
    #[unsafe(no_mangle)]
    pub fn graph_streamed_layout = reverse(group, step, part = 0) -> (m, n, k);
    #[unsafe(no_mangle)]
    pub fn graph_in_parallel_layout = reverse(parallel_group, parallel_step, part = 1) -> (m, n, k);
    #[unsafe(no_mangle)]
    pub fn graph_stream_k_layout = reverse(group, step, parallel_group, parallel_step, part) -> tile;
}

#[unsafe(no_mangle)]
pub fn graph_streamed_hand(group: usize, step: usize) -> (usize, usize, usize) {
    let tile = group * 896 + step;
    (tile / 6144, tile / 512 % 12, tile % 512)
}

#[unsafe(no_mangle)]
pub fn graph_in_parallel_hand(group: usize, step: usize) -> (usize, usize, usize) {
    // 28672 is 56 times 512.
    let column = 56 + group * 2 + step / 512;
    (column / 12, column % 12, step % 512)
}

#[unsafe(no_mangle)]
pub fn graph_stream_k_hand(group: usize, step: usize, parallel_group: usize, parallel_step: usize, part: usize) -> usize {
    if part == 0 { group * 896 + step } else { 28672 + parallel_group * 1024 + parallel_step }
}

// 22 x 7 workgroups in strips of 4 rows, column by column; the last two rows are left over.
graph! {
    dim wg = 154, group, row_in_group = 4, strip, col_in_strip = 7, is_tail, in_strips = 140, tail_col, tail_row = 2;
    dim row = 22, col = 7;
    Tile(wg -> is_tail, in_strips);
    Tile(wg -> group, row_in_group);
    Tile(group -> strip, col_in_strip);
    Tile(in_strips -> tail_col, tail_row);
    PiecewiseAffineJoin(is_tail, strip, row_in_group, tail_row -> row; if is_tail == 0 { 4 * strip + row_in_group } else { tail_row + 20 });
    PiecewiseAffineJoin(is_tail, col_in_strip, tail_col -> col; if is_tail == 0 { col_in_strip } else { tail_col });
    #[unsafe(no_mangle)]
    pub fn graph_workgroup_layout = forward(wg) -> (row, col);
}

#[unsafe(no_mangle)]
pub fn graph_workgroup_hand(wg: usize) -> (usize, usize) {
    if wg < 140 {
        let group = wg / 4;
        (group / 7 * 4 + wg % 4, group % 7)
    } else {
        (20 + wg % 2, wg / 2 - 70)
    }
}

graph! {
    param rows: 1..=65536, cols: 1..=65536, group: 1..=64;
    dim wg = rows * cols, of_rows, row_in_group = group, strip, strip_col = cols;
    dim rest, tail_col, tail_row = rows % group, row = rows, col = cols;
    Tile(wg -> of_rows, row_in_group);
    Tile(of_rows -> strip, strip_col);
    Slice(wg -> rest; begin = rows / group * group * cols, end = rows * cols);
    Tile(rest -> tail_col, tail_row);
    PiecewiseAffineJoin(wg, strip, row_in_group, tail_row -> row;
        if wg < rows / group * group * cols { group * strip + row_in_group } else { tail_row + rows / group * group });
    PiecewiseAffineJoin(wg, strip_col, tail_col -> col; if wg < rows / group * group * cols { strip_col } else { tail_col });
    #[unsafe(no_mangle)]
    pub fn graph_workgroups_layout = forward(wg) -> (row, col);
}

#[unsafe(no_mangle)]
pub fn graph_workgroups_hand(wg: usize, rows: usize, cols: usize, group: usize) -> (usize, usize) {
    let in_strips = rows / group * group;
    if wg < in_strips * cols {
        let of_rows = wg / group;
        (of_rows / cols * group + wg % group, of_rows % cols)
    } else {
        let (rest, tail) = (wg - in_strips * cols, rows % group);
        (in_strips + rest % tail, rest / tail)
    }
}

// 8 x 56 x 56 x 64, padded by one, read by 3 x 3 windows with step 2.
graph! {
    flatten sizes;
    dim x, n = 8 : 200704, h = 56 : 3584, w = 56 : 64, c = 64 : 1;
    dim hp = 58, wp = 58, ho = 28, wo = 28, kh = 3, kw = 3, m = 6272, k = 576;
    Split(x -> n, h, w, c);
    Pad(h -> hp; left = 1, right = 1);
    Pad(w -> wp; left = 1, right = 1);
    Embed(hp -> ho, kh; coefficients = [2, 1]);
    Embed(wp -> wo, kw; coefficients = [2, 1]);
    Flatten(n, ho, wo -> m);
    Flatten(kh, kw, c -> k);
    #[unsafe(no_mangle)]
    pub fn graph_im2col_layout = reverse(m, k) -> x;
    #[unsafe(no_mangle)]
    pub fn graph_im2col_inside_layout = valid reverse(m, k) -> x;
}

#[unsafe(no_mangle)]
pub fn graph_im2col_hand(m: usize, k: usize) -> isize {
    // An image has 28 pairs of rows, and a row of the window has 3 times 64 elements.
    (m / 28 * 7168 + m % 28 * 128 + k / 192 * 3584 + k % 192) as isize - 3648
}

#[unsafe(no_mangle)]
pub fn graph_im2col_inside_hand(m: usize, k: usize) -> bool {
    // The padding on the other sides is never read.
    m / 28 % 28 * 2 + k / 192 >= 1 && m % 28 * 2 + k / 64 % 3 >= 1
}

graph! {
    dim place = 8, col = 8, row = 32;
    Rotate(place -> col, row; rows_per_group = 1, positions = 8);
    #[unsafe(no_mangle)]
    pub fn graph_rotate_layout = reverse(col, row) -> place;
}

#[unsafe(no_mangle)]
pub fn graph_rotate_hand(col: usize, row: usize) -> usize {
    col.wrapping_sub(row & !1) & 7
}

graph! {
    dim place = 8, col = 8, row = 32;
    Rotate(place -> col, row; rows_per_group = 2, positions = 8, inverse = true);
    #[unsafe(no_mangle)]
    pub fn graph_rotate_back_layout = reverse(col, row) -> place;
}

#[unsafe(no_mangle)]
pub fn graph_rotate_back_hand(col: usize, row: usize) -> usize {
    (col + row / 4 * 2) & 7
}

graph! {
    dim place = 8, col = 8, row = 32;
    PairSwap(place -> col, row; rows_per_group = 2);
    #[unsafe(no_mangle)]
    pub fn graph_pair_swap_layout = reverse(col, row) -> place;
}

#[unsafe(no_mangle)]
pub fn graph_pair_swap_hand(col: usize, row: usize) -> usize {
    col ^ (!(row >> 1) & 1)
}

graph! {
    dim row = 32, col = 8, row_too = 32 : 8, swizzled = 8 : 1, shared;
    Xor(row, col -> row_too, swizzled);
    Join(row_too, swizzled -> shared);
    #[unsafe(no_mangle)]
    pub fn graph_xor_layout = forward(row, col) -> shared;
}

#[unsafe(no_mangle)]
pub fn graph_xor_hand(row: usize, col: usize) -> usize {
    row * 8 + (col ^ (row % 8))
}

graph! {
    dim new = 443, cu = 56, xcc = 8, wg = 443;
    Tile(new -> cu, xcc);
    PiecewiseAffineJoin(xcc, cu -> wg; if xcc <= 3 { 56 * xcc + cu } else { 55 * xcc + cu + 3 });
    #[unsafe(no_mangle)]
    pub fn graph_xcc_layout = forward(new) -> wg;
}

#[unsafe(no_mangle)]
pub fn graph_xcc_hand(new: usize) -> usize {
    let (cu, xcc) = (new / 8, new % 8);
    if xcc <= 3 { xcc * 56 + cu } else { xcc * 55 + cu + 3 }
}

graph! {
    param n: 1.., p: 1..;
    dim i, j = n, l = p, k;
    Flatten(i, j, l -> k);
    #[unsafe(no_mangle)]
    pub fn graph_flatten_layout = forward(i, j, l) -> k;
    #[unsafe(no_mangle)]
    pub fn graph_unflatten_layout = reverse(k) -> (i, j, l);
}

#[unsafe(no_mangle)]
pub fn graph_flatten_hand(i: usize, j: usize, l: usize, n: usize, p: usize) -> usize {
    (i * n + j) * p + l
}

#[unsafe(no_mangle)]
pub fn graph_unflatten_hand(k: usize, n: usize, p: usize) -> (usize, usize, usize) {
    let row = k / p;
    (row / n, row % n, k % p)
}

graph! {
    dim i = 4 : -5, j = 5 : 1, k;
    Join(i, j -> k);
    #[unsafe(no_mangle)]
    pub fn graph_backwards_layout = forward(i, j) -> k;
}

#[unsafe(no_mangle)]
pub fn graph_backwards_hand(i: usize, j: usize) -> isize {
    j as isize - 5 * i as isize
}

graph! {
    dim source = 8, place = 4;
    Gather(source -> place; table = [6, 1, 4, 3]);
    #[unsafe(no_mangle)]
    pub fn graph_gather_layout = reverse(place) -> source;
}

#[unsafe(no_mangle)]
pub fn graph_gather_hand(place: usize) -> usize {
    [6, 1, 4, 3][place]
}

mod generic {
    layout_macros::graph! {
        const BLOCK: 1.., LD: 1..;
        dim a, row = _ : LD, col = _ : 1, block, i = BLOCK;
        Split(a -> row, col);
        Tile(row -> block, i);
        pub fn element = reverse(block, i, col) -> a;
    }
}

#[unsafe(no_mangle)]
pub fn graph_generic_layout(block: usize, i: usize, col: usize) -> usize {
    generic::element::<96, 100>(block, i, col)
}

#[unsafe(no_mangle)]
pub fn graph_generic_hand(block: usize, i: usize, col: usize) -> usize {
    (block * 96 + i) * 100 + col
}
