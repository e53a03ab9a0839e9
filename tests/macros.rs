//! The macros as users of the facade write them.

mod macros {
    mod closed;
    mod leaves;
    mod mixed;
    mod named;
    mod names;
}
