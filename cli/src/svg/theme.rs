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

/// Each ink on a light page and on a dark one.
const INKS: [(Ink, [&str; 2]); 6 + 2 * CLASSES] = [
    (Ink::Page, ["#ffffff", "#14181f"]),
    (Ink::Text, ["#1f2328", "#eef1f5"]),
    (Ink::Faint, ["#59636e", "#a3acb8"]),
    (Ink::Line, ["#b7bfc8", "#4a5360"]),
    (Ink::Rule, ["#24292f", "#dfe4ea"]),
    (Ink::Blank, ["#f6f8fa", "#1f2530"]),
    (Ink::Class(0), ["#cfe2ff", "#1d3d6b"]),
    (Ink::Class(1), ["#ffdfbf", "#5e3711"]),
    (Ink::Class(2), ["#cdf2d3", "#1c4d2a"]),
    (Ink::Class(3), ["#ffd3da", "#632338"]),
    (Ink::Class(4), ["#e2d9ff", "#43357a"]),
    (Ink::Class(5), ["#fff0b3", "#544500"]),
    (Ink::Class(6), ["#c4eef0", "#124a50"]),
    (Ink::Class(7), ["#e4ddd2", "#46402f"]),
    (Ink::Strong(0), ["#2563c9", "#7ab0ff"]),
    (Ink::Strong(1), ["#b35900", "#ffb066"]),
    (Ink::Strong(2), ["#20813a", "#6fd388"]),
    (Ink::Strong(3), ["#bd2f4e", "#ff8ca6"]),
    (Ink::Strong(4), ["#6a4cc7", "#b6a1ff"]),
    (Ink::Strong(5), ["#8a6d00", "#e3c84a"]),
    (Ink::Strong(6), ["#0b7480", "#5cd2dc"]),
    (Ink::Strong(7), ["#72654f", "#cdbf9f"]),
];

impl Theme {
    /// The colour of an ink, as SVG has it.
    pub fn colour(self, ink: Ink) -> &'static str {
        let found = INKS.iter().find(|(known, _)| *known == ink).unwrap_or(&INKS[0]);
        found.1[usize::from(self == Theme::Dark)]
    }

    /// The element that makes `body`, which has the light colours, dark on a dark page; nothing for the other themes.
    pub fn style(self, body: &str) -> String {
        if self != Theme::Auto {
            return String::new();
        }
        let mut rules = String::new();
        for (_, [light, dark]) in INKS {
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
