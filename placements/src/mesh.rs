//! Meshes of devices with named axes.

use crate::error::{LimitedItem, PlacementError, Result, at_most};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// The maximum number of axes of a mesh and of a tensor.
pub const MAX_AXES: usize = 64;

/// The maximum number of devices of a mesh.
pub const MAX_DEVICES: usize = 1 << 18;

/// A mesh: axes with names and extents.
///
/// The devices are numbered from 0 in row-major order, the last axis fastest: device `sum_k c_k * prod_{j > k} extent_j` has
/// coordinate `c_k` on axis `k`.
///
/// ```
/// use placements::Mesh;
/// let mesh = Mesh::new([("data", 2), ("model", 4)])?;
/// assert_eq!((mesh.devices(), mesh.to_string()), (8, "data=2, model=4".into()));
/// assert_eq!(mesh.coordinate(6, 0), 1);
/// assert_eq!(Mesh::new([("x", 2), ("x", 3)]).unwrap_err().to_string(), "the mesh has two axes `x`: give each axis its own name");
/// assert_eq!(Mesh::new([("x", 0)]).unwrap_err().to_string(), "mesh axis `x` has the extent 0: it needs at least 1 device");
/// # Ok::<(), placements::PlacementError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mesh {
    axes: Vec<(String, usize)>,
    devices: usize,
}

impl Mesh {
    /// Creates a mesh of axes, the slowest first.
    ///
    /// # Errors
    /// Fails if two axes have one name, if an extent is below 1, for more than [`MAX_AXES`] axes, and for more than
    /// [`MAX_DEVICES`] devices.
    pub fn new<S: Into<String>>(axes: impl IntoIterator<Item = (S, i64)>) -> Result<Mesh> {
        let mut mesh = Mesh { axes: Vec::new(), devices: 1 };
        for (axis, extent) in axes {
            let axis = axis.into();
            at_most(LimitedItem::MeshAxes, mesh.axes.len() + 1, MAX_AXES)?;
            if mesh.axes.iter().any(|(other, _)| *other == axis) {
                return Err(PlacementError::AxisTwice { axis });
            }
            if extent < 1 {
                return Err(PlacementError::MeshExtent { axis, extent });
            }
            let count = (mesh.devices as i64).saturating_mul(extent);
            if count > MAX_DEVICES as i64 {
                return Err(PlacementError::Limit { what: LimitedItem::Devices, count, limit: MAX_DEVICES as i64 });
            }
            mesh.devices = count as usize;
            mesh.axes.push((axis, extent as usize));
        }
        Ok(mesh)
    }

    /// Returns the number of devices: the product of the extents.
    pub fn devices(&self) -> usize {
        self.devices
    }

    /// Returns the number of axes.
    pub fn rank(&self) -> usize {
        self.axes.len()
    }

    /// Returns the name of axis `k`, or `None` if there is no such axis.
    pub fn name(&self, k: usize) -> Option<&str> {
        self.axes.get(k).map(|(name, _)| name.as_str())
    }

    /// Returns the extent of axis `k`, which is 1 if there is no such axis.
    pub fn extent(&self, k: usize) -> usize {
        self.axes.get(k).map_or(1, |axis| axis.1)
    }

    /// Returns the number of the axis with this name. Fails if there is none.
    pub fn axis(&self, name: &str) -> Result<usize> {
        self.axes.iter().position(|(axis, _)| axis == name).ok_or_else(|| PlacementError::UnknownAxis {
            axis: name.to_string(),
            axes: self.axes.iter().map(|(axis, _)| axis.clone()).collect(),
        })
    }

    /// Returns the distance between the numbers of two devices that are neighbours on axis `k`: `prod_{j > k} extent_j`.
    pub fn stride(&self, k: usize) -> usize {
        self.axes.iter().skip(k + 1).map(|(_, extent)| extent).product()
    }

    /// Returns the coordinate of a device on axis `k`: `device / stride(k) mod extent(k)`.
    pub fn coordinate(&self, device: usize, k: usize) -> usize {
        device / self.stride(k) % self.extent(k)
    }
}

/// Writes the axes with their extents, as in `data=2, model=4`.
impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, (name, extent)) in self.axes.iter().enumerate() {
            write!(f, "{}{name}={extent}", if k == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
