//! The text of the functions that divide by magic numbers and that compute these numbers.
//! [`FastDiv32`](layout_algebra::FastDiv32) explains the method.

use super::Language::{self, C, Cuda, Hip, OpenCl, Wgsl};
use super::syntax::{Place, qualifiers};
use super::width::IntegerType;
use layout_algebra::heap::*;

/// Writes the function of the threads that divides `n` by magic numbers.
pub(super) fn quotient(language: Language, int: IntegerType, prefix: &str) -> String {
    let (ty, word) = (int.name(language), int.unsigned().name(language));
    let before = qualifiers(language, Place::Device);
    let comment = "// n / d by the magic numbers of d: the high half of n * magic + bias, shifted\n";
    if language == Wgsl {
        let (n, result) = if int.is_signed() { ("u32(n)", "i32(high >> shift)") } else { ("n", "high >> shift") };
        return format!(
            "{comment}fn {prefix}_div(n: {ty}, magic: u32, bias: u32, shift: u32) -> {ty} {{
    let product = {n} * magic;
    let n0 = {n} & 0xffff;
    let n1 = {n} >> 16;
    let m0 = magic & 0xffff;
    let m1 = magic >> 16;
    let middle = n1 * m0 + ((n0 * m0) >> 16);
    let carry = n0 * m1 + (middle & 0xffff);
    let high = n1 * m1 + (middle >> 16) + (carry >> 16) + u32(product + bias < bias);
    return {result};
}}
"
        );
    }
    let head = format!("{comment}{before}{ty} {prefix}_div({ty} n, {word} magic, {word} bias, {word} shift) {{\n");
    let body = match (language, int.is_narrow()) {
        (OpenCl, true) => "    return (uint)(((ulong)n * magic + bias) >> 32) >> shift;\n".into(),
        (OpenCl, false) => "    return (mul_hi((ulong)n, magic) + (n * magic + bias < bias)) >> shift;\n".into(),
        (_, true) => "    return (uint32_t)(((uint64_t)n * magic + bias) >> 32) >> shift;\n".into(),
        (Cuda | Hip, false) => format!(
            "#ifdef {}
    const uint64_t high = __umul64hi(n, magic);
#else
    const uint64_t high = (uint64_t)((unsigned __int128)n * magic >> 64);
#endif
    return (high + (n * magic + bias < bias)) >> shift;
",
            if language == Cuda { "__CUDA_ARCH__" } else { "__HIP_DEVICE_COMPILE__" }
        ),
        _ => "    return (uint64_t)(((unsigned __int128)n * magic + bias) >> 64) >> shift;\n".into(),
    };
    head + &body + "}\n"
}

/// Writes the function of a C host that computes the magic numbers.
pub(super) fn magic(int: IntegerType, prefix: &str) -> String {
    let word = int.unsigned().name(C);
    let head = format!(
        "// The magic numbers of d: n / d is the high half of n * magic + bias, shifted, for every n; 0 where d is 0
static inline void {prefix}_magic({word} d, {word} *magic, {word} *bias, {word} *shift) {{
    *magic = *bias = *shift = 0;
    if (d == 0) {{
        return;
    }}
    while (d >> *shift > 1) {{
        ++*shift;
    }}
"
    );
    let division = if int.is_narrow() {
        "    const uint64_t power = (uint64_t)1 << 32 << *shift;
    const uint32_t rest = (uint32_t)(power % d);
    const uint32_t down = (uint32_t)(power / d);
"
    } else {
        "    // 2^64 times the power of two below d, divided by d bit by bit
    const uint64_t power = (uint64_t)1 << *shift;
    uint64_t down = 0;
    uint64_t rest = power < d ? power : 0;
    for (int bit = 0; bit < 64; ++bit) {
        const bool carry = rest >> 63;
        rest <<= 1;
        down <<= 1;
        if (carry || rest >= d) {
            rest -= d;
            down |= 1;
        }
    }
"
    };
    let choice = format!(
        "    if (rest == 0) {{
        *magic = *bias = ({word})-1;
    }} else if (d - rest <= ({word})1 << *shift) {{
        *magic = down + 1;
    }} else {{
        *magic = *bias = down;
    }}
}}
"
    );
    head + division + &choice
}
