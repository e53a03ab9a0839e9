//! Single levels (`arrays`), chains and named formats, compared with naive nested lists: coordinates, inverses, and broken arrays.

mod arrays;
mod chains;
mod formats;
