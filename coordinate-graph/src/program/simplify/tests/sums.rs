//! Tests of sums and products, and of programs that stay as they are.

use super::*;
use crate::program::Operations;

#[test]
fn common_factors_are_taken_out() {
    // i M N + j N + k = (i M + j) N + k
    let strides = |p: &mut Program| {
        let (m, n) = (extent(p, "M"), extent(p, "N"));
        let (i, j, k) = (any(p, "i"), any(p, "j"), any(p, "k"));
        let size = p.scope.mul(m, n).unwrap();
        let (i, j) = (p.scope.mul(i, size).unwrap(), p.scope.mul(j, n).unwrap());
        let sum = p.scope.add(i, j).unwrap();
        p.scope.add(sum, k).unwrap()
    };
    assert_eq!(left(&strides), "2 add, 2 mul");
    // 16 a + 16 b + c
    let scaled = |p: &mut Program| {
        let (a, b, c) = (any(p, "a"), any(p, "b"), any(p, "c"));
        let (a, b) = (p.scope.mul(a, known(16)).unwrap(), p.scope.mul(b, known(16)).unwrap());
        let sum = p.scope.add(a, b).unwrap();
        p.scope.add(sum, c).unwrap()
    };
    assert_eq!(left(&scaled), "2 add, 1 shift");
    // Expanding a product of sums to a sum of products would cost more.
    let product = |p: &mut Program| {
        let names = ["a", "b", "c", "d", "e", "f"].map(|name| any(p, name));
        let sums = [0, 3].map(|k| {
            let sum = p.scope.add(names[k], names[k + 1]).unwrap();
            p.scope.add(sum, names[k + 2]).unwrap()
        });
        p.scope.mul(sums[0], sums[1]).unwrap()
    };
    assert_eq!(left(&product), "4 add, 1 mul");
}

#[test]
fn outputs_share_what_they_compute() {
    let mut program = Program::new();
    let (x, n) = (any(&mut program, "x"), extent(&mut program, "N"));
    let base = program.scope.mul(x, n).unwrap();
    for k in 0..4 {
        let next = program.scope.add(base, known(k)).unwrap();
        let next = program.scope.mul(next, known(2)).unwrap();
        output(&mut program, next);
    }
    assert_eq!(simplified(&program).operations(), Operations { add: 3, mul: 1, shift: 1, ..Operations::default() });
}

#[test]
fn what_is_known_at_launch_is_added_first() {
    let mut program = Program::new();
    let (a, i, b, j) = (extent(&mut program, "a"), any(&mut program, "i"), extent(&mut program, "b"), any(&mut program, "j"));
    let mut sum = program.scope.add(a, i).unwrap();
    sum = program.scope.add(sum, b).unwrap();
    sum = program.scope.add(sum, j).unwrap();
    output(&mut program, sum);
    let out = simplified(&program);
    let at_launch =
        |word: i64| SymInt::raw(word).node().is_some_and(|n| [0, 2].contains(&out.scope.a[n]) && out.scope.node(n) == Node::Input);
    assert_eq!(out.operations().add, 3);
    assert!((0..out.scope.len).any(|k| out.scope.node(k) == Node::Add && at_launch(out.scope.a[k]) && at_launch(out.scope.b[k])));
}

#[test]
fn inputs_stay() {
    let mut program = Program::new();
    let [_, n, i, _, flat] = plane(&mut program);
    let row = program.scope.div(flat, n).unwrap();
    let nothing = program.scope.sub(row, i).unwrap();
    output(&mut program, nothing);
    let out = simplified(&program);
    assert!(out.outputs[0].value.is(0));
    assert_eq!(out.inputs.len(), 4);
    for k in 0..4 {
        assert_eq!(out.facts_of_input(k), program.facts_of_input(k));
    }
    let bound = out.inputs[3].below.and_then(SymInt::node).unwrap();
    assert_eq!((out.scope.node(bound), out.scope.a[bound]), (Node::Input, 1));
}

