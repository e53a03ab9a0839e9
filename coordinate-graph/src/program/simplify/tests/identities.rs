//! Tests of identities, one by one, with the operations that remain.

use super::*;
use crate::program::LookupTable;

/// Returns true if the number that `make` builds simplifies to the input `name`.
fn is_input(make: Maker<'_>, name: &str) -> bool {
    let (program, words) = one(make);
    let k = program.inputs.iter().position(|input| input.name == name).unwrap();
    let node = program.outputs[0].value.node();
    words == "none" && node.is_some_and(|n| program.scope.node(n) == Node::Input && program.scope.a[n] == k as i64)
}

fn is_number(make: Maker<'_>, value: i64) -> bool {
    one(make).0.outputs[0].value.is(value)
}

/// Returns the digits of `x` in these radices, the last one fastest. The first digit is the whole quotient.
fn tile(p: &mut Program, x: SymInt, radices: &[SymInt]) -> Vec<SymInt> {
    let mut rest = x;
    let mut out = Vec::new();
    for n in radices.iter().rev() {
        out.push(p.scope.rem(rest, *n).unwrap());
        rest = p.scope.div(rest, *n).unwrap();
    }
    out.push(rest);
    out.reverse();
    out
}

#[test]
fn digits_of_a_number_make_the_number() {
    for radices in [&[16][..], &[3], &[4, 8], &[5, 7, 2], &[10, 10, 10, 10]] {
        let radices: Vec<SymInt> = radices.iter().map(|n| known(*n)).collect();
        let round = |p: &mut Program| {
            let x = any(p, "x");
            let digits = tile(p, x, &radices);
            flatten(p, &digits, &radices)
        };
        assert!(is_input(&round, "x"));
    }
    let symbolic = |p: &mut Program| {
        let radices = [extent(p, "A"), extent(p, "B"), extent(p, "C")];
        let x = any(p, "x");
        let digits = tile(p, x, &radices);
        flatten(p, &digits, &radices)
    };
    assert!(is_input(&symbolic, "x"));
}

#[test]
fn the_number_of_digits_has_these_digits() {
    for which in 0..3 {
        let constant = |p: &mut Program| {
            let (x, y, z) = (any(p, "0"), below(p, "1", known(12)), below(p, "2", known(32)));
            let radices = [known(12), known(32)];
            let flat = flatten(p, &[x, y, z], &radices);
            tile(p, flat, &radices)[which]
        };
        assert!(is_input(&constant, &which.to_string()));
        let symbolic = |p: &mut Program| {
            let (m, n) = (extent(p, "M"), extent(p, "N"));
            let (x, y, z) = (any(p, "0"), below(p, "1", m), below(p, "2", n));
            let flat = flatten(p, &[x, y, z], &[m, n]);
            tile(p, flat, &[m, n])[which]
        };
        assert!(is_input(&symbolic, &which.to_string()));
    }
}

#[test]
fn coordinates_below_symbolic_extents() {
    assert!(is_input(
        &|p| {
            let [_, n, _, _, flat] = plane(p);
            p.scope.div(flat, n).unwrap()
        },
        "i"
    ));
    assert!(is_input(
        &|p| {
            let [_, n, _, _, flat] = plane(p);
            p.scope.rem(flat, n).unwrap()
        },
        "j"
    ));
    // i * N + j is less than M N.
    assert!(is_number(
        &|p| {
            let [m, n, _, _, flat] = plane(p);
            let size = p.scope.mul(m, n).unwrap();
            p.scope.is_less(flat, size).unwrap()
        },
        1
    ));
    assert!(is_number(
        &|p| {
            let [m, n, _, _, flat] = plane(p);
            let size = p.scope.mul(m, n).unwrap();
            p.scope.div(flat, size).unwrap()
        },
        0
    ));
    // N - 1 is the greatest j.
    assert!(is_number(
        &|p| {
            let [_, n, _, j, _] = plane(p);
            let last = p.scope.sub(n, SymInt::ONE).unwrap();
            p.scope.is_less(last, j).unwrap()
        },
        0
    ));
    // k < M N implies k / N < M.
    assert!(is_number(
        &|p| {
            let (m, n) = (extent(p, "M"), extent(p, "N"));
            let size = p.scope.mul(m, n).unwrap();
            let k = below(p, "k", size);
            let row = p.scope.div(k, n).unwrap();
            p.scope.is_less(row, m).unwrap()
        },
        1
    ));
}

