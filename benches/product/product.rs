//! The product of `examples/packed_gemm.rs` beside those of `gemm`, `matrixmultiply` and `faer`, on one thread:
//! `cargo bench --manifest-path benches/product/Cargo.toml`.

#[path = "../../examples/packed_gemm.rs"]
#[allow(dead_code)]
mod packed_gemm;

use crd2idx::prelude::*;
use packed_gemm::Element;
use cpu_time::ThreadTime;

/// A type of numbers with its product in every library.
trait Number: Element + faer::traits::ComplexField + PartialEq + std::fmt::Debug + 'static {
    const NAME: &'static str;
    fn of(x: usize) -> Self;
    fn distance(self, other: Self) -> f64;
    fn matrixmultiply(shape: [usize; 3], a: &[Self], b: &[Self], c: &mut [Self]);
}

macro_rules! number {
    ($type:ident, $call:path) => {
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
                // SAFETY: the strides are those of the shapes, which the slices have.
                unsafe { $call(m, k, n, 1.0, a.as_ptr(), k as isize, 1, b.as_ptr(), n as isize, 1, 1.0, c.as_mut_ptr(), n as isize, 1) }
            }
        }
    };
}
number!(f32, matrixmultiply::sgemm);
number!(f64, matrixmultiply::dgemm);

type Product<T> = fn([usize; 3], &[T], &[T], &mut [T]);

fn ours<T: Number>([m, n, k]: [usize; 3], a: &[T], b: &[T], c: &mut [T]) {
    let (a, b) = (Tensor::new(a, make_layout((m, k), (k, Int::<1>))), Tensor::new(b, make_layout((k, n), (n, Int::<1>))));
    let c = Tensor::new(c, make_layout((m, n), (n, Int::<1>)));
    packed_gemm::gemm(1, a.expect("a"), b.expect("b"), c.expect("c")).expect("a matrix");
}

fn of_gemm<T: Number>([m, n, k]: [usize; 3], a: &[T], b: &[T], c: &mut [T]) {
    assert!(a.len() == m * k && b.len() == k * n && c.len() == m * n);
    let (a, b, c, one) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr(), T::of(1));
    let [n1, k1] = [n as isize, k as isize];
    // SAFETY: the strides are those of the shapes, which the slices have.
    unsafe { gemm::gemm(m, n, k, c, 1, n1, true, a, 1, k1, b, 1, n1, one, one, false, false, false, gemm::Parallelism::None) }
}

fn of_faer<T: Number>([m, n, k]: [usize; 3], a: &[T], b: &[T], c: &mut [T]) {
    let (a, b) = (faer::MatRef::from_row_major_slice(a, m, k), faer::MatRef::from_row_major_slice(b, k, n));
    let c = faer::MatMut::from_row_major_slice_mut(c, m, n);
    faer::linalg::matmul::matmul(c, faer::Accum::Add, a, b, T::of(1), faer::Par::Seq);
}

fn measure<T: Number>([m, n, k]: [usize; 3]) {
    let a: Vec<T> = (0..m * k).map(|x| T::of(x * 7 % 11)).collect();
    let b: Vec<T> = (0..k * n).map(|x| T::of(x * 5 % 13)).collect();
    let peers: [(&str, Product<T>); 4] = [("ours", ours), ("gemm", of_gemm), ("matrixmultiply", T::matrixmultiply), ("faer", of_faer)];
    let mut c = peers.map(|_| vec![T::of(0); m * n]);
    let mut least = [f64::INFINITY; 4];
    let flops = 2.0 * (m * n * k) as f64;
    let rounds = ((2e10 / flops) as usize).clamp(4, 60);
    for round in 0..rounds {
        for (p, (name, product)) in peers.iter().enumerate() {
            // On a busy machine the time of a clock says little.
            let start = ThreadTime::now();
            product([m, n, k], &a, &b, &mut c[p]);
            least[p] = least[p].min(start.elapsed().as_secs_f64());
            if round == 0 {
                let error = c[p].iter().zip(&c[0]).map(|(x, y)| x.distance(*y)).fold(0.0, f64::max);
                assert!(error < 1.0, "{name} differs by {error}");
            }
        }
    }
    let best = least[1..].iter().copied().fold(f64::INFINITY, f64::min);
    let rates: Vec<String> = least.iter().map(|time| format!("{:.1}", flops / time / 1e9)).collect();
    println!("| {} {m}x{n}x{k} | {} | {:.2} |", T::NAME, rates.join(" | "), best / least[0]);
}

fn main() {
    println!("| Gflop/s | packed_gemm | gemm | matrixmultiply | faer | to the fastest |\n|---|--:|--:|--:|--:|--:|");
    for shape in [[512; 3], [1024; 3], [2048; 3], [1001, 1003, 1005]] {
        measure::<f32>(shape);
        measure::<f64>(shape);
    }
}
