//! XOR strides in dynamic layouts: results and refusals of the algebra on values, and the queries of kernels.

use super::xor::{Flat, random};
use crate::common::{Outcome, Rng, ask, hold, same};
use crate::ensure;
use crd2idx::layouts::{DynCoord, DynTiler, RawLayout};
use crd2idx::{DynLayout, Layout, LayoutError};
use std::collections::HashSet;

type Dyn = DynLayout<32>;

/// A method of dynamic layouts, and its second operand.
enum Method {
    Alone(fn(&Dyn) -> Result<Dyn, LayoutError>),
    Layout(fn(&Dyn, &Dyn) -> Result<Dyn, LayoutError>),
    Tiler(fn(&Dyn, &DynTiler<32>) -> Result<Dyn, LayoutError>),
    Number(fn(&Dyn, i64) -> Result<Dyn, LayoutError>),
}

const METHODS: &[(&str, Method)] = &[
    ("coalesce", Method::Alone(Dyn::coalesce)),
    ("filter", Method::Alone(Dyn::filter)),
    ("filter_zeros", Method::Alone(Dyn::filter_zeros)),
    ("flatten", Method::Alone(Dyn::flatten)),
    ("right_inverse", Method::Alone(Dyn::right_inverse)),
    ("left_inverse", Method::Alone(Dyn::left_inverse)),
    ("nullspace", Method::Alone(Dyn::nullspace)),
    ("layout_like", Method::Alone(Dyn::layout_like)),
    ("composition", Method::Layout(Dyn::composition)),
    ("blocked_product", Method::Layout(Dyn::blocked_product)),
    ("raked_product", Method::Layout(Dyn::raked_product)),
    ("max_common_layout", Method::Layout(Dyn::max_common_layout)),
    ("concat", Method::Layout(Dyn::concat)),
    ("append", Method::Layout(Dyn::append)),
    ("logical_divide", Method::Tiler(Dyn::logical_divide)),
    ("zipped_divide", Method::Tiler(Dyn::zipped_divide)),
    ("tiled_divide", Method::Tiler(Dyn::tiled_divide)),
    ("flat_divide", Method::Tiler(Dyn::flat_divide)),
    ("logical_product", Method::Tiler(Dyn::logical_product)),
    ("zipped_product", Method::Tiler(Dyn::zipped_product)),
    ("complement", Method::Number(Dyn::complement)),
    ("upcast", Method::Number(Dyn::upcast)),
    ("downcast", Method::Number(Dyn::downcast)),
];

/// Returns a layout of modes of any extents, in which most strides are XOR strides.
fn any(rng: &mut Rng) -> Flat {
    let modes = 1 + rng.below(3);
    Flat(
        (0..modes)
            .map(|_| match rng.below(4) {
                0 => (rng.between(1, 6), rng.between(0, 40), true),
                1 => (rng.between(1, 4), 64 * rng.between(0, 3), false),
                _ => (1 << rng.between(0, 3), rng.between(0, 31), true),
            })
            .collect(),
    )
}

#[test]
fn operations_answer_as_on_values() {
    let mut rng = Rng::new(17);
    let cases: Vec<(Flat, Flat, i64)> = (0..400)
        .map(|k| {
            let a = if k % 3 == 0 { any(&mut rng) } else { random(&mut rng, 3, 6) };
            let b = if k % 2 == 0 { any(&mut rng) } else { Flat(vec![(1 << rng.between(0, 3), 1 << rng.between(0, 3), false)]) };
            (a, b, *rng.pick(&[1, 2, 3, 4, 8, 64, 128]))
        })
        .collect();
    let (mut answered, mut refused) = (0, 0);
    for (name, method) in METHODS {
        let tally = hold(&cases, |(a, b, n)| {
            let (left, right) = (a.to_string(), b.to_string());
            let parsed = left.parse::<Dyn>().map_err(|e| format!("{left}: {e}"))?;
            let (on_values, dynamic) = match method {
                Method::Alone(run) => (ask(name, &[&left]), run(&parsed)),
                Method::Layout(run) => (ask(name, &[&left, &right]), right.parse().and_then(|right| run(&parsed, &right))),
                Method::Tiler(run) => (ask(name, &[&left, &right]), right.parse().and_then(|right| run(&parsed, &right))),
                Method::Number(run) => (ask(name, &[&left, n]), run(&parsed, *n)),
            };
            let what = format!("{name}({left}, {right} or {n})");
            match (on_values, dynamic) {
                (Ok(text), Ok(layout)) => same(&what, layout.to_string(), text).map(|_| Outcome::Answered),
                (Err(e), Err(f)) => same(&what, f.to_string(), e.to_string()).map(|_| Outcome::Refused),
                (on_values, dynamic) => Err(format!("{what}: {:?} on values, {:?}", on_values.err(), dynamic.map(|l| l.to_string()))),
            }
        });
        answered += tally.answered;
        refused += tally.refused;
    }
    assert!(answered > 4000 && refused > 1000, "{answered} answers, {refused} refusals");
}

