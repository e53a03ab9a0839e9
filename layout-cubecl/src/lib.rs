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
pub use layout::{CubeLayout, CubeLayoutExpand, CubeLayoutKey};
pub use pages::{CubePages, CubePagesExpand, CubePagesKey, PageBuffers};
pub use threads::{CubeThreads, CubeThreadsExpand, CubeThreadsKey};
pub use tiles::{CubeTile, CubeTileExpand, CubeTiles, CubeTilesExpand, CubeTilesKey};
