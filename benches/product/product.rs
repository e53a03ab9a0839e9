//! Compares the product of `examples/packed_gemm.rs` with the products of `gemm`, `matrixmultiply` and `faer`: on
//! one thread, compiled for AVX2 alone, and two threads against one. Run
//! `cargo bench --manifest-path benches/product/Cargo.toml`. The argument `-- 512` selects the sizes with that name.

#[path = "../../examples/packed_gemm.rs"]
#[allow(dead_code)]
mod packed_gemm;

use cpu_time::ThreadTime;
use crd2idx::prelude::*;
use crd2idx::Strided;
use crd2idx::tensor::Injective;
use multiversion::multiversion;
use packed_gemm::{Element, multiply, pack};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::{Duration, Instant};

/// Row-major matrices with run-time extents.
type Rows = Strided<(usize, usize), (usize, Int<1>)>;

/// Returns the number of rounds for a product of `flops` operations, so that all libraries together take some seconds.
fn rounds(flops: f64) -> usize {
    ((2e10 / flops) as usize).clamp(4, 60)
}

/// A number type with its matrix product in every library.
trait Number: Element + faer::traits::ComplexField + PartialEq + std::fmt::Debug + 'static {
    const NAME: &'static str;
    fn of(x: usize) -> Self;
    fn distance(self, other: Self) -> f64;
    fn matrixmultiply(shape: [usize; 3], a: &[Self], b: &[Self], c: &mut [Self]);
    fn avx2(a: View<Self, Rows>, b: View<Self, Rows>, c: ViewMut<Self, Injective<Rows>>);
}

macro_rules! number {
    ($type:ident, $call:path, $avx2:ident $columns:literal $lanes:literal) => {
        #[multiversion(targets("x86_64+avx2+fma"))]
        fn $avx2(a: View<$type, Rows>, b: View<$type, Rows>, c: ViewMut<$type, Injective<Rows>>) {
            packed_gemm::blocked($type::BLOCKING, a, b, c, |b, packed| pack(b, packed), |a, rows, b, c| multiply::<_, _, _, 6, $columns, $lanes, true>(a, rows, b, c))
        }

        impl Number for $type {
            const NAME: &'static str = stringify!($type);
            fn of(x: usize) -> Self {
                x as $type
            }
            fn distance(self, other: Self) -> f64 {
                f64::from((self - other).abs())
            }
            fn matrixmultiply([m, n, k]: [usize; 3], a: &[Self], b: &[Self], c: &mut [Self]) {
                assert!(a.len() == m * k && b.len() == k * n && c.len() == m * n);
                // SAFETY: the slices have these shapes, row by row, as the strides state. The assertion checks their
                // lengths.
                unsafe { $call(m, k, n, 1.0, a.as_ptr(), k as isize, 1, b.as_ptr(), n as isize, 1, 1.0, c.as_mut_ptr(), n as isize, 1) }
            }
            fn avx2(a: View<Self, Rows>, b: View<Self, Rows>, c: ViewMut<Self, Injective<Rows>>) {
                $avx2(a, b, c)
            }
        }
    };
}
number!(f32, matrixmultiply::sgemm, avx2_f32 16 8);
number!(f64, matrixmultiply::dgemm, avx2_f64 8 4);

type Product<T> = fn([usize; 3], &[T], &[T], &mut [T]);

fn rows<T>(data: T, extents: (usize, usize)) -> Tensor<T::Storage, Rows>
where
    T: crd2idx::tensor::IntoStorage,
{
    Tensor::new(data, make_layout(extents, (extents.1, Int::<1>))).expect("the elements of the matrix")
}

fn ours<T: Number>([m, n, k]: [usize; 3], a: &[T], b: &[T], c: &mut [T]) {
    packed_gemm::gemm(rows(a, (m, k)), rows(b, (k, n)), rows(c, (m, n))).expect("a matrix");
}

fn by_avx2<T: Number>([m, n, k]: [usize; 3], a: &[T], b: &[T], c: &mut [T]) {
    T::avx2(rows(a, (m, k)), rows(b, (k, n)), rows(c, (m, n)).injective().expect("a matrix"));
}

fn of_gemm<T: Number, const THREADS: usize>([m, n, k]: [usize; 3], a: &[T], b: &[T], c: &mut [T]) {
    assert!(a.len() == m * k && b.len() == k * n && c.len() == m * n);
    let (a, b, c, one) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr(), T::of(1));
    let [n1, k1] = [n as isize, k as isize];
    let threads = if THREADS == 1 { gemm::Parallelism::None } else { gemm::Parallelism::Rayon(THREADS) };
    // SAFETY: the slices have these shapes, row by row, as the strides state. The assertion checks their lengths.
    unsafe { gemm::gemm(m, n, k, c, 1, n1, true, a, 1, k1, b, 1, n1, one, one, false, false, false, threads) }
}

