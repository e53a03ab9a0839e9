mod different {
    crd2idx::graph! {
        dim a, i = 8, j = 4, k = 16;
        Tile(a -> i, j);
        Tile(a -> i, k);
        fn number = reverse(i, j, k) -> a;
    }
}

mod constants {
    crd2idx::graph! {
        dim a, i = 8 : 2;
        Split(a -> i);
        Freeze(a -> ; at = 3);
        fn number = reverse(i = 2) -> a;
    }
}

fn main() {}
