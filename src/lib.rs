//! Facade.
pub use layout_core::*;
