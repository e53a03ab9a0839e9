mod one {
    crd2idx::graph! {
        dim x, block, i = 16, lane = 4;
        Tile(x -> block, i);
        fn element = reverse(i) -> x;
    }
}

mod two {
    crd2idx::graph! {
        dim x, y, block, i = 16, part = 2, tile = 30, other = 34;
        Tile(x -> block, i);
        Sunder(y -> tile, other, part);
        fn element = reverse(block, i, other, part) -> (x, y);
    }
}

mod three {
    crd2idx::graph! {
        dim x, block, i = 16;
        Tile(x -> block, i);
        fn twice = reverse(block, i, block) -> x;
    }
}

mod four {
    crd2idx::graph! {
        dim x, block, i = 16, other;
        Tile(x -> block, i);
        fn grows = delta other reverse(block, i) -> x;
    }
}

mod five {
    crd2idx::graph! {
        dim k, i = 4, j = 3;
        Flatten(i, j -> k);
        fn number = reverse(i, j) -> k;
    }
}

mod six {
    crd2idx::graph! {
        dim k, i = 4, j = 3;
        Flatten(i, j -> k);
        fn row = forward(j) -> i;
    }
}

mod seven {
    crd2idx::graph! {
        dim x, block, i = 16;
        Tile(x -> block, i);
        fn rows = runs block reverse(block = 2, i) -> x;
    }
}

fn main() {}
