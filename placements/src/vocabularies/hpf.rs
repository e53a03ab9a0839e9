//! DISTRIBUTE of High Performance Fortran.

use super::refuse;
use super::scanner::Scanner;
use crate::error::{LimitedItem, PlacementError, Result, at_most};
use crate::mesh::{MAX_AXES, Mesh};
use crate::placement::Placement;
use crate::rule::Rule;
use alloc::format;
use alloc::vec::Vec;

impl Placement {
    /// Reads the formats of a DISTRIBUTE directive of High Performance Fortran: `(BLOCK, CYCLIC(3), *)`, an entry for each tensor
    /// axis.
    ///
    /// | format | meaning |
    /// |---|---|
    /// | `BLOCK` | blocks of `ceil(n / k)` indices |
    /// | `BLOCK(b)` | blocks of `b` indices, where `k * b >= n` |
    /// | `CYCLIC` | single indices in turn |
    /// | `CYCLIC(b)` | blocks of `b` indices in turn |
    /// | `*` | the axis is whole |
    ///
    /// Distributed tensor axes take the axes of the mesh in order, one each.
    ///
    /// # Errors
    /// Fails for other texts, for another number of entries than tensor axes, for another number of distributed axes than mesh
    /// axes, and as [`Placement::split`] does.
    ///
    /// ```
    /// use placements::{Mesh, Placement};
    /// let mesh = Mesh::new([("p", 2), ("q", 3)])?;
    /// let array = Placement::from_hpf(&mesh, &[10, 10, 4], "(BLOCK, CYCLIC(2), *)")?;
    /// assert_eq!(array.ranges(4)?, [vec![[5, 10]], vec![[2, 4], [8, 10]], vec![[0, 4]]]);
    /// let error = Placement::from_hpf(&mesh, &[10, 10], "(BLOCK, *)").unwrap_err();
    /// assert_eq!(error.to_string(), "HPF: `distributed axes` is 1, but the mesh has 2 axes");
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn from_hpf(mesh: &Mesh, shape: &[i64], text: &str) -> Result<Placement> {
        let mut scanner = Scanner::new("HPF", text);
        scanner.expect("(", "`(` and a format for each axis")?;
        let mut formats = Vec::new();
        scanner.list(")", |scanner| {
            formats.push(format(scanner)?);
            at_most(LimitedItem::TensorAxes, formats.len(), MAX_AXES)
        })?;
        scanner.end()?;
        if formats.len() != shape.len() {
            return Err(PlacementError::Rank { found: formats.len(), expected: shape.len() });
        }
        let distributed = formats.iter().flatten().count();
        if distributed != mesh.rank() {
            return refuse("HPF", "distributed axes", distributed as i64, format!("the mesh has {} axes", mesh.rank()));
        }
        let mut placement = Placement::new(mesh, shape)?;
        let mut axes = (0..mesh.rank()).filter_map(|k| mesh.name(k));
        for (dim, rule) in formats.into_iter().enumerate() {
            if let Some(rule) = rule {
                placement = placement.split(dim, axes.next().unwrap_or_default(), rule)?;
            }
        }
        Ok(placement)
    }
}

fn format(scanner: &mut Scanner) -> Result<Option<Rule>> {
    if scanner.eat("*") {
        return Ok(None);
    }
    let word = scanner.word();
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    if !is("BLOCK") && !is("CYCLIC") {
        return scanner.fail("BLOCK, CYCLIC or *");
    }
    let mut number = None;
    if scanner.eat("(") {
        number = Some(scanner.number()?);
        scanner.expect(")", "`)`")?;
    }
    Ok(Some(match (is("BLOCK"), number) {
        (true, None) => Rule::Chunk,
        (true, Some(size)) => Rule::Size(size),
        (false, block) => Rule::Block(block.unwrap_or(1)),
    }))
}
