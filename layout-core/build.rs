//! Sets `cfg(unoptimized)` where this crate is built at opt-level 0: steps that fold are inlined only where something folds them; and `cfg(fast)` at
//! opt-level 3, where loops of few steps have code of their own; and `cfg(rows)` where walks have code of their own for elements in rows: at opt-levels 2 and 3, which pay
//! for time with code, and at 0, where a loop over a slice is what costs least.

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
