//! A search that was watched, as a film: the events of its trace, replayed on the board of its question.
//!
//! The trace comes from the client, so it is not trusted: every event must be possible at its place.
//!
//! Cost: a film has at most `MOST_SIGHTS` pictures; of a longer search it shows some, evenly spaced, and the last.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter::successors;

use destrier::render::{self, Sight};
use destrier_rules::{Board, Leaper, Move, Placement, Square};
use serde_json::Value;

use crate::bounded;
use crate::export::undrawn;
use crate::limits::Limits;
use crate::question::Question;
use crate::refusal::{Refusal, RefusalKind};
use crate::request::Fields;
use crate::words::quantity;

/// The most pictures of a film.
const MOST_SIGHTS: usize = 150;
/// The most squares of all its pictures together.
const MOST_DRAWN: u64 = 200_000;
/// The most that walk at the same time: as many as there are jumps from a square.
const MOST_WALKERS: usize = 8;
/// The most events of a trace.
const MOST_EVENTS: usize = 1 << 18;

/// The film of a trace: `question`, as it was asked, and `events`, as they were reported.
pub(crate) fn gif(trace: &Value, limits: Limits) -> Result<Vec<u8>, Refusal> {
    let question = Fields::of(trace["question"].clone(), limits)?.question()?;
    let events: Vec<Vec<String>> = bounded::part(trace, "events")
        .map_err(|error| Refusal::unfit("events", format!("`events`: {error}")))?;
    if events.len() > MOST_EVENTS {
        let why = format!("{} events are too many: {MOST_EVENTS} at most", events.len());
        return Err(Refusal::new(RefusalKind::TooLarge, why));
    }
    let (board, leaper, mut replay) = match question {
        Question::Tour(ask) => {
            let problem = ask.problem;
            (problem.board, problem.leaper, Replay::Walk(Walk::default()))
        }
        Question::Capture(ask) => {
            let problem = ask.puzzle.problem;
            let targets = problem.targets.clone();
            let is_look = |event: &Vec<String>| event.first().is_some_and(|word| word == "look");
            let replay = if events.iter().any(is_look) {
                let start = Placement::from([(problem.start, 'N')]);
                let taking = Some((problem.start, targets));
                Replay::Looks(Looks { start, taking, ..Looks::default() })
            } else {
                Replay::Walk(Walk { targets, ..Walk::default() })
            };
            (problem.board, Leaper::KNIGHT, replay)
        }
        Question::Swap(ask) => {
            let problem = ask.problem;
            let looks = Looks { start: problem.start, ..Looks::default() };
            (problem.board, Leaper::KNIGHT, Replay::Looks(looks))
        }
        _ => {
            let why = "there are films of searches for tours, captures and swaps";
            return Err(Refusal::unfit("question", why));
        }
    };
    let steps = events.iter().filter(|event| is_step(event)).count();
    let most = usize::try_from(MOST_DRAWN / board.area().max(1)).unwrap_or(MOST_SIGHTS);
    let pictures = most.saturating_sub(1).min(MOST_SIGHTS);
    let (mut sights, mut step) = (vec![replay.sight(&board, 0, steps)], 0);
    for (at, event) in (1..).zip(&events) {
        replay.take(&board, event).ok_or_else(|| {
            let why = format!("event {at}: {} is not possible there", event.join(" "));
            Refusal::unfit("events", why).at_step(at)
        })?;
        if is_step(event) {
            step += 1;
            if step * pictures / steps > (step - 1) * pictures / steps {
                sights.push(replay.sight(&board, step, steps));
            }
        }
    }
    render::film(&board, leaper, &sights).map_err(undrawn)
}

/// Does the event change what is seen?
fn is_step(event: &[String]) -> bool {
    event.first().is_some_and(|word| matches!(word.as_str(), "move" | "back" | "look"))
}

/// A search as it goes on.
enum Replay {
    Walk(Walk),
    Looks(Looks),
}

/// A search that walks: alone, or several at the same time.
#[derive(Default)]
struct Walk {
    walkers: BTreeMap<usize, Walker>,
    /// Whose turn it is.
    turn: usize,
    targets: BTreeSet<Square>,
    dead_ends: usize,
}

/// One of those that walk.
#[derive(Default)]
struct Walker {
    squares: Vec<Square>,
    /// Was the last step a move?
    forward: bool,
}

