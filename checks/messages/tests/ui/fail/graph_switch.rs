mod range {
    crd2idx::graph! {
        dim f, a = 5, b = 7, s;
        Sunder(f -> a, b, s);
        fn number = reverse(a, b, s = 2) -> f;
    }
}

mod unbound {
    crd2idx::graph! {
        dim f, a = 5, b = 7, s;
        Sunder(f -> a, b, s);
        fn number = reverse(a, s = 1) -> f;
    }
}

fn main() {}
