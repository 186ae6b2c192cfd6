#!/usr/bin/env bash
# Builds the fuzz targets and runs each for a while: `ci/fuzz.sh [SECONDS [TARGET...]]`, 3 seconds each if nothing is said.
#
# Coverage is counted as cargo-fuzz has it, but without a sanitizer, since there is no unsafe code here: so stable Rust will
# do. What is found comes to lie in fuzz/artifacts; run the binary with that file to see it again.
# BUILD=only builds and stops. RUNS=N ends each after N runs, if that comes first: then a run of the checks looks at the same inputs every time.
# The runs begin from fuzz/corpus with a fixed seed; new inputs go to a folder that is thrown away (KEEP=dir keeps them).
set -euo pipefail
cd "$(dirname "$0")/../fuzz"

seconds=${1:-3}
shift || true
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../target}
DESTRIER_RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table" \
    RUSTC_WRAPPER=$PWD/../ci/instrument.sh cargo build --bins
[ "${BUILD:-}" != only ] || exit 0

keep=${KEEP:-$(mktemp -d)}
for file in fuzz_targets/*.rs; do
    target=$(basename "$file" .rs)
    [[ $# -eq 0 || " $* " == *" $target "* ]] || continue
    mkdir -p "$keep/$target" "artifacts/$target"
    printf '%-14s' "$target"
    words=()
    [ -f "dictionaries/$target" ] && words=("-dict=dictionaries/$target")
    log=$("$CARGO_TARGET_DIR/debug/$target" "$keep/$target" "corpus/$target" -seed=1 -rss_limit_mb=4096 -timeout=60 \
        -max_total_time="$seconds" ${RUNS:+"-runs=$RUNS"} "${words[@]}" -artifact_prefix="artifacts/$target/" -print_final_stats=1 2>&1) || {
        printf '%s\n' "$log" | tail -40
        exit 1
    }
    printf '%s\n' "$log" | sed -n 's/^stat::number_of_executed_units: */runs /p; s/^.*DONE.*cov: \([0-9]*\).*corp: \([^ ]*\).*/  edges \1, corpus \2/p' | paste -sd' '
done
