//! Tests of conditions that follow from others.

use super::*;

/// Returns the conditions `0 <= x` and `x < n`.
fn inside(p: &mut Program, x: SymInt, n: SymInt) -> [SymInt; 2] {
    [p.scope.is_less(known(-1), x).unwrap(), p.scope.is_less(x, n).unwrap()]
}

/// Returns the positions of the conditions that are kept, among those given.
fn kept(p: &mut Program, conditions: &[SymInt]) -> Vec<usize> {
    p.conditions = conditions.into();
    p.prune_conditions().unwrap();
    p.conditions.iter().map(|x| conditions.iter().position(|y| x.same(*y)).unwrap()).collect()
}

#[test]
fn an_index_is_inside_where_its_coordinates_are() {
    // A padded image: h = y + r - 1, w = x + s - 1, k = h W + w of H W.
    let mut p = Program::new();
    let (height, width) = (extent(&mut p, "H"), extent(&mut p, "W"));
    let (y, x) = (below(&mut p, "y", height), below(&mut p, "x", width));
    let (r, s) = (below(&mut p, "r", known(3)), below(&mut p, "s", known(3)));
    let shifted = |p: &mut Program, a: SymInt, b: SymInt| {
        let sum = p.scope.add(a, b).unwrap();
        p.scope.sub(sum, SymInt::ONE).unwrap()
    };
    let (h, w) = (shifted(&mut p, y, r), shifted(&mut p, x, s));
    let row = p.scope.mul(h, width).unwrap();
    let k = p.scope.add(row, w).unwrap();
    let size = p.scope.mul(height, width).unwrap();
    let (h, w, k) = (inside(&mut p, h, height), inside(&mut p, w, width), inside(&mut p, k, size));
    assert_eq!(kept(&mut p, &[h[0], h[1], w[0], w[1], k[0], k[1]]), [0, 1, 2, 3]);
    // The result is the same in every order. Without one of the conditions, the others do not follow.
    assert_eq!(kept(&mut p, &[k[1], w[1], h[1], k[0], w[0], h[0]]), [1, 2, 4, 5]);
    assert_eq!(kept(&mut p, &[h[0], h[1], w[1], k[1]]), [0, 1, 2]);
    assert_eq!(kept(&mut p, &[h[0], w[0], w[1], k[1]]), [0, 1, 2, 3]);
    assert_eq!(kept(&mut p, &[h[0], h[1], w[0], k[0], k[1]]), [0, 1, 2, 4]);
}

#[test]
fn a_conjunction_is_taken_apart() {
    let mut p = Program::new();
    let (x, y, n) = (any(&mut p, "x"), any(&mut p, "y"), extent(&mut p, "n"));
    let (a, b) = (inside(&mut p, x, n), inside(&mut p, y, n));
    let first = p.scope.min(a[0], a[1]).unwrap();
    let second = p.scope.min(b[0], a[1]).unwrap();
    let all = p.scope.min(first, second).unwrap();
    p.conditions = [all, SymInt::ONE, b[1]].into();
    p.prune_conditions().unwrap();
    assert_eq!(p.conditions.len(), 4);
    assert!([a[0], a[1], b[0], b[1]].iter().all(|x| p.conditions.contains(x)));
}

#[test]
fn a_smaller_bound_implies_a_larger_one() {
    let mut p = Program::new();
    let (x, n) = (any(&mut p, "x"), extent(&mut p, "n"));
    let next = p.scope.add(n, SymInt::ONE).unwrap();
    let twice = p.scope.mul(n, known(2)).unwrap();
    let less = |p: &mut Program, n: SymInt| p.scope.is_less(x, n).unwrap();
    let (a, b, c) = (less(&mut p, n), less(&mut p, next), less(&mut p, twice));
    assert_eq!(kept(&mut p, &[c, b, a]), [2]);
    assert_eq!(kept(&mut p, &[b, a]), [1]);
    // 2 n may be less than n + 1.
    assert_eq!(kept(&mut p, &[b, c]), [0, 1]);
    let (d, e) = (less(&mut p, known(16)), less(&mut p, known(20)));
    assert_eq!(kept(&mut p, &[e, d]), [1]);
    // x < 16 implies x / 4 < 4 and x + 3 < 19.
    let quarter = p.scope.div(x, known(4)).unwrap();
    let quarter = p.scope.is_less(quarter, known(4)).unwrap();
    let more = p.scope.add(x, known(3)).unwrap();
    let more = p.scope.is_less(more, known(19)).unwrap();
    assert_eq!(kept(&mut p, &[d, quarter, more]), [0]);
}

#[test]
fn an_equation_bounds_both_ways() {
    let mut p = Program::new();
    let (x, n) = (any(&mut p, "x"), extent(&mut p, "n"));
    let next = p.scope.add(n, SymInt::ONE).unwrap();
    let same = p.scope.is_equal(x, n).unwrap();
    let [low, high] = inside(&mut p, x, next);
    assert_eq!(kept(&mut p, &[same, low, high]), [0]);
    assert_eq!(kept(&mut p, &[low, high]), [0, 1]);
}

#[test]
fn nothing_follows_from_itself() {
    let mut p = Program::new();
    let (x, y) = (any(&mut p, "x"), any(&mut p, "y"));
    // One condition, written in two ways.
    let one = p.scope.is_less(x, y).unwrap();
    let difference = p.scope.sub(y, x).unwrap();
    let other = p.scope.is_less(SymInt::ZERO, difference).unwrap();
    assert_eq!(kept(&mut p, &[one, other]).len(), 1);
    assert_eq!(kept(&mut p, &[one]), [0]);
    assert_eq!(kept(&mut p, &[one, SymInt::ZERO]), [1]);
}

#[test]
fn a_multiple_of_a_condition_follows_for_factors_that_are_not_negative() {
    // x y + y <= n y if x < n and y >= 0.
    for natural in [true, false] {
        let mut p = Program::new();
        let (x, n) = (any(&mut p, "x"), extent(&mut p, "n"));
        let y = if natural { extent(&mut p, "y") } else { any(&mut p, "y") };
        let less = p.scope.is_less(x, n).unwrap();
        let (xy, ny) = (p.scope.mul(x, y).unwrap(), p.scope.mul(n, y).unwrap());
        let end = p.scope.add(xy, y).unwrap();
        let after = p.scope.add(ny, SymInt::ONE).unwrap();
        let scaled = p.scope.is_less(end, after).unwrap();
        assert_eq!(kept(&mut p, &[less, scaled]).len(), if natural { 1 } else { 2 });
    }
}
