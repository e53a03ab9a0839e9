//! The recorded graphs of the worked examples in the first description of coordinate graphs.

mod seed_flatten_row_major {
    crd2idx::graph! {
        dim i = 2 : 3, j = 3 : 1, k = 6 : 1;
        Flatten(i, j -> k);

        pub fn forward_k = forward(i, j) -> k;
        pub fn reverse_i_j = reverse(k) -> (i, j);
    }
    answers! { "seed-flatten-row-major"
        forward_k = forward(i, j) -> (k);
        reverse_i_j = reverse(k) -> (i, j);
    }
}

mod seed_flatten_col_major_by_strides {
    crd2idx::graph! {
        flatten strides;
        dim i = 2 : 1, j = 3 : 2, k = 6 : 1;
        Flatten(i, j -> k);

        pub fn forward_k = forward(i, j) -> k;
    }
    answers! { "seed-flatten-col-major-by-strides"
        forward_k = forward(i, j) -> (k);
    }
}

mod seed_flatten_col_major_by_edge_order {
    crd2idx::graph! {
        dim i = 2 : 1, j = 3 : 2, k = 6 : 1;
        Flatten(j, i -> k);

        pub fn forward_k = forward(i, j) -> k;
        pub fn reverse_i_j = reverse(k) -> (i, j);
    }
    answers! { "seed-flatten-col-major-by-edge-order"
        forward_k = forward(i, j) -> (k);
        reverse_i_j = reverse(k) -> (i, j);
    }
}

mod seed_tile_row_major {
    crd2idx::graph! {
        dim k = 6 : 1, i = 2 : 3, j = 3 : 1;
        Tile(k -> i, j);

        pub fn forward_i_j = forward(k) -> (i, j);
        pub fn reverse_k = reverse(i, j) -> k;
    }
    answers! { "seed-tile-row-major"
        forward_i_j = forward(k) -> (i, j);
        reverse_k = reverse(i, j) -> (k);
    }
}

mod seed_join_padded_pitch {
    crd2idx::graph! {
        dim i = 4 : 10, j = 6 : 1, k;
        Join(i, j -> k);

        pub fn forward_k = forward(i, j) -> k;
    }
    answers! { "seed-join-padded-pitch"
        forward_k = forward(i, j) -> (k);
        "undefined_direction": "refused: checks/messages/tests/ui/fail/graph_direction.rs";
    }
}

mod seed_join_many_to_one_window {
    crd2idx::graph! {
        dim i = 4 : 1, j = 3 : 1, k;
        Join(i, j -> k);

        pub fn forward_k = forward(i, j) -> k;
    }
    answers! { "seed-join-many-to-one-window"
        forward_k = forward(i, j) -> (k);
    }
}

mod seed_join_broadcast {
    crd2idx::graph! {
        dim i = 4 : 0, j = 5 : 1, k;
        Join(i, j -> k);

        pub fn forward_k = forward(i, j) -> k;
    }
    answers! { "seed-join-broadcast"
        forward_k = forward(i, j) -> (k);
    }
}

mod seed_split_reverse {
    crd2idx::graph! {
        dim K, i = 4 : 10, j = 6 : 1;
        Split(K -> i, j);

        pub fn reverse_k = reverse(i, j) -> K;
        pub fn i_by_2 = delta i by 2 reverse(i, j) -> K;
        pub fn j_by_3 = delta j by 3 reverse(i, j) -> K;
    }
    answers! { "seed-split-reverse"
        reverse_k = reverse(i, j) -> (K);
        i_by_2 = reverse delta i by 2(i, j) -> (K);
        j_by_3 = reverse delta j by 3(i, j) -> (K);
        "undefined_direction": "refused: checks/messages/tests/ui/fail/graph_direction.rs";
    }
}

mod seed_sunder_5_7 {
    crd2idx::graph! {
        dim f = 12 : 1, i = 5 : 1, j = 7 : 1, s = 2 : 1;
        Sunder(f -> i, j, s);

        pub fn reverse_f_s0 = reverse(i, s = 0) -> f;
        pub fn reverse_f_s1 = reverse(j, s = 1) -> f;
    }
    answers! { "seed-sunder-5-7"
        reverse_f_s0 = reverse(i; s = 0) -> (f);
        reverse_f_s1 = reverse(j; s = 1) -> (f);
        "switch_out_of_range": "refused: checks/messages/tests/ui/fail/graph_switch.rs";
        "unreachable": "refused: checks/messages/tests/ui/fail/graph_unbound.rs";
    }
}

mod seed_sunder_1_1 {
    crd2idx::graph! {
        dim f = 2 : 1, i = 1 : 1, j = 1 : 1, s = 2 : 1;
        Sunder(f -> i, j, s);

        pub fn reverse_f_s0 = reverse(i, s = 0) -> f;
        pub fn reverse_f_s1 = reverse(j, s = 1) -> f;
    }
    answers! { "seed-sunder-1-1"
        reverse_f_s0 = reverse(i; s = 0) -> (f);
        reverse_f_s1 = reverse(j; s = 1) -> (f);
        "switch_out_of_range": "refused: checks/messages/tests/ui/fail/graph_switch.rs";
        "unreachable": "refused: checks/messages/tests/ui/fail/graph_unbound.rs";
    }
}

mod seed_sunder_28672_32768 {
    crd2idx::graph! {
        dim f = 61440 : 1, i = 28672 : 1, j = 32768 : 1, s = 2 : 1;
        Sunder(f -> i, j, s);

        pub fn reverse_f_s0 = reverse(i, s = 0) -> f;
        pub fn reverse_f_s1 = reverse(j, s = 1) -> f;
    }
    answers! { "seed-sunder-28672-32768"
        reverse_f_s0 = reverse(i; s = 0) -> (f);
        reverse_f_s1 = reverse(j; s = 1) -> (f);
        "switch_out_of_range": "refused: checks/messages/tests/ui/fail/graph_switch.rs";
        "unreachable": "refused: checks/messages/tests/ui/fail/graph_unbound.rs";
    }
}
