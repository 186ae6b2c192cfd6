//! `destrier play`: asks for a board and a square, shows the tour, offers a picture of it.
//!
//! The questions are those of the classic exercise: the size, then x and y. After an answer that is no number the
//! question is asked again, politely; the end of the input ends the game. Prompts go to stdout, as in the exercise, so
//! a script can play too. With `--method warnsdorff`, `--origin top` and the order of moves of another program, the grid
//! is that of the other program, square for square. The sentences are the page's, in its languages.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use destrier::render::{self, Scene};
use destrier::{Options, Outcome, Solve as _, TourMethod};
use destrier_ask::{Language, Sentence};
use destrier_rules::{Board, Leaper, Square, TourProblem, Verified};
use destrier_terminal::args::{Origin, choice, method, move_order};
use destrier_terminal::exit::Exit;
use destrier_terminal::language::spoken;

const EXAMPLES: &str = "\
Examples:
  printf '8\\n1\\n1\\nn\\n' | destrier play
  destrier play --method warnsdorff --origin top --lang pl
  destrier play --method warnsdorff --move-order '2,1 1,2 -1,2 -2,1 -2,-1 -1,-2 1,-2 2,-1'";

/// Ask for a board and a square like the classic exercise, then show the tour
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlayArgs {
    /// The method: auto, or one by name
    #[arg(long, short, value_name = "METHOD", default_value = "auto")]
    #[arg(value_parser = method::<TourMethod>())]
    method: TourMethod,

    /// The order in which warnsdorff, pohl and roth try moves, x,y of each, y counted as by --origin
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    move_order: Option<String>,

    /// From where y is counted
    #[arg(long, value_name = "top|bottom", default_value = "bottom")]
    #[arg(value_parser = choice(Origin::WORDS))]
    origin: Origin,
}

/// The largest side that is shown as a grid on a screen.
const LARGEST: u32 = 100;
/// How long a player waits for an answer at most.
const PATIENCE: Duration = Duration::from_secs(20);
/// The file that a picture goes to, unless the player names another.
const USUAL_FILE: &str = "tour.svg";

impl PlayArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let mut game = Game {
            answers: io::stdin().lock(),
            out: io::stdout().lock(),
            exit: Exit::Solved,
            method: self.method()?,
            origin: self.origin,
            language: spoken(),
        };
        game.play()?;
        Ok(game.exit)
    }

    /// The method, with its order of moves.
    fn method(&self) -> anyhow::Result<TourMethod> {
        let Some(text) = &self.move_order else { return Ok(self.method) };
        let order = move_order(text, Leaper::KNIGHT, self.origin)?;
        match self.method {
            TourMethod::Warnsdorff(walk) => Ok(TourMethod::Warnsdorff(walk.in_order(order))),
            _ => bail!("--move-order is for --method warnsdorff, pohl, roth"),
        }
    }
}

/// A game: where the answers come from, and where it is shown.
struct Game<R, W> {
    answers: R,
    out: W,
    exit: Exit,
    method: TourMethod,
    origin: Origin,
    language: Language,
}

impl<R: BufRead, W: Write> Game<R, W> {
    /// Plays until the player has enough or the answers end.
    fn play(&mut self) -> anyhow::Result<()> {
        let top = self.origin == Origin::Top;
        self.tell(&Sentence::of("terminal.intro"))?;
        self.tell(&Sentence::of(if top { "terminal.axes_top" } else { "terminal.axes_bottom" }))?;
        while let Some(problem) = self.question()? {
            if let Some(tour) = self.answer(&problem)? {
                self.offer_picture(&tour)?;
            }
            if !self.yes("terminal.another")? {
                break;
            }
        }
        self.tell(&Sentence::of("terminal.bye"))?;
        Ok(self.out.flush()?)
    }

    fn tell(&mut self, sentence: &Sentence) -> io::Result<()> {
        writeln!(self.out, "{}", sentence.tell(self.language))
    }

