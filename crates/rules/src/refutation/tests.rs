//! The parts of a proof's check against brute force: trees by all trees, charges by their definition.

use std::collections::BTreeSet;

use super::table::{MOST_SQUARES, MOST_STOPS, MOST_VISITS, is_too_large};
use super::*;
use crate::board::Board;
use crate::fault::Fault;
use crate::leaper::{Leaper, Wrap};
use crate::puzzle::Puzzle;
use crate::square::Square;

fn problem(fen: &str) -> CaptureProblem {
    fen.parse::<Puzzle>().unwrap().problem
}

/// Numbers that look random and are the same everywhere.
struct Random(u64);

impl Random {
    fn roll(&mut self, below: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % below
    }
}

fn random_table(stops: usize, random: &mut Random) -> Table {
    let mut distance = vec![0; stops * stops];
    for u in 0..stops {
        for v in 0..u {
            let far = u16::try_from(1 + random.roll(9)).unwrap();
            distance[u * stops + v] = far;
            distance[v * stops + u] = far;
        }
    }
    Table { stops, distance }
}

/// Every spanning tree of five stops, by its Prüfer code.
fn all_trees() -> impl Iterator<Item = Vec<(usize, usize)>> {
    (0..125_usize).map(|code| {
        let code = [code % 5, code / 5 % 5, code / 25];
        let mut degree = [1; 5];
        for v in code {
            degree[v] += 1;
        }
        let mut tree = Vec::new();
        for v in code {
            let leaf = (0..5).find(|&leaf| degree[leaf] == 1).unwrap();
            tree.push((leaf.min(v), leaf.max(v)));
            degree[leaf] -= 1;
            degree[v] -= 1;
        }
        let last: Vec<usize> = (0..5).filter(|&v| degree[v] == 1).collect();
        tree.push((last[0], last[1]));
        tree
    })
}

#[test]
fn distances_are_those_of_the_board() {
    for fen in ["p4/2#2/N3p/1p3/5", "N2p/4/p3/#3/3p", "p1p/3/N1p", "p4p/6/N5"] {
        let problem = problem(fen);
        let table = Table::new(&problem, &Budget::default()).unwrap();
        let stops: Vec<Square> =
            std::iter::once(problem.start).chain(problem.targets.iter().copied()).collect();
        assert_eq!(table.stops, stops.len());
        for (u, &from) in stops.iter().enumerate() {
            for (v, &to) in stops.iter().enumerate() {
                let jumps = problem.board.distance(Leaper::KNIGHT, from, to).unwrap();
                assert_eq!(u64::from(table.distance(u, v)), jumps, "{fen}: {from} to {to}");
            }
        }
    }
    assert!(
        Table::new(&problem("p2/1N1/3"), &Budget::default()).is_err(),
        "the middle of 3x3 has no jumps"
    );
}

/// As many stops as squares: searches of one word, of several, and of several passes.
#[test]
fn distances_of_many_stops_are_those_of_the_board() {
    for (side, wrap) in [(8, Wrap::None), (9, Wrap::Files), (17, Wrap::None), (17, Wrap::Both)] {
        let holes = [Square::new(1, 2), Square::new(4, 3)];
        let board = Board::new(side, side).unwrap().without(holes).unwrap().wrapped(wrap);
        let mut targets: BTreeSet<Square> = board.squares().collect();
        let start = targets.pop_last().unwrap();
        let problem = CaptureProblem { board, start, targets };
        let table = Table::new(&problem, &Budget::default()).unwrap();
        let stops: Vec<Square> =
            std::iter::once(start).chain(problem.targets.iter().copied()).collect();
        assert_eq!(stops.len() > 256, side > 16);
        for (u, &from) in stops.iter().enumerate().step_by(23) {
            for (v, &to) in stops.iter().enumerate() {
                let jumps = problem.board.distance(Leaper::KNIGHT, from, to).unwrap();
                assert_eq!(u64::from(table.distance(u, v)), jumps, "{from} to {to}");
                assert_eq!(table.distance(u, v), table.distance(v, u));
            }
        }
    }
}

