//! The smallest program that indexes tensors, and levels, with checks: it has no allocator, and nothing of its panics formats text.
#![no_std]
#![no_main]

use core::hint::black_box;
use crd2idx::level::{Compressed, End, Fixed, Root, Then};
use crd2idx::prelude::*;

#[cfg_attr(target_arch = "arm", path = "cortex_m.rs")]
#[cfg_attr(not(target_arch = "arm"), path = "riscv.rs")]
#[allow(dead_code)]
mod machine;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// A panic halts, and so does a fault.
#[unsafe(no_mangle)]
extern "C" fn fault() -> ! {
    loop {}
}

layout! { type Image = (8,16) : (20,1); }
/// The tiles of an image. The algebra divides it in a constant.
type Tiles = ZippedDivide<Image, (Int<2>, Int<4>)>;

static POSITIONS: [u16; 4] = [0, 2, 2, 3];
static COLUMNS: [u8; 3] = [1, 3, 2];
static VALUES: [u8; 3] = [5, 2, 7];

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    let mut image = Owned::<u8, Image, 156>::filled(Image, 1);
    let (row, column) = black_box((2, 3));
    image[(row, column)] = 200;
    let tiles = image.view().zipped_divide(shape!(2, 4));
    let mut sum = usize::from(tiles[((row % 2, 3), (row, 0))]) + Tiles::default().crd2idx((row, column));
    if let Ok(columns) = Compressed::new(&POSITIONS, &COLUMNS, 4)
        && let Ok(matrix) = Root::new(Then(Fixed::new(3), Then(columns, End)))
        && let Some(position) = matrix.locate((row, (column, ())))
    {
        sum += usize::from(VALUES[position]);
    }
    black_box(sum);
    machine::semihosting(0x18, 0x20026);
    loop {}
}
