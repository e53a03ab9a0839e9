mod semicolon {
    crd2idx::graph! {
        dim k, i = 4
        Tile(k -> i);
    }
}

mod last_semicolon {
    crd2idx::graph! {
        dim k, i = 4;
        Tile(k -> i)
    }
}

mod edge_arrow {
    crd2idx::graph! {
        dim k, i = 4, j;
        Tile(k, i, j);
    }
}

mod function_arrow {
    crd2idx::graph! {
        dim k, i = 4;
        Tile(k -> i);
        fn number = reverse(i) k;
    }
}

mod direction {
    crd2idx::graph! {
        dim k, i = 4;
        Tile(k -> i);
        fn number = backward(i) -> k;
    }
}

mod underscore {
    crd2idx::graph! {
        dim _, i = 4;
    }
}

mod field {
    crd2idx::graph! {
        dim x, y;
        Pad(x -> y; left = 1 right = 1);
    }
}

mod other_field {
    crd2idx::graph! {
        dim x, y;
        Pad(x -> y; right = 1, left = 1);
    }
}

mod truth {
    crd2idx::graph! {
        dim place, col = 8, row;
        Rotate(place -> col, row; rows_per_group = 1, positions = 8, inverse = 1);
    }
}

mod flatten {
    crd2idx::graph! {
        flatten size;
    }
}

mod brackets {
    crd2idx::graph! {
        dim k, i = 4;
        Tile[k -> i];
    }
}

mod nothing {
    crd2idx::graph! {
        dim k, i = 4;
        Tile(k -> i);
        fn number = reverse(i) -> ();
    }
}

mod signature {
    crd2idx::graph! {
        dim k, i = 4;
        Tile(k -> i);
        fn number(i) -> k;
    }
}

fn main() {}
