//! Random texts of the notation: every kind of operand, small or extreme numbers, mutations.

use crate::common::Rng;

const EXTREME: [i64; 14] =
    [0, 1, -1, 2, 255, 1 << 31, 1 << 32, (1 << 62) - 1, 1 << 62, i64::MAX - 1, i64::MAX, i64::MIN, i64::MIN + 1, i64::MIN + (1 << 16)];

const BYTES: &[u8] = b"0123456789()[]<>:;,@_-?{}=oS divcoalesce\t\x00\xc3";

/// The style of the numbers: one in `wild` is extreme, and `?` occurs if `open`.
#[derive(Clone, Copy)]
pub struct Style {
    pub wild: usize,
    pub open: bool,
}

pub fn number(rng: &mut Rng, style: Style) -> String {
    match rng.below(24) {
        0 if style.open => "?".into(),
        1 if style.open => format!("?{{div={}}}", rng.between(1, 16)),
        2 => format!("_{}", rng.below(9)),
        _ if rng.one_in(style.wild) => rng.pick(&EXTREME).to_string(),
        _ => {
            let least = if rng.one_in(8) { -6 } else { 0 };
            let most = *rng.pick(&[3, 12]);
            rng.between(least, most).to_string()
        }
    }
}

/// Returns the text of a random nesting of at most `depth` tuples, with `#` for each leaf, and with rare empty tuples.
fn profile(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.one_in(3) {
        return if rng.one_in(12) { "()".into() } else { "#".into() };
    }
    let modes: Vec<String> = (0..1 + rng.below(3)).map(|_| profile(rng, depth - 1)).collect();
    format!("({})", modes.join(","))
}

fn fill(profile: &str, mut leaf: impl FnMut() -> String) -> String {
    let mut out = String::new();
    for c in profile.chars() {
        if c == '#' { out.push_str(&leaf()) } else { out.push(c) }
    }
    out
}

pub fn tuple(rng: &mut Rng, style: Style) -> String {
    let profile = profile(rng, 3);
    let keep = rng.one_in(4);
    fill(&profile, || if keep && rng.one_in(2) { "_".into() } else { number(rng, style) })
}

pub fn layout(rng: &mut Rng, style: Style) -> String {
    let profile = profile(rng, 2);
    let bases = rng.one_in(6);
    let shape = fill(&profile, || number(rng, style));
    let exchanged = !bases && rng.one_in(5);
    let stride = fill(&profile, || {
        if exchanged && rng.one_in(2) {
            return format!("^{}", rng.below(40));
        }
        let path: String = if bases { (0..1 + rng.below(2)).map(|_| format!("@{}", rng.below(3))).collect() } else { String::new() };
        let scale = number(&mut *rng, Style { open: style.open && path.is_empty(), ..style });
        format!("{scale}{path}")
    });
    format!("{shape}:{stride}")
}

fn tiler(rng: &mut Rng, style: Style, depth: usize) -> String {
    let modes = (0..1 + rng.below(3)).map(|_| match rng.below(5) {
        0 => "_".into(),
        1 => tuple(rng, style),
        2 if depth > 0 => tiler(rng, style, depth - 1),
        _ => layout(rng, style),
    });
    format!("[{}]", modes.collect::<Vec<_>>().join(";"))
}

fn swizzle(rng: &mut Rng) -> String {
    let n = if rng.one_in(6) { 70 } else { 5 };
    format!("S<{},{},{}>", rng.between(0, n), rng.between(0, n), rng.between(-n, n))
}

pub fn operand(rng: &mut Rng, style: Style) -> String {
    match rng.below(12) {
        0 | 1 => tuple(rng, style),
        2 => number(rng, style),
        3 => tiler(rng, style, 2),
        4 => swizzle(rng),
        5 | 6 => {
            let inner = if rng.one_in(2) { swizzle(rng) } else { layout(rng, style) };
            let offset = if rng.one_in(2) { number(rng, style) } else { tuple(rng, style) };
            format!("{inner} o {offset} o {}", layout(rng, style))
        }
        _ => layout(rng, style),
    }
}

/// Returns a text with some bytes changed, dropped, doubled or moved.
pub fn mutated(rng: &mut Rng, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(4) {
            0 => bytes.insert(at, *rng.pick(BYTES)),
            1 if at < bytes.len() => bytes[at] = *rng.pick(BYTES),
            2 if at < bytes.len() => {
                bytes.remove(at);
            }
            _ => {
                let end = (at + rng.below(8)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = rng.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns fewer than 30 random bytes of the notation, in any order.
pub fn noise(rng: &mut Rng) -> String {
    let bytes: Vec<u8> = (0..rng.below(30)).map(|_| *rng.pick(BYTES)).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
