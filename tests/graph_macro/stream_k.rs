//! The recorded graphs of a matrix product that streams some steps and runs the others in parallel.

mod streamk_basic_10x12x512_wg32 {
    crd2idx::graph! {
        flatten sizes;
        dim m = 10 : 1, n = 12 : 1, k = 512 : 1, tile = 61440 : 1, wg = 32 : 1, loc = 1920 : 1, ft = _ : 1,
            fk = _ : 1;
        Flatten(m, n, k -> tile);
        Tile(tile -> wg, loc);
        Split(loc -> ft, fk);

        pub fn reverse_m_n_k = reverse(wg, ft, fk) -> (m, n, k);
    }
    answers! { "streamk-basic-10x12x512-wg32"
        reverse_m_n_k = reverse(wg, ft, fk) -> (m, n, k);
    }
}

mod streamk_two_tile_10x12x512_wg32 {
    crd2idx::graph! {
        flatten sizes;
        dim m = 10 : 1, n = 12 : 1, k = 512 : 1, tile = 61440 : 1, SK = 28672 : 1, DP = 32768 : 1, sel = 2 : 1,
            wgs = 32 : 1, ls = 896 : 1, wgd = 32 : 1, ld = 1024 : 1, ft = _ : 1, fk = _ : 1;
        Flatten(m, n, k -> tile);
        Sunder(tile -> SK, DP, sel);
        Tile(SK -> wgs, ls);
        Tile(DP -> wgd, ld);
        Split(ls -> ft, fk);
        Split(ld -> ft, fk);

        pub fn reverse_m_n_k_sel0 = reverse(wgs, ft, fk, sel = 0) -> (m, n, k);
        pub fn reverse_m_n_k_sel1 = reverse(wgd, ft, fk, sel = 1) -> (m, n, k);
        pub fn wgs_by_1_sel0 = delta wgs reverse(wgs, ft, fk, sel = 0) -> tile;
        pub fn wgd_by_1_sel0 = delta wgd reverse(wgs, wgd, ft, fk, sel = 0) -> tile;
    }
    answers! { "streamk-two-tile-10x12x512-wg32"
        reverse_m_n_k_sel0 = reverse(wgs, ft, fk; sel = 0) -> (m, n, k);
        reverse_m_n_k_sel1 = reverse(wgd, ft, fk; sel = 1) -> (m, n, k);
        wgs_by_1_sel0 = reverse delta wgs by 1(wgs, ft, fk; sel = 0) -> (tile);
        wgd_by_1_sel0 = reverse delta wgd by 1(wgs, wgd, ft, fk; sel = 0) -> (tile);
        "switch_out_of_range": "refused: checks/messages/tests/ui/fail/graph_switch.rs";
        "unreachable": "refused: checks/messages/tests/ui/fail/graph_unbound.rs";
    }
}

mod streamk_two_tile_6x6x4_wg12 {
    crd2idx::graph! {
        flatten sizes;
        dim m = 6 : 1, n = 6 : 1, k = 4 : 1, tile = 144 : 1, SK = 48 : 1, DP = 96 : 1, sel = 2 : 1, wgs = 12 : 1,
            ls = 4 : 1, wgd = 12 : 1, ld = 8 : 1, ft = _ : 1, fk = _ : 1;
        Flatten(m, n, k -> tile);
        Sunder(tile -> SK, DP, sel);
        Tile(SK -> wgs, ls);
        Tile(DP -> wgd, ld);
        Split(ls -> ft, fk);
        Split(ld -> ft, fk);

        pub fn reverse_m_n_k_sel0 = reverse(wgs, ft, fk, sel = 0) -> (m, n, k);
        pub fn reverse_m_n_k_sel1 = reverse(wgd, ft, fk, sel = 1) -> (m, n, k);
        pub fn wgs_by_1_sel0 = delta wgs reverse(wgs, ft, fk, sel = 0) -> tile;
        pub fn wgd_by_1_sel0 = delta wgd reverse(wgs, wgd, ft, fk, sel = 0) -> tile;
    }
    answers! { "streamk-two-tile-6x6x4-wg12"
        reverse_m_n_k_sel0 = reverse(wgs, ft, fk; sel = 0) -> (m, n, k);
        reverse_m_n_k_sel1 = reverse(wgd, ft, fk; sel = 1) -> (m, n, k);
        wgs_by_1_sel0 = reverse delta wgs by 1(wgs, ft, fk; sel = 0) -> (tile);
        wgd_by_1_sel0 = reverse delta wgd by 1(wgs, wgd, ft, fk; sel = 0) -> (tile);
        "switch_out_of_range": "refused: checks/messages/tests/ui/fail/graph_switch.rs";
        "unreachable": "refused: checks/messages/tests/ui/fail/graph_unbound.rs";
    }
}
