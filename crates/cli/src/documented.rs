//! Every `destrier …` line in the documentation is a command that this program reads.
//!
//! Lines in fenced blocks and spans between backticks are taken apart at pipes; what begins with `destrier` and a verb is
//! parsed by the program's own grammar, and its question is read. What a person is to fill in (`FILE`, `…`) is left out.

use std::path::{Path, PathBuf};

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::args::{Cli, Command};

/// The pages of the project.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    for folder in ["docs", "bench"] {
        let files = std::fs::read_dir(root.join(folder)).unwrap();
        pages.extend(files.map(|file| file.unwrap().path()));
    }
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages
}

/// The commands of a page, with their lines.
fn commands(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut fenced, mut continued) = (false, None);
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if !fenced {
            found.extend(line.split('`').skip(1).step_by(2).map(|span| (number, span.to_owned())));
            continue;
        }
        let (at, mut whole): (usize, String) =
            continued.take().unwrap_or_else(|| (number, String::new()));
        let line = line.trim_start().trim_start_matches("$ ");
        whole += line.trim_end_matches('\\');
        if line.ends_with('\\') {
            continued = Some((at, whole));
        } else {
            found.push((at, whole));
        }
    }
    let stages = found.into_iter().flat_map(|(number, line)| {
        // What follows two spaces is a remark.
        let code = line.split(" # ").next().unwrap_or_default();
        let code = code.split("  ").next().unwrap_or_default().replace("&&", "|");
        let stages: Vec<String> = code.split('|').map(|stage| stage.trim().to_owned()).collect();
        stages.into_iter().map(move |stage| (number, stage))
    });
    stages.filter(|(_, stage)| is_command(stage)).collect()
}

/// Is this a whole command, with nothing for a person to fill in?
fn is_command(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("destrier ") else { return false };
    let verb = rest.starts_with(|c: char| c.is_ascii_lowercase());
    let words: Vec<&str> = rest.split_whitespace().collect();
    let is_hole = |word: &&str| {
        let is_name =
            |part: &str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_uppercase());
        *word == "N"
            || word.contains(['…', '<', '{'])
            || word.split(|c: char| !c.is_ascii_alphanumeric()).any(is_name)
    };
    verb && !words.iter().any(is_hole)
}

/// The words of a command as a shell has them; what follows a redirection is the shell's.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for letter in command.chars().chain([' ']) {
        match (letter, quote) {
            ('\'' | '"', None) => quote = Some(letter),
            (_, Some(open)) if letter == open => quote = None,
            (' ', None) => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            _ => word.push(letter),
        }
    }
    let end = words
        .iter()
        .position(|word: &String| word.starts_with(['>', '<', '2']) && word.contains(['>', '<']));
    words.truncate(end.unwrap_or(words.len()));
    words
}

/// Does a board come behind the verb? A series has none, and nor has a verb that is only spoken of.
fn names_a_board(command: &str) -> bool {
    words(command).get(2).is_some_and(|word| !word.starts_with('-'))
}

#[test]
fn commands_in_the_documentation_are_commands() {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for (line, command) in commands(&text) {
            checked += 1;
            let place = format!("{}:{line}: {command}", page.file_name().unwrap().display());
            let read = match Cli::try_parse_from(words(&command)) {
                Ok(Cli { command: Command::Tour(tour), .. }) => tour.question().map(drop),
                Ok(Cli { command: Command::Count(count), .. }) if names_a_board(&command) => {
                    count.question().map(drop)
                }
                Ok(Cli { command: Command::Enumerate(list), .. }) if names_a_board(&command) => {
                    list.question().map(drop)
                }
                Ok(Cli { command: Command::Swap(swap), .. }) if words(&command).len() > 2 => {
                    swap.question().map(drop)
                }
                Ok(_) => Ok(()),
                Err(error) => match error.kind() {
                    // The last two: a verb or an option that is only spoken of.
                    ErrorKind::DisplayHelp
                    | ErrorKind::DisplayVersion
                    | ErrorKind::MissingRequiredArgument
                    | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Ok(()),
                    ErrorKind::InvalidValue
                        if error.to_string().contains("a value is required") =>
                    {
                        Ok(())
                    }
                    _ => Err(error.into()),
                },
            };
            if let Err(error) = read {
                wrong.push(format!("{place}\n    {error:#}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        checked >= 70,
        "only {checked} commands were found; is the documentation still where it was?"
    );
}