#[test]
fn an_extent_that_may_be_zero_is_not_divided_out() {
    // (x N) / N is 0 if N is 0.
    let quotient = |p: &mut Program| {
        let (n, x) = (extent(p, "N"), any(p, "x"));
        let product = p.scope.mul(x, n).unwrap();
        p.scope.div(product, n).unwrap()
    };
    assert_eq!(left(&quotient), "1 mul, 1 div");
    // x % N is x if N is 0, so it may be N or more.
    let below = |p: &mut Program| {
        let (n, x) = (extent(p, "N"), any(p, "x"));
        let rest = p.scope.rem(x, n).unwrap();
        p.scope.is_less(rest, n).unwrap()
    };
    assert_eq!(left(&below), "1 rem, 1 other");
    let digits = |p: &mut Program| {
        let (n, x) = (extent(p, "N"), any(p, "x"));
        let digits = tile(p, x, &[n]);
        flatten(p, &digits, &[n])
    };
    assert!(is_input(&digits, "x"));
}

#[test]
fn quotients_of_known_numbers() {
    let coordinate = |n: i64| move |p: &mut Program| below(p, "i", known(n));
    // (16 t + i) / 16, i < 16
    let block = |p: &mut Program, by: i64| {
        let (t, i) = (any(p, "t"), coordinate(16)(p));
        let t = p.scope.mul(t, known(16)).unwrap();
        let flat = p.scope.add(t, i).unwrap();
        p.scope.div(flat, known(by)).unwrap()
    };
    assert!(is_input(&|p| block(p, 16), "t"));
    assert_eq!(left(&|p| block(p, 64)), "1 shift");
    assert_eq!(left(&|p| block(p, 48)), "1 div");
    assert_eq!(left(&|p| block(p, 8)), "1 add, 2 shift");
    // ((x / 3) / 5) / 2 = x / 30
    let nested = |p: &mut Program| {
        let x = any(p, "x");
        let x = p.scope.div(x, known(3)).unwrap();
        let x = p.scope.add(x, known(15)).unwrap();
        let x = p.scope.div(x, known(5)).unwrap();
        p.scope.div(x, known(2)).unwrap()
    };
    assert_eq!(left(&nested), "1 add, 1 div");
    // (x % 32) % 8 = x % 8
    let masked = |p: &mut Program| {
        let x = any(p, "x");
        let x = p.scope.rem(x, known(32)).unwrap();
        p.scope.rem(x, known(8)).unwrap()
    };
    assert_eq!(left(&masked), "1 mask");
    // (x + 64 y) % 16 = x % 16
    let multiple = |p: &mut Program| {
        let (x, y) = (any(p, "x"), any(p, "y"));
        let y = p.scope.mul(y, known(-64)).unwrap();
        let sum = p.scope.sub(x, y).unwrap();
        p.scope.rem(sum, known(16)).unwrap()
    };
    assert_eq!(left(&multiple), "1 mask");
    // (x % 32) / 8 = (x / 8) % 4, so this digit and x / 32 together make x / 8
    let digits = |p: &mut Program| {
        let x = any(p, "x");
        let low = p.scope.rem(x, known(32)).unwrap();
        let low = p.scope.div(low, known(8)).unwrap();
        let high = p.scope.div(x, known(32)).unwrap();
        let high = p.scope.mul(high, known(4)).unwrap();
        p.scope.add(high, low).unwrap()
    };
    assert_eq!(left(&digits), "1 shift");
    // x - 7 (x / 7) = x % 7
    let rest = |p: &mut Program| {
        let x = any(p, "x");
        let whole = p.scope.div(x, known(7)).unwrap();
        let whole = p.scope.mul(whole, known(7)).unwrap();
        p.scope.sub(x, whole).unwrap()
    };
    assert_eq!(left(&rest), "1 rem");
    // A stated divisor: x / 8 * 8 = x, (x + 3) / 8 = x / 8
    let stated = |p: &mut Program| {
        let x = p.input("x", Time::Thread, Facts { div: 8, ..Facts::ANY }, None).unwrap();
        let sum = p.scope.add(x, known(3)).unwrap();
        let sum = p.scope.div(sum, known(8)).unwrap();
        p.scope.mul(sum, known(8)).unwrap()
    };
    assert!(is_input(&stated, "x"));
}