#[test]
fn an_ending_with_potentials_of_its_own_has_its_own_tree() {
    let mut random = Random(5);
    for _ in 0..20 {
        let table = random_table(6, &mut random);
        let mut last = None;
        let parts: Vec<EndingRefutation> = (0..6)
            .map(|part| EndingRefutation {
                potentials: (0..6).map(|v| (part / 2 * v * 700) % 1900).collect(),
                ..zeros(Length::Any, 6)
            })
            .collect();
        for part in &parts {
            let target = Tree::new(&table, &part.potentials).bound(&[2, 4], &part.potentials);
            for (target, holds) in [(target - 1, true), (target + 1, false)] {
                let target = target.div_euclid(TREE_UNIT) + i64::from(!holds);
                let budget = Budget::default();
                let checked = check_ending(&table, &[2, 4], target, part, &mut last, &budget);
                assert_eq!(checked.is_ok(), holds);
            }
        }
    }
}

#[test]
fn distances_beyond_sixteen_bits_are_refused_and_do_not_hang() {
    let board = Board::new(3, 140_000).unwrap();
    let targets = [Square::new(2, 139_999)].into();
    let problem = CaptureProblem { board, start: Square::new(0, 0), targets };
    assert!(Table::new(&problem, &Budget::default()).is_err());
}

#[test]
fn what_would_take_too_long_is_refused_before_it_begins() {
    assert!(!is_too_large(MOST_STOPS, 1 << 20));
    assert!(is_too_large(MOST_STOPS + 1, 1));
    assert!(!is_too_large(2048, MOST_SQUARES));
    assert!(is_too_large(2049, MOST_SQUARES));
    assert!(is_too_large(2, MOST_SQUARES + 1));
    assert_eq!((MOST_SQUARES, MOST_VISITS, MOST_STOPS), (8_388_608, 17_179_869_184, 16_384));
    assert_eq!((MOST_EDGES, MOST_CHARGES), (4_194_304, 274_877_906_944));
    assert_eq!((TREE_UNIT, TARIFF_UNIT, MOST), (1_024, 1_048_576, 1_099_511_627_776));
    let huge = CaptureProblem {
        board: Board::new(1 << 20, 1 << 20).unwrap(),
        start: Square::new(0, 0),
        targets: [Square::new(1, 2)].into(),
    };
    let budget = Budget::default();
    assert!(Table::new(&huge, &budget).is_err());
    assert!(budget.stopped().unwrap().is_unfinished(), "nothing is known to be wrong");
}

#[test]
fn the_bound_of_the_tree_is_that_of_the_best_of_all_trees() {
    let mut random = Random(1);
    for _ in 0..40 {
        let table = random_table(5, &mut random);
        let potentials: Vec<i64> =
            (0..5).map(|_| random.roll(6 * TREE_UNIT) - 2 * TREE_UNIT).collect();
        let charge = |&(u, v): &(usize, usize)| {
            i64::from(table.distance(u, v)) * TREE_UNIT - potentials[u] - potentials[v]
        };
        let weight = |tree: &[(usize, usize)]| tree.iter().map(charge).sum::<i64>();
        let least = all_trees().map(|tree| weight(&tree)).min().unwrap();
        let ends = [1, 3];
        let end = potentials[1].max(potentials[3]);
        let sum: i64 = potentials.iter().sum();
        let tree = Tree::new(&table, &potentials);
        let (bound, tree) = (tree.bound(&ends, &potentials), tree.edges);
        assert_eq!(bound, least + 2 * sum - potentials[0] - end);
        assert_eq!((tree.len(), weight(&tree)), (4, least));
        // An edge is possible when some tree with it is not too dear.
        for slack in [0, 1, TREE_UNIT, 3 * TREE_UNIT, 20 * TREE_UNIT] {
            let edges =
                possible_edges(&table, &potentials, &tree, slack, 10, &Budget::default()).unwrap();
            let found: BTreeSet<(usize, usize)> = edges.iter().map(|e| (e.u, e.v)).collect();
            assert_eq!(found.len(), edges.len(), "an edge comes once");
            for u in 0..5 {
                for v in u + 1..5 {
                    let with = all_trees().filter(|tree| tree.contains(&(u, v)));
                    let dearer = with.map(|tree| weight(&tree)).min().unwrap() - least;
                    assert_eq!(found.contains(&(u, v)), dearer <= slack);
                }
            }
            assert!(edges.iter().all(|e| e.cost == i64::from(table.distance(e.u, e.v))));
            assert!(edges.iter().all(|e| e.case == Case::Open));
            let fewer = possible_edges(
                &table,
                &potentials,
                &tree,
                slack,
                edges.len() - 1,
                &Budget::default(),
            );
            assert!(fewer.is_err());
        }
    }
}

