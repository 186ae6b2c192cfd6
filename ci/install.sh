#!/usr/bin/env bash
# Installs what the tests need beyond Rust: from Debian Open MPI for `destrier-mpi`, Chromium, Firefox and Node for the page, C++ for fuzzing, Python for the package, for fuzzing and faults;
# from npm axe-core for the page.
# What is there already is left alone; without apt, or without the right to use it, the lines below say what is missing.
set -euo pipefail

packages=(g++ python3 python3-venv libopenmpi-dev openmpi-bin libclang-dev chromium chromium-driver firefox-esr)
# Node may come from elsewhere, with npm in it.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)

missing=()
for package in "${packages[@]}"; do
    dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo --non-interactive)
if [ ${#missing[@]} -gt 0 ]; then
    echo "installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    "${as_root[@]}" apt-get update --quiet=2
    "${as_root[@]}" apt-get install --quiet=2 --no-install-recommends --yes "${missing[@]}" >/dev/null
fi

# axe-core looks for faults of accessibility in the page; it is fetched, not kept here.
axe=$(dirname "$0")/../target/axe
if [ ! -f "$axe/package/axe.min.js" ]; then
    mkdir -p "$axe"
    (cd "$axe" && npm pack --silent axe-core@4.10.3 >/dev/null && tar -xzf axe-core-*.tgz)
fi
