//! Output files and folders, replaced as a whole.
//!
//! [`write()`] calls a function with a new temporary file beside the old one and gives it the name when all of it is on the disk. Readers see the old content
//! or the new one; a failure changes nothing. Links are followed, the mode and the owner of the old file are kept where the system permits it, and devices,
//! FIFOs and descriptors are written through. [`write_folder`] does the same for folders, and [`edit`] for changes in parts of a file.
//!
//! ```
//! use std::io::Write;
//! # let folder = tempfile::tempdir()?;
//! let path = folder.path().join("a.txt");
//! file_output::write(&path, |out| out.write_all(b"all of it"))?;
//! assert_eq!(std::fs::read(&path)?, b"all of it");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Temporary files have distinct names like `crd2idx-a1b2c3.tmp`, and are removed when writing fails or unwinds. A program that ends otherwise calls
//! [`discard_unfinished`]; with the feature `signals`, `discard_when_killed` arranges this for signals.
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
pub use whole::{Output, edit, write};