    /// Asks for a board and a square; `None` when the answers end.
    fn question(&mut self) -> anyhow::Result<Option<TourProblem>> {
        let Some((files, ranks)) = self.size()? else { return Ok(None) };
        let Some(x) = self.number("terminal.x", files)? else { return Ok(None) };
        let Some(y) = self.number("terminal.y", ranks)? else { return Ok(None) };
        let rank = if self.origin == Origin::Top { ranks - y } else { y - 1 };
        Ok(Some(TourProblem::open(Board::new(files, ranks)?).starting_at(Square::new(x - 1, rank))))
    }

    /// Shows the tour, or why there is none.
    fn answer(&mut self, problem: &TourProblem) -> anyhow::Result<Option<Verified<TourProblem>>> {
        let answer = problem.solve_by(self.method, &Options::new().time_limit(PATIENCE))?;
        let of = |key: &'static str| {
            Sentence::of(key).with("size", problem.board.size()).with("square", problem.start)
        };
        writeln!(self.out)?;
        Ok(match answer.outcome {
            Outcome::Solved(tour) => {
                self.tell(&of("terminal.found"))?;
                write!(self.out, "{}", render::tour_grid(&tour, render::Colour::Never))?;
                self.exit = Exit::Solved;
                Some(tour)
            }
            Outcome::Impossible(none) => {
                self.tell(&of("terminal.none").with("why", Sentence::from(none.obstacle())))?;
                self.exit = Exit::Impossible;
                None
            }
            Outcome::Unfinished { why, .. } => {
                self.tell(&of("terminal.undecided").with("why", Sentence::from(why)))?;
                self.exit = Exit::Unfinished;
                None
            }
        })
    }

    /// Asks until a side, or files x ranks, is given; `None` when the answers end.
    fn size(&mut self) -> anyhow::Result<Option<(u32, u32)>> {
        loop {
            let Some(answer) = self.ask("terminal.size")? else { return Ok(None) };
            let (files, ranks) = answer.split_once(['x', 'X', '×']).unwrap_or((&answer, &answer));
            let side = |text: &str| text.trim().parse::<u32>().ok();
            let fits = |side: &u32| (1..=LARGEST).contains(side);
            match (side(files), side(ranks)) {
                (Some(files), Some(ranks)) if fits(&files) && fits(&ranks) => {
                    return Ok(Some((files, ranks)));
                }
                (Some(_), Some(_)) => self.out_of_range(LARGEST)?,
                _ => self.refuse(&answer, LARGEST)?,
            }
        }
    }

    /// Says politely that an answer is no number.
    fn refuse(&mut self, answer: &str, most: u32) -> io::Result<()> {
        let shown: String = answer.chars().take(20).flat_map(char::escape_debug).collect();
        self.tell(&Sentence::of("terminal.no_number").with("word", shown).with("most", most))
    }

    fn out_of_range(&mut self, most: u32) -> io::Result<()> {
        self.tell(&Sentence::of("terminal.range").with("most", most))
    }

    /// Asks until a number from 1 to `most` is given; `None` when the answers end.
    fn number(&mut self, question: &'static str, most: u32) -> anyhow::Result<Option<u32>> {
        loop {
            let Some(answer) = self.ask(question)? else { return Ok(None) };
            match answer.parse::<u32>() {
                Ok(number) if (1..=most).contains(&number) => return Ok(Some(number)),
                Ok(_) => self.out_of_range(most)?,
                Err(_) => self.refuse(&answer, most)?,
            }
        }
    }

    /// Is a question answered with a yes, in the language or in English?
    fn yes(&mut self, question: &'static str) -> anyhow::Result<bool> {
        let answer = self.ask(question)?.unwrap_or_default().to_lowercase();
        let words = Sentence::of("terminal.yes").tell(self.language);
        Ok(words.split(' ').chain(["y", "yes"]).any(|word| word == answer))
    }

    /// Offers to keep the picture; a name that cannot be written is asked for again.
    fn offer_picture(&mut self, tour: &Verified<TourProblem>) -> anyhow::Result<()> {
        if !self.yes("terminal.save")? {
            return Ok(());
        }
        loop {
            let Some(answer) = self.ask("terminal.file")? else { return Ok(()) };
            let name = if answer.is_empty() { USUAL_FILE.to_owned() } else { answer };
            match save(tour, Path::new(&name)) {
                Ok(()) => {
                    return Ok(self.tell(&Sentence::of("terminal.saved").with("name", name))?);
                }
                Err(error) => {
                    let said = Sentence::of("terminal.unsaved").with("name", name);
                    self.tell(&said.with("why", format!("{error:#}")))?;
                }
            }
        }
    }

    /// Asks a question; the answer without the space around it, or `None` when there are no more.
    fn ask(&mut self, question: &'static str) -> anyhow::Result<Option<String>> {
        let question = Sentence::of(question).with("usual", USUAL_FILE);
        write!(self.out, "{} ", question.tell(self.language))?;
        self.out.flush()?;
        let mut line = Vec::new();
        if self.answers.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
    }
}

