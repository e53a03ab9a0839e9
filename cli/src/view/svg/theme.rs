//! Colours on light and dark pages. The contrast of text is at least 8 : 1 on every background, the contrast of labels and marks 4.5 : 1.

use super::scene::Ink;
use crate::view::picture::COLOURS;
use clap::ValueEnum;

/// The background of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Theme {
    Light,
    Dark,
    /// Light or dark, as the surrounding page or the reader's system prefers; light where styles have no effect, as in PNG.
    Auto,
}

/// The colour of each ink on a light page and on a dark one.
const INKS: [(Ink, [&str; 2]); 6 + 2 * COLOURS] = [
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
    (Ink::Class(8), ["#f6c7c1", "#5c261f"]),
    (Ink::Class(9), ["#a5e9e0", "#1a4e48"]),
    (Ink::Class(10), ["#fdd3e3", "#451728"]),
    (Ink::Class(11), ["#c1f6d5", "#1b502f"]),
    (Ink::Class(12), ["#e9a5e0", "#732669"]),
    (Ink::Class(13), ["#d9fdd3", "#1d4517"]),
    (Ink::Class(14), ["#e2c1f6", "#451f5c"]),
    (Ink::Class(15), ["#cfe9a5", "#394c19"]),
    (Ink::Class(16), ["#d9d3fd", "#1d1745"]),
    (Ink::Class(17), ["#f6efc1", "#4c4619"]),
    (Ink::Class(18), ["#a5bee9", "#264373"]),
    (Ink::Class(19), ["#fde3d3", "#452817"]),
    (Ink::Class(20), ["#c1eff6", "#1c4d54"]),
    (Ink::Class(21), ["#eaabb3", "#732630"]),
    (Ink::Class(22), ["#d3fded", "#174534"]),
    (Ink::Class(23), ["#f6c1e2", "#5c1f45"]),
    (Ink::Class(24), ["#a5e9ae", "#1b5021"]),
    (Ink::Class(25), ["#f8d3fd", "#3f1745"]),
    (Ink::Class(26), ["#d5f6c1", "#2e4e1a"]),
    (Ink::Class(27), ["#c7b1ec", "#432673"]),
    (Ink::Class(28), ["#f8fdd3", "#3f4517"]),
    (Ink::Class(29), ["#c1c7f6", "#1f265c"]),
    (Ink::Class(30), ["#e9cfa5", "#5a431e"]),
    (Ink::Class(31), ["#d3edfd", "#173445"]),
    (Ink::Strong(0), ["#2563c9", "#7ab0ff"]),
    (Ink::Strong(1), ["#b35900", "#ffb066"]),
    (Ink::Strong(2), ["#20813a", "#6fd388"]),
    (Ink::Strong(3), ["#bd2f4e", "#ff8ca6"]),
    (Ink::Strong(4), ["#6a4cc7", "#b6a1ff"]),
    (Ink::Strong(5), ["#8a6d00", "#e3c84a"]),
    (Ink::Strong(6), ["#0b7480", "#5cd2dc"]),
    (Ink::Strong(7), ["#72654f", "#cdbf9f"]),
    (Ink::Strong(8), ["#b63320", "#ee7463"]),
    (Ink::Strong(9), ["#178275", "#63eedc"]),
    (Ink::Strong(10), ["#b62058", "#ee6397"]),
    (Ink::Strong(11), ["#188641", "#63ee97"]),
    (Ink::Strong(12), ["#b620a3", "#ee63dc"]),
    (Ink::Strong(13), ["#268618", "#74ee63"]),
    (Ink::Strong(14), ["#7e20b6", "#ba63ee"]),
    (Ink::Strong(15), ["#588017", "#baee63"]),
    (Ink::Strong(16), ["#3320b6", "#8171ef"]),
    (Ink::Strong(17), ["#827517", "#eedc63"]),
    (Ink::Strong(18), ["#2058b6", "#6397ee"]),
    (Ink::Strong(19), ["#b65820", "#ee9763"]),
    (Ink::Strong(20), ["#19808f", "#63dcee"]),
    (Ink::Strong(21), ["#b62033", "#ee6374"]),
    (Ink::Strong(22), ["#17845b", "#63eeba"]),
    (Ink::Strong(23), ["#b6207e", "#ee63ba"]),
    (Ink::Strong(24), ["#188626", "#63ee74"]),
    (Ink::Strong(25), ["#a320b6", "#dc63ee"]),
    (Ink::Strong(26), ["#408417", "#97ee63"]),
    (Ink::Strong(27), ["#5820b6", "#9865ee"]),
    (Ink::Strong(28), ["#6d7915", "#dcee63"]),
    (Ink::Strong(29), ["#2033b6", "#6878ee"]),
    (Ink::Strong(30), ["#9a6a1b", "#eeba63"]),
    (Ink::Strong(31), ["#1f7bb2", "#63baee"]),
];

impl Theme {
    /// Returns the colour of an ink, in the notation of SVG.
    pub fn colour(self, ink: Ink) -> &'static str {
        let found = INKS.iter().find(|(known, _)| *known == ink).unwrap_or(&INKS[0]);
        found.1[usize::from(self == Theme::Dark)]
    }

    /// Returns the style element that turns the light colours of the SVG text `body` dark on a dark page. Returns an empty text
    /// for all themes but `Auto`.
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
