#!/usr/bin/env python3
"""What comes in from outside: licences, bans and sources held against deny.toml, and a reason for each direct dependency.

deny.toml is written for cargo-deny, which anybody may run (`cargo deny check`, with advisories from the network). It takes two minutes of CPU
time to build, so the tests read the same file here, and ask `cargo metadata` about both workspaces, with all features, for all systems.
The reasons are in docs/dependencies.md, which is held against the manifests.
Who asks for little gets little: the rules are built of themselves alone, the library by default draws no pixels and reads no JSON,
and destrier-mpi needs neither the command nor the page, nor what they are built on.
"""
import json, re, subprocess, sys, tomllib

WORKSPACES = ("Cargo.toml", "fuzz/Cargo.toml")
NOT_IN = {
    "destrier": {"tiny-skia", "ttf-parser", "gif", "color_quant", "serde", "serde_json", "clap", "tokio"},
    "destrier-mpi": {"destrier-cli", "destrier-web", "axum", "tokio", "tiny-skia"},
}


def packages(manifest):
    """All packages that a workspace could be built of, and its own."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features", "--manifest-path", manifest]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["packages"]


def is_allowed(licence, allowed):
    """Does an SPDX expression leave a choice that is allowed?"""
    words = re.findall(r"[()]|[^\s()]+(?: WITH [^\s()]+)?", licence.replace("/", " OR "))
    meaning = {"(": "(", ")": ")", "AND": "and", "OR": "or"}
    return eval(" ".join(meaning.get(word, str(word in allowed)) for word in words))


def faults_of(package, rules):
    """What is wrong with a package by the rules of deny.toml."""
    name = f"{package['name']} {package['version']}"
    if not package["license"] or not is_allowed(package["license"], rules["licenses"]["allow"]):
        yield f"{name}: licence {package['license']}"
    if package["name"] in {ban["crate"] for ban in rules["bans"]["deny"]}:
        yield f"{name} is banned"
    index = [f"registry+{address}" for address in rules["sources"]["allow-registry"]]
    if package["source"] not in [None, *index]:
        yield f"{name} comes from {package['source']}"
    if package["source"] is None:
        for need in package["dependencies"]:
            if need["req"] == "*" and not need.get("path"):
                yield f"{name} takes any version of {need['name']}"


def built_of(package):
    """What a package is built of with its default features."""
    command = ["cargo", "tree", "--locked", "--package", package, "--edges", "normal", "--prefix", "none"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[0] for line in lines if line}


def main():
    with open("deny.toml", "rb") as file:
        rules = tomllib.load(file)
    everything = [package for manifest in WORKSPACES for package in packages(manifest)]
    faults = [fault for package in everything for fault in faults_of(package, rules)]
    own = [package for package in everything if package["source"] is None]
    direct = {need["name"] for package in own for need in package["dependencies"] if not need.get("path")}
    with open("docs/dependencies.md", encoding="utf-8") as page:
        listed = set(re.findall(r"^\| `([\w-]+)`", page.read(), re.M))
    faults += [f"docs/dependencies.md gives no reason for `{name}`" for name in sorted(direct - listed)]
    faults += [f"docs/dependencies.md lists `{name}`, which nobody depends on" for name in sorted(listed - direct)]
    unwanted = {package: names & built_of(package) for package, names in NOT_IN.items()}
    unwanted["destrier-rules"] = built_of("destrier-rules") - {"destrier-rules"}
    faults += [f"{package} is built of `{name}`" for package, names in unwanted.items() for name in sorted(names)]
    for fault in sorted(set(faults)):
        print("wrong:", fault)
    count = len({(package["name"], package["version"]) for package in everything})
    print(f"{count} packages, {len(direct)} from outside asked for by name; {len(set(faults))} wrong")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
