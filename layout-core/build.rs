//! Sets `cfg(unoptimized)` where this crate is built at opt-level 0: steps that fold are inlined only where something folds them; and `cfg(fast)` at
//! opt-level 3, where loops of few steps have code of their own; and `cfg(rows)` at opt-levels 0, 2 and 3, where walks have
//! separate code for contiguous rows. Levels 2 and 3 accept more code for speed; at 0 a loop over a slice is the cheapest.

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
