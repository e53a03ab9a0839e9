//! The recorded graphs of columns that are exchanged or rotated, depending on their rows.

mod ext_pairswap_8_1 {
    crd2idx::graph! {
        dim phys = 8, col = 8, row = 32;
        PairSwap(phys -> col, row; rows_per_group = 1);

        pub fn reverse_phys = reverse(col, row) -> phys;
    }
    answers! { "ext-pairswap-8-1"
        reverse_phys = reverse(col, row) -> (phys);
    }
}

mod ext_rotate_8_1_fwd {
    crd2idx::graph! {
        dim phys = 8, col = 8, row = 32;
        Rotate(phys -> col, row; rows_per_group = 1, positions = 8, inverse = false);

        pub fn reverse_phys = reverse(col, row) -> phys;
    }
    answers! { "ext-rotate-8-1-fwd"
        reverse_phys = reverse(col, row) -> (phys);
    }
}

mod ext_rotate_8_1_inv {
    crd2idx::graph! {
        dim phys = 8, col = 8, row = 32;
        Rotate(phys -> col, row; rows_per_group = 1, positions = 8, inverse = true);

        pub fn reverse_phys = reverse(col, row) -> phys;
    }
    answers! { "ext-rotate-8-1-inv"
        reverse_phys = reverse(col, row) -> (phys);
    }
}

mod ext_pairswap_8_2 {
    crd2idx::graph! {
        dim phys = 8, col = 8, row = 32;
        PairSwap(phys -> col, row; rows_per_group = 2);

        pub fn reverse_phys = reverse(col, row) -> phys;
    }
    answers! { "ext-pairswap-8-2"
        reverse_phys = reverse(col, row) -> (phys);
    }
}

mod ext_rotate_8_2_fwd {
    crd2idx::graph! {
        dim phys = 8, col = 8, row = 32;
        Rotate(phys -> col, row; rows_per_group = 2, positions = 8, inverse = false);

        pub fn reverse_phys = reverse(col, row) -> phys;
    }
    answers! { "ext-rotate-8-2-fwd"
        reverse_phys = reverse(col, row) -> (phys);
    }
}

mod ext_rotate_8_2_inv {
    crd2idx::graph! {
        dim phys = 8, col = 8, row = 32;
        Rotate(phys -> col, row; rows_per_group = 2, positions = 8, inverse = true);

        pub fn reverse_phys = reverse(col, row) -> phys;
    }
    answers! { "ext-rotate-8-2-inv"
        reverse_phys = reverse(col, row) -> (phys);
    }
}

mod ext_pairswap_16_4 {
    crd2idx::graph! {
        dim phys = 16, col = 16, row = 32;
        PairSwap(phys -> col, row; rows_per_group = 4);

        pub fn reverse_phys = reverse(col, row) -> phys;
    }
    answers! { "ext-pairswap-16-4"
        reverse_phys = reverse(col, row) -> (phys);
    }
}

mod ext_rotate_16_4_fwd {
    crd2idx::graph! {
        dim phys = 16, col = 16, row = 32;
        Rotate(phys -> col, row; rows_per_group = 4, positions = 16, inverse = false);

        pub fn reverse_phys = reverse(col, row) -> phys;
    }
    answers! { "ext-rotate-16-4-fwd"
        reverse_phys = reverse(col, row) -> (phys);
    }
}

mod ext_rotate_16_4_inv {
    crd2idx::graph! {
        dim phys = 16, col = 16, row = 32;
        Rotate(phys -> col, row; rows_per_group = 4, positions = 16, inverse = true);

        pub fn reverse_phys = reverse(col, row) -> phys;
    }
    answers! { "ext-rotate-16-4-inv"
        reverse_phys = reverse(col, row) -> (phys);
    }
}
