//! What a count would take, in words.

use destrier::count::Estimate;
use destrier::internal::middle::Figure;

use super::{Language, Sentence};

/// What a count would take, in lines: the time and the memory in a person's units, and what they rest on.
#[must_use]
pub fn estimate_told(estimate: &Estimate, language: Language) -> String {
    let rough = |figure: Figure| Sentence::english(format!("{:.1e}", figure.value));
    let needs = Sentence::of("estimate.needs").with("memory", memory(estimate.memory.value));
    let facts = [
        ("estimate.time", takes(estimate)),
        ("estimate.memory", needs),
        ("estimate.columns", rough(estimate.columns)),
        ("estimate.transitions", rough(estimate.transitions)),
        ("estimate.kept", rough(estimate.kept)),
    ];
    let facts = facts.map(|(name, fact)| (Sentence::of(name).tell(language), fact.tell(language)));
    let wide = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut lines: Vec<String> =
        facts.iter().map(|(name, fact)| format!("{name:<wide$}  {fact}")).collect();
    let last = estimate.measured.last().copied().unwrap_or_default();
    let rests_on = if estimate.is_extrapolated {
        Sentence::of("estimate.extrapolated").with("files", last)
    } else {
        Sentence::of("estimate.measured")
    };
    lines.push(rests_on.tell(language));
    lines.join("\n")
}

/// The time, in the unit that a person would use, and how far it may be off.
fn takes(estimate: &Estimate) -> Sentence {
    let hours = estimate.hours.value;
    let seconds = 3600.0 * hours;
    let (name, number) = match seconds {
        ..1.0 => ("estimate.under_second", 0.0),
        ..100.0 => ("estimate.seconds", seconds),
        ..6000.0 => ("estimate.minutes", seconds / 60.0),
        ..172_800.0 => ("estimate.hours", hours),
        _ => ("estimate.days", hours / 24.0),
    };
    let threads = match estimate.threads {
        1 => Sentence::of("estimate.one_thread"),
        threads => Sentence::of("estimate.threads").with("n", threads),
    };
    // Twice the standard error, as a factor.
    let factor = 1.0 + 2.0 * estimate.hours.error.max(estimate.memory.error);
    Sentence::of("estimate.takes")
        .with("time", Sentence::of(name).with("n", format!("{number:.0}")))
        .with("threads", threads)
        .with("factor", format!("{factor:.1}"))
}

/// A memory in the unit that a person would use.
fn memory(bytes: f64) -> String {
    if bytes < 1e9 { format!("{:.0} MB", bytes / 1e6) } else { format!("{:.1} GB", bytes / 1e9) }
}
