//! What was measured: one row for each method on each question and number of threads, and what rows say together.
//!
//! Rows are flat, so that a report is the same as CSV, as JSON, and read back. Times are medians over the measured
//! runs; the spread is the difference of the longest and the shortest, divided by the median.

use serde::{Deserialize, Serialize};

use crate::comparison::Config;
use crate::machine;
use crate::method::Method;
use crate::question::Question;
use crate::trial::{Answer, Ended, Trial};

/// A spread above this, on runs that are not short, is put down to a busy machine.
const MOST_SPREAD: f64 = 0.25;
/// Runs shorter than this, in seconds, spread on any machine.
const SHORT: f64 = 0.02;

/// A method on a question, on a number of threads.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Row {
    /// `tour`, `count`, `capture`, `swap`, `survey`.
    pub kind: String,
    /// A few letters for tables and plots.
    pub label: String,
    /// The words after `destrier`.
    pub question: String,
    /// The squares of the board.
    pub squares: u64,
    /// The method, with its variant behind a colon.
    pub method: String,
    /// On how many threads.
    pub threads: usize,
    /// Measured runs that gave an answer.
    pub solved: usize,
    /// Runs that gave up.
    pub gave_up: usize,
    /// Runs that failed.
    pub failed: usize,
    /// The median time, in seconds.
    pub median_s: Option<f64>,
    /// The shortest time.
    pub least_s: Option<f64>,
    /// The longest time.
    pub most_s: Option<f64>,
    /// The median of what all threads computed together.
    pub cpu_s: Option<f64>,
    /// The median of the nodes.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nodes_per_s: Option<f64>,
    /// The most memory that a run held.
    pub memory_bytes: Option<u64>,
    /// The time of the same method on one thread, divided by this one.
    pub speedup_threads: Option<f64>,
    /// The time of the first method, divided by this one.
    pub speedup_first: Option<f64>,
    /// The answer in a few words.
    pub answer: String,
    /// Percent of starts that fail, of a survey.
    pub failure_percent: Option<f64>,
    /// Why there is no answer, if there is none.
    pub note: String,
    /// The time of each run, in the order of running.
    #[serde(with = "joined")]
    pub seconds: Vec<f64>,
}

/// All that a comparison found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// What was compared.
    pub title: String,
    /// The day, like `2026-11-15`.
    pub date: String,
    /// The program and its version.
    pub program: String,
    /// The machine in words.
    pub machine: String,
    /// Measured runs of each.
    pub repeat: usize,
    /// The longest that a run could take, in seconds.
    pub time_limit_s: f64,
    /// Was everything measured that was asked for?
    pub complete: bool,
    /// Did all answers pass the checker, and agree?
    pub agreed: bool,
    /// What a reader should know of the measuring.
    pub notes: Vec<String>,
    /// One row per question, method and number of threads.
    pub rows: Vec<Row>,
    /// Runs that failed and answers that contradict each other, in words.
    #[serde(skip)]
    pub faults: Vec<String>,
}

/// Times as one word for CSV.
mod joined {
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(times: &[f64], to: S) -> Result<S::Ok, S::Error> {
        let words: Vec<String> = times.iter().map(ToString::to_string).collect();
        to.serialize_str(&words.join(" "))
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<f64>, D::Error> {
        let words = String::deserialize(from)?;
        words.split_whitespace().map(|word| word.parse().map_err(de::Error::custom)).collect()
    }
}

impl Row {
    /// The row of a config, from its trials.
    pub(crate) fn of(question: &Question, config: &Config, trials: &[Trial]) -> Row {
        let solved: Vec<&Trial> =
            trials.iter().filter(|t| matches!(t.ended, Ended::Answered(_))).collect();
        let stats = || solved.iter().filter_map(|trial| trial.stats.as_ref());
        let seconds: Vec<f64> = stats().map(|stats| stats.seconds).collect();
        let cpu: Vec<f64> = stats().filter_map(|stats| stats.cpu_seconds).collect();
        let nodes: Vec<u64> = stats().map(|stats| stats.nodes).collect();
        let memory = trials.iter().filter_map(|trial| trial.stats.as_ref()?.memory).max();
        let answers = || {
            trials.iter().filter_map(|trial| match &trial.ended {
                Ended::Answered(answer) | Ended::GaveUp(_, Some(answer)) => Some(answer),
                _ => None,
            })
        };
        let failure_percent = answers().find_map(|answer| match answer {
            #[expect(clippy::cast_precision_loss, reason = "a percentage")]
            Answer::Survey { starts, failed } => Some(100.0 * *failed as f64 / *starts as f64),
            _ => None,
        });
        let count = |is: fn(&Ended) -> bool| trials.iter().filter(|t| is(&t.ended)).count();
        let why = trials.iter().find_map(|trial| match &trial.ended {
            Ended::Answered(_) => None,
            Ended::GaveUp(why, _) => Some(why.clone()),
            Ended::Unsuited(why) => Some(format!("not for this question: {why}")),
            Ended::Failed(why) => Some(format!("failed: {why}")),
        });
        Row {
            kind: question.ask().kind().verb().to_owned(),
            label: question.label().to_owned(),
            question: question.typed(),
            squares: question.squares(),
            method: config.method.to_string(),
            threads: config.threads,
            solved: solved.len(),
            gave_up: count(|ended| matches!(ended, Ended::GaveUp(..))),
            failed: count(|ended| matches!(ended, Ended::Failed(_))),
            nodes: median_of_counts(&nodes),
            nodes_per_s: None,
            memory_bytes: memory,
            answer: answers().next().map(Answer::in_words).unwrap_or_default(),
            failure_percent,
            note: why.unwrap_or_default(),
            median_s: None,
            least_s: None,
            most_s: None,
            cpu_s: median(&cpu),
            speedup_threads: None,
            speedup_first: None,
            seconds,
        }
    }

