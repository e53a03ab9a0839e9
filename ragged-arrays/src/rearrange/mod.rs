//! Operations that choose, order or join elements, and make arrays of other lists of the same leaves.
//!
//! `gather` chooses elements, `missing` does so where leaves may be missing, `axes` merges and splits axes, `combine` joins arrays,
//! `tuples` lists combinations of elements, `order` and `order_along` sort lists, `runs` finds runs of equal leaves, and `blocks`
//! views fixed axes as blocks. An operation begins with `settled`, which packs views: all others assume consecutive lists.

mod axes;
mod blocks;
mod combine;
mod gather;
mod missing;
mod order;
mod order_along;
mod runs;
mod tuples;

pub(crate) use gather::pick;
