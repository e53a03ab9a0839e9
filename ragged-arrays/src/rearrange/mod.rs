//! Operations that choose, order or join elements, and make arrays of other lists of the same leaves.
//!
//! `gather` chooses elements, `axes` merges and splits axes, `combine` joins arrays, `order` sorts lists, and `blocks` views
//! fixed axes as blocks. An operation begins with `settled`, which packs views: all others assume consecutive lists.

mod axes;
mod blocks;
mod combine;
mod gather;
mod order;
