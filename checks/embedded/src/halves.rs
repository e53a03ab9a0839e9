//! A picture at half its size. Its tiles of four lines come by DMA into two buffers in turn: one fills while the other is read.

use crate::dma::{dma_start, dma_wait};
use crd2idx::prelude::*;

layout! {
    /// A picture of 24 lines, in external memory: column, line.
    pub type Picture = (32,24) : (1,32);
    /// Two buffers of four lines: column, line, buffer.
    pub type Buffers = (32,4,2) : (1,32,128);
    /// A picture of half the size: column, line.
    pub type Half = (16,12) : (1,16);
}

/// Starts the transfer of the tile `t` to its buffer. The tile and the buffer are contiguous: one descriptor has both.
#[inline(always)]
fn fetch(picture: &Owned<u8, Picture, 768>, buffers: &mut Owned<u8, Buffers, 256>, t: usize) {
    let tiles = picture.view().zipped_divide(shape!(32, 4));
    let (tile, mut buffer) = (tiles.slice((Keep, (0, t))), buffers.slice_mut((Keep, Keep, t % 2)));
    if let (Some(source), Some(target)) = (tile.contiguous(), buffer.contiguous_mut()) {
        // SAFETY: both slices have 128 bytes. Nothing uses this buffer until the next `dma_wait`.
        unsafe { dma_start(source.as_ptr(), target.as_mut_ptr(), source.len()) };
    }
}

/// Sets each pixel of `half` to the mean of four pixels of the picture.
pub fn halve(picture: &Owned<u8, Picture, 768>, buffers: &mut Owned<u8, Buffers, 256>, half: &mut Owned<u8, Half, 192>) {
    fetch(picture, buffers, 0);
    for t in 0..6 {
        dma_wait();
        if t < 5 {
            fetch(picture, buffers, t + 1);
        }
        // The coordinates of a block: in the block, then its column and line, and the buffer.
        let blocks = buffers.view().zipped_divide(shape!(2, 2));
        let mut tiles = half.view_mut().zipped_divide(shape!(16, 2));
        tiles.slice_mut(((Keep, Keep), (0, t))).for_each_at_mut(|(column, line): (usize, usize), mean| {
            let pixel = |i, j| u32::from(blocks[((i, j), (column, line, t % 2))]);
            *mean = ((pixel(0, 0) + pixel(1, 0) + pixel(0, 1) + pixel(1, 1)) / 4) as u8;
        });
    }
}