#[test]
fn a_tariff_charges_what_it_says() {
    let mut random = Random(2);
    let cuts = vec![vec![vec![0, 1]], vec![vec![0, 1, 2], vec![0, 3], vec![1, 4], vec![2, 5]]];
    let cuts = Cuts { nodes: 6, sets: &cuts, demands: vec![2, 10] };
    for round in 0..60 {
        let mut edges = Vec::new();
        for u in 0..6 {
            for v in u + 1..6 {
                let case = match random.roll(4) {
                    0 => Case::Used,
                    1 => Case::Unused,
                    _ => Case::Open,
                };
                edges.push(Edge { u, v, cost: random.roll(7), case });
            }
        }
        let edges = Edges::new(edges, 6);
        let potentials: Vec<i64> = (0..6).map(|_| random.roll(1 << 22) - (1 << 20)).collect();
        let weights = vec![(0, random.roll(1 << 20) * (round % 3)), (1, random.roll(1 << 20))];
        let tariff = Tariff { potentials: potentials.clone(), weights: weights.clone() };
        let (bound, charges) = cuts.charge(&edges, &tariff, &Budget::default()).unwrap();
        let mut expected: i128 = potentials.iter().map(|&p| 2 * i128::from(p)).sum();
        expected += i128::from(weights[0].1) * 2 + i128::from(weights[1].1) * 10;
        for (edge, &found) in edges.list.iter().zip(&charges) {
            let mut charge = edge.cost * 1_048_576 - potentials[edge.u] - potentials[edge.v];
            for &(cut, weight) in &weights {
                for set in &cuts.sets[cut as usize] {
                    let inside = |v: usize| set.contains(&u32::try_from(v).unwrap());
                    if inside(edge.u) != inside(edge.v) {
                        charge -= weight;
                    }
                }
            }
            assert_eq!(found, charge);
            expected += i128::from(match edge.case {
                Case::Open => charge.min(0),
                Case::Used => charge,
                Case::Unused => 0,
            });
        }
        assert_eq!(bound, expected);
    }
}

#[test]
fn a_tariff_out_of_bounds_is_refused() {
    let sets = vec![vec![vec![0]]];
    let cuts = Cuts::new(&sets, 3, &Budget::default()).unwrap();
    let edges = Edges::new(vec![Edge { u: 0, v: 1, cost: 1, case: Case::Open }], 3);
    let asked = |potentials: &[i64], weights: &[(u32, i64)]| {
        let tariff = Tariff { potentials: potentials.to_vec(), weights: weights.to_vec() };
        cuts.charge(&edges, &tariff, &Budget::default()).map(|(bound, _)| bound)
    };
    assert_eq!(asked(&[0, 0, 0], &[]), Ok(0));
    assert_eq!(
        asked(&[0, 0, 0], &[(0, MOST)]).unwrap(),
        i128::from(MOST) + i128::from(TARIFF_UNIT)
    );
    assert_eq!(asked(&[MOST, -MOST, 0], &[]), Ok(0));
    for (potentials, weights) in [
        (&[0, 0][..], &[][..]),
        (&[0, 0, 0, 0], &[]),
        (&[MOST + 1, 0, 0], &[]),
        (&[0, -MOST - 1, 0], &[]),
        (&[i64::MIN, 0, 0], &[]),
        (&[0, 0, 0], &[(1, 1)]),
        (&[0, 0, 0], &[(0, -1)]),
        (&[0, 0, 0], &[(0, MOST + 1)]),
    ] {
        assert!(asked(potentials, weights).is_err(), "{potentials:?} {weights:?}");
    }
    // Many large weights come to a sum that no charge can hold.
    let many = 1 << 22;
    assert!(asked(&[0, 0, 0], &vec![(0, MOST); many]).is_ok());
    assert!(asked(&[0, 0, 0], &vec![(0, MOST); many + 1]).is_err());
}

