//! Compares four programs with layouts with the same programs written by hand in Rust and in C: the results must be equal, and the
//! instructions of each are printed. Nothing here formats text or allocates.
#![no_std]
#![no_main]

mod board;
mod dma;
#[path = "../../no_std/src/filter.rs"]
mod filter;
mod halves;
mod hand;
mod panel;
mod touch;

use core::hint::black_box;
use core::sync::atomic::Ordering::Relaxed;
use crd2idx::Owned;
use filter::WIDTH;
use touch::Touch;

/// The number of calls over which instructions are counted.
const CALLS: u32 = 100;

/// A function that a script finds by its name, and that is called as such.
macro_rules! programs {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? = $body:expr;)*) => { $(
        #[inline(never)]
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $type),*) $(-> $result)? {
            $body
        }
    )* };
}

type Picture = Owned<[u8; 3], panel::Picture, 256>;
type Wire = Owned<[u8; 3], panel::Wire, 256>;
type Source = Owned<u8, halves::Picture, 768>;
type Buffers = Owned<u8, halves::Buffers, 256>;
type Half = Owned<u8, halves::Half, 192>;
/// A source, buffers and a target as arrays.
type Tiles = [[u8; 128]; 6];
type BufferArrays = [[[u8; 32]; 4]; 2];
type HalfArray = [[[u8; 16]; 2]; 6];

programs! {
    blur_layout(state: &mut filter::Blur, line: &[u8; WIDTH], out: &mut [u8; WIDTH]) -> bool = state.push(line, out);
    blur_rust(state: &mut hand::Blur, line: &[u8; WIDTH], out: &mut [u8; WIDTH]) -> bool = state.push(line, out);
    panel_layout(picture: &Picture, wire: &mut Wire) = panel::show(picture, wire);
    panel_rust(picture: &[[[u8; 3]; 16]; 16], wire: &mut [u8; 768]) = hand::show(picture, wire);
    halves_layout(picture: &Source, buffers: &mut Buffers, half: &mut Half) = halves::halve(picture, buffers, half);
    halves_rust(picture: &Tiles, buffers: &mut BufferArrays, half: &mut HalfArray) = hand::halve(picture, buffers, half);
    touch_layout(samples: *const u16, count: usize, rows: usize, stride: usize, noise: u32, result: &mut Touch) -> bool =
        stored(touch::centre(slice(samples, count), rows, stride, noise), result);
    touch_rust(samples: *const u16, count: usize, rows: usize, stride: usize, noise: u32, result: &mut Touch) -> bool =
        stored(hand::centre(slice(samples, count), rows, stride, noise), result);
    nothing() = { black_box(()); };
}

unsafe extern "C" {
    fn blur_c(state: &mut hand::Blur, line: &[u8; WIDTH], out: &mut [u8; WIDTH]) -> bool;
    fn panel_c(picture: &[[[u8; 3]; 16]; 16], wire: &mut [u8; 768]);
    fn halves_c(picture: &Tiles, buffers: &mut BufferArrays, half: &mut HalfArray);
    fn touch_c(samples: *const u16, count: usize, rows: usize, stride: usize, noise: u32, result: &mut Touch) -> bool;
}

/// Returns the arguments of C as a slice.
#[inline(always)]
fn slice<'a>(samples: *const u16, count: usize) -> &'a [u16] {
    // SAFETY: all calls below pass the pointer and the length of one array.
    unsafe { core::slice::from_raw_parts(samples, count) }
}

/// Stores a touch. Returns whether there is one.
#[inline(always)]
fn stored(touch: Option<Touch>, result: &mut Touch) -> bool {
    match touch {
        Some(touch) => {
            *result = touch;
            true
        }
        None => false,
    }
}

/// Returns a number that looks drawn.
fn drawn(i: usize) -> u32 {
    (i as u32).wrapping_mul(0x9E37_79B9).wrapping_add(0x7F4A_7C15) >> 11
}

/// Prints the number of instructions of a call with what it calls, less those of the loop around it.
fn count(name: &str, mut call: impl FnMut()) {
    let run = |call: &mut dyn FnMut()| {
        let begin = board::ticks();
        for _ in 0..CALLS {
            call();
        }
        board::between(begin, board::ticks())
    };
    let (with, without) = (run(&mut call), run(&mut || nothing()));
    board::print("instructions ");
    board::print(name);
    board::print(" ");
    board::print_number((with - without) * board::INSTRUCTIONS_PER_TICK / CALLS);
    board::print("\n");
}

