//! The page of errors, by the text of a message: `crd2idx why`.

use crate::input;
use crd2idx::ERRORS_BY_TEXT;
use std::path::Path;

/// A part of the page, about messages of one kind.
struct Entry {
    /// The heading that it is under.
    heading: &'static str,
    /// Messages as the page shows them: with the numbers of an example, or with `..` for them.
    messages: Vec<&'static str>,
    /// Their meaning, and what to do, in Markdown.
    advice: String,
}

/// Returns what the page says about the message in `words`; `-` takes messages on standard input. Returns the headings if there are no
/// words. Fails if no message on the page is like one of these.
pub fn run(words: &[String]) -> Result<String, String> {
    let entries = entries(ERRORS_BY_TEXT);
    let asked = match words {
        [] => {
            let mut headings: Vec<_> = entries.iter().map(|entry| entry.heading).collect();
            headings.dedup();
            return Ok(headings.join("\n"));
        }
        [file] if input::is_stdin(Path::new(file)) => input::text(Path::new(file))?,
        _ => words.join(" "),
    };
    let found = by_message(&entries, &asked);
    if !found.is_empty() {
        let about = found.iter().map(|(entry, message)| {
            let about = section_named(&entries, &entry.advice).unwrap_or_else(|| entry.advice.clone());
            format!("{}\n\n    {message}\n\n{}", entry.heading, with_paths(&about))
        });
        return Ok(about.collect::<Vec<_>>().join("\n\n"));
    }
    let under: Vec<_> = entries.iter().filter(|entry| entry.heading.eq_ignore_ascii_case(asked.trim())).collect();
    if under.is_empty() {
        return Err(
            "no message of `docs/look-up/errors.md` is like this one; without words, `crd2idx why` lists the headings of the page".into()
        );
    }
    let about = under.iter().map(|entry| {
        let messages: Vec<_> = entry.messages.iter().map(|message| format!("    {message}")).collect();
        format!("{}\n\n{}", messages.join("\n"), with_paths(&entry.advice))
    });
    Ok(about.collect::<Vec<_>>().join("\n\n"))
}

/// Returns the entries of a page. A heading begins one, and so do a block of messages and an item of a list that begins with a message; the
/// text up to the next one is the advice. Refusals that commands print are messages of the entry around them.
fn entries(page: &'static str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut block = None;
    let mut in_item = false;
    for line in page.lines() {
        match (block, line) {
            (Some(_), "```") => block = None,
            (Some(language), line) => {
                let message = if language == "text" { Some(line) } else { line.strip_prefix("crd2idx: ") };
                if let (Some(entry), Some(message)) = (entries.last_mut(), message.filter(|message| !message.is_empty())) {
                    entry.messages.push(message);
                }
            }
            (None, line) => {
                if let Some(heading) = line.strip_prefix("## ") {
                    entries.push(Entry { heading, messages: Vec::new(), advice: String::new() });
                    in_item = false;
                }
                let Some(Entry { heading, advice, .. }) = entries.last_mut() else { continue };
                let heading = *heading;
                if let Some(language) = line.strip_prefix("```") {
                    block = Some(language);
                    if language == "text" && !advice.trim().is_empty() {
                        entries.push(Entry { heading, messages: Vec::new(), advice: String::new() });
                    }
                    in_item = false;
                } else if let Some((message, rest)) = item(line) {
                    entries.push(Entry { heading, messages: vec![message], advice: rest.trim().into() });
                    in_item = true;
                } else if !line.starts_with("## ") {
                    advice.push('\n');
                    advice.push_str(if in_item { line.trim() } else { line });
                }
            }
        }
    }
    for entry in &mut entries {
        entry.advice = entry.advice.trim().into();
    }
    entries
}

/// Returns the message that an item of a list begins with, and the text after the colon.
fn item(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("* ")?;
    let quotes = &line[..line.len() - line.trim_start_matches('`').len()];
    let (message, rest) = line.strip_prefix(quotes)?.split_once(&format!("{quotes}:"))?;
    (!quotes.is_empty()).then_some((message.trim(), rest))
}

