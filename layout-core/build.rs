//! Sets `cfg(unoptimized)` where this crate is built at opt-level 0: steps that fold are inlined only where something folds them; and `cfg(fast)` at
//! opt-level 3, where loops of few steps have code of their own.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(unoptimized, fast)");
    println!("cargo::rerun-if-changed=build.rs");
    match std::env::var("OPT_LEVEL").as_deref() {
        Ok("0") => println!("cargo::rustc-cfg=unoptimized"),
        Ok("3") => println!("cargo::rustc-cfg=fast"),
        _ => {}
    }
}
