//! Containers: files of other packages, round trips, and errors.

#[path = "containers/compressed.rs"]
mod compressed;
#[path = "containers/hierarchies.rs"]
mod hierarchies;
#[path = "containers/invalid.rs"]
mod invalid;
#[path = "containers/npy.rs"]
mod npy;
#[path = "containers/occupied.rs"]
mod occupied;
#[path = "containers/recorded.rs"]
mod recorded;
#[path = "containers/round_trip.rs"]
mod round_trip;
#[path = "containers/rows.rs"]
mod rows;
#[path = "containers/spared.rs"]
mod spared;
#[path = "containers/tables.rs"]
mod tables;
#[path = "containers/values.rs"]
mod values;
#[path = "containers/zarr.rs"]
mod zarr;

use std::path::PathBuf;

/// Returns the path of a file that another package has written. `python/samples.py` and `python/hierarchies.py` write
/// these files.
fn sample(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "data", name].iter().collect()
}

/// Returns the path of a recorded file.
fn data(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "tests", "data", "sparse", name].iter().collect()
}
