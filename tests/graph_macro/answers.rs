//! The recorded questions about a graph, answered by the functions that `graph!` makes from it.
//!
//! The answers are in `data/coordgraph.json`. Each case lists the functions that answer, and the reasons for questions without one.

use serde_json::Value;
use std::collections::BTreeMap;

/// One case: the functions of its graph, and the questions without a function.
pub struct Case {
    pub id: &'static str,
    pub answers: &'static [Answer],
    pub skipped: &'static [Skipped],
}

/// A function, and the question that it answers.
pub struct Answer {
    pub op: &'static str,
    /// The coordinate that grows, and its increment; empty for values.
    pub grows: &'static [(&'static str, i64)],
    pub names: &'static [&'static str],
    pub fixed: &'static [(&'static str, i64)],
    pub targets: &'static [&'static str],
    pub run: fn(&[usize]) -> Vec<i64>,
}

/// A kind of question without a function, by its error or a coordinate.
pub struct Skipped {
    pub what: &'static str,
    pub why: &'static str,
}

/// The results of a function.
pub trait Numbers {
    fn numbers(self) -> Vec<i64>;
}

impl Numbers for usize {
    fn numbers(self) -> Vec<i64> {
        vec![self as i64]
    }
}

impl Numbers for isize {
    fn numbers(self) -> Vec<i64> {
        vec![self as i64]
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => { $(
        #[allow(non_snake_case)]
        impl<$($name: Numbers),*> Numbers for ($($name,)*) {
            fn numbers(self) -> Vec<i64> {
                let ($($name,)*) = self;
                [$($name.numbers()),*].concat()
            }
        }
    )* };
}

tuples! { (A B) (A B C) (A B C D) (A B C D E F) }

/// Declares `function = forward(i, j; s = 0) -> (k);` for each function, `"what": "why";` for questions without one, and a test.
macro_rules! answers {
    ($id:literal
        $($function:ident = $op:ident $(delta $dim:ident by $by:literal)? ($($name:ident),* $(; $fixed:ident = $value:literal)*)
            -> ($($target:ident),*);)*
        $($what:literal: $why:literal;)*
    ) => {
        #[test]
        #[allow(non_snake_case)]
        fn answers() {
            use crate::graph_macro::answers::*;
            let case = Case {
                id: $id,
                answers: &[$(Answer {
                    op: stringify!($op),
                    grows: &[$((stringify!($dim), $by))?],
                    names: &[$(stringify!($name)),*],
                    fixed: &[$((stringify!($fixed), $value)),*],
                    targets: &[$(stringify!($target)),*],
                    run: |x| {
                        let &[$($name),*] = x else { panic!("{} coordinates", x.len()) };
                        $function($($name),*).numbers()
                    },
                }),*],
                skipped: &[$(Skipped { what: $what, why: $why }),*],
            };
            case.check();
        }
    };
}

/// Numbers by name.
type Bound = BTreeMap<String, i64>;

fn bound(object: &Value) -> Bound {
    let Value::Object(object) = object else { panic!("{object} is an object") };
    object.iter().filter_map(|(name, value)| Some((name.clone(), value.as_i64()?))).collect()
}

impl Case {
    /// Answers every recorded question of the case, and compares. Panics if no question needs some function or exception.
    pub fn check(&self) {
        let file: Value = serde_json::from_str(include_str!("../data/coordgraph.json")).expect("the records are JSON");
        let mut cases = file["cases"].as_array().expect("a list").iter();
        let case = cases.find(|case| case["id"] == self.id).unwrap_or_else(|| panic!("no case {}", self.id));
        let (mut used, mut skipped) = (vec![0; self.answers.len()], vec![0; self.skipped.len()]);
        for query in case["queries"].as_array().expect("a list") {
            let vary = query["vary"].as_array().cloned().unwrap_or_default();
            let mut given = bound(query.get("bind").unwrap_or(&query["fixed"]));
            given.extend(vary.iter().map(|range| (range[0].as_str().expect("a name").to_string(), 0)));
            let targets: Vec<String> = match &query["targets"] {
                Value::Array(names) => names.iter().map(|name| name.as_str().expect("a name").to_string()).collect(),
                _ => bound(&query["expect"]).into_keys().collect(),
            };
            let answer = self.answers.iter().position(|answer| query.get("error").is_none() && answer.fits(query, &given, &targets));
            let fits: Vec<bool> = self.skipped.iter().map(|skip| skip.fits(query, &given)).collect();
            match answer {
                Some(k) => {
                    used[k] += 1;
                    self.answers[k].check(query, &vary, &given, &targets);
                }
                None if fits.contains(&true) => skipped.iter_mut().zip(fits).for_each(|(count, fits)| *count += usize::from(fits)),
                None => panic!("{}: no function answers {query}", self.id),
            }
        }
        for (answer, count) in self.answers.iter().zip(used) {
            assert!(count > 0, "{}: nothing asks for {} {:?} {:?}", self.id, answer.op, answer.names, answer.fixed);
        }
        for (skip, count) in self.skipped.iter().zip(skipped) {
            assert!(count > 0 && !skip.why.is_empty(), "{}: nothing is skipped for {}", self.id, skip.what);
        }
    }
}

impl Skipped {
    fn fits(&self, query: &Value, given: &Bound) -> bool {
        query["error"] == self.what || given.iter().any(|(name, value)| format!("{name} = {value}") == self.what)
    }
}

impl Answer {
    fn fits(&self, query: &Value, given: &Bound, targets: &[String]) -> bool {
        let op = query["op"].as_str().unwrap_or("");
        let grows = query["dim"].as_str().zip(query["by"].as_i64());
        op.split('_').next() == Some(self.op)
            && grows.as_slice() == self.grows
            && self.fixed.iter().all(|(name, value)| given.get(*name) == Some(value))
            && self.names.iter().all(|name| given.contains_key(*name))
            && targets.iter().all(|target| self.targets.contains(&target.as_str()))
    }

