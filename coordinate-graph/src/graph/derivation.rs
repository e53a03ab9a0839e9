//! Derivations: the values of targets, each with the formula that computes it, written with numbers for its names. Every
//! term of `term.rs` has a text here.

use super::evaluation::{Evaluation, Outcome, known};
use super::term::{Site, Term, branch};
use super::{CoordGraph, DimId, Direction, Edge, EdgeKind, ExprOp, Result};
use crate::sorted::SortedSet;
use layout_algebra::heap::*;
use layout_algebra::value::SymInt;

/// The evaluation of targets, edge by edge. [`CoordGraph::derivation`] returns it.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
/// let mut graph = CoordGraph::new();
/// let x = graph.add(Dimension::new("x").size(100))?;
/// let [tile, i] = [graph.add(Dimension::new("tile"))?, graph.add(Dimension::new("i").size(16))?];
/// graph.connect(Transform::Tile, [x], [tile, i])?;
/// let derivation = graph.derivation(Direction::Reverse, &[("tile", 6), ("i", 5)], &["x"])?;
/// assert_eq!(derivation.steps.len(), 1);
/// // `x` is 101, but it has 100 coordinates.
/// assert_eq!(derivation.outside, [(x, 101, 100)]);
/// # Ok::<(), coordinate_graph::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Derivation<'g> {
    /// The edges that compute the targets. Each comes after the edges that it depends on.
    pub steps: Vec<Step<'g>>,
    /// The dimensions whose coordinate is outside their size, each as `(dimension, coordinate, size)`.
    pub outside: Vec<(DimId, i64, i64)>,
}

/// One step of a derivation: an edge and the values that it computes.
///
/// ```
/// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
/// let mut graph = CoordGraph::new();
/// let x = graph.add(Dimension::new("x"))?;
/// let [tile, i] = [graph.add(Dimension::new("tile"))?, graph.add(Dimension::new("i").size(16))?];
/// graph.connect(Transform::Tile, [x], [tile, i])?;
/// let mut text = String::new();
/// for step in graph.derivation(Direction::Forward, &[("x", 37)], &["tile", "i"])?.steps {
///     for (dim, value, arithmetic) in &step.results {
///         let from = arithmetic.as_deref().unwrap_or("copied");
///         text += &format!("{} = {from} = {value}\n", graph.dimension(*dim)?.name);
///     }
/// }
/// assert_eq!(text, "tile = 37 div 16 = 2\ni = 37 mod 16 = 5\n");
/// # Ok::<(), coordinate_graph::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Step<'g> {
    /// The edge.
    pub edge: &'g Edge,
    /// For each dimension that the edge computes: the dimension, its value, and the arithmetic that gives the value,
    /// written with `+ - * div mod xor`. The arithmetic is `None` if the value is copied or comes from a table.
    pub results: Vec<(DimId, i64, Option<String>)>,
}

impl CoordGraph {
    /// Evaluates the targets like [`evaluate`](CoordGraph::evaluate) and returns the formula of each edge on the way.
    ///
    /// Fails as [`evaluate`](CoordGraph::evaluate) does.
    ///
    /// ```
    /// use coordinate_graph::graph::{CoordGraph, Dimension, Direction, Transform};
    /// let mut graph = CoordGraph::new();
    /// let [i, j] = [graph.add(Dimension::new("i"))?, graph.add(Dimension::new("j").size(3))?];
    /// let k = graph.add(Dimension::new("k").offset(100))?;
    /// graph.connect(Transform::Flatten, [i, j], [k])?;
    /// let derivation = graph.derivation(Direction::Forward, &[("i", 2), ("j", 5)], &["k"])?;
    /// assert_eq!(derivation.steps[0].results, [(k, 111, Some("2 * 3 + 5 + 100".to_string()))]);
    /// assert_eq!(derivation.outside, [(j, 5, 3)]);
    /// # Ok::<(), coordinate_graph::graph::GraphError>(())
    /// ```
    pub fn derivation(&self, direction: Direction, bind: &[(&str, i64)], targets: &[&str]) -> Result<Derivation<'_>> {
        let (names, values): (Vec<&str>, Vec<i64>) = bind.iter().copied().unzip();
        let query = self.query(direction, &names, targets)?;
        query.walk(&values, false, |evaluation| {
            for id in &query.targets {
                evaluation.value(*id)?;
            }
            let mut derivation = Derivation { steps: Vec::new(), outside: Vec::new() };
            let mut seen: SortedSet<DimId> = SortedSet::new();
            for k in &query.schedule.order {
                let site = Site::new(self, *k, direction);
                let results = evaluation.results(&site);
                if !results.is_empty() {
                    seen.extend(site.sources.iter().chain(site.products).copied());
                    derivation.steps.push(Step { edge: &self.edges[*k], results });
                }
            }
            for id in seen {
                let size = self.dim(id).size.as_ref().and_then(|size| evaluation.quantity(size).ok()?.value());
                if let (Some(size), Some(value)) = (size, evaluation.number(id))
                    && !(0..size).contains(&value)
                {
                    derivation.outside.push((id, value, size));
                }
            }
            Ok(derivation)
        })
    }
}

/// The text of an expression and its binding strength: `SUM`, `PRODUCT` or `WORD`, from the loosest.
struct Text(String, u8);

const SUM: u8 = 0;
const PRODUCT: u8 = 1;
const WORD: u8 = 2;

