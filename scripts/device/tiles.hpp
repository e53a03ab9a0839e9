// What kernels of tile programs need of CUDA and HIP, on this processor: a thread for each thread of a block, `LANES` of them in a warp. The
// instructions of PTX follow the tables of the PTX ISA, "Matrix Fragments" and "ldmatrix". Those of AMD follow the formulas of the "CDNA3",
// "RDNA3" and "RDNA4" Instruction Set Architectures and of AMD's Matrix Instruction Calculator.
#include <barrier>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#define __device__
#define __global__
#define __forceinline__ inline
#define __restrict__
#define __shared__ static
#define __launch_bounds__(n)

using std::exp;
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
typedef _Float16 __half;
inline float __half2float(__half x) { return x; }
inline __half __float2half(float x) { return (__half)x; }
inline float __int_as_float(unsigned x) { float y; std::memcpy(&y, &x, 4); return y; }

#ifndef LANES
#define LANES 32
#endif

struct Warp {
    std::barrier<> all{LANES};
    unsigned long long slot[LANES][4];
};
struct Index { unsigned x; };
thread_local Index threadIdx;
thread_local std::barrier<>* block;
thread_local Warp* warp;

inline void __syncthreads() { block->arrive_and_wait(); }

// Gives a number to all lanes of the warp. Returns those of all lanes.
template <class T> std::vector<T> everyone(const T* own, int count) {
    const int lane = threadIdx.x % LANES;
    std::vector<T> all(LANES * count);
    for (int k = 0; k < count; ++k) {
        std::memcpy(warp->slot[lane], &own[k], sizeof(T));
        warp->all.arrive_and_wait();
        for (int other = 0; other < LANES; ++other) std::memcpy(&all[other * count + k], warp->slot[other], sizeof(T));
        warp->all.arrive_and_wait();
    }
    return all;
}

template <class T> T __shfl(T value, int lane) { return everyone(&value, 1)[lane % LANES]; }
template <class T> T __shfl_xor(T value, int mask) { return __shfl(value, threadIdx.x % LANES ^ mask); }
template <class T> T __shfl_sync(unsigned, T value, int lane) { return __shfl(value, lane); }
template <class T> T __shfl_xor_sync(unsigned, T value, int mask) { return __shfl_xor(value, mask); }

// Lane t receives elements 2 (t mod 4) and the next of row t div 4, or of a transposed matrix of the column.
inline void matrices(unsigned* d, const void* p, int count, bool transposed) {
    const auto rows = everyone(&p, 1);
    const int lane = threadIdx.x % 32;
    for (int k = 0; k < count; ++k) {
        unsigned short pair[2];
        for (int e = 0; e < 2; ++e) {
            const int row = transposed ? lane % 4 * 2 + e : lane / 4, column = transposed ? lane / 4 : lane % 4 * 2 + e;
            pair[e] = ((const unsigned short*)rows[8 * k + row])[column];
        }
        std::memcpy(&d[k], pair, 4);
    }
}
inline void ldmatrix_x1(unsigned* d, const void* p) { matrices(d, p, 1, false); }
inline void ldmatrix_x2(unsigned* d, const void* p) { matrices(d, p, 2, false); }
inline void ldmatrix_x4(unsigned* d, const void* p) { matrices(d, p, 4, false); }
inline void ldmatrix_x1_trans(unsigned* d, const void* p) { matrices(d, p, 1, true); }
inline void ldmatrix_x2_trans(unsigned* d, const void* p) { matrices(d, p, 2, true); }
inline void ldmatrix_x4_trans(unsigned* d, const void* p) { matrices(d, p, 4, true); }

inline void mma_m16n8k16_f32_f16_f16(float* d, const unsigned* a, const unsigned* b) {
    const auto all_a = everyone(a, 4), all_b = everyone(b, 2);
    const auto half = [](unsigned word, int k) { __half x; std::memcpy(&x, (char*)&word + 2 * k, 2); return (float)x; };
    float rows[16][16], columns[16][8];
    for (int lane = 0; lane < 32; ++lane)
        for (int word = 0; word < 4; ++word)
            for (int e = 0; e < 2; ++e) {
                rows[lane / 4 + word % 2 * 8][lane % 4 * 2 + e + word / 2 * 8] = half(all_a[lane * 4 + word], e);
                if (word < 2) columns[lane % 4 * 2 + e + word * 8][lane / 4] = half(all_b[lane * 2 + word], e);
            }
    const int lane = threadIdx.x % 32;
    for (int k = 0; k < 4; ++k) {
        const int row = lane / 4 + k / 2 * 8, column = lane % 4 * 2 + k % 2;
        for (int depth = 0; depth < 16; ++depth) d[k] += rows[row][depth] * columns[depth][column];
    }
}

