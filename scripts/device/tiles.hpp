// What kernels of tile programs need of CUDA, on this processor: a thread for each thread of a block. The instructions of PTX follow the
// tables of the PTX ISA, "Matrix Fragments" and "ldmatrix".
#include <barrier>
#include <cmath>
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

struct Warp {
    std::barrier<> all{32};
    unsigned long long slot[32][4];
};
struct Index { unsigned x; };
thread_local Index threadIdx;
thread_local std::barrier<>* block;
thread_local Warp* warp;

inline void __syncthreads() { block->arrive_and_wait(); }

// Gives a number to all lanes of the warp. Returns those of all lanes.
template <class T> std::vector<T> everyone(const T* own, int count) {
    const int lane = threadIdx.x % 32;
    std::vector<T> all(32 * count);
    for (int k = 0; k < count; ++k) {
        std::memcpy(warp->slot[lane], &own[k], sizeof(T));
        warp->all.arrive_and_wait();
        for (int other = 0; other < 32; ++other) std::memcpy(&all[other * count + k], warp->slot[other], sizeof(T));
        warp->all.arrive_and_wait();
    }
    return all;
}

template <class T> T __shfl_sync(unsigned, T value, int lane) { return everyone(&value, 1)[lane & 31]; }
template <class T> T __shfl_xor_sync(unsigned, T value, int mask) { return everyone(&value, 1)[threadIdx.x % 32 ^ mask]; }

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

// Runs a kernel in a block of `threads` threads.
inline void launch(int threads, const std::function<void()>& kernel) {
    std::barrier<> all(threads);
    std::vector<std::unique_ptr<Warp>> warps;
    for (int k = 0; k < threads / 32; ++k) warps.push_back(std::make_unique<Warp>());
    std::vector<std::thread> running;
    for (int k = 0; k < threads; ++k)
        running.emplace_back([&, k] {
            threadIdx.x = k;
            block = &all;
            warp = warps[k / 32].get();
            kernel();
        });
    for (auto& thread : running) thread.join();
}
