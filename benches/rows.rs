//! Walks over tensors compared with hand-written loops over row slices and with ndarray: `cargo bench --bench rows`.
//!
//! Prints nanoseconds per element for the loops over slices, and the relative time of the others: layouts with a
//! static step, with run-time numbers, and with padded rows. All run in turn, and the least time of each counts.

use crd2idx::prelude::*;
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut2, Axis, ShapeBuilder, Zip, s};
use std::cell::Cell;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 41;
/// The number of elements that are visited between two readings of the clock, rounded to whole walks.
const ELEMENTS: usize = 200_000;
/// The side of a block of the hand-written transposition.
const BLOCK: usize = 16;

type Row = Strided<(usize, usize), (usize, Int<1>)>;
type Any = Strided<(usize, usize), (usize, usize)>;

/// A measured function with its name.
type Turn<'a> = (&'a str, &'a mut dyn FnMut());

/// Runs all functions in turn and prints their times per element. The first function is the loop over slices.
fn report(name: &str, elements: usize, turns: &mut [Turn]) {
    let (mut least, repeats) = (vec![f64::MAX; turns.len()], (ELEMENTS / elements).max(1));
    for _ in 0..ROUNDS {
        for ((_, turn), least) in turns.iter_mut().zip(&mut least) {
            let start = Instant::now();
            (0..repeats).for_each(|_| turn());
            *least = least.min(start.elapsed().as_secs_f64() / (repeats * elements) as f64);
        }
    }
    let ratios: Vec<_> = turns[1..].iter().zip(&least[1..]).map(|((name, _), time)| format!("{name} {:.2}", time / least[0])).collect();
    println!("  {name:<24} {:7.3} ns   {}", least[0] * 1e9, ratios.join("   "));
}

/// Iterates over the rows of `n` elements, whose beginnings are `pitch` elements apart.
fn rows_of(data: &[f32], pitch: usize, n: usize) -> impl Iterator<Item = &[f32]> {
    data.chunks(pitch).map(move |row| &row[..n])
}

