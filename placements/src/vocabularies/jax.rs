//! PartitionSpec and NamedSharding of JAX.

use super::scanner::Scanner;
use crate::error::{LimitedItem, PlacementError, Result, at_most};
use crate::mesh::{MAX_AXES, Mesh};
use crate::placement::Placement;
use crate::rule::{ReduceOp, Rule};
use alloc::vec::Vec;

impl Placement {
    /// Reads a PartitionSpec of JAX, such as `P('data', None, ('x', 'y'))`: an entry for each tensor axis.
    ///
    /// `None` leaves a tensor axis whole, a name splits it evenly along a mesh axis, and a tuple along several, the first the
    /// slowest. Tensor axes beyond the last entry are whole. `unreduced={'x'}` declares sums.
    ///
    /// # Errors
    /// Fails for other texts, for more entries than tensor axes, and if an axis does not divide evenly, as JAX does.
    ///
    /// ```
    /// use placements::{Mesh, Placement};
    /// let mesh = Mesh::new([("data", 2), ("x", 2), ("y", 3)])?;
    /// let placement = Placement::from_partition_spec(&mesh, &[4, 7, 12], "P('data', None, ('x', 'y'))")?;
    /// assert_eq!(placement.ranges(11)?, [[[2, 4]], [[0, 7]], [[10, 12]]]);
    /// let error = Placement::from_partition_spec(&mesh, &[5], "P('data')").unwrap_err();
    /// assert_eq!(error.to_string(), "tensor axis 0: 5 indices do not divide evenly among the 2 devices of mesh axis `data`");
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn from_partition_spec(mesh: &Mesh, shape: &[i64], text: &str) -> Result<Placement> {
        let mut scanner = Scanner::new("PartitionSpec", text);
        let placement = spec(&mut scanner, mesh, shape)?;
        scanner.end()?;
        Ok(placement)
    }

    /// Reads a NamedSharding of JAX as JAX prints it: the mesh and the PartitionSpec.
    ///
    /// # Errors
    /// Fails as [`Mesh::new`] and [`Placement::from_partition_spec`] do.
    ///
    /// ```
    /// use placements::Placement;
    /// let text = "NamedSharding(mesh=Mesh('x': 4, 'y': 2, axis_types=(Auto, Auto)), spec=PartitionSpec('x',), memory_kind=device)";
    /// let placement = Placement::from_named_sharding(&[8, 6], text)?;
    /// assert_eq!(placement.to_string(), "[8, 6] on x=4, y=2: axis 0 by x (even)");
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn from_named_sharding(shape: &[i64], text: &str) -> Result<Placement> {
        let mut scanner = Scanner::new("NamedSharding", text);
        scanner.expect("NamedSharding", "NamedSharding")?;
        scanner.expect("(", "`(` and the mesh")?;
        scanner.eat("mesh=");
        scanner.expect("Mesh", "Mesh")?;
        scanner.expect("(", "`(` and the axes of the mesh")?;
        let mut axes = Vec::new();
        scanner.list(")", |scanner| {
            if scanner.keyword("axis_types") {
                scanner.expect("=", "`=`")?;
                scanner.expect("(", "a tuple of types")?;
                return scanner.list(")", |scanner| if scanner.word().is_empty() { scanner.fail("the type of an axis") } else { Ok(()) });
            }
            let name = scanner.quoted()?;
            scanner.expect(":", "`:` and the extent of the axis")?;
            axes.push((name, scanner.number()?));
            at_most(LimitedItem::MeshAxes, axes.len(), MAX_AXES)
        })?;
        let mesh = Mesh::new(axes)?;
        scanner.expect(",", "a comma and the PartitionSpec")?;
        scanner.eat("spec=");
        let placement = spec(&mut scanner, &mesh, shape)?;
        if scanner.eat(",") {
            scanner.expect("memory_kind=", "`memory_kind=`")?;
            scanner.word();
        }
        scanner.expect(")", "`)`")?;
        scanner.end()?;
        Ok(placement)
    }
}

fn spec(scanner: &mut Scanner, mesh: &Mesh, shape: &[i64]) -> Result<Placement> {
    if !scanner.keyword("P") && !scanner.keyword("PartitionSpec") {
        return scanner.fail("P or PartitionSpec");
    }
    scanner.expect("(", "`(` and an entry for each tensor axis")?;
    let mut placement = Placement::new(mesh, shape)?;
    let mut dim = 0;
    scanner.list(")", |scanner| {
        let mut axes: Vec<&str> = Vec::new();
        if scanner.keyword("unreduced") {
            scanner.expect("=", "`=`")?;
            scanner.expect("{", "a set of mesh axes")?;
            return scanner.list("}", |scanner| {
                placement = placement.clone().partial(scanner.quoted()?, ReduceOp::Sum)?;
                Ok(())
            });
        }
        if scanner.eat("(") {
            scanner.list(")", |scanner| {
                axes.push(scanner.quoted()?);
                at_most(LimitedItem::MeshAxes, axes.len(), MAX_AXES)
            })?;
        } else if scanner.is_quoted() {
            axes.push(scanner.quoted()?);
        } else if !scanner.keyword("None") {
            return scanner.fail("None, a name in quotes, or a tuple of names");
        }
        if dim == shape.len() {
            return Err(PlacementError::Rank { found: dim + 1, expected: shape.len() });
        }
        for axis in axes {
            placement = placement.clone().split(dim, axis, Rule::Even)?;
        }
        dim += 1;
        Ok(())
    })?;
    Ok(placement)
}
