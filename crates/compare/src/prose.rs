//! What is seen in a figure, in a paragraph: what is slowest and fastest, and where it stops scaling.

use crate::chart::{Chart, Dots, Point, Scale, Series};

/// A step to more cores that gains less than this part gains nothing.
const GAIN: f64 = 0.1;

/// As many series as are each given a sentence; of more, the best and the worst.
const FEW: usize = 4;

/// The series with a value at a place, the least value first.
fn at(chart: &Chart, place: f64) -> Vec<(&Series, f64)> {
    let value = |series: &Series| {
        let point = series.points.iter().find(|point| is_at(point, place) && !point.beyond)?;
        Some(point.y)
    };
    let mut found: Vec<(&Series, f64)> =
        chart.series.iter().filter_map(|series| Some((series, value(series)?))).collect();
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    found
}

fn is_at(point: &Point, place: f64) -> bool {
    (point.x - place).abs() < 1e-9
}

/// `a`, `a and b`, `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn factor(ratio: f64) -> String {
    if ratio >= 10.0 { format!("{ratio:.0}") } else { format!("{ratio:.1}") }
}

/// Times or nodes by question.
pub(crate) fn by_question(chart: &Chart) -> String {
    let (low, high, than) = match chart.scale {
        Scale::Time => ("fastest", "slowest", "times as fast"),
        _ => ("searches least", "searches most", "times fewer"),
    };
    let is = if chart.scale == Scale::Time { "is " } else { "" };
    let mut said = Vec::new();
    // The last question that any method answered.
    let answered = chart.places.iter().rev().find(|(place, _)| !at(chart, *place).is_empty());
    if let Some((place, label)) = answered {
        let found = at(chart, *place);
        let (first, last) = (&found[0], &found[found.len() - 1]);
        let write = |value| chart.scale.write(value);
        said.push(if found.len() == 1 {
            let only = if chart.series.len() > 1 { " alone" } else { "" };
            format!("On {label} {}{only} gives an answer: {}.", first.0.name, write(first.1))
        } else {
            format!(
                "On {label} {} {is}{low}, with {}, and {} {is}{high}, with {}: {} {than}.",
                first.0.name,
                write(first.1),
                last.0.name,
                write(last.1),
                factor(last.1 / first.1.max(f64::MIN_POSITIVE))
            )
        });
    }
    let label = |point: &Point| {
        let place = chart.places.iter().find(|(place, _)| is_at(point, *place));
        place.map_or_else(String::new, |(_, label)| label.clone())
    };
    let growth = |series: &Series| {
        let mut known = series.points.iter().filter(|point| !point.beyond && point.y > 0.0);
        let (first, last) = (known.next()?, known.next_back()?);
        let most = if chart.series.len() > 1 { " most" } else { "" };
        let times = factor(last.y / first.y);
        let sentence = format!("{} grows{most}, {times} times", series.name);
        Some((last.y / first.y, format!("From {} to {} {sentence}.", label(first), label(last))))
    };
    let mut grown: Vec<(f64, String)> = chart.series.iter().filter_map(growth).collect();
    grown.sort_by(|a, b| b.0.total_cmp(&a.0));
    said.extend(grown.into_iter().next().map(|(_, sentence)| sentence));
    for series in &chart.series {
        let lost: Vec<String> =
            series.points.iter().filter(|point| point.beyond).map(label).collect();
        if !lost.is_empty() {
            said.push(format!("{} gave up on {}.", series.name, listed(&lost)));
        }
    }
    said.join(" ")
}

/// Methods side by side on one question.
pub(crate) fn side_by_side(dots: &Dots) -> String {
    let mut known: Vec<(&str, f64)> = Vec::new();
    let mut lost = Vec::new();
    for (name, _, point) in &dots.lines {
        match point {
            Ok(point) if !point.beyond => known.push((name, point.y)),
            _ => lost.push(name.clone()),
        }
    }
    known.sort_by(|a, b| a.1.total_cmp(&b.1));
    let write = |value| Scale::Time.write(value);
    let said = match &known[..] {
        [] => "No method gave an answer.".to_owned(),
        [(name, time)] => format!("{name} took {}.", write(*time)),
        [(fastest, least), .., (slowest, most)] => format!(
            "{fastest} is fastest, with {}, and {slowest} slowest, with {}: {} times as fast.",
            write(*least),
            write(*most),
            factor(most / least)
        ),
    };
    if lost.is_empty() { said } else { format!("{said} Without an answer: {}.", listed(&lost)) }
}

/// The best point of a series, and the point after which more cores gain nothing, if there are more.
fn best(series: &Series) -> Option<(&Point, Option<&Point>)> {
    let best = series.points.iter().max_by(|a, b| a.y.total_cmp(&b.y))?;
    let stop = series.points.windows(2).find(|pair| pair[1].y < pair[0].y * (1.0 + GAIN));
    Some((best, stop.map(|pair| &pair[0])))
}

