//! A transposition through shared memory, whose layout the build script chose.

include!(concat!(env!("OUT_DIR"), "/tile.rs"));

/// The source of the kernel, for NVRTC or `nvcc`: `out` is the transpose of the `n` by `n` floats of `a`, where 32 divides `n`. Blocks have
/// 32 threads.
pub const KERNEL: &str = concat!(
    "#include <cstdint>\n",
    include_str!(concat!(env!("OUT_DIR"), "/tile.cuh")),
    r#"
extern "C" __global__ void transpose(const float *a, float *out, uint32_t n) {
    __shared__ float shared[1024];
    uint32_t lane = threadIdx.x, row = 32 * blockIdx.y, column = 32 * blockIdx.x;
    for (uint32_t i = 0; i < 32; i++) shared[tile(i, lane)] = a[(row + i) * n + column + lane];
    __syncthreads();
    for (uint32_t i = 0; i < 32; i++) out[(column + i) * n + row + lane] = shared[tile(lane, i)];
}
"#
);

#[cfg(test)]
mod tests {
    use super::*;
    use crd2idx::prelude::*;

    #[test]
    fn a_row_and_a_column_touch_every_bank() {
        let banks = |at: &dyn Fn(usize) -> usize| (0..32).map(|lane| at(lane) % 32).collect::<std::collections::BTreeSet<_>>().len();
        for k in 0..32 {
            assert_eq!(banks(&|lane| Tile.crd2idx((k, lane))), 32, "row {k}");
            assert_eq!(banks(&|lane| Tile.crd2idx((lane, k))), 32, "column {k}");
        }
    }

    #[test]
    fn the_kernel_has_the_index_function() {
        assert!(KERNEL.contains("uint32_t tile(uint32_t i0, uint32_t i1)"), "{KERNEL}");
    }
}
