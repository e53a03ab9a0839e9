//! Random ragged arrays of every mix of levels, and the answers of `RaggedArray` for them.

use crate::common::rng::Rng;
use crd2idx::DynLayout;
use crd2idx::graph::{Expr, ExprOp};
use crd2idx::program::{Emit, EmitError, Language, OffsetWord, RaggedLevel, RaggedLevels, Source, WordWidth};
use crd2idx::ragged::{DynLevel, RaggedArray};

/// A level with its numbers.
#[derive(Clone, Debug)]
pub enum Numbers {
    Fixed(usize),
    Dense(usize),
    Block(&'static str),
    Offsets(OffsetWord, Vec<usize>),
    Views(OffsetWord, Vec<usize>, Vec<usize>),
}

/// An array, and the coordinates of every position of its leaves.
pub struct Case {
    pub levels: Vec<Numbers>,
    /// The number of used rows of each level, then the number of positions of the leaves.
    pub counts: Vec<usize>,
    /// The position of the first leaf.
    pub begin: usize,
    /// The leaves in ascending order: position and coordinates.
    pub leaves: Vec<(usize, Vec<usize>)>,
    /// For each level: position, row, and the first position of the row.
    pub parents: Vec<Vec<(usize, usize, usize)>>,
    /// The same for the leaves, unless there are views.
    pub leaf_rows: Option<Vec<Vec<(usize, usize, usize)>>>,
    /// The two coordinates whose distance is written to each leaf.
    pub distance: (usize, usize),
    /// The number of threads of a workgroup. `tile` is the number of leaves of a tile.
    pub workgroup: u32,
    pub tile: u32,
}

/// The emitted texts of a case, each under a name of its own.
pub struct Texts {
    pub coordinates: Source,
    pub visit: Source,
    pub parents: Option<Source>,
    pub leaf_rows: Option<Source>,
}

const BLOCKS: &[&str] = &["(2,4):(4,1)", "(2,3):(1,2)", "((2,2),3):((1,6),2)", "5:1"];

impl Case {
    /// Builds the case of these levels below `outer` rows.
    pub fn new(outer: usize, levels: Vec<Numbers>, workgroup: u32, tile: u32) -> Case {
        let (mut counts, mut bases) = (vec![outer], vec![0]);
        for level in &levels {
            let (rows, base) = (counts[counts.len() - 1], bases[bases.len() - 1]);
            let begin = |row: usize| match level {
                Numbers::Fixed(n) | Numbers::Dense(n) => row * n,
                Numbers::Block(text) => row * layout(text).size() as usize,
                Numbers::Offsets(_, offsets) => offsets[row],
                Numbers::Views(_, starts, sizes) if row == rows => {
                    starts.iter().zip(sizes).map(|(a, b)| a + b).max().map_or(0, |end| end + 2)
                }
                Numbers::Views(..) => 0,
            };
            counts.push(begin(rows));
            bases.push(if rows == base { begin(rows) } else { begin(base) });
        }
        let places = counts[counts.len() - 1];
        let dynamic = levels.iter().map(|level| dynamic(level)).collect();
        let array = RaggedArray::new(outer, dynamic, vec![0_u8; places]).expect("levels");
        let shape = array.shape();
        // The rows, as the arrays number them.
        let row = |q: usize, row: usize| {
            let range = shape.row(q, row - bases[q]);
            range.start + bases[q + 1]..range.end + bases[q + 1]
        };
        let axis = |q: usize| bases[q]..bases[q] + shape.count(q);
        let mut below: Vec<(usize, Vec<usize>, Vec<usize>)> = axis(0).map(|k| (k, vec![k], vec![])).collect();
        let mut parents = Vec::new();
        for q in 0..levels.len() {
            let rows = axis(q).map(|k| (k, row(q, k)));
            parents.push(rows.flat_map(|(k, range)| range.clone().map(move |place| (place, k, range.start))).collect());
            below = below
                .into_iter()
                .flat_map(|(k, crd, above)| {
                    let above = [above, vec![k]].concat();
                    row(q, k).enumerate().map(move |(j, place)| (place, [crd.clone(), vec![j]].concat(), above.clone())).collect::<Vec<_>>()
                })
                .collect();
        }
        let views = levels.iter().any(|level| matches!(level, Numbers::Views(..)));
        if !views {
            let found: Vec<Vec<usize>> = below.iter().map(|(_, crd, _)| crd.clone()).collect();
            assert_eq!(found, shape.coordinates());
        }
        let leaf_rows = |q: usize| {
            let starts = shape.leaf_starts(q);
            below.iter().enumerate().map(|(k, (place, _, above))| (*place, above[q], starts[k] + bases[levels.len()])).collect()
        };
        let leaf_rows = (!views).then(|| (0..levels.len()).map(leaf_rows).collect());
        let leaves = below.iter().map(|(place, crd, _)| (*place, with_blocks(&levels, crd))).collect();
        let last =
            levels.iter().map(|level| if let Numbers::Block(text) = level { layout(text).flatten().expect("a layout").rank() } else { 1 });
        Case { distance: (0, last.sum()), begin: bases[levels.len()], levels, counts, leaves, parents, leaf_rows, workgroup, tile }
    }

