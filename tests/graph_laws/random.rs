//! Random graphs that lead from their sources to everything else, in one direction.

use super::naive::{Condition, Formula, Step};
use crate::common::Rng;
use crd2idx::algebra::value::Facts;
use crd2idx::graph::{CoordGraph, DimId, Dimension, Direction, Expr, FlattenMode, Transform};

/// A dimension as it was declared, in numbers.
#[derive(Clone, Debug)]
pub struct Dim {
    pub name: String,
    pub size: Option<i64>,
    pub stride: Option<i64>,
    pub offset: i64,
}

/// A graph, and the formulas that it computes.
pub struct RandomGraph {
    pub graph: CoordGraph,
    pub direction: Direction,
    pub dims: Vec<Dim>,
    /// The given dimensions, as positions in `dims`.
    pub sources: Vec<usize>,
    pub steps: Vec<Step>,
    pub parameters: Vec<(String, i64)>,
    ids: Vec<DimId>,
    /// Whether a size, a stride or another number of the graph may be a parameter.
    symbolic: bool,
}

/// A number, and its expression in the graph.
struct Quantity(Expr, i64);

impl RandomGraph {
    /// Makes a graph of up to `steps` transforms from one to three sources.
    pub fn new(rng: &mut Rng, direction: Direction, steps: usize, symbolic: bool) -> RandomGraph {
        let mode = *rng.pick(&[FlattenMode::Declared, FlattenMode::Declared, FlattenMode::Sizes]);
        let graph = CoordGraph::new().with_flatten(mode);
        let mut made =
            RandomGraph { graph, direction, dims: vec![], sources: vec![], steps: vec![], parameters: vec![], ids: vec![], symbolic };
        for _ in 0..1 + rng.below(3) {
            let size = rng.between(1, 12);
            let dim = made.dim(rng, Some(size));
            made.sources.push(dim);
        }
        for _ in 0..1 + rng.below(steps) {
            made.step(rng);
        }
        made
    }

    /// Returns the names of the dimensions at these positions in `dims`.
    pub fn names(&self, dims: &[usize]) -> Vec<&str> {
        dims.iter().map(|k| self.dims[*k].name.as_str()).collect()
    }

    /// Returns the dimensions that are computed.
    pub fn products(&self) -> Vec<usize> {
        self.steps.iter().flat_map(|step| step.products.clone()).collect()
    }

    /// Returns the computed dimensions that have no products.
    pub fn ends(&self) -> Vec<usize> {
        self.products().into_iter().filter(|k| !self.steps.iter().any(|step| step.sources.contains(k))).collect()
    }

