#!/usr/bin/env bash
# Runs every example of the library, which `cargo test` has built.
set -euo pipefail
cd "$(dirname "$0")/.."

for file in crates/destrier/examples/*.rs; do
    name=$(basename "$file" .rs)
    lines=$("${CARGO_TARGET_DIR:-target}/debug/examples/$name" 2>&1 | wc -l)
    printf '%-20s %d lines\n' "$name" "$lines"
done
