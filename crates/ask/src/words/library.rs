//! What the library says, as sentences: why there is no solution, what is wrong, why a run stopped.
//!
//! Invariant: in English each is what the library's own `Display` says.

use std::error::Error;
use std::fmt;

use destrier::{Halt, SolveError};
use destrier_rules::{
    BoardError, Fault, LeaperError, MAX_SIDE, Missing, Obstacle, QuestionError, Side, SquareError,
    Support,
};

use super::{Misread, Sentence};

/// The sentence for an error, if it is one of ours.
#[must_use]
pub fn error_told(error: &(dyn Error + 'static)) -> Option<Sentence> {
    fn of<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<Sentence>
    where
        Sentence: From<&'e E>,
    {
        error.downcast_ref::<E>().map(Sentence::from)
    }
    of::<Fault>(error)
        .or_else(|| of::<QuestionError>(error))
        .or_else(|| of::<SolveError>(error))
        .or_else(|| of::<Misread>(error))
        .or_else(|| of::<BoardError>(error))
        .or_else(|| of::<SquareError>(error))
        .or_else(|| of::<LeaperError>(error))
}

/// `nothing`, or the letter.
fn shown(letter: Option<char>) -> Sentence {
    let letter = letter.map(|letter| Sentence::english(format!("`{letter}`")));
    letter.unwrap_or_else(|| Sentence::of("fault.nothing"))
}

/// `start`, `half-turn`: a word of a question.
fn word(name: impl fmt::Display) -> Sentence {
    Sentence::of(format!("role.{name}"))
}

impl From<Halt> for Sentence {
    fn from(halt: Halt) -> Sentence {
        Sentence::of(match halt {
            Halt::Asked => "halt.asked",
            Halt::Deadline => "halt.time",
            Halt::Nodes => "halt.nodes",
            Halt::Memory => "halt.memory",
            Halt::GaveUp => "halt.gave-up",
            other => return Sentence::english(other),
        })
    }
}

impl From<Support> for Sentence {
    fn from(support: Support) -> Sentence {
        Sentence::of(match support {
            Support::Checked => "support.checked",
            Support::Theorem => "support.theorem",
            Support::Stated => "support.stated",
            Support::Search => "support.search",
            Support::SearchedAgain => "support.again",
            other => return Sentence::english(other),
        })
    }
}

impl From<&Obstacle> for Sentence {
    fn from(obstacle: &Obstacle) -> Sentence {
        let coloured = |key: &'static str, dark: &u64, light: &u64| {
            Sentence::of(key).with("dark", dark).with("light", light)
        };
        match obstacle {
            Obstacle::Colours { dark, light } => coloured("reason.colours", dark, light),
            Obstacle::EndColours { dark, light } => match dark.cmp(light) {
                std::cmp::Ordering::Equal => coloured("reason.opposite_ends", dark, light),
                std::cmp::Ordering::Greater => coloured("reason.dark_ends", dark, light),
                std::cmp::Ordering::Less => coloured("reason.light_ends", dark, light),
            },
            Obstacle::DeadEnds { squares } => {
                Sentence::of("reason.dead_ends").with("squares", squares).with("n", squares.len())
            }
            Obstacle::Cut { removed, parts } if removed.is_empty() => {
                Sentence::of("reason.parts").with("n", parts)
            }
            Obstacle::Cut { removed, parts } => {
                Sentence::of("reason.cut").with("squares", removed).with("n", parts)
            }
            Obstacle::Unreachable { from, to } => {
                Sentence::of("reason.unreachable").with("from", from).with("to", to)
            }
            Obstacle::Schwenk { short, long } => match (short, long) {
                (short, long) if short % 2 == 1 && long % 2 == 1 => {
                    Sentence::of("reason.schwenk_odd")
                }
                (1 | 2 | 4, _) => Sentence::of("reason.schwenk_side").with("side", short),
                _ => Sentence::of("reason.schwenk_small"),
            },
            // The argument itself, with its numbers, is in English; it is a part of the certificate.
            Obstacle::Theorem { name, .. } => {
                Sentence::of(format!("theorem.{name}")).exactly(obstacle)
            }
            Obstacle::Exhausted { method, nodes } => Sentence::of("reason.exhausted")
                .with("method", method)
                .with("nodes", Sentence::of("unit.nodes").with("n", nodes)),
            other => Sentence::english(other),
        }
    }
}

