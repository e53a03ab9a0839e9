//! Kernels are proven in modules and in functions, from any literal, and through other macros.

crd2idx::prove_kernel! { "kernel fill\nblock t < 64\nglobal y (64) written\nstore y[t]" }

mod inner {
    crd2idx::prove_kernel! {
        /// The text of a kernel.
        #[allow(non_upper_case_globals)]
        pub(crate) const fill = race_free, in_bounds: r#"
            kernel fill
            param n >= 1
            block t < n
            global y (n)
            store y[t]
        "#;
    }
}

macro_rules! proven {
    ($name:ident = $text:literal) => {
        crd2idx::prove_kernel! { const $name = $text }
    };
}
proven!(COPY = "kernel copy\nblock t < 64\nglobal x (64) given, y (64) written\nload x[t]\nstore y[t]");

fn main() {
    crd2idx::prove_kernel! { "kernel nothing" }
    assert!(inner::fill.starts_with("\n            kernel fill\n"));
    assert_eq!(COPY.lines().count(), 5);
}
