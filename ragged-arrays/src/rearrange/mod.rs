//! Elements chosen, ordered and joined: arrays of other lists of the same leaves.

mod axes;
mod blocks;
mod combine;
mod gather;
mod order;
