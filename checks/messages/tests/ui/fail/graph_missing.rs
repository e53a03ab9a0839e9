mod size {
    crd2idx::graph! {
        dim k, i = 4, j;
        Flatten(i, j -> k);
        fn number = forward(i, j) -> k;
    }
}

mod stride {
    crd2idx::graph! {
        dim a, row = 64 : 80, col = 80, tile, i = 8;
        Split(a -> row, col);
        Tile(row -> tile, i);
        fn element = reverse(tile, i, col) -> a;
    }
}

mod mixed {
    crd2idx::graph! {
        dim k, i = 4 : 3, j = 3;
        Flatten(i, j -> k);
        fn number = forward(i, j) -> k;
    }
}

fn main() {}
