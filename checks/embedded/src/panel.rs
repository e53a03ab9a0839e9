//! A picture for a panel of LEDs. A table in flash corrects its levels, and a layout has the order of the wire.

use crd2idx::prelude::*;
use crd2idx::table;

layout! {
    /// A picture: row, column.
    pub type Picture = (16,16) : (16,1);
    /// Four modules of 8 x 8 LEDs, one behind the other on the wire: row, column, module.
    pub type Wire = (8,8,4) : (8,1,64);
    /// The levels of each color: level, color.
    type Levels = (16,3) : (3,1);
}

table! {
    /// The brightness of each level of each color: a square, and less green than red and blue.
    static GAMMA: u8, Levels = |level, color| (level * level * (if color == 1 { 200 } else { 255 }) / 225) as u8;
}

/// Writes the brightness of all LEDs to `wire`. The upper four bits of each color of a pixel are its level.
pub fn show(picture: &Owned<[u8; 3], Picture, 256>, wire: &mut Owned<[u8; 3], Wire, 256>) {
    let modules = picture.view().zipped_divide(shape!(8, 8));
    for m in 0..4 {
        let pixels = modules.slice(((Keep, Keep), (m / 2, m % 2)));
        wire.slice_mut((Keep, Keep, m)).zip_mut(&pixels, |led, pixel| {
            for color in 0..3 {
                led[color] = GAMMA[(usize::from(pixel[color] >> 4), color)];
            }
        });
    }
}
