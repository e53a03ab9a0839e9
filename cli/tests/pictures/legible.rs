//! Every text is inside its cell, apart from other texts, within the page, clear of arrows, and in contrast with its background.
//!
//! Boxes are measured in the font of PNG files, which is wider than most.

use super::cases::{cases, drawn};
use resvg::tiny_skia::{PathSegment, Point};
use resvg::usvg::{Group, Node, Options, Paint, Rect, Tree};

/// The contents of a picture.
#[derive(Default)]
struct Parts {
    /// The box, the colour and the text of each text.
    texts: Vec<(Rect, [u8; 3], String)>,
    /// Areas and their colours, in the order in which they are painted.
    areas: Vec<(Rect, [u8; 3])>,
    /// Points on lines and arrows.
    lines: Vec<Point>,
}

fn colour(paint: Option<&Paint>) -> [u8; 3] {
    match paint {
        Some(Paint::Color(colour)) => [colour.red, colour.green, colour.blue],
        other => panic!("{other:?} is not a colour"),
    }
}

fn parts(group: &Group, out: &mut Parts) {
    for node in group.children() {
        match node {
            Node::Group(group) => parts(group, out),
            Node::Text(text) => {
                let span = &text.chunks()[0].spans()[0];
                let said = text.chunks().iter().map(|chunk| chunk.text()).collect();
                out.texts.push((text.abs_bounding_box(), colour(span.fill().map(|fill| fill.paint())), said));
            }
            Node::Path(path) => {
                if let Some(fill) = path.fill() {
                    out.areas.push((path.abs_bounding_box(), colour(Some(fill.paint()))));
                } else if path.data().segments().all(|segment| segment != PathSegment::Close) {
                    trace(path.data().segments(), &mut out.lines);
                } else {
                    // A border without a fill counts as an area in the colour below it.
                    let bounds = path.abs_bounding_box();
                    let below = out.areas.iter().rev().find(|(area, _)| contains(area, &bounds)).map(|(_, colour)| *colour);
                    out.areas.push((bounds, below.expect("the page is below everything")));
                }
            }
            Node::Image(_) => panic!("no picture has images"),
        }
    }
}

/// Appends points on a path, closer to each other than texts are wide.
fn trace(segments: impl Iterator<Item = PathSegment>, out: &mut Vec<Point>) {
    let mut at = Point::zero();
    let mix = |points: &[Point], t: f32| {
        // De Casteljau's algorithm.
        let mut points = points.to_vec();
        while points.len() > 1 {
            points = points
                .windows(2)
                .map(|pair| Point::from_xy(pair[0].x + t * (pair[1].x - pair[0].x), pair[0].y + t * (pair[1].y - pair[0].y)))
                .collect();
        }
        points[0]
    };
    for segment in segments {
        let points = match segment {
            PathSegment::MoveTo(p) | PathSegment::LineTo(p) if matches!(segment, PathSegment::MoveTo(_)) => vec![p, p],
            PathSegment::MoveTo(p) | PathSegment::LineTo(p) => vec![at, p],
            PathSegment::QuadTo(a, p) => vec![at, a, p],
            PathSegment::CubicTo(a, b, p) => vec![at, a, b, p],
            PathSegment::Close => continue,
        };
        let length = points.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum::<f32>();
        let steps = length.ceil().max(1.0) as usize * 2;
        out.extend((0..=steps).map(|k| mix(&points, k as f32 / steps as f32)));
        at = *points.last().expect("a segment has an end");
    }
}

fn contains(area: &Rect, of: &Rect) -> bool {
    let slack = 0.6;
    area.left() <= of.left() + slack
        && area.right() + slack >= of.right()
        && area.top() <= of.top() + slack
        && area.bottom() + slack >= of.bottom()
}

fn luminance(colour: [u8; 3]) -> f64 {
    let channel = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(colour[0]) + 0.7152 * channel(colour[1]) + 0.0722 * channel(colour[2])
}

fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn check(svg: &str, what: &str, least: f64) {
    let mut options = Options::default();
    options.fontdb_mut().load_font_data(dejavu::sans::regular().to_vec());
    options.fontdb_mut().set_sans_serif_family("DejaVu Sans");
    let tree = Tree::from_str(svg, &options).unwrap_or_else(|error| panic!("{what}: {error}\n{svg}"));
    let mut all = Parts::default();
    parts(tree.root(), &mut all);
    assert_eq!(svg.matches("<text").count(), all.texts.len(), "{what}: every text has glyphs");
    assert!(!all.texts.is_empty(), "{what}");
    let page = Rect::from_xywh(0.0, 0.0, tree.size().width(), tree.size().height()).expect("a page");
    for (k, (bounds, ink, text)) in all.texts.iter().enumerate() {
        assert!(contains(&page, bounds), "{what}: `{text}` at {bounds:?} is not on the page {page:?}");
        let (x, y) = ((bounds.left() + bounds.right()) / 2.0, (bounds.top() + bounds.bottom()) / 2.0);
        let (area, ground) = all
            .areas
            .iter()
            .filter(|(area, _)| area.left() <= x && x <= area.right() && area.top() <= y && y <= area.bottom())
            .min_by(|(a, _), (b, _)| (a.width() * a.height()).total_cmp(&(b.width() * b.height())))
            .unwrap_or_else(|| panic!("{what}: `{text}` is on nothing"));
        assert!(contains(area, bounds), "{what}: `{text}` at {bounds:?} does not fit {area:?}");
        assert!(contrast(*ink, *ground) >= least, "{what}: `{text}` has a contrast of {:.2} : 1", contrast(*ink, *ground));
        for (other, _, beside) in &all.texts[k + 1..] {
            let apart = bounds.right() <= other.left() + 0.5
                || other.right() <= bounds.left() + 0.5
                || bounds.bottom() <= other.top() + 0.5
                || other.bottom() <= bounds.top() + 0.5;
            assert!(apart, "{what}: `{text}` at {bounds:?} and `{beside}` at {other:?} overlap");
        }
        let hit = all
            .lines
            .iter()
            .find(|p| bounds.left() < p.x && p.x < bounds.right() && bounds.top() + 2.0 < p.y && p.y < bounds.bottom() - 2.0);
        assert!(hit.is_none(), "{what}: a line crosses `{text}` at {hit:?}");
    }
}

#[test]
fn texts_are_in_their_cells_and_apart() {
    for case in cases() {
        for more in [&[][..], &["--theme", "dark"], &["--width", "360"]] {
            let svg = drawn("svg", &case, more);
            check(&svg, &format!("{:?} {more:?}", case.0), 4.5);
        }
    }
}

#[test]
fn pictures_keep_to_the_width() {
    for (args, input) in cases().into_iter().filter(|(args, _)| args[0] != "graph") {
        for width in [240, 480, 720] {
            let svg = drawn("svg", &(args.clone(), input.clone()), &["--width", &width.to_string()]);
            let (_, rest) = svg.split_once("viewBox=\"0 0 ").expect("a view box");
            let wide: f64 = rest.split(' ').next().and_then(|w| w.parse().ok()).expect("a width");
            // Marks do not shrink further.
            if args[0] != "sparse" || width > 480 {
                assert!(wide <= f64::from(width), "{args:?}: {wide} for {width}");
            }
        }
    }
}