#[test]
fn a_comb_demands_what_every_round_trip_pays() {
    let sound: [(&[&[u32]], i128); 9] = [
        (&[&[0]], 2),
        (&[&[0, 1, 2]], 2),
        (&[&[0, 1], &[1, 2]], 4),
        (&[&[0, 1, 2], &[0, 3], &[1, 4], &[2, 5]], 10),
        (&[&[0, 1, 2, 3, 4], &[0, 5], &[1, 6], &[2, 7], &[3, 8], &[4, 9]], 16),
        // Not quite combs: an even number of teeth, teeth that share a stop, teeth outside and within the handle.
        (&[&[0, 1, 2], &[0, 3], &[1, 4]], 6),
        (&[&[0, 1, 2], &[0, 3], &[1, 3], &[2, 5]], 10),
        (&[&[0, 1, 2], &[0, 3], &[1, 4], &[5]], 8),
        (&[&[0, 1, 2], &[0, 3], &[1, 4], &[2]], 8),
    ];
    for (sets, crossings) in sound {
        let cut: Vec<Vec<u32>> = sets.iter().map(|set| set.to_vec()).collect();
        assert_eq!(demand(&cut, 11, &Budget::default()), Ok(crossings), "{sets:?}");
    }
    let false_ones: [&[&[u32]]; 7] = [
        &[],
        &[&[0, 1, 1, 2]],
        &[&[0, 1, 2], &[0, 3], &[1, 4], &[2, 5, 2]],
        &[&[]],
        &[&[0, 1, 2, 3, 4, 5]],
        &[&[6]],
        &[&[0, 1], &[1, 7]],
    ];
    for sets in false_ones {
        let cut: Vec<Vec<u32>> = sets.iter().map(|set| set.to_vec()).collect();
        assert!(demand(&cut, 6, &Budget::default()).is_err(), "{sets:?}");
    }
    assert!(demand(&[vec![0, 1], vec![]], 6, &Budget::default()).is_err());
}

/// The fewest crossings of all round trips, by trying them.
fn fewest_crossings(cut: &[Vec<u32>], nodes: u32) -> i128 {
    let crossings = |u: u32, v: u32| -> i128 {
        cut.iter().map(|set| i128::from(set.contains(&u) != set.contains(&v))).sum()
    };
    let distances = (0..nodes).map(|u| (0..nodes).map(|v| crossings(u, v)).collect()).collect();
    fewest_below(&distances, 0, &(1..nodes as usize).collect::<Vec<_>>())
}

/// The shortest way from a stop through those left to the first, by all orders.
fn fewest_below(distances: &Vec<Vec<i128>>, at: usize, left: &[usize]) -> i128 {
    let ways = left.iter().map(|&next| {
        let rest: Vec<usize> = left.iter().copied().filter(|&v| v != next).collect();
        distances[at][next] + fewest_below(distances, next, &rest)
    });
    ways.min().unwrap_or(distances[at][0])
}

#[test]
fn any_sets_demand_what_the_cheapest_of_all_round_trips_pays() {
    let mut random = Random(31);
    let mut unlike_pairs = 0;
    for _ in 0..200 {
        let nodes = 4 + u32::try_from(random.roll(4)).expect("it is below 4");
        let some = |random: &mut Random| loop {
            let set: Vec<u32> = (0..nodes).filter(|_| random.roll(2) == 0).collect();
            if !set.is_empty() && set.len() < nodes as usize {
                return set;
            }
        };
        let mut cut: Vec<Vec<u32>> = (0..=random.roll(6)).map(|_| some(&mut random)).collect();
        cut.push(cut[0].clone()); // a set may count twice
        let fewest = fewest_crossings(&cut, nodes);
        assert_eq!(demand(&cut, nodes as usize, &Budget::default()), Ok(fewest), "{cut:?}");
        unlike_pairs += usize::from(fewest > 2 * cut.len() as i128);
    }
    assert!(unlike_pairs > 20, "not only sums of subtours: {unlike_pairs}");
}

#[test]
fn sets_that_make_too_many_parts_are_refused() {
    let singles = |count: u32| (0..count).map(|v| vec![v]).collect::<Vec<_>>();
    assert_eq!(demand(&singles(12), 50, &Budget::default()), Ok(24));
    let why = "a cut that is no comb divides the stops into more than 13 parts";
    assert_eq!(demand(&singles(13), 50, &Budget::default()), Err(why.to_owned()));
    // A comb may have as many teeth as it likes.
    let teeth = (0..15).map(|t| vec![t, 15 + t]);
    let comb: Vec<Vec<u32>> = std::iter::once((0..15).collect()).chain(teeth).collect();
    assert_eq!(demand(&comb, 50, &Budget::default()), Ok(46));
}

#[test]
fn a_tour_of_parts_is_paid_for_before_it_is_sought() {
    let sets: Vec<Vec<u32>> = (0..12).map(|v| vec![v]).collect();
    let taken = 8 * (50 + 12) + 13 * 13 * (12 + (1 << 13));
    assert!(demand(&sets, 50, &Budget::new(taken, &|| false)).is_ok());
    assert!(demand(&sets, 50, &Budget::new(taken - 1, &|| false)).is_err());
}

