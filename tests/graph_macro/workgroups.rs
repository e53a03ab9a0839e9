//! The recorded graphs of workgroups in strips, and of workgroups spread over chiplets.

mod wgm_6x8_g4 {
    crd2idx::graph! {
        dim wg = 48 : 1, gN, gI = 4, bN, bI = 8, mN, mI = 32, tN, tI = 2, par = 6, perp = 8;
        Tile(wg -> mN, mI);
        Tile(wg -> gN, gI);
        Tile(gN -> bN, bI);
        Tile(mI -> tN, tI);
        PiecewiseAffineJoin(mN, bN, gI, tI -> par; if mN == 0 { 4 * bN + gI } else { tI + 4 });
        PiecewiseAffineJoin(mN, bI, tN -> perp; if mN == 0 { bI } else { tN });

        pub fn forward_par_perp = forward(wg) -> (par, perp);
    }
    answers! { "wgm-6x8-g4"
        forward_par_perp = forward(wg) -> (par, perp);
    }
}

mod wgm_22x7_g1 {
    crd2idx::graph! {
        dim wg = 154 : 1, gN, gI = 1, bN, bI = 7, mN, mI = 154, tN, tI = 0, par = 22, perp = 7;
        Tile(wg -> mN, mI);
        Tile(wg -> gN, gI);
        Tile(gN -> bN, bI);
        Tile(mI -> tN, tI);
        PiecewiseAffineJoin(mN, bN, gI, tI -> par; if mN == 0 { bN + gI } else { tI + 22 });
        PiecewiseAffineJoin(mN, bI, tN -> perp; if mN == 0 { bI } else { tN });

        pub fn forward_par_perp = forward(wg) -> (par, perp);
    }
    answers! { "wgm-22x7-g1"
        forward_par_perp = forward(wg) -> (par, perp);
    }
}

mod wgm_22x7_g4 {
    crd2idx::graph! {
        dim wg = 154 : 1, gN, gI = 4, bN, bI = 7, mN, mI = 140, tN, tI = 2, par = 22, perp = 7;
        Tile(wg -> mN, mI);
        Tile(wg -> gN, gI);
        Tile(gN -> bN, bI);
        Tile(mI -> tN, tI);
        PiecewiseAffineJoin(mN, bN, gI, tI -> par; if mN == 0 { 4 * bN + gI } else { tI + 20 });
        PiecewiseAffineJoin(mN, bI, tN -> perp; if mN == 0 { bI } else { tN });

        pub fn forward_par_perp = forward(wg) -> (par, perp);
    }
    answers! { "wgm-22x7-g4"
        forward_par_perp = forward(wg) -> (par, perp);
    }
}

mod wgm_22x8_g5 {
    crd2idx::graph! {
        dim wg = 176 : 1, gN, gI = 5, bN, bI = 8, mN, mI = 160, tN, tI = 2, par = 22, perp = 8;
        Tile(wg -> mN, mI);
        Tile(wg -> gN, gI);
        Tile(gN -> bN, bI);
        Tile(mI -> tN, tI);
        PiecewiseAffineJoin(mN, bN, gI, tI -> par; if mN == 0 { 5 * bN + gI } else { tI + 20 });
        PiecewiseAffineJoin(mN, bI, tN -> perp; if mN == 0 { bI } else { tN });

        pub fn forward_par_perp = forward(wg) -> (par, perp);
    }
    answers! { "wgm-22x8-g5"
        forward_par_perp = forward(wg) -> (par, perp);
    }
}

mod wgm_22x11_g22 {
    crd2idx::graph! {
        dim wg = 242 : 1, gN, gI = 22, bN, bI = 11, mN, mI = 242, tN, tI = 0, par = 22, perp = 11;
        Tile(wg -> mN, mI);
        Tile(wg -> gN, gI);
        Tile(gN -> bN, bI);
        Tile(mI -> tN, tI);
        PiecewiseAffineJoin(mN, bN, gI, tI -> par; if mN == 0 { 22 * bN + gI } else { tI + 22 });
        PiecewiseAffineJoin(mN, bI, tN -> perp; if mN == 0 { bI } else { tN });

        pub fn forward_par_perp = forward(wg) -> (par, perp);
    }
    answers! { "wgm-22x11-g22"
        forward_par_perp = forward(wg) -> (par, perp);
    }
}

