//! The content of a picture, independent of its medium: cells with texts, rules and labels, arrows, and colours by class.
//!
//! Each builder in here makes a [`Picture`] from a type of the library. A text such as `layout LAYOUT` stands for
//! `crd2idx show layout LAYOUT`. A builder fails, with the message to print, if an operand is refused or if there are more
//! cells than a picture shows. The terminal (`view::terminal`) and the page (`view::svg`) draw it.

pub mod arrays;
pub mod atom;
pub mod banks;
pub mod choice;
pub mod function;
pub mod graph;
pub mod layout;
pub mod paged;
pub mod pairs;
pub mod plan;
pub mod ragged;
pub mod reshard;
pub mod sparse;
pub mod spy;
pub mod text;
pub mod threads;
pub mod tiles;

use std::ops::Range;

/// The number of colours that the eye tells apart at a glance. Computed classes are modulo this number.
pub const CLASSES: usize = 8;

/// The number of colours. Every class is below it.
pub const COLOURS: usize = 32;

/// The maximum number of cells of one picture.
pub const MOST_CELLS: usize = 4096;

/// A picture: items in lines, from top to bottom.
pub struct Picture {
    /// The title, in a few words.
    pub title: String,
    /// A description for readers who cannot see the picture.
    pub description: String,
    pub lines: Vec<Vec<Item>>,
    /// The arrows between grids. Grids are numbered in the order of [`Picture::grids`].
    pub arrows: Vec<Arrow>,
}

impl Picture {
    /// Returns the grids, line by line.
    pub fn grids(&self) -> impl Iterator<Item = &Grid> {
        self.lines.iter().flatten().flat_map(|item| match item {
            Item::Stack(grids) => grids.as_slice(),
            Item::Graph(_) => &[],
        })
    }

    /// Fails if the picture has more than [`MOST_CELLS`] cells.
    pub fn checked(self) -> Result<Picture, String> {
        let cells = self.grids().map(|grid| grid.cells.len()).sum();
        if cells > MOST_CELLS { Err(too_many(cells)) } else { Ok(self) }
    }
}

/// Returns the message for a picture with this number of cells, which is more than it may have.
pub fn too_many(cells: usize) -> String {
    format!("{cells} cells are more than the {MOST_CELLS} of a picture: draw a part of it, like slice(LAYOUT, (_,0)), or one tile")
}

/// An item of a line.
pub enum Item {
    /// Grids below one another; mostly one.
    Stack(Vec<Grid>),
    Graph(graph::Flow),
}

/// Returns the grids as items of one line.
pub fn items(grids: impl IntoIterator<Item = Grid>) -> Vec<Item> {
    grids.into_iter().map(|grid| Item::Stack(vec![grid])).collect()
}

/// Cells in rows and columns.
#[derive(Clone)]
pub struct Grid {
    pub caption: String,
    pub rows: Axis,
    pub columns: Axis,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    pub look: Look,
}

/// The appearance of a grid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// A table.
    Table,
    /// An array: one row, with its name on the left and positions as labels.
    Array,
    /// Small marks without text.
    Spy,
}

/// The rows or the columns of a grid.
#[derive(Clone, Default)]
pub struct Axis {
    pub len: usize,
    /// The labels, the outermost tier first.
    pub tiers: Vec<Vec<Label>>,
    /// The rule before each row or column.
    pub rules: Vec<Rule>,
}

/// A label over `span` neighbouring rows or columns.
#[derive(Clone)]
pub struct Label {
    pub span: usize,
    pub text: String,
}

impl Label {
    /// Returns a label over one row or column.
    pub fn one(text: impl Into<String>) -> Label {
        Label { span: 1, text: text.into() }
    }
}

/// The separation of two neighbouring rows or columns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Rule {
    /// No separation: both are in one group.
    #[default]
    None,
    /// A line between groups.
    Thin,
    /// A thick line between groups of groups.
    Thick,
    /// A space between tiles.
    Gap,
}

/// A cell: its lines of text, and the class that gives its colour.
#[derive(Clone, Default)]
pub struct Cell {
    pub lines: Vec<String>,
    pub class: Option<usize>,
    pub kind: CellKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum CellKind {
    /// An element.
    #[default]
    Full,
    /// An element that is emphasized.
    Marked,
    /// A cell without an element, like the cells of a last tile beyond the tensor.
    Outside,
    /// Text without a cell around it.
    Note,
}

impl CellKind {
    /// Tests whether the cell has an element.
    pub fn is_element(self) -> bool {
        matches!(self, CellKind::Full | CellKind::Marked)
    }
}

impl Cell {
    /// Returns an element with one line of text.
    pub fn of(text: impl Into<String>, class: Option<usize>) -> Cell {
        Cell { lines: vec![text.into()], class, kind: CellKind::Full }
    }

