//! Placements and moves, compared with enumerations.

mod enumeration;
mod large;
mod moves;
mod random;
mod vocabularies;
