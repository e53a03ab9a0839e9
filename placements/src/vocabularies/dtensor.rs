//! DTensor of PyTorch, and FSDP.

use super::refuse;
use super::scanner::Scanner;
use crate::error::{LimitedItem, Result, at_most};
use crate::mesh::{MAX_AXES, Mesh};
use crate::placement::Placement;
use crate::rule::{ReduceOp, Rule};
use alloc::format;
use alloc::vec::Vec;

/// A placement along one axis of the mesh.
enum Along {
    Replicate,
    Shard(i64),
    Strided(i64, i64),
    Partial(ReduceOp),
}

impl Placement {
    /// Reads the placements of a DTensor: a list with one entry for each axis of the mesh, as PyTorch prints it.
    ///
    /// | entry | meaning |
    /// |---|---|
    /// | `Replicate()` or `R` | all devices along the axis have the same elements |
    /// | `Shard(d)`, `Shard(dim=d)` or `S(d)` | chunks of `ceil(n / k)` of tensor axis `d`, the last ones shorter or empty |
    /// | `_StridedShard(d, split_factor=f)`, `_StridedShard(dim=d, sf=f)` or `_S(d, f)` | chunks of tensor axis `d` after the next `Shard(d)` has split it; `f` is the number of devices that split first |
    /// | `Partial()`, `Partial("avg")` or `P` | summands; `sum`, `avg`, `min` or `max`, but no `product` |
    ///
    /// PyTorch applies the entries in the order of the mesh instead, so some devices differ on uneven extents. `Rule::Strided(f)` along
    /// the first mesh axis, and then `Rule::Chunk`, gives the parts of PyTorch. A negative `d` counts from the last tensor axis. Other entries apply in the order of the mesh. A strided shard
    /// without a later `Shard(d)` is chunk `j` of each of `f` chunks.
    ///
    /// # Errors
    /// Fails for other texts, for another number of entries than the mesh has axes, for another split factor than the later axes
    /// have devices, and as [`Placement::split`] and [`Placement::partial`] do.
    ///
    /// ```
    /// use placements::{Mesh, Placement};
    /// let mesh = Mesh::new([("dp", 2), ("tp", 2)])?;
    /// // FSDP over tensor parallelism: rows are split by tp first. The chunks of 0..4 and 4..7 are split by dp.
    /// let rows = Placement::from_dtensor(&mesh, &[7], "[_StridedShard(dim=0, split_factor=2), Shard(dim=0)]")?;
    /// let parts: Vec<_> = (0..4).map(|device| rows.ranges(device)).collect::<Result<_, _>>()?;
    /// assert_eq!(parts, [[[[0, 2]]], [[[4, 6]]], [[[2, 4]]], [[[6, 7]]]]);
    /// let sums = Placement::from_dtensor(&mesh, &[7, 5], "(Partial('avg'), Shard(-1))")?;
    /// assert_eq!(sums.to_string(), "[7, 5] on dp=2, tp=2: axis 1 by tp (chunk), mean over dp");
    /// let error = Placement::from_dtensor(&mesh, &[7], "[Shard(0), Split(0)]").unwrap_err();
    /// assert_eq!(error.to_string(), "DTensor: expected Replicate, Shard, _StridedShard or Partial at byte 16 of `[Shard(0), Split(0)]`");
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn from_dtensor(mesh: &Mesh, shape: &[i64], text: &str) -> Result<Placement> {
        let mut scanner = Scanner::new("DTensor", text);
        let close = match (scanner.eat("["), scanner.eat("(")) {
            (true, false) => "]",
            (false, true) => ")",
            _ => return scanner.fail("a list of placements"),
        };
        let mut entries = Vec::new();
        scanner.list(close, |scanner| {
            entries.push(entry(scanner)?);
            at_most(LimitedItem::MeshAxes, entries.len(), MAX_AXES)
        })?;
        scanner.end()?;
        if entries.len() != mesh.rank() {
            return refuse("DTensor", "placements", entries.len() as i64, format!("the mesh has {} axes", mesh.rank()));
        }
        let mut placement = Placement::new(mesh, shape)?;
        // Strided shards wait for the shard of their tensor axis that splits before them.
        let mut waiting: Vec<(usize, usize, i64)> = Vec::new();
        let mut ended = Vec::new();
        for (k, entry) in entries.into_iter().enumerate() {
            let axis = mesh.name(k).unwrap_or_default();
            match entry {
                Along::Replicate => {}
                Along::Partial(reduction) => placement = placement.partial(axis, reduction)?,
                Along::Strided(dim, factor) => waiting.push((placement.axis_number(dim)?, k, factor)),
                Along::Shard(dim) => {
                    let dim = placement.axis_number(dim)?;
                    if ended.contains(&dim) {
                        return refuse("DTensor", "Shard", dim as i64, "strided shards and their shard precede it: no order is defined");
                    }
                    placement = placement.split(dim, axis, Rule::Chunk)?;
                    let mut before = mesh.extent(k) as i64;
                    while let Some(last) = waiting.iter().rposition(|one| one.0 == dim) {
                        let (_, k, factor) = waiting.remove(last);
                        if factor != before {
                            let reason = format!("the later mesh axes that split tensor axis {dim} have {before} devices");
                            return refuse("DTensor", "split_factor", factor, reason);
                        }
                        placement = placement.split(dim, mesh.name(k).unwrap_or_default(), Rule::Chunk)?;
                        before *= mesh.extent(k) as i64;
                        ended.push(dim);
                    }
                }
            }
        }
        for (dim, k, factor) in waiting {
            placement = placement.split(dim, mesh.name(k).unwrap_or_default(), Rule::Strided(factor))?;
        }
        Ok(placement)
    }

