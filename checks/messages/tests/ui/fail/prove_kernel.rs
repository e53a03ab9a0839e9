mod race {
    crd2idx::prove_kernel! {
        "kernel rotate
        param n >= 1
        grid b < n
        block t < 64
        shared s (64)
        global y (n, 64) written
        store s[t]
        load s[(t + 1) % 64]
        store y[b, t]"
    }
}

mod one_claim {
    crd2idx::prove_kernel! {
        pub const FILL = in_bounds, written: r"
            kernel fill
            param n >= 1
            grid b < ceil(n / 64)
            block t < 64
            global y (n) written
            store y[64 * b + t]
        ";
    }
}

mod no_memory {
    crd2idx::prove_kernel! {
        "kernel fill
        block t < 64
        store y[t]"
    }
}

mod no_claim {
    crd2idx::prove_kernel! { written: "kernel fill\nblock t < 64\nglobal y (64)\nstore y[t]" }
}

mod no_file {
    crd2idx::prove_kernel! { file "/no/such/file.kernel" }
}

mod no_text {
    crd2idx::prove_kernel! { include_str!("fill.kernel") }
}

fn main() {}
