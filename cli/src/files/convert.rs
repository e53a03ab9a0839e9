//! `crd2idx convert`: converts files to another kind and format.

use super::args::Convert;
use super::open::working;
use super::{Outcome, open};
use crate::input;
use crd2idx::sparse::{Format, Scheme, Width, Widths};
use file_output::Target;
use sparse_files::npz::{Pydata, Scipy};
use sparse_files::{AnyTensor, Dedupe, FileKind, WriteOptions};
use std::collections::HashMap;
use std::io::{Cursor, ErrorKind, Write};
use std::path::{Path, PathBuf};

pub fn run(ask: &Convert) -> Outcome {
    let mut outcome = Outcome::default();
    match jobs(ask) {
        Err(message) => outcome.refused.push(message),
        Ok((plan, jobs)) => {
            for (from, to) in jobs {
                outcome.refused.extend(one(ask, &plan, &from, &to).err());
            }
        }
    }
    outcome
}

/// The options that apply to every file.
struct Plan {
    to: Option<FileKind>,
    dedupe: Dedupe,
    widths: Option<Widths>,
    options: WriteOptions,
}

/// Returns the options, and each input file with its output file. Fails for invalid options, and unless there is one output per
/// input.
fn jobs(ask: &Convert) -> Result<(Plan, Vec<(PathBuf, PathBuf)>), String> {
    let dedupe = match ask.dedupe.as_str() {
        "sum" => Dedupe::Sum,
        "first" => Dedupe::First,
        "last" => Dedupe::Last,
        "error" => Dedupe::Refuse,
        other => return Err(format!("--dedupe: `{other}` is not one of sum, first, last, error")),
    };
    let widths = ask.index.as_deref().map(|name| match name {
        "narrow" => Ok(Widths::narrowest()),
        "u8" => Ok(Widths::all(Width::U8)),
        "u16" => Ok(Widths::all(Width::U16)),
        "u32" => Ok(Widths::all(Width::U32)),
        "u64" => Ok(Widths::all(Width::U64)),
        other => Err(format!("--index: `{other}` is not one of u8, u16, u32, u64, narrow")),
    });
    if !matches!(ask.binsparse.as_str(), "0.1" | "0.1.0") {
        return Err(format!("--binsparse: `{}` is neither 0.1.0 nor 0.1", ask.binsparse));
    }
    let options = WriteOptions {
        compressed: ask.compress,
        group: ask.to_group.clone(),
        force: ask.force,
        version: ask.binsparse.clone(),
        scipy: ask.scipy.as_deref().map(scipy).transpose()?,
        pydata: ask.compressed_axes.clone().map_or(Pydata::Coo, Pydata::Gcxs),
        ..WriteOptions::default()
    };
    let plan =
        Plan { to: ask.to.as_deref().map(|name| open::kind("--to", name)).transpose()?, dedupe, widths: widths.transpose()?, options };
    let Some((target, sources)) = ask.files.split_last() else { return Err("no file".into()) };
    let sources = open::paths(sources)?;
    // A folder with the name of a Zarr group is written as that group.
    if !target.is_dir() || FileKind::of_name(&target.to_string_lossy()) == Some(FileKind::Zarr) {
        return match &sources[..] {
            [one] => Ok((plan, vec![(one.clone(), target.clone())])),
            many => Err(format!("{}: {} files need an existing folder as their target", target.display(), many.len())),
        };
    }
    let kind = plan.to.ok_or_else(|| format!("{}: choose the kind of the files in this folder by --to", target.display()))?;
    let ending = sparse_files::KINDS.iter().find(|(known, ..)| *known == kind).map_or("", |(_, _, endings, _)| endings[0]);
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = sparse_files::inner_name(&name);
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        target.join(format!("{stem}{ending}"))
    };
    let jobs: Vec<_> = sources.iter().map(|path| (path.clone(), named(path))).collect();
    distinct(&jobs)?;
    Ok((plan, jobs))
}

/// Fails if two outputs are one file, or if an output is the input of another job.
fn distinct(jobs: &[(PathBuf, PathBuf)]) -> Result<(), String> {
    // An invalid path is refused later, when it is read or written.
    let found = |path: &PathBuf| file_output::target(path).ok();
    let readers: HashMap<Target, usize> =
        jobs.iter().enumerate().filter_map(|(job, (from, _))| Some((found(from).filter(|_| !input::is_stdin(from))?, job))).collect();
    let mut writers = HashMap::new();
    for (job, (from, to)) in jobs.iter().enumerate() {
        let (name, alone) = (|job: usize| input::name(&jobs[job].0), "convert one of them by itself");
        let Some(target) = found(to) else { continue };
        if let Some(reader) = readers.get(&target).filter(|reader| **reader != job) {
            return Err(format!("{} would be replaced by what {} becomes: {alone}", name(*reader), input::name(from)));
        }
        if let Some(earlier) = writers.insert(target, job) {
            return Err(format!("{} and {} would both become {}: {alone}", name(earlier), input::name(from), to.display()));
        }
    }
    Ok(())
}

