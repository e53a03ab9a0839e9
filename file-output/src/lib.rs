#![doc = include_str!("../README.md")]
#![deny(missing_docs, unsafe_code)]

mod folder;
#[cfg(all(feature = "signals", unix))]
mod signals;
mod target;
mod unfinished;
mod whole;

pub use folder::write_folder;
#[cfg(all(feature = "signals", unix))]
pub use signals::discard_when_killed;
pub use target::{Target, target};
pub use unfinished::{discard_unfinished, undisturbed};
pub use whole::{WriteSeek, edit, write};
