//! Compares the vectors of this processor with loops over single elements: transpositions, and two to eight streams that are
//! interleaved and separated, in cache. `cargo bench -p relayout --bench vectors` prints times.
//!
//! `CASE BYTES SET TURNS` runs one case and prints nothing, for counts of instructions: `transpose 4 vectors 100`. `SET` is
//! `vectors` or `scalar`. `list` prints the cases.

use layout_core::tensor::PlainData;
use relayout::{InstructionSet, Side, Transfer};
use std::hint::black_box;
use std::time::Instant;

/// The names of the cases, and the shape and both layouts of each.
const CASES: [(&str, &str, &str); 9] = [
    ("transpose", "(64,64):(64,1)", "(64,64):(1,64)"),
    ("interleave2", "(2,2048):(2048,1)", "(2,2048):(1,2)"),
    ("interleave3", "(3,1360):(1360,1)", "(3,1360):(1,3)"),
    ("interleave4", "(4,1024):(1024,1)", "(4,1024):(1,4)"),
    ("interleave8", "(8,512):(512,1)", "(8,512):(1,8)"),
    ("separate2", "(2,2048):(1,2)", "(2,2048):(2048,1)"),
    ("separate3", "(3,1360):(1,3)", "(3,1360):(1360,1)"),
    ("separate4", "(4,1024):(1,4)", "(4,1024):(1024,1)"),
    ("separate8", "(8,512):(1,8)", "(8,512):(512,1)"),
];
/// The number of elements of every case, or a few more.
const ELEMENTS: usize = 4096;
/// The number of bytes of a cache line, at which both storages begin.
const LINE: usize = 64;

/// A transfer of elements of any type, with its memory.
struct Run(Box<dyn FnMut()>);

impl Run {
    fn new(name: &str, bytes: usize, set: InstructionSet) -> Run {
        let (_, source, target) = CASES.iter().find(|case| case.0 == name).expect("a case of the list");
        match bytes {
            1 => Run::of(source, target, set, |k| k as u8),
            2 => Run::of(source, target, set, |k| k as u16),
            4 => Run::of(source, target, set, |k| k as u32),
            8 => Run::of(source, target, set, |k| k as u64),
            _ => Run::of(source, target, set, |k| k as u128),
        }
    }

    fn of<T: PlainData + Default + Send + Sync + 'static>(source: &str, target: &str, set: InstructionSet, value: fn(usize) -> T) -> Run {
        let side = |text: &str| Side::parse(text).expect("a layout");
        let transfer = Transfer::<T>::new(&side(source), &side(target)).expect("a plan").with_instruction_set(set);
        let (from, mut to): (Vec<T>, _) = ((0..ELEMENTS + LINE).map(value).collect(), vec![T::default(); ELEMENTS + LINE]);
        // A transposition of this size takes an eighth more if the target begins within a line.
        let [source, target] = [from.as_ptr(), to.as_ptr()].map(|first| first.align_offset(LINE));
        Run(Box::new(move || transfer.run(black_box(&from[source..]), black_box(&mut to[target..])).expect("room")))
    }

    /// Returns the least seconds of a run.
    fn seconds(&mut self) -> f64 {
        const TURNS: usize = 50;
        let once = || {
            let clock = Instant::now();
            (0..TURNS).for_each(|_| (self.0)());
            clock.elapsed().as_secs_f64() / TURNS as f64
        };
        std::iter::repeat_with(once).take(100).fold(f64::INFINITY, f64::min)
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["list"] => CASES.iter().for_each(|case| println!("{}", case.0)),
        [name, bytes, set, turns] => {
            let set = if *set == "scalar" { InstructionSet::Scalar } else { InstructionSet::best() };
            let mut run = Run::new(name, bytes.parse().expect("a number of bytes"), set);
            (0..turns.parse().expect("a number of turns")).for_each(|_: usize| (run.0)());
        }
        _ => {
            println!("Time of {:?} over the time of single elements, by bytes of an element:", InstructionSet::best());
            println!("{:<12}{:>7}{:>7}{:>7}{:>7}{:>7}", "", 1, 2, 4, 8, 16);
            for (name, ..) in CASES {
                let ratio = |bytes| {
                    let [wide, scalar] = [InstructionSet::best(), InstructionSet::Scalar].map(|set| Run::new(name, bytes, set).seconds());
                    format!("{:>7.2}", wide / scalar)
                };
                println!("{name:<12}{}", [1, 2, 4, 8, 16].map(ratio).concat());
            }
        }
    }
}
