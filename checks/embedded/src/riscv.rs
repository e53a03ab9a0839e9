//! The start, the semihosting calls and the counter of a RISC-V core.

use core::arch::{asm, global_asm};

/// The number of instructions per tick of `ticks`.
pub const INSTRUCTIONS_PER_TICK: u32 = 1;

global_asm!(
    ".section .start, \"ax\"",
    ".global start",
    "start:",
    "la sp, stack_top",
    "la t0, trap",
    "csrw mtvec, t0",
    "call main",
    // A trap goes to an address that four divides.
    ".align 2",
    "trap: j fault",
    ".text",
);

/// Calls the emulator.
pub fn semihosting(operation: u32, argument: usize) {
    // SAFETY: the emulator reads what the argument of the operation names, and answers in a0. It knows the call by these three
    // instructions of 32 bits, which lie in one page.
    unsafe {
        asm!(
            ".option push",
            ".option norvc",
            ".balign 16",
            "slli x0, x0, 0x1f",
            "ebreak",
            "srai x0, x0, 7",
            ".option pop",
            inout("a0") operation => _,
            in("a1") argument,
            options(nostack)
        )
    };
}

/// Starts the counter, which always runs.
pub fn start_counter() {}

/// Returns the number of instructions so far, modulo 2^32.
pub fn ticks() -> u32 {
    let ticks;
    // SAFETY: this reads a counter.
    unsafe { asm!("csrr {}, minstret", out(reg) ticks, options(nostack)) };
    ticks
}

/// Returns the ticks between two answers of `ticks`.
pub fn between(begin: u32, end: u32) -> u32 {
    end.wrapping_sub(begin)
}
