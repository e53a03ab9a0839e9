//! Completions for shells, and the manual page.

use std::io::Write;

/// Prints completions from a buffer, because the generator panics if it cannot write. Fails if standard output fails.
pub fn completions(mut command: clap::Command, shell: clap_complete::Shell) -> std::io::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "crd2idx", &mut text);
    std::io::stdout().write_all(&text)
}

/// Prints one manual page with all commands: for each, the sections of its own page without the title. Fails if `out` fails.
pub fn manual(mut command: clap::Command, out: &mut dyn Write) -> std::io::Result<()> {
    fn of(command: &clap::Command, out: &mut dyn Write) -> std::io::Result<()> {
        let page = clap_mangen::Man::new(command.clone());
        page.render_synopsis_section(out)?;
        page.render_description_section(out)?;
        page.render_options_section(out)?;
        command.get_subcommands().filter(|command| command.get_name() != "help").try_for_each(|command| of(command, out))
    }
    command.build();
    let page = clap_mangen::Man::new(command.clone());
    page.render_title(out)?;
    page.render_name_section(out)?;
    of(&command, out)
}
