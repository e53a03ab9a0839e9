//! Explanations of random layouts, through every family of operations.

use super::statements::{checked, library};
use crate::common::{Layout, Rng, Tree};
use serde_json::Value;

/// Counts the statements in an explanation.
fn statements(json: &Value) -> Vec<String> {
    let steps = json["accounts"].as_array().into_iter().flatten().flat_map(|account| account["steps"].as_array().into_iter().flatten());
    let lists = steps.flat_map(|step| step["statements"].as_array().into_iter().flatten());
    lists.filter_map(|statement| statement.as_str().map(str::to_owned)).collect()
}

fn is_said(json: &Value, statement: &str) {
    assert!(statements(json).iter().any(|said| said == statement), "{statement} is not in {json:#}");
}

/// Returns a coordinate nested like the layout, or now and then an integer for a tuple.
fn coordinate(rng: &mut Rng, l: &Layout) -> String {
    match l {
        Tree::Node(modes) if !rng.one_in(3) => {
            format!("({})", modes.iter().map(|mode| coordinate(rng, mode)).collect::<Vec<_>>().join(","))
        }
        _ => rng.between(0, l.size() + 3).to_string(),
    }
}

#[test]
fn indices_and_back() {
    let mut rng = Rng::new(1);
    let mut found = 0;
    for _ in 0..40 {
        let l = rng.layout(4, 60);
        let c = coordinate(&mut rng, &l);
        let json = checked(&format!("crd2idx({l}, {c})"));
        let index = json["result"].as_str().expect("an index").to_owned();
        assert!(
            statements(&json).iter().any(|said| said.starts_with(&format!("L({c}) = ")) && said.ends_with(&format!(" {index}"))),
            "{json:#}"
        );
        let back = checked(&format!("idx2crd({l}, {index})"));
        found += usize::from(back["error"].is_null());
        let zeros = format!("({})", l.modes().iter().map(|_| *rng.pick(&["0", "_", "1"])).collect::<Vec<_>>().join(","));
        if !l.is_leaf() {
            checked(&format!("slice({l}, {zeros})"));
        }
    }
    assert!(found > 10, "{found} coordinates");
}

#[test]
fn coalesce_and_complement() {
    let mut rng = Rng::new(2);
    for _ in 0..40 {
        let l = rng.layout(5, 60);
        let json = checked(&format!("coalesce({l})"));
        is_said(&json, &format!("R(i) = L(i) for all i < {}", l.size()));
        checked(&format!("filter({l})"));
        checked(&format!("complement({l}, {})", rng.between(1, 100)));
    }
}

/// Accepted compositions are explained up to the law, refused ones up to the failing number.
#[test]
fn compositions() {
    let mut rng = Rng::new(3);
    let (mut given, mut refused, mut advised) = (0, 0, 0);
    for _ in 0..100 {
        let (a, b) = (rng.layout(4, 60), rng.layout(3, 24));
        let expression = format!("composition({a}, {b})");
        let json = checked(&expression);
        if json["error"].is_null() {
            is_said(&json, "composition(A, B) = R");
            is_said(&json, &format!("R(i) = A(B(i)) for all i < {}", b.size()));
            given += 1;
        } else {
            refused += 1;
            advised += usize::from(!json["suggestions"].as_array().expect("a list").is_empty());
        }
    }
    assert!(given > 35 && refused > 10 && advised * 10 > refused * 9, "{given} given, {advised} of {refused} advised");
}

#[test]
fn divides() {
    let mut rng = Rng::new(4);
    let (mut given, mut refused) = (0, 0);
    for _ in 0..60 {
        let a = rng.compact(3, 120);
        let op = *rng.pick(&["logical_divide", "zipped_divide", "tiled_divide", "flat_divide"]);
        let tiler = match rng.below(3) {
            0 => rng.compact(2, 12).to_string(),
            1 => rng.between(1, 6).to_string(),
            _ => {
                let tiles: Vec<String> =
                    a.modes().iter().map(|_| if rng.one_in(5) { "_".into() } else { rng.between(1, 4).to_string() }).collect();
                format!("({})", tiles.join(","))
            }
        };
        let json = checked(&format!("{op}({a}, {tiler})"));
        if json["error"].is_null() {
            is_said(&json, &format!("{op}(A, T) = R"));
            given += 1;
        } else {
            refused += 1;
        }
    }
    assert!(given > 20 && refused > 10, "{given} given, {refused} refused");
}

/// The suggested tiles divide, and no tile between them does.
#[test]
fn nearest_tiles() {
    let mut rng = Rng::new(5);
    for _ in 0..40 {
        let (m, n) = (rng.between(2, 200), rng.between(2, 90));
        let (tm, tn) = (rng.between(1, m), rng.between(1, n));
        let expression = format!("zipped_divide(({m},{n}):(1,{m}), ({tm},{tn}))");
        let json = checked(&expression);
        if m % tm == 0 || n % tn != 0 {
            continue;
        }
        let expected = [(1..tm).rev().find(|t| m % t == 0), (tm + 1..=m).find(|t| m % t == 0)];
        let list = json["suggestions"].as_array().expect("a list");
        let tiles: Vec<&str> =
            list.iter().filter_map(|suggestion| suggestion["label"].as_str()).filter(|label| label.starts_with("tile")).collect();
        let wanted: Vec<String> = expected.iter().flatten().map(|tile| format!("tile {tile} for {tm}")).collect();
        assert_eq!(tiles, wanted, "{expression}");
        let padded = (m + tm - 1) / tm * tm;
        assert!(list.iter().any(|suggestion| suggestion["label"] == format!("extent {m} padded to {padded}")), "{json:#}");
        let (low, high) = (expected[0].map_or(tm, |t| t + 1), expected[1].unwrap_or(tm + 1));
        if high - low > 1 {
            is_said(&json, &format!("zipped_divide(({m},{n}):(1,{m}), (i,{tn})) is refused for all {low} <= i < {high}"));
        }
    }
}