impl From<&Fault> for Sentence {
    fn from(fault: &Fault) -> Sentence {
        let step = |key: &'static str, step: &u64| Sentence::of(key).with("step", step);
        match fault {
            Fault::Question(error) => error.into(),
            Fault::Length { found, expected } => {
                Sentence::of("fault.length").with("found", found).with("expected", expected)
            }
            Fault::OffBoard { step: at, square } => {
                step("fault.off_board", at).with("square", square)
            }
            Fault::OnHole { step: at, square } => step("fault.on_hole", at).with("square", square),
            Fault::NotAJump { step: at, from, to } => {
                step("fault.not_a_jump", at).with("from", from).with("to", to)
            }
            Fault::NotALeap { leaper, step: at, from, to } => {
                let told = match at {
                    Some(at) => step("fault.not_a_leap", at),
                    None => Sentence::of("fault.no_leap_home"),
                };
                told.with("from", from).with("to", to).with("leaper", leaper)
            }
            Fault::IdleRun { step: at, square } => {
                step("fault.idle_run", at).with("square", square)
            }
            Fault::NotACycle => Sentence::of("fault.not_a_cycle"),
            Fault::Repeated { step: at, square, first } => {
                step("fault.repeated", at).with("square", square).with("first", first)
            }
            Fault::NotAStep { square, number, last } => Sentence::of("fault.not_a_step")
                .with("square", square)
                .with("number", number)
                .with("last", last),
            Fault::NoNext { step: at, square } => {
                step("fault.no_next", &(at + 1)).with("before", at).with("square", square)
            }
            Fault::WrongEnd { role, found, expected } => Sentence::of("fault.wrong_end")
                .with("role", word(role))
                .with("found", found)
                .with("expected", expected),
            Fault::NotClosed { last, first } => {
                Sentence::of("fault.not_closed").with("last", last).with("first", first)
            }
            Fault::NotSymmetric { symmetry, step: at, square } => step("fault.not_symmetric", at)
                .with("symmetry", word(symmetry))
                .with("square", square),
            Fault::Empty => Sentence::of("fault.empty"),
            Fault::Missed(square) => Sentence::of("fault.missed").with("square", square),
            Fault::NoKnight { step: at, square } => {
                step("fault.no_knight", at).with("square", square)
            }
            Fault::Occupied { step: at, square } => {
                step("fault.occupied", at).with("square", square)
            }
            Fault::WrongTurn { step: at, square, turn: Side::White } => {
                step("fault.turn_of_white", at).with("square", square)
            }
            Fault::WrongTurn { step: at, square, turn: Side::Black } => {
                step("fault.turn_of_black", at).with("square", square)
            }
            Fault::Attacked { step: at, one, other } => {
                step("fault.attacked", at).with("one", one).with("other", other)
            }
            Fault::GoalMissed { square, found, expected } => Sentence::of("fault.goal_missed")
                .with("square", square)
                .with("found", shown(*found))
                .with("expected", shown(*expected)),
            Fault::Claim(why) => Sentence::of("fault.claim").with("why", Sentence::english(why)),
            Fault::Reason(why) => Sentence::of("fault.reason").with("why", Sentence::english(why)),
            Fault::TooMuchWork { steps, most } => {
                Sentence::of("fault.too_much_work").with("steps", steps).with("most", most)
            }
            Fault::Undecided(why) => {
                Sentence::of("fault.undecided").with("why", Sentence::english(why))
            }
            Fault::Stopped => Sentence::of("fault.stopped"),
            other => Sentence::english(other),
        }
    }
}

