mod pad {
    crd2idx::graph! {
        dim x = 10, padded = 11;
        Pad(x -> padded; left = 1, right = 1);
    }
}

mod negative {
    crd2idx::graph! {
        dim x = 2 - 4, y;
    }
}

mod modulus {
    crd2idx::graph! {
        dim x, y = 4;
        Modulo(x -> y; modulus = 0);
    }
}

mod slice {
    crd2idx::graph! {
        dim x, y;
        Slice(x -> y; begin = 5, end = 3);
    }
}

mod negative_pad {
    crd2idx::graph! {
        dim x, y;
        Pad(x -> y; left = 1, right = -1);
    }
}

fn main() {}