    /// Returns a text without a cell around it.
    pub fn note(text: impl Into<String>) -> Cell {
        Cell { kind: CellKind::Note, ..Cell::of(text, None) }
    }

    /// Returns a cell without text or border.
    pub fn absent() -> Cell {
        Cell { kind: CellKind::Note, ..Cell::default() }
    }
}

/// An arrow from one grid to another, of the colour of a class or of none.
pub struct Arrow {
    /// True for an arrow from a row to the column that it becomes. False for one from an entry of an array to the left edge of
    /// an entry of the next array.
    pub turns: bool,
    /// The number of the grid, and the row (if it turns) or the column where the arrow begins.
    pub from: (usize, usize),
    /// The number of the grid, and the column where the arrow ends.
    pub to: (usize, usize),
    pub class: Option<usize>,
}

/// Returns a class below `CLASSES` for these coordinates. Neighbours along an axis get different classes.
pub fn class_of(coordinates: impl IntoIterator<Item = usize>) -> usize {
    coordinates.into_iter().enumerate().fold(0, |sum, (k, c)| (sum + (c % CLASSES) * (2 * k + 1)) % CLASSES)
}

impl Axis {
    /// Returns the axis of a mode with these leaf extents, the fastest first. Each leaf has a tier of labels, and rules stand
    /// where a leaf begins again.
    pub fn of_leaves(extents: &[usize]) -> Axis {
        let len = extents.iter().product();
        let mut spans = Vec::new();
        let mut span = 1;
        for extent in extents.iter().filter(|extent| **extent != 1) {
            spans.push((span, *extent));
            span *= extent;
        }
        if spans.is_empty() {
            spans.push((1, 1));
        }
        let tier =
            |(span, extent): &(usize, usize)| (0..len / span).map(|k| Label { span: *span, text: (k % extent).to_string() }).collect();
        let rule = |k: usize| match spans.iter().skip(1).filter(|(span, _)| k > 0 && k.is_multiple_of(*span)).count() {
            0 => Rule::None,
            1 => Rule::Thin,
            _ => Rule::Thick,
        };
        Axis { len, tiers: spans.iter().rev().map(tier).collect(), rules: (0..len).map(rule).collect() }
    }

    /// Returns an axis with labels from 0.
    pub fn numbered(len: usize) -> Axis {
        Axis::of_leaves(&[len])
    }

    /// Returns an axis without labels.
    pub fn plain(len: usize) -> Axis {
        Axis { len, tiers: Vec::new(), rules: vec![Rule::None; len] }
    }

    /// Sets the rule before each position but the first.
    pub fn ruled(mut self, rule: impl Fn(usize) -> Rule) -> Axis {
        self.rules = (0..self.len).map(|k| if k == 0 { Rule::None } else { rule(k) }).collect();
        self
    }

    /// Returns the labels of a tier, each with the range of positions that it covers.
    pub fn labels(tier: &[Label]) -> impl Iterator<Item = (Range<usize>, &Label)> {
        tier.iter().scan(0, |end, label| {
            let start = *end;
            *end += label.span;
            Some((start..*end, label))
        })
    }

    /// Splits the axis into the longest bands for which `fits` is true, of at least one position each. A band of a table ends
    /// at a rule or a multiple of 8 if more than half of its width remains.
    pub fn bands(&self, look: Look, fits: impl Fn(Range<usize>) -> bool) -> Vec<Range<usize>> {
        let mut bands = Vec::new();
        let mut first = 0;
        while bands.is_empty() || first < self.len {
            let fitting = (first + 1..=self.len).take_while(|end| fits(first..*end)).last();
            let mut end = fitting.unwrap_or((first + 1).min(self.len));
            if end < self.len && look == Look::Table {
                let late = (first + 1..=end).filter(|k| *k > first + (end - first) / 2);
                end = late.max_by_key(|k| (self.rules[*k], k % 8 == 0, *k)).unwrap_or(end);
            }
            bands.push(first..end);
            first = end.max(first + 1);
        }
        bands
    }
}
