use crd2idx::program::Program;

fn main() {}
