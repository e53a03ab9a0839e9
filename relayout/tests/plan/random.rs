//! Tests the planner with random questions.

use super::generate::{Bytes, Choices, Random, question};
use super::oracle::{Digit, Question, SideSpec, check};
use relayout::{Place, Planner};

/// `RELAYOUT_QUESTIONS` sets the number of questions; the default is 300.
#[test]
fn as_enumeration_says() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default);
    let first = number("RELAYOUT_SEED", 1);
    for seed in first..first + number("RELAYOUT_QUESTIONS", 300) {
        check(&question(&mut Random::new(seed)));
    }
}

/// The properties that questions should have, among those with a plan.
const KINDS: [&str; 9] = [
    "plans",
    "three modes",
    "nested digits",
    "several places",
    "a place to itself and to others",
    "replicas",
    "pieces",
    "uneven ends",
    "loops in loops",
];

/// Returns which of [`KINDS`] hold for a question.
fn kinds(question: &Question) -> [bool; 9] {
    let Ok(plan) = question.from.side().and_then(|from| Planner::new().extent(&question.extent).plan(&from, &question.to.side()?)) else {
        return [false; 9];
    };
    let sides = [&question.from, &question.to];
    let any = |of: fn(&SideSpec) -> bool| sides.iter().any(|side| of(side));
    let mode = |of: fn(i64, &[Digit]) -> bool| {
        let pieces = || sides.iter().flat_map(|side| &side.pieces);
        pieces().any(|piece| piece.extent.iter().zip(&piece.modes).any(|(extent, mode)| of(*extent, mode)))
    };
    let message = |which: &dyn Fn(&Place, &Place) -> bool| plan.messages().iter().any(|message| which(&message.from, &message.to));
    [
        true,
        question.extent.len() == 3,
        mode(|_, digits| digits.iter().filter(|digit| digit.0 > 1).count() > 1),
        plan.messages().len() > 1,
        message(&|from, to| from == to) && message(&|from, to| from != to),
        any(|side| side.replicas.is_some()),
        any(|side| side.pieces.len() > 1),
        mode(|extent, digits| digits.iter().map(|digit| digit.0).product::<i64>() > extent),
        plan.copies().any(|(.., copy)| copy.loops.len() > 1),
    ]
}

/// Among 200 questions, each kind occurs at least 10 times, whether they come from few bytes or from many.
#[test]
fn questions_are_of_all_kinds() {
    for bytes in [0, 11, 400] {
        let mut seen = [0; 9];
        for seed in 0..200 {
            let random = &mut Random::new(seed);
            let data: Vec<u8> = (0..if bytes == 0 { 0 } else { random.between(1, bytes) }).map(|_| random.below(256) as u8).collect();
            let question = if bytes == 0 { question(random) } else { question(&mut Bytes::new(&data)) };
            seen.iter_mut().zip(kinds(&question)).for_each(|(seen, is)| *seen += usize::from(is));
        }
        println!("{bytes} bytes at most: {:?}", KINDS.iter().zip(seen).collect::<Vec<_>>());
        assert!(seen[0] >= 100 && seen.iter().all(|seen| *seen >= 10), "{bytes} bytes at most: {seen:?} of {KINDS:?}");
    }
}
