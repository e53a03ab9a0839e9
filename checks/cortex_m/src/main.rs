//! Compares the filter of `checks/no_std` with the same filter on arrays: their lines must be equal, and the
//! instructions per line are printed.
#![no_std]
#![no_main]

#[path = "../../no_std/src/filter.rs"]
mod filter;
mod hand;

use core::hint::black_box;
use cortex_m::peripheral::{SYST, syst::SystClkSource};
use cortex_m_semihosting::{debug, hprintln};
use filter::WIDTH;

/// The number of lines of a run.
const LINES: u32 = 1000;

/// The number of instructions per tick of the timer. An instruction takes a nanosecond (`-icount shift=0`), and
/// the board has 25 MHz.
const TICK: u32 = 40;

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    hprintln!("{}", info);
    debug::exit(debug::EXIT_FAILURE);
    loop {}
}

#[inline(never)]
#[unsafe(no_mangle)]
fn blur_tensors(state: &mut filter::Blur, line: &[u8; WIDTH], out: &mut [u8; WIDTH]) -> bool {
    state.push(line, out)
}

#[inline(never)]
#[unsafe(no_mangle)]
fn blur_arrays(state: &mut hand::Blur, line: &[u8; WIDTH], out: &mut [u8; WIDTH]) -> bool {
    state.push(line, out)
}

/// Returns line `y` of the image.
fn line(y: u32) -> [u8; WIDTH] {
    core::array::from_fn(|x| (x as u32 * x as u32 + 31 * y * y % 251) as u8)
}

/// Returns the mean number of instructions of `push` for a line of the image.
fn count(mut push: impl FnMut(&[u8; WIDTH]) -> bool) -> u32 {
    let line = line(7);
    for _ in 0..2 {
        push(&line);
    }
    let begin = SYST::get_current();
    for _ in 0..LINES {
        black_box(push(black_box(&line)));
    }
    // The timer counts down.
    (begin.wrapping_sub(SYST::get_current()) & 0xff_ffff) * TICK / LINES
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (mut tensors, mut arrays) = (filter::Blur::new(), hand::Blur::new());
    for y in 0..20 {
        let (mut a, mut b) = ([0; WIDTH], [0; WIDTH]);
        let given = (blur_tensors(&mut tensors, &line(y), &mut a), blur_arrays(&mut arrays, &line(y), &mut b));
        assert!(given.0 == given.1 && a == b, "line {y}");
    }
    // SAFETY: nothing else uses the peripherals.
    let mut timer = unsafe { cortex_m::Peripherals::steal() }.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(0xff_ffff);
    timer.clear_current();
    timer.enable_counter();
    let mut out = [0; WIDTH];
    let by_tensors = count(|line| blur_tensors(&mut tensors, line, &mut out));
    let by_arrays = count(|line| blur_arrays(&mut arrays, line, &mut out));
    hprintln!("instructions a line: {} by tensors, {} by arrays", by_tensors, by_arrays);
    debug::exit(debug::EXIT_SUCCESS);
    loop {}
}