#[test]
fn large_numbers_stay_as_they_are() {
    // A coefficient that overflows, and more terms than a polynomial may have.
    let large = |p: &mut Program| {
        let (x, y) = (any(p, "x"), any(p, "y"));
        let x = p.scope.mul(x, known(1 << 61)).unwrap();
        let sum = p.scope.add(x, y).unwrap();
        let sum = p.scope.mul(sum, known(1 << 40)).unwrap();
        p.scope.div(sum, known(1 << 40)).unwrap()
    };
    assert_eq!(left(&large), "1 add, 1 shift");
    let mut program = Program::new();
    let mut sum = SymInt::ZERO;
    for k in 0..100 {
        let x = any(&mut program, &format!("x{k}"));
        sum = program.scope.add(sum, x).unwrap();
    }
    let square = program.scope.mul(sum, sum).unwrap();
    output(&mut program, square);
    assert_eq!(simplified(&program).operations(), Operations { add: 99, mul: 1, ..Operations::default() });
}

#[test]
fn long_chains_stay_cheap() {
    for nodes in [200, 1500] {
        for variant in 0..4 {
            let mut program = Program::new();
            let (mut x, n, y) = (any(&mut program, "x"), extent(&mut program, "n"), any(&mut program, "y"));
            while program.scope.len < nodes {
                let scope = &mut program.scope;
                let k = scope.len as i64;
                x = match variant {
                    // Quotients of sums, sums of products, comparisons of selections, remainders by an extent.
                    0 => {
                        let next = scope.div(x, known(2 + k % 3)).unwrap();
                        let low = scope.rem(x, known(3 + k % 5)).unwrap();
                        scope.add(next, low).unwrap()
                    }
                    1 => {
                        let next = scope.mul(x, y).unwrap();
                        scope.add(next, x).unwrap()
                    }
                    2 => {
                        let flag = scope.is_less(x, known(k)).unwrap();
                        let other = scope.add(x, known(1)).unwrap();
                        let next = scope.select(flag, other, y).unwrap();
                        scope.min(next, n).unwrap()
                    }
                    _ => {
                        let next = scope.rem(x, n).unwrap();
                        let sum = scope.add(next, x).unwrap();
                        scope.add(sum, y).unwrap()
                    }
                };
            }
            output(&mut program, x);
            let now = std::time::Instant::now();
            let out = program.simplified().unwrap();
            // Optimised code takes milliseconds. Work that grows exponentially with the length would take hours.
            assert!(now.elapsed().as_secs() < 60, "{nodes} nodes, variant {variant}: {:?}", now.elapsed());
            assert!(out.operations().total() <= program.operations().total());
        }
    }
}

#[test]
fn each_result_takes_the_better_way() {
    // b - (a - b) equals 2 b - a, which costs one operation more if a - b is needed anyway. (16 t + i) / 16 equals t.
    let mut program = Program::new();
    let (a, b, t, i) = (any(&mut program, "a"), any(&mut program, "b"), any(&mut program, "t"), below(&mut program, "i", known(16)));
    let scope = &mut program.scope;
    let difference = scope.sub(a, b).unwrap();
    let twice = scope.sub(b, difference).unwrap();
    let twice = scope.mul(twice, known(2)).unwrap();
    let twice = scope.add(twice, known(-10)).unwrap();
    let block = scope.mul(t, known(16)).unwrap();
    let block = scope.add(block, i).unwrap();
    let block = scope.div(block, known(16)).unwrap();
    [difference, twice, block].into_iter().for_each(|x| output(&mut program, x));
    assert_eq!(simplified(&program).operations(), Operations { add: 3, shift: 1, ..Operations::default() });
}

#[test]
fn quotients_by_run_time_numbers_go_on_from_each_other() {
    // x / n and x / n / m + t stay as they are: the product m n would cost an operation.
    let mut program = Program::new();
    let (m, n, x) = (extent(&mut program, "m"), extent(&mut program, "n"), any(&mut program, "x"));
    let (t, i) = (any(&mut program, "t"), below(&mut program, "i", known(16)));
    let scope = &mut program.scope;
    let first = scope.div(x, n).unwrap();
    let second = scope.div(first, m).unwrap();
    let block = scope.mul(t, known(16)).unwrap();
    let block = scope.add(block, i).unwrap();
    let block = scope.div(block, known(16)).unwrap();
    let second = scope.add(second, block).unwrap();
    [first, second].into_iter().for_each(|x| output(&mut program, x));
    assert_eq!(simplified(&program).operations(), Operations { add: 1, div: 2, ..Operations::default() });
}
