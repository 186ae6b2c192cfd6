//! The comparison itself: rounds of trials, and the report on them.
//!
//! Rounds go through all questions, methods and numbers of threads in turn, so that a busy moment of the machine
//! affects all alike. A first round warms up and is not measured, but its answers are checked like all others. A method
//! that gives up, or that is not made for a question, is not asked again.

use std::fmt;
use std::time::Duration;

use destrier::internal::Watch;

use crate::error::Error;
use crate::in_process;
use crate::machine;
use crate::method::Method;
use crate::question::{Question, counted};
use crate::report::{Report, Row, disagreement};
use crate::trial::{Ended, Runner, Trial};

/// The most threads of a run: more take longer to start than they could help.
pub const MOST_THREADS: usize = 1024;

/// The most ranks of a run.
pub(crate) const MOST_RANKS: usize = 1 << 16;

/// The limits that hold for every run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The longest a run may take.
    pub time: Duration,
    /// The memory that a run may plan with, in bytes.
    pub memory: Option<u64>,
    /// The seed of randomised methods.
    pub seed: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(10), memory: None, seed: 0 }
    }
}

impl Limits {
    /// The words that set them on the command line.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = vec!["--time-limit".to_owned(), format!("{}ms", self.time.as_millis())];
        if let Some(memory) = self.memory {
            words.extend(["--memory".to_owned(), memory.to_string()]);
        }
        words
    }
}

/// What a run is given to compute with: threads of one process, or of each of several ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Team {
    /// The processes of `destrier-mpi`; 0 for one process of `destrier`.
    pub ranks: usize,
    /// The threads of each process.
    pub threads: usize,
}

impl Team {
    /// Threads of one process.
    #[must_use]
    pub const fn of_threads(threads: usize) -> Team {
        Team { ranks: 0, threads }
    }

    /// Every number of threads: in one process, and then in each of every number of ranks.
    #[must_use]
    pub fn all(threads: &[usize], ranks: &[usize]) -> Vec<Team> {
        let numbers = std::iter::once(0).chain(ranks.iter().copied());
        numbers
            .flat_map(|ranks| threads.iter().map(move |&threads| Team { ranks, threads }))
            .collect()
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = counted(self.threads, "thread");
        match self.ranks {
            0 => f.write_str(&threads),
            ranks => write!(f, "{} of {threads}", counted(ranks, "rank")),
        }
    }
}

/// Which method answers which question, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Config {
    /// The number of the question.
    pub(crate) question: usize,
    pub(crate) method: Method,
    pub(crate) team: Team,
}

/// Questions, the methods to answer them, and how often.
#[derive(Clone, Debug)]
pub struct Comparison {
    title: String,
    repeat: usize,
    limits: Limits,
    questions: Vec<Question>,
    configs: Vec<Config>,
}

/// The trial that begins now, for those who watch.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'c> {
    /// How many trials were run or left out before.
    pub done: usize,
    /// How many there are.
    pub all: usize,
    /// What is asked.
    pub question: &'c Question,
    /// Which method answers.
    pub method: Method,
    /// On how many threads and ranks.
    pub team: Team,
}

/// The most measured runs of one configuration.
const MOST_RUNS: usize = 1_000_000;

impl Comparison {
    /// A comparison without questions; each run is measured this many times.
    ///
    /// # Errors
    /// When nothing would be measured.
    pub fn new(
        title: impl Into<String>,
        repeat: usize,
        limits: Limits,
    ) -> Result<Comparison, Error> {
        if !(1..=MOST_RUNS).contains(&repeat) {
            return Err(Error::NoRuns { repeat, most: MOST_RUNS });
        }
        if limits.time.as_millis() == 0 {
            return Err(Error::NoTime);
        }
        let (questions, configs) = (Vec::new(), Vec::new());
        Ok(Comparison { title: title.into(), repeat, limits, questions, configs })
    }

