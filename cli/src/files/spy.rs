//! The picture of `crd2idx info --spy`: the positions of the stored elements of a tensor.

use crate::view::picture::spy::marks;
use crate::view::picture::{Picture, items};
use sparse_files::AnyTensor;

/// Returns a picture of a tensor: axis 0 runs down, the others across; the axis of a vector runs across. Fails if the
/// coordinates cannot be listed.
pub fn picture(tensor: &AnyTensor<'_>) -> Result<Picture, String> {
    let shape = tensor.shape();
    let extents: Vec<usize> = shape.iter().map(|extent| usize::try_from(*extent).unwrap_or(usize::MAX)).collect();
    let (rows, rest) = match &extents[..] {
        [] => (1, &[][..]),
        [_] => (1, &extents[..]),
        [rows, rest @ ..] => (*rows, rest),
    };
    let columns = rest.iter().fold(1_usize, |columns, extent| columns.saturating_mul(*extent));
    if rows == 0 || columns == 0 {
        return Err(format!("a tensor of shape {shape:?} has no element to draw"));
    }
    let given = tensor.coordinates().map_err(|error| error.to_string())?;
    let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
    let caption = format!("{} of {} stored", tensor.stored(), dims.join(" × "));
    let grid = marks(caption, (rows, columns), |mark| {
        for element in 0..tensor.values_len() {
            let at = |axis: usize| given.get(axis).and_then(|column| column.get(element)).unwrap_or(0) as usize;
            let first = if rest.len() == extents.len() { 0 } else { 1 };
            let column = (first..extents.len()).fold(0_usize, |column, axis| column.saturating_mul(extents[axis]).saturating_add(at(axis)));
            mark(if first == 0 { 0 } else { at(0) }, column, 0);
        }
    });
    let title = format!("the stored elements of a tensor of shape {shape:?}");
    let description = format!("{} stored elements, axis 0 down, the others across.", tensor.stored());
    Picture { title, description, lines: vec![items([grid])], arrows: Vec::new() }.checked()
}
