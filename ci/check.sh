#!/usr/bin/env bash
# Everything that CI runs, for running at home: formatting, lints, tests, examples, documentation, the Python package, the page without
# a server, packages in clean roots, the oldest Rust, supply chain, faults, questions with their answers by brute force, fuzzing.
# `./ci/check.sh quick` is for the inner loop: formatting, lints, unit tests, the command's transcripts.
#
# Stages run side by side where they can: tests wait for browsers, signals and limits, and a build ends with one crate on one core. One stage compiles
# at a time, since Cargo locks its folder; what has been compiled is run beside it. A stage's output is printed as it ends. The first failure ends all,
# with exit code 1. At the end comes a table of the seconds and the processor time of each stage, which is also in target/check/stages.csv.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = quick ]; then
    say() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }
    say "format"; cargo fmt --all --check
    say "lints";  cargo clippy --all-targets --all-features --locked -- -D warnings
    say "tests";  cargo test --all-features --locked --lib; cargo test --all-features --locked -p destrier-cli --test cli
    say "all is well so far"
    exit
fi

# Nobody steps through these programs, and each is built once: less to compile, and a third of the room.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0

logs=${CARGO_TARGET_DIR:-target}/check
rm -rf "$logs"
mkdir -p "$logs"

# A stage is a name, a kind (compile; run; aside, which shares nothing with the others and takes what they leave), and the stages that must have
# passed before it. Its commands are the function `do_NAME`.
names=()
declare -A kind after state started
stage() { names+=("$1") kind[$1]=$2 after[$1]="${*:3}" state[$1]=waiting; }

slots=$(nproc)
[ "$slots" -ge 2 ] || slots=2
[ "$slots" -le 4 ] || slots=4

may_start() {
    [ "${state[$1]}" = waiting ] || return 1
    local other busy=0
    for other in ${after[$1]}; do [ "${state[$other]}" = passed ] || return 1; done
    [ "${kind[$1]}" != aside ] || return 0
    for other in "${names[@]}"; do
        [ "${state[$other]}" = running ] && [ "${kind[$other]}" != aside ] || continue
        busy=$((busy + 1))
        [ "${kind[$1]} ${kind[$other]}" != "compile compile" ] || return 1
    done
    [ "$busy" -lt "$slots" ]
}

start() {
    set -m # a process group of its own, so that all of it can be ended
    (
        set +m
        trap - EXIT
        [ "${kind[$1]}" = run ] || renice --priority 5 "$BASHPID" >/dev/null # tests do not wait for compilers
        TIMEFORMAT='%R,%U,%S'
        exec 3>"$logs/$1.log"
        { time "do_$1" >&3 2>&3; } 2>"$logs/$1.time"
    ) </dev/null &
    set +m
    started[$!]=$1 state[$1]=running
    printf '== %s: started (%d s)\n' "$1" "$SECONDS"
}

end_all() {
    local pid
    for pid in "${!started[@]}"; do kill -- "-$pid" 2>/dev/null || :; done
}
trap end_all EXIT
trap 'exit 130' INT TERM

run_stages() {
    local name pid status
    while :; do
        for name in "${names[@]}"; do ! may_start "$name" || start "$name"; done
        [ ${#started[@]} -gt 0 ] || break
        status=0
        wait -n -p pid "${!started[@]}" || status=$?
        name=${started[$pid]}
        unset "started[$pid]"
        printf '\n== %s: %s (%d s)\n' "$name" "$([ $status = 0 ] && echo passed || echo "failed with exit code $status")" "$SECONDS"
        cat "$logs/$name.log"
        [ $status = 0 ] || exit 1
        state[$name]=passed
    done
}

echo "== packages"
if ./ci/install.sh; then
    export DESTRIER_BROWSER=required DESTRIER_MPI=required # a test that finds nothing to run on fails
else
    echo "not all could be installed; the tests that need them are left out, with a line each"
fi
crates=(--workspace)
command -v mpicc >/dev/null || { echo "there is no MPI: destrier-mpi is left out"; crates+=(--exclude destrier-mpi); }
command -v python3 >/dev/null || { echo "there is no Python: destrier-python is left out"; crates+=(--exclude destrier-python); }
echo "== format"
cargo fmt --all --check

# They start in this order, each as soon as it may.
stage oldest     aside
stage programs   compile
stage tests      run     programs
stage lints      compile programs
stage fuzzers    compile programs
stage wheel      compile programs
stage engine     compile programs
stage documents  compile programs
stage examples   run     programs
stage faults     run     programs
stage questions  run     programs
stage supply     run     programs
stage python     run     wheel
stage site       run     tests engine
stage release    run     wheel site
stage fuzzing    run     fuzzers

do_programs()  { cargo test "${crates[@]}" --all-features --locked --no-run; }
do_tests()     { cargo test "${crates[@]}" --all-features --locked --no-fail-fast; }
do_lints()     { cargo clippy "${crates[@]}" --all-targets --all-features --locked -- -D warnings; }
do_documents() { RUSTDOCFLAGS="-D warnings" cargo doc "${crates[@]}" --all-features --no-deps --locked; }
do_engine()    { BUILD=only ./ci/site.sh; }
do_wheel()     { BUILD=only ./ci/python.sh; }
do_oldest()    { ./ci/msrv.sh; }
do_fuzzers()   { BUILD=only ./ci/fuzz.sh; }
do_examples()  { ./ci/examples.sh; }
do_faults()    { python3 ci/faults.py --binary target/debug/destrier --interruptions 24; }
do_questions() { python3 fuzz/oracle/ask.py target/debug/destrier --questions 1500 --seed 1; }
do_supply()    { python3 ci/supply.py; }
do_python()    { BUILD=no ./ci/python.sh; }
do_site()      { ONLY="without_a_network the_tour_room the_count_room the_capture_room the_swap_room the_compare_room without_a_server" ./ci/site.sh; }
do_release()   { ./ci/release.sh trial; }
do_fuzzing()   { RUNS=1500 ./ci/fuzz.sh 30; }

run_stages

echo
{
    echo "stage,seconds,user,system"
    for name in "${names[@]}"; do echo "$name,$(tail -n 1 "$logs/$name.time")"; done
} | tee "$logs/stages.csv"
printf '== all is well (%d s)\n' "$SECONDS"
