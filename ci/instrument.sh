#!/usr/bin/env bash
# Stands before rustc for ci/fuzz.sh and ci/coverage.sh: Destrier's own crates are built with the flags in DESTRIER_RUSTFLAGS.
# What comes from outside is built as everywhere, and so is taken from the tests' build where that has it.
rustc=$1
shift
# Crates of a package with our name: the libraries, and the programs and tests that belong to them; but not the scripts that run while building.
case "${CARGO_PKG_NAME:-} ${CARGO_CRATE_NAME:-}" in
*" build_script_build") exec "$rustc" "$@" ;;
destrier*) read -ra flags <<<"$DESTRIER_RUSTFLAGS" && exec "$rustc" "$@" "${flags[@]}" ;;
*) exec "$rustc" "$@" ;;
esac
