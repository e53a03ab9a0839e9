//! A distribution for each component, and a layout for each shared tensor.

use crate::convert::Converted;
use crate::cost::TileCost;
use crate::distribution::Distribution;
use crate::shared::SharedLayout;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// A choice: the distribution of each component, and the layout of each shared tensor.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub distributions: Vec<Distribution>,
    pub shared: BTreeMap<usize, SharedLayout>,
    /// The conversions, by statement.
    pub conversions: BTreeMap<usize, Converted>,
    pub cost: TileCost,
}
