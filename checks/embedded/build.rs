//! Tells the linker where the flash and the memory of the emulated board are, and which object has the functions in C.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    let board = match std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() {
        Ok("arm") => "cortex_m",
        _ => "riscv",
    };
    println!("cargo::rerun-if-changed={board}.ld");
    println!("cargo::rustc-link-arg=-T{folder}/{board}.ld");
    println!("cargo::rerun-if-env-changed=HAND_OBJECT");
    if let Ok(object) = std::env::var("HAND_OBJECT") {
        println!("cargo::rerun-if-changed={object}");
        println!("cargo::rustc-link-arg-bin=embedded-check={object}");
    }
}
