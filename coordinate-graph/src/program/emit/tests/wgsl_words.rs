// Rust definitions of the words of WGSL, except arrays.
pub trait Word { fn bits(self) -> u32; }
impl Word for u32 { fn bits(self) -> u32 { self } }
impl Word for i32 { fn bits(self) -> u32 { self as u32 } }
impl Word for bool { fn bits(self) -> u32 { self as u32 } }
pub fn u32(x: impl Word) -> u32 { x.bits() }
pub fn i32(x: impl Word) -> i32 { x.bits() as i32 }
pub fn select<T>(f: T, t: T, c: bool) -> T { if c { t } else { f } }
pub fn min<T: Ord>(a: T, b: T) -> T { a.min(b) }
pub fn max<T: Ord>(a: T, b: T) -> T { a.max(b) }
pub fn clamp<T: Ord>(a: T, lo: T, hi: T) -> T { a.clamp(lo, hi) }
pub fn abs(a: i32) -> i32 { a.abs() }
