//! Random numbers, bits of bytes, and layouts as text.

use layout_core::DynLayout;
use packed_elements::PackedElement;

/// The random generator xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 8
    }

    /// Returns a number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    pub fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        (1..n).rev().for_each(|k| order.swap(k, self.below(k + 1)));
        order
    }

    /// Returns up to four extents, of a product of at most `size`.
    pub fn extents(&mut self, size: usize) -> Vec<usize> {
        let (mut left, mut extents) = (size, Vec::new());
        for _ in 0..1 + self.below(4) {
            // Extents of 1, 2 and 8 are frequent in words, large ones in runs.
            let n = [1, 2, 3, 4, 5, 8, 16, left][self.below(8)].min(left);
            extents.push(n);
            left /= n;
        }
        extents
    }

    /// Returns strides that give no index twice: compact in a random order of the modes, with gaps between some, and some negative.
    pub fn injective(&mut self, extents: &[usize]) -> Vec<isize> {
        let mut strides = vec![0; extents.len()];
        let (gaps, negative) = (self.below(3) == 0, self.below(3) == 0);
        let mut span = 1;
        for k in self.shuffled(extents.len()) {
            strides[k] = if negative && self.below(2) == 0 { -(span as isize) } else { span as isize };
            span *= extents[k];
            if gaps {
                span += self.below(3);
            }
        }
        strides
    }
}

pub type Dynamic = DynLayout<16>;

pub fn layout(text: &str) -> Dynamic {
    Dynamic::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn strided(extents: &[usize], strides: &[isize]) -> Dynamic {
    let list = |numbers: Vec<String>| numbers.join(",");
    let (extents, strides) = (extents.iter().map(ToString::to_string), strides.iter().map(ToString::to_string));
    layout(&format!("({}):({})", list(extents.collect()), list(strides.collect())))
}

/// Returns bit `k` of the bytes: the definition that everything is compared with.
pub fn bit(bytes: &[u8], k: usize) -> bool {
    bytes[k / 8] >> (k % 8) & 1 == 1
}

pub fn set_bit(bytes: &mut [u8], k: usize, value: bool) {
    bytes[k / 8] = bytes[k / 8] & !(1 << (k % 8)) | u8::from(value) << (k % 8);
}

/// Returns the pattern of element `index`, bit by bit.
pub fn pattern<E: PackedElement>(bytes: &[u8], index: usize) -> u16 {
    let bits = E::BITS as usize;
    (0..bits).map(|k| u16::from(bit(bytes, index * bits + k)) << k).sum()
}

/// Sets the pattern of element `index`, bit by bit.
pub fn set_pattern<E: PackedElement>(bytes: &mut [u8], index: usize, pattern: u16) {
    let bits = E::BITS as usize;
    (0..bits).for_each(|k| set_bit(bytes, index * bits + k, pattern >> k & 1 == 1));
}

/// Calls a generic function for a type of each number of bits.
#[macro_export]
macro_rules! for_each_width {
    ($function:ident($($argument:expr),*)) => {
        $function::<packed_elements::U1>($($argument),*);
        $function::<packed_elements::I2>($($argument),*);
        $function::<packed_elements::U4>($($argument),*);
        $function::<packed_elements::F6E2M3>($($argument),*);
        $function::<u8>($($argument),*);
        $function::<i16>($($argument),*);
    };
}
