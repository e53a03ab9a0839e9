//! Builds compressed rows over two groups of axes, from coordinates or from a composite tensor.

use super::{Composite, MappedFormat, Scheme};
use crate::kernels::{Linear, Value};
use crate::tensor::InputFacts;
use crate::{AxisMap, Builder, Indices, OperationError, Part, SparseTensor, Values};
use alloc::vec::Vec;

/// Builds the matrix of two groups of axes, from distinct coordinates in range that are sorted by the axes `order` (if
/// empty, in any order). Fails if the matrix does not fit memory or the limit of `builder`.
pub(super) fn matrix<V: Value>(
    map: &AxisMap,
    columns: &[Indices],
    values: Values<V>,
    order: &[usize],
    builder: &Builder<V>,
) -> Result<SparseTensor<'static, V>, OperationError> {
    let [rows, inside] = [0, 1].map(|group| map.digits_of(group).map(|digit| digit.axis));
    // The entries of a row increase if `order`, without the axes of the rows, is the order of the columns.
    let rising = order.iter().copied().filter(|axis| !rows.clone().any(|row| row == *axis)).eq(inside);
    let known = InputFacts { in_range: true, rising, distinct: true, ..InputFacts::default() };
    let group = |group: usize| map.digits_of(group).map(|digit| (columns[digit.axis].view(), digit.count)).unzip();
    let groups: [(Vec<Indices>, Vec<u64>); 2] = core::array::from_fn(group);
    let linear = groups.each_ref().map(|(columns, extents)| Linear { columns, extents });
    if let Some((pattern, values)) = builder.matrix(map.extents(), linear, &values, known)? {
        return Ok(builder.tensor(pattern, values)?);
    }
    Ok(builder.build_known(map.extents(), &map.forward_columns(columns)?, values, known)?)
}

/// Converts the elements of a composite tensor, whose coordinates are distinct, to the compressed rows of `scheme`. Fails
/// if the scheme does not fit the shape, or memory has no room.
pub(super) fn of_composite<V: Value + PartialEq>(
    composite: &Composite<'_, V>,
    scheme: &Scheme,
) -> Result<Composite<'static, V>, OperationError> {
    let (columns, values, order) = match composite.parts() {
        [Part { map, tensor }] if tensor.format().dense_axes() == 0 => {
            let columns = map.backward_columns(&tensor.pattern().coordinates()?)?;
            (columns, tensor.values().view(), axes_in_order(map, tensor.sorted_axes()))
        }
        _ => {
            let (columns, values) = composite.all_elements()?;
            (columns, values, Vec::new())
        }
    };
    let part = |MappedFormat { map, format }| {
        let builder = Builder::new(format, composite.fill().clone());
        let tensor = matrix(&map, &columns, values.view(), &order, &builder)?;
        Ok(Part { map, tensor })
    };
    let parts = scheme.chains(composite.shape())?.into_iter().map(part).collect::<Result<_, OperationError>>()?;
    Ok(composite.with_parts(parts, composite.fill().clone()))
}

/// Returns the axes by which elements are sorted if their stored coordinates are sorted by `targets`. Returns no axes
/// unless every digit is a whole axis.
fn axes_in_order(map: &AxisMap, targets: &[usize]) -> Vec<usize> {
    if map.digits().iter().any(|digit| digit.count < map.shape()[digit.axis]) {
        return Vec::new();
    }
    let of = |target: &usize| {
        let mut digits: Vec<_> = map.digits_of(*target).collect();
        digits.sort_by_key(|digit| core::cmp::Reverse(digit.weight));
        digits.into_iter().map(|digit| digit.axis)
    };
    targets.iter().flat_map(of).collect()
}
