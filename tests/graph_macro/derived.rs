//! The recorded graphs of derived cases: piecewise sums, long products, padding, negative strides, addresses.

mod paj_two_way {
    crd2idx::graph! {
        dim a, b, f;
        PiecewiseAffineJoin(a, b -> f; if a < b { 10 * a + b + 7 } else { a + 10 * b - 3 });

        pub fn forward_f = forward(a, b) -> f;
    }
    answers! { "paj-two-way"
        forward_f = forward(a, b) -> (f);
    }
}

mod flatten_5x2x3x4 {
    crd2idx::graph! {
        dim x0 = 5 : 24, x1 = 2 : 12, x2 = 3 : 4, x3 = 4 : 1, k = 120 : 1;
        Flatten(x0, x1, x2, x3 -> k);

        pub fn forward_k = forward(x0, x1, x2, x3) -> k;
        pub fn reverse_x0_x1_x2_x3 = reverse(k) -> (x0, x1, x2, x3);
    }
    answers! { "flatten-5x2x3x4"
        forward_k = forward(x0, x1, x2, x3) -> (k);
        reverse_x0_x1_x2_x3 = reverse(k) -> (x0, x1, x2, x3);
    }
}

mod tile_nx4 {
    crd2idx::graph! {
        dim v, t0, t1 = 4;
        Tile(v -> t0, t1);

        pub fn forward_t0_t1 = forward(v) -> (t0, t1);
    }
    answers! { "tile-nx4"
        forward_t0_t1 = forward(v) -> (t0, t1);
    }
}

mod tile_nx64x4x2 {
    crd2idx::graph! {
        dim v, t0, t1 = 64, t2 = 4, t3 = 2;
        Tile(v -> t0, t1, t2, t3);

        pub fn forward_t0_t1_t2_t3 = forward(v) -> (t0, t1, t2, t3);
    }
    answers! { "tile-nx64x4x2"
        forward_t0_t1_t2_t3 = forward(v) -> (t0, t1, t2, t3);
    }
}

mod join_lda_pad {
    crd2idx::graph! {
        dim a = 8 : 40, b = 32 : 1, k;
        Join(a, b -> k);

        pub fn forward_k = forward(a, b) -> k;
        pub fn a_by_2 = delta a by 2 forward(a, b) -> k;
        pub fn b_by_1 = delta b forward(a, b) -> k;
    }
    answers! { "join-lda-pad"
        forward_k = forward(a, b) -> (k);
        a_by_2 = forward delta a by 2(a, b) -> (k);
        b_by_1 = forward delta b by 1(a, b) -> (k);
    }
}

mod join_reversed {
    crd2idx::graph! {
        dim a = 4 : -5, b = 5 : 1, k;
        Join(a, b -> k);

        pub fn forward_k = forward(a, b) -> k;
        pub fn a_by_2 = delta a by 2 forward(a, b) -> k;
        pub fn b_by_1 = delta b forward(a, b) -> k;
    }
    answers! { "join-reversed"
        forward_k = forward(a, b) -> (k);
        a_by_2 = forward delta a by 2(a, b) -> (k);
        b_by_1 = forward delta b by 1(a, b) -> (k);
    }
}

mod gemm_2level_256x128_ld128_row_128x32_32x8 {
    crd2idx::graph! {
        dim A, r = 256 : 128, c = 128 : 1, WM, mi = 128, WK, ki = 32, vM, m2 = 32, vK, k2 = 8;
        Split(A -> r, c);
        Tile(r -> WM, mi);
        Tile(c -> WK, ki);
        Tile(mi -> vM, m2);
        Tile(ki -> vK, k2);

        pub fn reverse_a = reverse(WM, WK, vM, m2, vK, k2) -> A;
        pub fn wm_by_1 = delta WM reverse(WM, WK, vM, m2, vK, k2) -> A;
        pub fn vm_by_1 = delta vM reverse(WM, WK, vM, m2, vK, k2) -> A;
        pub fn m2_by_1 = delta m2 reverse(WM, WK, vM, m2, vK, k2) -> A;
        pub fn vk_by_1 = delta vK reverse(WM, WK, vM, m2, vK, k2) -> A;
        pub fn forward_wm_wk_vm_m2_vk_k2 = forward(r, c) -> (WM, WK, vM, m2, vK, k2);
    }
    answers! { "gemm-2level-256x128-ld128-row-128x32-32x8"
        reverse_a = reverse(WM, WK, vM, m2, vK, k2) -> (A);
        wm_by_1 = reverse delta WM by 1(WM, WK, vM, m2, vK, k2) -> (A);
        vm_by_1 = reverse delta vM by 1(WM, WK, vM, m2, vK, k2) -> (A);
        m2_by_1 = reverse delta m2 by 1(WM, WK, vM, m2, vK, k2) -> (A);
        vk_by_1 = reverse delta vK by 1(WM, WK, vM, m2, vK, k2) -> (A);
        forward_wm_wk_vm_m2_vk_k2 = forward(r, c) -> (WM, WK, vM, m2, vK, k2);
    }
}

mod lds_store_padded {
    crd2idx::graph! {
        flatten sizes;
        dim lds, row = 32 : 36, col = 32 : 1, tid = 256 : 1, v = 4 : 1, lin = 1024 : 1;
        Flatten(tid, v -> lin);
        Tile(lin -> row, col);
        Join(row, col -> lds);

        pub fn forward_lds = forward(tid, v) -> lds;
    }
    answers! { "lds-store-padded"
        forward_lds = forward(tid, v) -> (lds);
    }
}
