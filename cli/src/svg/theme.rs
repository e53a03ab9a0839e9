//! Colours on light and on dark pages: text on every background has a contrast of 8 : 1 and more, labels and marks where they stand of 4.5 : 1.

use super::scene::Ink;
use crate::picture::CLASSES;
use clap::ValueEnum;

/// The page that a picture is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Theme {
    Light,
    Dark,
    /// Light or dark as the page around it, or the reader's system, asks for; light where styles are not read, as in PNG.
    Auto,
}

/// The colours of a theme.
struct Colours {
    page: &'static str,
    text: &'static str,
    faint: &'static str,
    line: &'static str,
    rule: &'static str,
    blank: &'static str,
    classes: [&'static str; CLASSES],
    strong: [&'static str; CLASSES],
}

const LIGHT: Colours = Colours {
    page: "#ffffff",
    text: "#1f2328",
    faint: "#59636e",
    line: "#b7bfc8",
    rule: "#24292f",
    blank: "#f6f8fa",
    classes: ["#cfe2ff", "#ffdfbf", "#cdf2d3", "#ffd3da", "#e2d9ff", "#fff0b3", "#c4eef0", "#e4ddd2"],
    strong: ["#2563c9", "#b35900", "#20813a", "#bd2f4e", "#6a4cc7", "#8a6d00", "#0b7480", "#72654f"],
};

const DARK: Colours = Colours {
    page: "#14181f",
    text: "#eef1f5",
    faint: "#a3acb8",
    line: "#4a5360",
    rule: "#dfe4ea",
    blank: "#1f2530",
    classes: ["#1d3d6b", "#5e3711", "#1c4d2a", "#632338", "#43357a", "#544500", "#124a50", "#46402f"],
    strong: ["#7ab0ff", "#ffb066", "#6fd388", "#ff8ca6", "#b6a1ff", "#e3c84a", "#5cd2dc", "#cdbf9f"],
};

impl Theme {
    /// What an ink is written as.
    pub fn colour(self, ink: Ink) -> &'static str {
        let colours = match self {
            Theme::Light | Theme::Auto => &LIGHT,
            Theme::Dark => &DARK,
        };
        match ink {
            Ink::Page => colours.page,
            Ink::Text => colours.text,
            Ink::Faint => colours.faint,
            Ink::Line => colours.line,
            Ink::Rule => colours.rule,
            Ink::Blank => colours.blank,
            Ink::Class(class) => colours.classes[class % CLASSES],
            Ink::Strong(class) => colours.strong[class % CLASSES],
        }
    }

    /// The element that makes `body`, which has the light colours, dark on a dark page; nothing for the other themes.
    pub fn style(self, body: &str) -> String {
        if self != Theme::Auto {
            return String::new();
        }
        let inks = [Ink::Page, Ink::Text, Ink::Faint, Ink::Line, Ink::Rule, Ink::Blank].into_iter();
        let inks = inks.chain((0..CLASSES).map(Ink::Class)).chain((0..CLASSES).map(Ink::Strong));
        let mut rules = String::new();
        for ink in inks {
            let (light, dark) = (Theme::Light.colour(ink), Theme::Dark.colour(ink));
            for property in ["fill", "stroke"] {
                let written = format!("{property}=\"{light}\"");
                if body.contains(&written) {
                    rules.push_str(&format!("[{written}]{{{property}:{dark}}}\n"));
                }
            }
        }
        format!("<style>\n@media (prefers-color-scheme: dark) {{\n{rules}}}\n</style>\n")
    }
}
