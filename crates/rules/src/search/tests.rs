//! The search on graphs made for it, and what it costs.

use std::cell::Cell;

use super::*;

/// Numbers, each a step from a hundred others, at a cost or not.
struct Wide {
    costs: bool,
    shown: Cell<usize>,
}

impl Positions for Wide {
    type Position = usize;

    fn starts(&self) -> Vec<usize> {
        vec![0]
    }

    fn is_goal(&self, _: &usize) -> bool {
        false
    }

    fn at_least(&self, position: &usize) -> u64 {
        u64::from(position % 2 == 1) * 1000
    }

    fn steps(&self, from: &usize, mut show: impl FnMut(usize, bool)) {
        for to in 1..=100 {
            self.shown.set(self.shown.get() + 1);
            show(from * 100 + to, self.costs);
        }
    }
}

#[test]
fn all_that_is_kept_counts_and_so_do_the_steps() {
    for costs in [true, false] {
        // Half of what a position leads to is too far from a goal to be kept.
        for (below, positions, shown) in
            [(50, 50, 100), (50, 51, 200), (50, 100, 200), (50, 101, 300), (5000, 100, 100)]
        {
            let graph = Wide { costs, shown: Cell::new(0) };
            let budget = Budget::default().searching(positions);
            assert_eq!(seek(&graph, below, &budget), Sought::Unfinished);
            assert_eq!(graph.shown.get(), shown, "{positions} positions, costs: {costs}");
            assert!(budget.stopped().is_none());
        }
    }
    // A ring of a thousand positions in which each has a hundred steps: too many steps.
    let graph = Ring { shown: Cell::new(0) };
    assert_eq!(seek(&graph, 5000, &Budget::default().searching(2000)), Sought::Unfinished);
    assert_eq!(graph.shown.get(), 2000 * STEPS_OUT + 100);
    assert_eq!(seek(&graph, 5000, &Budget::default().searching(7000)), Sought::Nothing);
}

/// Each position leads to the next, at a cost or not, and the last to itself; each has its bound.
struct Chain {
    at_least: Vec<u64>,
    costs: Vec<bool>,
    entered: Cell<usize>,
}

impl Positions for Chain {
    type Position = usize;

    fn starts(&self) -> Vec<usize> {
        vec![0]
    }

    fn is_goal(&self, _: &usize) -> bool {
        false
    }

    fn at_least(&self, position: &usize) -> u64 {
        self.at_least[*position]
    }

    fn steps(&self, from: &usize, mut show: impl FnMut(usize, bool)) {
        self.entered.set(self.entered.get() + 1);
        show((from + 1).min(self.costs.len()), self.costs.get(*from) == Some(&true));
    }
}

#[test]
fn a_position_is_entered_exactly_if_its_cost_and_what_is_left_are_below() {
    for code in 0..5 * 5 * 5 * 4 {
        let at_least = vec![code % 5, code / 5 % 5, code / 25 % 5];
        let costs = vec![code / 125 % 2 == 1, code / 250 == 1];
        let so_far = [0, u64::from(costs[0]), u64::from(costs[0]) + u64::from(costs[1])];
        for below in 0..8 {
            let graph =
                Chain { at_least: at_least.clone(), costs: costs.clone(), entered: Cell::new(0) };
            let budget = Budget::default().searching(10);
            assert_eq!(seek(&graph, below, &budget), Sought::Nothing);
            let entered = (0..3).take_while(|&at| so_far[at] + at_least[at] < below).count();
            assert_eq!(graph.entered.get(), entered, "{at_least:?} {costs:?} {below}");
        }
    }
}

#[test]
fn a_position_and_each_step_from_it_take_256_steps_of_the_budget() {
    // Two for each position; the caller is asked after 256.
    for (positions, times) in [(127, 0), (128, 1), (255, 1), (256, 2)] {
        let graph = Chain {
            at_least: vec![0; positions],
            costs: vec![true; positions - 1],
            entered: Cell::new(0),
        };
        let asked = Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            false
        };
        let budget = Budget::new(u64::MAX, &stop).searching(1000);
        assert_eq!(seek(&graph, u64::MAX, &budget), Sought::Nothing);
        assert_eq!((graph.entered.get(), asked.get()), (positions, times));
    }
}

#[test]
fn distances_are_those_of_the_board() {
    for size in ["3x3", "4x5", "2x7", "6x6"] {
        let board: Board = size.parse().unwrap();
        let net = Net::new(&board, Leaper::KNIGHT).unwrap();
        for (to, &square) in net.squares.iter().enumerate() {
            for (from, &far) in net.distances([to].into_iter()).iter().enumerate() {
                let jumps = board.distance(Leaper::KNIGHT, net.squares[from], square);
                assert_eq!(far, jumps.unwrap_or(FAR), "{size}");
            }
        }
    }
}

#[test]
fn a_count_takes_as_many_positions_as_there_are() {
    for size in ["3x3", "3x4", "2x5"] {
        let problem = TourProblem::open(size.parse().unwrap());
        let positions = TourPositions::new(&problem).unwrap();
        let mut all: HashSet<Walk> = HashSet::new();
        let mut waiting = positions.starts();
        while let Some(walk) = waiting.pop() {
            if all.insert(walk) {
                positions.steps(&walk, |to, _| waiting.push(to));
            }
        }
        let within = |most| count(&problem, &Budget::default().searching(most));
        assert!(within(all.len()).is_some(), "{size}");
        assert!(within(all.len() - 1).is_none(), "{size}");
    }
}

#[test]
fn tours_are_listed_only_where_there_are_some_and_a_symmetry_is_asked_for() {
    let asked = |problem: &TourProblem| {
        let times = Cell::new(0);
        let stop = || {
            times.set(times.get() + 1);
            false
        };
        let sought = tour(problem, &Budget::new(u64::MAX, &stop).searching(100_000));
        (sought, times.get())
    };
    let none = TourProblem::open("4x4".parse().unwrap());
    let symmetric = none.clone().with_symmetry(crate::tour::TourSymmetry::HalfTurn);
    assert_eq!(asked(&none).0, Sought::Nothing);
    assert_eq!(asked(&symmetric), asked(&none));
}

struct Ring {
    shown: Cell<usize>,
}

impl Positions for Ring {
    type Position = usize;

    fn starts(&self) -> Vec<usize> {
        vec![0]
    }

    fn is_goal(&self, _: &usize) -> bool {
        false
    }

    fn at_least(&self, _: &usize) -> u64 {
        0
    }

    fn steps(&self, from: &usize, mut show: impl FnMut(usize, bool)) {
        for to in 1..=100 {
            self.shown.set(self.shown.get() + 1);
            show((from + to) % 1000, true);
        }
    }
}
