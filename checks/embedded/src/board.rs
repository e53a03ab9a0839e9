//! The emulated boards: text, an end with a status, and panics without formatting.

#[cfg_attr(target_arch = "arm", path = "cortex_m.rs")]
#[cfg_attr(not(target_arch = "arm"), path = "riscv.rs")]
mod machine;

pub use machine::{INSTRUCTIONS_PER_TICK, between, start_counter, ticks};

/// Prints a text of at most 63 bytes.
pub fn print(text: &str) {
    let mut line = [0; 64];
    for (to, from) in line[..63].iter_mut().zip(text.bytes()) {
        *to = from;
    }
    // SYS_WRITE0 prints up to a byte 0.
    machine::semihosting(4, line.as_ptr().addr());
    core::hint::black_box(&line);
}

/// Prints a number.
pub fn print_number(mut number: u32) {
    let (mut digits, mut first) = ([0; 10], 10);
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    print(core::str::from_utf8(&digits[first..]).unwrap_or("?"));
}

/// Ends the emulation.
pub fn exit(success: bool) -> ! {
    // SYS_EXIT with ADP_Stopped_ApplicationExit or ADP_Stopped_RunTimeErrorUnknown.
    machine::semihosting(0x18, if success { 0x20026 } else { 0x20023 });
    loop {}
}

/// The target of all exceptions and traps.
#[unsafe(no_mangle)]
extern "C" fn fault() -> ! {
    print("fault\n");
    exit(false)
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    print("panic in line ");
    print_number(info.location().map_or(0, |location| location.line()));
    print(" of ");
    print(info.location().map_or("?", |location| location.file()));
    print("\n");
    exit(false)
}
