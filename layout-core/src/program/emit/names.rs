//! Identifiers: valid in the language, and each once.

use super::Language;
use crate::heap::*;
use crate::sorted::SortedSet;

/// The identifiers in use in one scope.
#[derive(Clone)]
pub(super) struct Names {
    language: Language,
    /// Names are words of Rust, too.
    rust: bool,
    used: SortedSet<String>,
}

impl Names {
    pub fn new(language: Language) -> Names {
        // The host of WGSL is in Rust.
        Names { language, rust: matches!(language, Language::Rust | Language::Wgsl), used: SortedSet::new() }
    }

    /// The same for a text with a host in Rust where `rust`.
    pub fn with_host(self, rust: bool) -> Names {
        Names { rust: self.rust || rust, ..self }
    }

    /// An identifier like `wanted` that is not in use yet.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let stem = identifier(wanted);
        let mut name = stem.clone();
        let mut count = 1;
        while self.used.contains(&name) || self.is_reserved(&name) {
            count += 1;
            name = format!("{stem}_{count}");
        }
        self.used.insert(name.clone());
        name
    }

    fn is_reserved(&self, name: &str) -> bool {
        let has = |words: &str| words.split_ascii_whitespace().any(|word| word == name);
        let own = match self.language {
            Language::Rust => false,
            Language::Wgsl => has(WGSL),
            _ => has(C),
        };
        own || self.rust && has(RUST)
    }

    /// An identifier like `wanted` of which no extension by `_` and one of `parts` is in use yet; all are from now on.
    pub fn stem(&mut self, wanted: &str, parts: &[&str]) -> String {
        let full = |stem: &str, part: &&str| format!("{stem}_{part}");
        let mut stem = wanted.to_string();
        let mut count = 1;
        while parts.iter().any(|part| self.used.contains(&full(&stem, part))) {
            count += 1;
            stem = format!("{wanted}_{count}");
        }
        self.used.extend(parts.iter().map(|part| full(&stem, part)));
        stem
    }

    /// The next of the names `stem` with a number from `*from` on that is not in use yet.
    pub fn numbered(&mut self, stem: &str, from: &mut usize) -> String {
        loop {
            let name = format!("{stem}{from}");
            *from += 1;
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// `wanted` in letters, digits and single underscores, with a letter first.
fn identifier(wanted: &str) -> String {
    let mut name = String::new();
    for c in wanted.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
    }
    let name = name.trim_matches('_');
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name.to_string() } else { format!("x{name}") }
}

/// `snake_case` as `CamelCase`.
pub(super) fn camel(name: &str) -> String {
    let mut out = String::new();
    for word in name.split('_') {
        let mut letters = word.chars();
        out.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

/// The name of the structure `what` of a function.
pub(super) fn structure(language: Language, function: &str, what: &str) -> String {
    match language {
        Language::Rust | Language::Wgsl => camel(&format!("{function}_{what}")),
        _ => format!("{function}_{what}"),
    }
}

/// Of C, C++, CUDA, HIP and OpenCL, with the names that the text uses.
const C: &str = "\
    alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool break case catch char char8_t char16_t \
    char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete \
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not \
    not_eq nullptr operator or or_eq private protected public reflexpr register reinterpret_cast requires restrict return short signed sizeof \
    static static_assert static_cast struct switch synchronized template this thread_local throw true try typedef typeid typename typeof \
    typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq \
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t intptr_t uintptr_t uint ulong ushort uchar half quad \
    complex imaginary event_t sampler_t image1d_t image2d_t image3d_t global local constant generic kernel read_only write_only read_write \
    pipe uniform main NULL INT32_MIN INT64_MIN assert errno stdin stdout stderr linux unix min max abs clamp select mul_hi blockIdx blockDim \
    threadIdx gridDim warpSize";

const WGSL: &str = "\
    alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let loop override \
    requires return struct switch true var while NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await \
    become binding_array cast catch class co_await co_return co_yield coherent column_major common compile compile_fragment concept \
    const_cast consteval constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export \
    extends extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import inline \
    instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil noexcept noinline \
    nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset partial pass patch pixelfragment \
    precise precision premerge priv protected pub public readonly ref regardless register reinterpret_cast resource restrict self set shared \
    sizeof smooth snorm static static_assert static_cast std subroutine super target template this thread_local throw trait try type typedef \
    typeid typename typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield \
    bool f16 f32 i32 u32 array atomic mat2x2 mat3x3 mat4x4 ptr sampler vec2 vec3 vec4 vec2i vec3i vec4i vec2u vec3u vec4u function private \
    workgroup uniform storage read write read_write min max abs clamp select";

/// Of Rust, with the names that the text uses; of every edition.
const RUST: &str = "\
    as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self \
    Self static struct super trait true type union unsafe use where while abstract become box do final gen macro override priv try typeof \
    unsized virtual yield bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 core std alloc layout_core main";
