//! Sets `cfg(unoptimized)` if this crate is built at opt-level 0: code that folds is inlined only if the compiler folds it. Sets
//! `cfg(fast)` at opt-level 3, where loops of few steps have code of their own. Sets `cfg(rows)` at opt-levels 0, 2 and 3, where walks
//! have separate code for contiguous rows: levels 2 and 3 trade code size for speed, and at 0 a loop over a slice is the cheapest.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(unoptimized, fast, rows)");
    println!("cargo::rerun-if-changed=build.rs");
    let level = std::env::var("OPT_LEVEL");
    for (cfg, levels) in [("unoptimized", &["0"][..]), ("fast", &["3"]), ("rows", &["0", "2", "3"])] {
        if levels.iter().any(|with| level.as_deref() == Ok(with)) {
            println!("cargo::rustc-cfg={cfg}");
        }
    }
}
