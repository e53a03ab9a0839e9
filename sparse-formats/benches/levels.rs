//! Walks, look-ups and merges by levels beside loops written by hand: `cargo bench -p sparse-formats --bench levels [ROWS] [ENTRIES] [PART OF A NAME]`.

use sparse_formats::{Builder, Duplicates, Format, Indices, SparseTensor};
use std::hint::black_box;
use std::time::Instant;

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * u128::from(n)) >> 64) as u64
    }
}

/// Prints the least of several times in milliseconds.
fn best<T>(name: &str, mut run: impl FnMut() -> T) {
    if std::env::args().nth(3).is_some_and(|part| !name.contains(&part)) {
        return;
    }
    let mut least = f64::INFINITY;
    let (begin, mut rounds) = (Instant::now(), 0);
    while rounds < 7 || begin.elapsed().as_secs_f64() < 1.0 {
        rounds += 1;
        let start = Instant::now();
        let out = black_box(run());
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
        drop(out);
    }
    println!("{name:<28}{least:>9.2} ms");
}

fn random(rng: &mut Rng, side: u64, entries: usize, format: &Format) -> SparseTensor<'static, f64> {
    let rank = format.rank();
    let column = |rng: &mut Rng| -> Indices<'static> { (0..entries).map(|_| rng.below(side) as u32).collect::<Vec<u32>>().into() };
    let columns: Vec<Indices> = (0..rank).map(|_| column(rng)).collect();
    let values: Vec<f64> = (0..entries).map(|k| k as f64).collect();
    let builder = Builder::new(format.clone(), 0.0).duplicates(Duplicates::sum());
    builder.build(&vec![side; rank], &columns, values).expect("a tensor")
}

fn main() {
    let arguments: Vec<usize> = std::env::args().skip(1).take(2).filter_map(|argument| argument.parse().ok()).collect();
    let (side, entries) = (arguments.first().copied().unwrap_or(1_000_000), arguments.get(1).copied().unwrap_or(5_000_000));
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let csr = random(&mut rng, side as u64, entries, &Format::csr());
    let (Some(Indices::U32(pointers)), Some(Indices::U32(indices))) = (csr.pattern().pointers(0), csr.pattern().indices(1)) else {
        panic!("{:?}", csr.format());
    };
    let sum = |i: u64, j: u64, k: usize| (i ^ j).wrapping_mul(k as u64);
    best("walk CSR, by hand", || {
        let mut out = 0u64;
        for i in 0..side {
            let range = pointers[i] as usize..pointers[i + 1] as usize;
            for (k, j) in range.clone().zip(&indices[range]) {
                out = out.wrapping_add(sum(i as u64, u64::from(*j), k));
            }
        }
        out
    });
    best("walk CSR, next_entry", || {
        let (mut out, mut walk) = (0u64, csr.pattern().elements());
        while let Some(entry) = walk.next_entry() {
            out = out.wrapping_add(sum(entry.coordinates[0], entry.coordinates[1], entry.elements.start));
        }
        out
    });
    best("walk CSR, tensor", || {
        let mut out = 0u64;
        csr.for_each(|c, value| out = out.wrapping_add(sum(c[0], c[1], *value.unwrap() as usize)));
        out
    });
    for name in ["S-S-R", "DC-S-R", "S-S-S-R", "DC-DC-S-R", "C-S-S-R"] {
        let format: Format = name.parse().unwrap();
        let extent = if format.rank() == 2 { side as u64 } else { 200_000 };
        let tensor = random(&mut rng, extent, entries, &format);
        best(&format!("walk {name}, tensor"), || {
            let mut out = 0u64;
            tensor.for_each(|c, value| out = out.wrapping_add(sum(c[0], c[1], *value.unwrap() as usize)));
            out
        });
    }
    let wanted: Vec<[u64; 2]> = (0..1_000_000).map(|_| [rng.below(side as u64), rng.below(side as u64)]).collect();
    for (name, tensor) in [("CSR", csr.clone()), ("COO", csr.to_format(&Format::coo(2)).unwrap())] {
        best(&format!("find 1e6 in {name}"), || wanted.iter().filter_map(|c| tensor.pattern().find(c)).count());
    }
    let small = random(&mut rng, 1000, 50_000, &Format::csr());
    let wanted: Vec<[u64; 2]> = (0..1_000_000).map(|_| [rng.below(1000), rng.below(1000)]).collect();
    best("find 1e6 in a small CSR", || wanted.iter().filter_map(|c| small.pattern().find(c)).count());
    let other = random(&mut rng, side as u64, entries, &Format::csr());
    best("CSR + CSR", || csr.add(&other).unwrap().stored());
    best("CSR * CSR", || csr.multiply(&other).unwrap().stored());
    let x: Vec<f64> = (0..side).map(|k| k as f64).collect();
    best("CSR times vector", || csr.times_vector(&x).unwrap());
    best("rows of CSR", || csr.slice(&[(1000..500_000.min(side as u64)).into(), sparse_formats::AxisSelection::All]).unwrap().stored());
}
