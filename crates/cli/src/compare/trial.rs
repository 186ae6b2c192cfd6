//! One run of one method on one question: a process of its own, so that its state is fresh and its memory its own.
//!
//! The process is this very program with the verb's own words. It times itself, prints its answer as JSON and exits
//! as ever; the answer is checked here once more, by the rules and against the question that was asked.
//!
//! Invariant: an answer that is counted has passed the checker in this process too.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use destrier::{Halt, Watch};
use destrier_rules::{AnyCertificate, Certificate, Claim, Problem, Statement};
use serde_json::Value;

use super::question::{Meaning, Method, Question};
use super::took::Took;

/// One column of the experiment: who answers what, on how many threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The number of the question.
    pub(super) question: usize,
    pub(super) method: Method,
    pub(super) threads: usize,
}

/// What an answer says, as far as answers must agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A tour that the checker passed.
    Tour,
    /// A number of undirected tours.
    Count(String),
    /// A plan of this cost; is it proved that none is cheaper?
    Plan { cost: u64, proved: bool },
    /// None exists.
    Impossible,
    /// So many of the starts fail.
    Survey { starts: u64, failed: u64 },
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// With an answer that passed the checker.
    Answered(Answer),
    /// At a limit, or because the method had tried all that it tries; with the best it had.
    GaveUp(String, Option<Answer>),
    /// The method is not made for this question.
    Unsuited(String),
    /// With a wrong answer, a crash, or no end.
    Failed(String),
}

/// A run that ended by itself.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) ended: Ended,
    pub(super) took: Option<Took>,
}

/// The limits that hold for every run.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) time: Duration,
    /// `--memory` and `--seed`, passed on as they were given.
    pub(super) words: Vec<String>,
}

/// A run that is so much over its time is ended from outside.
const GRACE: Duration = Duration::from_secs(20);

/// Runs cells, each in a process of its own.
#[derive(Debug)]
pub(super) struct Stable {
    program: PathBuf,
    folder: tempfile::TempDir,
    limits: Limits,
}

impl Stable {
    pub(super) fn new(limits: Limits) -> anyhow::Result<Stable> {
        let program = std::env::current_exe().context("this program does not know where it is")?;
        let folder = tempfile::tempdir().context("no place for the runs' notes")?;
        Ok(Stable { program, folder, limits })
    }

    /// The words of a run, but for where its notes go: what a user would type to see it again.
    pub(super) fn words(&self, question: &Question, cell: &Cell) -> Vec<String> {
        let time = format!("{}ms", self.limits.time.as_millis());
        let threads = cell.threads.to_string();
        let limits = ["--threads", &threads, "--time-limit", &time].map(str::to_owned);
        [&question.words[..], &cell.method.words, &limits, &self.limits.words].concat()
    }

    /// Runs a cell once; `None` when the watch was halted meanwhile.
    pub(super) fn run(
        &self,
        question: &Question,
        cell: &Cell,
        watch: &Watch,
    ) -> anyhow::Result<Option<Trial>> {
        let notes = self.folder.path().join("stats");
        match std::fs::remove_file(&notes) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let mut child = Command::new(&self.program)
            .args(self.words(question, cell))
            .args(["--json", "--verbose", "--stats"])
            .arg(&notes)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start `{}`", self.program.display()))?;
        let (answer, words) = (reader(child.stdout.take()), reader(child.stderr.take()));
        let status = wait(&mut child, self.limits.time + GRACE, watch)?;
        let answer = answer.join().unwrap_or_default();
        let words = words.join().unwrap_or_default();
        if watch.halted().is_some() {
            return Ok(None);
        }
        let ended = match status {
            None => Ended::Failed("it did not stop at its time limit".to_owned()),
            Some(status) => judge(&question.meaning, status, &answer, &words),
        };
        Ok(Some(Trial { ended, took: Took::read(&notes) }))
    }
}

