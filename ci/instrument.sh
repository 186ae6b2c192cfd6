#!/usr/bin/env bash
# Stands before rustc while the fuzz targets are built: Destrier's own crates are built so that libFuzzer sees which edges run.
# What comes from outside is built as everywhere, and so is taken from the tests' build where that has it.
rustc=$1
shift
case " $* " in
*" --crate-name destrier"*)
    exec "$rustc" "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table ;;
*) exec "$rustc" "$@" ;;
esac
