//! Makes contiguous runs: copies without loops, as long as possible.

use super::copy::{Copy, Loop};
use super::place::Place;
use super::sources::BlockSources;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// `count` contiguous elements from offset `target` of one place, with the places and offsets of the sources that have them.
struct Run {
    target: i64,
    count: i64,
    sources: Vec<(Place, i64)>,
}

/// Returns the number of contiguous runs of `needs` before any are joined, or `None` if it overflows.
pub(crate) fn count(needs: &[BlockSources]) -> Option<i64> {
    needs.iter().try_fold(0_i64, |total, need| {
        let loops = need.loops();
        let along = contiguous(need).map_or(1, |k| loops[k].count);
        let all = loops.iter().try_fold(1_i64, |all, turn| all.checked_mul(turn.count))?;
        total.checked_add(all / along)
    })
}

impl BlockSources {
    fn loops(&self) -> &[Loop] {
        self.sources.first().map_or(&[], |(_, block)| &block.loops)
    }
}

/// Returns the number of the loop along which elements are contiguous in the target and in some source; `None` without one.
fn contiguous(need: &BlockSources) -> Option<usize> {
    (0..need.loops().len()).find(|k| need.sources.iter().any(|(_, block)| (block.loops[*k].target, block.loops[*k].source) == (1, 1)))
}

/// Joins the blocks of `needs` into the longest runs. If several sources have a run, it takes one that continues it furthest.
pub(crate) fn longest(needs: &[BlockSources]) -> BTreeMap<(Place, Place), Vec<Copy>> {
    let mut places: BTreeMap<&Place, Vec<Run>> = BTreeMap::new();
    for need in needs {
        expand(need, places.entry(&need.to).or_default());
    }
    let mut out: BTreeMap<(Place, Place), Vec<Copy>> = BTreeMap::new();
    for (to, mut runs) in places {
        runs.sort_unstable_by_key(|run| run.target);
        let mut open: Option<Run> = None;
        for run in runs {
            if let Some(last) = &mut open {
                // Keep the sources that hold this run too, each with its offset at the beginning of the joined run.
                let goes_on = |(place, offset): &&(Place, i64)| run.sources.iter().any(|(p, o)| p == place && *o == offset + last.count);
                let still: Vec<(Place, i64)> =
                    if last.target + last.count == run.target { last.sources.iter().filter(goes_on).cloned().collect() } else { vec![] };
                if !still.is_empty() {
                    last.sources = still;
                    last.count += run.count;
                    continue;
                }
            }
            if let Some(done) = open.replace(run) {
                done.finish(to, &mut out);
            }
        }
        if let Some(done) = open {
            done.finish(to, &mut out);
        }
    }
    out
}

impl Run {
    fn finish(self, to: &Place, out: &mut BTreeMap<(Place, Place), Vec<Copy>>) {
        if let Some((from, source)) = self.sources.into_iter().next() {
            out.entry((from, to.clone())).or_default().push(Copy { source, target: self.target, count: self.count, loops: vec![] });
        }
    }
}

fn expand(need: &BlockSources, out: &mut Vec<Run>) {
    let along = contiguous(need);
    let count = along.map_or(1, |k| need.loops()[k].count);
    let sources = need.sources.iter().filter(|(_, block)| along.is_none_or(|k| (block.loops[k].target, block.loops[k].source) == (1, 1)));
    let sources: Vec<_> = sources.collect();
    let Some((_, first)) = sources.first() else { return };
    let turns: Vec<usize> = (0..first.loops.len()).filter(|k| Some(*k) != along).collect();
    let total: i64 = turns.iter().map(|k| first.loops[*k].count).product();
    for mut number in 0..total {
        let mut target = first.start.0;
        let mut offsets: Vec<i64> = sources.iter().map(|(_, block)| block.start.1).collect();
        for k in &turns {
            let i = number % first.loops[*k].count;
            number /= first.loops[*k].count;
            target += i * first.loops[*k].target;
            offsets.iter_mut().zip(&sources).for_each(|(offset, (_, block))| *offset += i * block.loops[*k].source);
        }
        let sources = sources.iter().zip(offsets).map(|((place, _), offset)| (place.clone(), offset)).collect();
        out.push(Run { target, count, sources });
    }
}
