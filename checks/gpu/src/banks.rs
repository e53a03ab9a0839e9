//! Wavefronts of shared memory: compares the number that the library computes for an access with the measured time of the
//! access. A new pattern is a row of `PATTERNS`.

use crate::Result;
use crate::gpu::{Gpu, grid};
use crd2idx::algebra::memory::{Access, Banks, try_bank_conflicts};
use crd2idx::program::{Coordinates, Program};
use cudarc::driver::PushKernelArg;

/// For each pattern: a layout, the layout of the lanes, and the number of 4-byte words that a lane loads at once.
const PATTERNS: [(&str, &str, u32); 16] = [
    ("(32,32):(32,1)", "32:32", 1),
    ("(32,32):(32,1)", "32:1", 1),
    ("(32,32):(33,1)", "32:1", 1),
    ("(32,32):(34,1)", "32:1", 1),
    ("(32,32):(36,1)", "32:1", 1),
    ("(32,32):(40,1)", "32:1", 1),
    ("(32,32):(^33,^1)", "32:1", 1),
    ("S<3,2,3> o 0 o (32,32):(32,1)", "32:1", 1),
    ("S<2,2,3> o 0 o (32,32):(32,1)", "32:1", 1),
    ("(64,64):(64,1)", "(8,4):(1,64)", 1),
    ("(32,32):(32,1)", "(32,2):(1,32)", 2),
    ("(32,32):(34,1)", "(32,2):(1,32)", 2),
    ("(32,32):(32,1)", "(32,4):(1,32)", 4),
    ("(32,32):(36,1)", "(32,4):(1,32)", 4),
    ("(32,32):(40,1)", "(32,4):(1,32)", 4),
    ("S<3,2,3> o 0 o (32,32):(32,1)", "(32,4):(1,32)", 4),
];

/// Returns a kernel whose threads load `vector` words at once from shared memory, 64 times per round, always from the same
/// addresses.
fn kernel(vector: u32) -> String {
    let (form, words) = match vector {
        1 => ("u32 %0", "a"),
        2 => ("v2.u32 {%0, %1}", "a, b"),
        _ => ("v4.u32 {%0, %1, %2, %3}", "a, b, c, d"),
    };
    let outputs: Vec<String> = words.split(", ").map(|word| format!("\"=r\"({word})")).collect();
    let load = format!("asm volatile(\"ld.shared.{form}, [%{vector}];\" : {} : \"r\"(address));", outputs.join(", "));
    format!(
        "extern \"C\" __global__ void access(const unsigned *index, unsigned rounds, unsigned *out) {{
    __shared__ __align__(16) unsigned words[8192];
    for (unsigned k = threadIdx.x; k < 8192; k += blockDim.x) words[k] = k;
    __syncthreads();
    const unsigned address = (unsigned)__cvta_generic_to_shared(words + index[threadIdx.x % 32]);
    unsigned a = 0, b = 0, c = 0, d = 0, sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {{
#pragma unroll
        for (int k = 0; k < 64; ++k) {{ {load} }}
        sum += a + b + c + d;
    }}
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}}
"
    )
}

/// Returns the kernels for loads of 1, 2 and 4 words.
pub fn texts() -> Vec<String> {
    [1, 2, 4].map(kernel).to_vec()
}

/// Prints, for every pattern, the computed number of wavefronts, and the measured time in units of one wavefront. Fails if
/// the device does, or if the library refuses a layout.
pub fn measure(gpu: &Gpu) -> Result<()> {
    let (blocks, threads, rounds) = (264, 512, 64u32);
    let mut out = gpu.stream.alloc_zeros::<u32>((blocks * threads) as usize)?;
    // `unit` is the time of one wavefront, from the first pattern. The count starts at `vector`, because an access of 8 or
    // 16 bytes takes at least two or four wavefronts.
    let mut unit = None;
    println!("{:<32} {:<14} {:>5} {:>10} {:>10}", "shared memory", "lanes", "bytes", "wavefronts", "measured");
    for (layout, lanes, vector) in PATTERNS {
        let conflicts = try_bank_conflicts(layout, lanes, Access::vector(32, vector), Banks::NVIDIA)?;
        let counted = conflicts + u64::from(vector);
        let (to, index) = (Program::parse_layout(lanes, Coordinates::Linear)?, Program::parse_layout(layout, Coordinates::Linear)?);
        let places = (0..32).map(|lane| Ok(index.run(&to.run(&[lane])?)?[0] as u32)).collect::<Result<Vec<u32>>>()?;
        let places = gpu.stream.clone_htod(&places)?;
        let function = gpu.function(&kernel(vector), "access")?;
        let seconds = gpu.seconds(|| {
            let mut arguments = gpu.stream.launch_builder(&function);
            arguments.arg(&places).arg(&rounds).arg(&mut out);
            // SAFETY: every thread writes its own element of `out`, and reads one of the 32 entries of `places`.
            unsafe { arguments.launch(grid(blocks, 1, threads)) }?;
            Ok(())
        })?;
        let unit = *unit.get_or_insert(seconds / counted as f64);
        println!("{layout:<32} {lanes:<14} {:>5} {counted:>10} {:>10.2}", 4 * vector, seconds / unit);
    }
    println!();
    Ok(())
}
