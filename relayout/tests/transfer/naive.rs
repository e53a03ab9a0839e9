//! Compares transfers at every level with a loop over coordinates.

use layout_core::layouts::Swizzle;
use relayout::{InstructionSet, Side, Transfer};

/// A side: its digits as (extent, stride), the fastest first, and the offset of the first element.
#[derive(Clone, Debug)]
pub struct Strides {
    pub digits: Vec<(i64, i64)>,
    pub base: i64,
}

impl Strides {
    /// Returns the offset of the element at a linear coordinate.
    pub fn at(&self, mut coordinate: i64) -> i64 {
        self.digits.iter().fold(self.base, |offset, (extent, stride)| {
            let digit = coordinate % extent;
            coordinate /= extent;
            offset + digit * stride
        })
    }

    pub fn size(&self) -> i64 {
        self.digits.iter().map(|(extent, _)| extent).product()
    }

    /// Returns the number of elements of a storage for this side, a few more than needed.
    pub fn storage(&self) -> usize {
        let reach: i64 = self.digits.iter().map(|(extent, stride)| (extent - 1).max(0) * stride.max(&0)).sum();
        (self.base + reach + 3) as usize
    }

    pub fn side(&self) -> Side {
        let list = |of: fn(&(i64, i64)) -> i64| self.digits.iter().map(|digit| of(digit).to_string()).collect::<Vec<_>>().join(",");
        let text = format!("({}):({})", list(|digit| digit.0), list(|digit| digit.1));
        Side::parse(&text).expect("a side").with_base(&[self.base])
    }
}

/// A type of elements that makes a value from any number.
pub trait Element: layout_core::tensor::PlainData + PartialEq + std::fmt::Debug {
    fn of(k: usize) -> Self;
}

macro_rules! element {
    ($($type:ty)*) => { $(
        impl Element for $type {
            fn of(k: usize) -> Self {
                ((k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7) as $type
            }
        }
    )* };
}
element!(u8 u16 u32 u64 u128);

impl Element for [u8; 3] {
    fn of(k: usize) -> Self {
        [k as u8, (k >> 8) as u8, (k >> 16) as u8]
    }
}

impl Element for [u32; 3] {
    fn of(k: usize) -> Self {
        [k as u32, 7, !k as u32]
    }
}

/// Returns the instruction sets of this processor.
pub fn levels() -> Vec<InstructionSet> {
    let best = InstructionSet::best();
    let mut levels = vec![InstructionSet::Scalar, InstructionSet::Avx2.min(best), best];
    levels.dedup();
    levels
}

/// Checks the transfer at every level, with and without streaming. The target begins `begin` elements into its memory.
pub fn check<T: Element>(source: &Strides, target: &Strides, begin: usize) {
    let transfer = Transfer::<T>::new(&source.side(), &target.side()).expect("a plan");
    compare(&transfer, source, target, |index| index, target.storage(), begin);
}

/// Does what [`check`] does, for a swizzled target.
pub fn check_swizzled<T: Element>(source: &Strides, target: &Strides, swizzle: Swizzle, begin: usize) {
    let transfer = Transfer::<T>::swizzled(&source.side(), None, &target.side(), Some(swizzle)).expect("a plan");
    let block = (swizzle.source() | swizzle.target()) as usize + 1;
    compare(&transfer, source, target, |index| swizzle.apply(index), target.storage().next_power_of_two().max(block), begin);
}

fn compare<T: Element>(
    transfer: &Transfer<T>,
    source: &Strides,
    target: &Strides,
    image: impl Fn(i64) -> i64,
    storage: usize,
    begin: usize,
) {
    let from: Vec<T> = (0..source.storage()).map(T::of).collect();
    let blank = T::of(usize::MAX / 3);
    let mut expected = vec![blank; storage];
    for c in 0..source.size() {
        expected[image(target.at(c)) as usize] = from[source.at(c) as usize];
    }
    let mut room = vec![blank; storage + begin];
    let same = |room: &[T], how: &str| {
        let wrong = (0..expected.len()).find(|k| room[begin + k] != expected[*k]);
        assert_eq!(wrong, None, "{how}, {begin} in: {source:?} to {target:?} of {} bytes: {transfer:?}", size_of::<T>());
    };
    for level in levels() {
        for streaming in [0, usize::MAX] {
            let transfer = transfer.clone().with_instruction_set(level).with_streaming(streaming);
            room.fill(blank);
            transfer.run(&from, &mut room[begin..]).expect("room");
            same(&room, &format!("{level:?}, streaming from {streaming}"));
            #[cfg(feature = "parallel")]
            {
                room.fill(blank);
                transfer.run_parallel(&from, &mut room[begin..]).expect("room");
                same(&room, &format!("threads, {level:?}, streaming from {streaming}"));
            }
        }
    }
    room.fill(blank);
    transfer.run_any(&from, &mut room[begin..]).expect("room");
    same(&room, "any values");
}
