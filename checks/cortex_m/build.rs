//! Tells the linker where the flash and the memory of the emulated board are.

fn main() {
    println!("cargo::rerun-if-changed=memory.x");
    println!("cargo::rustc-link-search={}", std::env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    println!("cargo::rustc-link-arg=-Tlink.x");
}