#[test]
fn steps_are_constant() {
    // f(x + 64) - f(x) of a tiled index, at constant and at run-time radices.
    let tiled = |p: &mut Program, x: SymInt| {
        let [a, b, c] = <[SymInt; 3]>::try_from(tile(p, x, &[known(4), known(8)])).unwrap();
        let a = p.scope.mul(a, known(1000)).unwrap();
        let b = p.scope.mul(b, known(7)).unwrap();
        let sum = p.scope.add(a, b).unwrap();
        p.scope.add(sum, c).unwrap()
    };
    let step = |p: &mut Program| {
        let x = any(p, "x");
        let next = p.scope.add(x, known(64)).unwrap();
        let (before, after) = (tiled(p, x), tiled(p, next));
        p.scope.sub(after, before).unwrap()
    };
    assert!(is_number(&step, 2000));
    let mut program = Program::new();
    let n = extent(&mut program, "N");
    let x = below(&mut program, "x", n);
    let scope = &mut program.scope;
    let row = scope.add(x, n).unwrap();
    let (before, after) = (scope.div(x, n).unwrap(), scope.div(row, n).unwrap());
    let (low, same) = (scope.rem(x, n).unwrap(), scope.rem(row, n).unwrap());
    let one = scope.sub(after, before).unwrap();
    assert!(program.proves_equal(one, SymInt::ONE));
    assert!(program.proves_equal(low, same));
    assert!(!program.proves_equal(low, one));
    assert!(!program.proves_equal(row, x));
}

#[test]
fn equal_numbers_are_proven_equal() {
    let mut program = Program::new();
    let (x, d, k) = (any(&mut program, "x"), extent(&mut program, "d"), any(&mut program, "k"));
    let scope = &mut program.scope;
    // k (x % d) = k x - k d (x / d)
    let rest = scope.rem(x, d).unwrap();
    let a = scope.mul(k, rest).unwrap();
    let whole = scope.div(x, d).unwrap();
    let whole = scope.mul(whole, d).unwrap();
    let b = scope.sub(x, whole).unwrap();
    let b = scope.mul(b, k).unwrap();
    assert!(program.proves_equal(a, b));
    assert!(!program.proves_equal(a, x));
    let c = program.scope.add(b, SymInt::ONE).unwrap();
    assert!(!program.proves_equal(a, c));
}

#[test]
fn comparisons_are_decided_by_differences() {
    assert!(is_number(
        &|p| {
            let (t, i) = (any(p, "t"), below(p, "i", known(16)));
            let t = p.scope.mul(t, known(16)).unwrap();
            let (x, end) = (p.scope.add(t, i).unwrap(), p.scope.add(t, known(16)).unwrap());
            p.scope.is_less(x, end).unwrap()
        },
        1
    ));
    // 16 t + i < 16 t + n is the same as i < n, and 16 t < 64 the same as t < 4
    let less = |p: &mut Program| {
        let (t, i, n) = (any(p, "t"), any(p, "i"), any(p, "n"));
        let t = p.scope.mul(t, known(16)).unwrap();
        let (x, end) = (p.scope.add(t, i).unwrap(), p.scope.add(t, n).unwrap());
        p.scope.is_less(x, end).unwrap()
    };
    assert_eq!(left(&less), "1 other");
    let scaled = |p: &mut Program| {
        let t = any(p, "t");
        let t = p.scope.mul(t, known(16)).unwrap();
        p.scope.is_less(t, known(50)).unwrap()
    };
    assert_eq!(left(&scaled), "1 other");
    // 6 x == 4 y + 3 is never true
    let never = |p: &mut Program| {
        let (x, y) = (any(p, "x"), any(p, "y"));
        let (x, y) = (p.scope.mul(x, known(6)).unwrap(), p.scope.mul(y, known(4)).unwrap());
        let y = p.scope.add(y, known(3)).unwrap();
        p.scope.is_equal(x, y).unwrap()
    };
    assert!(is_number(&never, 0));
    // min(x, x + i) = x, max(x, x - i - 1) = x for i >= 0
    let least = |p: &mut Program| {
        let (x, i) = (any(p, "x"), extent(p, "i"));
        let more = p.scope.add(x, i).unwrap();
        let less = p.scope.sub(x, i).unwrap();
        let less = p.scope.sub(less, SymInt::ONE).unwrap();
        let x = p.scope.min(x, more).unwrap();
        p.scope.max(x, less).unwrap()
    };
    assert!(is_input(&least, "x"));
}

