//! Rounds without contention, and estimates of their time.

use super::Reshard;
use crate::error::Result;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// All elements that one device sends to another one in a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundMessage {
    /// The device that sends.
    pub from: usize,
    /// The device that receives.
    pub to: usize,
    /// The number of elements, over all summands.
    pub elements: i64,
}

/// The time of messages on a link: `latency + bytes / bandwidth`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Link {
    /// The time of an empty message, in seconds.
    pub latency: f64,
    /// The number of bytes a second.
    pub bandwidth: f64,
}

/// The links between devices. Devices with the numbers `k * n .. (k + 1) * n` are in node `k`, where `n` is `devices_per_node`.
///
/// ```
/// use placements::{Link, LinkModel, Mesh, Placement, Reshard, Rule};
/// // Rows to columns on 4 devices: 3 rounds, in each of which every device sends 2 of its 8 elements.
/// let all = Placement::new(&Mesh::new([("x", 4)])?, &[4, 8])?;
/// let turn = Reshard::new(&all.clone().split(0, "x", Rule::Even)?, &all.split(1, "x", Rule::Even)?)?;
/// let rounds = turn.rounds()?;
/// assert_eq!((rounds.len(), rounds[0].len(), rounds[0][0].elements), (3, 4, 2));
/// // Every round has a message between the two nodes, or takes a microsecond.
/// let links = LinkModel {
///     devices_per_node: 2,
///     within: Link { latency: 1e-6, bandwidth: 400e9 },
///     between: Link { latency: 5e-6, bandwidth: 50e9 },
/// };
/// let estimate = links.estimate(&rounds, 2);
/// assert!((10e-6..16e-6).contains(&estimate));
/// # Ok::<(), placements::PlacementError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinkModel {
    /// The number of devices of a node; 0 counts as 1.
    pub devices_per_node: usize,
    /// The link of two devices of one node.
    pub within: Link,
    /// The link of two devices of different nodes. Every device has its own.
    pub between: Link,
}

impl LinkModel {
    /// Returns the time of one message of elements of `element_bytes` bytes, in seconds.
    pub fn message(&self, message: &RoundMessage, element_bytes: u64) -> f64 {
        let node = |device: usize| device / self.devices_per_node.max(1);
        let link = if node(message.from) == node(message.to) { self.within } else { self.between };
        link.latency + message.elements as f64 * element_bytes as f64 / link.bandwidth
    }

    /// Returns the time of rounds that follow one another, in seconds: the sum of the longest messages of the rounds.
    pub fn estimate(&self, rounds: &[Vec<RoundMessage>], element_bytes: u64) -> f64 {
        let longest = |round: &Vec<RoundMessage>| round.iter().map(|one| self.message(one, element_bytes)).fold(0.0, f64::max);
        rounds.iter().map(longest).sum()
    }
}

impl Reshard {
    /// Returns the messages of the move in rounds. A device sends at most one message in a round, and receives at most one.
    ///
    /// The number of rounds is the least: the greatest number of messages that one device sends, or that one receives. Rounds
    /// with long messages come first. A device combines summands in their order, whatever the round of their message.
    ///
    /// # Errors
    /// Fails as [`transfers`](Self::transfers) does.
    ///
    /// ```
    /// use placements::{Mesh, Placement, Reshard, Rule};
    /// let all = Placement::new(&Mesh::new([("x", 3)])?, &[6])?;
    /// let gather = Reshard::new(&all.clone().split(0, "x", Rule::Even)?, &all)?;
    /// let rounds = gather.rounds()?;
    /// assert_eq!(rounds.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
    /// # Ok::<(), placements::PlacementError>(())
    /// ```
    pub fn rounds(&self) -> Result<Vec<Vec<RoundMessage>>> {
        let mut pairs: BTreeMap<(usize, usize), i64> = BTreeMap::new();
        for transfer in self.transfers()?.iter().filter(|transfer| !transfer.is_local()) {
            *pairs.entry((transfer.from, transfer.to)).or_insert(0) += transfer.elements();
        }
        let mut messages: Vec<_> = pairs.into_iter().map(|((from, to), elements)| RoundMessage { from, to, elements }).collect();
        messages.sort_by_key(|message| Reverse(message.elements));
        let devices = self.source().mesh().devices().max(self.target().mesh().devices());
        let colors = Coloring::new(devices, &messages).colors();
        let mut rounds = vec![vec![]; colors.iter().max().map_or(0, |last| last + 1)];
        for (message, color) in messages.iter().zip(colors) {
            rounds[color].push(*message);
        }
        let longest = |round: &Vec<RoundMessage>| round.iter().map(|message| message.elements).max();
        rounds.sort_by_key(|round| Reverse(longest(round)));
        Ok(rounds)
    }
}