/// Reads a pipe to its end, so that the child never waits for us.
fn reader(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // A pipe that breaks has said what it had to say.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Waits for the end; a run over its time, or one that is no longer wanted, is ended.
fn wait(child: &mut Child, most: Duration, watch: &Watch) -> anyhow::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() > most || watch.halted().is_some() {
            // It may have ended just now, which is as good.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// What a run's exit, answer and last words come to.
fn judge(meaning: &Meaning, status: ExitStatus, answer: &[u8], words: &[u8]) -> Ended {
    let words = String::from_utf8_lossy(words);
    let last = words.lines().rfind(|line| line.starts_with("destrier: ")).unwrap_or("");
    let last = last.trim_start_matches("destrier: ").to_owned();
    let read = || read_answer(meaning, answer);
    match status.code() {
        Some(0 | 1) => match read() {
            Ok(answer) => Ended::Answered(answer),
            Err(error) => Ended::Failed(format!("{error:#}")),
        },
        Some(3) => {
            let known = [Halt::Deadline, Halt::Nodes, Halt::Memory, Halt::Asked, Halt::GaveUp];
            let why = known.iter().map(Halt::to_string).find(|why| last.contains(why));
            let why = why.unwrap_or(last);
            if answer.is_empty() || matches!(meaning, Meaning::Count(_) | Meaning::Survey(_)) {
                return Ended::GaveUp(why, None);
            }
            match read() {
                Ok(best) => Ended::GaveUp(why, Some(best)),
                Err(error) => Ended::Failed(format!("{error:#}")),
            }
        }
        Some(2) => match last.split_once(" cannot take this on: ") {
            Some((_, why)) => Ended::Unsuited(why.to_owned()),
            None => Ended::Failed(last),
        },
        Some(code) => Ended::Failed(format!("it exited with code {code}")),
        None => Ended::Failed("it was killed, perhaps for want of memory".to_owned()),
    }
}

/// Reads an answer in JSON, and holds it against the question.
fn read_answer(meaning: &Meaning, answer: &[u8]) -> anyhow::Result<Answer> {
    match meaning {
        Meaning::Count(problem) => {
            let value: Value = serde_json::from_slice(answer).context("no answer in JSON")?;
            same(&value["question"], problem)?;
            let number = value["undirected"].as_str().context("no `undirected` number")?;
            Ok(Answer::Count(number.to_owned()))
        }
        Meaning::Survey(problem) => {
            let value: Value = serde_json::from_slice(answer).context("no answer in JSON")?;
            same(&value["question"], problem)?;
            let number = |name: &str| value[name].as_u64().with_context(|| format!("no `{name}`"));
            Ok(Answer::Survey { starts: number("starts")?, failed: number("failed")? })
        }
        Meaning::Tour(problem) => match certificate(answer)? {
            AnyCertificate::Tour(certificate) => said(&certificate, problem),
            _ => anyhow::bail!("the answer is of another kind"),
        },
        Meaning::Capture(problem) => match certificate(answer)? {
            AnyCertificate::Capture(certificate) => said(&certificate, problem),
            _ => anyhow::bail!("the answer is of another kind"),
        },
        Meaning::Swap(problem) => match certificate(answer)? {
            AnyCertificate::Swap(certificate) => said(&certificate, problem),
            _ => anyhow::bail!("the answer is of another kind"),
        },
    }
}

/// A certificate is checked as it is read.
fn certificate(answer: &[u8]) -> anyhow::Result<AnyCertificate> {
    serde_json::from_slice(answer).context("the checker refused the answer")
}

fn same(question: &Value, problem: &destrier_rules::TourProblem) -> anyhow::Result<()> {
    anyhow::ensure!(*question == serde_json::to_value(problem)?, "it answers another question");
    Ok(())
}

/// What a certificate says, if it is of this problem.
fn said<P: Problem + PartialEq>(certificate: &Certificate<P>, asked: &P) -> anyhow::Result<Answer> {
    let (problem, answer) = match certificate.statement() {
        Statement::Impossible { problem, .. } => (problem, Answer::Impossible),
        Statement::Solved { verified, claim, .. } => {
            let problem = verified.problem();
            let answer = if P::KIND == "tour" {
                Answer::Tour
            } else {
                let proved = matches!(claim, Claim::Fewest { .. });
                Answer::Plan { cost: problem.cost(verified.solution()), proved }
            };
            (problem, answer)
        }
    };
    anyhow::ensure!(problem == asked, "it answers another question");
    Ok(answer)
}

impl Answer {
    /// The answer in a few words.
    pub(super) fn in_words(&self) -> String {
        match self {
            Answer::Tour => "a tour".to_owned(),
            Answer::Count(number) => number.clone(),
            Answer::Plan { cost, proved: true } => format!("{cost}, proved"),
            Answer::Plan { cost, proved: false } => format!("{cost}, not proved"),
            Answer::Impossible => "impossible".to_owned(),
            Answer::Survey { starts, failed } => format!("{failed} of {starts} fail"),
        }
    }

    /// Can both be right? A plan that is not proved may cost more than the fewest.
    pub(super) fn agrees_with(&self, other: &Answer) -> bool {
        match (self, other) {
            (
                &Answer::Plan { cost: one, proved: sure },
                &Answer::Plan { cost: two, proved: certain },
            ) => (!sure || one <= two) && (!certain || two <= one),
            // Walks by different rules fail from different starts.
            (Answer::Survey { starts: one, .. }, Answer::Survey { starts: two, .. }) => one == two,
            _ => self == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heuristic_may_be_longer_and_never_shorter_than_a_proved_plan() {
        let plan = |cost, proved| Answer::Plan { cost, proved };
        assert!(plan(16, true).agrees_with(&plan(16, true)));
        assert!(plan(16, true).agrees_with(&plan(26, false)));
        assert!(plan(26, false).agrees_with(&plan(16, true)));
        assert!(plan(26, false).agrees_with(&plan(20, false)));
        assert!(!plan(16, true).agrees_with(&plan(17, true)));
        assert!(!plan(16, true).agrees_with(&plan(15, false)));
        assert!(!plan(16, true).agrees_with(&Answer::Impossible));
        assert!(!Answer::Tour.agrees_with(&Answer::Impossible));
        assert!(!Answer::Count("7".to_owned()).agrees_with(&Answer::Count("8".to_owned())));
    }
}