#[test]
fn products() {
    let mut rng = Rng::new(6);
    for _ in 0..30 {
        let (a, b) = (rng.layout(3, 24), rng.compact(3, 24));
        let op = *rng.pick(&["logical_product", "zipped_product", "tiled_product", "flat_product", "blocked_product", "raked_product"]);
        checked(&format!("{op}({a}, {b})"));
        let shape: Vec<String> = a.padded(a.rank()).iter().map(|_| rng.between(1, 20).to_string()).collect();
        checked(&format!("tile_to_shape({a}, ({}))", shape.join(",")));
    }
}

#[test]
fn inverses_and_casts() {
    let mut rng = Rng::new(7);
    for _ in 0..40 {
        let l = rng.layout(4, 60);
        checked(&format!("right_inverse({l})"));
        let json = checked(&format!("left_inverse({l})"));
        if json["error"].is_null() {
            let law = if l.is_injective() { "R(L(i)) = i" } else { "L(R(L(i))) = L(i)" };
            is_said(&json, &format!("{law} for all i < {}", l.size()));
        }
        checked(&format!("upcast({l}, {})", rng.between(1, 8)));
    }
}

#[test]
fn swizzles() {
    let mut rng = Rng::new(8);
    for _ in 0..25 {
        let bits = rng.between(0, 3);
        let (base, shift) = (rng.between(0, 3), *rng.pick(&[bits, -bits, bits + 1]));
        let swizzle = format!("S<{bits},{base},{shift}>");
        let x = rng.between(0, 4000);
        let json = checked(&format!("swizzle({swizzle}, {x})"));
        assert_eq!(json["result"].as_str(), library(&format!("swizzle({swizzle}, {x})")).ok().as_deref());
        let l = rng.compact(3, 60);
        let c = coordinate(&mut rng, &l);
        checked(&format!("crd2idx({swizzle} o {} o {l}, {c})", rng.between(0, 9)));
    }
}

/// Statements hold along bases too, with zero and negative strides among them.
#[test]
fn bases() {
    let mut rng = Rng::new(9);
    let mut given = 0;
    for _ in 0..60 {
        let mut layout = || {
            let extents = rng.extents(3, 24);
            let strides =
                extents.iter().map(|_| format!("{}{}", rng.between(-2, 6), rng.pick(&["@0", "@1", "@0@1", ""]))).collect::<Vec<_>>();
            let extents = extents.iter().map(i64::to_string).collect::<Vec<_>>();
            format!("({}):({})", extents.join(","), strides.join(","))
        };
        let (a, b) = (layout(), layout());
        let op = *rng.pick(&["composition", "zipped_divide", "logical_product"]);
        let tiler = if rng.one_in(2) { b } else { rng.between(1, 4).to_string() };
        given += usize::from(checked(&format!("{op}({a}, {tiler})"))["error"].is_null());
        checked(&format!("coalesce({a})"));
    }
    assert!(given > 10, "{given} given");
}

/// Operations inside operations are explained innermost first.
#[test]
fn nested_expressions() {
    let json = checked("coalesce(zipped_divide(composition((8,6):(6,1), 24:2), 4))");
    let titles: Vec<&str> = json["accounts"].as_array().expect("a list").iter().filter_map(|account| account["title"].as_str()).collect();
    let names: Vec<&str> = titles.iter().filter_map(|title| title.split('(').next()).collect();
    assert_eq!(names, ["composition", "zipped_divide", "coalesce"]);
    let json = checked("coalesce(zipped_divide((30,8):(1,30), (8,4)))");
    assert_eq!(json["accounts"].as_array().map(Vec::len), Some(1));
}

/// Every operation by name can be explained, with operands that fit or do not.
#[test]
fn every_operation() {
    let operands =
        ["(4,6):(6,1)", "2:1", "(2,3)", "[2:1;_]", "1@1", "S<1,0,1>", "(4,2):(1@1,1@0)", "()", "(1,_)", "5", "S<1,0,1> o 0 o (4,2):(1,4)"];
    for (n, op) in crd2idx::error::Op::ALL.iter().enumerate().filter(|(_, op)| !matches!(op, crd2idx::error::Op::Parse)) {
        for (k, first) in operands.iter().enumerate().skip(n % 3).step_by(3) {
            checked(&format!("{}({first}, {})", op.name(), operands[(3 * k + 1) % operands.len()]));
        }
        checked(&format!("{}((4,6):(6,1))", op.name()));
    }
}
