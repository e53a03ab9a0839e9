//! The facade without std. A dependency that links std would add a second panic handler, and the build would fail.
#![no_std]

pub mod filter;
pub mod fir;

use crd2idx::level::{Ascending, Chain, Compressed, End, Fixed, Ragged, Then};
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
    /// True if the row of the thread is in the matrix.
    fn inside = valid reverse(block, thread) -> row;
}

/// Returns the index of an element of a matrix that blocks of threads process; the index of element (0, 0, 3) if the row of
/// the thread is not in the matrix.
#[unsafe(no_mangle)]
pub extern "C" fn element_of(block: usize, thread: usize, col: usize, rows: usize) -> usize {
    const FIRST: usize = element(0, 0, 3);
    if inside(block, thread, rows) { element(block, thread, col) } else { FIRST }
}

/// Returns the sum of the indices of `(i, j)` in a static, a mixed and a dynamic layout.
#[unsafe(no_mangle)]
pub extern "C" fn indices(m: usize, ld: usize, i: usize, j: usize) -> usize {
    let mixed = layout!((m, 64) : (1, ld));
    let dynamic = DynLayout::<4>::parse("(4,8):(1,4)").ok().and_then(|l| l.index(&[i, j])).unwrap_or(0);
    Tile.crd2idx((i, j)) + mixed.crd2idx((i, j)) + dynamic
}

/// A sparse matrix of 3 x 4 and a table with rows of any length, in flash: the arrays, and the levels over them.
static POSITIONS: [u16; 4] = [0, 2, 2, 3];
static COLUMNS: [u8; 3] = [1, 3, 2];
static VALUES: [f32; 3] = [0.5, 1.5, 2.5];
type Csr = Then<Fixed<Int<3>>, Then<Compressed<&'static [u16; 4], &'static [u8; 3]>, End>>;
static MATRIX: Csr = Then(Fixed::new(Int), Then(Compressed::trusted(&POSITIONS, &COLUMNS, 4, Ascending), End));

static OFFSETS: [u8; 5] = [0, 3, 3, 4, 6];
static TABLE: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
static ROWS: Then<Fixed<Int<4>>, Then<Ragged<&'static [u8; 5]>, End>> = Then(Fixed::new(Int), Then(Ragged::trusted(&OFFSETS), End));

/// Computes `y += A x` for the matrix `A` in flash.
///
/// # Safety
///
/// `x` has 4 elements and `y` has 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn times_vector(x: *const f32, y: *mut f32) {
    // SAFETY: the caller promises the lengths.
    let (x, y) = unsafe { (&*x.cast::<[f32; 4]>(), &mut *y.cast::<[f32; 3]>()) };
    let _ = MATRIX.walk(0, &mut |(i, (j, ())), k| {
        if let (Some(sum), Some(value), Some(x)) = (y.get_mut(i), VALUES.get(k), x.get(j)) {
            *sum += value * x;
        }
        core::ops::ControlFlow::<()>::Continue(())
    });
}

/// Returns the sum of a row of the table; 0 if there is no such row.
#[unsafe(no_mangle)]
pub extern "C" fn row_sum(row: usize) -> f32 {
    let Then(_, rows) = &ROWS;
    let mut sum = 0.0;
    let _ = rows.walk(row, &mut |_, k| {
        sum += TABLE.get(k).copied().unwrap_or(0.0);
        core::ops::ControlFlow::<()>::Continue(())
    });
    sum
}

/// Takes the next line of an image. Returns true if `out` now has a blurred line.
#[unsafe(no_mangle)]
pub extern "C" fn blur(state: &mut filter::Blur, line: &[u8; filter::WIDTH], out: &mut [u8; filter::WIDTH]) -> bool {
    state.push(line, out)
}
