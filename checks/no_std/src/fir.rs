//! A bank of FIR filters for a microcontroller: samples come in frames, all state has a constant size, no heap.

use crd2idx::prelude::*;

/// Filters, taps of each, samples of a frame.
pub const BANDS: usize = 4;
pub const TAPS: usize = 8;
pub const FRAME: usize = 16;

layout! {
    /// The taps of each filter.
    pub type Taps = (8,4) : (1,8);
}
layout! {
    /// The samples that each output sees: those of its neighbour, one further.
    pub type Seen = (8,16) : (1,1);
}
layout! {
    /// The outputs of each filter.
    pub type Out = (16,4) : (1,16);
}

/// Filters that share their input.
pub struct Bank {
    taps: Owned<i32, Taps, { TAPS * BANDS }>,
    /// The last samples of the frame before, and those of this one.
    samples: Owned<i32, Seen, { TAPS - 1 + FRAME }>,
}

impl Bank {
    /// The taps, of each filter that of the oldest sample first; silence before the first frame.
    pub const fn new(taps: [i32; TAPS * BANDS]) -> Self {
        Bank { taps: Owned::from_array(Taps, taps), samples: Owned::filled(Seen, 0) }
    }

    /// Takes a frame: `out(t, band)` is the sum of the last samples at `t`, each times its tap.
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
