//! Reading the command line: the options that several verbs share, and the message for a wrong word.

use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser};
use destrier::{Method, MoveOrder, MoveOrderError, SolveError};
use destrier_ask::{Language, Sentence};
use destrier_rules::{Coordinates, Leaper, TourSymmetry, Word, WordError, Wrap};

use crate::exit::Exit;
use crate::output::{Format, Forms, is_rank};

/// The colours of the help.
pub const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

/// Limits on a run.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Stop after this time, like 500ms, 10s, 5m or 2h
    #[arg(long, value_name = "TIME")]
    pub time_limit: Option<String>,

    /// Stop after this many nodes of the search
    #[arg(long, value_name = "N")]
    pub node_limit: Option<u64>,

    /// Use this many threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,

    /// Use at most this much memory, like 500M or 4G
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<String>,

    /// The seed of randomised methods [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Append what the run took to this file, as a line of JSON; `compare` reads it
    #[arg(long, value_name = "FILE", hide = true)]
    pub stats: Option<PathBuf>,
}

/// The board and its holes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Board")]
pub struct BoardArgs {
    /// Files x ranks, like 8x8; or a FEN like 5/2#2/5; or a file with a drawing of `.` and `#`
    #[arg(value_name = "BOARD")]
    pub board: String,

    /// What is special about it.
    #[command(flatten)]
    pub shape: ShapeArgs,
}

/// What is special about the board, and the piece on it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Board")]
pub struct ShapeArgs {
    /// Squares to leave out, like c3,d4
    #[arg(long, value_name = "SQUARES")]
    pub holes: Option<String>,

    /// Join the edges: x left and right, y top and bottom, or both
    #[arg(long, value_name = "x|y|both", value_parser = word::<Wrap>())]
    #[arg(default_value_t = Wrap::None, hide_default_value = true)]
    pub wrap: Wrap,

    /// Another piece: the legs of its jump, like 1,4 for the giraffe
    #[arg(long, value_name = "A,B")]
    pub leaper: Option<String>,

    /// How squares written x,y are counted: from zero or one
    #[arg(long, value_name = "zero|one", value_parser = word::<Coordinates>())]
    #[arg(default_value_t = Coordinates::Zero, hide_default_value = true)]
    pub coords: Coordinates,
}

/// Open or closed, and where the tour starts and ends.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Tour")]
pub struct EndArgs {
    /// Come back to the start by one more jump
    #[arg(long)]
    pub closed: bool,

    /// The first square, like a1 (or x,y)
    #[arg(long, value_name = "SQUARE")]
    pub from: Option<String>,

    /// The last square
    #[arg(long, value_name = "SQUARE")]
    pub to: Option<String>,
}

/// The same, and a symmetry that the tour must have.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Tour")]
pub struct SymmetryArgs {
    /// Its shape and ends.
    #[command(flatten)]
    pub ends: EndArgs,

    /// A symmetry of the tour; a mirror is parallel to the sides or, if named so, in a diagonal; four-paths
    /// is one path and its three quarter turns, chained
    #[arg(long, value_name = "SYMMETRY", value_parser = word::<TourSymmetry>())]
    pub symmetry: Option<TourSymmetry>,
}

/// Which way y is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Upwards from the bottom.
    #[default]
    Bottom,
    /// Downwards from the top.
    Top,
}

impl Origin {
    /// The words of `--origin`.
    pub const WORDS: [(&'static str, &'static str, Origin); 2] = [
        ("bottom", "y is counted upwards, from the bottom", Origin::Bottom),
        ("top", "y is counted downwards, from the top", Origin::Top),
    ];
}

/// Reads an order of moves, like `1,2 2,1 2,-1 1,-2 -1,-2 -2,-1 -2,1 -1,2`: all moves of the piece, x and y of each.
///
/// # Errors
/// When it is none.
pub fn move_order(text: &str, leaper: Leaper, origin: Origin) -> anyhow::Result<MoveOrder> {
    let up = if origin == Origin::Top { -1 } else { 1 };
    let read = |word: &str| {
        let (x, y) = word.split_once(',')?;
        Some((x.trim().parse::<i64>().ok()?, up * y.trim().parse::<i64>().ok()?))
    };
    let words = text.split([' ', ';']).filter(|word| !word.is_empty());
    let moves = words.map(|word| {
        read(word).with_context(|| {
            format!("--move-order: `{word}` is not a move; write x,y of each, like '1,2 2,1 2,-1'")
        })
    });
    let moves = moves.collect::<anyhow::Result<Vec<_>>>()?;
    MoveOrder::new(&moves, leaper).map_err(|error| {
        // As it was written, with y counted that way.
        let told = match error {
            MoveOrderError::NoMove(x, y) => MoveOrderError::NoMove(x, up * y),
            MoveOrderError::Twice(x, y) => MoveOrderError::Twice(x, up * y),
            other => other,
        };
        anyhow::anyhow!("--move-order: {told}")
    })
}

