//! Containers: what others have written, what is written and read again, what is refused.

#[path = "containers/invalid.rs"]
mod invalid;
#[path = "containers/npy.rs"]
mod npy;
#[path = "containers/recorded.rs"]
mod recorded;
#[path = "containers/round_trip.rs"]
mod round_trip;

use std::path::PathBuf;

/// A file of the recorded ones.
fn data(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "tests", "data", "sparse", name].iter().collect()
}