/// The number of colors that are tried before two are exchanged.
const TRIED: usize = 16;

/// A coloring of the edges of a bipartite graph, from senders to receivers. A color is a round.
struct Coloring<'m> {
    messages: &'m [RoundMessage],
    colors: Vec<usize>,
    /// The message of each color at each sender, and at each receiver.
    at: [Vec<BTreeMap<usize, usize>>; 2],
    /// A bound of the least color that is free at each sender, and at each receiver.
    least: [Vec<usize>; 2],
    /// The greatest number of messages of a device: this many colors suffice.
    most: usize,
}

impl<'m> Coloring<'m> {
    fn new(devices: usize, messages: &'m [RoundMessage]) -> Self {
        let mut counts = [vec![0; devices], vec![0; devices]];
        for message in messages {
            counts[0][message.from] += 1;
            counts[1][message.to] += 1;
        }
        let most = counts.iter().flatten().copied().max().unwrap_or(0);
        let (colors, at, least) = (
            vec![0; messages.len()],
            [vec![BTreeMap::new(); devices], vec![BTreeMap::new(); devices]],
            [vec![0; devices], vec![0; devices]],
        );
        Coloring { messages, colors, at, least, most }
    }

    /// Colors all messages, and returns their colors.
    fn colors(mut self) -> Vec<usize> {
        for k in 0..self.messages.len() {
            let ends = self.ends(k);
            let [own, other] = [self.free(0, ends[0]), self.free(1, ends[1])];
            // The distance of the devices is a round of an exchange of all with all.
            let distance = (ends[1] + self.least[1].len() - ends[0]) % self.most;
            let from = own.max(other);
            let mut tried = core::iter::once(distance).chain(from..self.most.min(from + TRIED));
            let is_free = |color: &usize| (0..2).all(|side| self.message(side, ends[side], *color).is_none());
            let color = match tried.find(is_free) {
                Some(color) => color,
                None => {
                    self.exchange(ends[1], own, other);
                    own
                }
            };
            self.set(k, color);
        }
        self.colors
    }

    /// Returns the least color that is free at a device.
    fn free(&mut self, side: usize, device: usize) -> usize {
        let list = &self.at[side][device];
        let least = &mut self.least[side][device];
        while list.contains_key(least) {
            *least += 1;
        }
        *least
    }

    fn ends(&self, message: usize) -> [usize; 2] {
        [self.messages[message].from, self.messages[message].to]
    }

    fn message(&self, side: usize, device: usize, color: usize) -> Option<usize> {
        self.at[side][device].get(&color).copied()
    }

    fn set(&mut self, message: usize, color: usize) {
        self.colors[message] = color;
        for (side, device) in self.ends(message).into_iter().enumerate() {
            self.at[side][device].insert(color, message);
        }
    }

    /// Exchanges two colors along the path that begins at a receiver with the color `one`, which is free there afterwards. The
    /// path never reaches a sender where `one` is free.
    fn exchange(&mut self, receiver: usize, one: usize, other: usize) {
        let (mut side, mut device, mut path) = (1, receiver, vec![]);
        let mut color = one;
        while let Some(message) = self.message(side, device, color) {
            path.push(message);
            side = 1 - side;
            device = self.ends(message)[side];
            color = if color == one { other } else { one };
        }
        for message in &path {
            let color = self.colors[*message];
            for (side, device) in self.ends(*message).into_iter().enumerate() {
                self.at[side][device].remove(&color);
                self.least[side][device] = self.least[side][device].min(color);
            }
        }
        for message in path {
            self.set(message, if self.colors[message] == one { other } else { one });
        }
    }
}
