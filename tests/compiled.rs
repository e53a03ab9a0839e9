//! The products of compilers: machine code, messages, and the examples as programs.

mod compiled {
    mod examples;
    mod golden;
}
