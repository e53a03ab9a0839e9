// What a kernel's author writes by hand, beside the functions that the command emits: the pairs are in scripts/device/twins.py.
typedef unsigned int uint;

// Rows of 32 padded by one column
__device__ __forceinline__ uint hand_padded(uint i0, uint i1) {
    return i0 * 33 + i1;
}

// ((2,4),(3,5)):((3,6),(1,24))
__device__ __forceinline__ uint hand_nested(uint i0, uint i1) {
    return i0 * 3 + i1 % 3 + i1 / 3 * 24;
}

// Rows of 64 with groups of 8 exchanged by the row
__device__ __forceinline__ uint hand_swizzled(uint i0, uint i1) {
    return i0 * 64 + (i1 ^ (i0 << 3));
}

// Rows of 32 with columns exchanged by the row
__device__ __forceinline__ uint hand_swizzled_rows(uint i0, uint i1) {
    return i0 * 32 + (i1 ^ i0);
}

__device__ __forceinline__ uint hand_xor(uint i0, uint i1) {
    return (i0 << 5) | (i0 ^ i1);
}

// Exchanged tiles of 8 by 8, one every d2 elements
__device__ __forceinline__ uint hand_xor_tiles(uint d2, uint i0, uint i1, uint i2) {
    return i2 * d2 + i0 * 8 + (i0 ^ i1);
}

__device__ __forceinline__ uint hand_columns(uint d1, uint i0, uint i1) {
    return i1 * d1 + i0;
}

__device__ __forceinline__ uint hand_volume(uint d0, uint d1, uint i0, uint i1, uint i2) {
    return i0 * d0 + i1 * d1 + i2;
}

// Element i0 of tile i1 of 8 by 4 in 32 rows of 16 columns
__device__ __forceinline__ uint hand_tiles(uint i0, uint i1) {
    const uint row = i1 % 4 * 8 + i0 % 8, column = i1 / 4 * 4 + i0 / 8;
    return row + column * 32;
}

// Division by a number known per launch, as CUTLASS has it: multiply, take the high half, shift
struct Divisor {
    uint by, multiplier, add, shift;
};

__device__ __forceinline__ uint quotient(uint n, Divisor d) {
    return (uint)(((unsigned long long)n * d.multiplier + d.add) >> 32) >> d.shift;
}

struct hand_tiles_of_rows_launch {
    uint stride;
    Divisor tiles;
};

// Element i0 of tile i1 of 8 by 8: tiles run down the columns of tiles
__device__ __forceinline__ uint hand_tiles_of_rows(uint i0, uint i1, const hand_tiles_of_rows_launch launch) {
    const uint across = quotient(i1, launch.tiles), down = i1 - across * launch.tiles.by;
    return (down * 8 + i0 % 8) * launch.stride + across * 8 + i0 / 8;
}

struct hand_linear_launch {
    Divisor n0, n1;
    uint d1, d2;
};

// The place of element i of a pitched volume
__device__ __forceinline__ uint hand_linear(uint i, const hand_linear_launch launch) {
    const uint rest = quotient(i, launch.n0), x = i - rest * launch.n0.by;
    const uint z = quotient(rest, launch.n1), y = rest - z * launch.n1.by;
    return x + y * launch.d1 + z * launch.d2;
}

struct hand_gemm_result {
    uint from;
    uint to;
};

// From where a thread copies an element of a 128 x 32 block, and to where in rows of 36
__device__ __forceinline__ hand_gemm_result hand_gemm(uint lda, uint block, uint step, uint pass, uint tid, uint v) {
    const uint row = pass * 32 + tid / 8, column = tid % 8 * 4 + v;
    hand_gemm_result result;
    result.from = (block * 128 + row) * lda + step * 32 + column;
    result.to = row * 36 + column;
    return result;
}

__device__ __forceinline__ bool hand_gemm_is_valid(uint M, uint K, uint block, uint step, uint pass, uint tid, uint v) {
    const uint row = block * 128 + pass * 32 + tid / 8, column = step * 32 + tid % 8 * 4 + v;
    return row < M && column < K;
}

// Element k of the window of output m: 56 x 56 x 64, padded by 1, windows of 3 x 3 with a step of 2
__device__ __forceinline__ int hand_im2col(int m, int k) {
    const int n = (uint)m / 784, out_h = (uint)m / 28 % 28, out_w = (uint)m % 28;
    const int kh = (uint)k / 192, kw = (uint)k / 64 % 3, c = k % 64;
    return n * 200704 + (out_h * 2 + kh - 1) * 3584 + (out_w * 2 + kw - 1) * 64 + c;
}

__device__ __forceinline__ bool hand_im2col_is_valid(int m, int k) {
    const uint h = (uint)m / 28 % 28 * 2 + (uint)k / 192, w = (uint)m % 28 * 2 + (uint)k / 64 % 3;
    return h >= 1 && h < 57 && w >= 1 && w < 57;
}

struct hand_stream_k_result {
    uint m;
    uint n;
    uint k;
};

__device__ __forceinline__ hand_stream_k_result hand_stream_k(uint group, uint step) {
    const uint at = group * 896 + step;
    hand_stream_k_result result;
    result.m = at / (12 * 512);
    result.n = at / 512 % 12;
    result.k = at % 512;
    return result;
}

// |i - j| to every element of ragged rows: a search for 32 leaves, then from row to row
extern "C" __global__ void hand_visit(const uint *offsets, uint rows, uint begin, uint end, int *data) {
    const uint tiles = (end - begin + 31) / 32;
    for (uint tile = blockIdx.x * blockDim.x + threadIdx.x; tile < tiles; tile += gridDim.x * blockDim.x) {
        const uint first = begin + tile * 32, last = end - first > 32 ? first + 32 : end;
        uint row = 0, high = rows;
        while (high - row > 1) {
            const uint middle = row + (high - row) / 2;
            if (offsets[middle] <= first) {
                row = middle;
            } else {
                high = middle;
            }
        }
        uint start = offsets[row], stop = offsets[row + 1];
        for (uint leaf = first; leaf < last; ++leaf) {
            while (leaf >= stop) {
                start = stop;
                stop = offsets[++row + 1];
            }
            const int i = row, j = leaf - start;
            data[leaf] = i > j ? i - j : j - i;
        }
    }
}

// The row of every leaf, and where that begins
extern "C" __global__ void hand_fill(const uint *offsets, uint rows, uint *parents, uint *starts) {
    for (uint row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
        const uint begin = offsets[row], end = offsets[row + 1];
        for (uint k = begin; k < end; ++k) {
            parents[k] = row;
            starts[k] = begin;
        }
    }
}

// The number of every row that is not empty at its first leaf, of rows of rows
extern "C" __global__ void hand_mark(const uint *outer, const uint *inner, uint rows, uint *parents) {
    for (uint row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
        const uint begin = inner[outer[row]];
        if (begin < inner[outer[row + 1]]) {
            parents[begin] = row;
        }
    }
}

extern "C" __global__ void hand_begins(const uint *outer, const uint *inner, const uint *parents, uint *starts, uint count) {
    for (uint k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x) {
        starts[k] = inner[outer[parents[k]]];
    }
}