    /// The difference of the longest and the shortest time, divided by the median.
    #[must_use]
    pub fn spread(&self) -> Option<f64> {
        let median = self.median_s.filter(|&median| median > 0.0)?;
        (self.seconds.len() > 1).then_some((self.most_s? - self.least_s?) / median)
    }
}

impl Report {
    /// Fills in what follows from the times: medians, rates, and speed-ups.
    pub(crate) fn derive(&mut self) {
        for row in &mut self.rows {
            row.median_s = median(&row.seconds).or(row.median_s);
            let least = row.seconds.iter().copied().reduce(f64::min);
            let most = row.seconds.iter().copied().reduce(f64::max);
            (row.least_s, row.most_s) = (least.or(row.least_s), most.or(row.most_s));
            #[expect(clippy::cast_precision_loss, reason = "a rate")]
            let rate = row.nodes.zip(row.median_s).map(|(nodes, time)| nodes as f64 / time);
            row.nodes_per_s = rate.filter(|rate| rate.is_finite());
        }
        for at in 0..self.rows.len() {
            let row = &self.rows[at];
            let of_question = || self.rows.iter().filter(|r| r.question == row.question);
            let alone = of_question().find(|r| r.method == row.method && r.threads == 1);
            let first = of_question().next().map(|r| r.method.clone());
            let of_first = || of_question().filter(|r| Some(&r.method) == first.as_ref());
            let first = of_first().find(|r| r.threads == row.threads).or(of_first().next());
            let against = |other: Option<&Row>| {
                let ratio = other?.median_s? / row.median_s?;
                ratio.is_finite().then_some(ratio)
            };
            let (threads, methods) = (against(alone), against(first));
            self.rows[at].speedup_threads = threads;
            self.rows[at].speedup_first = methods;
        }
    }

    /// Notes under which conditions was measured: the load before, the spread, more threads than cores.
    pub(crate) fn note_conditions(&mut self, load: Option<f64>) {
        let cores = machine::cores();
        #[expect(clippy::cast_precision_loss, reason = "a machine has few cores")]
        if let Some(load) = load.filter(|&load| load > 0.5 * cores as f64) {
            self.notes.push(format!(
                "the machine was busy before this began: a load of {load:.1} on {cores} cores"
            ));
        }
        let wide = |row: &&Row| {
            row.median_s.is_some_and(|time| time >= SHORT)
                && row.spread().is_some_and(|spread| spread > MOST_SPREAD)
        };
        let (wide, all) = (self.rows.iter().filter(wide).count(), self.rows.len());
        if wide > 0 {
            let percent = MOST_SPREAD * 100.0;
            self.notes.push(format!(
                "the times of {wide} of {all} rows spread by more than {percent:.0} %: the machine was busy; \
                 do not trust small differences"
            ));
        }
        if let Some(most) =
            self.rows.iter().map(|row| row.threads).max().filter(|&most| most > cores)
        {
            self.notes.push(format!("{most} threads shared {cores} cores"));
        }
    }

    /// The questions in order, each with its rows.
    pub(crate) fn by_question(&self) -> Vec<(&str, Vec<&Row>)> {
        let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
        for row in &self.rows {
            match groups.iter_mut().find(|(question, _)| *question == row.question) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((&row.question, vec![row])),
            }
        }
        groups
    }
}

/// The middle of the times.
fn median(times: &[f64]) -> Option<f64> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some(f64::midpoint(lower, upper))
}

fn median_of_counts(counts: &[u64]) -> Option<u64> {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

/// A disagreement between two runs on one question, in words.
pub(crate) fn disagreement(question: &Question, trials: &[(Method, &Trial)]) -> Option<String> {
    let answers: Vec<(Method, &Answer)> = trials
        .iter()
        .filter_map(|(method, trial)| match &trial.ended {
            // The best so far is a plan, too: it must not beat a proof.
            Ended::Answered(answer) | Ended::GaveUp(_, Some(answer)) => Some((*method, answer)),
            _ => None,
        })
        .collect();
    for (at, (one, answer)) in answers.iter().enumerate() {
        for (two, other) in &answers[at + 1..] {
            let same = one == two && !matches!(answer, Answer::Plan { .. });
            if !answer.agrees_with(other) || (same && answer != other) {
                return Some(format!(
                    "{}: {one} says {}, but {two} says {}",
                    question.typed(),
                    answer.in_words(),
                    other.in_words()
                ));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_lie_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[3.0, 1.0, 9.0]), Some(3.0));
        assert_eq!(median(&[4.0, 1.0, 9.0, 2.0]), Some(3.0));
    }
}
