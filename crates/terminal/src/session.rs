//! A run on a terminal: its limits, Ctrl-C, progress, and what it took.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

use anyhow::bail;
use destrier::Moment;
use destrier::internal::Watch;
use destrier::{Cancel, Effort, Options, Progress, SolveError};
use destrier_ask::quantity;
use destrier_compare::{ENDS_WITH_STDIN, MOST_THREADS, Stats, StatsFile, cpu_time};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::allocator::return_large_blocks;
use crate::args::LimitArgs;
use crate::output::{discard_unfinished, is_rank};

/// The options of a run, and the line on the terminal that shows its progress.
#[derive(Debug)]
pub struct Session {
    /// What the run may use, and what stops it.
    pub options: Options,
    bar: ProgressBar,
    begun: Instant,
    /// When everything was ready, on the clock and in computing time: what is measured begins here.
    ready: (Instant, Option<Duration>),
    stats: Option<StatsFile>,
}

/// The progress of a run that is shorter than this is not shown.
const QUIET: Duration = Duration::from_millis(400);

impl LimitArgs {
    /// Refuses a seed that nothing would use.
    ///
    /// # Errors
    /// When one was given.
    pub fn no_seed(&self, why: &str) -> anyhow::Result<()> {
        if self.seed.is_some() {
            bail!("--seed: {why}");
        }
        Ok(())
    }

    /// Starts a session: from now on the time runs, and Ctrl-C stops the search.
    ///
    /// # Errors
    /// When a limit cannot be read, or makes no sense.
    pub fn start(&self) -> anyhow::Result<Session> {
        let begun = Instant::now();
        let time = self.time_limit.as_deref().map(destrier_ask::time).transpose()?;
        let memory = self.memory.as_deref().map(destrier_ask::bytes).transpose()?;
        if let Some(threads) = self.threads.filter(|&threads| threads > MOST_THREADS) {
            bail!("--threads: {threads} is too many; the limit is {MOST_THREADS}");
        }
        let cancel = Cancel::new();
        let mut options = Options::new()
            .threads(self.threads.unwrap_or(0))
            .seed(self.seed.unwrap_or(0))
            .cancel(&cancel);
        if let Some(moment) = time.and_then(|time| Moment::now().after(time)) {
            options = options.deadline(moment);
        }
        if let Some(memory) = memory {
            return_large_blocks();
            options = options.memory(memory);
        }
        if let Some(nodes) = self.node_limit {
            options = options.node_limit(nodes);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let is_terminal = !is_rank() && std::io::stderr().is_terminal();
        if is_terminal {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let shown = bar.clone();
        let noted = AtomicUsize::new(0);
        options = options.on_progress(move |progress| {
            let before = noted.fetch_max(progress.notes.len(), Ordering::Relaxed);
            for note in progress.notes.iter().skip(before) {
                message!("destrier: {note}");
            }
            if is_terminal && begun.elapsed() >= QUIET {
                show(&shown, progress, begun);
            }
        });
        cancel_on_interrupt(&cancel);
        let ready = (Instant::now(), cpu_time());
        let stats = self.stats.clone().map(StatsFile::new);
        Ok(Session { options, bar, begun, ready, stats })
    }
}

impl Session {
    /// A run that is not one of the library's questions, within the options: its time and its nodes start now.
    #[must_use]
    pub fn watch(&self) -> Watch {
        Watch::new(&self.options)
    }

    /// Clears the progress line, before anything else is printed.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Clears the progress line at the end of a run, and passes on its outcome. That the method is not made for
    /// the question goes to the statistics, if there are any.
    ///
    /// # Errors
    /// Those of the run.
    pub fn end<R: AsRef<Effort>, E: Into<anyhow::Error>>(
        &self,
        run: Result<R, E>,
    ) -> anyhow::Result<R> {
        self.clear();
        if let Ok(run) = &run {
            for (method, fault) in &run.as_ref().refused {
                message!(
                    "destrier: {method} gave a wrong answer, which the checker refused: {fault}; \
                     another method was asked; please report this"
                );
            }
        }
        run.map_err(Into::into).inspect_err(|error| {
            if let (Some(file), Some(SolveError::Unsuited { why, .. })) =
                (&self.stats, error.downcast_ref())
            {
                note(file, file.note_unsuited(why));
            }
        })
    }

    /// Reports on stderr what the run took, and in the statistics, if there are any.
    pub fn report(&self, effort: &Effort) {
        if let Some(file) = &self.stats {
            let cpu = cpu_time().zip(self.ready.1).map(|(now, then)| now.saturating_sub(then));
            let stats = Stats::of(effort, self.ready.0.elapsed(), cpu);
            note(file, file.note_run(stats));
        }
        let mut line = format!("{}: {}", effort.method, quantity(effort.nodes, "nodes"));
        for &(name, number) in &effort.details {
            let _ = write!(line, ", {}", quantity(number, name));
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
    // A second run after a first that has ended, as for closed and then open tours.
    if bar.is_finished() {
        bar.reset();
    }
    bar.set_message(text);
    bar.tick();
}

/// Where this process is a trial, ends it when its input does: the comparing process has ended, or was killed.
pub fn end_with_parent() {
    if std::env::var_os(ENDS_WITH_STDIN).is_some() {
        std::thread::spawn(|| {
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            std::process::exit(130);
        });
    }
}

/// From now on Ctrl-C (or SIGTERM) uses this handle and all that were given before; a second one ends the program.
pub fn cancel_on_interrupt(cancel: &Cancel) {
    static HANDLES: Mutex<Vec<Cancel>> = Mutex::new(Vec::new());
    static INSTALLED: Once = Once::new();
    // The handle is there before the handler, so no Ctrl-C is caught that stops nothing.
    if let Ok(mut handles) = HANDLES.lock() {
        handles.push(cancel.clone());
    }
    INSTALLED.call_once(|| {
        on_interrupt(|| {
            if let Ok(handles) = HANDLES.lock() {
                handles.iter().for_each(Cancel::now);
            }
        });
    });
}

/// What the first Ctrl-C (or SIGTERM) does; the second ends the program. A program that cannot catch Ctrl-C is
/// ended by it, which is what a user expects then.
pub fn on_interrupt(stop: impl Fn() + Send + 'static) {
    let interrupted = AtomicBool::new(false);
    let _ = ctrlc::set_handler(move || {
        if interrupted.swap(true, Ordering::SeqCst) {
            discard_unfinished();
            std::process::exit(130);
        }
        stop();
    });
}
