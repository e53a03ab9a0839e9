#![doc = include_str!("../README.md")]

mod code;
mod coordinate;
mod domain;
mod error;
mod expand;
mod layout;
mod pages;
mod threads;
mod tiles;

pub use coordinate::CubeCoordinate;
pub use error::{CubeError, Result};
pub use layout::CubeLayout;
pub use pages::{CubePages, PageBuffers};
pub use threads::CubeThreads;
pub use tiles::{CubeTile, CubeTiles};

// CubeCL names these types in the code that it makes of a kernel.
#[doc(hidden)]
pub use layout::{CubeLayoutExpand, CubeLayoutKey};
#[doc(hidden)]
pub use pages::{CubePagesExpand, CubePagesKey};
#[doc(hidden)]
pub use threads::{CubeThreadsExpand, CubeThreadsKey};
#[doc(hidden)]
pub use tiles::{CubeTileExpand, CubeTilesExpand, CubeTilesKey};
