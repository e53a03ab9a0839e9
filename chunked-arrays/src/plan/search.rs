//! Searches the cheapest plan: the best boxes of one pass, and boxes of several passes through temporary files.

use super::cuts::{Cut, cut, limits};
use super::{MOST_CHUNKS, MOST_UNITS, RechunkPlanOptions, Stage};
use crate::error::RechunkError;
use crate::grid::{Axis, Grid};

/// The most combinations of cuts of some axes that the search keeps.
const KEPT: usize = 512;
/// The most stages of a plan.
const STAGES: usize = 4;

/// The numbers of a search.
struct Search<'a> {
    size: u64,
    source: &'a Grid,
    target: &'a Grid,
    options: &'a RechunkPlanOptions,
}

/// The positions at which a pass may cut an axis: between chunks, or anywhere.
#[derive(Clone, Copy)]
enum Units<'a> {
    Chunks(&'a Axis),
    Elements(u64),
}

impl Units<'_> {
    fn longest(self) -> u64 {
        match self {
            Units::Chunks(axis) => axis.longest(),
            Units::Elements(extent) => extent.min(1),
        }
    }

    /// Returns the positions of all units in a file.
    fn most(self) -> u64 {
        match self {
            Units::Chunks(axis) => match axis.chunks() {
                0 => 0,
                chunks => axis.range(chunks - 1).start + axis.stored_length(chunks - 1),
            },
            Units::Elements(extent) => extent,
        }
    }

    /// Returns boxes of at most `limit` positions, and the length of the longest.
    fn boxes(self, limit: u64) -> (Axis, u64) {
        match self {
            Units::Chunks(axis) => {
                let cut = cut(axis, axis, limit);
                (cut.boxes, cut.longest)
            }
            Units::Elements(extent) => (Axis::regular(extent, limit), limit.min(extent)),
        }
    }
}

/// Returns the stages of the cheapest plan. Fails if the memory does not suffice for any.
pub(super) fn cheapest(size: u64, source: &Grid, target: &Grid, options: &RechunkPlanOptions) -> Result<Vec<Stage>, RechunkError> {
    let search = Search { size, source, target, options };
    if search.bytes() == 0 {
        return Ok(vec![search.nothing()]);
    }
    let mut best: Option<(u64, Vec<Stage>)> = None;
    // Runs need smaller buffers, so they win among equal costs.
    for whole_reads in [false, true] {
        for whole_writes in [false, true] {
            if !(whole_reads || options.partial_reads) || !(whole_writes || options.partial_writes) {
                continue;
            }
            let single = search.one_pass(whole_reads, whole_writes).map(|stage| vec![stage]);
            let several = (2..=STAGES).filter_map(|stages| search.passes(stages, whole_reads, whole_writes));
            for stages in single.into_iter().chain(several) {
                let cost = search.cost(&stages);
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, stages));
                }
            }
        }
    }
    best.map(|(_, stages)| stages).ok_or_else(|| match search.too_little() {
        RechunkError::Memory { bound, needed, .. } if needed <= bound => {
            RechunkError::Grid(format!("an axis would have more than {MOST_CHUNKS} boxes of the {bound} bytes of memory; use more"))
        }
        error => error,
    })
}

/// Returns the bytes that a thread needs to read or write parts of chunks. A small array needs less than the option allows.
pub(super) fn run_buffer(size: u64, source: &Grid, options: &RechunkPlanOptions) -> u64 {
    options.run_buffer.min((source.elements() * size / 64).max(size))
}

