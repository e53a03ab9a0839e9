//! Layouts as types: the macros as users of the facade write them, and one answer at every stage.

mod common;
mod macros;
mod stages;
