//! Small problems: the choice costs as little as the best of all distributions, which an independent search enumerates.

use crate::count::{Table, global, unravel};
use layout_choice::TileProgram;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// A tensor in registers that is loaded from one matrix and stored to another, both with any strides.
struct Problem {
    extents: [i64; 2],
    threads: i64,
    lanes: i64,
    sector: i64,
    bytes: i64,
    strides: [[i64; 2]; 2],
    target: &'static str,
}

impl Problem {
    fn new(random: &mut Random) -> Problem {
        let lanes = 1 << (1 + random.below(2));
        let threads = lanes << random.below(2);
        let extents = [[4, 8], [8, 2], [4, 4], [2, 16], [6, 4], [16, 2], [12, 2], [8, 4]][random.below(8) as usize];
        let pitch = |random: &mut Random, n: i64| n + [0, 0, 0, 1, 4, 8][random.below(6) as usize];
        let mut strides = || match random.below(2) {
            0 => [pitch(random, extents[1]), 1],
            _ => [1, pitch(random, extents[0])],
        };
        let strides = [strides(), strides()];
        Problem { extents, threads, lanes, sector: 32, bytes: 1 << (1 + random.below(3)), strides, target: "" }
    }

    /// Makes a problem for whole waves of a target of AMD, with its sectors.
    fn of_waves(random: &mut Random) -> Problem {
        let target = ["cdna3", "cdna4", "rdna3", "rdna4"][random.below(4) as usize];
        let lanes = if target.starts_with("cdna") { 64 } else { 32 };
        let extents = [[16, 8], [8, 16], [32, 4], [4, 32], [64, 2], [16, 4], [4, 24], [12, 16]][random.below(8) as usize];
        Problem { target, extents, lanes, threads: lanes << random.below(2), sector: 128, ..Problem::new(random) }.with_pitches(random)
    }

    /// Returns the problem with strides that suit its extents.
    fn with_pitches(self, random: &mut Random) -> Problem {
        let [m, n] = self.extents;
        let mut strides = || {
            let more = [0, 0, 0, 1, 4, 8][random.below(6) as usize];
            if random.below(2) == 0 { [n + more, 1] } else { [1, m + more] }
        };
        Problem { strides: [strides(), strides()], ..self }
    }

    fn text(&self) -> String {
        let Problem { extents: [m, n], threads, lanes, sector, bytes, strides, target } = self;
        let machine = match *target {
            "" => format!("lanes {lanes}\nsector {sector}"),
            target => format!("target {target}"),
        };
        let element = ["u8", "u16", "u32", "", "u64"][*bytes as usize / 2];
        format!(
            "tile t\nthreads {threads}\n{machine}\nglobal a {element} ({m},{n}):({},{})\n\
             global b {element} ({m},{n}):({},{})\nregisters x {element} ({m},{n})\nx[i, j] <- a[i, j]\nb[i, j] <- x[i, j]",
            strides[0][0], strides[0][1], strides[1][0], strides[1][1]
        )
    }

    /// Returns the time of both transfers and their sectors.
    fn cost(&self, table: &Table) -> (u64, u64) {
        let address = |strides: [i64; 2]| {
            move |c: i64| {
                let at = unravel(c, &self.extents);
                at[0] * strides[0] + at[1] * strides[1]
            }
        };
        let of = |k: usize| {
            let most = self.longest(self.strides[k]);
            global(table, address(self.strides[k]), (self.bytes, most), k == 1, self.lanes as usize, self.sector)
        };
        (of(0).0 + of(1).0, of(0).1 + of(1).1)
    }

    /// Returns the number of neighbours in memory whose coordinates differ in factors of two alone.
    fn longest(&self, strides: [i64; 2]) -> i64 {
        let mut run = 1;
        while let Some(k) = (0..2).find(|k| strides[*k] == run && self.extents[*k] > 1) {
            let twos = 1 << self.extents[k].trailing_zeros();
            run *= twos;
            if twos != self.extents[k] {
                break;
            }
        }
        run
    }