/// Speed-up by threads or ranks.
pub(crate) fn speedup(chart: &Chart, unit: &str) -> String {
    let one = unit.trim_end_matches('s');
    let number = |x: f64| format!("{x} {}", if x > 1.0 { unit } else { one });
    let sentence = |series: &Series| {
        let (best, stop) = best(series)?;
        if best.x <= 1.0 {
            return Some(format!(
                "{} does not scale: no number of {unit} beats one core.",
                series.name
            ));
        }
        let share = 100.0 * best.y / best.x;
        let end = series.points.last()?.x;
        let scaling = match stop {
            Some(stop) => format!("it stops scaling at {}", number(stop.x)),
            None => format!("it still gains at {}, the most that was measured", number(end)),
        };
        Some(format!(
            "{} is at best {} as fast as on one core, on {} ({share:.0} % of the ideal); {scaling}.",
            series.name,
            Scale::Speedup.write(best.y),
            number(best.x)
        ))
    };
    of_some(chart, &sentence, &|series| best(series).map_or(0.0, |(best, _)| best.y))
}

/// A sentence for each of a few series; for the best and the worst of many.
fn of_some(
    chart: &Chart,
    sentence: &dyn Fn(&Series) -> Option<String>,
    rank: &dyn Fn(&Series) -> f64,
) -> String {
    let mut series: Vec<&Series> = chart.series.iter().collect();
    series.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    let count = series.len();
    if count > FEW {
        series = vec![series[0], series[count - 1]];
    }
    let mut said: Vec<String> = series.into_iter().filter_map(sentence).collect();
    if count > FEW {
        said.push(format!("The other {} lie between.", count - 2));
    }
    said.join(" ")
}

/// Efficiency by threads or ranks.
pub(crate) fn efficiency(chart: &Chart, unit: &str) -> String {
    let sentence = |series: &Series| {
        let last = series.points.last()?;
        let half = series.points.iter().find(|point| point.y < 50.0);
        let half = half.map_or_else(String::new, |point| {
            format!("; it falls below 50 % at {} {unit}", point.x)
        });
        let end = Scale::Percent.write(last.y);
        Some(format!("{} keeps {end} of each core on {} {unit}{half}.", series.name, last.x))
    };
    of_some(chart, &sentence, &|series| series.points.last().map_or(0.0, |point| point.y))
}

/// Nodes by threads or ranks, against the fewest.
pub(crate) fn work(chart: &Chart, unit: &str) -> String {
    let sentence = |series: &Series| {
        let far = |point: &&Point| (point.y.ln()).abs();
        let most = series.points.iter().max_by(|a, b| far(a).total_cmp(&far(b)))?;
        let what = match most.y {
            ratio if (ratio - 1.0).abs() <= 0.01 => "searches as much on any number".to_owned(),
            ratio if ratio > 1.0 => format!(
                "searches {ratio:.2} times as much on {} {unit}: work that one core would have cut",
                most.x
            ),
            ratio => format!(
                "searches only {ratio:.2} times as much on {} {unit}: a good plan is found earlier",
                most.x
            ),
        };
        Some(format!("{} {what}.", series.name))
    };
    of_some(chart, &sentence, &|series| series.points.last().map_or(0.0, |point| -point.y))
}

/// Speed-up by the number of squares.
pub(crate) fn by_size(chart: &Chart) -> String {
    let sentence = |series: &Series| {
        let (first, last) = (series.points.first()?, series.points.last()?);
        let loses = series.points.iter().rposition(|point| point.y <= 1.0);
        let pays = match loses.map(|at| series.points.get(at + 1)) {
            None => "they pay on every board".to_owned(),
            Some(Some(point)) => format!("they pay from {} squares on", point.x),
            Some(None) => "they do not pay on the largest board".to_owned(),
        };
        Some(format!(
            "{}: {} on {} squares, {} on {}; {pays}.",
            series.name,
            Scale::Speedup.write(first.y),
            first.x,
            Scale::Speedup.write(last.y),
            last.x
        ))
    };
    of_some(chart, &sentence, &|series| series.points.last().map_or(0.0, |point| point.y))
}

