//! Prints programs as source text, and reads the names of options.

use crd2idx::program::{self, EmitError, Language, Program, Source, WordWidth};

/// A language, and the form of a function in it.
pub struct Form {
    pub language: Language,
    emit: program::Emit,
}

impl Form {
    /// Returns the form of a function. Fails with the key of the invalid option, `to` or `width`, and the reason.
    pub fn new(to: &str, name: &str, width: Option<u32>, fast_division: bool) -> Result<Form, (&'static str, String)> {
        let language: Language = to.parse().map_err(|error: EmitError| ("to", error.to_string()))?;
        let mut emit = program::Emit::new(language, name).fast_division(fast_division).crate_path("crd2idx");
        if let Some(bits) = width {
            emit = emit.width(match bits {
                32 => WordWidth::Bits32,
                64 => WordWidth::Bits64,
                _ => return Err(("width", format!("{bits} is not 32 or 64"))),
            });
        }
        identifier(name).map_err(|message| ("name", message))?;
        Ok(Form { language, emit })
    }

    /// Returns the language and the options.
    pub fn emit(&self) -> &program::Emit {
        &self.emit
    }

    pub fn source(&self, program: &Program) -> Result<Source, EmitError> {
        program.emit(&self.emit)
    }

    /// Returns the name of each output and its expression. Fails if the language cannot express it.
    pub fn expressions(&self, program: &Program) -> Result<Vec<(String, String)>, EmitError> {
        let one =
            |(k, output): (usize, &program::ProgramOutput)| Ok((output.name.clone(), program.emit_expression(k, self.language)?.text));
        program.outputs().iter().enumerate().map(one).collect()
    }
}

fn identifier(name: &str) -> Result<(), String> {
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Ok(());
    }
    Err(format!("`{name}` is not a letter and then letters, digits and `_`"))
}

/// Renames the first inputs of a program. Fails if a name is no identifier, or if there are more names than inputs.
pub fn renamed(program: Program, names: &[&str]) -> Result<Program, String> {
    names.iter().try_for_each(|name| identifier(name))?;
    if names.len() > program.inputs().len() {
        let inputs: Vec<&str> = program.inputs().iter().map(|input| input.name.as_str()).collect();
        return Err(format!("{} names for the parameters {}", names.len(), inputs.join(", ")));
    }
    if let Some(twice) = names.iter().enumerate().find(|(k, name)| names[..*k].contains(name)) {
        return Err(format!("`{}` is there twice", twice.1));
    }
    Ok(program.with_input_names(names.iter().map(|name| name.to_string())))
}

/// Returns the text of one file: device and host together if the language allows it, else the device alone. With `host_alone`,
/// returns the host function, and fails if there is none.
pub fn print(source: Source, language: Language, host_alone: bool) -> Result<String, String> {
    match (host_alone, source.host) {
        (true, host) => host.ok_or_else(|| "--host: nothing is computed per launch".into()),
        (false, Some(host)) if !matches!(language, Language::OpenCl | Language::Wgsl) => Ok(format!("{}\n{host}", source.device)),
        _ => Ok(source.device),
    }
}

/// Returns the value of this name or, without a name, the first value. Fails for an unknown name.
pub fn named<T: Copy>(name: Option<&str>, values: &[(&str, T)]) -> Result<T, String> {
    let found = name.map_or(values.first(), |name| values.iter().find(|(known, _)| *known == name));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names = values.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", ");
        format!("`{}` is not one of {names}", name.unwrap_or_default())
    })
}