    /// Returns the levels without their numbers.
    pub fn shape(&self) -> RaggedLevels {
        let level = |(q, level): (usize, &Numbers)| match level {
            Numbers::Fixed(n) => RaggedLevel::Fixed(*n as u64),
            Numbers::Dense(_) => RaggedLevel::Dense(format!("n{q}")),
            Numbers::Block(text) => RaggedLevel::block(layout(text)),
            Numbers::Offsets(word, _) => RaggedLevel::Offsets(*word),
            Numbers::Views(word, ..) => RaggedLevel::Views(*word),
        };
        let levels = RaggedLevels::new(self.levels.iter().enumerate().map(level).collect::<Vec<_>>()).expect("levels");
        assert_eq!(levels.axes(), self.leaves.first().map_or(levels.axes(), |(_, crd)| crd.len()));
        levels.tile(self.tile).workgroup(self.workgroup)
    }

    /// Returns the texts `q{k}`, `v{k}`, `p{k}` and `l{k}`. Every third divides plainly; every fourth has 64 bits if possible.
    pub fn emit(&self, k: usize, language: Language, crate_path: &str) -> Texts {
        let levels = self.shape();
        let emit = |stem: &str| {
            let emit = Emit::new(language, &format!("{stem}{k}")).fast_division(k % 3 != 1).crate_path(crate_path);
            if k % 4 == 2 && language != Language::Wgsl { emit.width(WordWidth::Bits64) } else { emit }
        };
        let got = |source: Result<Source, EmitError>| source.unwrap_or_else(|error| panic!("{:?}: {error}", self.levels));
        let leaf_rows = levels.emit_leaf_rows(&emit("l"));
        let views = self.leaf_rows.is_none();
        assert!(leaf_rows.is_ok() != (views || self.levels.is_empty()), "{:?}", self.levels);
        Texts {
            coordinates: got(levels.emit_coordinates(&emit("q"))),
            visit: got(levels.emit_visit(&emit("v"), &self.value())),
            parents: (!self.levels.is_empty()).then(|| got(levels.emit_parents(&emit("p")))),
            leaf_rows: leaf_rows.ok(),
        }
    }

    /// Returns the distance of the two coordinates, as an expression.
    pub fn value(&self) -> Expr {
        let [a, b] = [self.distance.0, self.distance.1].map(|axis| Expr::param(format!("c{axis}")));
        distance(a, b)
    }

    /// Returns the value of [`Case::value`] at these coordinates.
    pub fn value_of(&self, crd: &[usize]) -> i64 {
        crd[self.distance.0].abs_diff(crd[self.distance.1]) as i64
    }
}

/// Returns `|a - b|`.
pub fn distance(a: Expr, b: Expr) -> Expr {
    Expr::Op(ExprOp::Max, Box::new([a.clone().minus(b.clone()), b.minus(a)]))
}

fn layout(text: &str) -> DynLayout {
    text.parse().expect("a layout")
}

fn dynamic(level: &Numbers) -> DynLevel<'static> {
    match level {
        Numbers::Fixed(n) | Numbers::Dense(n) => DynLevel::fixed(*n),
        Numbers::Block(text) => DynLevel::fixed(layout(text).size() as usize),
        Numbers::Offsets(word, offsets) => {
            let wide = offsets.iter().map(|offset| *offset as u64);
            match word {
                OffsetWord::U32 => DynLevel::offsets(wide.map(|offset| offset as u32).collect::<Vec<_>>()),
                OffsetWord::I32 => DynLevel::offsets(wide.map(|offset| offset as i32).collect::<Vec<_>>()),
                OffsetWord::I64 => DynLevel::offsets(wide.map(|offset| offset as i64).collect::<Vec<_>>()),
                OffsetWord::U64 => DynLevel::offsets(wide.collect::<Vec<_>>()),
            }
            .expect("offsets")
        }
        Numbers::Views(_, starts, sizes) => {
            let wide = |words: &[usize]| words.iter().map(|word| *word as u64).collect::<Vec<_>>();
            let end = starts.iter().zip(sizes).map(|(a, b)| a + b).max().map_or(0, |end| end + 2);
            DynLevel::views(wide(starts), wide(sizes), end).expect("views")
        }
    }
}