/// Writes the picture, as SVG or, for a name that ends so, as PNG.
fn save(tour: &Verified<TourProblem>, path: &Path) -> anyhow::Result<()> {
    let scene = Scene::of_tour(tour);
    let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    let picture = if is_png { render::png(&scene)? } else { render::svg(&scene)?.into_bytes() };
    destrier_terminal::output::to_file(path, |out| Ok(out.write_all(&picture)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played_by(
        answers: &[u8],
        method: TourMethod,
        origin: Origin,
        language: Language,
    ) -> (String, Exit) {
        let (out, exit) = (Vec::new(), Exit::Solved);
        let mut game = Game { answers, out, exit, method, origin, language };
        game.play().unwrap();
        (String::from_utf8(game.out).unwrap(), game.exit)
    }

    fn played(answers: &[u8]) -> (String, Exit) {
        played_by(answers, TourMethod::Auto, Origin::Bottom, Language::English)
    }

    /// The walk of a course's program, written as it is there: y from the top, and the first of the moves with the
    /// fewest exits.
    fn walked(n: i64, start: (i64, i64), moves: &[(i64, i64)]) -> Vec<Vec<i64>> {
        let mut board = vec![vec![0; usize::try_from(n).unwrap()]; usize::try_from(n).unwrap()];
        let at = |board: &Vec<Vec<i64>>, (x, y): (i64, i64)| {
            let inside = (1..=n).contains(&x) && (1..=n).contains(&y);
            inside.then(|| board[usize::try_from(y - 1).unwrap()][usize::try_from(x - 1).unwrap()])
        };
        let mut here = start;
        for turn in 1..=n * n {
            let (x, y) = here;
            board[usize::try_from(y - 1).unwrap()][usize::try_from(x - 1).unwrap()] = turn;
            let to = |(x, y): (i64, i64), (dx, dy): (i64, i64)| (x + dx, y + dy);
            let exits = |square| {
                moves.iter().filter(|&&jump| at(&board, to(square, jump)) == Some(0)).count()
            };
            let next = moves.iter().map(|&jump| to(here, jump));
            let free = next.filter(|&square| at(&board, square) == Some(0));
            if let Some(next) = free.min_by_key(|&square| exits(square)) {
                here = next;
            }
        }
        board
    }

    #[test]
    fn with_another_programs_order_of_moves_the_grid_is_that_of_the_program() {
        let moves = [(-2, -1), (-2, 1), (-1, 2), (1, 2), (-1, -2), (1, -2), (2, -1), (2, 1)];
        let words: Vec<String> = moves.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let args = PlayArgs {
            method: TourMethod::Warnsdorff(destrier::Warnsdorff::new(destrier::Ties::MoveOrder)),
            move_order: Some(words.join(" ")),
            origin: Origin::Top,
        };
        for (n, x, y) in [(8, 1, 1), (8, 3, 6), (6, 2, 5)] {
            let answers = format!("{n}\n{x}\n{y}\nn\nn\n");
            let method = args.method().unwrap();
            let (shown, _) = played_by(answers.as_bytes(), method, Origin::Top, Language::English);
            let grid: Vec<Vec<i64>> = shown
                .lines()
                .skip_while(|line| !line.starts_with("An open tour"))
                .skip(1)
                .take(usize::try_from(n).unwrap())
                .map(|line| line.split_whitespace().map(|cell| cell.parse().unwrap()).collect())
                .collect();
            assert_eq!(grid, walked(n, (x, y), &moves), "{n} {x} {y}: {shown}");
        }
    }

    #[test]
    fn an_order_of_moves_needs_a_walk() {
        let args = PlayArgs {
            method: TourMethod::Auto,
            move_order: Some("1,2 2,1 2,-1 1,-2 -1,-2 -2,-1 -2,1 -1,2".to_owned()),
            origin: Origin::Bottom,
        };
        assert!(args.method().unwrap_err().to_string().starts_with("--move-order is for"));
    }

    #[test]
    fn the_game_is_played_in_the_languages_of_the_page() {
        for (language, found, none, bye) in [
            (
                Language::Polish,
                "Otwarta trasa na 5x5 z pola a1:",
                "Nie ma otwartej trasy na 4x4",
                "Do widzenia.",
            ),
            (
                Language::Czech,
                "Otevřená procházka na 5x5 z pole a1:",
                "neexistuje",
                "Na shledanou.",
            ),
        ] {
            let answers = "5\n1\n1\nn\nano\n".replace(
                "ano",
                Sentence::of("terminal.yes").tell(language).split(' ').next_back().unwrap(),
            );
            let answers = answers + "4\n1\n1\nn\n";
            let (shown, exit) =
                played_by(answers.as_bytes(), TourMethod::Auto, Origin::Bottom, language);
            for part in [found, none, bye] {
                assert!(shown.contains(part), "{language:?}: {shown}");
            }
            assert_eq!(exit, Exit::Impossible);
            assert!(!shown.contains('{') && !shown.contains("There is"), "{shown}");
        }
    }

    #[test]
    fn a_game_shows_a_tour_and_ends() {
        let (shown, exit) = played(b"5\n1\n1\nn\nn\n");
        assert!(shown.contains("An open tour of 5x5 from a1"), "{shown}");
        assert!(shown.contains("25"), "{shown}");
        assert!(shown.ends_with("Goodbye.\n"));
        assert_eq!(exit, Exit::Solved);
    }

    #[test]
    fn what_is_no_number_is_asked_for_again() {
        let (shown, _) = played(b"eight\n0\n101\n-3\n6x6\n7\n2\n\xff\n3\nn\nn\n");
        assert!(shown.contains("`eight` is not a number from 1 to 100"), "{shown}");
        assert_eq!(shown.matches("Please give a number from 1 to 100").count(), 2, "{shown}");
        assert!(shown.contains("Please give a number from 1 to 6"), "{shown}");
        assert!(shown.contains("An open tour of 6x6 from b3"), "{shown}");
    }

    #[test]
    fn the_end_of_the_answers_ends_the_game_politely_wherever_it_comes() {
        let whole: &[u8] = b"5\n1\n1\ny\n\n";
        for end in 0..4 {
            let (shown, _) = played(&whole[..end]);
            assert!(shown.ends_with("Goodbye.\n"), "{shown}");
        }
    }

    #[test]
    fn a_board_without_a_tour_is_answered_with_the_reason() {
        let (shown, exit) = played(b"4\n1\n1\nn\n");
        assert!(shown.contains("There is no open tour of 4x4 from a1"), "{shown}");
        assert_eq!(exit, Exit::Impossible);
    }
}
