//! The four programs written by hand, with arrays and indices.

use crate::dma::{dma_start, dma_wait};
use crate::filter::WIDTH;
use crate::touch::Touch;

const WEIGHTS: [u32; 3] = [1, 2, 1];

#[repr(C)]
pub struct Blur {
    lines: [[u8; 40]; 3],
    next: usize,
    filled: usize,
}

impl Blur {
    pub const fn new() -> Self {
        Blur { lines: [[0; 40]; 3], next: 0, filled: 0 }
    }

    pub fn push(&mut self, line: &[u8; WIDTH], out: &mut [u8; WIDTH]) -> bool {
        self.lines[self.next][..WIDTH].copy_from_slice(line);
        self.next = if self.next == 2 { 0 } else { self.next + 1 };
        if self.filled < 2 {
            self.filled += 1;
            return false;
        }
        *out = [0; WIDTH];
        for x in 1..WIDTH - 1 {
            let mut sum = 8;
            for (age, weight) in WEIGHTS.iter().enumerate() {
                let row = self.next + age;
                let row = if row >= 3 { row - 3 } else { row };
                let pixel = |k| u32::from(self.lines[row][x + k - 1]);
                sum += weight * (pixel(0) + 2 * pixel(1) + pixel(2));
            }
            out[x] = (sum >> 4) as u8;
        }
        true
    }
}

const GAMMA: [[u8; 3]; 16] = {
    let mut table = [[0; 3]; 16];
    let mut level = 0;
    while level < 16 {
        let full = (level * level * 255 / 225) as u8;
        table[level] = [full, (level * level * 200 / 225) as u8, full];
        level += 1;
    }
    table
};

pub fn show(picture: &[[[u8; 3]; 16]; 16], wire: &mut [u8; 768]) {
    let mut leds = wire.iter_mut();
    for module in 0..4 {
        for row in 0..8 {
            for column in 0..8 {
                let pixel = &picture[module / 2 * 8 + row][module % 2 * 8 + column];
                for color in 0..3 {
                    if let Some(led) = leds.next() {
                        *led = GAMMA[usize::from(pixel[color] >> 4)][color];
                    }
                }
            }
        }
    }
}

pub fn halve(picture: &[[u8; 128]; 6], buffers: &mut [[[u8; 32]; 4]; 2], half: &mut [[[u8; 16]; 2]; 6]) {
    // SAFETY: a tile and a buffer have 128 bytes. Nothing uses this buffer until the next `dma_wait`.
    unsafe { dma_start(picture[0].as_ptr(), buffers[0].as_mut_ptr().cast(), 128) };
    for t in 0..6 {
        dma_wait();
        if t < 5 {
            // SAFETY: as above.
            unsafe { dma_start(picture[t + 1].as_ptr(), buffers[(t + 1) % 2].as_mut_ptr().cast(), 128) };
        }
        let buffer = &buffers[t % 2];
        for y in 0..2 {
            for x in 0..16 {
                let pixel = |i: usize, j: usize| u32::from(buffer[2 * y + i][2 * x + j]);
                half[t][y][x] = ((pixel(0, 0) + pixel(0, 1) + pixel(1, 0) + pixel(1, 1)) / 4) as u8;
            }
        }
    }
}

pub fn centre(samples: &[u16], rows: usize, stride: usize, noise: u32) -> Option<Touch> {
    if rows > 0 && (rows - 1) as u64 * stride as u64 + 12 > samples.len() as u64 {
        return None;
    }
    let mut touch = Touch::default();
    for row in 0..rows {
        for (column, sample) in samples[row * stride..][..12].iter().enumerate() {
            let signal = u32::from(*sample).saturating_sub(noise);
            touch.strength += signal;
            touch.row += signal * row as u32;
            touch.column += signal * column as u32;
        }
    }
    if touch.strength > 0 {
        touch.row = touch.row * 256 / touch.strength;
        touch.column = touch.column * 256 / touch.strength;
    }
    Some(touch)
}
