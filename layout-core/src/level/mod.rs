//! Levels: how the coordinates of one dimension are stored below the positions of the dimension before it.

mod index;

pub use index::Index;
