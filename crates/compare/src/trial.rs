//! One run of one method on one question: a process of its own, so that its state is fresh and its memory its own.
//!
//! The process is the command `destrier` with the words of the question. It times itself, prints its answer as JSON and
//! exits as always; the answer is checked here once more, by the rules and against the question that was asked. Where no
//! process can be started, trials run in this one (`in_process`).
//!
//! Invariant: an answer that counts has passed the checker in this process too.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use destrier::Halt;
use destrier::internal::Watch;
use destrier_rules::{AnyCertificate, Certificate, Problem, Statement, TourProblem, Verified};
use serde_json::Value;

use crate::comparison::{Limits, Team};
use crate::error::Error;
use crate::in_process;
use crate::launcher::Launcher;
use crate::method::Method;
use crate::question::{Ask, Question};
use crate::stats::{Stats, StatsFile};

/// What an answer says, as far as answers must agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A tour that the checker passed.
    Tour,
    /// A number of undirected tours.
    Count(String),
    /// A plan of this cost; is it proved that none is cheaper?
    Plan { cost: u64, proved: bool },
    /// None exists.
    Impossible,
    /// This many of the starts fail.
    Survey { starts: u64, failed: u64 },
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With an answer that passed the checker.
    Answered(Answer),
    /// At a limit, or because the method had tried all that it tries; with the best it had.
    GaveUp(String, Option<Answer>),
    /// The method is not made for this question.
    Unsuited(String),
    /// With a wrong answer, a crash, or not by itself.
    Failed(String),
}

/// A run that ended by itself.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) ended: Ended,
    pub(crate) stats: Option<Stats>,
}

/// A run that exceeds its time by this much is ended from outside.
const GRACE: Duration = Duration::from_secs(20);

/// A run that is to end has this long to do so by itself.
const FAREWELL: Duration = Duration::from_secs(1);

/// How a run on ranks says that a method is not shared out among them.
pub const RANK_0_ALONE: &str = "is not shared out; rank 0 works alone";

/// In the environment of a process that is to end when its standard input does, that is, with its parent.
pub const ENDS_WITH_STDIN: &str = "DESTRIER_ENDS_WITH_STDIN";

/// How the name of a temporary folder begins; the number of its process follows.
const PREFIX: &str = "destrier-compare-";

fn folder() -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix(&format!("{PREFIX}{}-", std::process::id())).tempdir()
}

