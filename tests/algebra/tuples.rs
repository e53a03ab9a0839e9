//! Integer tuples: profiles, elementwise arithmetic, products, comparisons.

use crate::common::law::{golden, refused};
use crate::common::{Outcome, Rng, Tree, Verdict, ask, ask_int, ask_ints, hold, same};
use crate::ensure;

fn shapes(seed: u64, count: usize) -> Vec<Tree<i64>> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| rng.layout(5, 200).shape()).collect()
}

/// Returns a random shape that refines `shape`, or whose extents differ slightly from such a shape.
fn near(rng: &mut Rng, shape: &Tree<i64>) -> Tree<i64> {
    match shape {
        Tree::Node(modes) if !rng.one_in(8) => Tree::Node(modes.iter().map(|mode| near(rng, mode)).collect()),
        Tree::Leaf(n) if rng.one_in(3) => {
            let d = (1..=*n).rev().find(|d| n % d == 0 && *d * *d <= *n).unwrap_or(1);
            Tree::Node(vec![Tree::Leaf(d), Tree::Leaf(if rng.one_in(6) { n / d + 1 } else { n / d })])
        }
        _ => shape.clone(),
    }
}

fn truth(op: &str, a: &Tree<i64>, b: &Tree<i64>) -> Result<bool, String> {
    ask_int(op, &[a, b]).map(|x| x == 1).map_err(|error| format!("{op}({a}, {b}): {error}"))
}

/// The relations of profiles are those of the naive trees. Two shapes that are compatible both ways are equal.
fn relations(a: &Tree<i64>, b: &Tree<i64>) -> Verdict {
    same(&format!("congruent({a}, {b})"), truth("congruent", a, b)?, a.zip(b).is_some())?;
    same(&format!("weakly_congruent({a}, {b})"), truth("weakly_congruent", a, b)?, a.weakly_congruent(b))?;
    same(&format!("compatible({a}, {b})"), truth("compatible", a, b)?, a.compatible(b))?;
    same(&format!("equal({a}, {b})"), truth("equal", a, b)?, a == b)?;
    if truth("compatible", a, b)? && truth("compatible", b, a)? {
        same(&format!("{a} and {b} refine each other"), a, b)?;
    }
    Ok(if truth("compatible", a, b)? { Outcome::Answered } else { Outcome::Refused })
}

#[test]
fn relations_of_profiles() {
    let mut rng = Rng::new(44);
    let cases: Vec<_> = shapes(45, 4000).into_iter().map(|a| (near(&mut rng, &a), a)).collect();
    hold(&cases, |(b, a)| relations(a, b)).answers_at_least(500).refuses_at_least(500);
    hold(shapes(46, 500), |a| relations(a, a)).answers_at_least(500);
    // Refinement is transitive.
    let mut chains = 0;
    for (b, a) in &cases {
        let c = near(&mut rng, b);
        if a.compatible(b) && b.compatible(&c) {
            assert_eq!(truth("compatible", a, &c), Ok(true), "{a} {b} {c}");
            chains += 1;
        }
    }
    assert!(chains > 100);
}

fn ceil_div(a: i64, b: i64) -> i64 {
    (a + b - 1).div_euclid(b)
}

/// An elementwise operation applies to corresponding leaves of two tuples of the same nesting.
#[test]
fn elementwise() {
    type Leafwise = fn(i64, i64) -> i64;
    let ops: [(&str, Leafwise); 8] = [
        ("ceil_div", ceil_div),
        ("round_up", |a, b| ceil_div(a, b) * b),
        ("elem_scale", |a, b| a * b),
        ("tuple_add", |a, b| a + b),
        ("tuple_sub", |a, b| a - b),
        ("tuple_max", i64::max),
        ("tuple_min", i64::min),
        ("shape_div", |a, b| if a % b == 0 { a / b } else { 1 }),
    ];
    let mut rng = Rng::new(47);
    for (op, leafwise) in ops {
        let cases: Vec<_> = shapes(48, 500).into_iter().map(|a| (a.map(&mut |_| rng.between(1, 12)), a)).collect();
        hold(&cases, |(b, a)| {
            let want = a.zip(b).ok_or("different nesting")?.map(&mut |(x, y)| leafwise(*x, *y));
            let divides = op != "shape_div" || a.leaves().iter().zip(b.leaves()).all(|(x, y)| x % y == 0 || y % x == 0);
            match ask_ints(op, &[a, b]) {
                Ok(got) => {
                    ensure!(divides, "{op}({a}, {b}) = {got}, though the integers do not divide each other");
                    same(&format!("{op}({a}, {b})"), got, want).map(|()| Outcome::Answered)
                }
                Err(error) => {
                    ensure!(!divides, "{op}({a}, {b}) is refused: {error}");
                    Ok(Outcome::Refused)
                }
            }
        })
        .answers_at_least(50);
    }
}

