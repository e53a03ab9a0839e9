//! Emitted WGSL, read by a validator.

use super::tool::{Folder, has, run};
use super::{graphs, layouts};
use crd2idx::program::{Emit, EmitError, Language};
use std::process::Command;

#[test]
fn wgsl_is_valid_where_numbers_fit() {
    let (mut text, mut narrow, mut wide) = (String::new(), 0, 0);
    for (k, case) in graphs::cases().iter().chain(&layouts::cases(3, 60)).enumerate() {
        match case.program.emit(&Emit::new(Language::Wgsl, &format!("q{k}"))) {
            Ok(source) => {
                text += &source.device;
                narrow += 1;
            }
            // The language has integers of 32 bits only.
            Err(EmitError::Width { bits: 32, .. }) => wide += 1,
            Err(error) => panic!("{}: {error}", case.what),
        }
    }
    assert!(narrow > 150 && wide > 20, "{narrow} in 32 bits, {wide} not");
    if !has("naga") {
        return;
    }
    let folder = Folder::new("wgsl");
    let source = folder.write("emitted.wgsl", &text);
    run(Command::new("naga").arg(&source), &text);
}
