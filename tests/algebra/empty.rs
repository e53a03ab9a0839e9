//! The laws on layouts without elements, which have an extent of 0 in some mode.

use super::{complement, divide, inverse, product};
use crate::common::grids::grid;
use crate::common::{Layout, Outcome, ask_int, ask_layout, hold, same};

/// Returns every layout of up to two modes with an extent of 0, and some nested ones.
fn empty() -> Vec<Layout> {
    let mut all: Vec<Layout> = (1..=2).flat_map(|leaves| grid(leaves, &[0, 1, 2, 4], &[0, 1, 2, 4, -1])).collect();
    all.extend(["0:1", "((2,0),3):((1,5),2)", "(3,(0,4)):(1,(3,1))"].map(crate::common::notation::parse));
    all.retain(|l| l.size() == 0);
    all
}

fn tiles() -> Vec<Layout> {
    grid(1, &[1, 2, 3], &[1, 2])
}

#[test]
fn divided() {
    let cases = empty().into_iter().flat_map(|l| tiles().into_iter().map(move |t| (l.clone(), t)));
    hold(cases, |(l, t)| divide::logical(l, t)).answers_at_least(100);
    // An empty tile divides only an empty layout.
    let cases = tiles().into_iter().flat_map(|l| empty().into_iter().map(move |t| (l.clone(), t)));
    hold(cases, |(l, t)| divide::logical(l, t)).refuses_at_least(100);
}

#[test]
fn no_copies() {
    let cases = tiles().into_iter().flat_map(|l| empty().into_iter().map(move |b| (l.clone(), b)));
    hold(cases, |(l, b)| product::logical(l, b)).answers_at_least(100);
    // Copies of an empty block have no elements.
    let cases = empty().into_iter().flat_map(|l| tiles().into_iter().map(move |b| (l.clone(), b)));
    hold(cases, |(l, b)| {
        let Ok(r) = ask_layout("logical_product", &[l, b]) else { return Ok(Outcome::Refused) };
        same(&format!("size of logical_product({l}, {b}) = {r}"), r.size(), 0)?;
        Ok(Outcome::Answered)
    })
    .answers_at_least(100);
}

/// An empty layout has no value that another value could meet, and an empty mode has no copies.
#[test]
fn complemented() {
    let cases = empty().into_iter().flat_map(|l| [0, 1, 24].map(|m| (l.clone(), m)));
    hold(cases, |(l, m)| complement::complement(l, *m)).answers_at_least(200).refuses_at_least(50);
}

#[test]
fn inverted() {
    let all = empty();
    for l in &all {
        let r = ask_layout("right_inverse", &[l]).unwrap_or_else(|error| panic!("right_inverse({l}): {error}"));
        let back: Vec<i64> = r.values().into_iter().map(|x| l.at(x)).collect();
        assert_eq!(back, (0..r.size()).collect::<Vec<_>>(), "right_inverse({l}) = {r}");
    }
    hold(&all, |l| inverse::left_inverse(l)).answers_at_least(50);
}

/// Without elements, nothing lies between the least and the greatest index, also if other modes reach far.
#[test]
fn measured() {
    for l in empty() {
        assert_eq!((ask_int("size", &[&l]).ok(), ask_int("cosize", &[&l]).ok()), (Some(0), Some(0)), "{l}");
    }
    for shape in ["(4294967296,4294967296,0)", "(0,4294967296,4294967296)", "(2,(9223372036854775807,0))"] {
        assert_eq!(ask_int("size", &[&shape]).ok(), Some(0), "{shape}");
    }
}
