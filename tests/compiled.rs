//! The products of compilers: machine code in `golden`, and the examples as programs in `examples`.

mod compiled {
    mod examples;
    mod golden;
}
