//! A bank of FIR filters for a microcontroller. Samples come in frames, all state has a constant size, and there
//! is no heap.

use crd2idx::prelude::*;

/// The number of filters, of taps per filter, and of samples per frame.
pub const BANDS: usize = 4;
pub const TAPS: usize = 8;
pub const FRAME: usize = 16;

layout! {
    /// The taps of each filter: `(tap, band)`.
    pub type Taps = (8,4) : (1,8);
}
layout! {
    /// For each output, the samples that it depends on: `(tap, t)`. The samples of the next output begin one later.
    pub type Seen = (8,16) : (1,1);
}
layout! {
    /// The outputs of each filter: `(t, band)`.
    pub type Out = (16,4) : (1,16);
}

/// A bank of filters with a common input. It keeps the samples that the next frame needs.
pub struct Bank {
    taps: Owned<i32, Taps, { TAPS * BANDS }>,
    /// The last `TAPS - 1` samples of the previous frame, then the samples of this frame.
    samples: Owned<i32, Seen, { TAPS - 1 + FRAME }>,
}

impl Bank {
    /// Creates the bank. The taps of each filter begin with the tap of the oldest sample. The input before the
    /// first frame is 0.
    pub const fn new(taps: [i32; TAPS * BANDS]) -> Self {
        Bank { taps: Owned::from_array(Taps, taps), samples: Owned::filled(Seen, 0) }
    }

    /// Takes a frame. Sets `out(t, band)` to the sum, over the last `TAPS` samples at the time `t`, of each sample times
    /// its tap.
    pub fn push(&mut self, frame: &[i32; FRAME], out: &mut Owned<i32, Out, { FRAME * BANDS }>) {
        let samples = self.samples.as_mut_slice();
        samples.copy_within(FRAME.., 0);
        samples[TAPS - 1..].copy_from_slice(frame);
        out.for_each_at_mut(|(t, band): (usize, usize), sum| {
            let (taps, seen) = (self.taps.slice((Keep, band)), self.samples.slice((Keep, t)));
            *sum = taps.iter().zip(seen.iter()).map(|(tap, x)| tap * x).sum();
        });
    }
}