impl From<&QuestionError> for Sentence {
    fn from(error: &QuestionError) -> Sentence {
        match error {
            QuestionError::OffBoard { role, square, size } => Sentence::of("refused.off_board")
                .with("role", word(role))
                .with("square", square)
                .with("size", size),
            QuestionError::OnHole { role, square } => {
                Sentence::of("refused.on_hole").with("role", word(role)).with("square", square)
            }
            QuestionError::Doubled(square) => {
                Sentence::of("refused.doubled").with("square", square)
            }
            QuestionError::SameEnds(square) => {
                Sentence::of("refused.same_ends").with("square", square)
            }
            QuestionError::NoSuchSymmetry { symmetry, size, why } => {
                let said = match why {
                    Missing::NotSquare => "refused.not_square",
                    Missing::JoinedOneWay => "refused.joined_one_way",
                    Missing::MovesNothing => "refused.moves_nothing",
                    _ => "refused.no_symmetry",
                };
                Sentence::of(said).with("symmetry", word(symmetry)).with("size", size)
            }
            QuestionError::Knights { letter, start, goal } => Sentence::of("refused.knights")
                .with("letter", letter)
                .with("start", start)
                .with("goal", goal),
            QuestionError::NoRoom { left, open } => {
                Sentence::of("refused.no_room").with("left", left).with("open", open)
            }
            QuestionError::DifferentBoards => Sentence::of("refused.different_boards"),
            QuestionError::NoSide(Side::White) => Sentence::of("refused.no_white"),
            QuestionError::NoSide(Side::Black) => Sentence::of("refused.no_black"),
            QuestionError::Attacked { position, one, other } => Sentence::of("refused.attacked")
                .with("position", word(position))
                .with("one", one)
                .with("other", other),
            other => Sentence::english(other),
        }
    }
}

impl From<&SolveError> for Sentence {
    fn from(error: &SolveError) -> Sentence {
        match error {
            SolveError::Question(error) => error.into(),
            SolveError::Unsuited { method, why } => Sentence::of("refused.unsuited")
                .with("method", method)
                .with("why", Sentence::english(why)),
            SolveError::Stopped(why) => (*why).into(),
            other => Sentence::english(other),
        }
    }
}

impl From<&BoardError> for Sentence {
    fn from(error: &BoardError) -> Sentence {
        let escaped = |text: &String| text.escape_debug().to_string();
        match error {
            BoardError::Malformed(text) => {
                Sentence::of("refused.board").with("board", escaped(text)).exactly(error)
            }
            BoardError::Side(text) => Sentence::of("refused.side")
                .with("board", escaped(text))
                .with("most", MAX_SIDE)
                .exactly(error),
            BoardError::HoleOutside(hole, size) => Sentence::of("refused.off_board")
                .with("role", word("hole"))
                .with("square", hole)
                .with("size", size),
            BoardError::NothingLeft => Sentence::of("refused.nothing_left"),
            other => Sentence::english(other),
        }
    }
}

impl From<&SquareError> for Sentence {
    fn from(error: &SquareError) -> Sentence {
        match error {
            SquareError::Malformed(text) => {
                let text = text.escape_debug().to_string();
                Sentence::of("refused.square").with("square", text).exactly(error)
            }
            other => Sentence::english(other),
        }
    }
}

impl From<&LeaperError> for Sentence {
    fn from(error: &LeaperError) -> Sentence {
        Sentence::of("refused.leaper").exactly(error)
    }
}

impl From<&Misread> for Sentence {
    fn from(misread: &Misread) -> Sentence {
        let Misread { option, why, .. } = misread;
        match option {
            _ if why.key().is_none() => Sentence::english(misread),
            None => why.clone(),
            Some(option) => {
                let option = format!("--{option}");
                Sentence::of("told.about").with("what", option).with("why", why)
            }
        }
    }
}
