//! The start, the semihosting calls and the counter of a Cortex-M4.

use core::arch::{asm, global_asm};

/// The number of instructions per tick of `ticks`. An instruction takes a nanosecond (`-icount shift=0`), and the timer of the board has
/// 25 MHz.
pub const INSTRUCTIONS_PER_TICK: u32 = 40;

// The first two vectors are the stack and the start; each of the others is a fault here. The start enables the FPU.
global_asm!(
    ".section .vectors, \"a\"",
    ".word stack_top",
    ".word start",
    ".rept 14",
    ".word fault",
    ".endr",
    ".section .start, \"ax\"",
    ".global start",
    ".thumb_func",
    "start:",
    "ldr r0, =0xE000ED88",
    "ldr r1, [r0]",
    "orr r1, r1, #0xF00000",
    "str r1, [r0]",
    "dsb",
    "isb",
    "bl main",
    ".pool",
    ".text",
);

/// Calls the emulator.
pub fn semihosting(operation: u32, argument: usize) {
    // SAFETY: the emulator reads what the argument of the operation names, and answers in r0.
    unsafe { asm!("bkpt 0xab", inout("r0") operation => _, in("r1") argument, options(nostack)) };
}

/// Starts the counter.
pub fn start_counter() {
    let timer = 0xE000_E010 as *mut u32;
    // SAFETY: these are the registers of SysTick: control, reload value and current value. Nothing else uses them.
    unsafe {
        timer.add(1).write_volatile(0xff_ffff);
        timer.add(2).write_volatile(0);
        timer.write_volatile(0b101);
    }
}

/// Returns the ticks so far, modulo 2^24.
pub fn ticks() -> u32 {
    let current = 0xE000_E018 as *const u32;
    // SAFETY: this is the register of SysTick with its current value. It counts down.
    unsafe { 0xff_ffff - current.read_volatile() }
}

/// Returns the ticks between two answers of `ticks`.
pub fn between(begin: u32, end: u32) -> u32 {
    end.wrapping_sub(begin) & 0xff_ffff
}
