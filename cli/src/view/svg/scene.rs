//! Shapes on a page, before they are written. Lengths are in the units of the SVG, and `y` grows downwards.

use crate::view::picture::text::em;

/// The use of a colour. The theme chooses the colour itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    Page,
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

/// The end of a text, or its middle, that lies at the position of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Start,
    Middle,
    End,
}

/// The look of a line.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    pub ink: Ink,
    pub width: f64,
    pub dashed: bool,
}

/// A shape.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A rectangle.
    Rect { x: f64, y: f64, w: f64, h: f64, round: f64, fill: Option<Ink>, stroke: Option<Stroke> },
    /// A line through points.
    Path { points: Vec<(f64, f64)>, bend: Bend, stroke: Stroke },
    /// A triangle that points from the first point to the second, and ends there.
    Head { from: (f64, f64), to: (f64, f64), ink: Ink },
    /// A line of text; `y` is its middle.
    Text { x: f64, y: f64, size: f64, align: Align, ink: Ink, text: String },
}

/// The course of a path from point to point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bend {
    /// Straight, with corners rounded by this radius.
    Corners(u8),
    /// Curved, and level at the points.
    Level,
}

/// Shapes on an area whose upper left corner is the origin.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub w: f64,
    pub h: f64,
    /// The shapes, in the order in which they are painted.
    pub shapes: Vec<Shape>,
}

impl Scene {
    /// Adds all shapes of another scene, shifted by `dx` and `dy`.
    pub fn place(&mut self, mut other: Scene, dx: f64, dy: f64) {
        other.shapes.iter_mut().for_each(|shape| shape.transform(1.0, (dx, dy)));
        self.shapes.append(&mut other.shapes);
        self.w = self.w.max(dx + other.w);
        self.h = self.h.max(dy + other.h);
    }

    /// Returns the scene with all lengths multiplied by `by`.
    pub fn scaled(mut self, by: f64) -> Scene {
        self.shapes.iter_mut().for_each(|shape| shape.transform(by, (0.0, 0.0)));
        Scene { w: self.w * by, h: self.h * by, ..self }
    }

    /// Adds a text at a position, unless it is empty.
    pub fn text(&mut self, (x, y): (f64, f64), size: f64, align: Align, ink: Ink, text: &str) {
        if !text.is_empty() {
            self.shapes.push(Shape::Text { x, y, size, align, ink, text: text.to_owned() });
        }
    }

    /// Adds lines of text around the point `(x, y)`, `step` apart. `style` gives the size and the ink of each line.
    pub fn centred(&mut self, lines: &[String], (x, y): (f64, f64), step: f64, style: impl Fn(usize) -> (f64, Ink)) {
        for (k, line) in lines.iter().enumerate() {
            let (size, ink) = style(k);
            self.text((x, y + (k as f64 - (lines.len() as f64 - 1.0) / 2.0) * step), size, Align::Middle, ink, line);
        }
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink, width: f64) {
        let stroke = Stroke { ink, width, dashed: false };
        self.shapes.push(Shape::Path { points: vec![from, to], bend: Bend::Corners(0), stroke });
    }

    /// Adds a line through points, and a head that points from `from` to `to`.
    pub fn arrow(&mut self, points: Vec<(f64, f64)>, bend: Bend, stroke: Stroke, from: (f64, f64), to: (f64, f64)) {
        self.shapes.extend([Shape::Path { points, bend, stroke }, Shape::Head { from, to, ink: stroke.ink }]);
    }
}

/// Returns an upper bound of the width of a text of this size.
pub fn text_width(text: &str, size: f64) -> f64 {
    em(text) * size
}

impl Shape {
    /// Returns a rectangle with sharp corners.
    pub fn rect((x, y): (f64, f64), (w, h): (f64, f64), fill: Option<Ink>, stroke: Option<Stroke>) -> Shape {
        Shape::Rect { x, y, w, h, round: 0.0, fill, stroke }
    }

    /// Returns the rectangle with corners of this radius.
    pub fn rounded(mut self, radius: f64) -> Shape {
        if let Shape::Rect { round, .. } = &mut self {
            *round = radius;
        }
        self
    }

    /// Scales the shape by `by`, then shifts it.
    fn transform(&mut self, by: f64, (dx, dy): (f64, f64)) {
        let point = |x: &mut f64, y: &mut f64| (*x, *y) = (*x * by + dx, *y * by + dy);
        match self {
            Shape::Rect { x, y, w, h, round, .. } => {
                point(x, y);
                [w, h, round].into_iter().for_each(|length| *length *= by);
            }
            Shape::Text { x, y, size, .. } => {
                point(x, y);
                *size *= by;
            }
            Shape::Path { points, .. } => points.iter_mut().for_each(|(x, y)| point(x, y)),
            Shape::Head { from, to, .. } => [from, to].into_iter().for_each(|(x, y)| point(x, y)),
        }
    }
}
