//! Gives the shared library the name under which programs load it. It ends in `CRD2IDX_ABI`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd") => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libcrd2idx.so.1"),
        Ok("macos") => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libcrd2idx.1.dylib"),
        _ => {}
    }
}
