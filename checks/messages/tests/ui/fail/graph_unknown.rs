mod dimension {
    crd2idx::graph! {
        dim k, column = 4, row;
        Flatten(row, colum -> k);
    }
}

mod target {
    crd2idx::graph! {
        dim k, i = 4;
        Tile(k -> i);
        fn number = reverse(i) -> q;
    }
}

mod transform {
    crd2idx::graph! {
        dim k, i = 4, j;
        Flaten(i, j -> k);
    }
}

mod storage {
    crd2idx::graph! {
        dim k, i;
        Alias(k -> i);
    }
}

mod statement {
    crd2idx::graph! {
        dims k, i;
    }
}

mod parameter {
    crd2idx::graph! {
        param rows: 1..;
        dim k = row * 2;
    }
}

mod dimension_as_number {
    crd2idx::graph! {
        dim k, i = k;
    }
}

mod constant {
    crd2idx::graph! {
        dim k, i = tiles::ld;
    }
}

mod scope {
    crd2idx::graph! {
        dim k, i = 4 : NOWHERE;
        Join(i -> k);
        fn number = forward(i) -> k;
    }
}

mod letter {
    crd2idx::graph! {
        dim k, row;
        Tile(k -> ro);
    }
}

fn main() {}
