//! Checks plans by enumeration: where every element is, and where a plan moves it.

use relayout::{Copy, Piece, Place, Plan, PlanError, Planner, Side};
use std::collections::{BTreeMap, BTreeSet};

/// A digit: its count, the component that it moves along, and its step.
pub type Digit = (i64, usize, i64);

/// A piece, given by its digits.
#[derive(Clone, Debug)]
pub struct PieceSpec {
    pub modes: Vec<Vec<Digit>>,
    pub at: Vec<i64>,
    pub extent: Vec<i64>,
    pub base: Vec<i64>,
}

/// A side, given by its digits. With replicas, the last mode of the only piece counts them.
#[derive(Clone, Debug)]
pub struct SideSpec {
    pub pieces: Vec<PieceSpec>,
    pub replicas: Option<i64>,
    pub whole: bool,
}

/// A question for the planner: both sides, and the extent of each mode.
#[derive(Clone, Debug)]
pub struct Question {
    pub from: SideSpec,
    pub to: SideSpec,
    pub extent: Vec<i64>,
}

/// A place and an offset.
pub type Spot = (Vec<i64>, i64);

fn notation(modes: &[Vec<Digit>]) -> String {
    let basis = modes.iter().flatten().any(|(_, component, step)| *component > 0 && *step != 0) || modes.is_empty();
    let list = |of: &dyn Fn(&Digit) -> String| {
        let modes: Vec<String> = modes.iter().map(|mode| format!("({})", mode.iter().map(of).collect::<Vec<_>>().join(","))).collect();
        format!("({})", modes.join(","))
    };
    let step = |(_, component, step): &Digit| if basis { format!("{step}@{component}") } else { step.to_string() };
    format!("{}:{}", list(&|(count, ..)| count.to_string()), list(&step))
}

impl SideSpec {
    pub fn side(&self) -> Result<Side, PlanError> {
        let side = if self.whole {
            Side::parse(&notation(&self.pieces[0].modes))?.with_base(&self.pieces[0].base)
        } else {
            let piece = |piece: &PieceSpec| Ok(Piece::new(&notation(&piece.modes), &piece.at, &piece.extent)?.with_base(&piece.base));
            Side::pieces(self.pieces.iter().map(piece).collect::<Result<Vec<_>, PlanError>>()?)
        };
        Ok(match self.replicas {
            Some(replicas) => side.with_replicas(replicas),
            None => side,
        })
    }

    /// Returns the number of components that a stride moves along or a base has.
    fn components(&self) -> usize {
        let named = |piece: &PieceSpec| {
            let basis = piece.modes.iter().flatten().any(|(_, component, step)| *component > 0 && *step != 0);
            let digits = piece.modes.iter().flatten().map(|(_, component, _)| if basis { component + 1 } else { 1 });
            digits.max().unwrap_or(1).max(piece.base.len())
        };
        self.pieces.iter().map(named).max().unwrap_or(1)
    }

    /// Returns the spots of an element: one for each replica of each piece that has it.
    pub fn spots(&self, element: &[i64]) -> Vec<Spot> {
        let mut out = vec![];
        for piece in &self.pieces {
            let inside = |k: usize| (piece.at[k]..piece.at[k] + piece.extent[k]).contains(&element[k]);
            if !(0..element.len()).all(inside) {
                continue;
            }
            let mut value = piece.base.clone();
            value.resize(self.components(), 0);
            for (k, mode) in piece.modes.iter().take(element.len()).enumerate() {
                add(&mut value, mode, element[k] - piece.at[k]);
            }
            for replica in 0..self.replicas.unwrap_or(1) {
                let mut value = value.clone();
                if let (Some(_), Some(mode)) = (self.replicas, piece.modes.last()) {
                    add(&mut value, mode, replica);
                }
                let place = if value.len() == 1 { vec![0] } else { value[1..].to_vec() };
                out.push((place, value[0]));
            }
        }
        out
    }

