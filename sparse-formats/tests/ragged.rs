//! Ragged arrays.

#[cfg(feature = "parallel")]
mod ragged {
    mod threads;
    mod visits;
}
