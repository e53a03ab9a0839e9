//! Tensors that operations make of others.

use super::{SparseTensor, Values};
use crate::error::TensorError;
use crate::{Attributes, Format, LevelKind, SparsityPattern};
use alloc::sync::Arc;
use alloc::vec::Vec;

impl<'a, V: Clone> SparseTensor<'a, V> {
    /// With attributes that hold.
    pub(crate) fn with_believed(self, attributes: Attributes) -> Self {
        SparseTensor { attributes, ..self }
    }

    pub(crate) fn believe(&mut self, attributes: Attributes) {
        self.attributes = attributes;
    }

    pub(crate) fn values_mut(&mut self) -> (&mut Values<'a, V>, &mut V) {
        (&mut self.values, &mut self.fill)
    }

    /// With another pattern of as many elements.
    pub(crate) fn with_pattern(
        self,
        f: impl FnOnce(SparsityPattern<'a>) -> Result<SparsityPattern<'a>, TensorError>,
    ) -> Result<Self, TensorError> {
        let pattern = Arc::new(f(Arc::unwrap_or_clone(self.pattern))?);
        Ok(SparseTensor { pattern, ..self })
    }
}

/// The format of the axes that stay, given in increasing order: their levels keep their kinds; the last becomes sparse unless coordinates may repeat.
pub(crate) fn result_format(format: &Format, axes: &[usize], multigraph: bool) -> Result<Format, TensorError> {
    let place = |axis: &usize| axes.binary_search(axis).ok();
    let levels = format.axis_order()[..format.levels()].iter().zip(format.kinds()).filter(|(axis, _)| place(axis).is_some());
    let mut kinds: Vec<LevelKind> = levels.map(|(_, kind)| *kind).collect();
    let order: Vec<usize> = format.axis_order().iter().filter_map(place).collect();
    if multigraph {
        return Ok(Format::multigraph(&kinds, &order)?);
    }
    if let Some(last) = kinds.last_mut() {
        *last = LevelKind::Indices;
    }
    Ok(Format::new(&kinds, &order)?)
}
