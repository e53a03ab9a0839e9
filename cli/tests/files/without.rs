//! The command without the feature.

use crate::command::run;

#[test]
fn the_message_names_the_feature() {
    for arguments in [
        &["info", "a.mtx"][..],
        &["check", "a.mtx"],
        &["convert", "a.mtx", "b.h5"],
        &["reshard", "a", "b"],
        &["rechunk", "a.zarr", "b.zarr", "--chunks", "1"],
    ] {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("--features files"));
    }
}
