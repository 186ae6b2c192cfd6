#!/usr/bin/env bash
# How time falls with ranks: runs questions on 1, 2, 4, … ranks of one thread each, and writes a table.
#
#   bench/mpi/scaling.sh [TABLE.csv]
#
# RANKS="1 2 4" and REPEATS=3 choose how many; LAUNCH is what comes before `-n`; the least time of the
# repeats counts. Every answer is compared with the first, so a wrong one ends the run. At the end two ranks of one thread
# and one process of two threads take turns, PAIRS=9 times, and the medians are told.
set -euo pipefail
cd "$(dirname "$0")/../.."

table=${1:-bench/mpi/scaling.csv}
ranks=${RANKS:-1 2 4}
repeats=${REPEATS:-3}
pairs=${PAIRS:-9}
launch=${LAUNCH:-mpirun --oversubscribe --bind-to none}
[ "$(id -u)" != 0 ] || launch="$launch --allow-run-as-root"
program=target/release/destrier-mpi

cargo build --release --quiet -p destrier-mpi -p destrier-cli
questions=(
    "count 7x8 --closed"
    "count 8x8 --closed"
    "count 8x8 --closed --journal"
    "enumerate 6x6 --closed"
    "capture known/capture/p02_lines5_k40.txt"
    "capture 2p2p2/8/5p2/1p6/4p3/8/p7/N6p --method bb-dfs"
)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "question,ranks,threads,seconds,busy_seconds,idle_seconds,cpu_seconds,messages,bytes,peak_mib" >"$table"
for question in "${questions[@]}"; do
    first=
    for n in $ranks; do
        best=
        for _ in $(seq "$repeats"); do
            words=$question
            if [[ $question == *--journal ]]; then
                rm -rf "$work/journal"
                words="$question $work/journal"
            fi
            begun=$(date +%s.%N)
            # shellcheck disable=SC2086 # words are words
            $launch -n "$n" $program $words --threads 1 --report >"$work/answer" 2>"$work/report"
            ended=$(date +%s.%N)
            sum=$(cksum <"$work/answer")
            [ -n "$first" ] || first=$sum
            if [ "$sum" != "$first" ] && [[ $question != capture* ]]; then
                echo "$question on $n ranks: another answer than before" >&2
                exit 1
            fi
            row=$(awk -v n="$n" -v from="$begun" -v to="$ended" '
                $1 ~ /^[0-9]+$/ && NF >= 10 {
                    busy += $4; idle += $5; cpu += $6; split($7, m, "/"); split($8, b, "/")
                    messages += m[1]; bytes += b[1]; if ($9 > peak) peak = $9
                }
                END { printf "%d,1,%.2f,%.2f,%.2f,%.2f,%d,%d,%d", n, to - from, busy, idle, cpu, messages, bytes, peak }' "$work/report")
            seconds=$(echo "$row" | cut -d, -f3)
            if [ -z "$best" ] || awk "BEGIN { exit !($seconds < ${best%%|*}) }"; then
                best="$seconds|$row"
            fi
        done
        echo "$question,${best#*|}" | tee -a "$table"
    done
done

seconds() {
    local begun ended
    begun=$(date +%s.%N)
    "$@" >/dev/null
    ended=$(date +%s.%N)
    awk "BEGIN { printf \"%.2f\\n\", $ended - $begun }"
}
for _ in $(seq "$pairs"); do
    seconds target/release/destrier count 8x8 --closed --threads 2 >>"$work/threads"
    # shellcheck disable=SC2086 # words are words
    seconds $launch -n 2 $program count 8x8 --closed --threads 1 >>"$work/ranks"
    # shellcheck disable=SC2086
    seconds $launch -n 2 $program count 5x6 --closed --threads 1 >>"$work/start"
done
median() { sort -n "$1" | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
awk -v one="$(median "$work/threads")" -v two="$(median "$work/ranks")" -v start="$(median "$work/start")" -v pairs="$pairs" 'BEGIN {
    printf "8x8 closed, medians of %d runs: one process of two threads %.2f s, two ranks of one thread %.2f s: %+.0f %%; ", pairs, one, two, 100 * (two / one - 1)
    printf "two ranks start and end in %.2f s\n", start
}'
