#!/usr/bin/env bash
# Everything that CI runs, for running at home: formatting, lints, tests, examples, documentation, the Python package, the page without
# a server, packages in clean roots, the oldest Rust, supply chain, faults, questions with their answers by brute force, fuzzing. `./ci/check.sh quick` is for the inner loop: formatting, lints, unit tests, the command's transcripts.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }

document() { RUSTDOCFLAGS="-D warnings" cargo doc "${crates[@]}" --all-features --no-deps --locked; }

# Tests leave cores idle: they wait for browsers, signals and limits. Meanwhile, what later steps need is compiled on one core at the lowest
# priority. The steps themselves repeat these commands, so they report what fails here.
warm_up() {
    set -m # a process group of its own, to be ended with this script
    {
        sleep 20 # cargo test looks at its files first
        renice --priority 19 "$BASHPID"
        export CARGO_BUILD_JOBS=1
        for step in document "./ci/msrv.sh" "env BUILD=only ./ci/site.sh" "env BUILD=only ./ci/fuzz.sh"; do $step || :; done
    } >"${CARGO_TARGET_DIR:-target}/warm-up.log" 2>&1 </dev/null &
    set +m
    warming=$!
    trap 'kill -- "-$warming" 2>/dev/null || :' EXIT
}

if [ "${1:-}" = quick ]; then
    say "format"; cargo fmt --all --check
    say "lints";  cargo clippy --all-targets --all-features --locked -- -D warnings
    say "tests";  cargo test --all-features --locked --lib; cargo test --all-features --locked -p destrier-cli --test cli
    say "all is well so far"
    exit
fi

say "packages"
if ./ci/install.sh; then
    export DESTRIER_BROWSER=required DESTRIER_MPI=required # a test that finds nothing to run on fails
else
    echo "not all could be installed; the tests that need them are left out, with a line each"
fi
crates=(--workspace)
command -v mpicc >/dev/null || { echo "there is no MPI: destrier-mpi is left out"; crates+=(--exclude destrier-mpi); }
command -v python3 >/dev/null || { echo "there is no Python: destrier-python is left out"; crates+=(--exclude destrier-python); }
say "format";        cargo fmt --all --check
say "lints";         cargo clippy "${crates[@]}" --all-targets --all-features --locked -- -D warnings
say "tests";         cargo test "${crates[@]}" --all-features --locked --no-run
warm_up
cargo test "${crates[@]}" --all-features --locked --no-fail-fast
say "examples";      ./ci/examples.sh
say "documentation"; document
say "Python";        ./ci/python.sh
say "site";          ONLY="without_a_network the_tour_room the_count_room the_capture_room the_swap_room the_compare_room without_a_server" ./ci/site.sh
say "release";       ./ci/release.sh trial
say "oldest Rust";   ./ci/msrv.sh
say "supply";        python3 ci/supply.py
say "faults";        python3 ci/faults.py --binary target/debug/destrier --interruptions 24
say "questions";     python3 fuzz/oracle/ask.py target/debug/destrier --questions 1500 --seed 1
say "fuzzing";       RUNS=1500 ./ci/fuzz.sh 30
say "all is well"
