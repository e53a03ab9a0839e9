//! Tensors on meshes: splits, replicas and partial results.

use crate::error::{LimitedItem, PlacementError, Result, at_most, product};
use crate::mesh::{MAX_AXES, MAX_DEVICES, Mesh};
use crate::partition::{MAX_RANGES, Partition};
use crate::rule::{AxisSplit, ReduceOp, Rule};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A tensor on a mesh of devices: a shape, splits in order, and partial results.
///
/// Each split divides the indices that a device has of one tensor axis among the devices along a mesh axis. Splits of one tensor
/// axis follow one another: each divides the part that the split before it gave the device. A mesh axis without a split
/// replicates: its devices have the same elements. A mesh axis with partial results has summands: the value of an element is
/// the sum (minimum, maximum, mean) over the devices along it.
///
/// ```
/// use placements::{Mesh, Placement, ReduceOp, Rule};
/// let mesh = Mesh::new([("data", 2), ("model", 3)])?;
/// // 7 rows in 2 chunks of 4 and 3; 5 columns in parts of 2, 2 and 1.
/// let matrix = Placement::new(&mesh, &[7, 5])?.split(0, "data", Rule::Chunk)?.split(1, "model", Rule::Balanced)?;
/// assert_eq!(matrix.ranges(5)?, [vec![[4, 7]], vec![[4, 5]]]);
/// assert_eq!(matrix.local_shape(5)?, [3, 1]);
/// // Two splits of one axis: rows by model, and each part by data.
/// let rows = Placement::new(&mesh, &[7])?.split(0, "model", Rule::Chunk)?.split(0, "data", Rule::Chunk)?;
/// assert_eq!(rows.ranges(4)?, [vec![[5, 6]]]); // data 1, model 1: the second half of 3..6
/// // Each device has a summand of every element.
/// let sum = Placement::new(&mesh, &[7])?.partial("model", ReduceOp::Sum)?;
/// assert_eq!((sum.summands(), sum.ranges(4)?), (3, vec![vec![[0, 7]]]));
/// # Ok::<(), placements::PlacementError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Placement {
    mesh: Mesh,
    shape: Vec<i64>,
    splits: Vec<AxisSplit>,
    /// The mesh axes with partial results, in the order of the mesh.
    partial: Vec<usize>,
    reduction: Option<ReduceOp>,
    axes: Vec<TensorAxis>,
}

/// A tensor axis: the mesh axes that split it, in order, and the indices of each class.
#[derive(Clone, Debug)]
pub(crate) struct TensorAxis {
    pub mesh_axes: Vec<usize>,
    pub partition: Partition,
}

impl Placement {
    /// Creates the placement in which every device has the whole tensor.
    ///
    /// # Errors
    /// Fails if an extent of `shape` is negative, if the product of those above 0 exceeds 62 bits, or for more than [`MAX_AXES`] axes.
    pub fn new(mesh: &Mesh, shape: &[i64]) -> Result<Placement> {
        at_most(LimitedItem::TensorAxes, shape.len(), MAX_AXES)?;
        if let Some(dim) = shape.iter().position(|extent| *extent < 0) {
            return Err(PlacementError::Extent { dim, extent: shape[dim] });
        }
        // An empty axis does not make the others smaller.
        shape.iter().try_fold(1, |elements, extent| product(elements, (*extent).max(1)))?;
        let axes = shape.iter().map(|extent| TensorAxis { mesh_axes: vec![], partition: Partition::whole(*extent) });
        let (mesh, axes) = (mesh.clone(), axes.collect());
        Ok(Placement { mesh, shape: shape.to_vec(), splits: vec![], partial: vec![], reduction: None, axes })
    }

