//! What was measured: one row for each method on each question and number of threads and ranks, and what rows say
//! together.
//!
//! Rows are flat, so that a report is the same as CSV, as JSON, and read back. Times are medians over the measured
//! runs; the spread is the difference of the longest and the shortest, divided by the median. With p cores at work,
//! T₁ the time on one and T that on p: the speed-up is S = T₁/T, the efficiency S/p, the cost p·T, and the serial
//! fraction (1/S − 1/p) / (1 − 1/p), after Karp and Flatt, CACM 33 (1990).

use serde::{Deserialize, Serialize};

use crate::comparison::Config;
use crate::launcher::Launcher;
use crate::machine;
use crate::method::Method;
use crate::question::{Question, counted};
use crate::trial::{Answer, Ended, Trial};

/// A spread above this, on runs that are not short, is put down to a busy machine.
const MOST_SPREAD: f64 = 0.25;
/// Runs shorter than this, in seconds, spread on any machine.
const SHORT: f64 = 0.02;
/// The speed-up of what takes less than this on one core, in seconds, says little.
pub(crate) const SHORTEST: f64 = 0.002;
/// A speed-up is above the number of cores only if it is so by more than this part.
const TOLERANCE: f64 = 0.05;

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
    /// On how many threads, of each process.
    pub threads: usize,
    /// On how many ranks; 0 for one process without MPI.
    #[serde(default)]
    pub ranks: usize,
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
    /// The time of the same method on one core, divided by this one.
    pub speedup_threads: Option<f64>,
    /// The speed-up, divided by the number of cores.
    #[serde(default)]
    pub efficiency: Option<f64>,
    /// The time, multiplied by the number of cores.
    #[serde(default)]
    pub cost_s: Option<f64>,
    /// The part of the work that is done as if on one core, by Karp and Flatt.
    #[serde(default)]
    pub serial_fraction: Option<f64>,
    /// A speed-up above the number of cores, or below 1, and what explains it.
    #[serde(default)]
    pub anomaly: String,
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
            threads: config.team.threads,
            ranks: config.team.ranks,
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
            efficiency: None,
            cost_s: None,
            serial_fraction: None,
            anomaly: String::new(),
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

impl Row {
    /// How many cores are at work, if each thread has one.
    #[must_use]
    pub fn cores(&self) -> usize {
        self.ranks.max(1) * self.threads
    }

    /// Fills in what the time on one core says about the time on several.
    fn scale(&mut self, alone: &Alone) {
        let speedup = alone.seconds.zip(self.median_s).map(|(alone, time)| alone / time);
        let Some(speedup) = speedup.filter(|s| s.is_finite()) else { return };
        #[expect(clippy::cast_precision_loss, reason = "there are few cores")]
        let cores = self.cores() as f64;
        self.speedup_threads = Some(speedup);
        self.efficiency = Some(speedup / cores);
        self.cost_s = self.median_s.map(|time| time * cores);
        if cores > 1.0 {
            self.serial_fraction = Some((1.0 / speedup - 1.0 / cores) / (1.0 - 1.0 / cores));
            self.anomaly = self.explained(speedup, cores, alone);
        }
    }

    /// A speed-up that no core can give, or a slow-down, and how much of it the nodes explain.
    fn explained(&self, speedup: f64, cores: f64, alone: &Alone) -> String {
        let is_short = alone.seconds.is_none_or(|time| time < SHORTEST);
        let is_usual = (1.0..=cores * (1.0 + TOLERANCE)).contains(&speedup);
        if is_short || is_usual {
            return String::new();
        }
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let ratio = alone
            .nodes
            .zip(self.nodes)
            .map(|(one, all)| if one == all { 1.0 } else { all as f64 / one.max(1) as f64 });
        let what = if speedup > cores { "super-linear" } else { "slower than one core" };
        let why = match ratio {
            None => "the nodes are not known".to_owned(),
            Some(ratio) if (ratio - 1.0).abs() < 0.005 => {
                let other = if speedup > cores { "caches" } else { "starting and waiting" };
                format!(
                    "as many nodes as on one core: not the search but {other}, or a busy machine"
                )
            }
            Some(ratio) => {
                // With the work as it was on one core, the speed-up would have been this.
                let without = speedup * ratio;
                let settled = (1.0..=cores * (1.0 + TOLERANCE)).contains(&without);
                let so = if settled { "which explains it" } else { "which explains it in part" };
                let against = if (ratio > 1.0) == (speedup > cores) {
                    "which does not explain it"
                } else {
                    so
                };
                format!("{ratio:.2} times the nodes of one core, {against}")
            }
        };
        format!("{what}: {why}")
    }
}