impl Search<'_> {
    fn cost(&self, stages: &[Stage]) -> u64 {
        let of = |(number, stage): (usize, &Stage)| {
            let requests = stage.requests.saturating_mul(self.options.request_bytes);
            let read = match self.options.stored_bytes.filter(|_| number == 0) {
                Some(stored) => (u128::from(stage.bytes_read) * u128::from(stored) / u128::from(self.bytes().max(1))) as u64,
                None => stage.bytes_read,
            };
            read.saturating_add(stage.bytes_written.saturating_mul(self.options.write_cost)).saturating_add(requests)
        };
        stages.iter().enumerate().map(of).fold(0, u64::saturating_add)
    }

    fn bytes(&self) -> u64 {
        self.source.elements() * self.size
    }

    /// Returns the stage of an array without elements.
    fn nothing(&self) -> Stage {
        Stage {
            boxes: self.target.clone(),
            output: self.target.clone(),
            whole_reads: true,
            whole_writes: true,
            bytes_read: 0,
            bytes_written: 0,
            requests: 0,
            threads: 1,
            peak_bytes: 0,
        }
    }

    fn run_buffer(&self) -> u64 {
        run_buffer(self.size, self.source, self.options)
    }

    fn read_buffer(&self, whole: bool) -> u64 {
        let chunk = self.source.largest().saturating_mul(self.size);
        if whole { self.options.read_buffers.saturating_mul(chunk).saturating_add(self.options.shard_bytes) } else { self.run_buffer() }
    }

    fn write_buffer(&self, whole: bool) -> u64 {
        let chunk = self.target.largest().saturating_mul(self.size);
        if whole { self.options.write_buffers.saturating_mul(chunk) } else { self.run_buffer() }
    }

    /// Returns the numbers of threads to try, and the number of elements of a box that each leaves room for. Buffers of several
    /// threads take at most half of the memory.
    fn rooms(&self, buffer: u64) -> impl Iterator<Item = (u64, u64)> + use<> {
        let (memory, size) = (self.options.memory_bytes, self.size);
        // A box lists its chunks, so it has at most so many of the mean length.
        let mean = (self.target.elements() / self.target.chunks().max(1)).max(1);
        let most = mean.saturating_mul(MOST_UNITS).max(self.target.largest()).max(self.source.largest());
        let many = self.options.threads.clamp(1, 1 << 16).min((memory / 2).checked_div(buffer).unwrap_or(u64::MAX)).max(1);
        let mut counts = vec![many, 1];
        counts.dedup();
        let room = move |threads: u64| Some(most.min(memory.checked_sub(threads.checked_mul(buffer)?)? / size));
        counts.into_iter().filter_map(move |threads| Some((threads, room(threads)?)))
    }

    /// Returns the error of a search that found nothing.
    fn too_little(&self) -> RechunkError {
        let chunk = |grid: &Grid, whole: bool| if whole { grid.largest().saturating_mul(self.size) } else { self.size };
        let needed = |whole_reads: bool, whole_writes: bool| {
            let (source, target) = (chunk(self.source, whole_reads), chunk(self.target, whole_writes));
            let (read, write) = (self.read_buffer(whole_reads), self.write_buffer(whole_writes));
            // One pass has a box of one target chunk. The first of two passes has a box of one source chunk.
            let alone = if whole_writes { target } else { source };
            let two = source.saturating_add(read).max(target.saturating_add(write.max(self.run_buffer())));
            alone.saturating_add(read.max(write)).min(two)
        };
        let ways = |partial: bool| if partial { &[true, false][..] } else { &[true] };
        let all = ways(self.options.partial_reads)
            .iter()
            .flat_map(|reads| ways(self.options.partial_writes).iter().map(|writes| needed(*reads, *writes)));
        RechunkError::Memory {
            bound: self.options.memory_bytes,
            needed: all.min().unwrap_or(0),
            source_chunk: if self.options.partial_reads { 0 } else { chunk(self.source, true) },
            target_chunk: if self.options.partial_writes { 0 } else { chunk(self.target, true) },
        }
    }

    /// Returns the cheapest single pass, or `None` if none fits.
    fn one_pass(&self, whole_reads: bool, whole_writes: bool) -> Option<Stage> {
        let buffer = self.read_buffer(whole_reads).max(self.write_buffer(whole_writes));
        self.rooms(buffer).find_map(|(threads, room)| {
            let (boxes, elements, covered, reads) = if whole_reads && whole_writes {
                self.fewest_covered(room)?
            } else {
                let units = self.source.axes().iter().zip(self.target.axes()).map(|(source, target)| match (whole_reads, whole_writes) {
                    (_, true) => Units::Chunks(target),
                    (true, false) => Units::Chunks(source),
                    (false, false) => Units::Elements(source.extent()),
                });
                let (boxes, elements) = last_axis_first(&units.collect::<Vec<_>>(), room)?;
                let reads = if whole_reads { self.source.chunks() } else { ranges(&boxes, self.source) };
                (boxes, elements, self.source.elements(), reads)
            };
            let writes = if whole_writes { self.target.chunks() } else { ranges(&boxes, self.target) };
            Some(Stage {
                boxes,
                output: self.target.clone(),
                whole_reads,
                whole_writes,
                bytes_read: covered.saturating_mul(self.size),
                bytes_written: self.bytes(),
                requests: reads.saturating_add(writes),
                threads,
                peak_bytes: elements * self.size + threads * buffer,
            })
        })
    }

    /// Returns the boxes of at most `room` elements, unions of target chunks, for which the fewest bytes of whole source chunks are
    /// read; the elements of the largest box, the elements read, and the number of reads.
    fn fewest_covered(&self, room: u64) -> Option<(Grid, u64, u64, u64)> {
        struct Choice {
            elements: u64,
            covered: u64,
            reads: u64,
            cuts: Vec<Cut>,
        }
        let mut choices = vec![Choice { elements: 1, covered: 1, reads: 1, cuts: Vec::new() }];
        // The least that the later axes multiply the elements of a box by.
        let later = |axis: usize| self.target.axes()[axis + 1..].iter().map(|axis| axis.longest().max(1)).product::<u64>();
        for (axis, (source, target)) in self.source.axes().iter().zip(self.target.axes()).enumerate() {
            let cuts: Vec<Cut> = limits(target, source).into_iter().map(|limit| cut(target, source, limit)).collect();
            let mut next = Vec::new();
            for choice in &choices {
                for cut in &cuts {
                    let elements = choice.elements.saturating_mul(cut.longest);
                    if elements.saturating_mul(later(axis)) <= room {
                        let (covered, reads) = (choice.covered.saturating_mul(cut.covered), choice.reads.saturating_mul(cut.reads));
                        next.push((elements, covered, reads, choice, cut));
                    }
                }
            }
            // Keep a choice only if no smaller one reads as little.
            let cost = |covered: u64, reads: u64| {
                covered.saturating_mul(self.size).saturating_add(reads.saturating_mul(self.options.request_bytes))
            };
            next.sort_by_key(|(elements, covered, reads, ..)| (*elements, cost(*covered, *reads)));
            let (mut least_covered, mut least_reads) = (u64::MAX, u64::MAX);
            next.retain(|(_, covered, reads, ..)| {
                let kept = *covered < least_covered || *reads < least_reads;
                (least_covered, least_reads) = (least_covered.min(*covered), least_reads.min(*reads));
                kept
            });
            let step = next.len().div_ceil(KEPT).max(1);
            let last = next.len().saturating_sub(1);
            let kept = next.into_iter().enumerate().filter(|(at, _)| at % step == 0 || *at == last);
            let kept = kept.map(|(_, (elements, covered, reads, choice, cut))| {
                let mut cuts = choice.cuts.clone();
                cuts.push(cut.clone());
                Choice { elements, covered, reads, cuts }
            });
            choices = kept.collect();
        }
        let cost = |choice: &Choice| {
            let requests = choice.reads.saturating_mul(self.options.request_bytes);
            choice.covered.saturating_mul(self.size).saturating_add(requests)
        };
        // The smallest boxes win if costs are equal.
        let best = choices.into_iter().filter(|choice| choice.elements <= room).min_by_key(|choice| (cost(choice), choice.elements))?;
        let grid = Grid::new(best.cuts.into_iter().map(|cut| cut.boxes).collect()).ok()?;
        Some((grid, best.elements, best.covered, best.reads))
    }

    /// Returns a plan of several passes through temporary files, or `None` if none fits. Every pass reads and writes each element once.
    ///
    /// The first boxes are unions of source chunks, and the last ones unions of target chunks. The extents of the others lie between.
    /// A temporary file has the intersections of the boxes before and after it.
    fn passes(&self, count: usize, whole_reads: bool, whole_writes: bool) -> Option<Vec<Stage>> {
        let buffers = [self.read_buffer(whole_reads), self.run_buffer(), self.run_buffer().max(self.write_buffer(whole_writes))];
        let [first, middle, last] = buffers.map(|buffer| self.rooms(buffer).next().map(|room| (buffer, room)));
        let units = |grid: &'_ Grid, whole: bool| -> Vec<Axis> {
            let of = |axis: &Axis| if whole { axis.clone() } else { Axis::regular(axis.extent(), 1) };
            grid.axes().iter().map(of).collect()
        };
        let (first_units, last_units) = (units(self.source, whole_reads), units(self.target, whole_writes));
        let as_units = |axes: &'_ [Axis], whole: bool| -> Vec<(u64, u64)> {
            axes.iter()
                .map(|axis| if whole { Units::Chunks(axis) } else { Units::Elements(axis.extent()) })
                .map(|of| (of.longest(), of.most()))
                .collect()
        };
        let mut rooms = Vec::new();
        for stage in 0..count {
            let (buffer, mut room) = if stage == 0 {
                first?
            } else if stage + 1 == count {
                last?
            } else {
                middle?
            };
            let least: u64 = match stage {
                0 => as_units(&first_units, whole_reads).iter().map(|(longest, _)| longest.max(&1)).product(),
                stage if stage + 1 == count => as_units(&last_units, whole_writes).iter().map(|(longest, _)| longest.max(&1)).product(),
                _ => 1,
            };
            if least > room.1 {
                room = self.rooms(buffer).last()?;
            }
            if least > room.1 {
                return None;
            }
            rooms.push((buffer, room));
        }
        let ends = [as_units(&first_units, whole_reads), as_units(&last_units, whole_writes)];
        let lengths = grown(&ends, [rooms[0].1.1, rooms[count - 1].1.1], count, &self.source.shape());
        let mut boxes = Vec::new();
        for (stage, lengths) in lengths.iter().enumerate() {
            let mut elements = 1;
            let mut axes = Vec::new();
            for (axis, length) in lengths.iter().enumerate() {
                let units = match stage {
                    0 if whole_reads => Units::Chunks(&first_units[axis]),
                    stage if stage + 1 == count && whole_writes => Units::Chunks(&last_units[axis]),
                    _ => Units::Elements(self.source.axes()[axis].extent()),
                };
                let (axis, longest) = units.boxes(*length);
                if axis.chunks() > MOST_CHUNKS {
                    return None;
                }
                elements *= longest;
                axes.push(axis);
            }
            boxes.push((Grid::new(axes).ok()?, elements));
        }
        let mut stages = Vec::new();
        let mut pieces = 0;
        for (stage, (grid, elements)) in boxes.iter().enumerate() {
            let (buffer, (threads, room)) = rooms[stage];
            if *elements > room {
                return None;
            }
            let (is_first, is_last) = (stage == 0, stage + 1 == count);
            let output = if is_last { self.target.clone() } else { grid.refined(&boxes[stage + 1].0) };
            let reads = match is_first {
                true if whole_reads => self.source.chunks(),
                true => ranges(grid, self.source),
                false => pieces,
            };
            pieces = output.chunks();
            let writes = if is_last && !whole_writes { ranges(grid, self.target) } else { pieces };
            stages.push(Stage {
                boxes: grid.clone(),
                output,
                whole_reads: !is_first || whole_reads,
                whole_writes: !is_last || whole_writes,
                bytes_read: self.bytes(),
                bytes_written: self.bytes(),
                requests: reads.saturating_add(writes),
                threads,
                peak_bytes: elements * self.size + threads * buffer,
            });
        }
        Some(stages)
    }
}

