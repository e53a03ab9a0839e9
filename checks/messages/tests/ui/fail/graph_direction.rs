mod pitch {
    crd2idx::graph! {
        dim i = 4 : 10, j = 6 : 1, k;
        Join(i, j -> k);
        fn number = forward(i, j) -> k;
        fn place = reverse(k) -> (i, j);
    }
}

mod window {
    crd2idx::graph! {
        dim padded, out, tap;
        Embed(padded -> out, tap; coefficients = [2, 1]);
        fn place = forward(padded) -> tap;
    }
}

mod forgotten {
    crd2idx::graph! {
        dim lane = 64, gone;
        Forget(lane -> gone);
        fn lost = forward(lane) -> gone;
    }
}

fn main() {}
