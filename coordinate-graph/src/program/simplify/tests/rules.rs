//! Tests of numbers that are written in another way, with the operations that remain.

use super::*;

/// Returns the simplified program of the results of `make`, with its operations in words.
fn left(make: &dyn Fn(&mut Program) -> Vec<SymInt>) -> (Program, String) {
    let mut program = Program::new();
    for value in make(&mut program) {
        output(&mut program, value);
    }
    let out = simplified(&program);
    let words = format!("{}", out.operations());
    (out, words)
}

/// Returns `x / n` and `x % n`.
fn split(p: &mut Program, x: SymInt, n: i64) -> (SymInt, SymInt) {
    (p.scope.div(x, known(n)).unwrap(), p.scope.rem(x, known(n)).unwrap())
}

/// Returns `sum c x`.
fn sum(p: &mut Program, terms: &[(i64, SymInt)]) -> SymInt {
    terms.iter().fold(known(0), |all, (c, x)| {
        let term = p.scope.mul(*x, known(*c)).unwrap();
        p.scope.add(all, term).unwrap()
    })
}

#[test]
fn a_remainder_beside_its_quotient_is_the_whole() {
    // 36 (t / 8) + 4 (t % 8) = 4 (t + t / 8) = 4 (9 t / 8)
    let padded = |p: &mut Program| {
        let t = below(p, "t", known(256));
        let (q, r) = split(p, t, 8);
        vec![sum(p, &[(36, q), (4, r)])]
    };
    assert_eq!(left(&padded).1, "1 mul, 2 shift");
    // The same sum if the remainder itself is also needed.
    let shared = |p: &mut Program| {
        let t = below(p, "t", known(256));
        let (q, r) = split(p, t, 8);
        vec![sum(p, &[(36, q), (4, r)]), r, q]
    };
    assert_eq!(left(&shared).1, "1 add, 2 shift, 1 mask");
}

#[test]
fn neighbouring_digits_are_one() {
    let digits = |p: &mut Program| {
        let k = below(p, "k", known(576));
        let (q, low) = split(p, k, 64);
        let high = p.scope.rem(q, known(3)).unwrap();
        vec![sum(p, &[(64, high), (1, low)])]
    };
    assert_eq!(left(&digits).1, "1 rem");
}

#[test]
fn comparisons_do_without_divisions() {
    for (least, words) in [(1, "1 other"), (2, "1 other"), (3, "none")] {
        let compared = |p: &mut Program| {
            let x = below(p, "x", known(300));
            let q = p.scope.div(x, known(140)).unwrap();
            vec![p.scope.is_less(q, known(least)).unwrap()]
        };
        assert_eq!(left(&compared).1, words, "x / 140 < {least}");
    }
    let first = |p: &mut Program| {
        let n = p.input("n", Time::Launch, Facts::POSITIVE, None).unwrap();
        let x = below(p, "x", known(300));
        let q = p.scope.div(x, n).unwrap();
        vec![p.scope.is_equal(q, known(0)).unwrap()]
    };
    assert_eq!(left(&first).1, "1 other");
    let second = |p: &mut Program| {
        let n = p.input("n", Time::Launch, Facts::NATURAL, None).unwrap();
        let x = below(p, "x", known(300));
        let q = p.scope.div(x, n).unwrap();
        vec![p.scope.is_equal(q, known(0)).unwrap()]
    };
    assert_eq!(left(&second).1, "1 div, 1 other", "n may be 0");
}

#[test]
fn comparisons_do_without_what_is_less_than_a_step() {
    for (div, v, words) in
        [(4, 4, "1 shift, 1 other"), (8, 4, "1 shift, 1 other"), (4, 5, "1 add, 1 shift, 1 other"), (1, 4, "1 add, 1 shift, 1 other")]
    {
        let vector = |p: &mut Program| {
            let k = p.input("k", Time::Launch, Facts { lo: 1, hi: 1 << 16, div }, None).unwrap();
            let (i, v) = (below(p, "i", known(100)), below(p, "v", known(v)));
            let at = sum(p, &[(4, i), (1, v)]);
            vec![p.scope.is_less(at, k).unwrap()]
        };
        assert_eq!(left(&vector).1, words, "4 i + v < k for v < {v}, {div} divides k");
    }
}

#[test]
fn what_two_cases_nearly_share_is_outside() {
    let cases = |p: &mut Program| {
        let x = below(p, "x", known(8));
        let (a, b) = (sum(p, &[(56, x)]), sum(p, &[(55, x), (3, known(1))]));
        let first = p.scope.is_less(x, known(4)).unwrap();
        vec![p.scope.select(first, a, b).unwrap()]
    };
    assert_eq!(left(&cases).1, "1 add, 1 mul, 2 other");
}

#[test]
fn a_quotient_and_a_remainder_are_one_division() {
    let divisions = |make: &dyn Fn(&mut Program) -> Vec<SymInt>| {
        let (program, words) = left(make);
        let scope = &program.scope;
        let mut all: Vec<(i64, i64)> = (0..scope.len).filter(|k| program.divides(*k)).map(|k| (scope.a[k], scope.b[k])).collect();
        all.dedup();
        assert_eq!(all.len(), 1, "{words}:\n{}", text(&program));
    };
    divisions(&|p| {
        let x = below(p, "x", known(140));
        let (q, _) = split(p, x, 4);
        let (a, b) = split(p, q, 7);
        vec![a, b]
    });
    divisions(&|p| {
        let (g, s) = (below(p, "g", known(32)), below(p, "s", known(1024)));
        let x = sum(p, &[(1024, g), (1, s), (28672, known(1))]);
        let (q, _) = split(p, x, 512);
        let (a, b) = split(p, q, 12);
        vec![a, b]
    });
}