fn zeros(length: Length, stops: usize) -> EndingRefutation {
    EndingRefutation {
        length,
        potentials: vec![0; stops],
        cuts: Vec::new(),
        sieves: Vec::new(),
        steps: Vec::new(),
    }
}

#[test]
fn one_piece_is_as_far_as_it_is_and_no_farther() {
    let a1 = Square::new(0, 0);
    for (wrap, size) in [(Wrap::None, 8), (Wrap::Both, 9)] {
        let board = Board::new(size, size).unwrap().wrapped(wrap);
        for target in board.squares().filter(|&square| square != a1) {
            let far = board.distance(Leaper::KNIGHT, a1, target).unwrap();
            let problem =
                CaptureProblem { board: board.clone(), start: a1, targets: [target].into() };
            let proof = Refutation {
                endings: [Length::Even, Length::Odd, Length::Any].map(|l| zeros(l, 2)).to_vec(),
            };
            for bound in 0..=far + 3 {
                assert_eq!(
                    check(&problem, bound, &proof, &Budget::default()).is_ok(),
                    bound <= far,
                    "{target} {bound}"
                );
            }
            assert!(check(&problem, u64::MAX, &proof, &Budget::default()).is_err());
            let none = Refutation { endings: Vec::new() };
            assert!(check(&problem, 1, &none, &Budget::default()).is_err(), "a part is missing");
            let short =
                Refutation { endings: [Length::Even, Length::Odd].map(|l| zeros(l, 1)).to_vec() };
            assert!(
                check(&problem, 1, &short, &Budget::default()).is_err(),
                "a potential is missing"
            );
        }
    }
}

#[test]
fn each_kind_of_length_needs_its_part() {
    let both = problem("p2/2p/N2");
    let kinds = |table: &Table| table.endings();
    let table = Table::new(&both, &Budget::default()).unwrap();
    let odd = table.distance(0, 1) % 2 == 1;
    let (odd_stop, even_stop) = if odd { (1, 2) } else { (2, 1) };
    assert_eq!(kinds(&table), [(Length::Even, vec![even_stop]), (Length::Odd, vec![odd_stop])]);
    let proof = |lengths: &[Length]| Refutation {
        endings: lengths.iter().map(|&length| zeros(length, 3)).collect(),
    };
    assert!(check(&both, 2, &proof(&[Length::Even, Length::Odd]), &Budget::default()).is_ok());
    assert!(check(&both, 2, &proof(&[Length::Even]), &Budget::default()).is_err());
    assert!(check(&both, 2, &proof(&[Length::Odd]), &Budget::default()).is_err());
    assert!(check(&both, 2, &proof(&[Length::Any]), &Budget::default()).is_err());
    // A torus of odd sides has no colours.
    let mut torus = both;
    torus.board = Board::new(5, 5).unwrap().wrapped(Wrap::Both);
    torus.targets = torus.board.squares().filter(|&square| square != torus.start).collect();
    let table = Table::new(&torus, &Budget::default()).unwrap();
    assert_eq!(kinds(&table), [(Length::Any, (1..25).collect::<Vec<_>>())]);
}

#[test]
fn without_colours_a_bound_is_what_it_says() {
    let board = Board::new(5, 5).unwrap().wrapped(Wrap::Both);
    let start = Square::new(0, 0);
    let squares: Vec<Square> = board.squares().filter(|&square| square != start).collect();
    let mut met = 0;
    for (k, &one) in squares.iter().enumerate() {
        for &other in &squares[..k] {
            let problem =
                CaptureProblem { board: board.clone(), start, targets: [one, other].into() };
            let table = Table::new(&problem, &Budget::default()).unwrap();
            let (first, second, between) =
                (table.distance(0, 1), table.distance(0, 2), table.distance(1, 2));
            // An odd round has no colours; the tree is a shortest plan when it has the edge between the pieces.
            if (first + second + between) % 2 == 0 || between > first.max(second) {
                continue;
            }
            met += 1;
            let fewest = u64::from(first.min(second) + between);
            let proof = Refutation { endings: vec![zeros(Length::Any, 3)] };
            for bound in 0..fewest + 3 {
                assert_eq!(
                    check(&problem, bound, &proof, &Budget::default()).is_ok(),
                    bound <= fewest
                );
            }
        }
    }
    assert!(met > 10, "{met} such boards were met");
}