    /// Returns the class of the error if the extents do not fit the side.
    fn misfit(&self, extent: &[i64]) -> Option<&'static str> {
        for piece in &self.pieces {
            let sizes: Vec<i64> = piece.modes.iter().map(|mode| mode.iter().map(|(count, ..)| count).product()).collect();
            if self.replicas.is_some_and(|replicas| sizes.last() != Some(&replicas)) {
                return Some("plan/replicas");
            }
            if sizes.len() != extent.len() + usize::from(self.replicas.is_some()) {
                return Some("plan/extent");
            }
            for k in 0..extent.len() {
                if piece.extent[k] > sizes[k] || piece.at[k] + piece.extent[k] > extent[k] {
                    return Some("plan/extent");
                }
            }
        }
        None
    }
}

fn add(value: &mut [i64], digits: &[Digit], mut x: i64) {
    for (count, component, step) in digits {
        if *step != 0 {
            value[*component] += x % count * step;
        }
        x /= count;
    }
}

pub fn elements(extent: &[i64]) -> impl Iterator<Item = Vec<i64>> + '_ {
    (0..extent.iter().product::<i64>()).map(|mut k| {
        let digit = |n: &i64| {
            let digit = k % n;
            k /= n;
            digit
        };
        extent.iter().map(digit).collect()
    })
}

/// Returns each spot of the target with the source spots that may be copied to it, or the class of the expected error.
fn wanted(question: &Question) -> Result<BTreeMap<Spot, Vec<Spot>>, &'static str> {
    if let Some(class) = question.from.misfit(&question.extent).or(question.to.misfit(&question.extent)) {
        return Err(class);
    }
    let mut out = BTreeMap::new();
    let mut missing = false;
    for element in elements(&question.extent) {
        let (mut sources, targets) = (question.from.spots(&element), question.to.spots(&element));
        missing |= sources.is_empty();
        if targets.len() as i64 != question.to.replicas.unwrap_or(1) {
            return Err("plan/target");
        }
        for spot in targets {
            if sources.iter().any(|(place, _)| *place == spot.0) {
                let mut local = sources.clone();
                local.retain(|(place, _)| *place == spot.0);
                if out.insert(spot, local).is_some() {
                    return Err("plan/target");
                }
            } else if out.insert(spot, std::mem::take(&mut sources)).is_some() {
                return Err("plan/target");
            } else {
                sources = question.from.spots(&element);
            }
        }
    }
    if missing { Err("plan/source") } else { Ok(out) }
}

/// Plans the question in several ways, and checks every plan or error.
pub fn check(question: &Question) {
    let ask = |planner: Planner| planner.extent(&question.extent).plan(&question.from.side()?, &question.to.side()?);
    match (wanted(question), ask(Planner::new())) {
        (Err(class), Err(error)) => {
            assert_eq!(class, error.class(), "{error}: {question:?}");
            check_error(question, &error);
        }
        (Err(class), Ok(_)) => panic!("accepted, to be refused for its {class}: {question:?}"),
        (Ok(_), Err(error)) => panic!("refused: {error}: {question:?}"),
        (Ok(wanted), Ok(plan)) => {
            check_plan(question, &wanted, &plan);
            for loops in 0..3 {
                let plan = ask(Planner::new().max_loops(loops)).unwrap_or_else(|error| panic!("{error}: {question:?}"));
                assert!(plan.copies().all(|(.., copy)| copy.loops.len() <= loops), "{question:?}");
                check_plan(question, &wanted, &plan);
                if loops == 0 {
                    assert_eq!(plan.copies().count(), runs(&wanted), "{question:?}");
                }
            }
            // A limit of one copy less is an error; a limit of exactly this number is not.
            let count = plan.copies().count();
            assert_eq!(ask(Planner::new().limit(count)).as_ref(), Ok(&plan), "{question:?}");
            if count > 0 {
                assert_eq!(ask(Planner::new().limit(count - 1)).map_err(|error| error.class()), Err("plan/limit"), "{question:?}");
            }
        }
    }
}

