//! The recorded graphs with all of their questions.

use super::cases::{Case, Sample, thinned};
use crd2idx::graph::{Bound, CoordGraph, Direction, Domain, GraphError, Transform};
use crd2idx::json::{flatten_from_name, graph_from_json};
use crd2idx::program::Program;
use serde_json::Value;

/// The maximum number of samples of one program.
const SAMPLES: usize = 40;

/// The bound names and values of one sample, in order.
type Place = Vec<(String, i64)>;

/// A question, and the samples that it binds.
struct Question<'a> {
    what: String,
    graph: &'a CoordGraph,
    direction: Direction,
    targets: Vec<&'a str>,
    places: Vec<Place>,
    /// A dimension, and by how much it grows.
    grows: Option<(&'a str, i64)>,
}

/// Returns every recorded question as programs: with all coordinates per thread, with some per launch, and with switches as constants.
pub fn cases() -> Vec<Case> {
    let file: Value = serde_json::from_str(include_str!("../../../tests/data/coordgraph.json")).expect("the records are JSON");
    let mut out = Vec::new();
    for case in file["cases"].as_array().expect("a list") {
        let graph = graph_from_json(&case["graph"]).expect("a graph");
        let flatten = flatten_from_name(case["profile"].as_str().expect("a name")).expect("a profile");
        let graph = graph.with_flatten(flatten);
        let mut asked_any = false;
        for query in case["queries"].as_array().expect("a list") {
            let op = query["op"].as_str().expect("a name");
            let what = format!("{} {query}", case["id"]);
            let is_path = op.starts_with("has_path_");
            if query["structural"] == true {
                continue;
            }
            let (direction, question) = match op.trim_start_matches("has_path_").strip_prefix("forward") {
                Some(question) => (Direction::Forward, question),
                None => (Direction::Reverse, op.trim_start_matches("has_path_").strip_prefix("reverse").expect("a direction")),
            };
            let targets: Vec<&str> = match query.get("targets") {
                Some(targets) => strings(targets),
                None => query["expect"].as_object().expect("an object").keys().map(String::as_str).collect(),
            };
            let grows = (question == "_stride").then(|| (query["dim"].as_str().expect("a name"), query["by"].as_i64().expect("a number")));
            let places = match question {
                "_sweep" => thinned(&sweep(query), SAMPLES),
                // A path guarantees values.
                _ if is_path => (0..4).map(|at| strings(&query["bound"]).iter().map(|name| ((*name).into(), at)).collect()).collect(),
                _ => vec![values(&query["bind"])],
            };
            asked_any = true;
            let asked = Question { what, graph: &graph, direction, targets, places, grows };
            if query.get("error").is_some() || query["expect"] == false {
                asked.is_refused();
            } else {
                asked.programs(&mut out);
            }
        }
        assert!(asked_any, "{} asks nothing", case["id"]);
    }
    out
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|name| name.as_str().expect("a name")).collect()
}

fn values(object: &Value) -> Place {
    object.as_object().expect("an object").iter().map(|(name, value)| (name.clone(), value.as_i64().expect("a number"))).collect()
}

/// Returns the product of the ranges, the last fastest.
fn sweep(query: &Value) -> Vec<Place> {
    let mut places = vec![values(&query["fixed"])];
    for range in query["vary"].as_array().expect("a list") {
        let bounds: Vec<i64> = range[1].as_array().expect("a list").iter().map(|n| n.as_i64().expect("a number")).collect();
        let (start, stop, step) = match bounds[..] {
            [stop] => (0, stop, 1),
            [start, stop] => (start, stop, 1),
            _ => (bounds[0], bounds[1], bounds[2]),
        };
        let range: Vec<(String, i64)> =
            (start..stop).step_by(step as usize).map(|at| (range[0].as_str().expect("a name").into(), at)).collect();
        places = places.iter().flat_map(|place| range.iter().map(|at| [&place[..], std::slice::from_ref(at)].concat())).collect();
    }
    places
}

