//! Strided elements, read or written in the order in which they travel.

use relayout::Copy as Strided;

/// A loop: `count` times, `step` elements on.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub count: usize,
    pub step: isize,
}

/// Some elements of a storage, in an order.
#[derive(Clone, Debug)]
pub struct Walk {
    start: usize,
    /// The innermost loop.
    run: Turn,
    /// From the second innermost to the outermost.
    loops: Vec<Turn>,
}

impl Walk {
    /// The walk of loops from the innermost to the outermost; loops that continue one another are one.
    pub fn new(start: usize, turns: impl IntoIterator<Item = Turn>) -> Self {
        let mut loops: Vec<Turn> = vec![];
        for turn in turns {
            match loops.last_mut() {
                _ if turn.count == 1 => {}
                Some(last) if last.step.checked_mul(last.count as isize) == Some(turn.step) => last.count *= turn.count,
                _ => loops.push(turn),
            }
        }
        let run = if loops.is_empty() { Turn { count: 1, step: 1 } } else { loops.remove(0) };
        Walk { start, run, loops }
    }

    pub fn start(&self) -> usize {
        self.start
    }

    /// All loops, from the innermost to the outermost.
    pub fn turns(&self) -> impl Iterator<Item = Turn> {
        [self.run].into_iter().chain(self.loops.iter().copied())
    }

    pub fn elements(&self) -> usize {
        self.turns().map(|turn| turn.count).product()
    }

    /// Calls `each` with the offset of every innermost run.
    fn runs(&self, mut each: impl FnMut(usize)) {
        nest(&self.loops, self.start as isize, &mut |offset| each(offset as usize));
    }

    /// Reads the elements into `out`, as many as there are.
    pub fn gather<T: Copy>(&self, source: &[T], out: &mut [T]) {
        let Turn { count, step } = self.run;
        let mut rest = out;
        self.runs(|offset| {
            let (now, later) = core::mem::take(&mut rest).split_at_mut(count);
            rest = later;
            match step {
                1 => now.copy_from_slice(&source[offset..offset + count]),
                2.. => now.iter_mut().zip(source[offset..].chunks(step as usize)).for_each(|(to, from)| *to = from[0]),
                _ => now.iter_mut().enumerate().for_each(|(k, to)| *to = source[offset.wrapping_add_signed(k as isize * step)]),
            }
        });
    }

    /// Writes the elements of `data`, as many as there are.
    pub fn scatter<T: Copy>(&self, data: &[T], target: &mut [T]) {
        let Turn { count, step } = self.run;
        let mut rest = data;
        self.runs(|offset| {
            let (now, later) = rest.split_at(count);
            rest = later;
            match step {
                1 => target[offset..offset + count].copy_from_slice(now),
                2.. => target[offset..].chunks_mut(step as usize).zip(now).for_each(|(to, from)| to[0] = *from),
                _ => now.iter().enumerate().for_each(|(k, from)| target[offset.wrapping_add_signed(k as isize * step)] = *from),
            }
        });
    }
}

/// Calls `each` with the offset of every point of the loops.
fn nest(loops: &[Turn], offset: isize, each: &mut impl FnMut(isize)) {
    match loops.split_last() {
        None => each(offset),
        Some((turn, inner)) => (0..turn.count as isize).for_each(|i| nest(inner, offset + i * turn.step, each)),
    }
}

/// Parts of a copy, each of at most `most` elements, in the order of its loops.
pub fn parts(copy: &Strided, most: i64) -> Vec<Strided> {
    if copy.elements() <= most {
        return vec![copy.clone()];
    }
    let cut = |count: i64, size: i64| (0..count).step_by(size as usize).map(move |first| (first, size.min(count - first)));
    let Some((outer, inner)) = copy.loops.split_last() else {
        let part = |(first, count)| Strided { source: copy.source + first, target: copy.target + first, count, loops: vec![] };
        return cut(copy.count, most).map(part).collect();
    };
    let inner = Strided { loops: inner.to_vec(), ..copy.clone() };
    let shifted = |by: i64, part: &Strided| Strided {
        source: part.source + by * outer.source,
        target: part.target + by * outer.target,
        ..part.clone()
    };
    let turns = most / inner.elements();
    if turns == 0 {
        let pieces = parts(&inner, most);
        return (0..outer.count).flat_map(|i| pieces.iter().map(|part| shifted(i, part)).collect::<Vec<_>>()).collect();
    }
    let part = |(first, count)| {
        let mut part = shifted(first, &inner);
        part.loops.push(relayout::Loop { count, ..*outer });
        part
    };
    cut(outer.count, turns).map(part).collect()
}