impl Text {
    /// Returns the text, in parentheses if its binding strength is below `least`.
    fn at_least(self, least: u8) -> String {
        if self.1 < least { format!("({})", self.0) } else { self.0 }
    }

    fn infix(self, sign: &str, other: Text, level: u8) -> Text {
        Text(format!("{} {sign} {}", self.at_least(level), other.at_least(level + 1)), level)
    }
}

impl<'g> Evaluation<'_, 'g, 0> {
    /// Returns the value of dimension `id`; `None` if the evaluation gave it none.
    fn number(&self, id: DimId) -> Option<i64> {
        self.value(id).ok()?.num.value()
    }

    /// Returns the dimensions to which this edge gave their first value, each as `(dimension, value, arithmetic)`. The
    /// arithmetic is `None` if the value is copied or comes from a table.
    fn results(&mut self, site: &Site<'g>) -> Vec<(DimId, i64, Option<String>)> {
        let EdgeKind::Transform(transform) = &self.graph.edges[site.edge].kind else { return Vec::new() };
        let Ok((terms, _)) = self.terms(site, transform) else { return Vec::new() };
        let given = site.products.iter().zip(terms).filter(|(id, _)| self.giver(**id) == Some(site.edge));
        let given: Vec<_> = given.filter_map(|(id, term)| Some((*id, self.number(*id)?, term))).collect();
        given.into_iter().map(|(id, value, term)| (id, value, self.text(site, &term).ok().flatten().map(|text| text.0))).collect()
    }

    /// Returns the text of a term with numbers for its names; `None` if its value is copied or comes from a table. Fails if
    /// the term has no value.
    fn text(&mut self, site: &Site<'g>, term: &Term<'g>) -> Outcome<Option<Text>> {
        Ok(Some(match term {
            Term::Coordinate(_) | Term::Quantity(_) | Term::Entry(..) | Term::Place(..) => return Ok(None),
            other => self.part(site, other)?,
        }))
    }

    fn part(&mut self, site: &Site<'g>, term: &Term<'g>) -> Outcome<Text> {
        Ok(match term {
            Term::Op(op, sides) => {
                let (a, b) = (self.part(site, &sides[0])?, self.part(site, &sides[1])?);
                match op {
                    ExprOp::Add => a.infix("+", b, SUM),
                    ExprOp::Sub => a.infix("-", b, SUM),
                    ExprOp::Mul => a.infix("*", b, PRODUCT),
                    ExprOp::Div => a.infix("div", b, PRODUCT),
                    _ => a.infix("mod", b, PRODUCT),
                }
            }
            Term::Xor(sides) => {
                let (a, b) = (self.part(site, &sides[0])?, self.part(site, &sides[1])?);
                a.infix("xor", b, PRODUCT)
            }
            Term::Sum(terms) => {
                let mut sum: Option<Text> = None;
                for (k, term) in terms.iter().enumerate() {
                    let vanishes = matches!(term, Term::Multiple(..) | Term::Offset(_)) && self.term(site, term)?.num == SymInt::ZERO;
                    if k == 0 || !vanishes {
                        let term = self.part(site, term)?;
                        sum = Some(match sum {
                            Some(sum) => sum.infix("+", term, SUM),
                            None => term,
                        });
                    }
                }
                sum.unwrap_or(Text("0".to_owned(), WORD))
            }
            Term::Multiple(id, stride) => {
                let stride = self.part(site, &Term::Quantity(stride))?;
                self.part(site, &Term::Coordinate(*id))?.infix("*", stride, PRODUCT)
            }
            Term::Horner(dims) => {
                let mut text = self.part(site, &Term::Coordinate(dims[0]))?;
                for id in &dims[1..] {
                    text = text.infix("*", self.part(site, &Term::Size(*id))?, PRODUCT);
                    text = text.infix("+", self.part(site, &Term::Coordinate(*id))?, SUM);
                }
                text
            }
            Term::FromOffset(id) => {
                let value = self.part(site, &Term::Coordinate(*id))?;
                match self.term(site, &Term::Offset(*id))?.num {
                    SymInt::ZERO => value,
                    _ => value.infix("-", self.part(site, &Term::Offset(*id))?, SUM),
                }
            }
            Term::Digit(id, below, size) => {
                let mut text = self.part(site, &Term::FromOffset(*id))?;
                let mut product = known(1)?;
                for id in below {
                    let size = self.term(site, &Term::Size(*id))?.num;
                    product = self.cx.mul(product, size)?;
                }
                if product != SymInt::ONE {
                    text = text.infix("div", Text(product.value().unwrap_or(1).to_string(), WORD), PRODUCT);
                }
                match size {
                    Some(size) => text.infix("mod", self.part(site, &Term::Size(*size))?, PRODUCT),
                    None => text,
                }
            }
            Term::Select(parts) => {
                let holds = self.term(site, &parts[0])?.num != SymInt::ZERO;
                self.part(site, &parts[if holds { 1 } else { 2 }])?
            }
            Term::Switch(switch, branches) => {
                let s = self.number(*switch).and_then(|s| usize::try_from(s).ok()).unwrap_or(0);
                self.part(site, &branch(branches, s))?
            }
            leaf => Text(self.term(site, leaf)?.num.value().unwrap_or(0).to_string(), WORD),
        })
    }
}