/// A search of positions.
#[derive(Default)]
struct Looks {
    start: Placement,
    /// Of a capture: where the knight starts, and the pieces to take.
    taking: Option<(Square, BTreeSet<Square>)>,
    /// The position that each came from, and by which move; the start has the number 0.
    came: HashMap<usize, (usize, Move)>,
    at: usize,
    dead_ends: usize,
}

impl Replay {
    /// Takes an event, if it is possible.
    fn take(&mut self, board: &Board, event: &[String]) -> Option<()> {
        let words: Vec<&str> = event.iter().map(String::as_str).collect();
        match self {
            Replay::Walk(walk) => walk.take(board, &words),
            Replay::Looks(looks) => looks.take(board, &words),
        }
    }

    /// What is seen now, with its caption.
    fn sight(&self, board: &Board, step: usize, steps: usize) -> (Sight, String) {
        let (sight, dead_ends) = match self {
            Replay::Walk(walk) => (
                Sight::Walk { walk: walk.leader(), targets: walk.targets.clone() },
                &walk.dead_ends,
            ),
            Replay::Looks(looks) => {
                let sight = match &looks.taking {
                    Some((start, targets)) => {
                        let squares = looks.way().into_iter().map(|step| step.to);
                        let walk = std::iter::once(*start).chain(squares).collect();
                        Sight::Walk { walk, targets: targets.clone() }
                    }
                    None => Sight::Position {
                        knights: looks.knights(),
                        last: looks.came.get(&looks.at).map(|&(_, step)| step),
                    },
                };
                (sight, &looks.dead_ends)
            }
        };
        // A narrow picture has no room for more.
        let caption = if board.files() > 4 {
            let ends = quantity(*dead_ends as u64, "dead ends");
            format!("{step} of {steps}, {ends}")
        } else {
            format!("{step} of {steps}")
        };
        (sight, caption)
    }
}

fn square(board: &Board, word: &str) -> Option<Square> {
    word.parse().ok().filter(|&square| board.contains(square))
}

impl Walk {
    /// The longest walk: of those as long, the first.
    fn leader(&self) -> Vec<Square> {
        let walks = self.walkers.values().rev().map(|walker| &walker.squares);
        walks.max_by_key(|squares| squares.len()).cloned().unwrap_or_default()
    }

    fn take(&mut self, board: &Board, words: &[&str]) -> Option<()> {
        let walker = self.walkers.entry(self.turn).or_default();
        match words {
            ["turn", next] => {
                self.turn = next.parse().ok().filter(|&next: &usize| next < MOST_WALKERS)?;
                return Some(());
            }
            ["begin"] => {
                self.dead_ends += usize::from(!walker.squares.is_empty());
                walker.squares.clear();
            }
            ["move", to] => walker.squares.push(square(board, to)?),
            ["back"] => {
                walker.squares.pop()?;
                self.dead_ends += usize::from(walker.forward);
            }
            ["found"] => return Some(()),
            _ => return None,
        }
        walker.forward = words[0] == "move";
        Some(())
    }
}

impl Looks {
    /// The moves from the start to the position looked at.
    fn way(&self) -> Vec<Move> {
        let before = |&(from, _): &(usize, Move)| self.came.get(&from).copied();
        let way = successors(self.came.get(&self.at).copied(), before);
        let mut way: Vec<Move> = way.map(|(_, step)| step).collect();
        way.reverse();
        way
    }

    /// Where the knights stand.
    fn knights(&self) -> Placement {
        let mut knights = self.start.clone();
        for Move { from, to } in self.way() {
            if let Some(letter) = knights.remove(&from) {
                knights.insert(to, letter);
            }
        }
        knights
    }

    fn take(&mut self, board: &Board, words: &[&str]) -> Option<()> {
        match words {
            ["begin"] => self.at = 0,
            ["look", number, from, start, end] => {
                let (number, from): (usize, usize) = (number.parse().ok()?, from.parse().ok()?);
                let step = Move { from: square(board, start)?, to: square(board, end)? };
                // A position comes from one that is known, and is new itself: so there is no way round in a circle.
                let is_known = |number: usize| number == 0 || self.came.contains_key(&number);
                if !is_known(from) || is_known(number) {
                    return None;
                }
                self.came.insert(number, (from, step));
                self.at = number;
            }
            ["dead-end"] => self.dead_ends += 1,
            ["found"] => {}
            _ => return None,
        }
        Some(())
    }
}
