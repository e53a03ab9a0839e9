//! What compilers make of it: machine code, messages, and the examples as programs.

mod compiled {
    mod examples;
    mod golden;
}
