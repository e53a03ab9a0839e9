//! The macros as users of the facade write them.

mod closed;
mod leaves;
mod mixed;
mod named_layouts;
mod names;
