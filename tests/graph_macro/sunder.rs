//! The recorded graphs of ranges of a dimension that a known switch chooses.

mod unit_sunder_1 {
    crd2idx::graph! {
        dim in, lin0 = 100 : 1, sw = 2 : 1, hi0, lo0 = 10 : 1;
        Sunder(in -> lin0, sw);
        Tile(lin0 -> hi0, lo0);

        pub fn reverse_in_sw0 = reverse(hi0, lo0, sw = 0) -> in;
        pub fn lo0_by_2_sw0 = delta lo0 by 2 reverse(hi0, lo0, sw = 0) -> in;
        pub fn hi0_by_2_sw0 = delta hi0 by 2 reverse(hi0, lo0, sw = 0) -> in;
    }
    answers! { "unit-sunder-1"
        reverse_in_sw0 = reverse(hi0, lo0; sw = 0) -> (in);
        lo0_by_2_sw0 = reverse delta lo0 by 2(hi0, lo0; sw = 0) -> (in);
        hi0_by_2_sw0 = reverse delta hi0 by 2(hi0, lo0; sw = 0) -> (in);
        "switch_out_of_range": "refused: checks/messages/tests/ui/fail/graph_switch.rs";
    }
}

mod unit_sunder_2 {
    crd2idx::graph! {
        dim in, lin0 = 100 : 1, lin1 = 24 : 1, sw = 2 : 1, hi0, lo0 = 10 : 1, hi1, lo1 = 6 : 1;
        Sunder(in -> lin0, lin1, sw);
        Tile(lin0 -> hi0, lo0);
        Tile(lin1 -> hi1, lo1);

        pub fn reverse_in_sw0 = reverse(hi0, lo0, sw = 0) -> in;
        pub fn lo0_by_2_sw0 = delta lo0 by 2 reverse(hi0, lo0, hi1, lo1, sw = 0) -> in;
        pub fn hi0_by_2_sw0 = delta hi0 by 2 reverse(hi0, lo0, hi1, lo1, sw = 0) -> in;
        pub fn reverse_in_sw1 = reverse(hi1, lo1, sw = 1) -> in;
        pub fn lo1_by_3_sw1 = delta lo1 by 3 reverse(hi0, lo0, hi1, lo1, sw = 1) -> in;
        pub fn hi1_by_3_sw1 = delta hi1 by 3 reverse(hi0, lo0, hi1, lo1, sw = 1) -> in;
        pub fn lo1_by_3_sw0 = delta lo1 by 3 reverse(hi0, lo0, hi1, lo1, sw = 0) -> in;
        pub fn hi0_by_2_sw1 = delta hi0 by 2 reverse(hi0, lo0, hi1, lo1, sw = 1) -> in;
        pub fn lo0_by_2_sw1 = delta lo0 by 2 reverse(hi0, lo0, hi1, lo1, sw = 1) -> in;
    }
    answers! { "unit-sunder-2"
        reverse_in_sw0 = reverse(hi0, lo0; sw = 0) -> (in);
        lo0_by_2_sw0 = reverse delta lo0 by 2(hi0, lo0, hi1, lo1; sw = 0) -> (in);
        hi0_by_2_sw0 = reverse delta hi0 by 2(hi0, lo0, hi1, lo1; sw = 0) -> (in);
        reverse_in_sw1 = reverse(hi1, lo1; sw = 1) -> (in);
        lo1_by_3_sw1 = reverse delta lo1 by 3(hi0, lo0, hi1, lo1; sw = 1) -> (in);
        hi1_by_3_sw1 = reverse delta hi1 by 3(hi0, lo0, hi1, lo1; sw = 1) -> (in);
        lo1_by_3_sw0 = reverse delta lo1 by 3(hi0, lo0, hi1, lo1; sw = 0) -> (in);
        hi0_by_2_sw1 = reverse delta hi0 by 2(hi0, lo0, hi1, lo1; sw = 1) -> (in);
        lo0_by_2_sw1 = reverse delta lo0 by 2(hi0, lo0, hi1, lo1; sw = 1) -> (in);
        "switch_out_of_range": "refused: checks/messages/tests/ui/fail/graph_switch.rs";
    }
}

mod unit_sunder_3 {
    crd2idx::graph! {
        dim in, lin0 = 100 : 1, lin1 = 24 : 1, lin2 = 17 : 1, sw = 2 : 1, hi0, lo0 = 10 : 1, hi1, lo1 = 6 : 1, hi2,
            lo2 = 9 : 1;
        Sunder(in -> lin0, lin1, lin2, sw);
        Tile(lin0 -> hi0, lo0);
        Tile(lin1 -> hi1, lo1);
        Tile(lin2 -> hi2, lo2);

        pub fn reverse_in_sw0 = reverse(hi0, lo0, sw = 0) -> in;
        pub fn lo0_by_2_sw0 = delta lo0 by 2 reverse(hi0, lo0, hi1, lo1, sw = 0) -> in;
        pub fn hi0_by_2_sw0 = delta hi0 by 2 reverse(hi0, lo0, hi1, lo1, sw = 0) -> in;
        pub fn reverse_in_sw1 = reverse(hi1, lo1, sw = 1) -> in;
        pub fn lo1_by_3_sw1 = delta lo1 by 3 reverse(hi0, lo0, hi1, lo1, sw = 1) -> in;
        pub fn hi1_by_3_sw1 = delta hi1 by 3 reverse(hi0, lo0, hi1, lo1, sw = 1) -> in;
        pub fn lo1_by_3_sw0 = delta lo1 by 3 reverse(hi0, lo0, hi1, lo1, sw = 0) -> in;
        pub fn hi0_by_2_sw1 = delta hi0 by 2 reverse(hi0, lo0, hi1, lo1, sw = 1) -> in;
        pub fn lo0_by_2_sw1 = delta lo0 by 2 reverse(hi0, lo0, hi1, lo1, sw = 1) -> in;
    }
    answers! { "unit-sunder-3"
        reverse_in_sw0 = reverse(hi0, lo0; sw = 0) -> (in);
        lo0_by_2_sw0 = reverse delta lo0 by 2(hi0, lo0, hi1, lo1; sw = 0) -> (in);
        hi0_by_2_sw0 = reverse delta hi0 by 2(hi0, lo0, hi1, lo1; sw = 0) -> (in);
        reverse_in_sw1 = reverse(hi1, lo1; sw = 1) -> (in);
        lo1_by_3_sw1 = reverse delta lo1 by 3(hi0, lo0, hi1, lo1; sw = 1) -> (in);
        hi1_by_3_sw1 = reverse delta hi1 by 3(hi0, lo0, hi1, lo1; sw = 1) -> (in);
        lo1_by_3_sw0 = reverse delta lo1 by 3(hi0, lo0, hi1, lo1; sw = 0) -> (in);
        hi0_by_2_sw1 = reverse delta hi0 by 2(hi0, lo0, hi1, lo1; sw = 1) -> (in);
        lo0_by_2_sw1 = reverse delta lo0 by 2(hi0, lo0, hi1, lo1; sw = 1) -> (in);
        "lo2 = 19": "outside its size, which the functions take for granted";
        "switch_out_of_range": "refused: checks/messages/tests/ui/fail/graph_switch.rs";
    }
}
