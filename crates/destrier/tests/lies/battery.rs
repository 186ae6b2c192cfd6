//! The battery: small questions of every kind with their true answers, and all who may lie about them.
//!
//! Invariant: every method that a question of the battery suits is a witness.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use destrier::lies::{Lie, Reason};
use destrier::trace::Silent;
use destrier::{
    Board, CaptureMethod, CaptureProblem, CountMethod, Leaper, ListMethod, Method, Metric,
    Placement, Shape, Side, Solve, Square, SwapMethod, SwapProblem, TourMethod, TourProblem,
    TourSymmetry, Tours, Wrap,
};

use crate::brute::{all_positions, all_tours, fewest_captures, fewest_swaps};
use crate::judges::{
    Seen, judge, judge_census, judge_classes, judge_count, judge_eccentricity, judge_enumeration,
    judge_estimate, judge_itinerary, judge_plans, judge_series, judge_starts, judge_stream,
    judge_symmetric_classes, options,
};

/// A question about tours with all its tours.
pub(crate) struct Tourable {
    pub(crate) question: TourProblem,
    pub(crate) tours: BTreeSet<Vec<Square>>,
}

pub(crate) fn square(name: &str) -> Square {
    name.parse().unwrap()
}

pub(crate) fn board(size: &str) -> Board {
    size.parse().unwrap()
}

/// Plain boards, holes, joined edges, another leaper, ends, symmetries; some of them have no tour.
pub(crate) fn tour_questions() -> Vec<Tourable> {
    let ring = board("3x3").without([square("b2")]).unwrap();
    let cross = board("4x4").without(["a1", "d1", "a4", "d4"].map(square)).unwrap();
    let wazir = Leaper::new(0, 1).unwrap();
    let open = |size: &str| TourProblem::open(board(size));
    let questions = [
        open("3x4"),
        open("3x4").starting_at(square("a1")),
        open("3x4").ending_at(square("c4")),
        open("3x4").starting_at(square("a1")).ending_at(square("b4")),
        open("3x4").starting_at(square("a1")).ending_at(square("c4")),
        open("4x5"),
        open("5x4").starting_at(square("a1")),
        open("5x5").starting_at(square("c3")),
        TourProblem::open(ring.clone()),
        TourProblem::closed(ring.clone()),
        TourProblem::closed(ring).starting_at(square("a1")).ending_at(square("b3")),
        TourProblem::closed(cross),
        TourProblem::closed(board("3x4").wrapped(Wrap::Files)),
        open("3x3").with_leaper(wazir),
        TourProblem::closed(board("4x4")).with_leaper(wazir),
        open("3x4").with_symmetry(TourSymmetry::HalfTurn),
        TourProblem::closed(board("4x4")).with_leaper(wazir).with_symmetry(TourSymmetry::Mirror),
        TourProblem::closed(board("3x4")),
        open("3x5"),
    ];
    let with_tours = |question: TourProblem| {
        let tours = all_tours(&question);
        Tourable { question, tours }
    };
    questions.map(with_tours).into_iter().collect()
}

pub(crate) fn capture_questions() -> Vec<(CaptureProblem, Option<u64>)> {
    let question = |size: &str, start: &str, targets: &str| {
        let targets = targets.split_whitespace().map(square).collect();
        let problem = CaptureProblem { board: board(size), start: square(start), targets };
        let fewest = fewest_captures(&problem);
        (problem, fewest)
    };
    vec![
        question("3x4", "a1", "c2"),
        question("4x4", "a1", "b1 d4 c2"),
        question("5x5", "c3", "a1 e1 a5 e5"),
        question("5x5", "a1", "b2 c3 d4 e5 a5"),
        question("6x3", "a1", "f3 f1 a3"),
        question("5x5", "a1", ""),
        question("3x3", "a1", "b2"),
    ]
}

/// A puzzle with the fewest moves or runs and how many plans have so few, and how far every position is.
pub(crate) struct Swapable {
    pub(crate) problem: SwapProblem,
    pub(crate) fewest: Option<(u64, u128)>,
    pub(crate) distances: HashMap<Placement, u64>,
}