#[test]
fn without_pieces_nothing_is_needed() {
    let empty = problem("3/3/N2");
    let proof = Refutation { endings: Vec::new() };
    assert_eq!(check(&empty, 0, &proof, &Budget::default()), Ok(()));
    assert!(check(&empty, 1, &proof, &Budget::default()).is_err());
}

#[test]
fn the_budget_of_a_proof_is_kept_to_the_charge() {
    let tariff =
        |weights: &[(u32, i64)]| Tariff { potentials: vec![0; 3], weights: weights.to_vec() };
    let mut part = zeros(Length::Any, 2);
    part.cuts = vec![vec![vec![0]], vec![vec![0, 1], vec![0, 2], vec![1]]];
    part.sieves = vec![tariff(&[(0, 1)])]; // 2 sweeps
    part.steps = vec![
        ProofStep::Branch(0, 1),
        ProofStep::Leaf(tariff(&[(1, 1), (9, 1)])), // 4
        ProofStep::Leaf(tariff(&[])),               // 1
    ];
    let most = usize::try_from(MOST_CHARGES / 7).unwrap();
    assert!(check_budget(&part, most, &Budget::default()).is_ok());
    assert!(check_budget(&part, most + 1, &Budget::default()).is_err());
    part.steps.clear();
    part.sieves = vec![tariff(&[])];
    assert!(
        check_budget(&part, usize::try_from(MOST_CHARGES).unwrap(), &Budget::default()).is_ok()
    );
}

/// Stops 0, 1, 2 and the rest 3, all a move apart; a tariff of potentials that bounds by their sum.
fn cases(steps: &[ProofStep], target: i128) -> Checked<()> {
    let open = |u, v| Edge { u, v, cost: 1, case: Case::Open };
    let edges = vec![open(0, 1), open(1, 2), Edge { u: 0, v: 3, cost: 0, case: Case::Used }];
    let cuts = Cuts::new(&[], 4, &Budget::default()).unwrap();
    check_cases(
        Edges::new(edges, 4),
        &cuts,
        steps,
        target * i128::from(TARIFF_UNIT),
        &Budget::default(),
    )
}

#[test]
fn cases_are_gone_through_in_order() {
    use ProofStep::{Branch, Leaf};
    // With potential p on stop 1 the bound is 2p + (1 - p)⁻ for each edge that may be used.
    let leaf =
        |p: i64| Leaf(Tariff { potentials: vec![0, p * TARIFF_UNIT, 0, 0], weights: vec![] });
    assert_eq!(cases(&[leaf(0)], -1), Ok(()));
    assert!(cases(&[leaf(0)], 0).is_err(), "it must pass the target, not meet it");
    assert_eq!(cases(&[leaf(1)], 1), Ok(()), "two edges at a stop cost two");
    assert!(cases(&[leaf(1)], 2).is_err());
    assert!(cases(&[], -1).is_err(), "no case is refuted");
    // Used, 0-1 costs its charge; not used, only 1-2 is left, and stop 1 cannot have two edges.
    assert_eq!(cases(&[Branch(0, 1), leaf(1), leaf(9)], 1), Ok(()));
    assert_eq!(cases(&[Branch(1, 0), leaf(1), leaf(9)], 1), Ok(()), "an edge has no direction");
    assert!(cases(&[Branch(0, 1), leaf(0), leaf(9)], 1).is_err(), "the first case is not refuted");
    assert!(cases(&[Branch(0, 1), leaf(1), leaf(0)], 1).is_err(), "the second is not");
    assert_eq!(
        cases(&[Branch(0, 1), leaf(1), leaf(9)], 9),
        Err("step 2 does not refute its case".into())
    );
    assert_eq!(cases(&[Branch(0, 1), leaf(0), leaf(9)], 0), Ok(()), "a used edge costs a move");
    assert!(cases(&[leaf(9), leaf(9)], 9).is_err(), "nothing more is needed");
    assert!(cases(&[Branch(0, 1), leaf(1)], 1).is_err(), "the second case is missing");
    assert!(cases(&[Branch(0, 1), leaf(1), leaf(9), leaf(9)], 1).is_err(), "a leaf too many");
    assert!(
        cases(&[Branch(0, 1), Branch(0, 1), leaf(9), leaf(9), leaf(9)], 1).is_err(),
        "the edge is fixed"
    );
    assert!(
        cases(&[Branch(0, 3), leaf(9), leaf(9)], 1).is_err(),
        "the rest follows the end always"
    );
    let nested = [Branch(0, 1), Branch(1, 2), leaf(1), leaf(9), Branch(1, 2), leaf(9), leaf(9)];
    assert_eq!(cases(&nested, 1), Ok(()));
    let undone = [Branch(0, 1), Branch(1, 2), leaf(1), leaf(9), leaf(9)];
    assert_eq!(cases(&undone, 1), Ok(()), "the inner edge is open again in the outer second case");
    // An edge that no short plan has refutes its first case by itself, and says nothing in its second.
    assert_eq!(cases(&[Branch(0, 2), leaf(0), leaf(1)], 1), Ok(()));
    assert!(cases(&[Branch(0, 2), leaf(0), leaf(0)], 1).is_err());
    let deep = [Branch(0, 2), Branch(0, 1), leaf(0), leaf(0), leaf(1)];
    assert_eq!(cases(&deep, 1), Ok(()));
    let twice = [Branch(0, 1), Branch(0, 2), leaf(0), leaf(1), Branch(0, 2), leaf(0), leaf(9)];
    assert_eq!(cases(&twice, 1), Ok(()));
}

