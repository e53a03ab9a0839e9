mod literal {
    crd2idx::graph! {
        dim k, i = 9223372036854775808;
    }
}

mod suffix {
    crd2idx::graph! {
        dim k, i = 4usize;
    }
}

mod product {
    crd2idx::graph! {
        dim k, i = 4294967296 * 4294967296, j;
        Tile(k -> j, i);
        fn number = reverse(i, j) -> k;
    }
}

mod range {
    crd2idx::graph! {
        param m: 8..=4;
    }
}

mod divisor {
    crd2idx::graph! {
        param m: 1..=6 % 0;
    }
}

mod multiple {
    crd2idx::graph! {
        param m: 1..=6 % 8;
    }
}

mod entry {
    crd2idx::graph! {
        dim x, place = 3;
        Gather(x -> place; table = [4, 4, -1]);
    }
}

fn main() {}
