//! A run on a terminal: its limits, Ctrl-C, progress, and what it took.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use anyhow::bail;
use destrier::{Effort, Progress, SolveError, Watch};
use destrier_compare::{MOST_THREADS, Stats, StatsFile, cpu_time};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::LimitArgs;
use crate::output::counted;

/// A run's watch, and the line on the terminal that shows its progress.
#[derive(Debug)]
pub struct Session {
    /// What stops the run.
    pub watch: Watch,
    bar: ProgressBar,
    begun: Instant,
    /// When everything was ready, on the clock and in computing time: what is measured begins here.
    ready: (Instant, Option<Duration>),
    stats: Option<StatsFile>,
}

/// The progress of a run that is shorter than this is not shown.
const QUIET: Duration = Duration::from_millis(400);

impl LimitArgs {
    /// Starts a session: from now on the time runs, and Ctrl-C stops the search.
    ///
    /// # Errors
    /// When a limit cannot be read, or makes no sense.
    pub fn start(&self) -> anyhow::Result<Session> {
        let begun = Instant::now();
        let time = self.time_limit.as_deref().map(destrier_ask::time).transpose()?;
        let memory = self.memory.as_deref().map(destrier_ask::bytes).transpose()?;
        if let Some(threads) = self.threads.filter(|&threads| threads > MOST_THREADS) {
            bail!("--threads: {threads} is too many; {MOST_THREADS} is the most");
        }
        let mut watch = Watch::unlimited()
            .with_deadline(time.and_then(|time| begun.checked_add(time)))
            .with_memory(memory)
            .with_threads(self.threads.unwrap_or(0))
            .with_seed(self.seed);
        if let Some(nodes) = self.node_limit {
            watch = watch.with_node_limit(nodes);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            let shown = bar.clone();
            watch = watch.telling(move |progress| {
                if begun.elapsed() >= QUIET {
                    show(&shown, progress, begun);
                }
            });
        }
        halt_on_interrupt(&watch);
        let ready = (Instant::now(), cpu_time());
        let stats = self.stats.clone().map(StatsFile::new);
        Ok(Session { watch, bar, begun, ready, stats })
    }
}

impl Session {
    /// Clears the progress line, before anything else is printed.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Clears the progress line at the end of a run, and passes on what came of it. That the method is not made for
    /// the question goes to the statistics, if there are any.
    ///
    /// # Errors
    /// Those of the run.
    pub fn end<R, E: Into<anyhow::Error>>(&self, run: Result<R, E>) -> anyhow::Result<R> {
        self.clear();
        run.map_err(Into::into).inspect_err(|error| {
            if let (Some(file), Some(SolveError::Unsuited { why, .. })) =
                (&self.stats, error.downcast_ref())
            {
                note(file, file.note_unsuited(why));
            }
        })
    }

    /// Reports on stderr what the run took, and in the statistics, if there are any.
    pub fn report(&self, method: &str, effort: &Effort) {
        let method = effort.method.unwrap_or(method);
        if let Some(file) = &self.stats {
            let cpu = cpu_time().zip(self.ready.1).map(|(now, then)| now.saturating_sub(then));
            let stats = Stats::of(method, effort, self.ready.0.elapsed(), cpu);
            note(file, file.note_run(stats));
        }
        let mut line = format!("{method}: {}", counted(effort.nodes, "node"));
        for (name, number) in &effort.details {
            let _ = write!(line, ", {number} {name}");
        }
        message!("{line}, {:.3?}", self.begun.elapsed());
    }
}

/// Statistics that cannot be written are no reason to lose the answer.
fn note(file: &StatsFile, noted: std::io::Result<()>) {
    if let Err(error) = noted {
        message!("destrier: cannot write `{}`: {error}", file.path().display());
    }
}

fn show(bar: &ProgressBar, progress: &Progress, begun: Instant) {
    let seconds = begun.elapsed().as_secs_f64();
    let mut text = format!("{} nodes", HumanCount(progress.nodes));
    if let Some(fraction) = progress.fraction.filter(|&fraction| fraction > 0.0) {
        let left = Duration::try_from_secs_f64(seconds / fraction - seconds).unwrap_or_default();
        text = format!("{:.1} %, {} left, {text}", fraction * 100.0, HumanDuration(left));
    }
    if let Some(best) = progress.best {
        let _ = write!(text, ", best {best}");
    }
    if let Some(bound) = progress.bound {
        let _ = write!(text, ", bound {bound}");
    }
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg} (Ctrl-C stops)") {
        bar.set_style(style);
    }
    bar.set_message(text);
    bar.tick();
}

/// From now on Ctrl-C (or SIGTERM) halts this watch and all that were given before; a second one ends the program.
pub fn halt_on_interrupt(watch: &Watch) {
    static WATCHES: OnceLock<Mutex<Vec<Watch>>> = OnceLock::new();
    let install = || {
        on_interrupt(|| {
            let watches = WATCHES.get().and_then(|watches| watches.lock().ok());
            watches.iter().flat_map(|watches| watches.iter()).for_each(Watch::halt);
        });
        Mutex::new(Vec::new())
    };
    if let Ok(mut watches) = WATCHES.get_or_init(install).lock() {
        watches.push(watch.clone());
    }
}

/// What the first Ctrl-C (or SIGTERM) does; the second ends the program. A program that cannot catch Ctrl-C is
/// ended by it, which is what a user expects then.
pub fn on_interrupt(stop: impl Fn() + Send + 'static) {
    let interrupted = AtomicBool::new(false);
    let _ = ctrlc::set_handler(move || {
        if interrupted.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        stop();
    });
}
