//! The recorded graphs of one and two tiles, in one and two dimensions, as functions of `graph!`.

mod unit_flatten_64x64 {
    crd2idx::graph! {
        flatten sizes;
        dim x = 64 : 1, y = 64 : 1, m = 4096 : 1;
        Flatten(x, y -> m);

        pub fn forward_m = forward(x, y) -> m;
        pub fn reverse_x_y = reverse(m) -> (x, y);
    }
    answers! { "unit-flatten-64x64"
        forward_m = forward(x, y) -> (m);
        reverse_x_y = reverse(m) -> (x, y);
    }
}

mod unit_flatten_3d {
    crd2idx::graph! {
        flatten sizes;
        dim x = 64 : 1, y = 32 : 4, z = 16 : 8, m;
        Flatten(x, y, z -> m);

        pub fn forward_m = forward(x, y, z) -> m;
        pub fn reverse_x_y_z = reverse(m) -> (x, y, z);
    }
    answers! { "unit-flatten-3d"
        forward_m = forward(x, y, z) -> (m);
        reverse_x_y_z = reverse(m) -> (x, y, z);
    }
}

mod unit_1d_split_tile {
    crd2idx::graph! {
        dim u, i = 1024 : 2, wg = _ : 1, wf = 64 : 1;
        Split(u -> i);
        Tile(i -> wg, wf);

        pub fn reverse_u_i = reverse(wg, wf) -> (u, i);
        pub fn forward_wg_wf = forward(i) -> (wg, wf);
        pub fn wg_by_1 = delta wg reverse(wg, wf) -> u;
        pub fn wf_by_1 = delta wf reverse(wg, wf) -> u;
    }
    answers! { "unit-1d-split-tile"
        reverse_u_i = reverse(wg, wf) -> (u, i);
        forward_wg_wf = forward(i) -> (wg, wf);
        wg_by_1 = reverse delta wg by 1(wg, wf) -> (u);
        wf_by_1 = reverse delta wf by 1(wg, wf) -> (u);
    }
}

mod unit_1d_tile3 {
    crd2idx::graph! {
        dim u, i = 1024 : 2, wg = _ : 1, wf = 64 : 1, un = 4 : 1;
        Split(u -> i);
        Tile(i -> wg, wf, un);

        pub fn reverse_u = reverse(wg, wf, un) -> u;
    }
    answers! { "unit-1d-tile3"
        reverse_u = reverse(wg, wf, un) -> (u);
    }
}

mod unit_1d_two_level {
    crd2idx::graph! {
        dim u, i = 1024 : 2, wg = _ : 1, wf = 256 : 1, th = 64 : 1, un = 4 : 1;
        Split(u -> i);
        Tile(i -> wg, wf);
        Tile(wf -> th, un);

        pub fn reverse_u = reverse(wg, th, un) -> u;
    }
    answers! { "unit-1d-two-level"
        reverse_u = reverse(wg, th, un) -> (u);
    }
}

mod unit_2d_tile {
    crd2idx::graph! {
        dim A, Ai = 100 : 300, Aj = 300 : 1, T, i = 16 : 16, j = 16 : 1, tx = _ : 1, ty = _ : 1;
        Split(A -> Ai, Aj);
        Join(i, j -> T);
        Tile(Ai -> tx, i);
        Tile(Aj -> ty, j);

        pub fn forward_i = forward(Ai) -> i;
    }
    answers! { "unit-2d-tile"
        forward_i = forward(Ai) -> (i);
        "i = 33": "outside its size, which the functions take for granted";
        "unreachable": "refused: checks/messages/tests/ui/fail/graph_unbound.rs";
    }
}

mod unit_wave_tile_strides {
    crd2idx::graph! {
        dim W = 64 : 1, wi = 32 : 2, wj = 2 : 1;
        Join(wi, wj -> W);

        pub fn forward_w = forward(wi, wj) -> W;
    }
    answers! { "unit-wave-tile-strides"
        forward_w = forward(wi, wj) -> (W);
    }
}

mod unit_passthrough_flatten {
    crd2idx::graph! {
        dim t = 512, ign = 2, F = 1024, lin = 1024, ti = 512, tj = 2;
        PassThrough(t -> ti);
        PassThrough(ign -> tj);
        Flatten(ti, tj -> F);
        PassThrough(F -> lin);

        pub fn reverse_t_ign = reverse(lin) -> (t, ign);
        pub fn forward_lin = forward(t, ign) -> lin;
    }
    answers! { "unit-passthrough-flatten"
        reverse_t_ign = reverse(lin) -> (t, ign);
        forward_lin = forward(t, ign) -> (lin);
    }
}
