//! The rules of splits, and the operations that combine partial results.

use crate::error::{LimitedItem, PlacementError, Result, at_most};
use crate::mesh::MAX_DEVICES;
use crate::partition::{MAX_RANGES, Partition};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The rule that divides `n` indices among the `k` devices along a mesh axis.
///
/// ```
/// use placements::{Mesh, Placement, Rule};
/// let mesh = Mesh::new([("x", 4)])?;
/// let parts = |rule: Rule| {
///     let all = Placement::new(&mesh, &[10])?.split(0, "x", rule)?;
///     (0..4).map(|device| all.elements(device)).collect::<Result<Vec<_>, _>>()
/// };
/// assert_eq!(parts(Rule::Chunk)?, [3, 3, 3, 1]);
/// assert_eq!(parts(Rule::Balanced)?, [3, 3, 2, 2]);
/// assert_eq!(parts(Rule::Block(2))?, [4, 2, 2, 2]);
/// assert_eq!(parts(Rule::BlockFrom { block: 2, first: 3 })?, [2, 2, 2, 4]);
/// assert_eq!(parts(Rule::Strided(2))?, [4, 4, 2, 0]); // chunks of 0..5 and of 5..10
/// assert_eq!(parts(Rule::Size(5))?, [5, 5, 0, 0]);
/// assert_eq!(parts(Rule::Cuts(vec![1, 1, 8]))?, [1, 0, 7, 2]);
/// assert_eq!(parts(Rule::Even).unwrap_err().class(), "placement/even");
/// # Ok::<(), placements::PlacementError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Pieces of `ceil(n / k)` indices, the last ones shorter or empty: `torch.chunk`, and DTensor's `Shard`.
    Chunk,
    /// The first `n mod k` devices have `floor(n / k) + 1` indices, the others `floor(n / k)`: `numpy.array_split`.
    Balanced,
    /// `n / k` indices each. Refused where `k` does not divide `n`: JAX.
    Even,
    /// Blocks of this many indices, dealt out in turn: index `p` goes to device `floor(p / b) mod k`. ScaLAPACK, HPF's `CYCLIC`.
    Block(i64),
    /// Blocks dealt out in turn, the first one to device `first`: index `p` goes to device `(floor(p / block) + first) mod k`.
    /// ScaLAPACK's `RSRC` and `CSRC`.
    BlockFrom {
        /// The number of indices of a block.
        block: i64,
        /// The device of the first block, below `k`.
        first: i64,
    },
    /// Cuts the axis into this many chunks, and each of them into `k` chunks. Device `j` has chunk `j` of each: PyTorch's `_StridedShard`.
    Strided(i64),
    /// Pieces of this many indices, the last ones shorter or empty. Refused where `k` pieces are too few: HPF's `BLOCK(s)`.
    Size(i64),
    /// Explicit boundaries: the first index of each device but the first one, ascending.
    Cuts(Vec<i64>),
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Chunk => f.write_str("chunk"),
            Rule::Balanced => f.write_str("balanced"),
            Rule::Even => f.write_str("even"),
            Rule::Block(block) => write!(f, "blocks of {block}"),
            Rule::BlockFrom { block, first } => write!(f, "blocks of {block} from {first}"),
            Rule::Strided(pieces) => write!(f, "chunks of {pieces} pieces"),
            Rule::Size(size) => write!(f, "pieces of {size}"),
            Rule::Cuts(cuts) => write!(f, "cuts at {cuts:?}"),
        }
    }
}

/// One split of a placement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AxisSplit {
    /// The tensor axis that is split.
    pub dim: usize,
    /// The name of the mesh axis.
    pub axis: String,
    /// The rule that divides the indices.
    pub rule: Rule,
}

impl AxisSplit {
    /// Returns the classes after the split among `parts` devices.
    pub(crate) fn apply(&self, partition: &Partition, parts: usize) -> Result<Partition> {
        let devices = parts as i64;
        let number = |number: i64, least: i64, most: i64| {
            if (least..=most).contains(&number) {
                return Ok(());
            }
            Err(PlacementError::Number { dim: self.dim, axis: self.axis.clone(), number, least, most })
        };
        let multiples = |size: i64, n: i64| (0..=devices).map(|k| k.saturating_mul(size).min(n)).collect();
        match &self.rule {
            Rule::Chunk => partition.cut(parts, |n| Ok(multiples(n.unsigned_abs().div_ceil(parts as u64) as i64, n))),
            Rule::Balanced => partition.cut(parts, |n| Ok((0..=devices).map(|k| k * (n / devices) + k.min(n % devices)).collect())),
            Rule::Even => partition.cut(parts, |n| match n % devices {
                0 => Ok(multiples(n / devices, n)),
                _ => Err(PlacementError::Uneven { dim: self.dim, axis: self.axis.clone(), indices: n, devices }),
            }),
            Rule::Size(size) => partition.cut(parts, |n| {
                number(*size, (n.unsigned_abs().div_ceil(parts as u64) as i64).max(1), i64::MAX)?;
                Ok(multiples(*size, n))
            }),
            Rule::Cuts(cuts) if cuts.len() + 1 != parts => {
                Err(PlacementError::Bounds { dim: self.dim, axis: self.axis.clone(), bounds: cuts.len(), devices })
            }
            Rule::Cuts(cuts) => partition.cut(parts, |n| {
                let mut bounds = Vec::with_capacity(parts + 1);
                bounds.push(0);
                for cut in cuts {
                    number(*cut, bounds[bounds.len() - 1], n)?;
                    bounds.push(*cut);
                }
                bounds.push(n);
                Ok(bounds)
            }),
            Rule::Block(block) => {
                number(*block, 1, i64::MAX)?;
                partition.deal(parts, *block, 0)
            }
            Rule::BlockFrom { block, first } => {
                number(*block, 1, i64::MAX)?;
                number(*first, 0, devices - 1)?;
                partition.deal(parts, *block, *first)
            }
            Rule::Strided(pieces) => {
                number(*pieces, 1, MAX_DEVICES as i64)?;
                at_most(LimitedItem::Ranges, (*pieces as usize).saturating_mul(partition.sizes.len() * parts), MAX_RANGES)?;
                partition.cut_twice(*pieces as usize, parts)
            }
        }
    }
}

/// The operation that combines partial results.
///
/// ```
/// use placements::ReduceOp;
/// assert_eq!([ReduceOp::Sum, ReduceOp::Mean].map(|operation| operation.to_string()), ["sum", "mean"]);
/// assert_eq!(ReduceOp::from_name("max"), Some(ReduceOp::Max));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReduceOp {
    /// The sum of all summands.
    Sum,
    /// The least summand.
    Min,
    /// The greatest summand.
    Max,
    /// The sum of all summands, divided by their number.
    Mean,
}

impl ReduceOp {
    /// Returns the reduction of this name: `sum`, `min`, `max`, `mean`, or `avg` for the mean. Returns `None` for other names.
    pub fn from_name(name: &str) -> Option<ReduceOp> {
        Some(match name {
            "sum" => ReduceOp::Sum,
            "min" => ReduceOp::Min,
            "max" => ReduceOp::Max,
            "mean" | "avg" => ReduceOp::Mean,
            _ => return None,
        })
    }
}

impl fmt::Display for ReduceOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ReduceOp::Sum => "sum",
            ReduceOp::Min => "min",
            ReduceOp::Max => "max",
            ReduceOp::Mean => "mean",
        })
    }
}