/// Checks that every spot of the target is written once, from a source that has it.
fn check_plan(question: &Question, wanted: &BTreeMap<Spot, Vec<Spot>>, plan: &Plan) {
    let mut done = BTreeSet::new();
    let mut local = 0;
    for (from, to, copy) in plan.copies() {
        for (source, target) in points(copy) {
            let spot = (to.numbers().to_vec(), target);
            let sources = wanted.get(&spot).unwrap_or_else(|| panic!("{spot:?} is no element: {copy} of {question:?}"));
            assert!(sources.contains(&(from.numbers().to_vec(), source)), "{spot:?} from {source} in {from}: {question:?}");
            assert!(done.insert(spot), "{to}, {target} written twice: {question:?}");
            local += i64::from(from == to);
        }
    }
    assert_eq!(done.len(), wanted.len(), "{question:?}");
    let statistics = plan.statistics();
    assert_eq!((statistics.elements, statistics.local), (wanted.len() as i64, local));
    assert_eq!(statistics.remote + local, statistics.elements);
    // No two messages have the same places. If sources are unique, there are no more messages than needed.
    let places: BTreeSet<(&Place, &Place)> = plan.messages().iter().map(|message| (&message.from, &message.to)).collect();
    assert_eq!(places.len(), plan.messages().len());
    if wanted.values().all(|sources| sources.len() == 1) {
        let least: BTreeSet<_> = wanted.iter().map(|(spot, sources)| (&sources[0].0, &spot.0)).collect();
        assert_eq!(least.len(), plan.messages().len(), "{question:?}");
    }
}

fn points(copy: &Copy) -> impl Iterator<Item = (i64, i64)> + '_ {
    copy.offsets().flat_map(|(source, target)| (0..copy.count).map(move |k| (source + k, target + k)))
}

/// Returns the least number of contiguous runs: each continues as long as some source does.
fn runs(wanted: &BTreeMap<Spot, Vec<Spot>>) -> usize {
    let mut count = 0;
    let mut open: Option<(Spot, Vec<Spot>)> = None;
    for (spot, sources) in wanted {
        let next = |(place, offset): &Spot| (place.clone(), offset + 1);
        let still: Vec<Spot> = match &open {
            Some((last, alive)) if next(last) == *spot => {
                sources.iter().filter(|source| alive.iter().any(|s| next(s) == **source)).cloned().collect()
            }
            _ => vec![],
        };
        count += usize::from(still.is_empty());
        open = Some((spot.clone(), if still.is_empty() { sources.clone() } else { still }));
    }
    count
}

/// Checks that the numbers in an error are true.
fn check_error(question: &Question, error: &PlanError) {
    let at = |place: &Place, offset: i64| (place.numbers().to_vec(), offset);
    let exists = |element: &Vec<i64>| element.iter().zip(&question.extent).all(|(c, extent)| (0..*extent).contains(c));
    match error {
        PlanError::Collision { first, second, place, offset } => {
            assert!(first != second && exists(first) && exists(second), "{error}: {question:?}");
            for element in [first, second] {
                assert!(question.to.spots(element).contains(&at(place, *offset)), "{error}: {question:?}");
            }
        }
        PlanError::ReplicaCollision { first, second, element, place, offset } => {
            assert!(first != second && exists(element), "{error}: {question:?}");
            let spots = question.to.spots(element);
            assert_eq!(spots.iter().filter(|spot| **spot == at(place, *offset)).count().min(2), 2, "{error}: {question:?}");
        }
        PlanError::Overlap { element, .. } => assert!(exists(element) && question.to.spots(element).len() > 1, "{error}: {question:?}"),
        PlanError::Hole { element } => assert!(exists(element) && question.to.spots(element).is_empty(), "{error}: {question:?}"),
        PlanError::NoSource { element } => assert!(exists(element) && question.from.spots(element).is_empty(), "{error}: {question:?}"),
        _ => {}
    }
}