    /// Returns one to three of the computed dimensions.
    pub fn targets(&self, rng: &mut Rng) -> Vec<usize> {
        let products = self.products();
        let mut out: Vec<usize> = (0..1 + rng.below(3)).map(|_| *rng.pick(&products)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Returns the bindings for these values of the sources: first the parameters, then the sources.
    pub fn bind(&self, at: &[i64]) -> Vec<(&str, i64)> {
        let parameters = self.parameters.iter().map(|(name, value)| (name.as_str(), *value));
        parameters.chain(self.names(&self.sources).into_iter().zip(at.iter().copied())).collect()
    }

    fn quantity(&mut self, rng: &mut Rng, value: i64) -> Quantity {
        if !self.symbolic || !rng.one_in(5) {
            return Quantity(value.into(), value);
        }
        let name = format!("p{}", self.parameters.len());
        let div = *rng.pick(&[1, 2, 4, value.abs().max(1)]);
        let div = if value % div == 0 { div } else { 1 };
        let facts = match rng.below(3) {
            0 => Facts { lo: if value >= 0 { 0 } else { i64::MIN }, hi: i64::MAX, div },
            1 => Facts { lo: value.min(1), hi: value + rng.between(0, 40), div },
            _ => Facts { lo: value - rng.between(0, 3).min(value.max(0)), hi: i64::MAX, div },
        };
        self.graph.parameter(&name, facts).expect("a new name");
        self.parameters.push((name.clone(), value));
        Quantity(Expr::param(name), value)
    }

    fn dim(&mut self, rng: &mut Rng, size: Option<i64>) -> usize {
        let stride = if rng.one_in(2) { Some(rng.between(-3, 9)) } else { None };
        let stride = stride.map(|stride| self.quantity(rng, stride));
        let size = size.map(|size| self.quantity(rng, size));
        self.with(rng, size, stride)
    }

    fn with(&mut self, rng: &mut Rng, size: Option<Quantity>, stride: Option<Quantity>) -> usize {
        let offset = if rng.one_in(5) { rng.between(-4, 9) } else { 0 };
        let name = format!("d{}", self.dims.len());
        let mut dim = Dimension::new(&name);
        let number = |quantity: &Option<Quantity>| quantity.as_ref().map(|quantity| quantity.1);
        self.dims.push(Dim { name, size: number(&size), stride: number(&stride), offset });
        dim.size = size.map(|quantity| quantity.0);
        dim.stride = stride.map(|quantity| quantity.0);
        dim.offset = (offset != 0).then_some(offset.into());
        self.ids.push(self.graph.add(dim).expect("a new name"));
        self.dims.len() - 1
    }

    /// Adds a transform that computes `products` from `sources` in the direction of the graph, and records its formula.
    fn connect(&mut self, transform: Transform, formula: Formula, sources: Vec<usize>, products: Vec<usize>) {
        let ids = |dims: &[usize]| dims.iter().map(|k| self.ids[*k]).collect::<Vec<_>>();
        let (from, to) = (ids(&sources), ids(&products));
        let (inputs, outputs) = if self.direction == Direction::Forward { (from, to) } else { (to, from) };
        self.graph.connect(transform, inputs, outputs).expect("an edge of the right form");
        self.steps.push(Step { formula, sources, products });
    }

    /// Returns `count` different dimensions with a size, all or none with a stride if `strided` is `Some`; `None` if there are fewer.
    fn several(&self, rng: &mut Rng, count: usize, strided: Option<bool>) -> Option<Vec<usize>> {
        let fits = |k: &usize| self.dims[*k].size.is_some() && strided.is_none_or(|strided| strided == self.dims[*k].stride.is_some());
        let mut all: Vec<usize> = (0..self.dims.len()).filter(fits).collect();
        let mut out = Vec::new();
        while out.len() < count && !all.is_empty() {
            // Prefer a dimension that nothing uses yet.
            let unused = all.iter().rposition(|k| !self.steps.iter().any(|step| step.sources.contains(k)));
            let at = unused.filter(|_| !rng.one_in(3)).unwrap_or_else(|| rng.below(all.len()));
            out.push(all.swap_remove(at));
        }
        (out.len() == count).then_some(out)
    }

    fn any(&self, rng: &mut Rng) -> usize {
        self.several(rng, 1, None).map_or(0, |dims| dims[0])
    }

    /// Returns `size`, a random smaller size, or `None` for a dimension without a size.
    fn sized(&mut self, rng: &mut Rng, size: i64) -> Option<i64> {
        match rng.below(4) {
            0 => None,
            1 => Some(rng.between(1, size.max(1))),
            _ => Some(size.max(1)),
        }
    }

    fn step(&mut self, rng: &mut Rng) {
        let forward = self.direction == Direction::Forward;
        match rng.below(if forward { 10 } else { 15 }) {
            0..=1 => self.combine(rng),
            2..=3 => self.digits(rng),
            4 => {
                let source = self.any(rng);
                let size = self.dims[source].size;
                let product = self.dim(rng, size);
                let transform = rng.pick(&[Transform::PassThrough, Transform::Inherit, Transform::MakeOutput]).clone();
                self.connect(transform, Formula::Same, vec![source], vec![product]);
            }
            5 => self.window(rng),
            6 => self.xor(rng),
            7 => self.gather(rng),
            8 => self.sunder(rng),
            9 => self.piecewise(rng),
            10 => {
                let (source, modulus) = (self.any(rng), rng.between(1, 9));
                let (size, modulus) = (self.sized(rng, modulus), self.quantity(rng, modulus));
                let product = self.dim(rng, size);
                self.connect(Transform::Modulo { modulus: modulus.0 }, Formula::Modulo(modulus.1), vec![source], vec![product]);
            }
            11 => {
                let at = rng.between(-2, 9);
                let (size, at) = (self.sized(rng, at + 1), self.quantity(rng, at));
                let product = self.dim(rng, size);
                self.connect(Transform::Freeze { at: at.0 }, Formula::Constant(at.1), vec![], vec![product]);
            }
            12 => self.embed(rng),
            _ => self.columns(rng),
        }
    }

    /// Adds a Flatten, Join, Tile or Split from many dimensions to one.
    fn combine(&mut self, rng: &mut Rng) {
        let by_edge = rng.one_in(2);
        let strided = rng.one_in(2);
        let count = 1 + rng.below(3);
        let Some(sources) = self.several(rng, count, strided.then_some(true).or((!by_edge).then_some(false))) else { return };
        let dims: Vec<&Dim> = sources.iter().map(|k| &self.dims[*k]).collect();
        let sizes: Vec<i64> = dims.iter().map(|dim| dim.size.unwrap_or(1)).collect();
        let forward = self.direction == Direction::Forward;
        let by_sizes = self.graph.flatten_mode() == FlattenMode::Sizes;
        let (transform, strided) = match (forward, by_edge, strided) {
            (true, false, _) => (Transform::Flatten, strided && !by_sizes),
            (true, true, true) => (Transform::Join, true),
            (false, _, true) => (Transform::Split, true),
            (false, _, false) => (Transform::Tile, false),
            _ => return,
        };
        let formula =
            if strided { Formula::Sum(dims.iter().map(|dim| dim.stride.unwrap_or(0)).collect()) } else { Formula::Horner(sizes.clone()) };
        let total = sizes.iter().product();
        let size = self.sized(rng, total);
        let product = self.dim(rng, size);
        self.connect(transform, formula, sources, vec![product]);
    }

    fn embed(&mut self, rng: &mut Rng) {
        let count = 1 + rng.below(2);
        let Some(sources) = self.several(rng, count, None) else { return };
        let coefficients: Vec<Quantity> = (0..count)
            .map(|_| {
                let coefficient = rng.between(-2, 5);
                self.quantity(rng, coefficient)
            })
            .collect();
        let size = self.sized(rng, 40);
        let product = self.dim(rng, size);
        let numbers = coefficients.iter().map(|quantity| quantity.1).collect();
        let coefficients = coefficients.into_iter().map(|quantity| quantity.0).collect();
        self.connect(Transform::Embed { coefficients }, Formula::Sum(numbers), sources, vec![product]);
    }

    /// Adds a Tile, Split, Flatten or Join from one dimension to many.
    fn digits(&mut self, rng: &mut Rng) {
        let source = self.any(rng);
        let count = 1 + rng.below(3);
        let forward = self.direction == Direction::Forward;
        let mut left = self.dims[source].size.unwrap_or(8);
        let sizes: Vec<i64> = (0..count)
            .map(|_| {
                let size = if rng.one_in(3) { rng.between(1, 6) } else { rng.between(1, left.clamp(1, 6)) };
                left = (left + size - 1) / size;
                size
            })
            .collect();
        let sizes: Vec<Quantity> = sizes.into_iter().map(|size| self.quantity(rng, size)).collect();
        let numbers: Vec<i64> = sizes.iter().map(|size| size.1).collect();
        let by_sizes = rng.one_in(2);
        if by_sizes {
            let mode = self.graph.flatten_mode();
            let flatten = !forward && (rng.one_in(2) || mode == FlattenMode::Sizes);
            let unstrided = flatten && mode == FlattenMode::Declared;
            let transform = if flatten { Transform::Flatten } else { Transform::Tile };
            if !forward && !flatten {
                return;
            }
            let products: Vec<usize> = (sizes.into_iter().enumerate())
                .map(|(k, size)| {
                    // The first takes the whole quotient, for any size.
                    let size = if k == 0 && rng.one_in(3) { None } else { Some(size) };
                    let stride = if unstrided { None } else { Some(Quantity(1.into(), 1)) };
                    self.with(rng, size, stride)
                })
                .collect();
            self.connect(transform, Formula::Digits { sizes: numbers, order: (0..count).collect() }, vec![source], products);
            return;
        }
        // The order is slowest first.
        let mut order: Vec<usize> = (0..count).collect();
        for k in (1..count).rev() {
            order.swap(k, rng.below(k + 1));
        }
        // Numbers cannot show which of two parameters of value 1 is the slower one.
        let sizes: Vec<Quantity> = if sizes.iter().filter(|size| size.1 == 1).count() > 1 {
            sizes.into_iter().map(|size| if size.1 == 1 { Quantity(1.into(), 1) } else { size }).collect()
        } else {
            sizes
        };
        let mut below = Quantity(1.into(), 1);
        let mut strides: Vec<Quantity> = (0..count).map(|_| Quantity(1.into(), 1)).collect();
        for k in order.iter().rev() {
            let Quantity(size, number) = &sizes[*k];
            let next = Quantity(times(&below.0, size), below.1 * number);
            strides[*k] = core::mem::replace(&mut below, next);
        }
        let transform = match (forward, self.graph.flatten_mode()) {
            (true, _) => Transform::Split,
            (_, FlattenMode::Declared) if rng.one_in(2) => Transform::Flatten,
            _ => Transform::Join,
        };
        // A dimension of size 1 comes before others of the same stride, and may have any other stride.
        let ones: Vec<usize> = order.iter().copied().filter(|k| matches!(sizes[*k].0, Expr::Int(1))).collect();
        if rng.one_in(3) {
            ones.iter().for_each(|k| strides[*k] = Quantity((-5).into(), -5));
            order.retain(|k| !ones.contains(k));
        } else {
            order = by_stride(&order, &numbers, &strides.iter().map(|stride| stride.1).collect::<Vec<_>>());
        }
        let products: Vec<usize> = sizes.into_iter().zip(strides).map(|(size, stride)| self.with(rng, Some(size), Some(stride))).collect();
        self.connect(transform, Formula::Digits { sizes: numbers, order }, vec![source], products);
    }

    /// Adds a Pad or a Slice.
    fn window(&mut self, rng: &mut Rng) {
        let source = self.any(rng);
        let size = self.dims[source].size.unwrap_or(1);
        let forward = self.direction == Direction::Forward;
        let (a, b) = (rng.between(0, 3), rng.between(0, 3));
        let (left, right) = (self.quantity(rng, a), self.quantity(rng, b));
        if rng.one_in(2) {
            let inner = if forward { size + a + b } else { size - a - b };
            let declared = (inner > 0 && !rng.one_in(3)).then_some(inner);
            let product = self.dim(rng, declared);
            let formula = match (forward, declared) {
                (true, _) => Formula::Shift { by: a, inside: None },
                (false, None) => Formula::Shift { by: -a, inside: Some((true, inner)) },
                _ => Formula::Shift { by: -a, inside: None },
            };
            self.connect(Transform::Pad { left: left.0, right: right.0 }, formula, vec![source], vec![product]);
            return;
        }
        // Forward, the product counts `begin..end` of the source from 0. In reverse, the source counts that range of the product.
        let length = if forward { (size - a).max(0) } else { size };
        let size = if forward { Some(length).filter(|length| *length > 0 && rng.one_in(2)) } else { self.sized(rng, length + a + 2) };
        let product = self.dim(rng, size);
        let end = Expr::from(a + length);
        let (by, inside) = if forward { (-a, (true, length)) } else { (a, (false, length)) };
        self.connect(Transform::Slice { begin: left.0, end }, Formula::Shift { by, inside: Some(inside) }, vec![source], vec![product]);
    }

    fn xor(&mut self, rng: &mut Rng) {
        let Some(sources) = self.several(rng, 2, None) else { return };
        let n = self.dims[sources[1]].size.unwrap_or(1);
        let sized = rng.one_in(2).then_some(n);
        let first = self.dim(rng, None);
        let second = self.dim(rng, sized);
        self.connect(Transform::Xor, Formula::Xor(n), sources, vec![first, second]);
    }

    /// Adds a gather by a table that holds each number below its length once.
    fn gather(&mut self, rng: &mut Rng) {
        let source = self.any(rng);
        let n = self.dims[source].size.unwrap_or(1).min(16) as usize;
        let mut table: Vec<i64> = (0..n as i64).collect();
        for k in (1..n).rev() {
            table.swap(k, rng.below(k + 1));
        }
        let size = self.sized(rng, n as i64);
        let product = self.dim(rng, size);
        let formula = if self.direction == Direction::Forward { Formula::Place(table.clone()) } else { Formula::Entry(table.clone()) };
        self.connect(Transform::Gather { table: table.into() }, formula, vec![source], vec![product]);
    }

    fn sunder(&mut self, rng: &mut Rng) {
        let count = 1 + rng.below(2);
        let Some(mut sources) = self.several(rng, count, None) else { return };
        let switch = self.dim(rng, Some(count as i64));
        // A switch is always given.
        self.sources.push(switch);
        let sizes: Vec<i64> = sources.iter().map(|k| self.dims[*k].size.unwrap_or(1)).collect();
        sources.push(switch);
        let size = self.sized(rng, sizes.iter().sum());
        let product = self.dim(rng, size);
        self.connect(Transform::Sunder, Formula::Sunder(sizes), sources, vec![product]);
    }

    fn piecewise(&mut self, rng: &mut Rng) {
        let count = 1 + rng.below(3);
        let Some(sources) = self.several(rng, count, None) else { return };
        let (a, b, at) = (rng.below(count), rng.below(count), rng.between(0, 8));
        let at = self.quantity(rng, at);
        let (condition, formula) = match rng.below(4) {
            0 => (Expr::Arg(a).less(at.0), Condition::Less(a, at.1)),
            1 => (Expr::Arg(a).at_most(Expr::Arg(b)), Condition::AtMost(a, b)),
            2 => (Expr::Arg(a).modulo(3).equals(1), Condition::Remainder(a)),
            _ => (Expr::Arg(a).equals(at.0), Condition::Equal(a, at.1)),
        };
        let case = |made: &mut RandomGraph, rng: &mut Rng| {
            let strides: Vec<Quantity> = (0..count)
                .map(|_| {
                    let stride = *rng.pick(&[0, 0, 1, 2, 5, -1]);
                    // A stride that is 0 in this launch only must stay in the program.
                    if stride == 0 { Quantity(0.into(), 0) } else { made.quantity(rng, stride) }
                })
                .collect();
            let initial = rng.between(-3, 9);
            (strides, made.quantity(rng, initial))
        };
        let (then, otherwise) = (case(self, rng), case(self, rng));
        let numbers = |(strides, initial): &(Vec<Quantity>, Quantity)| (strides.iter().map(|q| q.1).collect::<Vec<_>>(), initial.1);
        let formula = Formula::Piecewise { condition: formula, cases: [numbers(&then), numbers(&otherwise)] };
        let exprs = |strides: Vec<Quantity>| strides.into_iter().map(|q| q.0).collect::<Vec<_>>();
        let transform =
            Transform::PiecewiseAffineJoin { condition, strides: [exprs(then.0), exprs(otherwise.0)], initial: [then.1.0, otherwise.1.0] };
        let size = self.sized(rng, 40);
        let product = self.dim(rng, size);
        self.connect(transform, formula, sources, vec![product]);
    }

    /// Adds a PairSwap or a Rotate.
    fn columns(&mut self, rng: &mut Rng) {
        let Some(sources) = self.several(rng, 2, None) else { return };
        let (rows, positions) = (rng.between(1, 4), rng.between(1, 9));
        let (rows_per_group, positions) = (self.quantity(rng, rows), self.quantity(rng, positions));
        let size = self.sized(rng, 12);
        let product = self.dim(rng, size);
        let inverse = rng.one_in(2);
        let (transform, formula) = if rng.one_in(2) {
            (Transform::PairSwap { rows_per_group: rows_per_group.0 }, Formula::PairSwap(rows))
        } else {
            let formula = Formula::Rotate { rows, positions: positions.1, inverse };
            (Transform::Rotate { rows_per_group: rows_per_group.0, positions: positions.0, inverse }, formula)
        };
        self.connect(transform, formula, sources, vec![product]);
    }
}

/// Returns `order` sorted slowest first, by stride. Among equal strides a size of 1 is the faster one, and then the later one.
fn by_stride(order: &[usize], sizes: &[i64], strides: &[i64]) -> Vec<usize> {
    let mut out = order.to_vec();
    out.sort_by_key(|k| (std::cmp::Reverse(strides[*k]), sizes[*k] == 1, *k));
    out
}

fn times(a: &Expr, b: &Expr) -> Expr {
    match (a, b) {
        (Expr::Int(a), Expr::Int(b)) => (a * b).into(),
        (Expr::Int(1), other) | (other, Expr::Int(1)) => other.clone(),
        _ => a.clone().times(b.clone()),
    }
}
