//! `destrier play`: asks for a board and a square, shows the tour, offers a picture of it.
//!
//! The questions are those of the classic exercise: the size, then x and y. After an answer that is no number the
//! question is asked again, politely; the end of the input ends the game. Prompts go to stdout, as in the exercise, so
//! a script can play too.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Duration;

use clap::Args;
use destrier::render::{self, Scene};
use destrier::{Options, Outcome, Solve as _};
use destrier_rules::{Board, Square, TourProblem, Verified};

use destrier_terminal::exit::Exit;

/// Ask for a board and a square like the classic exercise, then show the tour
#[derive(Debug, Args)]
#[command(after_help = "Example: printf '8\\n1\\n1\\nn\\n' | destrier play")]
pub(crate) struct PlayArgs {}

/// The largest side that is shown as a grid on a screen.
const LARGEST: u32 = 100;
/// How long a player waits for an answer at most.
const PATIENCE: Duration = Duration::from_secs(20);

impl PlayArgs {
    #[expect(clippy::unused_self, reason = "every verb is run so")]
    pub(crate) fn run(&self) -> anyhow::Result<Exit> {
        let mut game =
            Game { answers: io::stdin().lock(), out: io::stdout().lock(), exit: Exit::Solved };
        game.play()?;
        Ok(game.exit)
    }
}

/// A game: where the answers come from, and where it is shown.
struct Game<R, W> {
    answers: R,
    out: W,
    exit: Exit,
}

impl<R: BufRead, W: Write> Game<R, W> {
    /// Plays until the player has enough or the answers end.
    fn play(&mut self) -> anyhow::Result<()> {
        writeln!(self.out, "The knight visits every square of the board once.")?;
        writeln!(
            self.out,
            "x counts the files from the left, y the ranks from the bottom, both from 1."
        )?;
        while let Some(problem) = self.question()? {
            if let Some(tour) = self.answer(&problem)? {
                self.offer_picture(&tour)?;
            }
            if !self.yes("Another tour? (y/n) ")? {
                break;
            }
        }
        writeln!(self.out, "Goodbye.")?;
        Ok(self.out.flush()?)
    }

    /// Asks for a board and a square; `None` when the answers end.
    fn question(&mut self) -> anyhow::Result<Option<TourProblem>> {
        let Some((files, ranks)) = self.size()? else { return Ok(None) };
        let Some(x) = self.number("x of the first square: ", files)? else { return Ok(None) };
        let Some(y) = self.number("y of the first square: ", ranks)? else { return Ok(None) };
        Ok(Some(
            TourProblem::open(Board::new(files, ranks)?).starting_at(Square::new(x - 1, y - 1)),
        ))
    }

    /// Shows the tour, or why there is none.
    fn answer(&mut self, problem: &TourProblem) -> anyhow::Result<Option<Verified<TourProblem>>> {
        let answer = problem.solve_with(&Options::new().time_limit(PATIENCE))?;
        let named = destrier_ask::named(problem);
        Ok(match answer.outcome {
            Outcome::Solved(tour) => {
                writeln!(self.out, "\nAn {named}:")?;
                write!(self.out, "{}", render::tour_grid(&tour, render::Colour::Never))?;
                self.exit = Exit::Solved;
                Some(tour)
            }
            Outcome::Impossible(none) => {
                writeln!(self.out, "\nThere is no {named}: {}.", none.obstacle())?;
                self.exit = Exit::Impossible;
                None
            }
            Outcome::Unfinished { why, .. } => {
                writeln!(self.out, "\nNo {named} was found: {why}.")?;
                self.exit = Exit::Unfinished;
                None
            }
        })
    }

    /// Asks until a side, or files x ranks, is given; `None` when the answers end.
    fn size(&mut self) -> anyhow::Result<Option<(u32, u32)>> {
        loop {
            let Some(answer) = self.ask("Size of the board: ")? else { return Ok(None) };
            let (files, ranks) = answer.split_once(['x', 'X', '×']).unwrap_or((&answer, &answer));
            let side = |text: &str| text.trim().parse::<u32>().ok();
            let fits = |side: &u32| (1..=LARGEST).contains(side);
            match (side(files), side(ranks)) {
                (Some(files), Some(ranks)) if fits(&files) && fits(&ranks) => {
                    return Ok(Some((files, ranks)));
                }
                (Some(_), Some(_)) => {
                    writeln!(self.out, "Please give a number from 1 to {LARGEST}.")?;
                }
                _ => self.refuse(&answer, LARGEST)?,
            }
        }
    }

    /// Says politely that an answer is no number.
    fn refuse(&mut self, answer: &str, most: u32) -> io::Result<()> {
        let shown: String = answer.chars().take(20).flat_map(char::escape_debug).collect();
        writeln!(self.out, "`{shown}` is not a number from 1 to {most}; please try again.")
    }

    /// Asks until a number from 1 to `most` is given; `None` when the answers end.
    fn number(&mut self, question: &str, most: u32) -> anyhow::Result<Option<u32>> {
        loop {
            let Some(answer) = self.ask(question)? else { return Ok(None) };
            match answer.parse::<u32>() {
                Ok(number) if (1..=most).contains(&number) => return Ok(Some(number)),
                Ok(_) => writeln!(self.out, "Please give a number from 1 to {most}.")?,
                Err(_) => self.refuse(&answer, most)?,
            }
        }
    }

    fn yes(&mut self, question: &str) -> anyhow::Result<bool> {
        let answer = self.ask(question)?.unwrap_or_default();
        Ok(matches!(answer.to_lowercase().as_str(), "y" | "yes"))
    }

    /// Offers to keep the picture; a name that cannot be written is asked for again.
    fn offer_picture(&mut self, tour: &Verified<TourProblem>) -> anyhow::Result<()> {
        if !self.yes("Save the picture? (y/n) ")? {
            return Ok(());
        }
        loop {
            let question = "File name [tour.svg]: ";
            let Some(answer) = self.ask(question)? else { return Ok(()) };
            let name = if answer.is_empty() { "tour.svg".to_owned() } else { answer };
            match save(tour, Path::new(&name)) {
                Ok(()) => return Ok(writeln!(self.out, "Saved {name}.")?),
                Err(error) => writeln!(self.out, "{name} could not be saved: {error:#}.")?,
            }
        }
    }

    /// Asks a question; the answer without the space around it, or `None` when there are no more.
    fn ask(&mut self, question: &str) -> anyhow::Result<Option<String>> {
        write!(self.out, "{question}")?;
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

    fn played(answers: &[u8]) -> (String, Exit) {
        let mut game = Game { answers, out: Vec::new(), exit: Exit::Solved };
        game.play().unwrap();
        (String::from_utf8(game.out).unwrap(), game.exit)
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
