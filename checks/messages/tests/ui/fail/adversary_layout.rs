//! Safe code cannot implement a layout that a tensor would trust.

#![forbid(unsafe_code)]

use crd2idx::{Layout, LayoutError};
use crd2idx::layouts::{Coordinate, IntTuple, Slots};

#[derive(Clone, Copy)]
struct Everywhere;

impl Layout for Everywhere {
    fn rank(&self) -> usize {
        1
    }
    fn size(&self) -> usize {
        1
    }
    fn mode_size<const K: usize>(&self) -> usize {
        1
    }
    fn crd2idx<C: IntTuple>(&self, _: C) -> usize {
        1 << 40
    }
    fn checked_crd2idx<C: IntTuple>(&self, _: C) -> Option<usize> {
        None
    }
    fn contains<C: IntTuple>(&self, _: C) -> bool {
        true
    }
    fn idx2crd<C: Coordinate>(&self, _: usize) -> C {
        unimplemented!()
    }
    fn shape<C: Coordinate>(&self) -> C {
        unimplemented!()
    }
    fn extents(&self) -> Slots {
        [1; 64]
    }
    fn mode_stride(&self, _: usize) -> Option<isize> {
        None
    }
    fn index_range(&self) -> Result<std::ops::Range<isize>, LayoutError> {
        Ok(0..1)
    }
    fn is_injective(&self) -> Option<bool> {
        Some(true)
    }
}

fn main() {}