/// Expands the coordinates of blocks leaf by leaf, by trying all.
fn with_blocks(levels: &[Numbers], crd: &[usize]) -> Vec<usize> {
    let mut out = vec![crd[0]];
    for (level, index) in levels.iter().zip(&crd[1..]) {
        let Numbers::Block(text) = level else {
            out.push(*index);
            continue;
        };
        let flat = layout(text).flatten().expect("a layout");
        let extents: Vec<usize> = flat.shape().leaves().map(|extent| extent.expect("an integer") as usize).collect();
        let mut found = None;
        for k in 0..extents.iter().product::<usize>() {
            let mut rest = k;
            let digits: Vec<usize> = extents
                .iter()
                .map(|extent| {
                    let digit = rest % extent;
                    rest /= extent;
                    digit
                })
                .collect();
            if flat.index(&digits) == Some(*index) {
                found = Some(digits);
            }
        }
        out.extend(found.expect("a bijection"));
    }
    out
}

/// Returns one row with all leaves among empty rows: most threads of a scan find no mark.
fn giant() -> Case {
    Case::new(5, vec![Numbers::Offsets(OffsetWord::U32, vec![0, 0, 7, 7, 607, 607])], 8, 32)
}

/// Returns random arrays. If `narrow`, their offsets have 32 bits.
pub fn cases(seed: u64, count: usize, narrow: bool) -> Vec<Case> {
    let mut rng = Rng::new(seed);
    let mut out: Vec<Case> = vec![giant()];
    for k in 0..count {
        let depth = k % 5;
        let outer = if rng.one_in(12) { 0 } else { 1 + rng.below(6) };
        let mut rows = outer;
        let mut levels = Vec::new();
        for _ in 0..depth {
            let level = level(&mut rng, rows, narrow);
            rows = match &level {
                Numbers::Fixed(n) | Numbers::Dense(n) => rows * n,
                Numbers::Block(text) => rows * layout(text).size() as usize,
                Numbers::Offsets(_, offsets) => offsets[rows],
                Numbers::Views(_, starts, sizes) => starts.iter().zip(sizes).map(|(a, b)| a + b).max().map_or(0, |end| end + 2),
            };
            levels.push(level);
        }
        out.push(Case::new(outer, levels, *rng.pick(&[1, 2, 3, 8]), *rng.pick(&[1, 3, 8, 32])));
    }
    out
}

fn level(rng: &mut Rng, rows: usize, narrow: bool) -> Numbers {
    let words: &[OffsetWord] = if narrow { &[OffsetWord::U32, OffsetWord::I32] } else { &OffsetWord::ALL };
    let word = *rng.pick(words);
    // Arrays stay small, except for an occasional giant row.
    let most = if rows > 150 { 2 } else { 5 };
    match rng.below(12) {
        0 if rows < 200 => Numbers::Fixed(rng.below(4)),
        1 if rows < 200 => Numbers::Fixed(1 + rng.below(5)),
        2 | 3 if rows < 200 => Numbers::Dense(1 + rng.below(4)),
        4 if rows < 100 => Numbers::Block(BLOCKS[rng.below(BLOCKS.len())]),
        5 | 6 if rows > 0 => {
            let (mut starts, mut sizes, mut end) = (Vec::new(), Vec::new(), rng.below(3));
            for _ in 0..rows {
                starts.push(end);
                sizes.push(rng.below(most));
                end += sizes[sizes.len() - 1] + if rng.one_in(2) { rng.below(4) } else { 0 };
            }
            Numbers::Views(word, starts, sizes)
        }
        _ => {
            let mut offsets = vec![if rng.one_in(4) { rng.below(4) } else { 0 }];
            let style = rng.below(6);
            let giant = rng.below(rows.max(1));
            for row in 0..rows {
                let len = match style {
                    0 => 0,
                    1 if row == giant => 150 + rng.below(100),
                    1 => 0,
                    2 => rng.below(most) * usize::from(rng.one_in(3)),
                    _ => rng.below(most),
                };
                offsets.push(offsets[row] + len);
            }
            Numbers::Offsets(word, offsets)
        }
    }
}