    /// Returns the least cost over all orders of the prime factors of both extents, cut into values, lanes and warps; and their number.
    fn least(&self) -> ((u64, u64), usize) {
        let mut factors = Vec::new();
        let mut stride = 1;
        for extent in self.extents {
            let mut left = extent;
            for factor in [2, 3] {
                while left % factor == 0 {
                    factors.push((factor, stride));
                    stride *= factor;
                    left /= factor;
                }
            }
        }
        // Threads beyond the elements hold copies.
        let size: i64 = self.extents.iter().product();
        let copies = self.threads / (1..=self.threads).filter(|d| self.threads % d == 0 && size % d == 0).max().unwrap();
        (0..copies.trailing_zeros()).for_each(|_| factors.push((2, 0)));
        let (mut least, mut count) = ((u64::MAX, u64::MAX), 0);
        permute(&mut factors, 0, &mut |order| {
            let (mut threads, mut k) = (1, 0);
            while k < order.len() && threads < self.threads {
                threads *= order[k].0;
                k += 1;
            }
            // The order within lanes and within warps changes no count, so one of them suffices.
            let product = |place: usize| order[..=place].iter().map(|of| of.0).product::<i64>();
            let lanes = (0..k).find(|place| product(*place) == self.lanes);
            let Some(cut) = lanes.map(|place| place + 1).or((self.lanes == 1).then_some(0)) else { return };
            let sorted = |of: &[(i64, i64)]| of.windows(2).all(|pair| pair[0].1 <= pair[1].1);
            if threads != self.threads || !sorted(&order[..cut]) || !sorted(&order[cut..k]) || order[k..].iter().any(|of| of.1 == 0) {
                return;
            }
            let (threads, values) = order.split_at(k);
            count += 1;
            least = least.min(self.cost(&Table::of_digits(threads, values)));
        });
        (least, count)
    }
}

/// Calls `visit` with each order of `all` that begins with its first `from` parts.
fn permute(all: &mut Vec<(i64, i64)>, from: usize, visit: &mut impl FnMut(&[(i64, i64)])) {
    if from == all.len() {
        visit(all);
        return;
    }
    for k in from..all.len() {
        if all[from..k].contains(&all[k]) {
            continue;
        }
        all.swap(from, k);
        permute(all, from + 1, visit);
        all.swap(from, k);
    }
}

#[test]
fn choices_of_one_tensor_are_the_best_of_all() {
    assert!(all_are_best(300, Problem::new) > 10_000);
}

/// Waves of 64 and of 32 lanes, as the targets of AMD have them.
#[test]
fn choices_of_whole_waves_are_the_best_of_all() {
    assert!(all_are_best(60, Problem::of_waves) > 1_000);
}

/// Compares the choices for `count` random problems with all distributions. Returns the number of distributions.
fn all_are_best(count: usize, problem: impl Fn(&mut Random) -> Problem) -> usize {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut solved, mut tried) = (0, 0);
    while solved < count {
        let problem = problem(&mut random);
        let text = problem.text();
        let chosen = match TileProgram::parse(&text).unwrap().choose() {
            Ok(chosen) => chosen,
            Err(error) => {
                assert_eq!(problem.least().1, 0, "{text}\n{error}");
                continue;
            }
        };
        let layout = chosen.layout("x").unwrap();
        let table = Table::of(&layout);
        assert!(table.holds(problem.extents.iter().product::<i64>() as usize), "{text}\n{layout}");
        let (least, count) = problem.least();
        assert_eq!((chosen.cost().global, chosen.cost().sectors), problem.cost(&table), "{text}\n{layout}");
        assert_eq!((chosen.cost().global, chosen.cost().sectors), least, "{text}\n{layout}");
        assert!(chosen.is_optimal());
        assert!(chosen.least().global <= least.0 && chosen.least().sectors <= least.1);
        solved += 1;
        tried += count;
    }
    tried
}
