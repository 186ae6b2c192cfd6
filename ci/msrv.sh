#!/usr/bin/env bash
# Checks the workspace with the oldest Rust that Cargo.toml names, where rustup has it or can fetch it.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
oldest=$version.0
command -v rustup >/dev/null || { echo "left out: without rustup there is no Rust $oldest"; exit 0; }
rustup run "$oldest" rustc --version 2>/dev/null \
    || timeout 180 rustup toolchain install "$oldest" --profile minimal \
    || { echo "left out: Rust $oldest cannot be fetched"; exit 0; }
# The command line and all that it is made of: `destrier-mpi` needs libclang and says no more about Rust.
CARGO_TARGET_DIR=target/msrv rustup run "$oldest" cargo check --locked