    /// Splits tensor axis `dim` along the mesh axis `axis`, after all splits before.
    ///
    /// # Errors
    /// Fails if there is no such tensor axis or mesh axis, if the mesh axis is used already, if the rule does not fit the
    /// indices, and for more than [`MAX_RANGES`] ranges in a period of the axis.
    pub fn split(mut self, dim: usize, axis: &str, rule: Rule) -> Result<Placement> {
        let mesh_axis = self.free(axis)?;
        let rank = self.shape.len();
        let split = AxisSplit { dim, axis: axis.to_string(), rule };
        let tensor_axis = self.axes.get_mut(dim).ok_or(PlacementError::Dim { dim: dim as i64, rank })?;
        let extent = self.mesh.extent(mesh_axis);
        // Classes multiply to at most the number of devices, unless an axis of the mesh is used twice.
        at_most(LimitedItem::Devices, tensor_axis.partition.sizes.len().saturating_mul(extent), MAX_DEVICES)?;
        tensor_axis.partition = split.apply(&tensor_axis.partition, extent)?;
        tensor_axis.mesh_axes.push(mesh_axis);
        self.splits.push(split);
        Ok(self)
    }

    /// Returns the number of a tensor axis. A negative `dim` counts from the last one. Fails if there is no such axis.
    pub(crate) fn axis_number(&self, dim: i64) -> Result<usize> {
        let rank = self.shape.len();
        let number = if dim < 0 { dim.saturating_add(rank as i64) } else { dim };
        usize::try_from(number).ok().filter(|number| *number < rank).ok_or(PlacementError::Dim { dim, rank })
    }

    /// Declares that the devices along a mesh axis have partial results, which `reduction` combines.
    ///
    /// # Errors
    /// Fails if there is no such mesh axis, if it is used already, or if another axis has another reduction.
    pub fn partial(mut self, axis: &str, reduction: ReduceOp) -> Result<Placement> {
        let mesh_axis = self.free(axis)?;
        if let Some(first) = self.reduction.filter(|first| *first != reduction) {
            let (first, second) = (first.to_string(), reduction.to_string());
            return Err(PlacementError::Mixed { axis: axis.to_string(), first, second });
        }
        self.reduction = Some(reduction);
        self.partial.push(mesh_axis);
        self.partial.sort_unstable();
        Ok(self)
    }

    /// Returns the number of a mesh axis that neither splits nor has partial results. Fails for other names.
    fn free(&self, axis: &str) -> Result<usize> {
        let number = self.mesh.axis(axis)?;
        if self.is_replicated(number) { Ok(number) } else { Err(PlacementError::AxisUsed { axis: axis.to_string() }) }
    }

    /// Tests whether the devices along mesh axis `k` have the same elements.
    pub fn is_replicated(&self, k: usize) -> bool {
        !self.partial.contains(&k) && !self.axes.iter().any(|axis| axis.mesh_axes.contains(&k))
    }

    /// Returns the mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Returns the extents of the tensor.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Returns the splits, in the order in which they apply.
    pub fn splits(&self) -> &[AxisSplit] {
        &self.splits
    }

    /// Returns the operation that combines partial results, or `None` if there are none.
    pub fn reduction(&self) -> Option<ReduceOp> {
        self.reduction
    }

    /// Returns the names of the mesh axes with partial results, in the order of the mesh.
    pub fn partial_axes(&self) -> impl Iterator<Item = &str> {
        self.partial.iter().filter_map(|axis| self.mesh.name(*axis))
    }

    /// Returns the number of summands of each element: the product of the extents of the mesh axes with partial results.
    pub fn summands(&self) -> usize {
        self.partial.iter().map(|axis| self.mesh.extent(*axis)).product()
    }

    /// Returns the number of devices that have the same summands: the product of the extents of all axes that replicate.
    pub fn replicas(&self) -> usize {
        (0..self.mesh.rank()).filter(|axis| self.is_replicated(*axis)).map(|axis| self.mesh.extent(axis)).product()
    }

    /// Returns the placement in which mesh axes with partial results replicate instead.
    pub(crate) fn without_partial(&self) -> Placement {
        Placement { partial: vec![], reduction: None, ..self.clone() }
    }

    /// Returns the number of the summand that a device has: its coordinate on the axes with partial results, row-major.
    ///
    /// # Errors
    /// Fails if there is no such device.
    pub fn summand(&self, device: usize) -> Result<usize> {
        self.check(device)?;
        Ok(self.mixed(device, &self.partial))
    }

