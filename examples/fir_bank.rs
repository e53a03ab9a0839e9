//! A bank of filters as a microcontroller runs it. The filters are in `checks/no_std/src/fir.rs`, which is also
//! built without std for Cortex-M: `cargo run --example fir_bank`.

#[path = "../checks/no_std/src/fir.rs"]
mod fir;

use crd2idx::prelude::*;
use fir::{BANDS, Bank, FRAME, Out, Seen, TAPS};

/// Compares the outputs with the definition on the whole signal.
pub fn main() {
    let taps: [i32; TAPS * BANDS] = std::array::from_fn(|k| (k * 5 % 11) as i32 - 4);
    let signal: Vec<i32> = (0..5 * FRAME).map(|t| (t * t % 37) as i32 - 18).collect();
    let mut bank = Bank::new(taps);
    let mut out = Owned::filled(Out, 0);
    for (f, frame) in signal.as_chunks().0.iter().enumerate() {
        bank.push(frame, &mut out);
        out.for_each_at(|(t, band): (usize, usize), sum| {
            let last = f * FRAME + t;
            let products = (0..TAPS.min(last + 1)).map(|age| taps[band * TAPS + TAPS - 1 - age] * signal[last - age]);
            assert_eq!(*sum, products.sum::<i32>(), "frame {f}, ({t},{band})");
        });
    }
    println!("{BANDS} filters of {TAPS} taps over {}, in {} bytes", Seen::NOTATION, size_of::<Bank>());
}
