#!/usr/bin/env bash
# The page without a server: `ci/site.sh FOLDER` writes it, with the engine as WebAssembly, for any host of static files.
# Without a folder it builds one for the tests and runs them: the contract in Node, the page in Chromium. `ONLY="WORD …"` takes the tests of the
# page whose names have one of these words. `BUILD=only` compiles the engine and stops.
#
# Needs Rust's target wasm32-wasip1, which rustup fetches, and Python; the tests need Node and Chromium, too.
set -euo pipefail
cd "$(dirname "$0")/.."

target=wasm32-wasip1
installed() { [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; }
installed || timeout 180 rustup target add "$target" || { echo "left out: Rust's target $target cannot be fetched"; exit 0; }

folder=${1:-}
if [ -n "$folder" ]; then
    profile=site flags="-Ctarget-feature=+simd128,+bulk-memory"
else
    profile=dev flags="" folder=target/site
fi
CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS=$flags cargo build --quiet --locked --package destrier-wasm --target "$target" --profile "$profile"
[ "${BUILD:-}" != only ] || exit 0
built=${CARGO_TARGET_DIR:-target}/$target/$([ "$profile" = dev ] && echo debug || echo "$profile")/destrier-wasm.wasm

mkdir -p "$folder"
cp -R crates/web/page/. crates/wasm/site/. "$folder"
mkdir -p "$folder/texts"
cp crates/ask/texts/*.json "$folder/texts"
cp crates/web/openapi.json "$folder"
python3 - "$folder" "$built" <<'PYTHON'
import hashlib, json, os, sys

folder, built = sys.argv[1:]


def number(code, at):
    """A number as WebAssembly writes it, seven bits to a byte, and the place behind it."""
    value = shift = 0
    while True:
        value |= (code[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if code[at - 1] < 128:
            return value, at


def stripped(code):
    """A module without its custom sections: names and lines, which nobody reads here."""
    kept, at = [code[:8]], 8
    while at < len(code):
        length, body = number(code, at + 1)
        if code[at] != 0:
            kept.append(code[at : body + length])
        at = body + length
    return b"".join(kept)


with open(built, "rb") as file:
    engine = stripped(file.read())
with open(f"{folder}/destrier.wasm", "wb") as file:
    file.write(engine)
files = sorted(os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names)
files.remove("sw.js")
whole = hashlib.sha256()
policy = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'"
)
# The engine and the modules are asked for at once, not when the last module that needs them has come.
head = [f'<meta http-equiv="Content-Security-Policy" content="{policy}" />']
head += ['<link rel="preload" href="destrier.wasm" as="fetch" crossorigin />']
threads = ("js/engine.js", "js/worker.js")
head += [f'<link rel="modulepreload" href="{name}" />' for name in files if name.startswith("js/") and name not in threads]
with open(f"{folder}/index.html", encoding="utf-8") as page:
    html = page.read().replace("<head>", "<head>\n    " + "\n    ".join(head), 1)
with open(f"{folder}/index.html", "w", encoding="utf-8") as page:
    page.write(html)
for name in files:
    with open(f"{folder}/{name}", "rb") as file:
        whole.update(name.encode() + b"\0" + file.read())
with open(f"{folder}/sw.js", encoding="utf-8") as worker:
    text = worker.read()
text = text.replace("'VERSION'", f"'destrier-{whole.hexdigest()[:16]}'", 1)
text = text.replace("FILES = []", "FILES = " + json.dumps(["./", *files]), 1)
with open(f"{folder}/sw.js", "w", encoding="utf-8") as worker:
    worker.write(text)
PYTHON
printf '%s: %d files, %d kB, of which the engine %d kB (%d kB compressed)\n' "$folder" "$(find "$folder" -type f | wc -l)" \
    "$(du -sk "$folder" | cut -f1)" "$(($(stat -c %s "$folder/destrier.wasm") / 1000))" "$(($(gzip -9c "$folder/destrier.wasm" | wc -c) / 1000))"
[ -z "${1:-}" ] || exit 0

# With the features of all crates, as the other tests: so nothing is built twice.
test=(cargo test --workspace --all-features --locked --quiet)
command -v mpicc >/dev/null || test+=(--exclude destrier-mpi)
export DESTRIER_WASM=$PWD/$folder DESTRIER_SITE=$PWD/$folder
if command -v node >/dev/null; then "${test[@]}" --test node; else echo "left out: without Node the contract is not tested"; fi
# The page's own tests run over HTTP; of those, the one without a network needs the folder. ONLY names others, or `browser` for all.
read -ra only <<<"${ONLY:-without_a_network}"
"${test[@]}" --test browser -- "${only[@]}"
