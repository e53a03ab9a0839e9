//! The header is the one that cbindgen generates.

use cbindgen::{Builder, Config};
use std::path::Path;

#[test]
fn the_header_is_as_generated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = Config::from_file(folder.join("cbindgen.toml")).expect("the form of the header is readable");
    let builder = Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    let mut fresh = Vec::new();
    builder.generate().expect("the sources are readable").write(&mut fresh);
    // Rust has a word of its own for preconditions.
    let fresh = String::from_utf8(fresh).expect("the header is UTF-8").replace("# Safety", "Precondition:");
    let file = folder.join("crd2idx.h");
    if std::env::var_os("HEADER").is_some_and(|value| value == "overwrite") {
        std::fs::write(&file, &fresh).expect("the header can be written");
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = committed.lines().zip(fresh.lines()).position(|(old, new)| old != new).map_or(0, |line| line + 1);
    assert!(
        committed == fresh,
        "crd2idx.h differs from line {differs} on: `HEADER=overwrite cargo test -p crd2idx-c --test header` writes it"
    );
}
