//! Named sets: the tables of course reports, each as the words one would type after `destrier compare`.

use anyhow::Context as _;

/// A named set.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// Comparisons, each in one line.
    pub(super) lines: &'static [&'static str],
}

/// All sets.
pub(super) const SETS: &[Set] = &[
    Set {
        name: "brute-force-speedup",
        about: "open tours counted by brute force on 1, 2, 4 … threads",
        lines: &["count 3x4 3x7 4x5 3x8 4x6 5x5 5x6 --methods naive,backtrack --threads 1.."],
    },
    Set {
        name: "warnsdorff-failures",
        about: "how often walks by fewest exits fail, by size and tie-break",
        lines: &[
            "survey 5x5 6x6 7x7 8x8 10x10 20x20 30x30 40x40 50x50 --methods warnsdorff,pohl,roth --repeat 1",
            "survey 70x70 100x100 --starts 400 --methods warnsdorff,pohl,roth --repeat 1",
        ],
    },
    Set {
        name: "symmetric",
        about: "one path and its three quarter turns, on 5x5 to 51x51",
        lines: &[
            "tour 5x5 6x6 7x7 9x9 --symmetry four-paths --methods naive,backtrack,search",
            "tour 11x11 13x13 21x21 31x31 51x51 --symmetry four-paths --methods search",
        ],
    },
    Set {
        name: "six-knights",
        about: "knights that change places: brute force, best-first, exact",
        lines: &["swap guarini six-knights 3x5 --methods naive,best-first,ranked,meet,astar,auto"],
    },
    Set {
        name: "jes",
        about: "taking all pieces: bb-dfs alone, by tasks, by data; exact",
        lines: &[
            "capture 3N1p/4p1/6/3p1p/1p4/2p1p1 p5p/3p3/1p5/5p1/2N4/p6/4p1p \
             8/p7/7p/6N1/2p2pp1/p7/8/2p3p1 4p2p/8/pN6/7p/4p3/8/p2p2p1/3p4 --methods bb-dfs:none",
            "capture 3N1p/4p1/6/3p1p/1p4/2p1p1 p5p/3p3/1p5/5p1/2N4/p6/4p1p \
             8/p7/7p/6N1/2p2pp1/p7/8/2p3p1 4p2p/8/pN6/7p/4p3/8/p2p2p1/3p4 \
             --methods bb-dfs:task,bb-dfs:data --threads 1..",
            "capture 3N1p/4p1/6/3p1p/1p4/2p1p1 p5p/3p3/1p5/5p1/2N4/p6/4p1p \
             8/p7/7p/6N1/2p2pp1/p7/8/2p3p1 4p2p/8/pN6/7p/4p3/8/p2p2p1/3p4 --methods auto",
            "capture p3p4p/3p2p3/1p5p2/p4p4/3N2p3/1p6p1/4p2p2/p2p6/6p2p/1p3p4 \
             --methods bb-dfs:none,auto",
        ],
    },
];

/// The set of this name.
pub(super) fn named(name: &str) -> anyhow::Result<&'static Set> {
    let known: Vec<&str> = SETS.iter().map(|set| set.name).collect();
    let found = SETS.iter().find(|set| set.name == name);
    found.with_context(|| format!("there is no set `{name}`; there are {}", known.join(", ")))
}

/// The long help of `--set`.
pub(super) fn help() -> String {
    let lines = SETS.iter().map(|set| format!("\n  {:<21}{}", set.name, set.about));
    std::iter::once("A named set of comparisons:".to_owned()).chain(lines).collect()
}
