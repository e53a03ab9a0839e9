//! A naive evaluator of layouts, independent of the library, and functions that run the library next to it.
//!
//! Only `ask` calls the algebra, and nothing else shares code with it: trees are vectors, indices are sums over leaves, and enumeration
//! of the domain decides whether a layout exists.

// Each test binary uses only some of these modules.
#![allow(dead_code, unused_imports)]

pub mod ask;
pub mod exists;
pub mod function;
pub mod grids;
pub mod law;
pub mod layout;
pub mod notation;
pub mod rng;
pub mod tiler;
pub mod tiling;
pub mod tree;

pub use ask::{ask, ask_function, ask_int, ask_ints, ask_layout};
pub use function::{After, Function};
pub use law::{Outcome, Verdict, hold, same};
pub use layout::{Layout, Leaf};
pub use rng::Rng;
pub use tiler::Tiler;
pub use tree::Tree;
