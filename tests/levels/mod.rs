//! Levels and their chains compared with naive nested lists: every coordinate, both directions, every inverse, every broken array.

mod arrays;
mod chains;
mod formats;