/// The same method on one core.
#[derive(Clone, Copy)]
struct Alone {
    seconds: Option<f64>,
    nodes: Option<u64>,
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
            // One process first; if there is none, one rank.
            let on_one = |r: &&Row| r.method == row.method && r.cores() == 1;
            let alone = of_question().filter(on_one).min_by_key(|r| r.ranks);
            let alone = alone.map(|r| Alone { seconds: r.median_s, nodes: r.nodes });
            let first = of_question().next().map(|r| r.method.clone());
            let of_first = || of_question().filter(|r| Some(&r.method) == first.as_ref());
            let alike = |r: &&Row| (r.threads, r.ranks) == (row.threads, row.ranks);
            let first = of_first().find(alike).or(of_first().next());
            let against = first.and_then(|r| r.median_s).zip(row.median_s);
            let against = against.map(|(first, own)| first / own).filter(|ratio| ratio.is_finite());
            self.rows[at].speedup_first = against;
            if let Some(alone) = alone {
                self.rows[at].scale(&alone);
            }
        }
    }

    /// Notes under which conditions was measured: the load before, the spread, more threads than cores.
    pub(crate) fn note_conditions(&mut self, load: Option<f64>, launcher: Option<&Launcher>) {
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
        let is_here = |row: &&Row| row.ranks == 0 || launcher.is_some_and(Launcher::is_local);
        let most = self.rows.iter().filter(is_here).map(Row::cores).max();
        if let Some(most) = most.filter(|&most| most > cores) {
            self.notes.push(format!("{most} threads shared {}", counted(cores, "core")));
        }
        if let Some(launcher) = launcher {
            self.notes.push(format!("ranks were started by `{}`", launcher.typed()));
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
pub(crate) mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// A report on rows of CSV: label, squares, method, threads, ranks, nodes and seconds.
    pub(crate) fn measured(rows: &str) -> Report {
        let mut csv = String::from(
            "# title: counting tours\n# date: 2026-11-16\n# program: destrier\n# machine: 4 cores\n# repeat: 1\n\
             # time limit: 10 s\nkind,label,question,squares,method,threads,ranks,solved,gave_up,failed,median_s,least_s,\
             most_s,cpu_s,nodes,nodes_per_s,memory_bytes,speedup_threads,speedup_first,answer,failure_percent,note,\
             seconds\n",
        );
        for row in rows.lines() {
            let [label, squares, method, threads, ranks, nodes, seconds] =
                row.split_whitespace().collect::<Vec<_>>()[..]
            else {
                panic!("seven words: {row}")
            };
            let solved = u8::from(seconds != "-");
            let gave_up = 1 - solved;
            let seconds = seconds.replace('-', "");
            let note = if solved == 1 { "" } else { "the time limit was reached" };
            let _ = writeln!(
                csv,
                "count,{label},count {label} --open,{squares},{method},{threads},{ranks},{solved},{gave_up},0,,,,,{nodes},\
                 ,,,,8,,{note},{seconds}"
            );
        }
        Report::read_csv(&csv).unwrap()
    }

    #[test]
    fn speed_ups_are_against_one_core() {
        let report = measured(
            "5x5 25 naive 1 0 900 4\n5x5 25 naive 2 0 900 2.5\n5x5 25 naive 1 1 900 5\n5x5 25 naive 1 4 900 2",
        );
        let [one, two, rank, ranks] = &report.rows[..] else { panic!("four rows") };
        assert_eq!(
            (one.speedup_threads, one.efficiency, one.cost_s),
            (Some(1.0), Some(1.0), Some(4.0))
        );
        assert_eq!(one.serial_fraction, None);
        assert_eq!(
            (two.speedup_threads, two.efficiency, two.cost_s),
            (Some(1.6), Some(0.8), Some(5.0))
        );
        // (1/1.6 − 1/2) / (1 − 1/2)
        assert!((two.serial_fraction.unwrap() - 0.25).abs() < 1e-12);
        assert_eq!((rank.cores(), rank.speedup_threads), (1, Some(0.8)));
        assert_eq!((ranks.cores(), ranks.speedup_threads, ranks.cost_s), (4, Some(2.0), Some(8.0)));
        assert!((ranks.serial_fraction.unwrap() - 1.0 / 3.0).abs() < 1e-12);
        assert!(report.rows.iter().all(|row| row.anomaly.is_empty()));
    }

    #[test]
    fn anomalies_are_explained_by_the_nodes_as_far_as_they_do() {
        let said = |two: &str| {
            let report = measured(&format!("5x5 25 bb-dfs 1 0 1000 4\n5x5 25 bb-dfs 2 0 {two}"));
            report.rows[1].anomaly.clone()
        };
        assert_eq!(said("1000 2"), "");
        assert_eq!(said("1000 1.95"), "", "within the tolerance");
        assert_eq!(
            said("500 1"),
            "super-linear: 0.50 times the nodes of one core, which explains it"
        );
        assert_eq!(
            said("800 1"),
            "super-linear: 0.80 times the nodes of one core, which explains it in part"
        );
        assert_eq!(
            said("1200 1"),
            "super-linear: 1.20 times the nodes of one core, which does not explain it"
        );
        assert_eq!(
            said("1000 1"),
            "super-linear: as many nodes as on one core: not the search but caches, or a busy machine"
        );
        assert_eq!(
            said("2000 5"),
            "slower than one core: 2.00 times the nodes of one core, which explains it"
        );
        let short = measured("5x5 25 naive 1 0 10 0.001\n5x5 25 naive 2 0 10 0.01");
        assert_eq!(short.rows[1].anomaly, "", "too short to say");
    }

    #[test]
    fn medians_lie_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[3.0, 1.0, 9.0]), Some(3.0));
        assert_eq!(median(&[4.0, 1.0, 9.0, 2.0]), Some(3.0));
    }
}