pub(crate) fn swap_questions() -> Vec<Swapable> {
    let question = |from: &str, to: &str, change: &dyn Fn(&mut SwapProblem)| {
        let setups = [from, to].map(|fen| fen.parse().unwrap());
        let mut problem = SwapProblem::between(&setups[0], &setups[1]).unwrap();
        change(&mut problem);
        let positions = all_positions(&problem);
        let fewest = fewest_swaps(&problem, &positions);
        let mut distances = HashMap::new();
        for ((knights, _), (cost, _)) in positions {
            let known = distances.entry(knights).or_insert(cost);
            *known = cost.min(*known);
        }
        Swapable { problem, fewest, distances }
    };
    let plain = &|_: &mut SwapProblem| {};
    vec![
        question("n1n/3/N1N", "N1N/3/n1n", plain),
        question("N2/3/3", "3/3/1N1", plain),
        question("nn1/3/1NN", "NN1/3/1nn", plain),
        question("A1b/3/3/1C1", "b1A/3/3/1C1", plain),
        question("nnn/3/3/NNN", "NNN/3/3/nnn", plain),
        question("n2/3/2N/3", "N2/3/2?/3", plain),
        question("n1n/3/N1N", "N1N/3/n1n", &|p| p.rules.metric = Metric::Runs),
        question("n1n/3/N1N", "N1N/3/n1n", &|p| p.rules.alternate = Some(Side::White)),
        question("n2/3/3/2N", "N2/3/3/2n", &|p| p.rules.peaceful = true),
        question("A1B/3/C1D", "C1D/3/B1A", plain),
        question("A1B/3/2C", "B1A/3/2C", plain),
    ]
}

/// All reasons that can be made up against tours and captures; for swaps, one for each theorem that the checker knows.
pub(crate) const REASONS: [Reason; 8] = [
    Reason::Colours,
    Reason::EndColours,
    Reason::DeadEnds,
    Reason::Cut,
    Reason::Unreachable,
    Reason::Schwenk,
    Reason::Theorem("forced jumps"),
    Reason::Exhausted,
];
pub(crate) const THEOREMS: [&str; 8] =
    ["parts", "full", "path", "ring", "parity (Wilson 1974)", "regions", "wheel", "open squares"];

/// Lies, and then a denial for each reason.
pub(crate) fn lies(plain: &[Lie], reasons: &[Reason]) -> Vec<Lie> {
    plain.iter().copied().chain(reasons.iter().map(|&reason| Lie::NoSolution(reason))).collect()
}

/// One who may lie: what is asked of it, its name, its lies, and how to ask it the questions of the battery.
pub(crate) struct Witness<'b> {
    pub(crate) act: &'static str,
    pub(crate) method: &'static str,
    pub(crate) lies: Vec<Lie>,
    pub(crate) ask: Vec<Box<dyn Fn() -> Seen + 'b>>,
}

/// The battery's questions with their answers.
pub(crate) struct Battery {
    pub(crate) tours: Vec<Tourable>,
    pub(crate) captures: Vec<(CaptureProblem, Option<u64>)>,
    pub(crate) swaps: Vec<Swapable>,
}

pub(crate) static BATTERY: LazyLock<Battery> = LazyLock::new(|| Battery {
    tours: tour_questions(),
    captures: capture_questions(),
    swaps: swap_questions(),
});

