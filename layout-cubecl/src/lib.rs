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

pub use coordinate::KernelCoordinate;
pub use error::{KernelError, Result};
pub use layout::{KernelLayout, KernelLayoutExpand, KernelLayoutKey};
pub use pages::{KernelPages, KernelPagesExpand, KernelPagesKey, PageBuffers};
pub use threads::{KernelThreads, KernelThreadsExpand, KernelThreadsKey};
pub use tiles::{KernelTile, KernelTileExpand, KernelTiles, KernelTilesExpand, KernelTilesKey};