/// Returns the words of a message in lower case, with `0` for each number. Names in quotes are left out, as they differ.
fn words_of(message: &str) -> Vec<String> {
    let outside: Vec<_> = message.split('`').step_by(2).collect();
    let words = outside.iter().flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    words
        .filter(|word| !word.is_empty())
        .map(|word| if word.bytes().all(|byte| byte.is_ascii_digit()) { "0".into() } else { word.to_lowercase() })
        .collect()
}

/// Returns the number of words of `a` that stand in `b` in the same order.
fn common(a: &[String], b: &[String]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for word in a {
        let mut diagonal = 0;
        for (j, other) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if word == other { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

/// Returns the first name in quotes, with `0` for each digit. It tells apart messages that are as short as ``expected `;`, found `x` ``.
fn first_name(message: &str) -> Option<String> {
    Some(message.split('`').nth(1)?.replace(|letter: char| letter.is_ascii_digit(), "0"))
}

/// The messages of a page, each with its entry, that are like lines of a text.
struct Likeness<'e> {
    entry: &'e Entry,
    message: &'static str,
    /// A longer message says more than a shorter one with an equal part in the line.
    degree: f64,
    /// True if all words of the message stand in the line.
    is_whole: bool,
}

impl Likeness<'_> {
    /// Compares a message with a line. There is a likeness if at least two thirds of the words of the message stand in the line in this
    /// order, and of a message of up to three words all. One of fewer than three words must have the first name of the line, too.
    fn of<'e>(entry: &'e Entry, message: &'static str, line: &str, words: &[String]) -> Option<Likeness<'e>> {
        let own = words_of(message);
        let most = common(&own, words);
        let is_like = most >= own.len().clamp(2, 3) && 3 * most >= 2 * own.len();
        let is_named = own.len() > 2 || message.contains('`') && first_name(message) == first_name(line);
        let degree = (most * most) as f64 / own.len() as f64;
        (is_like && is_named).then_some(Likeness { entry, message, degree, is_whole: most == own.len() && most > 4 })
    }
}

/// Returns the messages that lines of the text are most like, each with its entry. The best one comes first. Messages of other entries
/// follow if they stand whole in a line.
fn by_message<'e>(entries: &'e [Entry], text: &str) -> Vec<(&'e Entry, &'static str)> {
    let messages: Vec<_> = entries.iter().flat_map(|entry| entry.messages.iter().map(move |message| (entry, *message))).collect();
    let mut found: Vec<Likeness> = Vec::new();
    for line in text.lines() {
        let words = words_of(line);
        let liked = messages.iter().filter_map(|(entry, message)| Likeness::of(entry, message, line, &words));
        // The first one among equals: sections explain more than the list at the end.
        found.extend(liked.reduce(|best, other| if other.degree > best.degree { other } else { best }));
    }
    let Some(best) = (0..found.len()).reduce(|best, k| if found[k].degree > found[best].degree { k } else { best }) else {
        return Vec::new();
    };
    found.swap(0, best);
    let mut chosen: Vec<(&Entry, &str)> = Vec::new();
    for (k, Likeness { entry, message, is_whole, .. }) in found.into_iter().enumerate() {
        if (k == 0 || is_whole) && !chosen.iter().any(|(other, _)| std::ptr::eq(*other, entry)) {
            chosen.push((entry, message));
        }
    }
    chosen
}

/// Returns the advice of the section that the advice `See [above](#a-section).` names.
fn section_named(entries: &[Entry], advice: &str) -> Option<String> {
    let (anchor, _) = advice.strip_prefix("See")?.trim_start().strip_prefix("[above](#")?.split_once(')')?;
    let section = entries.iter().filter(|entry| entry.heading.to_lowercase().replace(' ', "-") == anchor);
    let advice: Vec<_> = section.map(|entry| entry.advice.as_str()).filter(|advice| !advice.is_empty()).collect();
    (!advice.is_empty()).then(|| advice.join("\n\n"))
}

/// Returns the text with the paths of pages as a checkout has them.
fn with_paths(advice: &str) -> String {
    advice.replace("](../", "](docs/").replace("](algebra/", "](docs/look-up/algebra/")
}
