//! Shapes on a page, before they are written.

use crate::picture::text::em;

/// What a shape is coloured with; the theme says how that looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// The page.
    Page,
    /// Text.
    Text,
    /// Labels.
    Faint,
    /// Borders of cells.
    Line,
    /// Rules between groups.
    Rule,
    /// Cells without a class, and boxes.
    Blank,
    /// The background of a class.
    Class(usize),
    /// Marks and arrows of a class.
    Strong(usize),
}

/// Where a text begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Start,
    Middle,
    End,
}

/// One shape.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A rectangle.
    Rect { x: f64, y: f64, w: f64, h: f64, round: f64, fill: Option<Ink>, stroke: Option<(Ink, f64)>, dashed: bool },
    /// A line through points, its corners rounded.
    Path { points: Vec<(f64, f64)>, bend: Bend, ink: Ink, width: f64, dashed: bool },
    /// A triangle that points from the first point to the second, where it ends.
    Head { from: (f64, f64), to: (f64, f64), ink: Ink },
    /// A line of text; `y` is its middle.
    Text { x: f64, y: f64, size: f64, align: Align, ink: Ink, text: String },
}

/// How a path gets from point to point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bend {
    /// Straight, corners rounded by this radius.
    Corners(u8),
    /// In curves that are level at the points.
    Level,
}

/// Shapes on an area whose upper left corner is the origin.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The width.
    pub w: f64,
    /// The height.
    pub h: f64,
    /// In the order they are painted.
    pub shapes: Vec<Shape>,
}

impl Scene {
    /// Adds all of another scene, moved.
    pub fn place(&mut self, other: Scene, dx: f64, dy: f64) {
        self.shapes.extend(other.shapes.into_iter().map(|shape| shape.moved(dx, dy)));
        self.w = self.w.max(dx + other.w);
        self.h = self.h.max(dy + other.h);
    }

    /// The same, `by` times as large.
    pub fn scaled(mut self, by: f64) -> Scene {
        self.w *= by;
        self.h *= by;
        self.shapes.iter_mut().for_each(|shape| shape.scale(by));
        self
    }

    /// Adds a text.
    pub fn text(&mut self, (x, y): (f64, f64), size: f64, align: Align, ink: Ink, text: &str) {
        if !text.is_empty() {
            self.shapes.push(Shape::Text { x, y, size, align, ink, text: text.to_owned() });
        }
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink, width: f64) {
        self.shapes.push(Shape::Path { points: vec![from, to], bend: Bend::Corners(0), ink, width, dashed: false });
    }
}

/// The width of a text, at least.
pub fn text_width(text: &str, size: f64) -> f64 {
    em(text) * size
}

impl Shape {
    fn scale(&mut self, by: f64) {
        let scale = |numbers: &mut [&mut f64]| numbers.iter_mut().for_each(|x| **x *= by);
        match self {
            Shape::Rect { x, y, w, h, round, .. } => scale(&mut [x, y, w, h, round]),
            Shape::Text { x, y, size, .. } => scale(&mut [x, y, size]),
            Shape::Path { points, .. } => points.iter_mut().for_each(|(x, y)| scale(&mut [x, y])),
            Shape::Head { from, to, .. } => scale(&mut [&mut from.0, &mut from.1, &mut to.0, &mut to.1]),
        }
    }

    fn moved(mut self, dx: f64, dy: f64) -> Shape {
        match &mut self {
            Shape::Rect { x, y, .. } | Shape::Text { x, y, .. } => {
                *x += dx;
                *y += dy;
            }
            Shape::Path { points, .. } => points.iter_mut().for_each(|point| *point = (point.0 + dx, point.1 + dy)),
            Shape::Head { from, to, .. } => {
                for point in [from, to] {
                    *point = (point.0 + dx, point.1 + dy);
                }
            }
        }
        self
    }
}
