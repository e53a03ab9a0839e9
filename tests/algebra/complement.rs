//! complement.

use crate::common::exists::layout_of_ints;
use crate::common::grids::small;
use crate::common::law::{golden, refused};
use crate::common::layout::{sorted, sorted_set};
use crate::common::tiling::{disjoint, offsets};
use crate::common::{Layout, Outcome, Rng, Verdict, ask_layout, hold, same};
use crate::ensure;

/// `C = complement(L, m)` is ordered, and its sums with `L` do not overlap. If the strides of `L` nest, `(L, C)` covers `[0, m)`,
/// rounded up to whole spans, with each value once. If they leave gaps, `C` has as many whole copies below each stride as fit; if
/// modes interleave, as many as fit between their values. Refused only if `L` counts down or takes a value twice.
pub fn complement(l: &Layout, m: i64) -> Verdict {
    let image = l.image();
    let steps = sorted_steps(l);
    let gaps = gaps(&steps);
    match ask_layout("complement", &[l, &m]) {
        Ok(c) if l.moving().iter().any(|leaf| leaf.extent == 0) => {
            same(&format!("size of complement({l}, {m}) = {c}"), c.size(), 0)?;
            Ok(Outcome::Answered)
        }
        Ok(c) => {
            let (context, copies) = (format!("complement({l}, {m}) = {c}"), c.values());
            ensure!(copies == sorted_set(copies.clone()), "{context} is not ordered: {copies:?}");
            ensure!(disjoint(&image, &copies), "{context} overlaps with {l}");
            ensure!(copies.len() <= 1 << 12, "{context} is larger than the test expects");
            let (room, span) = gaps.ok_or_else(|| format!("{context}, though {l} takes a value twice"))?;
            let times = m.div_euclid(span) + i64::from(m.rem_euclid(span) != 0);
            if l.size() > 0 && steps.windows(2).all(|pair| pair[1].1 % (pair[0].0 * pair[0].1) == 0) {
                same(&format!("{context}, values"), Some(copies), offsets(&image, times * span))?;
            }
            same(&format!("size of {context}"), c.size(), room * times)?;
            if m > 0 {
                let minimal = layout_of_ints(&c.values()).ok_or("no layout")?;
                same(&format!("{context}, modes"), c.leaves().len(), minimal.len().max(1))?;
            }
            Ok(Outcome::Answered)
        }
        Err(error) => {
            let counts_down = l.moving().iter().any(|leaf| leaf.stride < 0);
            let empty = l.moving().iter().any(|leaf| leaf.extent == 0);
            ensure!((gaps.is_none() && !empty) || counts_down, "complement({l}, {m}) exists, but is refused: {error}");
            Ok(Outcome::Refused)
        }
    }
}

/// Returns the copies that fit below each mode, by stride, and the span of all modes. Returns `None` if two coordinates share a value.
fn gaps(steps: &[(i64, i64)]) -> Option<(i64, i64)> {
    // The first mode of each gap, the span below it, and its copies.
    let mut gaps: Vec<(usize, i64, i64)> = Vec::new();
    let mut span = 1;
    for (k, (n, d)) in steps.iter().enumerate() {
        if *d >= span {
            gaps.push((k, span, d / span));
            span = n * d;
            continue;
        }
        loop {
            let (first, below, _) = gaps.pop()?;
            let values = sorted(crate::common::layout::flat(&steps[first..=k]).values());
            let distance = values.windows(2).map(|pair| pair[1] - pair[0]).min()?;
            if distance >= below {
                gaps.push((first, below, distance / below));
                span = values[values.len() - 1] + distance;
                break;
            }
        }
    }
    Some((gaps.iter().map(|gap| gap.2).product(), span))
}

/// Returns the moving modes (extent, stride), coalesced, by increasing stride.
fn sorted_steps(l: &Layout) -> Vec<(i64, i64)> {
    let moving: Vec<_> = l.moving().iter().map(|leaf| (leaf.extent, leaf.stride)).collect();
    let mut steps = layout_of_ints(&crate::common::layout::flat(&moving).values()).expect("the values of a layout");
    steps.sort_by_key(|(n, d)| (*d, *n));
    steps
}

#[test]
fn examples() {
    golden(
        "complement",
        &[
            (&["4:1", "24"], "6:4"),
            (&["6:4", "24"], "4:1"),
            (&["(4,6):(1,4)", "24"], "1:24"),
            (&["4:2", "24"], "(2,3):(1,8)"),
            (&["(2,4):(1,6)", "24"], "3:2"),
            (&["(2,2):(1,6)", "24"], "(3,2):(2,12)"),
            (&["4:1"], "1:4"),
            (&["4:2"], "2:1"),
            (&["3:0", "6"], "6:1"),
            (&["4:1", "(2,6)"], "3:4"),
            (&["4:1", "9"], "3:4"),
            // Values that interleave: 0, 6 with 0, 5, ..., 25; 0, 4, 7, 11; and 0, 2 below 0, 5, 9, 14.
            (&["(2,6):(6,5)", "100"], "4:32"),
            (&["(2,2):(4,7)", "14"], "3:1"),
            (&["(2,2,2):(5,9,2)", "40"], "(2,3):(1,18)"),
            (&["(0,4):(12,24)", "96"], "(12,0):(1,0)"),
        ],
    );
    refused(
        "complement",
        &[(&["(3,2):(1,2)", "12"], "falls inside the 3 elements"), (&["4:-1", "8"], "negative"), (&["(2,6,3):(6,5,1)"], "falls inside")],
    );
}

#[test]
fn of_every_small_layout() {
    let cases = small().into_iter().enumerate().map(|(k, l)| (l, [1, 12, 24, 7][k % 4]));
    hold(cases, |(l, m)| complement(l, *m)).answers_at_least(5000).refuses_at_least(1000);
}

#[test]
fn of_random_layouts() {
    let mut rng = Rng::new(11);
    let cases: Vec<_> = (0..4000).map(|_| (rng.layout(4, 64), rng.between(0, 200))).collect();
    hold(cases, |(l, m)| complement(l, *m)).answers_at_least(1500).refuses_at_least(300);
}

/// The complement of the complement covers the values of the layout.
#[test]
fn is_an_involution_on_images() {
    let mut rng = Rng::new(12);
    let cases: Vec<_> = (0..2000).map(|_| (rng.compact(3, 36), rng.between(1, 4))).collect();
    hold(cases, |(l, times)| {
        let scaled = l.map(&mut |leaf| {
            let mut leaf = leaf.clone();
            leaf.stride *= times;
            leaf
        });
        let m = scaled.size() * times * 2;
        let ask = |l: &Layout| ask_layout("complement", &[l, &m]).map_err(|error| format!("complement({l}, {m}): {error}"));
        let twice = ask(&ask(&scaled)?)?;
        same(&format!("image of complement(complement({scaled}, {m}), {m})"), twice.image(), scaled.image())?;
        Ok(Outcome::Answered)
    })
    .answers_at_least(2000);
}
