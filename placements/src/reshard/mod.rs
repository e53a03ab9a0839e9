//! Moves from one placement to another.

mod balance;
mod memory;
#[cfg(feature = "relabel")]
mod relabel;
mod rounds;
mod steps;
mod transfer;

pub use rounds::{Link, LinkModel, RoundMessage};
pub use transfer::DeviceTransfer;

use crate::error::{LimitedItem, PlacementError, Result, at_most, product};
use crate::overlay::{IndexRun, Overlay};
use crate::placement::Placement;
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use balance::Shares;

/// A function of a target device, a box, the classes of the source that have it, and a summand.
type Each<'f> = dyn FnMut(usize, &[IndexRun], &[usize], usize) + 'f;

/// The maximum number of transfers that [`Reshard::transfers`] lists for tensors of up to 8 axes.
pub const MAX_TRANSFERS: usize = 1 << 20;

/// A move of a tensor from one placement to another, which combines partial results on the way.
///
/// Both meshes number the same devices from 0. A device beyond a mesh has nothing there. Every element of a target device needs
/// one source for each summand: the device itself if it has the summand, or else one of its holders. No plan moves
/// fewer elements, unless there are partial results: then [`steps`](Self::steps) may. Elements that several devices hold are read from all of them in equal shares.
///
/// Divisions of the axes are compared, never single elements: 10^12 elements take as long as a thousand.
///
/// ```
/// use placements::{Mesh, Placement, ReduceOp, Reshard, Rule};
/// let mesh = Mesh::new([("x", 4)])?;
/// let all = Placement::new(&mesh, &[8, 6])?;
/// // Rows become columns: a quarter of each part stays.
/// let turn = Reshard::new(&all.clone().split(0, "x", Rule::Chunk)?, &all.clone().split(1, "x", Rule::Balanced)?)?;
/// assert_eq!((turn.local(), turn.moved()), (12, 36));
/// // A reduce-scatter: each device adds four summands of its rows, one of them its own.
/// let sum = all.clone().partial("x", ReduceOp::Sum)?;
/// let scatter = Reshard::new(&sum, &all.split(0, "x", Rule::Chunk)?)?;
/// assert_eq!((scatter.local(), scatter.moved()), (48, 144));
/// # Ok::<(), placements::PlacementError>(())
/// ```
pub struct Reshard {
    from: Placement,
    to: Placement,
    /// The shared indices of each tensor axis.
    overlays: Vec<Overlay>,
    /// The indices that a class of the source and a class of the target share, by tensor axis.
    shared: Vec<BTreeMap<(usize, usize), i64>>,
    /// The device that takes each part of the target.
    takers: Vec<usize>,
    /// The part that each device takes.
    parts: Vec<Option<usize>>,
    local: i64,
    moved: i64,
}

impl Reshard {
    /// Compares two placements of one tensor.
    ///
    /// # Errors
    /// Fails if the shapes differ, if the target has partial results, if the number of moved elements exceeds 62 bits, and if
    /// the divisions of an axis share more than [`MAX_RANGES`](crate::MAX_RANGES) ranges in a period.
    pub fn new(from: &Placement, to: &Placement) -> Result<Reshard> {
        if from.shape() != to.shape() {
            return Err(PlacementError::Shapes { from: from.shape().to_vec(), to: to.shape().to_vec() });
        }
        if let Some(axis) = to.partial_axes().next() {
            return Err(PlacementError::PartialTarget { axis: axis.to_string() });
        }
        let pairs = from.axes().iter().zip(to.axes());
        let overlays = pairs.map(|(from, to)| Overlay::new(&from.partition, &to.partition)).collect::<Result<Vec<_>>>()?;
        let shared = overlays.iter().map(Overlay::sizes).collect();
        let mut needed = 0_i64;
        for part in 0..to.mesh().devices() {
            needed += to.elements(part)?;
            if needed >= 1 << 62 {
                return Err(PlacementError::Overflow { first: needed, second: 1 });
            }
        }
        let moved = product(needed, from.summands() as i64)?;
        let plan = Reshard { from: from.clone(), to: to.clone(), overlays, shared, takers: vec![], parts: vec![], local: 0, moved };
        Ok(plan.with_takers((0..to.mesh().devices()).collect()))
    }

    /// Returns the move in which device `takers[p]` takes part `p`. Its own elements of the part do not move.
    fn with_takers(self, takers: Vec<usize>) -> Reshard {
        let mut parts = vec![None; takers.iter().map(|device| device + 1).max().unwrap_or(0)];
        takers.iter().enumerate().for_each(|(part, device)| parts[*device] = Some(part));
        let local = takers.iter().enumerate().map(|(part, device)| self.own_elements(*device, &self.to.cell(part).0)).sum::<i64>();
        Reshard { moved: self.moved + self.local - local, local, takers, parts, ..self }
    }

    /// Returns the number of elements of the part of these classes that a device has.
    fn own_elements(&self, device: usize, targets: &[usize]) -> i64 {
        if device >= self.from.mesh().devices() {
            return 0;
        }
        let pairs = self.from.cell(device).0.into_iter().zip(targets.iter().copied()).zip(&self.shared);
        pairs.map(|(pair, shared)| shared.get(&pair).copied().unwrap_or(0)).product()
    }

    /// Returns the device that takes each part of the target: device `k` takes part `k`, unless the move is
    /// `relabelled` (feature `relabel`).
    pub fn takers(&self) -> &[usize] {
        &self.takers
    }

