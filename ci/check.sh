#!/usr/bin/env bash
# Everything that CI runs, for running at home: formatting, lints, tests, documentation, the oldest Rust, supply chain, faults, fuzzing.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n== %s\n' "$*"; }

say "packages";      ./ci/install.sh || echo "not all could be installed; the tests that need them are left out, with a line each"
crates=(--workspace)
command -v mpicc >/dev/null || { echo "there is no MPI: destrier-mpi is left out"; crates+=(--exclude destrier-mpi); }
say "format";        cargo fmt --all --check
say "lints";         cargo clippy "${crates[@]}" --all-targets --all-features --locked -- -D warnings
say "tests";         cargo test "${crates[@]}" --all-features --locked --no-fail-fast
say "documentation"; RUSTDOCFLAGS="-D warnings" cargo doc "${crates[@]}" --all-features --no-deps --locked
say "oldest Rust";   ./ci/msrv.sh
say "supply";        python3 ci/supply.py
say "faults";        python3 ci/faults.py --binary target/debug/destrier --interruptions 24
say "fuzzing";       RUNS=1500 ./ci/fuzz.sh 30
say "all is well"
