//! Matrices of ScaLAPACK.

use crate::error::Result;
use crate::mesh::Mesh;
use crate::placement::Placement;
use crate::rule::Rule;
use relayout::BlockCyclic;

impl Placement {
    /// Returns the placement of a block-cyclic matrix of ScaLAPACK, on a mesh with the axes `row` and `column`.
    ///
    /// [`BlockCyclic::from_descriptor`] reads an array descriptor. Process `(p, q)` of the grid is device `p * columns + q`, as in
    /// BLACS with row-major order. ScaLAPACK stores local matrices column by column: [`BlockCyclic::side`] has their offsets.
    ///
    /// # Errors
    /// Fails for an empty matrix, and if a block, the grid or the first process is not possible.
    ///
    /// ```
    /// use placements::Placement;
    /// use relayout::BlockCyclic;
    /// let matrix = BlockCyclic::from_descriptor(&[1, 0, 9, 8, 2, 3, 1, 0, 5], [2, 2])?;
    /// let placement = Placement::from_block_cyclic(&matrix)?;
    /// // Blocks of two rows, the first one on process row 1.
    /// assert_eq!(placement.ranges(0)?, [vec![[2, 4], [6, 8]], vec![[0, 3], [6, 8]]]);
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn from_block_cyclic(matrix: &BlockCyclic) -> Result<Placement> {
        let axes = ["row", "column"];
        let mesh = Mesh::new(axes.into_iter().zip(matrix.grid))?;
        let mut placement = Placement::new(&mesh, &matrix.extent)?;
        for (dim, axis) in axes.into_iter().enumerate() {
            placement = placement.split(dim, axis, Rule::BlockFrom { block: matrix.block[dim], first: matrix.first[dim] })?;
        }
        Ok(placement)
    }
}
