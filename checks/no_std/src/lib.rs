//! The facade without std: any dependency that links it brings a second panic handler, and the build fails.
#![no_std]

use crd2idx::prelude::*;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

layout! { type Tile = zipped_divide((32,16):(1,32), (8,4)); }

graph! {
    param rows: 1..;
    dim a, row = rows : 40, col = 40 : 1, block, i = 8, thread = 256, lane = 32;
    Split(a -> row, col);
    Tile(row -> block, i);
    Flatten(i, lane -> thread);

    /// The element of a thread.
    fn element = reverse(block, thread, col) -> a;
    /// Whether its row is one of the matrix.
    fn inside = valid reverse(block, thread) -> row;
}

/// An element of a coordinate graph, or the end.
#[unsafe(no_mangle)]
pub extern "C" fn element_of(block: usize, thread: usize, col: usize, rows: usize) -> usize {
    const FIRST: usize = element(0, 0, 3);
    if inside(block, thread, rows) { element(block, thread, col) } else { FIRST }
}

/// An index of a static, a mixed and a dynamic layout.
#[unsafe(no_mangle)]
pub extern "C" fn indices(m: usize, ld: usize, i: usize, j: usize) -> usize {
    let mixed = layout!((m, 64) : (1, ld));
    let dynamic = DynLayout::<4>::parse("(4,8):(1,4)").ok().and_then(|l| l.index(&[i, j])).unwrap_or(0);
    Tile.crd2idx((i, j)) + mixed.crd2idx((i, j)) + dynamic
}
