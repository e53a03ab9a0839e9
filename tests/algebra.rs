//! The laws of the algebra, one checker per operation: the promises of its result, compared pointwise with a naive evaluator.
//!
//! Each law runs on worked examples, on every small layout (or a sample of pairs) and on random layouts. Refusals are tested too:
//! if the law can tell that a right answer exists, a refusal breaks it. A new operation needs a law in `every`, which has one for each.

mod common;
mod levels;
mod text;

mod algebra {
    mod atoms;
    mod cast;
    mod coalesce;
    mod complement;
    mod composition;
    mod composition_by_mode;
    mod composition_large;
    mod coords;
    mod divide;
    mod empty;
    mod empty_modes;
    mod every;
    mod inverse;
    mod max_common;
    mod modes;
    mod order;
    mod product;
    mod product_by_mode;
    mod size;
    mod slice;
    mod swizzle;
    mod tile_to_shape;
    mod trace;
    mod tuples;
    mod windows;
    mod xor;
    mod xor_dynamic;
}