// A place in a matrix: the row and the column of a value of a lane. For B, the row is its column and the column is its K.
struct Place { int row, column; };

// Adds the product of the M x K elements `a` and the N x K elements `b` of all lanes to the values `d` of this lane. Copies must be equal.
template <int M, int N, int K, int VALUES, int SUMS, class T, class D>
void multiply(D* d, const T* a, const T* b, Place (*factor)(int lane, int value), Place (*sum)(int lane, int value)) {
    const auto all_a = everyone(a, VALUES), all_b = everyone(b, VALUES);
    const auto gather = [&](const std::vector<T>& all, int rows) {
        std::vector<D> out(rows * K);
        std::vector<char> known(rows * K);
        for (int lane = 0; lane < LANES; ++lane)
            for (int k = 0; k < VALUES; ++k) {
                const auto [row, depth] = factor(lane, k);
                const D value = (D)all[lane * VALUES + k];
                if (known[row * K + depth] && out[row * K + depth] != value) std::abort();
                out[row * K + depth] = value;
                known[row * K + depth] = 1;
            }
        for (char one : known) if (!one) std::abort();
        return out;
    };
    const auto rows = gather(all_a, M), columns = gather(all_b, N);
    for (int k = 0; k < SUMS; ++k) {
        const auto [row, column] = sum(threadIdx.x % LANES, k);
        for (int depth = 0; depth < K; ++depth) d[k] += rows[row * K + depth] * columns[column * K + depth];
    }
}

// A function of the compiler: vectors of factors and of sums, for `VALUES` elements of type `T` in a factor.
#define MATRIX(name, M, N, K, T, VALUES, FACTOR, D, SUMS, place_of_factor, place_of_sum)                                             \
    typedef FACTOR name##_factor __attribute__((vector_size(VALUES * sizeof(T))));                                                   \
    typedef D name##_sums __attribute__((vector_size(SUMS * sizeof(D))));                                                            \
    inline name##_sums name(name##_factor a, name##_factor b, name##_sums c) {                                                       \
        T x[VALUES], y[VALUES];                                                                                                      \
        D z[SUMS];                                                                                                                   \
        std::memcpy(x, &a, sizeof(x)), std::memcpy(y, &b, sizeof(y)), std::memcpy(z, &c, sizeof(z));                                 \
        multiply<M, N, K, VALUES, SUMS>(z, x, y, [](int lane, int v) -> Place { return place_of_factor; },                           \
                                        [](int lane, int v) -> Place { return place_of_sum; });                                      \
        std::memcpy(&c, z, sizeof(z));                                                                                               \
        return c;                                                                                                                    \
    }
#define PLACE(row, column) (Place{row, column})

#if LANES == 64
MATRIX(mfma_16x16x16, 16, 16, 16, _Float16, 4, _Float16, float, 4, PLACE(lane % 16, 4 * (lane / 16) + v), PLACE(4 * (lane / 16) + v, lane % 16))
MATRIX(mfma_32x32x8, 32, 32, 8, _Float16, 4, _Float16, float, 16, PLACE(lane % 32, 4 * (lane / 32) + v), PLACE(8 * (v / 4) + 4 * (lane / 32) + v % 4, lane % 32))
MATRIX(mfma_16x16x32, 16, 16, 32, _Float16, 8, _Float16, float, 4, PLACE(lane % 16, 8 * (lane / 16) + v), PLACE(4 * (lane / 16) + v, lane % 16))
#define __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, ...) mfma_16x16x16(a, b, c)
#define __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, ...) mfma_32x32x8(a, b, c)
#define __builtin_amdgcn_mfma_f32_16x16x32_f16(a, b, c, ...) mfma_16x16x32(a, b, c)
#else
MATRIX(wmma_rdna3, 16, 16, 16, _Float16, 16, _Float16, float, 8, PLACE(lane % 16, v), PLACE(2 * v + lane / 16, lane % 16))
MATRIX(wmma_rdna4, 16, 16, 16, _Float16, 8, _Float16, float, 8, PLACE(lane % 16, v % 4 + lane / 16 * 4 + v / 4 * 8), PLACE(v + lane / 16 * 8, lane % 16))
#define __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c) wmma_rdna3(a, b, c)
#define __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c) wmma_rdna4(a, b, c)
#endif

// Runs a kernel in a block of `threads` threads.
inline void launch(int threads, const std::function<void()>& kernel) {
    std::barrier<> all(threads);
    std::vector<std::unique_ptr<Warp>> warps;
    for (int k = 0; k < threads / LANES; ++k) warps.push_back(std::make_unique<Warp>());
    std::vector<std::thread> running;
    for (int k = 0; k < threads; ++k)
        running.emplace_back([&, k] {
            threadIdx.x = k;
            block = &all;
            warp = warps[k / LANES].get();
            kernel();
        });
    for (auto& thread : running) thread.join();
}
