//! Tilings of an interval by translates of a set. The search is greedy: the least uncovered element must begin a copy.

/// Returns the offsets `C` with `tile + C = [0, n)`, each element covered once. Returns `None` if there are none or `min(tile)` is not 0.
pub fn offsets(tile: &[i64], n: i64) -> Option<Vec<i64>> {
    let mut covered = vec![false; usize::try_from(n).ok()?];
    let mut offsets = Vec::new();
    if tile.iter().min() != Some(&0) {
        return None;
    }
    while let Some(at) = covered.iter().position(|done| !done) {
        for x in tile {
            match covered.get_mut(at + usize::try_from(*x).ok()?) {
                Some(done) if !*done => *done = true,
                _ => return None,
            }
        }
        offsets.push(at as i64);
    }
    Some(offsets)
}

/// Returns true if the sums of an element of `a` and an element of `b` are all different.
pub fn disjoint(a: &[i64], b: &[i64]) -> bool {
    let mut sums: Vec<i64> = a.iter().flat_map(|x| b.iter().map(move |y| x + y)).collect();
    sums.sort_unstable();
    sums.windows(2).all(|pair| pair[0] != pair[1])
}