/// An integer divides a tuple from the left, each leaf by what the leaves before it left. A tuple divides by its product.
#[test]
fn division_between_integers_and_tuples() {
    let mut rng = Rng::new(49);
    let cases: Vec<_> = shapes(50, 2000).into_iter().map(|a| (a, rng.between(1, 40))).collect();
    hold(&cases, |(a, n)| {
        let mut left = *n;
        let want = a.map(&mut |x| {
            let quotient = ceil_div(*x, left);
            left = ceil_div(left, *x);
            quotient
        });
        same(&format!("ceil_div({a}, {n})"), ask_ints("ceil_div", &[a, n]).ok(), Some(want))?;
        same(&format!("ceil_div({n}, {a})"), ask_int("ceil_div", &[n, a]).ok(), Some(ceil_div(*n, a.product())))?;
        if !a.is_leaf() {
            let even = truth("evenly_divides", a, &Tree::Leaf(*n))?;
            same(&format!("evenly_divides({a}, {n})"), even, a.product() % n == 0)?;
        }
        Ok(Outcome::Answered)
    })
    .answers_at_least(2000);
    // If all divisions are exact, the quotient has the size of the rest.
    let compact: Vec<_> = shapes(51, 2000).into_iter().map(|a| (a, rng.between(1, 24))).collect();
    hold(&compact, |(a, n)| match ask_ints("shape_div", &[a, n]) {
        Ok(got) => {
            ensure!(got.weakly_congruent(a) && a.weakly_congruent(&got), "shape_div({a}, {n}) = {got} changes the nesting");
            if a.product() % n == 0 && got.product() * n == a.product() {
                return Ok(Outcome::Answered);
            }
            ensure!(n % a.product() == 0 && got.product() == 1 || a.product() % n != 0, "shape_div({a}, {n}) = {got}");
            Ok(Outcome::Answered)
        }
        Err(_) => Ok(Outcome::Refused),
    })
    .answers_at_least(300)
    .refuses_at_least(300);
}

#[test]
fn products_and_sums() {
    hold(shapes(52, 2000), |a| {
        let leaves = a.leaves();
        same("product", ask_int("tuple_product", &[a]).ok(), Some(a.product()))?;
        same("sum", ask_int("tuple_sum", &[a]).ok(), Some(leaves.iter().sum()))?;
        same("max", ask_int("tuple_max", &[a]).ok(), leaves.iter().max().copied())?;
        same("min", ask_int("tuple_min", &[a]).ok(), leaves.iter().min().copied())?;
        let gcd = (1..=6).rev().find(|d| leaves.iter().all(|x| x % d == 0));
        same(&format!("gcd of {a}"), ask_int("tuple_gcd", &[a]).ok(), gcd)?;
        let prefix: Vec<i64> = (0..leaves.len()).map(|k| leaves[..k].iter().product()).collect();
        let suffix: Vec<i64> = (0..leaves.len()).map(|k| leaves[k + 1..].iter().product()).collect();
        same(&format!("prefix_product({a})"), ask_ints("prefix_product", &[a]).ok(), Some(a.filled(&prefix)))?;
        same(&format!("suffix_product({a})"), ask_ints("suffix_product", &[a]).ok(), Some(a.filled(&suffix)))?;
        let each = Tree::Node(a.modes().iter().map(|mode| Tree::Leaf(mode.product())).collect());
        same(&format!("tuple_product_each({a})"), ask_ints("tuple_product_each", &[a]).ok(), Some(each.clone()))?;
        let like = ask_ints("product_like", &[a, &if a.is_leaf() { a.clone() } else { each.clone() }]).ok();
        same(&format!("product_like({a}, {each})"), like, Some(if a.is_leaf() { a.clone() } else { each }))?;
        same(&format!("coalesce_shape({a})"), ask_ints("coalesce_shape", &[a]).map(|s| s.product()).ok(), Some(a.product()))?;
        let inner: i64 = leaves.iter().zip(&prefix).map(|(x, y)| x * y).sum();
        same(&format!("inner_product({a})"), ask_int("inner_product", &[a, &a.filled(&prefix)]).ok(), Some(inner))?;
        Ok(Outcome::Answered)
    })
    .answers_at_least(2000);
}