/// Failing starts by board.
pub(crate) fn failures(chart: &Chart) -> String {
    let Some((place, label)) = chart.places.last() else { return String::new() };
    let found = at(chart, *place);
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return String::new() };
    let write = |value| Scale::Percent.write(value);
    let never = |series: &Series| {
        let fails = series.points.iter().find(|point| point.y > 0.0);
        let label = fails.and_then(|point| {
            chart.places.iter().find(|(place, _)| is_at(point, *place)).map(|(_, label)| label)
        });
        label.map_or_else(
            || format!("{} fails nowhere.", series.name),
            |label| format!("{} first fails on {label}.", series.name),
        )
    };
    let firsts: Vec<String> = chart.series.iter().map(never).collect();
    format!(
        "On {label} {} fails least, from {} of the starts, and {} most, from {}. {}",
        first.0.name,
        write(first.1),
        last.0.name,
        write(last.1),
        firsts.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        let point = |&(x, y): &(f64, f64)| Point { x, y, range: None, beyond: y < 0.0 };
        Series { name: name.to_owned(), colour: 0, points: points.iter().map(point).collect() }
    }

    fn chart(scale: Scale, series: Vec<Series>) -> Chart {
        let places = [1.0, 2.0, 4.0, 8.0].map(|x| (x, format!("n{x}"))).into();
        Chart { title: String::new(), subtitle: String::new(), scale, places, series, ideal: false }
    }

    #[test]
    fn where_it_stops_scaling_is_said() {
        let chart = chart(
            Scale::Speedup,
            vec![
                series("a", &[(1.0, 1.0), (2.0, 1.9), (4.0, 3.6), (8.0, 7.0)]),
                series("b", &[(1.0, 1.0), (2.0, 1.8), (4.0, 1.85), (8.0, 1.5)]),
                series("c", &[(1.0, 1.0), (2.0, 0.7), (4.0, 0.5), (8.0, 0.2)]),
            ],
        );
        assert_eq!(
            speedup(&chart, "threads"),
            "a is at best 7× as fast as on one core, on 8 threads (88 % of the ideal); it still gains at 8 threads, \
             the most that was measured. b is at best 1.85× as fast as on one core, on 4 threads (46 % of the ideal); \
             it stops scaling at 2 threads. c does not scale: no number of threads beats one core."
        );
    }

    #[test]
    fn slowest_fastest_and_those_that_gave_up_are_named() {
        let times = chart(
            Scale::Time,
            vec![
                series("slow", &[(1.0, 0.01), (2.0, 1.0), (4.0, -1.0)]),
                series("fast", &[(1.0, 0.01), (2.0, 0.02), (4.0, 0.04)]),
            ],
        );
        assert_eq!(
            by_question(&times),
            "On n4 fast alone gives an answer: 40 ms. From n1 to n2 slow grows most, 100 times. slow gave up on n4."
        );
        let nodes = chart(
            Scale::Nodes,
            vec![series("few", &[(1.0, 10.0)]), series("many", &[(1.0, 1000.0)])],
        );
        assert_eq!(
            by_question(&nodes),
            "On n1 few searches least, with 10, and many searches most, with 1 k: 100 times fewer."
        );
    }

    #[test]
    fn from_which_size_on_threads_pay_is_said() {
        let sizes =
            |points: &[(f64, f64)]| by_size(&chart(Scale::Speedup, vec![series("2", points)]));
        assert_eq!(
            sizes(&[(12.0, 0.1), (20.0, 1.2), (24.0, 0.9), (25.0, 1.5), (30.0, 1.9)]),
            "2: 0.1× on 12 squares, 1.9× on 30; they pay from 25 squares on."
        );
        assert!(sizes(&[(12.0, 1.1), (20.0, 1.2)]).ends_with("they pay on every board."));
        assert!(sizes(&[(12.0, 1.1), (20.0, 0.2)]).ends_with("do not pay on the largest board."));
    }

    #[test]
    fn of_many_the_best_and_the_worst_have_a_sentence() {
        let lines = (1..=6).map(|n| series(&format!("s{n}"), &[(1.0, 100.0), (2.0, f64::from(n))]));
        let said = efficiency(&chart(Scale::Percent, lines.collect()), "ranks");
        assert_eq!(
            said,
            "s6 keeps 6 % of each core on 2 ranks; it falls below 50 % at 2 ranks. s1 keeps 1 % of each core on 2 \
             ranks; it falls below 50 % at 2 ranks. The other 4 lie between."
        );
    }

    #[test]
    fn work_is_told_against_the_fewest_cores() {
        let nodes = chart(
            Scale::Speedup,
            vec![
                series("more", &[(1.0, 1.0), (2.0, 1.5)]),
                series("same", &[(1.0, 1.0), (2.0, 1.0)]),
                series("less", &[(1.0, 1.0), (2.0, 0.5)]),
            ],
        );
        assert_eq!(
            work(&nodes, "threads"),
            "less searches only 0.50 times as much on 2 threads: a good plan is found earlier. same searches as much \
             on any number. more searches 1.50 times as much on 2 threads: work that one core would have cut."
        );
    }
}