impl Question<'_> {
    fn bound(&self) -> Vec<&str> {
        self.places[0].iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the dimensions that select a branch.
    fn switches(&self) -> Vec<&str> {
        let name = |id| self.graph.dimension(id).expect("a dimension").name.as_str();
        let edges = self.graph.edges().iter().filter(|edge| edge.kind == Transform::Sunder.into());
        let switch = |edge: &crd2idx::graph::Edge| *edge.outputs[1..].last().unwrap_or(&edge.inputs[edge.inputs.len() - 1]);
        edges.map(|edge| name(switch(edge))).collect()
    }

    /// Returns the narrowest domain that contains all samples.
    fn domain(&self) -> Domain {
        let all = |holds: &dyn Fn(&str, i64) -> bool| self.places.iter().flatten().all(|(name, value)| holds(name, *value));
        let size = |name: &str| {
            let dim = self.graph.dimension(self.graph.find(name).expect("a dimension")).expect("a dimension");
            dim.size.as_ref().map_or(i64::MAX, |size| if let crd2idx::graph::Expr::Int(size) = size { *size } else { panic!("a number") })
        };
        // The domain describes the first end of a growth. Records keep the second end inside, too.
        match (all(&|name, value| 0 <= value && value < size(name)), all(&|_, value| value >= 0)) {
            (true, _) => Domain::Declared,
            (_, true) => Domain::Natural,
            _ => Domain::Any,
        }
    }

    fn program(&self, sources: &[Bound<'_>], simplified: bool) -> Result<Program, GraphError> {
        match self.grows {
            None if !simplified => self.graph.unsimplified(self.direction, sources, &self.targets, self.domain()),
            Some((dim, by)) => self.graph.delta_program(self.direction, sources, dim, by, &self.targets, self.domain()),
            None => self.graph.program(self.direction, sources, &self.targets, self.domain()),
        }
    }

    /// Checks that the question is refused, both with numbers and with the same numbers as constants of a program.
    fn is_refused(&self) {
        let bind: Vec<(&str, i64)> = self.places[0].iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let error = self.graph.evaluate(self.direction, &bind, &self.targets).expect_err(&self.what);
        let constants: Vec<Bound<'_>> = bind.iter().map(|(name, value)| Bound::Constant(name, *value)).collect();
        assert_eq!(self.program(&constants, true).err(), Some(error), "{}", self.what);
    }

    fn programs(&self, out: &mut Vec<Case>) {
        let bound = self.bound();
        let switches: Vec<&str> = self.switches().into_iter().filter(|name| bound.contains(name)).collect();
        let threads: Vec<Bound<'_>> = bound.iter().map(|name| Bound::Thread(name)).collect();
        match self.case("thread", &threads, &self.places) {
            Ok(case) => {
                out.push(case);
                out.extend(self.grows.is_none().then(|| self.case("unsimplified", &threads, &self.places).expect("the same program")));
            }
            // If the switch is unknown, every branch must be given.
            Err(error) => assert!(!switches.is_empty() && error.class() == "graph/unreachable", "{}: {error}", self.what),
        }
        if bound.len() > 1 && switches.is_empty() {
            let launch = bound.iter().enumerate().map(|(k, name)| if k % 2 == 0 { Bound::Launch(name) } else { Bound::Thread(name) });
            let launch: Vec<Bound<'_>> = launch.collect();
            out.push(self.case("launch", &launch, &self.places).unwrap_or_else(|error| panic!("{}: {error}", self.what)));
        }
        if !switches.is_empty() {
            let of = |place: &Place| place.iter().filter(|(name, _)| switches.contains(&name.as_str())).cloned().collect::<Place>();
            let mut seen: Vec<Place> = Vec::new();
            for settings in self.places.iter().map(of) {
                if seen.contains(&settings) {
                    continue;
                }
                let places: Vec<Place> = self.places.iter().filter(|place| of(place) == settings).cloned().collect();
                let sources = bound.iter().map(|name| match settings.iter().find(|(switch, _)| switch == name) {
                    Some((_, value)) => Bound::Constant(name, *value),
                    None => Bound::Thread(name),
                });
                let sources: Vec<Bound<'_>> = sources.collect();
                out.push(self.case("constant", &sources, &places).unwrap_or_else(|error| panic!("{}: {error}", self.what)));
                seen.push(settings);
            }
        }
    }

    fn case(&self, how: &str, sources: &[Bound<'_>], places: &[Place]) -> Result<Case, GraphError> {
        let program = self.program(sources, how != "unsimplified")?;
        let sample = |place: &Place| {
            let bind: Vec<(&str, i64)> = place.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let value = |input: &crd2idx::program::Input| bind.iter().find(|(name, _)| *name == input.name).expect("a bound name").1;
            let inputs: Vec<i64> = program.inputs().iter().map(value).collect();
            let (outputs, mut valid) = match self.grows {
                Some((dim, by)) => {
                    let grown: Vec<(&str, i64)> = bind.iter().map(|(name, at)| (*name, at + if *name == dim { by } else { 0 })).collect();
                    let valid = self.graph.is_valid(self.direction, &grown, &self.targets);
                    (self.graph.delta(self.direction, &bind, dim, by, &self.targets), valid.expect(&self.what))
                }
                None => (self.graph.evaluate(self.direction, &bind, &self.targets), true),
            };
            valid &= self.graph.is_valid(self.direction, &bind, &self.targets).expect(&self.what);
            Sample { inputs, outputs: outputs.expect(&self.what), valid }
        };
        let samples = places.iter().map(sample).collect();
        Ok(Case::new(format!("{how} {}", self.what), program, samples))
    }
}
