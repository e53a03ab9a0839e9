//! SVG as PNG, in a bundled font: the fonts of the system make no difference.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels per unit, for screens of twice the resolution.
const SCALE: f32 = 2.0;
const FAMILY: &str = "DejaVu Sans";

/// Returns an SVG as the bytes of a PNG file. Fails if the library cannot read or draw the SVG.
pub fn rasterised(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = Options { font_family: FAMILY.into(), ..Options::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.set_sans_serif_family(FAMILY);
    let tree = Tree::from_str(svg, &options).map_err(|error| format!("the SVG is not read back: {error}"))?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or("the picture has no size")?;
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| format!("{} × {} pixels are more than fit into memory", size.width(), size.height()))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