    /// Returns the maximal ranges `[start, stop]` of the indices that a device has: ascending, for each tensor axis. The part of
    /// the device is the product of these lists. A list is empty if the device has no elements of the axis.
    ///
    /// # Errors
    /// Fails if there is no such device, and for more than [`MAX_RANGES`] ranges.
    pub fn ranges(&self, device: usize) -> Result<Vec<Vec<[i64; 2]>>> {
        (0..self.axes.len()).map(|axis| self.axis_ranges(device, axis)).collect()
    }

    /// Returns the ranges of one tensor axis, as [`ranges`](Self::ranges) does.
    pub(crate) fn axis_ranges(&self, device: usize, axis: usize) -> Result<Vec<[i64; 2]>> {
        self.check(device)?;
        let axis = &self.axes[axis];
        axis.partition.ranges(self.mixed(device, &axis.mesh_axes), MAX_RANGES)
    }

    /// Returns the extents of the part of a device. It stores its elements row-major, with all indices in ascending order.
    ///
    /// # Errors
    /// Fails if there is no such device.
    pub fn local_shape(&self, device: usize) -> Result<Vec<i64>> {
        self.check(device)?;
        Ok(self.axes.iter().map(|axis| axis.partition.sizes[self.mixed(device, &axis.mesh_axes)]).collect())
    }

    /// Returns the number of elements of the part of a device.
    ///
    /// # Errors
    /// Fails if there is no such device.
    pub fn elements(&self, device: usize) -> Result<i64> {
        Ok(self.local_shape(device)?.iter().product())
    }

    pub(crate) fn check(&self, device: usize) -> Result<()> {
        let devices = self.mesh.devices();
        if device < devices { Ok(()) } else { Err(PlacementError::Device { device, devices }) }
    }

    pub(crate) fn axes(&self) -> &[TensorAxis] {
        &self.axes
    }

    /// Returns the coordinate of a device on some mesh axes, as one number, the first axis the slowest.
    fn mixed(&self, device: usize, axes: &[usize]) -> usize {
        axes.iter().fold(0, |number, axis| number * self.mesh.extent(*axis) + self.mesh.coordinate(device, *axis))
    }

    /// Returns the class of a device on each tensor axis, and the number of its summand.
    pub(crate) fn cell(&self, device: usize) -> (Vec<usize>, usize) {
        let classes = self.axes.iter().map(|axis| self.mixed(device, &axis.mesh_axes)).collect();
        (classes, self.mixed(device, &self.partial))
    }

    /// Returns the first device that has these classes and this summand.
    pub(crate) fn first_device(&self, classes: impl Iterator<Item = usize>, summand: usize) -> usize {
        let number = |mut class: usize, axes: &[usize]| {
            let mut sum = 0;
            for axis in axes.iter().rev() {
                sum += class % self.mesh.extent(*axis) * self.mesh.stride(*axis);
                class /= self.mesh.extent(*axis);
            }
            sum
        };
        self.axes.iter().zip(classes).map(|(axis, class)| number(class, &axis.mesh_axes)).sum::<usize>() + number(summand, &self.partial)
    }

    /// Returns the distances from the first device with some elements to all that have the same ones, ascending.
    pub(crate) fn replica_offsets(&self) -> Vec<usize> {
        let mut all = vec![0];
        for axis in (0..self.mesh.rank()).filter(|axis| self.is_replicated(*axis)) {
            let stride = self.mesh.stride(axis);
            all = all.iter().flat_map(|base| (0..self.mesh.extent(axis)).map(move |k| base + k * stride)).collect();
        }
        all
    }
}

/// Writes the shape, the mesh and the splits: `[7, 5] on data=2, model=3: axis 0 by data (chunk)`.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} on {}: ", self.shape, self.mesh)?;
        let mut between = "";
        for split in &self.splits {
            write!(f, "{between}axis {} by {} ({})", split.dim, split.axis, split.rule)?;
            between = ", ";
        }
        for (axis, reduction) in self.partial_axes().zip(self.reduction.iter().cycle()) {
            write!(f, "{between}{reduction} over {axis}")?;
            between = ", ";
        }
        if between.is_empty() { f.write_str("replicated") } else { Ok(()) }
    }
}
