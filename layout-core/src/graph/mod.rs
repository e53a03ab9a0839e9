//! Coordinate graphs.
