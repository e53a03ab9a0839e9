//! The machines of programs: lanes, banks, and instructions.

use layout_algebra::memory::Banks;
use layout_core::atoms::{ATOMS, Atom};

/// The processor of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Nvidia,
    Cdna3,
    Cdna4,
    Rdna3,
    Rdna4,
}

/// The targets by the names that a program states.
pub(crate) const TARGETS: [(&str, Target); 5] =
    [("nvidia", Target::Nvidia), ("cdna3", Target::Cdna3), ("cdna4", Target::Cdna4), ("rdna3", Target::Rdna3), ("rdna4", Target::Rdna4)];

/// The sizes of a machine on which costs depend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    pub target: Target,
    /// The number of lanes of a warp.
    pub lanes: i64,
    /// The number of bytes that global memory moves at least.
    pub sector: i64,
    /// The maximum number of bytes of a vector.
    pub vector: i64,
}

impl Target {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        TARGETS.iter().find(|(_, target)| *target == self).map_or("", |(name, _)| name)
    }

    /// Returns the machine.
    ///
    /// Sources: CUDA C++ Programming Guide for sectors of 32 bytes; AMD's "CDNA3" and "RDNA3" Instruction Set Architecture for the lanes of
    /// a wave, and the white papers of both for cache lines of 128 bytes.
    pub fn machine(self) -> Machine {
        let (lanes, sector) = match self {
            Target::Nvidia => (32, 32),
            Target::Cdna3 | Target::Cdna4 => (64, 128),
            Target::Rdna3 | Target::Rdna4 => (32, 128),
        };
        Machine { target: self, lanes, sector, vector: 16 }
    }

    /// Returns the language in which the processor is programmed.
    pub fn language(self) -> &'static str {
        if self == Target::Nvidia { "cuda" } else { "hip" }
    }

    /// Returns the maximum number of bytes of shared memory that a block has without an attribute of its launch.
    pub fn most_shared(self) -> i64 {
        if self == Target::Nvidia { 48 * 1024 } else { 64 * 1024 }
    }

    /// Tests whether the processor has a matrix instruction, with all operands in the registers of one warp.
    pub fn has(self, atom: &Atom) -> bool {
        // CDNA 4 adds these to the instructions of CDNA 3.
        let added = matches!(atom.name, "mfma.16x16x32.f16" | "mfma.32x32x16.f16");
        // Programs for RDNA have waves of 32 lanes and no elements of 4 bits.
        let named = match self {
            Target::Nvidia => atom.name.starts_with("m8n") || atom.name.starts_with("m16n"),
            Target::Cdna3 => atom.name.starts_with("mfma.") && !added,
            Target::Cdna4 => atom.name.starts_with("mfma."),
            Target::Rdna3 => atom.name.starts_with("wmma.rdna3.16") && !atom.name.ends_with(".i4"),
            Target::Rdna4 => atom.name.starts_with("wmma.rdna4.16") && !atom.name.ends_with(".i4"),
        };
        named && atom.layouts.iter().all(Option::is_some)
    }

    /// Returns the names of the matrix instructions.
    pub fn instructions(self) -> impl Iterator<Item = &'static str> {
        ATOMS.iter().filter(move |atom| self.has(atom)).map(|atom| atom.name)
    }
}

impl Machine {
    /// Returns the banks of shared memory, as stores or loads see them.
    pub fn banks(&self, store: bool) -> Banks {
        match (self.target, store) {
            (Target::Cdna3, true) => Banks::CDNA_STORES,
            (Target::Cdna3, false) => Banks::CDNA_LOADS,
            (Target::Cdna4, true) => Banks::CDNA4_STORES,
            (Target::Cdna4, false) => Banks::CDNA4_LOADS,
            (Target::Rdna3 | Target::Rdna4, _) => Banks::RDNA,
            (Target::Nvidia, _) => match self.lanes {
                32 => Banks::NVIDIA,
                64 => Banks::AMD,
                lanes => Banks::new(32, 4, lanes as u32).unwrap_or(Banks::NVIDIA),
            },
        }
    }

    /// Returns the number of bytes that all banks move at once.
    pub fn wavefront(&self, store: bool) -> u64 {
        let banks = self.banks(store);
        u64::from(banks.count() * banks.bytes())
    }
}