mod wgm_55x8_g7 {
    crd2idx::graph! {
        dim wg = 440 : 1, gN, gI = 7, bN, bI = 8, mN, mI = 392, tN, tI = 6, par = 55, perp = 8;
        Tile(wg -> mN, mI);
        Tile(wg -> gN, gI);
        Tile(gN -> bN, bI);
        Tile(mI -> tN, tI);
        PiecewiseAffineJoin(mN, bN, gI, tI -> par; if mN == 0 { 7 * bN + gI } else { tI + 49 });
        PiecewiseAffineJoin(mN, bI, tN -> perp; if mN == 0 { bI } else { tN });

        pub fn forward_par_perp = forward(wg) -> (par, perp);
    }
    answers! { "wgm-55x8-g7"
        forward_par_perp = forward(wg) -> (par, perp);
    }
}

mod wgm_55x11_g49 {
    crd2idx::graph! {
        dim wg = 605 : 1, gN, gI = 49, bN, bI = 11, mN, mI = 539, tN, tI = 6, par = 55, perp = 11;
        Tile(wg -> mN, mI);
        Tile(wg -> gN, gI);
        Tile(gN -> bN, bI);
        Tile(mI -> tN, tI);
        PiecewiseAffineJoin(mN, bN, gI, tI -> par; if mN == 0 { 49 * bN + gI } else { tI + 49 });
        PiecewiseAffineJoin(mN, bI, tN -> perp; if mN == 0 { bI } else { tN });

        pub fn forward_par_perp = forward(wg) -> (par, perp);
    }
    answers! { "wgm-55x11-g49"
        forward_par_perp = forward(wg) -> (par, perp);
    }
}

mod wgm_55x7_g8 {
    crd2idx::graph! {
        dim wg = 385 : 1, gN, gI = 8, bN, bI = 7, mN, mI = 336, tN, tI = 7, par = 55, perp = 7;
        Tile(wg -> mN, mI);
        Tile(wg -> gN, gI);
        Tile(gN -> bN, bI);
        Tile(mI -> tN, tI);
        PiecewiseAffineJoin(mN, bN, gI, tI -> par; if mN == 0 { 8 * bN + gI } else { tI + 48 });
        PiecewiseAffineJoin(mN, bI, tN -> perp; if mN == 0 { bI } else { tN });

        pub fn forward_par_perp = forward(wg) -> (par, perp);
    }
    answers! { "wgm-55x7-g8"
        forward_par_perp = forward(wg) -> (par, perp);
    }
}

mod wgm_22x7_g9 {
    crd2idx::graph! {
        dim wg = 154 : 1, gN, gI = 9, bN, bI = 7, mN, mI = 126, tN, tI = 4, par = 22, perp = 7;
        Tile(wg -> mN, mI);
        Tile(wg -> gN, gI);
        Tile(gN -> bN, bI);
        Tile(mI -> tN, tI);
        PiecewiseAffineJoin(mN, bN, gI, tI -> par; if mN == 0 { 9 * bN + gI } else { tI + 18 });
        PiecewiseAffineJoin(mN, bI, tN -> perp; if mN == 0 { bI } else { tN });

        pub fn forward_par_perp = forward(wg) -> (par, perp);
    }
    answers! { "wgm-22x7-g9"
        forward_par_perp = forward(wg) -> (par, perp);
    }
}

mod xcc_443_8 {
    crd2idx::graph! {
        dim new = 443 : 1, cu = 56, xcc = 8, wg = 443 : 1;
        Tile(new -> cu, xcc);
        PiecewiseAffineJoin(xcc, cu -> wg; if xcc <= 3 { 56 * xcc + cu } else { 55 * xcc + cu + 3 });

        pub fn forward_wg = forward(new) -> wg;
    }
    answers! { "xcc-443-8"
        forward_wg = forward(new) -> (wg);
    }
}

mod xcc_64_8 {
    crd2idx::graph! {
        dim new = 64 : 1, cu = 8, xcc = 8, wg = 64 : 1;
        Tile(new -> cu, xcc);
        PiecewiseAffineJoin(xcc, cu -> wg; if xcc <= 0 { 8 * xcc + cu } else { 8 * xcc + cu });

        pub fn forward_wg = forward(new) -> wg;
    }
    answers! { "xcc-64-8"
        forward_wg = forward(new) -> (wg);
    }
}
