#![doc = include_str!("../README.md")]
#![deny(missing_docs, unsafe_code)]

mod folder;
mod positioned;
#[cfg(all(feature = "signals", unix))]
mod signals;
mod target;
mod unfinished;
mod whole;

pub use folder::{create_folder, write_folder};
#[cfg(any(unix, windows))]
pub use positioned::{read_at, write_at};
#[cfg(all(feature = "signals", unix))]
pub use signals::discard_when_killed;
pub use target::{Target, target};
pub use unfinished::{discard_unfinished, undisturbed};
pub use whole::{WriteSeek, create, edit, write};