/// Removes the folders of processes that were killed. Where it cannot be known which processes there are, nothing is
/// removed; what belongs to others cannot be.
fn remove_left_behind(temporary: &Path) {
    let is_alive = |process: &str| {
        !Path::new("/proc/self").exists() || Path::new("/proc").join(process).exists()
    };
    for entry in temporary.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let is_number = |process: &&str| process.parse::<u32>().is_ok();
        if is_folder && process.filter(is_number).is_some_and(|process| !is_alive(process)) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Runs trials, each in a process of its own if it can.
#[derive(Debug)]
pub struct Runner(Place);

#[derive(Debug)]
enum Place {
    Processes(Processes),
    Here,
}

/// Runs trials, each in a process of its own.
#[derive(Debug)]
struct Processes {
    program: PathBuf,
    stats: StatsFile,
    /// Where the stats file is made.
    _folder: tempfile::TempDir,
    /// Where the trials run, if not here.
    place: Option<tempfile::TempDir>,
    /// What starts those that run on ranks.
    launcher: Option<Launcher>,
}

impl Runner {
    /// Runs trials by this program, the command `destrier`.
    ///
    /// # Errors
    /// When there is no place for its notes.
    pub fn new(program: PathBuf) -> Result<Runner, Error> {
        remove_left_behind(&std::env::temp_dir());
        let folder = folder()?;
        let stats = StatsFile::new(folder.path().join("stats"));
        let (place, launcher) = (None, None);
        let processes = Processes { program, stats, _folder: folder, place, launcher };
        Ok(Runner(Place::Processes(processes)))
    }

    /// Runs trials in this process, one after the other: for WebAssembly, which starts none.
    #[must_use]
    pub const fn in_process() -> Runner {
        Runner(Place::Here)
    }

    /// The same with trials that run in an empty folder, so that no word can be the name of a file.
    ///
    /// # Errors
    /// When there is no place for that folder.
    pub fn without_files(mut self) -> Result<Runner, Error> {
        if let Place::Processes(processes) = &mut self.0 {
            processes.place = Some(folder()?);
        }
        Ok(self)
    }

    /// The same with ranks that are started so.
    #[must_use]
    pub fn with_launcher(mut self, launcher: Launcher) -> Runner {
        if let Place::Processes(processes) = &mut self.0 {
            processes.launcher = Some(launcher);
        }
        self
    }

    pub(crate) const fn launcher(&self) -> Option<&Launcher> {
        match &self.0 {
            Place::Processes(processes) => processes.launcher.as_ref(),
            Place::Here => None,
        }
    }

    pub(crate) const fn is_in_process(&self) -> bool {
        matches!(self.0, Place::Here)
    }

    /// Runs one method on one question; `None` when the watch was halted meanwhile.
    pub(crate) fn run(
        &self,
        question: &Question,
        method: Method,
        team: Team,
        limits: &Limits,
        watch: &Watch,
    ) -> Result<Option<Trial>, Error> {
        match &self.0 {
            Place::Processes(processes) => processes.run(question, method, team, limits, watch),
            Place::Here => Ok(in_process::run(question.ask(), method, team, limits, watch)),
        }
    }
}

impl Processes {
    fn run(
        &self,
        question: &Question,
        method: Method,
        team: Team,
        limits: &Limits,
        watch: &Watch,
    ) -> Result<Option<Trial>, Error> {
        self.stats.clear()?;
        let on_ranks = self.launcher.as_ref().filter(|_| team.ranks > 0);
        let mut command =
            on_ranks.map_or_else(|| Command::new(&self.program), |by| by.command(team.ranks));
        command
            .args(question.words())
            .args(method.words())
            .args(["--threads", &team.threads.to_string()])
            .args(limits.words())
            .args(question.ask().seed(method, limits.seed))
            .args(["--json", "--verbose", "--stats"])
            .arg(self.stats.path())
            .env(ENDS_WITH_STDIN, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(place) = &self.place {
            command.current_dir(place.path());
        }
        let program = PathBuf::from(command.get_program());
        let start = |error| Error::Start { program, error };
        let mut child = command.spawn().map_err(start)?;
        // Held as long as this process lives: when it is killed, the child reads the end of its input, and ends.
        let alive = child.stdin.take();
        let (answer, messages) = (reader(child.stdout.take()), reader(child.stderr.take()));
        let status = wait(&mut child, alive, limits.time + GRACE, watch)?;
        let answer = answer.join().unwrap_or_default();
        let messages = messages.join().unwrap_or_default();
        if watch.halted().is_some() {
            return Ok(None);
        }
        let ended = match (status, self.stats.unsuited()) {
            (None, _) => Ended::Failed("it did not stop at its time limit".to_owned()),
            (Some(_), Some(why)) => Ended::Unsuited(why),
            (Some(status), None) => judge(question.ask(), status, &answer, &messages),
        };
        let taken = self.stats.stats();
        Ok(Some(if team.ranks > 0 {
            on_several(ended, taken, team, &messages)
        } else {
            Trial { ended, stats: taken }
        }))
    }
}

/// A run on ranks counts if they shared the work, and if rank 0 ran where its notes can be read.
fn on_several(ended: Ended, stats: Option<Stats>, team: Team, messages: &[u8]) -> Trial {
    let alone = String::from_utf8_lossy(messages).contains(RANK_0_ALONE);
    match ended {
        Ended::Answered(_) | Ended::GaveUp(..) if alone => {
            let why = "it is not shared out among ranks".to_owned();
            Trial { ended: Ended::Unsuited(why), stats: None }
        }
        Ended::Answered(_) if stats.is_none() => {
            let why =
                "rank 0 left no notes here; name this machine first in the host file".to_owned();
            Trial { ended: Ended::Failed(why), stats }
        }
        // Computing time and memory are those of rank 0 alone.
        ended if team.ranks > 1 => {
            let stats = stats.map(|stats| Stats { cpu_seconds: None, memory: None, ..stats });
            Trial { ended, stats }
        }
        ended => Trial { ended, stats },
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

/// Waits for the end; a run over its time, or one that is no longer wanted, reads the end of its input, and is killed
/// if that does not end it at once: a launcher of ranks ends them when rank 0 has ended.
fn wait(
    child: &mut Child,
    alive: Option<ChildStdin>,
    most: Duration,
    watch: &Watch,
) -> io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() > most || watch.halted().is_some() {
            drop(alive);
            let told = Instant::now();
            while told.elapsed() < FAREWELL && child.try_wait()?.is_none() {
                thread::sleep(Duration::from_millis(5));
            }
            // It may have ended just now, which is as good.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// What a run's exit code, answer and last message come to.
fn judge(ask: &Ask, status: ExitStatus, answer: &[u8], messages: &[u8]) -> Ended {
    let messages = String::from_utf8_lossy(messages);
    let last = messages.lines().rev().find_map(|line| line.strip_prefix("destrier: "));
    let last = last.unwrap_or_default().to_owned();
    let read = || read_answer(ask, answer);
    match status.code() {
        Some(0 | 1) => read().map_or_else(Ended::Failed, Ended::Answered),
        Some(3) => {
            let known = [Halt::Deadline, Halt::Nodes, Halt::Memory, Halt::Asked, Halt::GaveUp];
            let why = known.iter().map(Halt::to_string).find(|why| last.contains(why));
            let why = why.unwrap_or(last);
            if answer.is_empty() || matches!(ask, Ask::Count(_) | Ask::Survey { .. }) {
                return Ended::GaveUp(why, None);
            }
            read().map_or_else(Ended::Failed, |best| Ended::GaveUp(why, Some(best)))
        }
        Some(2) => Ended::Failed(last),
        Some(code) => Ended::Failed(format!("it exited with code {code}")),
        None => Ended::Failed("it was killed, perhaps for lack of memory".to_owned()),
    }
}

/// Reads an answer in JSON, and holds it against the question.
fn read_answer(ask: &Ask, answer: &[u8]) -> Result<Answer, String> {
    match ask {
        Ask::Count(problem) => {
            let value = answer_to(problem, answer)?;
            let number = value["undirected"].as_str().ok_or("no `undirected` number")?;
            Ok(Answer::Count(number.to_owned()))
        }
        Ask::Survey { problem, .. } => {
            let value = answer_to(problem, answer)?;
            let number = |name: &str| value[name].as_u64().ok_or_else(|| format!("no `{name}`"));
            Ok(Answer::Survey { starts: number("starts")?, failed: number("failed")? })
        }
        Ask::Tour(problem) => match certificate(answer)? {
            AnyCertificate::Tour(certificate) => statement(&certificate, problem),
            _ => Err(OTHER_KIND.to_owned()),
        },
        Ask::Capture(problem) => match certificate(answer)? {
            AnyCertificate::Capture(certificate) => statement(&certificate, problem),
            _ => Err(OTHER_KIND.to_owned()),
        },
        Ask::Swap(problem) => match certificate(answer)? {
            AnyCertificate::Swap(certificate) => statement(&certificate, problem),
            _ => Err(OTHER_KIND.to_owned()),
        },
    }
}

const OTHER_KIND: &str = "the answer is of another kind";
const OTHER_QUESTION: &str = "it answers another question";

/// A certificate is checked as it is read.
fn certificate(answer: &[u8]) -> Result<AnyCertificate, String> {
    serde_json::from_slice(answer)
        .map_err(|error| format!("the checker refused the answer: {error}"))
}

/// An answer that is no certificate, if it is to this question.
fn answer_to(problem: &TourProblem, answer: &[u8]) -> Result<Value, String> {
    let value: Value =
        serde_json::from_slice(answer).map_err(|error| format!("no answer in JSON: {error}"))?;
    let asked = serde_json::to_value(problem).map_err(|error| error.to_string())?;
    if value["question"] == asked { Ok(value) } else { Err(OTHER_QUESTION.to_owned()) }
}

/// What a certificate says, if it is about this problem.
fn statement<P: Problem + PartialEq>(
    certificate: &Certificate<P>,
    asked: &P,
) -> Result<Answer, String> {
    let (problem, answer) = match certificate.statement() {
        Statement::Impossible(none) => (none.problem(), Answer::Impossible),
        Statement::Solved(verified) => (verified.problem(), Answer::of(verified)),
    };
    if problem == asked { Ok(answer) } else { Err(OTHER_QUESTION.to_owned()) }
}

impl Answer {
    /// What a solution comes to.
    pub(crate) fn of<P: Problem>(verified: &Verified<P>) -> Answer {
        if P::KIND == "tour" {
            return Answer::Tour;
        }
        Answer::Plan { cost: verified.cost(), proved: verified.support().is_some() }
    }

    /// The answer in a few words.
    pub(crate) fn in_words(&self) -> String {
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
    pub(crate) fn agrees_with(&self, other: &Answer) -> bool {
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

    #[cfg(unix)]
    mod processes {
        use std::fs;
        use std::os::unix::fs::PermissionsExt as _;

        use destrier_rules::Board;

        use super::*;
        use crate::question::Kind;

        /// A trial of a 5x5 tour by a script in the place of `destrier`.
        fn trial(script: &str, time: Duration, watch: &Watch) -> Option<Trial> {
            let folder = tempfile::tempdir().unwrap();
            let program = folder.path().join("destrier");
            fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            let question = Question::of(Ask::Tour(TourProblem::open(Board::new(5, 5).unwrap())));
            let method = Kind::Tour.methods(&["auto"]).unwrap()[0];
            let limits = Limits { time, ..Limits::default() };
            let runner = Runner::new(program).unwrap().without_files().unwrap();
            runner.run(&question, method, Team::of_threads(2), &limits, watch).unwrap()
        }

        fn ended(script: &str) -> Ended {
            trial(script, Duration::from_secs(5), &Watch::unlimited()).unwrap().ended
        }

        #[test]
        fn a_trial_is_the_command_that_a_user_would_type_in_a_folder_without_files() {
            let Ended::Failed(said) = ended("echo \"destrier: $(ls)$*\" >&2; exit 2") else {
                panic!("exit code 2 is a failure")
            };
            let words =
                "tour 5x5 --method auto --threads 2 --time-limit 5000ms --json --verbose --stats ";
            assert!(said.starts_with(words), "{said}");
        }

        #[test]
        fn only_checked_answers_to_the_question_count() {
            assert!(matches!(ended("echo nonsense"), Ended::Failed(_)));
            assert!(matches!(ended("exit 0"), Ended::Failed(_)));
            assert!(matches!(ended("exit 9"), Ended::Failed(_)));
            assert!(matches!(ended("kill -9 $$"), Ended::Failed(why) if why.contains("killed")));
            let stopped = format!("echo 'destrier: undecided: {}' >&2; exit 3", Halt::Deadline);
            assert_eq!(ended(&stopped), Ended::GaveUp(Halt::Deadline.to_string(), None));
            let unsuited =
                "for file; do :; done; echo '{\"unsuited\":\"too wide\"}' > \"$file\"; exit 2";
            assert_eq!(ended(unsuited), Ended::Unsuited("too wide".to_owned()));
        }

        #[test]
        fn a_halt_kills_the_process_and_leaves_no_trial() {
            let watch = Watch::unlimited();
            watch.halt();
            assert!(trial("exec sleep 600", Duration::from_secs(600), &watch).is_none());
        }

        #[test]
        fn a_child_reads_the_end_of_its_input_only_when_its_parent_is_gone() {
            // `timeout` exits with 124 if it had to end a command that still read its input.
            let script = "timeout 0.3 cat; test $? = 124 && exit 9; exit 7";
            assert!(matches!(ended(script), Ended::Failed(why) if why.contains("code 9")));
            let told = "test \"$DESTRIER_ENDS_WITH_STDIN\" = 1 && exit 8; exit 9";
            assert!(matches!(ended(told), Ended::Failed(why) if why.contains("code 8")));
        }

        #[test]
        fn folders_of_processes_that_are_gone_are_removed_and_no_others() {
            let place = tempfile::tempdir().unwrap();
            let gone = place.path().join(format!("{PREFIX}4294967294-x"));
            let own = place.path().join(format!("{PREFIX}{}-x", std::process::id()));
            let strange = place.path().join(format!("{PREFIX}../x-").replace('/', "_"));
            for folder in [&gone, &own, &strange] {
                fs::create_dir(folder).unwrap();
                fs::write(folder.join("stats"), "").unwrap();
            }
            remove_left_behind(place.path());
            assert!(!gone.exists() && own.exists() && strange.exists());
        }

        #[test]
        fn a_program_that_is_not_there_is_an_error() {
            let runner = Runner::new("/no/such/destrier".into()).unwrap();
            let question = Question::of(Ask::Tour(TourProblem::open(Board::new(5, 5).unwrap())));
            let method = Kind::Tour.methods(&["auto"]).unwrap()[0];
            let (team, limits) = (Team::of_threads(1), Limits::default());
            let run = runner.run(&question, method, team, &limits, &Watch::unlimited());
            assert!(matches!(run, Err(Error::Start { .. })));
        }
    }
}