/// Returns boxes of at most `room` elements, as long as possible along the last axis, then along the axis before it, and so on.
fn last_axis_first(units: &[Units<'_>], room: u64) -> Option<(Grid, u64)> {
    let mut lengths: Vec<u64> = units.iter().map(|of| of.longest()).collect();
    if lengths.iter().map(|length| (*length).max(1)).product::<u64>() > room {
        return None;
    }
    let mut axes = Vec::new();
    let mut elements = 1;
    for axis in (0..units.len()).rev() {
        let others: u64 = lengths.iter().enumerate().filter(|(other, _)| *other != axis).map(|(_, length)| (*length).max(1)).product();
        let (boxes, longest) = units[axis].boxes((room / others).min(units[axis].most()));
        if boxes.chunks() > MOST_CHUNKS {
            return None;
        }
        lengths[axis] = longest;
        elements *= longest;
        axes.push(boxes);
    }
    axes.reverse();
    Some((Grid::new(axes).ok()?, elements))
}

/// Returns an upper bound of the number of ranges of consecutive elements, within the chunks, that the boxes have.
fn ranges(boxes: &Grid, chunks: &Grid) -> u64 {
    let axes: Vec<_> = boxes.axes().iter().zip(chunks.axes()).collect();
    // Axes after the last one on which a box divides a chunk are whole.
    let divided = axes.iter().rposition(|(boxes, chunks)| {
        (0..boxes.chunks()).any(|piece| {
            let end = boxes.range(piece).end;
            end < chunks.extent() && chunks.range(chunks.chunk_at(end)).start != end
        })
    });
    let of = |(axis, (boxes, chunks)): (usize, &(&Axis, &Axis))| match divided {
        Some(divided) if axis < divided => chunks.extent(),
        Some(divided) if axis == divided => boxes.refined(chunks).chunks(),
        _ => chunks.chunks(),
    };
    axes.iter().enumerate().map(of).fold(1, u64::saturating_mul)
}

/// Returns the lengths of the boxes of each pass. `ends` has, for the first and the last pass, the longest unit of each axis and the
/// positions of all. The first and the last boxes grow, one axis at a time, while that leaves fewer pieces between the passes.
fn grown(ends: &[Vec<(u64, u64)>; 2], rooms: [u64; 2], count: usize, shape: &[u64]) -> Vec<Vec<u64>> {
    let mut lengths = ends.each_ref().map(|axes| axes.iter().map(|(unit, _)| (*unit).max(1)).collect::<Vec<u64>>());
    let mut least = pieces(&between(&lengths, count), shape);
    loop {
        let mut best: Option<(f64, f64, usize, usize, u64)> = None;
        for end in 0..2 {
            let elements: u64 = lengths[end].iter().product();
            for (axis, (unit, most)) in ends[end].iter().enumerate() {
                let now = lengths[end][axis];
                let fits = (rooms[end] / (elements / now)).min(*most) / unit.max(&1) * unit;
                // The whole axis may be no multiple of the units of a listed axis.
                let fits = if rooms[end] / (elements / now) >= *most { *most } else { fits };
                for next in [now.saturating_mul(2), fits] {
                    if next <= now || next > fits {
                        continue;
                    }
                    lengths[end][axis] = next;
                    let left = pieces(&between(&lengths, count), shape);
                    lengths[end][axis] = now;
                    // The gain is that for each doubling of the box.
                    let gain = (least / left).ln() / (next as f64 / now as f64).ln();
                    if left < least && best.is_none_or(|(most, ..)| gain > most) {
                        best = Some((gain, left, end, axis, next));
                    }
                }
            }
        }
        let Some((_, left, end, axis, next)) = best else { return between(&lengths, count) };
        (lengths[end][axis], least) = (next, left);
    }
}

/// Returns the lengths of the boxes of all passes. Geometric means lie between the first and the last.
fn between(ends: &[Vec<u64>; 2], count: usize) -> Vec<Vec<u64>> {
    let of = |stage: usize| {
        let part = stage as f64 / (count - 1) as f64;
        let mean = |(first, last): (&u64, &u64)| ((*first as f64).powf(1.0 - part) * (*last as f64).powf(part)).floor().max(1.0) as u64;
        ends[0].iter().zip(&ends[1]).map(mean).collect()
    };
    let middle = (1..count - 1).map(of);
    std::iter::once(ends[0].clone()).chain(middle).chain([ends[1].clone()]).collect()
}

/// Returns an upper bound of the number of pieces of all temporary files.
fn pieces(lengths: &[Vec<u64>], shape: &[u64]) -> f64 {
    let of = |pair: &[Vec<u64>]| {
        let along = |axis: usize| {
            let [a, b] = [&pair[0], &pair[1]].map(|lengths| shape[axis].div_ceil(lengths[axis].max(1)));
            (a + b).saturating_sub(1).max(1) as f64
        };
        (0..shape.len()).map(along).product::<f64>()
    };
    lengths.windows(2).map(of).sum()
}
