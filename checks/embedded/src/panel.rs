//! A picture for a panel of LEDs. A table in flash corrects its levels, and a layout has the order of the wire.

use crd2idx::prelude::*;
use crd2idx::table;

layout! {
    /// A picture: row, column, color.
    pub type Picture = (16,16,3) : (48,3,1);
    /// Four modules of 8 x 8 LEDs, one behind the other on the wire: row, column and color, row and column of the module.
    pub type Wire = (8,8,3,(2,2)) : (24,3,1,(384,192));
    /// The levels of each color: level, color.
    type Levels = (16,3) : (3,1);
}

table! {
    /// The brightness of each level of each color: a square, and less green than red and blue.
    static GAMMA: u8, Levels = |level, color| (level * level * (if color == 1 { 200 } else { 255 }) / 225) as u8;
}

/// Writes the brightness of all LEDs to `wire`. The upper four bits of an element of the picture are its level.
pub fn show(picture: &Owned<u8, Picture, 768>, wire: &mut Owned<u8, Wire, 768>) {
    let modules = picture.view().zipped_divide(shape!(8, 8, 3));
    for m in 0..4 {
        let pixels = modules.slice(((Keep, Keep, Keep), m));
        wire.slice_mut((Keep, Keep, Keep, m)).for_each_at_mut(|(row, column, color): (usize, usize, usize), led| {
            *led = GAMMA[(usize::from(pixels[(row, column, color)] >> 4), color)];
        });
    }
}