#[test]
fn kernels_see_the_function() {
    let mut rng = Rng::new(19);
    let cases: Vec<Flat> = (0..600).map(|k| if k % 2 == 0 { any(&mut rng) } else { random(&mut rng, 3, 6) }).collect();
    let tally = hold(&cases, |flat| {
        let text = flat.to_string();
        let layout: Dyn = text.parse().map_err(|e| format!("{text}: {e}"))?;
        let indices: Vec<usize> = (0..flat.size()).map(|c| flat.at(c) as usize).collect();
        same(&format!("size({text})"), DynLayout::size(&layout), flat.size())?;
        for (c, index) in indices.iter().enumerate() {
            let modes: Vec<usize> = flat.digits(c as i64).into_iter().map(|digit| digit as usize).collect();
            same(&format!("{text} at {modes:?}"), layout.index(&modes), Some(*index))?;
            same(&format!("{text} at {c}"), Layout::crd2idx(&layout, c), *index)?;
            same(&format!("checked {text} at {c}"), Layout::checked_crd2idx(&layout, c), Some(*index))?;
            let mut slots = [0; crd2idx::layouts::MAX_LEAVES];
            slots[..modes.len()].copy_from_slice(&modes);
            same(&format!("{text} of {modes:?}"), layout.index_of(&slots), *index)?;
        }
        same(&format!("checked {text} beyond"), Layout::checked_crd2idx(&layout, flat.size() as usize), None)?;
        let mut walked = Vec::new();
        layout.for_each_index(|index| walked.push(index));
        same(&format!("walk of {text}"), walked, indices.clone())?;
        let (least, most) = (indices.iter().min().copied().unwrap_or(0), indices.iter().max().copied().unwrap_or(0));
        let range = layout.index_range().map_err(|e| e.to_string())?;
        same(&format!("range of {text}"), range, least as isize..most as isize + 1)?;
        same(&format!("cosize of {text}"), layout.cosize(), most as i64 + 1)?;
        let distinct = indices.iter().collect::<HashSet<_>>().len() == indices.len();
        match layout.is_injective() {
            Some(answer) => same(&format!("{text} is injective"), answer, distinct).map(|_| Outcome::Answered),
            None => Ok(Outcome::Refused),
        }
    });
    tally.answers_at_least(400);
}

/// `R(k) + offset = L(c with k for each _)`, or a refusal.
#[test]
fn slices_are_sums() {
    let mut rng = Rng::new(23);
    let cases: Vec<(Flat, usize, i64)> = (0..600)
        .map(|k| {
            let flat = if k % 2 == 0 { any(&mut rng) } else { random(&mut rng, 2, 6) };
            let mode = rng.below(flat.0.len());
            let at = rng.between(0, flat.0[mode].0 - 1);
            (flat, mode, at)
        })
        .collect();
    let tally = hold(&cases, |(flat, mode, at)| {
        let text = flat.to_string();
        let layout: Dyn = text.parse().map_err(|e| format!("{text}: {e}"))?;
        let c: Vec<String> = (0..flat.0.len()).map(|k| if k == *mode { at.to_string() } else { "_".into() }).collect();
        let c = format!("({})", c.join(","));
        let coordinate: DynCoord<32> = c.parse().map_err(|e| format!("{c}: {e}"))?;
        let kept = Flat(flat.0.iter().enumerate().filter(|(k, _)| k != mode).map(|(_, mode)| *mode).collect());
        let whole = |rest: i64| {
            let mut digits = kept.digits(rest);
            digits.insert(*mode, *at);
            flat.of(&digits)
        };
        let is_sum = (0..kept.size()).all(|rest| kept.at(rest) + whole(0) == whole(rest));
        match layout.slice(&coordinate) {
            Ok((slice, offset)) => {
                ensure!(is_sum, "slice({text}, {c}) = {slice} at {offset} is no sum");
                same(&format!("offset of {c} in {text}"), offset, whole(0))?;
                for rest in 0..kept.size() {
                    let digits: Vec<usize> = kept.digits(rest).into_iter().map(|digit| digit as usize).collect();
                    same(&format!("slice({text}, {c}) at {digits:?}"), slice.index(&digits).map(|x| x as i64), Some(kept.at(rest)))?;
                }
                Ok(Outcome::Answered)
            }
            Err(error) => {
                // If extents are not powers of two, bits that they do not reach count as reached.
                let exact = kept.0.iter().all(|mode| mode.0.count_ones() == 1);
                ensure!(!is_sum || !exact, "slice({text}, {c}): {error}");
                Ok(Outcome::Refused)
            }
        }
    });
    tally.answers_at_least(150).refuses_at_least(100);
}
