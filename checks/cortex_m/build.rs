//! Where flash and memory of the emulated board lie.

fn main() {
    println!("cargo::rerun-if-changed=memory.x");
    println!("cargo::rustc-link-search={}", std::env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    println!("cargo::rustc-link-arg=-Tlink.x");
}