    /// Returns the placement before the move.
    pub fn source(&self) -> &Placement {
        &self.from
    }

    /// Returns the placement after the move.
    pub fn target(&self) -> &Placement {
        &self.to
    }

    /// Returns the number of elements that devices copy or combine from their own memory. Each summand counts.
    pub fn local(&self) -> i64 {
        self.local
    }

    /// Returns the number of elements that move from one device to another. Each summand counts.
    pub fn moved(&self) -> i64 {
        self.moved
    }

    /// Lists all transfers: by part of the target, then by summand, then by box.
    ///
    /// A target stores the elements of summand 0 and combines the other summands with them in this order. Results therefore
    /// depend on the placements alone. Among `r` holders of the same elements, which others need `d` times, each sends
    /// `floor(d / r)` or `ceil(d / r)` elements.
    ///
    /// # Errors
    /// Fails for more than [`MAX_TRANSFERS`] transfers: for every 8 axes beyond the first 8, the limit is divided by one more.
    ///
    /// ```
    /// use placements::{Mesh, Placement, Reshard, Rule};
    /// let (four, eight) = (Mesh::new([("tp", 4)])?, Mesh::new([("tp", 8)])?);
    /// let from = Placement::new(&four, &[100])?.split(0, "tp", Rule::Chunk)?;
    /// let to = Placement::new(&eight, &[100])?.split(0, "tp", Rule::Chunk)?;
    /// let plan = Reshard::new(&from, &to)?;
    /// let ends: Vec<_> = plan.transfers()?.iter().map(|one| (one.from, one.to, one.elements())).collect();
    /// assert_eq!(ends[..4], [(0, 0, 13), (0, 1, 12), (1, 1, 1), (1, 2, 13)]);
    /// assert!(ends.len() <= 4 + 8);
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn transfers(&self) -> Result<Vec<DeviceTransfer>> {
        let summands = self.from.summands();
        self.limit(summands)?;
        let mut shares = Shares::new(&self.from);
        self.visit(&mut |to, runs, classes, summand| {
            if !self.is_own(to, classes, summand) {
                shares.need(self.from.first_device(classes.iter().copied(), summand), elements(runs));
            }
        });
        let (mut out, mut count, most) = (vec![], 0_usize, self.most());
        let mut push = |transfer| {
            count += 1;
            // Shares of one box can be many transfers. Count the ones beyond the limit, and drop them.
            if count <= most {
                out.push(transfer);
            }
        };
        self.visit(&mut |to, runs, classes, summand| {
            if self.is_own(to, classes, summand) {
                push(DeviceTransfer { from: to, to, summand, runs: runs.to_vec() });
            } else {
                let first = self.from.first_device(classes.iter().copied(), summand);
                shares.serve(first, runs, |from, runs| push(DeviceTransfer { from, to, summand, runs }));
            }
        });
        at_most(LimitedItem::Transfers, count, most)?;
        Ok(out)
    }

    /// Returns the maximum number of transfers. A transfer has a run for each axis, so tensors of more than 8 axes have fewer.
    fn most(&self) -> usize {
        MAX_TRANSFERS / self.to.shape().len().div_ceil(8).max(1)
    }

    /// Fails if there are too many boxes.
    fn limit(&self, summands: usize) -> Result<()> {
        let mut count = 0_usize;
        for device in 0..self.to.mesh().devices() {
            let lists = self.to.cell(device).0.into_iter().zip(&self.overlays).map(|(class, overlay)| overlay.of(class).len());
            count = count.saturating_add(lists.fold(summands, |all, list| all.saturating_mul(list)));
            at_most(LimitedItem::Transfers, count.min(i64::MAX as usize), self.most())?;
        }
        Ok(())
    }

    /// Calls `each` with every box that a target device needs: the device, the box, the classes of the source and the summand.
    fn visit(&self, each: &mut Each) {
        let (mut runs, mut classes) = (vec![], vec![]);
        for (part, device) in self.takers.iter().copied().enumerate() {
            let lists: Vec<_> = self.to.cell(part).0.into_iter().zip(&self.overlays).map(|(class, overlay)| overlay.of(class)).collect();
            if lists.iter().any(|list| list.is_empty()) {
                continue;
            }
            for summand in 0..self.from.summands() {
                let mut at = vec![0; lists.len()];
                loop {
                    runs.clear();
                    classes.clear();
                    runs.extend(at.iter().zip(&lists).map(|(k, list)| list[*k].2));
                    classes.extend(at.iter().zip(&lists).map(|(k, list)| list[*k].0));
                    each(device, &runs, &classes, summand);
                    // Count on, the last axis fastest.
                    let Some(axis) = (0..at.len()).rev().find(|axis| at[*axis] + 1 < lists[*axis].len()) else { break };
                    at[axis] += 1;
                    at[axis + 1..].fill(0);
                }
            }
        }
    }

    /// Tests whether a device has the elements of these classes and this summand in the source.
    fn is_own(&self, device: usize, classes: &[usize], summand: usize) -> bool {
        device < self.from.mesh().devices() && {
            let (own, of) = self.from.cell(device);
            own == classes && of == summand
        }
    }
}

/// Returns the number of elements of a box.
fn elements(runs: &[IndexRun]) -> i64 {
    runs.iter().map(IndexRun::indices).product()
}
