//! The centre of a touch on a matrix of sensors with 12 columns, of which the program knows the number of rows and their stride.

use crd2idx::prelude::*;

/// The centre of a touch, in 1/256 of the distance of two sensors, and the sum of all signals.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Touch {
    pub row: u32,
    pub column: u32,
    pub strength: u32,
}

/// Returns the centre of the signals above the noise; `None` if `samples` is shorter than the matrix.
pub fn centre(samples: &[u16], rows: usize, stride: usize, noise: u32) -> Option<Touch> {
    let sensors = Tensor::new(samples, layout!((rows, 12) : (stride, 1))).ok()?;
    let mut touch = Touch::default();
    sensors.for_each_at(|(row, column): (usize, usize), sample| {
        let signal = u32::from(*sample).saturating_sub(noise);
        touch.strength += signal;
        touch.row += signal * row as u32;
        touch.column += signal * column as u32;
    });
    if touch.strength > 0 {
        touch.row = touch.row * 256 / touch.strength;
        touch.column = touch.column * 256 / touch.strength;
    }
    Some(touch)
}
