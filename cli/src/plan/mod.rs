//! Plans of copies between layouts.

pub mod batch;