/// Where the answer goes, and in which form.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs<F: Forms> {
    /// The form of the answer
    #[arg(long, short, value_name = "FORMAT", conflicts_with = "json")]
    #[arg(value_parser = choice(F::ALL.iter().map(|&form| (form.name(), form.about(), form))))]
    pub format: Option<Format>,

    /// Write to a file, whose extension names the form; it appears whole or not at all; `-` is stdout
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Short for --format json; `destrier verify` reads certificates and counts
    #[arg(long)]
    pub json: bool,

    /// Colour the grid
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub color: clap::ColorChoice,

    /// Report on stderr which method was used and what it took
    #[arg(long, short)]
    pub verbose: bool,

    /// Which forms there are.
    #[arg(skip)]
    pub forms: PhantomData<F>,
}

/// Reads one of the words of a question; help lists them.
#[must_use]
pub fn word<W: Word>() -> impl TypedValueParser<Value = W> {
    PossibleValuesParser::new(W::names()).try_map(|word| word.parse::<W>())
}

/// Reads one of some values by its name; help lists the names, each with a line about it.
pub fn choice<T: Clone + Send + Sync + 'static>(
    table: impl IntoIterator<Item = (&'static str, &'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let table: Vec<_> = table.into_iter().collect();
    let value = |(name, about, _): &(&'static str, _, T)| PossibleValue::new(*name).help(*about);
    PossibleValuesParser::new(table.iter().map(value)).try_map(move |given| {
        let found = table.iter().find(|(name, ..)| *name == given).map(|entry| entry.2.clone());
        found.ok_or_else(|| WordError::new(&given, table.iter().map(|(name, ..)| *name)))
    })
}

/// Reads a method by its name; shells complete the names.
#[must_use]
pub fn method<M: Method + Send + Sync>() -> impl TypedValueParser<Value = M> {
    MethodParser(PhantomData)
}

#[derive(Clone)]
struct MethodParser<M>(PhantomData<M>);

impl<M: Method + Send + Sync> TypedValueParser for MethodParser<M> {
    type Value = M;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<M, clap::Error> {
        let by_name = StringValueParser::new().try_map(|name| M::named(&name));
        by_name.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(M::ALL.iter().map(|m| PossibleValue::new(m.name()).help(m.about()))))
    }
}

/// Reads the arguments of this process.
///
/// # Errors
/// With the exit code, when they are no command of the program, or ask for help: that is printed then.
pub fn parse<P: Parser>() -> Result<P, ExitCode> {
    if let Some(board) = board_that_looks_like_a_flag() {
        message!("destrier: `{board}` is not a board; write files x ranks, like `8x8`");
        return Err(Exit::BadQuestion.into());
    }
    let mut command = P::command();
    if is_rank() {
        command = command.color(clap::ColorChoice::Never);
    }
    let read = command.try_get_matches_from_mut(joined(std::env::args_os()));
    let read = read.and_then(|mut matches| P::from_arg_matches_mut(&mut matches));
    read.map_err(|error| {
        match wrong_word(&error).map(Sentence::english).or_else(|| in_one_line(&error)) {
            Some(sentence) => message!("destrier: {}", sentence.tell(asked_for())),
            // Help goes to stdout, and a reader that has gone needs none.
            None => drop(error.print()),
        }
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
    })
}