fn of_faer<T: Number>([m, n, k]: [usize; 3], a: &[T], b: &[T], c: &mut [T]) {
    let (a, b) = (faer::MatRef::from_row_major_slice(a, m, k), faer::MatRef::from_row_major_slice(b, k, n));
    let c = faer::MatMut::from_row_major_slice_mut(c, m, n);
    faer::linalg::matmul::matmul(c, faer::Accum::Add, a, b, T::of(1), faer::Par::Seq);
}

/// A pool of one thread and a pool of two threads. Every product is called on a thread of one of them.
struct Pools([ThreadPool; 2]);

impl Pools {
    fn new() -> Self {
        Pools([1, 2].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")))
    }
}

/// Returns the least time of each product. They run in turn on a pool, and `time` reads the clock.
fn least<T: Number, const P: usize>(
    pools: &Pools,
    shape: [usize; 3],
    peers: [(&str, usize, Product<T>); P],
    time: fn(&mut (dyn FnMut() + Send)) -> Duration,
) -> [f64; P] {
    let [m, n, k] = shape;
    let a: Vec<T> = (0..m * k).map(|x| T::of(x * 7 % 11)).collect();
    let b: Vec<T> = (0..k * n).map(|x| T::of(x * 5 % 13)).collect();
    let mut c = peers.map(|_| vec![T::of(0); m * n]);
    let mut least = [f64::INFINITY; P];
    for round in 0..rounds(flops(shape)) {
        for (p, (name, threads, product)) in peers.iter().enumerate() {
            let out = &mut c[p];
            let taken = pools.0[threads - 1].install(|| time(&mut || product(shape, &a, &b, out)));
            least[p] = least[p].min(taken.as_secs_f64());
            if round == 0 {
                let error = c[p].iter().zip(&c[0]).map(|(x, y)| x.distance(*y)).fold(0.0, f64::max);
                assert!(error < 1.0, "{name} differs by {error}");
            }
        }
    }
    least
}

fn flops([m, n, k]: [usize; 3]) -> f64 {
    2.0 * (m * n * k) as f64
}

fn measure<T: Number>(pools: &Pools, shape: [usize; 3]) {
    let [m, n, k] = shape;
    // On a busy machine, elapsed time means little, so measure the time of the thread.
    let of_thread: fn(&mut (dyn FnMut() + Send)) -> Duration = |product| {
        let start = ThreadTime::now();
        product();
        start.elapsed()
    };
    let by_clock: fn(&mut (dyn FnMut() + Send)) -> Duration = |product| {
        let start = Instant::now();
        product();
        start.elapsed()
    };
    let peers: [(&str, usize, Product<T>); 5] = [
        ("ours", 1, ours),
        ("AVX2", 1, by_avx2),
        ("gemm", 1, of_gemm::<T, 1>),
        ("matrixmultiply", 1, T::matrixmultiply),
        ("faer", 1, of_faer),
    ];
    let times = least(pools, shape, peers, of_thread);
    let best = times[2..].iter().copied().fold(f64::INFINITY, f64::min);
    let scaled: [(&str, usize, Product<T>); 4] =
        [("ours", 1, ours), ("on two", 2, ours), ("gemm", 1, of_gemm::<T, 1>), ("on two", 2, of_gemm::<T, 2>)];
    let [one, two, of_one, of_two] = least(pools, shape, scaled, by_clock);
    let rates: Vec<String> = times.iter().map(|time| format!("{:.0}", flops(shape) / time / 1e9)).collect();
    let ratios: Vec<String> =
        [best / times[0], times[2] / times[1], one / two, of_one / of_two].iter().map(|ratio| format!("{ratio:.2}")).collect();
    println!("| {} {m}x{n}x{k} | {} | {} |", T::NAME, rates.join(" | "), ratios.join(" | "));
}

fn main() {
    let wanted = std::env::args().nth(1).filter(|argument| !argument.starts_with('-'));
    let pools = Pools::new();
    println!(
        "| Gflop/s | packed_gemm | for AVX2 | gemm | matrixmultiply | faer | to the fastest | for AVX2 to gemm | two threads | of gemm |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for shape in [[512; 3], [1024; 3], [2048; 3], [1001, 1003, 1005]] {
        if wanted.as_ref().is_some_and(|wanted| *wanted != shape[0].to_string()) {
            continue;
        }
        measure::<f32>(&pools, shape);
        measure::<f64>(&pools, shape);
    }
}
