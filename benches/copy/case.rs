//! The cases: pairs of layouts of the same shape, the type of the elements, and the ratio that each family must reach.

use layout_core::layouts::Swizzle;
use layout_core::tensor::PlainData;
use relayout::{ReducingTransfer, Side, Transfer};
use serde_json::Value;

pub struct Case {
    pub id: String,
    pub family: String,
    pub elem: String,
    source: String,
    target: String,
    offsets: [i64; 2],
    pub source_len: usize,
    pub target_len: usize,
    swizzle: Option<Swizzle>,
    pub cache: bool,
    pub sum: bool,
    /// For each leaf, its extent, its stride in the source and its stride in the target. The first leaf is the fastest in
    /// the linear coordinate.
    pub leaves: Vec<(usize, isize, isize)>,
}

pub trait Element: PlainData + PartialEq + std::fmt::Debug + Send + Sync + Default + 'static {
    fn of(k: usize) -> Self;
    fn plus(self, other: Self) -> Self;
}

macro_rules! add {
    (f32, $a:expr, $b:expr) => { $a + $b };
    (f64, $a:expr, $b:expr) => { $a + $b };
    ($type:ident, $a:expr, $b:expr) => { $a.wrapping_add($b) };
}

macro_rules! element {
    ($($type:tt)*) => { $(
        impl Element for $type {
            fn of(k: usize) -> Self {
                (k.wrapping_mul(0x9e37_79b9) >> 9 & 0xffff) as $type
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                add!($type, self, other)
            }
        }
    )* };
}
element!(u8 u16 f32 f64);

/// Elements that begin at a boundary of 2 MiB, in huge pages if the system has them.
pub struct Pages<T> {
    room: Vec<T>,
    first: usize,
    count: usize,
}

/// Makes `count` elements. The environment variable `OFFSET` gives the distance in bytes of the first element from a
/// boundary of 2 MiB; the default is 0.
pub fn filled<T: Element>(count: usize) -> Pages<T> {
    const PAGE: usize = 1 << 21;
    let offset = std::env::var("OFFSET").ok().and_then(|offset| offset.parse().ok()).unwrap_or(0usize);
    let spare = (PAGE + offset) / size_of::<T>();
    let mut room = Vec::with_capacity(count + spare);
    let begin = (room.as_ptr() as usize).next_multiple_of(PAGE);
    // SAFETY: the call advises on pages of the vector.
    unsafe { libc::madvise(begin as *mut _, count * size_of::<T>() & !4095, libc::MADV_HUGEPAGE) };
    let first = (begin - room.as_ptr() as usize + offset) / size_of::<T>();
    room.extend((0..count + spare).map(T::of));
    Pages { room, first, count }
}

impl<T> std::ops::Deref for Pages<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.room[self.first..self.first + self.count]
    }
}

impl<T> std::ops::DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.room[self.first..self.first + self.count]
    }
}

pub fn all() -> Vec<Case> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../relayout/tests/data/copies.json")).expect("the cases");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    all["cases"].as_array().expect("a list").iter().map(Case::read).collect()
}

fn numbers(text: &str) -> Vec<isize> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '-')).filter(|word| !word.is_empty()).map(|word| word.parse().expect("a number")).collect()
}

impl Case {
    fn read(value: &Value) -> Case {
        let text = |name: &str| value[name].as_str().unwrap_or("").to_string();
        let number = |name: &str| value[name].as_i64().expect("a number");
        let (source, target) = (text("source"), text("target"));
        let part = |layout: &str, k: usize| numbers(layout.split(':').nth(k).expect("a layout"));
        let leaves = part(&source, 0).into_iter().zip(part(&source, 1)).zip(part(&target, 1));
        let swizzle = numbers(&text("target_swizzle"));
        Case {
            id: text("id"),
            family: text("family"),
            elem: text("elem"),
            offsets: [number("source_offset"), number("target_offset")],
            source_len: number("source_len") as usize,
            target_len: number("target_len") as usize,
            swizzle: match swizzle[..] {
                [bits, base, shift] => Some(Swizzle::new(bits as i64, base as i64, shift as i64).expect("a swizzle")),
                _ => None,
            },
            cache: text("size") == "cache",
            sum: text("op") == "sum",
            leaves: leaves.map(|((extent, source), target)| (extent as usize, source, target)).collect(),
            source,
            target,
        }
    }