/// `8 x 8` is one word, as it is one board.
fn joined(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let is_side = |word: &OsString| {
        word.to_str()
            .is_some_and(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut out: Vec<OsString> = Vec::new();
    for word in words {
        let by = out.last().is_some_and(|last| matches!(last.to_str(), Some("x" | "X" | "×")));
        if by && is_side(&word) && out.len() > 1 && is_side(&out[out.len() - 2]) {
            out.pop();
            if let Some(files) = out.last_mut() {
                files.push("x");
                files.push(&word);
            }
        } else {
            out.push(word);
        }
    }
    out
}

/// What the reader of options says is wrong, in one line; nothing if help was asked for.
fn in_one_line(error: &clap::Error) -> Option<Sentence> {
    let rendered = error.render().to_string();
    let mut parts = rendered.strip_prefix("error: ")?.split("\n\n");
    let line = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = Sentence::english(line(parts.next()?));
    // That a word can be passed as a value after `--` helps nobody: no operand here begins with a dash.
    let helps = |tip: &String| tip.starts_with("tip: ") && !tip.starts_with("tip: to pass ");
    let tip = parts.next().map(line).filter(helps);
    Some(match tip {
        Some(tip) => {
            let said = format!("{sentence} ({tip})");
            sentence.exactly(said)
        }
        None => sentence,
    })
}

/// The language that is asked for on a command line that cannot be read.
fn asked_for() -> Language {
    let words: Vec<String> = std::env::args().collect();
    let after = words.windows(2).find(|two| two[0] == "--lang").map(|two| two[1].clone());
    let joined = || words.iter().find_map(|word| word.strip_prefix("--lang=").map(str::to_owned));
    let tag = after.or_else(joined).or_else(|| std::env::var("DESTRIER_LANG").ok());
    tag.and_then(|tag| Language::tagged(&tag)).unwrap_or_default()
}

/// A word that is none of those that an option takes, in the sentence that requests to the page get, too: the place,
/// the word, and what there is.
fn wrong_word(error: &clap::Error) -> Option<String> {
    if let Some(SolveError::NoSuchMethod { .. }) =
        error.source().and_then(|source| source.downcast_ref())
    {
        return error.source().map(ToString::to_string);
    }
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue) else {
        return None;
    };
    // An operand's name stands in brackets.
    let option =
        text(ContextKind::InvalidArg)?.split(' ').next()?.trim_matches(['[', ']', '<', '>']);
    let word = text(ContextKind::InvalidValue).filter(|word| !word.is_empty())?;
    (error.kind() == ErrorKind::InvalidValue)
        .then(|| format!("{option}: there is no `{word}`; there are {}", known.join(", ")))
}

/// A first operand like `-3x4`, which would be read as a flag.
fn board_that_looks_like_a_flag() -> Option<String> {
    let negative = |text: &String| {
        let mut letters = text.strip_prefix('-').unwrap_or("").chars();
        letters.next().is_some_and(|c| c.is_ascii_digit()) && letters.any(|c| c == 'x')
    };
    std::env::args().skip(1).find(negative)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        shape: ShapeArgs,
        #[command(flatten)]
        tour: SymmetryArgs,
        #[arg(long, value_parser = choice([("one", "The first", 1_u8), ("two", "The second", 2)]))]
        number: Option<u8>,
    }

    fn read(words: &[&str]) -> Result<Words, clap::Error> {
        Words::try_parse_from([&["destrier"], words].concat())
    }

    #[test]
    fn words_are_read_as_the_rules_read_them() {
        let words =
            read(&["--wrap", "y", "--coords", "one", "--symmetry", "mirror", "--number", "two"]);
        let words = words.unwrap();
        assert_eq!((words.shape.wrap, words.shape.coords), (Wrap::Ranks, Coordinates::One));
        assert_eq!((words.tour.symmetry, words.number), (Some(TourSymmetry::Mirror), Some(2)));
        assert_eq!(read(&[]).unwrap().shape.wrap, Wrap::None);
    }

    #[test]
    fn a_board_in_three_words_is_one_board() {
        let joined = |text: &str| {
            let words = joined(text.split(' ').map(OsString::from)).into_iter();
            words.map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(joined("destrier tour 8 x 8 --closed"), "destrier tour 8x8 --closed");
        assert_eq!(joined("destrier rank 3 x 4 a1 x b2"), "destrier rank 3x4 a1 x b2");
        assert_eq!(joined("x 8 x"), "x 8 x");
    }

    #[test]
    fn an_order_of_moves_is_read_with_y_counted_either_way() {
        let usual = "1,2 2,1 2,-1 1,-2 -1,-2 -2,-1 -2,1 -1,2";
        let read = |text: &str, origin| move_order(text, Leaper::KNIGHT, origin);
        assert_eq!(read(usual, Origin::Bottom).unwrap(), MoveOrder::USUAL);
        let mirrored = "1,-2; 2,-1; 2,1; 1,2; -1,2; -2,1; -2,-1; -1,-2";
        assert_eq!(read(mirrored, Origin::Top).unwrap(), MoveOrder::USUAL);
        for (text, why) in [
            ("1,2 2,1", "2 of 8 moves are given; all are needed"),
            ("1,2 1,2", "1,2 comes twice"),
            ("1,1", "1,1 is not a move of this piece"),
            ("1;2", "`1` is not a move; write x,y of each, like '1,2 2,1 2,-1'"),
            ("", "0 of 8 moves are given; all are needed"),
        ] {
            for origin in [Origin::Bottom, Origin::Top] {
                let error = read(text, origin).unwrap_err().to_string();
                assert_eq!(error, format!("--move-order: {why}"));
            }
        }
    }

    #[test]
    fn a_wrong_word_gets_the_sentence_of_the_rules() {
        let sentence = |words: &[&str]| wrong_word(&read(words).unwrap_err());
        let known = "z".parse::<Wrap>().unwrap_err();
        assert_eq!(sentence(&["--wrap", "z"]), Some(format!("--wrap: {known}")));
        let known = "flip".parse::<TourSymmetry>().unwrap_err();
        assert_eq!(sentence(&["--symmetry=flip"]), Some(format!("--symmetry: {known}")));
        assert_eq!(
            sentence(&["--number", "three"]).unwrap(),
            "--number: there is no `three`; there are one, two"
        );
        // Other mistakes are clap's to explain.
        assert_eq!(sentence(&["--wrap"]), None);
        assert_eq!(sentence(&["--no-such-flag"]), None);
    }
}
