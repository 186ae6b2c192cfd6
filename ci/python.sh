#!/usr/bin/env bash
# The Python package: `ci/python.sh` builds a wheel, installs it in a fresh environment under target/, and runs the tests:
# pytest, doctests, types, the notebook. `ci/python.sh wheel FOLDER` builds an optimised wheel and leaves it in the folder;
# DESTRIER_COMMAND=FILE puts that command into it. BUILD=only builds the wheel for the tests and stops; BUILD=no tests the one that is there.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v python3 >/dev/null || { echo "left out: there is no Python"; exit 0; }
out=$PWD/${CARGO_TARGET_DIR:-target}/python
tools=$out/tools
[ -x "$tools/bin/maturin" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet 'maturin>=1.9,<2'; } \
    || { echo "left out: maturin cannot be installed"; exit 0; }

profile=dev built=debug wheels=$out/wheels
[ "${1:-}" != wheel ] || profile=release built=release wheels=${2:?a folder}
build() {
    # The command travels as a script of the wheel, so pip puts it where scripts go. The tests have built one already, perhaps.
    command=${DESTRIER_COMMAND:-${CARGO_TARGET_DIR:-target}/$built/destrier}
    { [ "$profile" = dev ] || [ -n "${DESTRIER_COMMAND:-}" ]; } && [ -x "$command" ] || cargo build --quiet --locked --profile "$profile" --package destrier-cli
    mkdir -p crates/python/data/scripts
    trap 'rm -rf "$PWD/crates/python/data"' EXIT
    cp "$command" crates/python/data/scripts/destrier
    [ "$profile" = release ] || strip crates/python/data/scripts/destrier
    rm -rf "$wheels"/destrier-*.whl
    "$tools/bin/maturin" build --quiet --locked --profile "$profile" --manifest-path crates/python/Cargo.toml --out "$wheels"
    ls "$wheels"
}
[ "${BUILD:-}" = no ] || build
[ "${1:-}" != wheel ] && [ "${BUILD:-}" != only ] || exit 0

home=$out/home
packages=(pytest hypothesis numpy networkx tqdm mypy types-networkx types-tqdm nbclient nbformat ipykernel)
[ -x "$home/bin/mypy" ] || { python3 -m venv "$home" && "$home/bin/pip" install --quiet "${packages[@]}"; } \
    || { echo "left out: the tests of the wheel need ${packages[*]}, which cannot be installed"; exit 0; }
"$home/bin/pip" install --quiet --no-deps --force-reinstall "$wheels"/destrier-*.whl
cd crates/python
"$home/bin/pytest" --quiet -p no:cacheprovider
"$home/bin/pytest" --quiet -p no:cacheprovider --doctest-modules --pyargs destrier
"$home/bin/mypy" --strict --no-incremental --package destrier
"$home/bin/python" ../../ci/notebook.py ../../docs/notebooks/tour.ipynb
