#!/usr/bin/env bash
# Measures which lines the tests run: `ci/coverage.sh [PACKAGE...]`, all packages but destrier-mpi, which needs MPI, if none is named.
# Ranks and other processes that tests start are counted, too: each writes a file of its own as it ends.
# Needs `rustup component add llvm-tools`. The table goes to stdout, lines that no test runs to target/coverage/missed.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=("$@")
[ ${#packages[@]} -gt 0 ] || packages=(destrier-rules destrier destrier-ask destrier-compare destrier-terminal destrier-web destrier-cli)
tools=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin
[ -x "$tools/llvm-cov" ] || { echo "there is no llvm-cov: rustup component add llvm-tools"; exit 2; }

out=$PWD/target/coverage
mkdir -p "$out"
find "$out" -name '*.profraw' -delete
# Another profile than that of the tests, so that both builds stay beside each other.
settings=()
for package in destrier-rules destrier destrier-ask destrier-compare destrier-terminal destrier-web destrier-cli destrier-mpi; do
    settings+=(--config "profile.dev.package.$package.debug=false")
done
selected=()
for package in "${packages[@]}"; do selected+=(--package "$package"); done
export DESTRIER_RUSTFLAGS="-Cinstrument-coverage" RUSTC_WRAPPER=$PWD/ci/instrument.sh CARGO_INCREMENTAL=0
mapfile -t programs < <(cargo test "${settings[@]}" "${selected[@]}" --all-features --locked --no-run --message-format json |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
LLVM_PROFILE_FILE="$out/%p-%m.profraw" \
    cargo test "${settings[@]}" "${selected[@]}" --all-features --locked --no-fail-fast --lib --bins --tests || echo "some tests failed"

"$tools/llvm-profdata" merge -sparse "$out"/*.profraw -o "$out/all.profdata"
objects=()
for program in "${programs[@]:1}"; do objects+=(-object "$program"); done
"$tools/llvm-cov" report "${programs[0]}" "${objects[@]}" -instr-profile "$out/all.profdata" -show-region-summary=false \
    -show-branch-summary=false -ignore-filename-regex '/registry/|/rustc/|/tests/|/benches/'
"$tools/llvm-cov" show "${programs[0]}" "${objects[@]}" -instr-profile "$out/all.profdata" \
    -ignore-filename-regex '/registry/|/rustc/|/tests/|/benches/' |
    awk '/^\/.*:$/ { file = $0; next } /^ *[0-9]+\| *0\|/ { print file, $0 }' >"$out/missed.txt"
