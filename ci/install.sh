#!/usr/bin/env bash
# Installs from Debian what the tests need beyond Rust: Open MPI for `destrier-mpi`, Chromium and Node for the page, C++ for fuzzing,
# Python for the package and for faults.
# What is there already is left alone; without apt, or without the right to use it, the lines below say what is missing.
set -euo pipefail

packages=(g++ python3 python3-venv nodejs libopenmpi-dev openmpi-bin libclang-dev chromium chromium-driver)

missing=()
for package in "${packages[@]}"; do
    dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo --non-interactive)
echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update --quiet=2
"${as_root[@]}" apt-get install --quiet=2 --no-install-recommends --yes "${missing[@]}" >/dev/null
