//! Scenes as SVG text. Equal scenes give equal text.

use super::scene::{Align, Bend, Ink, Scene, Shape, Stroke};
use super::theme::Theme;

/// Widely installed fonts, about as wide as `text_width` assumes.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif";

/// Returns a scene as SVG, with its title and its description.
pub fn svg(scene: &Scene, title: &str, description: &str, theme: Theme) -> String {
    let (w, h) = (number(scene.w), number(scene.h));
    let mut body = format!("<rect width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"{}\"/>\n", theme.colour(Ink::Page));
    // Adjacent shapes of one look share a group.
    let shapes: Vec<(String, String)> = scene.shapes.iter().map(|shape| element(shape, theme)).collect();
    for alike in shapes.chunk_by(|a, b| a.0 == b.0) {
        let elements: String = alike.iter().map(|(_, element)| format!("{element}\n")).collect();
        body.push_str(&format!("<g{}>\n{elements}</g>\n", alike[0].0));
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
         style=\"max-width:100%;height:auto\" font-family=\"{FONTS}\">\n<title>{}</title>\n<desc>{}</desc>\n{}{body}</svg>\n",
        escaped(title),
        escaped(description),
        theme.style(&body)
    )
}

/// Returns the look of a shape as attributes, and its element without them.
fn element(shape: &Shape, theme: Theme) -> (String, String) {
    let stroked = |Stroke { ink, width, dashed }: Stroke| {
        let dash = if dashed { " stroke-dasharray=\"4 3\"" } else { "" };
        format!(" stroke=\"{}\" stroke-width=\"{}\"{dash}", theme.colour(ink), number(width))
    };
    match shape {
        Shape::Rect { x, y, w, h, round, fill, stroke } => {
            let fill = fill.map_or("none", |ink| theme.colour(ink));
            let round = if *round > 0.0 { format!(" rx=\"{}\"", number(*round)) } else { String::new() };
            let [x, y, w, h] = [x, y, w, h].map(|x| number(*x));
            let element = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{round}/>");
            (format!(" fill=\"{fill}\"{}", stroke.map_or(String::new(), stroked)), element)
        }
        Shape::Path { points, bend, stroke } => {
            (format!(" fill=\"none\"{} stroke-linecap=\"round\"", stroked(*stroke)), format!("<path d=\"{}\"/>", way(points, *bend)))
        }
        Shape::Head { from, to, ink } => (format!(" fill=\"{}\"", theme.colour(*ink)), format!("<path d=\"{}\"/>", head(*from, *to))),
        Shape::Text { x, y, size, align, ink, text } => {
            let anchor = match align {
                Align::Start => "start",
                Align::Middle => "middle",
                Align::End => "end",
            };
            let look = format!(" fill=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\"", theme.colour(*ink), number(*size));
            // The middle of digits and capitals is about a third of the size above the base line.
            (look, format!("<text x=\"{}\" y=\"{}\">{}</text>", number(*x), number(y + size * 0.36), escaped(text)))
        }
    }
}

/// Formats a number with at most two digits after the point.
fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

fn point((x, y): (f64, f64)) -> String {
    format!("{} {}", number(x), number(y))
}

fn way(points: &[(f64, f64)], bend: Bend) -> String {
    let [first, rest @ ..] = points else { return String::new() };
    let mut out = format!("M{}", point(*first));
    let mut last = *first;
    for (k, next) in rest.iter().enumerate() {
        match (bend, rest.get(k + 1)) {
            (Bend::Corners(radius), Some(after)) if radius > 0 => {
                let toward = |to: (f64, f64)| {
                    let (dx, dy) = (to.0 - next.0, to.1 - next.1);
                    let step = f64::from(radius).min(dx.hypot(dy) / 2.0) / dx.hypot(dy).max(1e-9);
                    (next.0 + dx * step, next.1 + dy * step)
                };
                out.push_str(&format!("L{}Q{} {}", point(toward(last)), point(*next), point(toward(*after))));
            }
            (Bend::Level, _) if last.1 != next.1 => {
                let middle = (last.0 + next.0) / 2.0;
                out.push_str(&format!("C{} {} {}", point((middle, last.1)), point((middle, next.1)), point(*next)));
            }
            _ => out.push_str(&format!("L{}", point(*next))),
        }
        last = *next;
    }
    out
}

/// Returns the path of the triangle at the end `to` of an arrow.
fn head(from: (f64, f64), to: (f64, f64)) -> String {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1e-9);
    let (dx, dy) = (dx / length, dy / length);
    let back = (to.0 - 7.0 * dx, to.1 - 7.0 * dy);
    let side = |s: f64| point((back.0 - s * dy, back.1 + s * dx));
    format!("M{}L{}L{}Z", point(to), side(3.2), side(-3.2))
}

/// Escapes the text of an element, and replaces characters that XML does not allow.
fn escaped(text: &str) -> String {
    let valid = |c: char| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c };
    let text: String = text.chars().map(valid).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