    /// Returns the placement of a parameter that FSDP shards over the mesh axis `axis`: chunks of the first tensor axis.
    ///
    /// FSDP2 stores these chunks as `Shard(0)`. FSDP1 flattens the parameters of a module: give it the shape of one axis.
    ///
    /// # Errors
    /// Fails as [`Placement::new`] and [`Placement::split`] do.
    ///
    /// ```
    /// use placements::{Mesh, Placement};
    /// let weight = Placement::from_fsdp(&Mesh::new([("dp", 4)])?, &[10, 3], "dp")?;
    /// assert_eq!(weight.local_shape(3)?, [1, 3]);
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn from_fsdp(mesh: &Mesh, shape: &[i64], axis: &str) -> Result<Placement> {
        Placement::new(mesh, shape)?.split(0, axis, Rule::Chunk)
    }
}

fn entry(scanner: &mut Scanner) -> Result<Along> {
    let before = scanner.word();
    match before {
        "Replicate" | "R" => {
            if scanner.eat("(") {
                scanner.expect(")", "`)`")?;
            }
            Ok(Along::Replicate)
        }
        "Shard" | "S" => {
            scanner.expect("(", "`(` and the tensor axis")?;
            let dim = named(scanner, &["dim"])?;
            scanner.expect(")", "`)`")?;
            Ok(Along::Shard(dim))
        }
        "_StridedShard" | "_S" => {
            scanner.expect("(", "`(` and the tensor axis")?;
            let dim = named(scanner, &["dim"])?;
            scanner.expect(",", "`, split_factor=`")?;
            let factor = named(scanner, &["split_factor", "sf"])?;
            scanner.expect(")", "`)`")?;
            Ok(Along::Strided(dim, factor))
        }
        "Partial" | "P" => {
            let mut reduction = Some(ReduceOp::Sum);
            if scanner.eat("(") && !scanner.eat(")") {
                if scanner.keyword("reduce_op") {
                    scanner.expect("=", "`=`")?;
                }
                let name = if scanner.is_quoted() { scanner.quoted()? } else { scanner.word() };
                reduction = ReduceOp::from_name(name);
                scanner.expect(")", "`)`")?;
            }
            match reduction {
                Some(reduction) => Ok(Along::Partial(reduction)),
                None => scanner.fail("one of sum, avg, min and max before this"),
            }
        }
        _ => scanner.fail("Replicate, Shard, _StridedShard or Partial"),
    }
}

/// Reads a number, with or without one of its names.
fn named(scanner: &mut Scanner, names: &[&str]) -> Result<i64> {
    if names.iter().any(|name| scanner.keyword(name)) {
        scanner.expect("=", "`=`")?;
    }
    scanner.number()
}