/// Measures all walks over `m` rows of `n` elements, whose beginnings are `pitch` elements apart.
fn walks(m: usize, n: usize, pitch: usize) {
    let (m, n, pitch) = black_box((m, n, pitch));
    println!("{m} x {n}, rows {pitch} apart");
    let data = |first: usize| (0..m * pitch).map(|x| (x + first) as f32).collect::<Vec<_>>();
    let (a, b, c, d) = (data(0), data(1), data(2), data(3));
    let (mut x, mut y, mut z, mut w) = (data(4), data(4), data(4), data(4));
    let (rows, any): (Row, Any) = (make_layout((m, n), (pitch, Int::<1>)), make_layout((m, n), (pitch, 1)));
    let of_rows = |data| Tensor::new(data, rows).expect("as long");
    let of_any = |data| Tensor::new(data, any).expect("as long");
    let (ta, tb, tc, td) = (of_rows(&a[..]), of_rows(&b[..]), of_rows(&c[..]), of_rows(&d[..]));
    let (ua, ub, uc, ud) = (of_any(&a[..]), of_any(&b[..]), of_any(&c[..]), of_any(&d[..]));
    let (mut t, mut u) = (Tensor::new(&mut y[..], rows).expect("as long"), Tensor::new(&mut z[..], any).expect("as long"));
    let array = |data| ArrayView2::from_shape((m, n).strides((pitch, 1)), data).expect("as long");
    let (na, nb, nc, nd) = (array(&a[..]), array(&b[..]), array(&c[..]), array(&d[..]));
    let mut v = ArrayViewMut2::from_shape((m, n).strides((pitch, 1)), &mut w[..]).expect("as long");
    macro_rules! turns {
        ($name:literal, $hand:expr, $tensor:expr, $any:expr, $array:expr) => {
            report(
                $name,
                m * n,
                &mut [
                    ("slices", &mut || {
                        $hand;
                        black_box(&mut x);
                    }),
                    ("tensor", &mut || {
                        $tensor;
                        black_box(&mut t);
                    }),
                    ("run time", &mut || {
                        $any;
                        black_box(&mut u);
                    }),
                    ("ndarray", &mut || {
                        $array;
                        black_box(&mut v);
                    }),
                ],
            )
        };
    }
    /// Iterates over rows of several slices in lockstep.
    macro_rules! rows {
        ($x:ident; $($y:ident),*; $body:expr) => {
            for (k, $x) in x.chunks_mut(pitch).enumerate() {
                let ($x, _) = (&mut $x[..n], k);
                $(let $y = &$y[k * pitch..][..n];)*
                $body
            }
        };
    }
    turns!("assign", rows!(to; a; to.copy_from_slice(a)), t.assign(&ta), u.assign(&ua), v.assign(&na));
    turns!("fill", rows!(to;; to.fill(black_box(1.0))), t.fill(black_box(1.0)), u.fill(black_box(1.0)), v.fill(black_box(1.0)));
    turns!(
        "for_each_mut",
        rows!(to;; to.iter_mut().for_each(|x| *x *= 1.5)),
        t.for_each_mut(|x| *x *= 1.5),
        u.for_each_mut(|x| *x *= 1.5),
        v.map_inplace(|x| *x *= 1.5)
    );
    turns!(
        "zip_mut, 1 other",
        rows!(to; a; to.iter_mut().zip(a).for_each(|(x, y)| *x += y)),
        t.zip_mut(&ta, |x, y| *x += y),
        u.zip_mut(&ua, |x, y| *x += y),
        Zip::from(&mut v).and(&na).for_each(|x, y| *x += y)
    );
    turns!(
        "zip_mut, 2 others",
        rows!(to; a, b; to.iter_mut().zip(a).zip(b).for_each(|((x, y), z)| *x = y + z)),
        t.zip_mut((&ta, &tb), |x, (y, z)| *x = y + z),
        u.zip_mut((&ua, &ub), |x, (y, z)| *x = y + z),
        Zip::from(&mut v).and(&na).and(&nb).for_each(|x, y, z| *x = y + z)
    );
    turns!(
        "zip_mut, 4 others",
        rows!(to; a, b, c, d; to.iter_mut().zip(a).zip(b).zip(c).zip(d).for_each(|((((x, y), z), v), w)| *x = y * z + v * w)),
        t.zip_mut((&ta, &tb, &tc, &td), |x, (y, z, v, w)| *x = y * z + v * w),
        u.zip_mut((&ua, &ub, &uc, &ud), |x, (y, z, v, w)| *x = y * z + v * w),
        Zip::from(&mut v).and(&na).and(&nb).and(&nc).and(&nd).for_each(|x, y, z, v, w| *x = y * z + v * w)
    );
    turns!(
        "with coordinates",
        x.chunks_mut(pitch).enumerate().for_each(|(i, to)| to[..n].iter_mut().enumerate().for_each(|(j, x)| *x = (i + 2 * j) as f32)),
        t.for_each_indexed_mut(|[i, j], x| *x = (i + 2 * j) as f32),
        u.for_each_indexed_mut(|[i, j], x| *x = (i + 2 * j) as f32),
        Zip::indexed(&mut v).for_each(|(i, j), x| *x = (i + 2 * j) as f32)
    );
    turns!(
        "loops over indices",
        rows!(to; a; to.iter_mut().zip(a).for_each(|(x, y)| *x = 2.0 * y)),
        {
            let (m, n): (usize, usize) = ta.shape();
            assert_eq!((m, n), t.shape());
            for i in 0..m {
                for j in 0..n {
                    t[(i, j)] = 2.0 * ta[(i, j)];
                }
            }
        },
        {
            let (m, n): (usize, usize) = ua.shape();
            assert_eq!((m, n), u.shape());
            for i in 0..m {
                for j in 0..n {
                    u[(i, j)] = 2.0 * ua[(i, j)];
                }
            }
        },
        for i in 0..m {
            for j in 0..n {
                v[(i, j)] = 2.0 * na[(i, j)];
            }
        }
    );
    let (scale, bias) = (&d[..m], &c[..n]);
    let (s, o) = (Tensor::new(scale, layout!((m,) : (1,))).expect("as long"), Tensor::new(bias, layout!((n,) : (1,))).expect("as long"));
    let (ns, no) = (ArrayView1::from(scale).insert_axis(Axis(1)), ArrayView1::from(bias));
    turns!(
        "broadcast to rows",
        rows!(to; a; to.iter_mut().zip(a).zip(bias).for_each(|((x, y), z)| *x = y + z)),
        t.zip_mut((&ta, &o.broadcast((m, Keep))), |x, (y, z)| *x = y + z),
        u.zip_mut((&ua, &o.broadcast((m, Keep))), |x, (y, z)| *x = y + z),
        Zip::from(&mut v).and(&na).and_broadcast(&no).for_each(|x, y, z| *x = y + z)
    );
    turns!(
        "broadcast along rows",
        x.chunks_mut(pitch)
            .zip(a.chunks(pitch))
            .zip(scale)
            .for_each(|((x, y), z)| x[..n].iter_mut().zip(&y[..n]).for_each(|(x, y)| *x = y * z)),
        t.zip_mut((&ta, &s.broadcast((Keep, n))), |x, (y, z)| *x = y * z),
        u.zip_mut((&ua, &s.broadcast((Keep, n))), |x, (y, z)| *x = y * z),
        Zip::from(&mut v).and(&na).and_broadcast(&ns).for_each(|x, y, z| *x = y * z)
    );
    let cross = [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]];
    let part = |i: usize, j: usize| na.slice(s![i..i + m - 2, j..j + n - 2]);
    turns!(
        "five-point stencil",
        x.chunks_mut(pitch).enumerate().skip(1).take(m - 2).for_each(|(i, to)| {
            let [up, here, down] = [i - 1, i, i + 1].map(|i| &a[i * pitch..][..n]);
            let around = up[1..].iter().zip(&down[1..]).zip(here.iter().zip(&here[2..]));
            let to = to[1..n - 1].iter_mut().zip(&here[1..n - 1]);
            to.zip(around).for_each(|((x, here), ((up, down), (left, right)))| *x = 0.5 * here + 0.125 * (up + down + left + right));
        }),
        t.interior_mut(&cross).zip_mut(&ta.neighbours(&cross), |x, [y, a, b, c, d]| *x = 0.5 * y + 0.125 * (a + b + c + d)),
        u.interior_mut(&cross).zip_mut(&ua.neighbours(&cross), |x, [y, a, b, c, d]| *x = 0.5 * y + 0.125 * (a + b + c + d)),
        Zip::from(v.slice_mut(s![1..m - 1, 1..n - 1]))
            .and(part(1, 1))
            .and(part(0, 1))
            .and(part(2, 1))
            .and(part(1, 0))
            .and(part(1, 2))
            .for_each(|x, y, a, b, c, d| *x = 0.5 * y + 0.125 * (a + b + c + d))
    );
    turns!(
        "stencil with its border",
        x.chunks_mut(pitch).enumerate().for_each(|(i, to)| {
            let [up, here, down] = [i.saturating_sub(1), i, (i + 1).min(m - 1)].map(|i| &a[i * pitch..][..n]);
            let mut at = |j: usize, left: usize, right: usize| to[j] = 0.5 * here[j] + 0.125 * (up[j] + down[j] + here[left] + here[right]);
            at(0, 0, 1);
            (1..n - 1).for_each(|j| at(j, j - 1, j + 1));
            at(n - 1, n - 2, n - 1);
        }),
        t.stencil(&ta, &cross, Boundary::Clamp, |x, [y, a, b, c, d]| *x = 0.5 * y + 0.125 * (a + b + c + d)),
        u.stencil(&ua, &cross, Boundary::Clamp, |x, [y, a, b, c, d]| *x = 0.5 * y + 0.125 * (a + b + c + d)),
        Zip::indexed(&mut v).for_each(|(i, j), x| {
            let (up, down, left, right) = (i.saturating_sub(1), (i + 1).min(m - 1), j.saturating_sub(1), (j + 1).min(n - 1));
            *x = 0.5 * na[[i, j]] + 0.125 * (na[[up, j]] + na[[down, j]] + na[[i, left]] + na[[i, right]]);
        })
    );
    let most = [const { Cell::new(0.0f32) }; 4];
    turns!(
        "fold",
        most[0].set(rows_of(&a, pitch, n).flatten().fold(black_box(f32::MIN), |x, y| x.max(*y))),
        most[1].set(ta.fold(black_box(f32::MIN), |x, y| x.max(*y))),
        most[2].set(ua.fold(black_box(f32::MIN), |x, y| x.max(*y))),
        most[3].set(na.fold(black_box(f32::MIN), |x, y| x.max(*y)))
    );
    assert!(most.iter().all(|one| *one == most[0]));
    if pitch == n {
        let (tall, across) = (make_layout((m, n), (Int::<1>, m)), ArrayView2::from_shape((m, n).f(), &a[..]).expect("as long"));
        let columns = Tensor::new(&a[..], tall).expect("as long");
        turns!(
            "transposed, in blocks",
            for (i, j) in (0..m).step_by(BLOCK).flat_map(|i| (0..n).step_by(BLOCK).map(move |j| (i, j))) {
                let end = (j + BLOCK).min(n);
                for i in i..(i + BLOCK).min(m) {
                    x[i * n + j..i * n + end].iter_mut().enumerate().for_each(|(k, x)| *x = a[(j + k) * m + i]);
                }
            },
            t.assign(&columns),
            u.assign(&columns),
            v.assign(&across)
        );
    }
}

fn main() {
    for (m, n, pitch) in [(1000, 64, 64), (1000, 64, 80), (64, 1000, 1000), (100, 77, 77), (16, 16, 16), (4, 4, 4), (5, 3, 3), (5, 3, 4)] {
        walks(m, n, pitch);
    }
}
