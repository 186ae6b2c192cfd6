#!/usr/bin/env python3
"""What would go to crates.io: `ci/crates.py` holds the manifests and the lists of files against what a package must have, and has
`cargo publish --dry-run` pack each, in seconds; with `--build` it also builds each package from what would be uploaded, and nothing else.
"""
import json, subprocess, sys

MOST_KEYWORDS, LONGEST_KEYWORD = 5, 20  # crates.io refuses more
WANTED = ("description", "license", "readme", "documentation", "rust_version", "keywords", "categories")
FILES = {"Cargo.toml", "Cargo.lock", "README.md", "LICENSE"}


def told(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def faults(package, published):
    """What is wrong with a manifest and with what would be packed."""
    name = package["name"]
    for field in WANTED:
        if not package[field]:
            yield f"has no `{field}`"
    if package["documentation"] != f"https://docs.rs/{name}":
        yield f"`documentation` is {package['documentation']}"
    if len(package["keywords"]) > MOST_KEYWORDS or any(len(word) > LONGEST_KEYWORD for word in package["keywords"]):
        yield f"keywords: {MOST_KEYWORDS} of {LONGEST_KEYWORD} letters are the most"
    if package["features"] and "docs" not in (package["metadata"] or {}):
        yield "has features, and does not say which of them docs.rs shows"
    for need in package["dependencies"]:
        if "path" in need and need["kind"] != "dev" and need["name"] not in published:
            yield f"depends on `{need['name']}`, which is not published"
        if "path" in need and need["req"] != f"^{package['version']}":
            yield f"asks for {need['name']} {need['req']}, and all are released together"
    files = set(told("cargo", "package", "--list", "--allow-dirty", "--locked", "--package", name).splitlines())
    for file in sorted(FILES - files):
        yield f"would be packed without {file}"


def main():
    packages = json.loads(told("cargo", "metadata", "--format-version", "1", "--no-deps", "--locked"))["packages"]
    packages = [package for package in packages if package["publish"] != []]
    names = [package["name"] for package in packages]
    wrong = [f"{package['name']}: {fault}" for package in packages for fault in faults(package, names)]
    for line in wrong:
        print("wrong:", line)
    print(f"{len(names)} packages for crates.io: {', '.join(names)}; {len(wrong)} wrong")
    if not wrong:
        chosen = [word for name in names for word in ("--package", name)]
        how = [] if "--build" in sys.argv[1:] else ["--quiet", "--no-verify"]
        command = ["cargo", "publish", "--dry-run", *how, "--locked", "--allow-dirty", *chosen]
        done = subprocess.run(command, stderr=subprocess.PIPE if how else None, text=True)
        if done.returncode and any(word in (done.stderr or "") for word in ("index.crates.io", "--offline")):
            print("the index of crates.io cannot be reached: the packages are only packed")
            subprocess.run(["cargo", "package", "--quiet", "--no-verify", "--offline", "--locked", "--allow-dirty", *chosen], check=True)
        elif done.returncode:
            sys.exit(done.stderr or "the dry run failed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