fn scipy(name: &str) -> Result<Scipy, String> {
    let blocks = || {
        let (rows, columns) = name.strip_prefix("bsr:")?.split_once('x')?;
        Some(Scipy::Bsr(rows.parse().ok()?, columns.parse().ok()?))
    };
    match name {
        "csr" => Ok(Scipy::Csr),
        "csc" => Ok(Scipy::Csc),
        "coo" => Ok(Scipy::Coo),
        "dia" => Ok(Scipy::Dia),
        _ => blocks().ok_or_else(|| format!("--scipy: `{name}` is not one of csr, csc, coo, dia, bsr:ROWSxCOLUMNS")),
    }
}

fn one(ask: &Convert, plan: &Plan, from: &Path, to: &Path) -> Result<(), String> {
    let by_name = || FileKind::of_name(&to.to_string_lossy());
    let name = if input::is_stdin(to) { "standard output".into() } else { input::name(to) };
    let kind = plan.to.or_else(by_name).ok_or_else(|| format!("{name}: choose the kind of file by --to"))?;
    let tensor = open::read(from, &ask.from)?.tensor;
    let refused = |name: &str, error: sparse_files::FileError| {
        let hint = match error.class() {
            "levels/duplicate" if plan.dedupe == Dedupe::Refuse => "; elements count from 0; --dedupe sum, first or last makes one of them",
            _ => "",
        };
        format!("{name}: {error} ({}){hint}", error.class())
    };
    let format = ask.format.as_deref().map(|name| format(name, tensor.shape().len())).transpose()?;
    let converted = working(format!("converting {}", input::name(from)), |_| converted(tensor, format, ask, plan));
    let converted = converted.map_err(|error| refused(&input::name(from), error))?;
    let written = working(format!("writing {name}"), |progress| {
        if !input::is_stdin(to) {
            return sparse_files::write(to, &converted, kind, &WriteOptions { progress, ..plan.options.clone() });
        }
        let mut out = Cursor::new(Vec::new());
        sparse_files::write_to(&mut out, &converted, kind, &plan.options)?;
        match std::io::stdout().lock().write_all(out.get_ref()) {
            // A closed pipe is no failure: the reader stopped.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => Ok(written?),
        }
    });
    written.map_err(|error| refused(&name, error))
}

/// Returns the format of this name, for tensors of this rank. Fails for names of no format, and of formats that files cannot
/// hold.
fn format(name: &str, rank: usize) -> Result<Format, String> {
    Format::parse_with_rank(name, rank).map_err(|error| {
        match Scheme::is_blocked_name(name) || name.eq_ignore_ascii_case("bsr") {
            // Files of kind scipy can store blocks.
            true => format!(
                "--format: `{name}` has blocks, keys or several parts, and files have levels; `--to scipy --scipy bsr:2x3` writes blocks"
            ),
            false => format!("--format: {error} ({})", error.class()),
        }
    })
}

/// Returns the tensor in `format`, with the widths and the elements that the options choose. Fails as the conversions of
/// `AnyTensor` do.
fn converted(tensor: AnyTensor<'static>, format: Option<Format>, ask: &Convert, plan: &Plan) -> sparse_files::Result<AnyTensor<'static>> {
    let of = |error| sparse_files::FileError::from(crd2idx::sparse::SparseError::from(error));
    // Keeps the levels. With `--dedupe`, the format then holds one element per coordinate.
    let single = |format: &Format| {
        if plan.dedupe == Dedupe::Refuse {
            return Ok(format.clone());
        }
        let plain = format.clone().with_unsorted(&vec![false; format.levels()]);
        plain.and_then(|plain| plain.with_multigraph(false)).map_err(of)
    };
    let tensor = match ask.expand && tensor.attributes().is_one_triangle() {
        // Deduplicate the stored triangle first: the other triangle is its image.
        true if plan.dedupe != Dedupe::Refuse => tensor.convert(&single(tensor.format())?, plan.dedupe)?.expand()?,
        true => tensor.expand()?,
        false => tensor,
    };
    let mut format = match format {
        Some(format) => format,
        None if ask.drop_zeros && tensor.format().levels() == 0 => Format::coo(tensor.shape().len()),
        None => single(tensor.format())?,
    };
    if let Some(axes) = &ask.axis_order {
        format = format.with_axis_order(axes).map_err(of)?;
    }
    let tensor = match &plan.widths {
        None if &format == tensor.format() => tensor,
        None => tensor.convert(&format, plan.dedupe)?,
        Some(widths) => tensor.convert_to(&format, plan.dedupe, widths)?,
    };
    match (ask.drop_zeros, &plan.widths) {
        (false, _) => Ok(tensor),
        // Sums may be 0, so drop zeros last.
        (true, None) => tensor.drop_zeros(),
        (true, Some(widths)) => tensor.drop_zeros()?.convert_to(&format, Dedupe::Refuse, widths),
    }
}