/// The fewest moves from stop 0 over all others, trying every order.
fn fewest_by_all_orders(table: &Table) -> i64 {
    fn below(table: &Table, at: usize, left: &[usize]) -> i64 {
        let further = |&next: &usize| {
            let rest: Vec<usize> = left.iter().copied().filter(|&stop| stop != next).collect();
            i64::from(table.distance(at, next)) + below(table, next, &rest)
        };
        left.iter().map(further).min().unwrap_or(0)
    }
    below(table, 0, &(1..table.stops).collect::<Vec<_>>())
}

/// A tariff that comes near to the truth: half of the two shortest ways at each stop, and some noise.
fn likely_tariff(table: &Table, random: &mut Random) -> Tariff {
    let noise = |random: &mut Random| random.roll(TARIFF_UNIT) - TARIFF_UNIT / 2;
    let mut potentials: Vec<i64> = (0..table.stops)
        .map(|u| {
            let others = (0..table.stops).filter(|&v| v != u);
            let mut ways: Vec<i64> = others.map(|v| i64::from(table.distance(u, v))).collect();
            ways.sort_unstable();
            (ways[0] + ways[1]) * TARIFF_UNIT / 4 + noise(random)
        })
        .collect();
    let most = potentials.iter().copied().max().unwrap();
    potentials.push(noise(random) - most);
    Tariff { potentials, weights: vec![] }
}

#[test]
fn no_proof_of_one_part_shows_more_than_all_orders_allow() {
    let mut random = Random(5);
    let ends: Vec<usize> = (1..5).collect();
    let (mut by_leaf, mut by_sieve) = (0, 0);
    for _ in 0..1500 {
        let table = random_table(5, &mut random);
        let fewest = fewest_by_all_orders(&table);
        let leaf = ProofStep::Leaf(likely_tariff(&table, &mut random));
        let plain = EndingRefutation { steps: vec![leaf], ..zeros(Length::Any, 5) };
        let sieves = (0..2).map(|_| likely_tariff(&table, &mut random)).collect();
        let with_sieves = EndingRefutation { sieves, ..plain.clone() };
        for target in fewest - 3..fewest + 4 {
            let holds = |part| {
                check_ending(&table, &ends, target, part, &mut None, &Budget::default()).is_ok()
            };
            let results = [holds(&zeros(Length::Any, 5)), holds(&plain), holds(&with_sieves)];
            assert!(target < fewest || results == [false; 3], "{target} of {fewest}: {results:?}");
            by_leaf += u32::from(results[1] && !results[0]);
            by_sieve += u32::from(results[2] && !results[1]);
        }
    }
    assert!(by_leaf > 100 && by_sieve > 50, "too few hold to say much: {by_leaf}, {by_sieve}");
}

#[test]
fn a_bound_beyond_every_plan_is_refused_before_it_is_multiplied() {
    let problem = problem("3/2p/N2");
    let zero = |length| EndingRefutation {
        length,
        potentials: vec![0; 2],
        cuts: Vec::new(),
        sieves: Vec::new(),
        steps: Vec::new(),
    };
    let proof = Refutation { endings: vec![zero(Length::Even), zero(Length::Odd)] };
    let longest = u64::from(FAR) * 2;
    for bound in [2, 3, longest, longest + 1, 1 << 53, 1 << 54, 1 << 55, 1 << 63, u64::MAX] {
        let refused = check(&problem, bound, &proof, &Budget::default()).unwrap_err();
        assert_eq!(refused.contains("than a shortest plan"), bound > longest, "{bound}: {refused}");
    }
    assert_eq!(check(&problem, 1, &proof, &Budget::default()), Ok(()));
}

