//! Tests by enumeration whether any layout has given values.
//!
//! The first mode of a coalesced layout is exactly as long as the first linear run of its values. So the layout of a list of
//! values is unique, and a greedy search finds it.

/// Returns the modes (extent, stride) of the coalesced layout with these values, or `None` if there is none. A value is a vector with one
/// number for each basis; a stride moves along one basis only. For no values, any empty layout will do.
pub fn layout_of(values: &[Vec<i64>]) -> Option<Vec<(i64, Vec<i64>)>> {
    let mut modes = Vec::new();
    let mut values = values.to_vec();
    if values.first().is_some_and(|first| first.iter().any(|x| *x != 0)) {
        return None;
    }
    while values.len() > 1 {
        let step = values[1].clone();
        if step.iter().filter(|x| **x != 0).count() > 1 {
            return None;
        }
        let linear = |i: usize| values[i].iter().zip(&step).all(|(v, d)| *v == d * i as i64);
        let run = (0..values.len()).take_while(|i| linear(*i)).count();
        if !values.len().is_multiple_of(run) {
            return None;
        }
        let rest: Vec<Vec<i64>> = values.iter().step_by(run).cloned().collect();
        for (i, value) in values.iter().enumerate() {
            let base = &rest[i / run];
            if value.iter().zip(base).zip(&step).any(|((v, b), d)| *v != b + d * (i % run) as i64) {
                return None;
            }
        }
        modes.push((run as i64, step));
        values = rest;
    }
    Some(modes)
}

/// Returns the modes (extent, stride) of the coalesced layout with these integers as values, or `None` if there is none.
pub fn layout_of_ints(values: &[i64]) -> Option<Vec<(i64, i64)>> {
    let values: Vec<Vec<i64>> = values.iter().map(|v| vec![*v]).collect();
    layout_of(&values).map(|modes| modes.into_iter().map(|(n, d)| (n, d[0])).collect())
}

/// Returns the text of the coalesced layout with these modes.
pub fn coalesced_text(modes: &[(i64, i64)]) -> String {
    let list = |pick: fn(&(i64, i64)) -> i64| modes.iter().map(|mode| pick(mode).to_string()).collect::<Vec<_>>().join(",");
    match modes {
        [] => "1:0".into(),
        [(n, d)] => format!("{n}:{d}"),
        _ => format!("({}):({})", list(|mode| mode.0), list(|mode| mode.1)),
    }
}

/// Returns true if some layout with one mode for each extent, each with any sub-modes, has the value `f(c)` at every `c`.
/// Then `f` is a sum of functions of one coordinate each, and each of these is a layout.
pub fn compatible_layout(extents: &[i64], f: impl Fn(&[i64]) -> Vec<i64>) -> bool {
    if extents.contains(&0) {
        return true;
    }
    let zero = vec![0; extents.len()];
    let parts: Vec<Vec<Vec<i64>>> = (0..extents.len())
        .map(|k| {
            let along = |c: i64| {
                let mut at = zero.clone();
                at[k] = c;
                f(&at)
            };
            (0..extents[k]).map(along).collect()
        })
        .collect();
    if !parts.iter().all(|part| layout_of(part).is_some()) {
        return false;
    }
    let mut at = zero.clone();
    loop {
        let value = f(&at);
        let sum: Vec<i64> = (0..value.len()).map(|i| at.iter().zip(&parts).map(|(c, part)| part[*c as usize][i]).sum()).collect();
        if value != sum {
            return false;
        }
        let Some(k) = (0..at.len()).find(|k| at[*k] + 1 < extents[*k]) else { return true };
        at[k] += 1;
        at[..k].fill(0);
    }
}
