//! Pictures inside the terminal: escape sequences with a PNG.

use super::session;
use base64::Engine;
use resvg::tiny_skia::Pixmap;

const LINES: &str = "a = (8,8):(8,1)\npicture layout a --theme dark\nsize(a)\n";

/// Returns what stands between the answers of the lines before and after the picture.
fn picture(how: &str) -> String {
    let (out, err, code) = session(&["--pictures", how], LINES);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    out.strip_prefix("(8,8):(8,1)\n").and_then(|rest| rest.strip_suffix("\n64\n")).expect("answers").to_owned()
}

/// Returns the picture in a text of base 64.
fn decoded(payload: &str) -> Pixmap {
    let png = base64::engine::general_purpose::STANDARD.decode(payload).expect("base 64");
    Pixmap::decode_png(&png).expect("a PNG")
}

#[test]
fn kitty_takes_chunks() {
    let text = picture("kitty");
    let chunks: Vec<_> = text.strip_suffix("\x1b\\").expect("an end").split("\x1b\\").collect();
    assert!(chunks.len() > 1);
    let mut payload = String::new();
    for (k, chunk) in chunks.iter().enumerate() {
        let (keys, part) = chunk.strip_prefix("\x1b_G").and_then(|chunk| chunk.split_once(';')).expect("keys");
        let goes_on = k + 1 < chunks.len();
        assert!(part.len() == 4096 || !goes_on && part.len() < 4096);
        assert!(keys.ends_with(if goes_on { "m=1" } else { "m=0" }), "{keys}");
        assert_eq!(keys.starts_with("f=100,a=T,q=2,c="), k == 0, "{keys}");
        payload += part;
    }
    let pixels = decoded(&payload);
    let columns = format!(",c={},", pixels.width().div_ceil(16));
    assert!(chunks[0].contains(&columns), "{columns}");
}

#[test]
fn iterm_takes_one_sequence() {
    let text = picture("iterm");
    let (keys, payload) = text.strip_prefix("\x1b]1337;File=").and_then(|text| text.strip_suffix('\x07')?.split_once(':')).expect("keys");
    let pixels = decoded(payload);
    let size = payload.len() / 4 * 3 - payload.bytes().filter(|byte| *byte == b'=').count();
    assert_eq!(keys, format!("inline=1;size={size};width={};preserveAspectRatio=1", pixels.width().div_ceil(16)));
    // Both protocols show the same picture, on the dark page.
    assert_eq!(pixels.pixel(20, 20).map(|p| [p.red(), p.green(), p.blue()]), Some([0x14, 0x18, 0x1f]));
}
