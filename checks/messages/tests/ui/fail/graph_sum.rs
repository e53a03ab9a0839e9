mod product {
    crd2idx::graph! {
        dim a, b, f;
        PiecewiseAffineJoin(a, b -> f; if a == 0 { 4 * b + 1 } else { a + 2 * a * b - 3 });
    }
}

mod quotient {
    crd2idx::graph! {
        param n: 1..;
        dim a, b, f;
        PiecewiseAffineJoin(a, b -> f; if a * b == n { (a + 1) / 2 } else { a });
    }
}

mod other {
    crd2idx::graph! {
        dim a, b, c, f;
        PiecewiseAffineJoin(a, b -> f; if c == 0 { a } else { b });
    }
}

mod comparison {
    crd2idx::graph! {
        dim a, b, f;
        PiecewiseAffineJoin(a, b -> f; if a == 0 { a < b } else { b });
    }
}

fn main() {}
