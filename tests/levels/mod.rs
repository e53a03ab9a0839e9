//! Levels and chains of them against naive nested lists: every coordinate, both directions, every inverse, every broken array.

mod arrays;
mod chains;
mod formats;
