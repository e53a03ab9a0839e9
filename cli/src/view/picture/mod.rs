//! The content of a picture, whatever draws it: cells with texts, rules and labels, arrows, colours by class.
//!
//! Builders make a [`Picture`] of the library's objects; the terminal (`view::terminal`) and the page (`view::svg`) draw it.

pub mod arrays;
pub mod atom;
pub mod banks;
pub mod function;
pub mod graph;
pub mod layout;
pub mod paged;
pub mod pairs;
pub mod plan;
pub mod ragged;
pub mod sparse;
pub mod spy;
pub mod text;
pub mod threads;
pub mod tiles;

use std::ops::Range;

/// The number of colours that are told apart at a glance: classes without a number of their own are modulo this.
pub const CLASSES: usize = 8;

/// The number of colours; a class is below it.
pub const COLOURS: usize = 32;

/// The most cells of one picture.
pub const MOST_CELLS: usize = 4096;

/// A picture: items in lines, from top to bottom.
pub struct Picture {
    /// The picture in a few words.
    pub title: String,
    /// The picture for those who do not see it.
    pub description: String,
    pub lines: Vec<Vec<Item>>,
    /// Between grids, which are numbered in order.
    pub arrows: Vec<Arrow>,
}

impl Picture {
    /// The grids, in order.
    pub fn grids(&self) -> impl Iterator<Item = &Grid> {
        self.lines.iter().flatten().flat_map(|item| match item {
            Item::Stack(grids) => grids.as_slice(),
            Item::Graph(_) => &[],
        })
    }

    /// Fails where there are more cells than a picture shows.
    pub fn checked(self) -> Result<Picture, String> {
        let cells = self.grids().map(|grid| grid.cells.len()).sum();
        if cells > MOST_CELLS { Err(too_many(cells)) } else { Ok(self) }
    }
}

/// The message for more cells than a picture shows.
pub fn too_many(cells: usize) -> String {
    format!("{cells} cells are more than the {MOST_CELLS} of a picture: draw a part of it, like slice(LAYOUT, (_,0)), or one tile")
}

/// One of those that stand side by side in a line.
pub enum Item {
    /// Grids below one another, mostly one.
    Stack(Vec<Grid>),
    Graph(graph::Flow),
}

/// Grids side by side.
pub fn items(grids: impl IntoIterator<Item = Grid>) -> Vec<Item> {
    grids.into_iter().map(|grid| Item::Stack(vec![grid])).collect()
}

/// Cells in rows and columns.
#[derive(Clone)]
pub struct Grid {
    pub caption: String,
    pub rows: Axis,
    pub columns: Axis,
    /// Row by row.
    pub cells: Vec<Cell>,
    pub look: Look,
}

/// The appearance of a grid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// As a table.
    Table,
    /// As an array: one row, its name before it, positions as its labels.
    Array,
    /// As small marks without text.
    Spy,
}

/// The rows or the columns of a grid.
#[derive(Clone, Default)]
pub struct Axis {
    pub len: usize,
    /// Labels, the outermost first.
    pub tiers: Vec<Vec<Label>>,
    /// The rule before each row or column.
    pub rules: Vec<Rule>,
}

/// A label over `span` neighbours.
#[derive(Clone)]
pub struct Label {
    pub span: usize,
    pub text: String,
}

impl Label {
    /// A label over one row or column.
    pub fn one(text: impl Into<String>) -> Label {
        Label { span: 1, text: text.into() }
    }
}

/// A separation of neighbours, from nothing to a gap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Rule {
    /// As within a group.
    #[default]
    None,
    /// Groups of the first order.
    Thin,
    /// Groups of groups.
    Thick,
    /// Space.
    Gap,
}

/// One cell: its lines of text, and its colour.
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
    /// An element that stands out.
    Marked,
    /// A place without an element, which is shown: what a tile has beyond the tensor.
    Outside,
    /// Nothing but its text.
    Note,
}

impl CellKind {
    /// Whether an element is there.
    pub fn is_element(self) -> bool {
        matches!(self, CellKind::Full | CellKind::Marked)
    }
}

impl Cell {
    /// A cell with one line.
    pub fn of(text: impl Into<String>, class: Option<usize>) -> Cell {
        Cell { lines: vec![text.into()], class, kind: CellKind::Full }
    }

    /// A text where no cell is.
    pub fn note(text: impl Into<String>) -> Cell {
        Cell { kind: CellKind::Note, ..Cell::of(text, None) }
    }

    /// No cell and no text.
    pub fn absent() -> Cell {
        Cell { kind: CellKind::Note, ..Cell::default() }
    }
}

/// An arrow from a place of a grid to one of another.
pub struct Arrow {
    /// From a row to the column it becomes; else from a number of an array to the column of the next that it names, before which it ends.
    pub turns: bool,
    /// The grid, and the row or column.
    pub from: (usize, usize),
    /// The grid, and the column.
    pub to: (usize, usize),
    pub class: Option<usize>,
}

/// The class of the place with these coordinates: neighbours differ.
pub fn class_of(coordinates: impl IntoIterator<Item = usize>) -> usize {
    coordinates.into_iter().enumerate().fold(0, |sum, (k, c)| (sum + (c % CLASSES) * (2 * k + 1)) % CLASSES)
}

impl Axis {
    /// The coordinates of a mode with these extents of its leaves, the first fastest: a tier of labels for each, and rules where one turns over.
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

    /// Numbered from 0.
    pub fn numbered(len: usize) -> Axis {
        Axis::of_leaves(&[len])
    }

    /// Without labels.
    pub fn plain(len: usize) -> Axis {
        Axis { len, tiers: Vec::new(), rules: vec![Rule::None; len] }
    }

    /// With these rules, the first left out.
    pub fn ruled(mut self, rule: impl Fn(usize) -> Rule) -> Axis {
        self.rules = (0..self.len).map(|k| if k == 0 { Rule::None } else { rule(k) }).collect();
        self
    }

    /// The labels of a tier, each with the places it is over.
    pub fn labels(tier: &[Label]) -> impl Iterator<Item = (Range<usize>, &Label)> {
        tier.iter().scan(0, |end, label| {
            let start = *end;
            *end += label.span;
            Some((start..*end, label))
        })
    }

    /// The places in bands that fit. A band of a table ends at a rule, or at a multiple of 8, where that is not much sooner.
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