    /// Adds questions, to be answered by each of the methods with each team. What is there already stays once.
    ///
    /// # Errors
    /// When a number of threads is 0 or too large, or ranks cannot answer such a question.
    pub fn add(
        &mut self,
        questions: &[Question],
        methods: &[Method],
        teams: &[Team],
    ) -> Result<(), Error> {
        if let Some(wrong) = teams.iter().find(|t| t.threads == 0 || t.threads > MOST_THREADS) {
            return Err(Error::Threads(wrong.threads));
        }
        if let Some(wrong) = teams.iter().find(|team| team.ranks > MOST_RANKS) {
            return Err(Error::Ranks(wrong.ranks));
        }
        let by_one = questions.iter().map(|q| q.ask().kind()).find(|kind| !kind.is_on_ranks());
        if let Some(kind) = by_one.filter(|_| teams.iter().any(|team| team.ranks > 0)) {
            return Err(Error::NotOnRanks(kind.verb()));
        }
        for question in questions {
            let same = self.questions.iter().position(|other| other.words() == question.words());
            let number = same.unwrap_or_else(|| {
                self.questions.push(question.clone());
                self.questions.len() - 1
            });
            for &method in methods {
                for &team in teams {
                    let config = Config { question: number, method, team };
                    if !self.configs.contains(&config) {
                        self.configs.push(config);
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs all trials in rounds, and reports on them. A halted watch ends the comparison with what is measured by
    /// then.
    ///
    /// # Errors
    /// When trials cannot be run at all. A trial that fails is no error but a fault in the report.
    pub fn run(
        &self,
        runner: &Runner,
        watch: &Watch,
        on_turn: &mut dyn FnMut(Turn<'_>),
    ) -> Result<Report, Error> {
        let load = machine::load();
        let mut tried: Vec<Tried> = vec![Tried::default(); self.configs.len()];
        let rounds = self.repeat + 1;
        let all = rounds * self.configs.len();
        'rounds: for round in 0..rounds {
            for (at, config) in self.configs.iter().enumerate() {
                if round > 0 && !tried[at].has_answered() {
                    continue;
                }
                let question = &self.questions[config.question];
                let (method, team) = (config.method, config.team);
                let done = round * self.configs.len() + at;
                on_turn(Turn { done, all, question, method, team });
                let trial = runner.run(question, method, team, &self.limits, watch)?;
                let Some(trial) = trial else { break 'rounds };
                if round == 0 {
                    tried[at].warm_up = Some(trial);
                } else {
                    tried[at].measured.push(trial);
                }
            }
        }
        let mut report = self.report(&tried, watch.halted().is_none());
        report.note_conditions(load, runner.launcher());
        if runner.is_in_process() {
            report.notes.push(in_process::NOTE.to_owned());
        }
        Ok(report)
    }

    fn report(&self, tried: &[Tried], complete: bool) -> Report {
        let rows = self.configs.iter().zip(tried).filter_map(|(config, tried)| {
            let trials = tried.that_count()?;
            Some(Row::of(&self.questions[config.question], config, trials))
        });
        let mut report = Report {
            title: self.title.clone(),
            date: machine::today(),
            program: concat!("destrier ", env!("CARGO_PKG_VERSION")).to_owned(),
            machine: machine::described(),
            repeat: self.repeat,
            time_limit_s: self.limits.time.as_secs_f64(),
            complete,
            rows: rows.collect(),
            faults: self.faults(tried),
            ..Report::default()
        };
        report.agreed = report.faults.is_empty();
        if !complete {
            report.notes.push("stopped on request: this is what was measured by then".to_owned());
        }
        report.derive();
        report
    }

    /// Runs that failed, and answers that contradict each other.
    fn faults(&self, tried: &[Tried]) -> Vec<String> {
        let mut faults = Vec::new();
        for (number, question) in self.questions.iter().enumerate() {
            let of_question =
                self.configs.iter().zip(tried).filter(|(config, _)| config.question == number);
            let trials: Vec<(Method, &Trial)> = of_question
                .flat_map(|(config, tried)| tried.all().map(|trial| (config.method, trial)))
                .collect();
            faults.extend(trials.iter().filter_map(|(method, trial)| match &trial.ended {
                Ended::Failed(why) => Some(format!("{}: {method}: {why}", question.typed())),
                _ => None,
            }));
            faults.extend(disagreement(question, &trials));
        }
        faults
    }
}

/// The trials of one config.
#[derive(Clone, Debug, Default)]
struct Tried {
    warm_up: Option<Trial>,
    measured: Vec<Trial>,
}

impl Tried {
    fn has_answered(&self) -> bool {
        self.warm_up.as_ref().is_some_and(|trial| matches!(trial.ended, Ended::Answered(_)))
    }

    fn all(&self) -> impl Iterator<Item = &Trial> {
        self.warm_up.iter().chain(&self.measured)
    }

    /// The measured trials; for a config that was not asked again, the one that it had.
    fn that_count(&self) -> Option<&[Trial]> {
        let warm_up = self.warm_up.as_ref()?;
        Some(if self.measured.is_empty() { std::slice::from_ref(warm_up) } else { &self.measured })
    }
}

/// Numbers of threads from the first to the last, each twice the one before; the last as it is.
///
/// ```
/// assert_eq!(destrier_compare::doubling(1, 6), [1, 2, 4, 6]);
/// ```
#[must_use]
pub fn doubling(first: usize, last: usize) -> Vec<usize> {
    let doubled =
        std::iter::successors(Some(first), |number| number.checked_mul(2).filter(|&n| n > 0));
    doubled.take_while(|&number| number < last).chain([last]).collect()
}

#[cfg(test)]
mod tests {
    use destrier_rules::{Board, TourProblem};

    use super::*;
    use crate::question::{Ask, Kind};

    fn question(size: u32) -> Question {
        Question::of(Ask::Tour(TourProblem::open(Board::new(size, size).unwrap())))
    }

    #[test]
    fn a_config_is_measured_once_however_often_it_is_added() {
        let mut comparison = Comparison::new("", 1, Limits::default()).unwrap();
        let methods = Kind::Tour.methods(&["auto", "roth"]).unwrap();
        let on = |threads: &[usize]| Team::all(threads, &[]);
        let questions = [question(5), question(6), question(5)];
        comparison.add(&questions, &methods, &on(&[1, 2, 1])).unwrap();
        comparison.add(&[question(6)], &methods[..1], &on(&[2, 4])).unwrap();
        assert_eq!(comparison.questions.len(), 2);
        assert_eq!(comparison.configs.len(), 2 * 2 * 2 + 1);
    }

    #[test]
    fn what_would_measure_nothing_is_refused() {
        assert!(matches!(Comparison::new("", 0, Limits::default()), Err(Error::NoRuns { .. })));
        assert!(Comparison::new("", usize::MAX, Limits::default()).is_err());
        let no_time = Limits { time: Duration::from_micros(999), ..Limits::default() };
        assert!(matches!(Comparison::new("", 1, no_time), Err(Error::NoTime)));
        let mut comparison = Comparison::new("", 1, Limits::default()).unwrap();
        let methods = Kind::Tour.methods(&["auto"]).unwrap();
        for wrong in [0, MOST_THREADS + 1] {
            let added = comparison.add(&[question(5)], &methods, &Team::all(&[1, wrong], &[]));
            assert!(matches!(added, Err(Error::Threads(n)) if n == wrong));
        }
        let added = comparison.add(&[question(5)], &methods, &Team::all(&[1], &[2]));
        assert!(matches!(added, Err(Error::NotOnRanks("tour"))));
        assert!(comparison.configs.is_empty());
    }

    #[test]
    fn a_team_is_threads_of_one_process_or_of_each_rank() {
        let teams = Team::all(&[1, 2], &[1, 4]);
        let words: Vec<String> = teams.iter().map(Team::to_string).collect();
        let ranks = ["1 rank of 1 thread", "1 rank of 2 threads", "4 ranks of 1 thread"];
        assert_eq!(words[..2], ["1 thread", "2 threads"]);
        assert_eq!(words[2..5], ranks);
        assert_eq!(words.len(), 6);
    }

    #[test]
    fn limits_are_put_into_words() {
        let limits = Limits { time: Duration::from_secs(2), memory: Some(1 << 30), seed: 7 };
        assert_eq!(limits.words().join(" "), "--time-limit 2000ms --memory 1073741824");
        assert_eq!(Limits::default().words().join(" "), "--time-limit 10000ms");
    }

    #[test]
    fn threads_double_up_to_the_last() {
        assert_eq!(doubling(1, 8), [1, 2, 4, 8]);
        assert_eq!(doubling(3, 3), [3]);
        assert_eq!(doubling(5, 4), [4]);
    }
}