/// `elem_less`: less in every leaf. A shorter tuple is compared on its own modes; a longer one is not less.
#[test]
fn comparisons() {
    let mut rng = Rng::new(53);
    let cases: Vec<_> = (0..2000)
        .map(|_| {
            let mut list = |n: usize| -> Vec<i64> { (0..n).map(|_| rng.between(0, 6)).collect() };
            (list(1 + 2), list(3), list(2))
        })
        .collect();
    let tuple = |list: &[i64]| Tree::Node(list.iter().map(|x| Tree::Leaf(*x)).collect());
    hold(&cases, |(a, b, short)| {
        let less = |a: &[i64], b: &[i64]| a.len() <= b.len() && a.iter().zip(b).all(|(x, y)| x < y);
        let mut any = false;
        for (x, y) in [(a, b), (short, b), (b, short)] {
            same(&format!("elem_less({x:?}, {y:?})"), truth("elem_less", &tuple(x), &tuple(y))?, less(x, y))?;
            any |= less(x, y);
        }
        Ok(if any { Outcome::Answered } else { Outcome::Refused })
    })
    .answers_at_least(100)
    .refuses_at_least(100);
}

#[test]
fn examples() {
    golden(
        "ceil_div",
        &[(&["(4,6)", "8"], "(1,3)"), (&["24", "(2,3)"], "4"), (&["(7,9)", "(2,4)"], "(4,3)"), (&["(7,9)", "(2)"], "(4,9)")],
    );
    golden("shape_div", &[(&["(12,3)", "4"], "(3,3)"), (&["(3,4)", "6"], "(1,2)"), (&["12", "(2,3)"], "2")]);
    golden("tuple_add", &[(&["(1,(2,3))", "(4,(5,6),7)"], "(5,(7,9),7)"), (&["0", "(1,2)"], "(1,2)")]);
    golden("int_mul", &[(&["-3", "7"], "-21")]);
    golden("int_div", &[(&["-7", "2"], "-4"), (&["7", "2"], "3")]);
    golden("int_mod", &[(&["-7", "2"], "1"), (&["7", "4"], "3")]);
    golden("int_lt", &[(&["2", "3"], "1"), (&["3", "3"], "0")]);
    golden("tuple_gcd", &[(&["12", "18"], "6"), (&["(12,(18,8))"], "2")]);
    refused("shape_div", &[(&["(12,3)", "(5,3)"], "do not divide each other"), (&["(4,6)", "(2,3,4)"], "but 3 are given")]);
    refused("ceil_div", &[(&["7", "0"], ""), (&["(7,2)", "(1,0)"], "")]);
    refused("int_div", &[(&["7", "0"], "divided by 0")]);
    refused("int_mod", &[(&["7", "0"], "divided by 0")]);
    refused("inner_product", &[(&["(1,2)", "(1,2,3)"], "nesting")]);
    refused("int_mul", &[(&["4611686018427387904", "2"], "overflow")]);
    assert!(ask("tuple_max", &[&"()"]).is_err());
}