    pub fn elements(&self) -> usize {
        self.leaves.iter().map(|(extent, ..)| extent).product()
    }

    pub fn bytes(&self) -> usize {
        self.elements() * match self.elem.as_str() { "u8" => 1, "u16" => 2, "f32" => 4, _ => 8 }
    }

    pub fn swizzled(&self) -> bool {
        self.swizzle.is_some()
    }

    pub fn offsets(&self) -> [usize; 2] {
        self.offsets.map(|offset| offset as usize)
    }

    pub fn transfer<T: Element>(&self) -> Transfer<T> {
        let side = |text: &str, offset: i64| Side::parse(text).expect("a layout").with_base(&[offset]);
        let (source, target) = (side(&self.source, self.offsets[0]), side(&self.target, self.offsets[1]));
        match self.swizzle {
            None => Transfer::new(&source, &target),
            swizzle => Transfer::swizzled(&source, None, &target, swizzle),
        }
        .expect("a plan")
    }

    pub fn reduction<T: Element>(&self) -> ReducingTransfer<T> {
        let side = |text: &str| Side::parse(text).expect("a layout");
        ReducingTransfer::new(&side(&self.source), &side(&self.target)).expect("a plan")
    }

    /// Panics unless each element of the target `b` equals its source in `a`. Sums are not checked. `who` names the library
    /// in the message.
    pub fn check<T: Element>(&self, a: &[T], b: &[T], who: &str) {
        if self.sum {
            return;
        }
        let mut digits = vec![0; self.leaves.len()];
        let (mut source, mut target) = (self.offsets[0] as isize, self.offsets[1] as isize);
        loop {
            let at = self.swizzle.map_or(target as usize, |swizzle| swizzle.apply_index(target as usize));
            assert!(a[source as usize] == b[at], "{who}: {} differs at {digits:?}", self.id);
            let mut k = 0;
            loop {
                let Some((extent, ds, dt)) = self.leaves.get(k) else { return };
                if digits[k] + 1 < *extent {
                    digits[k] += 1;
                    (source, target) = (source + ds, target + dt);
                    break;
                }
                (source, target) = (source - digits[k] as isize * ds, target - digits[k] as isize * dt);
                digits[k] = 0;
                k += 1;
            }
        }
    }

    /// Returns the least ratio of memcpy's time to the transfer's time that passes.
    pub fn bar(&self) -> f64 {
        let small = |text: &str| self.elem == text;
        let id = |part: &str| self.id.contains(part);
        match (self.family.as_str(), self.cache) {
            ("copy" | "padded", true) => 0.97,
            ("copy" | "padded", false) => 1.0,
            ("transpose", _) if id("1000000") || id("8000000") => 1.0,
            ("transpose" | "batched", _) if small("u8") => 0.25,
            ("transpose", false) if id("4097") => 0.45,
            ("transpose", _) => 0.5,
            ("batched", _) => 0.55,
            ("rank3", _) if id("012") => 0.97,
            ("rank3", true) => 0.45,
            ("rank3", false) => 0.55,
            ("rank4", _) if small("u8") => 0.5,
            ("rank4", _) if small("u16") => 0.9,
            ("rank4", false) => 0.65,
            ("rank4", true) => 0.45,
            ("rank5" | "rank6", false) => 0.65,
            ("rank5" | "rank6", true) => 0.45,
            ("pack", true) => 0.6,
            ("pack", false) => 0.85,
            ("flip", _) if id("/0-") => 0.97,
            ("flip", true) => 0.8,
            ("flip", false) => 0.85,
            ("slice", true) if id("by2") && !id("rows") => 0.45,
            ("slice", false) if id("by2") && !id("rows") => 0.7,
            ("slice", _) if id("-col-") => 0.1,
            ("slice", true) => 0.97,
            ("slice", false) => 1.0,
            ("swizzle" | "tiles", _) => 0.85,
            ("broadcast", _) if id("row") => 1.6,
            ("broadcast", _) => 1.9,
            ("sum", true) if id("rows") => 1.2,
            ("sum", true) => 1.8,
            ("sum", false) => 1.6,
            ("interleave", true) => 0.75,
            ("permute", _) => 0.4,
            _ => 1.0,
        }
    }
}
