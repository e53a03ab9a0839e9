mod tile {
    crd2idx::graph! {
        dim a, b, c = 4;
        Tile(a, b -> c);
    }
}

mod swap {
    crd2idx::graph! {
        dim place, col = 8;
        PairSwap(place -> col; rows_per_group = 1);
    }
}

mod coefficients {
    crd2idx::graph! {
        dim padded, out, tap;
        Embed(padded -> out, tap; coefficients = [2]);
    }
}

mod repeated {
    crd2idx::graph! {
        dim k, i = 4;
        Flatten(i, i -> k);
    }
}

mod declared {
    crd2idx::graph! {
        dim k, i = 4, k;
    }
}

fn main() {}