fn check_blur() {
    let (mut tensors, mut arrays, mut c) = (filter::Blur::new(), hand::Blur::new(), hand::Blur::new());
    let (mut outs, mut line) = ([[0; WIDTH]; 3], [0; WIDTH]);
    for y in 0..20 {
        line = core::array::from_fn(|x| drawn(x + y * WIDTH) as u8);
        let given = blur_layout(&mut tensors, &line, &mut outs[0]);
        assert!(blur_rust(&mut arrays, &line, &mut outs[1]) == given);
        // SAFETY: the arguments are those of the function.
        assert!(unsafe { blur_c(&mut c, &line, &mut outs[2]) } == given && given == (y > 1));
        assert!(outs[0] == outs[1] && outs[1] == outs[2] && (outs[0] != [0; WIDTH]) == given);
    }
    count("blur_layout", || _ = blur_layout(&mut tensors, black_box(&line), &mut outs[0]));
    count("blur_rust", || _ = blur_rust(&mut arrays, black_box(&line), &mut outs[1]));
    // SAFETY: as above.
    count("blur_c", || _ = unsafe { blur_c(&mut c, black_box(&line), &mut outs[2]) });
}

fn check_panel() {
    let picture: [[[u8; 3]; 16]; 16] =
        core::array::from_fn(|i| core::array::from_fn(|j| core::array::from_fn(|k| drawn(i * 48 + j * 3 + k) as u8)));
    let tensor = Picture::from_array(Default::default(), core::array::from_fn(|i| picture[i / 16][i % 16]));
    let (mut wire, mut by_rust, mut by_c) = (Wire::filled(Default::default(), [0; 3]), [0; 768], [0; 768]);
    panel_layout(&tensor, &mut wire);
    panel_rust(&picture, &mut by_rust);
    // SAFETY: the arguments are those of the function.
    unsafe { panel_c(&picture, &mut by_c) };
    assert!(*wire.as_slice().as_flattened() == by_rust && by_rust == by_c && by_c != [0; 768]);
    count("panel_layout", || panel_layout(black_box(&tensor), &mut wire));
    count("panel_rust", || panel_rust(black_box(&picture), &mut by_rust));
    // SAFETY: as above.
    count("panel_c", || unsafe { panel_c(black_box(&picture), &mut by_c) });
}

fn check_halves() {
    let picture: [[u8; 128]; 6] = core::array::from_fn(|t| core::array::from_fn(|i| drawn(t * 128 + i) as u8));
    let tensor = Source::from_array(Default::default(), core::array::from_fn(|i| picture[i / 128][i % 128]));
    let (mut buffers, mut half) = (Buffers::filled(Default::default(), 0), Half::filled(Default::default(), 0));
    let (mut arrays, mut by_rust, mut by_c) = ([[[0; 32]; 4]; 2], [[[0; 16]; 2]; 6], [[[0; 16]; 2]; 6]);
    halves_layout(&tensor, &mut buffers, &mut half);
    halves_rust(&picture, &mut arrays, &mut by_rust);
    arrays = [[[0; 32]; 4]; 2];
    // SAFETY: the arguments are those of the function.
    unsafe { halves_c(&picture, &mut arrays, &mut by_c) };
    assert!(half.as_slice() == by_rust.as_flattened().as_flattened() && by_rust == by_c && by_c != [[[0; 16]; 2]; 6]);
    dma::COPIES.store(false, Relaxed);
    count("halves_layout", || halves_layout(black_box(&tensor), &mut buffers, &mut half));
    count("halves_rust", || halves_rust(black_box(&picture), &mut arrays, &mut by_rust));
    // SAFETY: as above.
    count("halves_c", || unsafe { halves_c(black_box(&picture), &mut arrays, &mut by_c) });
}

fn check_touch() {
    let samples: [u16; 10 * 16] = core::array::from_fn(|i| (drawn(i) % 1024) as u16);
    let (data, mut touches) = (samples.as_ptr(), [Touch::default(); 3]);
    for (count, rows, stride) in
        [(160, 10, 16), (156, 10, 16), (155, 10, 16), (160, 0, 16), (160, 12, 12), (12, 9, 0), (160, 3, usize::MAX / 2)]
    {
        let (count, rows, stride) = black_box((count, rows, stride));
        let given = touch_layout(data, count, rows, stride, 600, &mut touches[0]);
        assert!(touch_rust(data, count, rows, stride, 600, &mut touches[1]) == given);
        // SAFETY: the arguments are those of the function.
        assert!(unsafe { touch_c(data, count, rows, stride, 600, &mut touches[2]) } == given && given == (count != 155 && stride < 99));
        assert!(touches[0] == touches[1] && touches[1] == touches[2]);
    }
    count("touch_layout", || _ = touch_layout(black_box(data), 160, 10, 16, 600, &mut touches[0]));
    count("touch_rust", || _ = touch_rust(black_box(data), 160, 10, 16, 600, &mut touches[1]));
    // SAFETY: as above.
    count("touch_c", || _ = unsafe { touch_c(black_box(data), 160, 10, 16, 600, &mut touches[2]) });
}

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    board::start_counter();
    check_blur();
    check_panel();
    check_halves();
    check_touch();
    board::print("results are equal\n");
    board::exit(true)
}
