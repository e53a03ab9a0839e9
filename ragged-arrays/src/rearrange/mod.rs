//! Operations that choose, order or join elements, and make arrays of other lists of the same leaves.

mod axes;
mod blocks;
mod combine;
mod gather;
mod order;