#[test]
fn a_question_that_cannot_be_asked_proves_nothing() {
    let [inside, outside] = [Square::new(0, 0), Square::new(7, 7)];
    let proof = Refutation { endings: Vec::new() };
    for (start, target) in [(outside, inside), (inside, outside), (inside, inside)] {
        let board = Board::new(3, 3).unwrap();
        let problem = CaptureProblem { board, start, targets: [target].into() };
        assert!(check(&problem, 1, &proof, &Budget::default()).is_err());
    }
}

#[test]
fn a_missing_part_is_named() {
    let none = Refutation { endings: Vec::new() };
    let mut torus = problem("5/5/5/3pp/N2pp");
    torus.board = torus.board.wrapped(Wrap::Both);
    for (problem, length) in
        [(problem("p2/3/N2"), "even"), (problem("3/2p/N2"), "odd"), (torus, "any")]
    {
        let missing = check(&problem, 1, &none, &Budget::default()).unwrap_err();
        assert_eq!(missing, format!("it has no part for plans of {length} length"));
    }
}

#[test]
fn three_stops_that_disagree_on_colours_in_pairs_have_none() {
    let distance = (0..16).map(|pair| u16::from(pair / 4 != pair % 4)).collect();
    let table = Table { stops: 4, distance };
    assert_eq!(table.endings(), [(Length::Any, vec![1, 2, 3])]);
}

#[test]
fn searches_end_when_all_distances_are_known() {
    // 32 steps for each of nine squares, 16 for each square of a layer: two, then the four a jump away.
    let problem = problem("1p1/3/N2");
    let taken = 9 * 32 + (2 + 4) * 16;
    for (left, holds) in [(taken, true), (taken - 1, false)] {
        let budget = Budget::new(1000, &|| false);
        budget.step(1000 - left).unwrap();
        assert_eq!(Table::new(&problem, &budget).is_ok(), holds);
    }
}

#[test]
fn what_is_looked_at_is_counted() {
    let table = random_table(5, &mut Random(1));
    let budget = Budget::new(24, &|| false);
    let part = zeros(Length::Any, 5);
    assert!(check_ending(&table, &[1], 0, &part, &mut None, &budget).is_err());
    assert_eq!(budget.stopped(), Some(Fault::TooMuchWork { steps: 5 * 5, most: 24 }));
    // An edge and three stops; then each stop of the set, and the edges at it.
    let sets = vec![vec![vec![0, 1, 2]]];
    let cuts = Cuts { nodes: 3, sets: &sets, demands: vec![2] };
    let edges = Edges::new(vec![Edge { u: 0, v: 1, cost: 1, case: Case::Open }], 3);
    let tariff = Tariff { potentials: vec![0; 3], weights: vec![(0, 1)] };
    let taken = (1 + 3) + (2 + 2 + 1);
    assert!(cuts.charge(&edges, &tariff, &Budget::new(taken, &|| false)).is_ok());
    assert!(cuts.charge(&edges, &tariff, &Budget::new(taken - 1, &|| false)).is_err());
}

#[test]
fn a_weight_counts_for_each_set_of_its_cut() {
    let sets = vec![vec![Vec::new(); 1 << 11]];
    let cuts = Cuts { nodes: 3, sets: &sets, demands: vec![2] };
    let edges = Edges::new(Vec::new(), 3);
    for (times, holds) in [(1 << 11, true), ((1 << 11) + 1, false)] {
        let tariff = Tariff { potentials: vec![0; 3], weights: vec![(0, MOST); times] };
        assert_eq!(cuts.charge(&edges, &tariff, &Budget::default()).is_ok(), holds);
    }
}

#[test]
fn cuts_are_read_within_the_budget() {
    let cuts = vec![vec![vec![0]]; 100];
    assert!(Cuts::new(&cuts, 1000, &Budget::default()).is_ok());
    assert!(Cuts::new(&cuts, 1000, &Budget::new(1000 * 50, &|| false)).is_err());
    assert!(Cuts::new(&cuts, 1000, &Budget::new(u64::MAX, &|| true)).is_err());
}