#[test]
fn selections() {
    // Equal arms that are written differently; terms that both arms share are taken out.
    let same = |p: &mut Program| {
        let (c, x, y) = (any(p, "c"), any(p, "x"), any(p, "y"));
        let sum = p.scope.add(x, y).unwrap();
        let other = p.scope.sub(sum, y).unwrap();
        p.scope.select(c, x, other).unwrap()
    };
    assert!(is_input(&same, "x"));
    let flag = |p: &mut Program| {
        let (x, y) = (any(p, "x"), any(p, "y"));
        let flag = p.scope.is_less(x, y).unwrap();
        let more = p.scope.add(x, SymInt::ONE).unwrap();
        p.scope.select(flag, more, x).unwrap()
    };
    assert_eq!(left(&flag), "1 add, 1 other");
    let shared = |p: &mut Program| {
        let (c, x, y) = (any(p, "c"), any(p, "x"), any(p, "y"));
        let (a, b) = (p.scope.add(x, known(3)).unwrap(), p.scope.add(x, y).unwrap());
        p.scope.select(c, a, b).unwrap()
    };
    assert_eq!(left(&shared), "1 add, 1 other");
}

#[test]
fn tables() {
    let entry = |at: i64| {
        move |p: &mut Program| {
            p.tables.push(LookupTable { name: "t".to_string(), entries: [3, 5, 9].into() });
            let x = any(p, "x");
            let zero = p.scope.add(x, known(at)).unwrap();
            let at = p.scope.sub(zero, x).unwrap();
            p.scope.lookup(at, 0, Facts::ANY).unwrap()
        }
    };
    assert!(is_number(&entry(2), 9));
    assert!(is_number(&entry(3), 0));
    // Every entry is less than 10.
    assert!(is_number(
        &|p| {
            p.tables.push(LookupTable { name: "t".to_string(), entries: [3, 5, 9].into() });
            let x = any(p, "x");
            let entry = p.scope.lookup(x, 0, Facts::ANY).unwrap();
            p.scope.is_less(entry, known(10)).unwrap()
        },
        1
    ));
}

#[test]
fn conditions_that_hold_are_dropped() {
    let mut program = Program::new();
    let [m, n, _, _, flat] = plane(&mut program);
    let x = any(&mut program, "x");
    let size = program.scope.mul(m, n).unwrap();
    let holds = program.scope.is_less(flat, size).unwrap();
    let open = program.scope.is_less(x, n).unwrap();
    let fails = program.scope.is_less(size, flat).unwrap();
    program.conditions = [holds, open, open].into();
    output(&mut program, flat);
    assert_eq!(simplified(&program).conditions.len(), 1);
    program.conditions.push(fails);
    assert!(simplified(&program).conditions.iter().any(|x| x.is(0)));
}

#[test]
fn a_constant_moves_out_of_a_quotient() {
    // (x - 1) / 16 = (x + 15) / 16 - 1
    let mut program = Program::new();
    let x = any(&mut program, "x");
    let scope = &mut program.scope;
    let (less, more) = (scope.sub(x, SymInt::ONE).unwrap(), scope.add(x, known(15)).unwrap());
    let (less, more) = (scope.div(less, known(16)).unwrap(), scope.div(more, known(16)).unwrap());
    let down = scope.sub(more, SymInt::ONE).unwrap();
    assert!(program.proves_equal(less, down));
    assert!(!program.proves_equal(less, more));
    // The constant moves into the quotient again if that saves an operation.
    output(&mut program, down);
    assert_eq!(simplified(&program).operations().to_string(), "1 add, 1 shift");
}

#[test]
fn what_a_program_states_of_its_nodes_is_used() {
    // a - b >= 0 is stated, so a + 1 > b. The simplified program still states it.
    let mut program = Program::new();
    let (a, b) = (any(&mut program, "a"), any(&mut program, "b"));
    let difference = program.scope.sub(a, b).unwrap();
    program.scope.learn(difference, Facts::NATURAL);
    let more = program.scope.add(a, SymInt::ONE).unwrap();
    let flag = program.scope.is_less(b, more).unwrap();
    output(&mut program, difference);
    output(&mut program, flag);
    let out = program.simplified().unwrap();
    assert_eq!(out.scope.facts(out.outputs[0].value).lo, 0);
    assert!(out.outputs[1].value.is(1));
}