impl Battery {
    fn about_tours<'b>(
        &'b self,
        act: &'static str,
        method: &'static str,
        lies: Vec<Lie>,
        ask: impl Fn(&'b Tourable) -> Seen + Copy + 'b,
    ) -> Witness<'b> {
        let ask =
            self.tours.iter().map(|asked| Box::new(move || ask(asked)) as Box<dyn Fn() -> Seen>);
        Witness { act, method, lies, ask: ask.collect() }
    }

    fn about_swaps<'b>(
        &'b self,
        act: &'static str,
        method: &'static str,
        lies: Vec<Lie>,
        ask: impl Fn(&'b Swapable) -> Seen + Copy + 'b,
    ) -> Witness<'b> {
        let ask =
            self.swaps.iter().map(|asked| Box::new(move || ask(asked)) as Box<dyn Fn() -> Seen>);
        Witness { act, method, lies, ask: ask.collect() }
    }

    /// Everyone who answers, with every lie that can be told there.
    #[expect(clippy::too_many_lines, reason = "a list")]
    pub(crate) fn witnesses(&self) -> Vec<Witness<'_>> {
        let mut witnesses = Vec::new();
        let of_tours = lies(&[Lie::Spoiled, Lie::BoundAboveCost], &REASONS);
        let cost = |asked: &Tourable| {
            let closed = asked.question.shape == Shape::Closed;
            let jumps = asked.question.board.len() - u64::from(!closed);
            (!asked.tours.is_empty()).then_some(jumps)
        };
        for &method in TourMethod::ALL {
            let ask = move |asked: &Tourable| {
                judge(asked.question.solve_by(method, &options()), cost(asked))
            };
            witnesses.push(self.about_tours("tour", method.name(), of_tours.clone(), ask));
        }
        for &method in TourMethod::ALL {
            let ask = move |asked: &Tourable| {
                judge(asked.question.trace(method, &options(), &mut Silent), cost(asked))
            };
            if !matches!(method, TourMethod::Compose | TourMethod::Search | TourMethod::Race(_)) {
                witnesses.push(self.about_tours("trace", method.name(), of_tours.clone(), ask));
            }
        }
        let too_long = [
            Lie::Spoiled,
            Lie::TooLong,
            Lie::TooLongBySearch,
            Lie::TooLongByBound,
            Lie::BoundAboveCost,
            Lie::BoundOfStoppedRun,
        ];
        for &method in CaptureMethod::ALL {
            let ask = self.captures.iter().map(move |(problem, fewest)| {
                Box::new(move || judge(problem.solve_by(method, &options()), *fewest))
                    as Box<dyn Fn() -> Seen>
            });
            let (act, lies) = ("capture", lies(&too_long, &REASONS));
            witnesses.push(Witness { act, method: method.name(), lies, ask: ask.collect() });
        }
        let theorems: Vec<Reason> = THEOREMS.map(Reason::Theorem).into();
        let of_swaps = [&REASONS[..], &theorems].concat();
        for &method in SwapMethod::ALL {
            let ask = move |asked: &Swapable| {
                let fewest = asked.fewest.map(|(cost, _)| cost);
                judge(asked.problem.solve_by(method, &options()), fewest)
            };
            let mut lies = lies(&too_long, &of_swaps);
            // It claims nothing, so there is no claim of its own to be stretched.
            lies.retain(|&lie| {
                lie != Lie::TooLong
                    || !matches!(method, SwapMethod::BestFirst(_) | SwapMethod::HillClimbing)
            });
            witnesses.push(self.about_swaps("swap", method.name(), lies, ask));
        }
        for &method in CountMethod::ALL {
            let ask = move |asked: &Tourable| {
                judge_count(asked.question.count_by(method, &options()), asked.tours.len())
            };
            let lies = lies(&[Lie::OneTooLow], &REASONS);
            witnesses.push(self.about_tours("count", method.name(), lies, ask));
        }
        for &method in CountMethod::ALL {
            let ask = move |asked: &Tourable| judge_starts(method, asked);
            witnesses.push(self.about_tours("by start", method.name(), vec![Lie::OneTooLow], ask));
        }
        for &method in ListMethod::ALL {
            let ask = move |asked: &Tourable| judge_enumeration(method, asked);
            let lies = lies(&[Lie::Spoiled, Lie::LeftOut, Lie::Twice, Lie::OneTooLow], &REASONS);
            witnesses.push(self.about_tours("list", method.name(), lies, ask));
        }
        let of_lists = vec![Lie::Spoiled, Lie::LeftOut, Lie::Twice, Lie::OneTooLow];
        witnesses.extend([
            self.about_tours("census", "census", of_lists, judge_census),
            self.about_tours("classes", "classes", vec![Lie::OneTooLow], judge_classes),
            self.about_tours("fixed tours", "fixed tours", vec![Lie::OneTooLow], judge_classes),
            self.about_tours(
                "symmetric classes",
                "symmetric classes",
                vec![Lie::OneTooLow],
                judge_symmetric_classes,
            ),
            self.about_tours(
                "itinerary",
                "compose",
                lies(&[Lie::Spoiled], &REASONS),
                judge_itinerary,
            ),
            self.about_tours("stream", "compose", vec![Lie::Spoiled], judge_stream),
            self.about_tours("estimate", "middle", lies(&[], &REASONS), judge_estimate),
            Witness {
                act: "series",
                method: "transfer",
                lies: vec![Lie::OneTooLow],
                ask: vec![Box::new(|| judge_series(Shape::Open))],
            },
            self.about_swaps(
                "shortest plans",
                "auto",
                lies(
                    &[Lie::Spoiled, Lie::TooLong, Lie::LeftOut, Lie::Twice, Lie::OneTooLow],
                    &of_swaps,
                ),
                judge_plans,
            ),
            self.about_swaps(
                "eccentricity",
                "eccentricity",
                lies(&[Lie::Spoiled, Lie::LeftOut, Lie::OneTooLow], &of_swaps),
                judge_eccentricity,
            ),
        ]);
        witnesses
    }
}