    /// Returns the values of `targets` at the coordinates `given`, which have a number for each name.
    fn run(&self, given: &Bound, targets: &[String]) -> Vec<i64> {
        let coordinates: Vec<usize> = self.names.iter().map(|name| usize::try_from(given[*name]).expect("a coordinate")).collect();
        let all = (self.run)(&coordinates);
        let place = |target: &String| self.targets.iter().position(|name| name == target).expect("a target");
        targets.iter().map(|target| all[place(target)]).collect()
    }

    fn check(&self, query: &Value, vary: &[Value], given: &Bound, targets: &[String]) {
        if vary.is_empty() {
            let expected = bound(&query["expect"]);
            let expected: Vec<i64> = targets.iter().map(|target| expected[target]).collect();
            assert_eq!(self.run(given, targets), expected, "{query}");
            return;
        }
        let mut points = vec![given.clone()];
        for range in vary {
            let name = range[0].as_str().expect("a name");
            let ends: Vec<i64> = range[1].as_array().expect("a range").iter().filter_map(Value::as_i64).collect();
            let values: Vec<i64> = match ends[..] {
                [stop] => (0..stop).collect(),
                [start, stop] => (start..stop).collect(),
                [start, stop, step] => (start..stop).step_by(step as usize).collect(),
                _ => panic!("{range}"),
            };
            let at = |point: &Bound, value: i64| point.iter().map(|(n, v)| (n.clone(), if n == name { value } else { *v })).collect();
            points = points.iter().flat_map(|point| values.iter().map(|value| at(point, *value)).collect::<Vec<Bound>>()).collect();
        }
        let tuples: Vec<Vec<i64>> = points.iter().map(|point| self.run(point, targets)).collect();
        let all = tuples.concat();
        let expect = |key: &str, found: Value| {
            if let Some(expected) = query.get(key) {
                assert_eq!(*expected, found, "{key} of {} {:?} at {vary:?}", self.op, targets);
            }
        };
        assert!(query.get("values").is_some() || query.get("fnv1a64").is_some(), "{query} expects nothing");
        expect("values", all.clone().into());
        expect("count", all.len().into());
        expect("sum", all.iter().sum::<i64>().into());
        expect("min", all.iter().min().copied().into());
        expect("max", all.iter().max().copied().into());
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        let hash = all.iter().flat_map(|x| x.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, hash);
        expect("fnv1a64", format!("{hash:016x}").into());
        let distinct = tuples.iter().collect::<std::collections::BTreeSet<_>>().len();
        expect("distinct", distinct.into());
        expect("injective", (distinct == tuples.len()).into());
    }
}
