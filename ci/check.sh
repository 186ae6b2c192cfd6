#!/usr/bin/env bash
# Everything that CI runs, for running at home: formatting, lints, tests, documentation.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n== %s\n' "$*"; }

say "packages";      ./ci/install.sh
say "format";        cargo fmt --all --check
say "lints";         cargo clippy --workspace --all-targets --all-features --locked -- -D warnings
say "tests";         cargo test --workspace --all-features --locked --no-fail-fast
say "documentation"; RUSTDOCFLAGS="-D warnings" cargo doc --workspace --all-features --no-deps --locked
say "all is well"
