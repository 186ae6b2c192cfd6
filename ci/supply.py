#!/usr/bin/env python3
"""What comes in from outside: cargo-deny for licences, bans and sources, and a reason for each direct dependency.

cargo-deny is installed under target/tools if it is not there, unoptimised: it then takes two minutes of CPU time, once.
What is allowed is in deny.toml, and the reasons are in docs/dependencies.md, which is held against the manifests here.
Who asks for little gets little: the rules are built of themselves alone, the library by default draws no pixels and reads no JSON,
and destrier-mpi needs neither the command nor the page, nor what they are built on.
"""
import json, os, re, subprocess, sys

WORKSPACES = ("Cargo.toml", "fuzz/Cargo.toml")
VERSION = "0.20.2"
NOT_IN = {
    "destrier": {"resvg", "gif", "color_quant", "serde", "serde_json", "clap", "tokio"},
    "destrier-mpi": {"destrier-cli", "destrier-web", "axum", "tokio", "resvg"},
}
TOOLS = "target/tools"
DENY = f"{TOOLS}/bin/cargo-deny"


def cargo_deny():
    """The path of cargo-deny, installed if need be."""
    told = subprocess.run([DENY, "--version"], capture_output=True, text=True).stdout if os.path.exists(DENY) else ""
    if told.split()[-1:] != [VERSION]:
        cheap = {"CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_TARGET_DIR": f"{TOOLS}/build"}
        subprocess.run(["cargo", "install", "--quiet", "--locked", "--debug", "--version", VERSION, "--root", TOOLS,
                        "--no-track", "--force", "cargo-deny"], check=True, env={**os.environ, **cheap})
    return DENY


def named(manifest):
    """The packages from outside that a workspace asks for by name."""
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--manifest-path", manifest]
    packages = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["packages"]
    return {need["name"] for package in packages for need in package["dependencies"] if not need.get("path")}


def built_of(package):
    """What a package is built of with its default features."""
    command = ["cargo", "tree", "--locked", "--package", package, "--edges", "normal", "--prefix", "none"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[0] for line in lines if line}


def main():
    wrong = 0
    for manifest in WORKSPACES:
        wrong += subprocess.run([cargo_deny(), "--manifest-path", manifest, "--all-features", "--config",
                                 "deny.toml", "check", "licenses", "bans", "sources"]).returncode != 0
    direct = set().union(*map(named, WORKSPACES))
    with open("docs/dependencies.md", encoding="utf-8") as page:
        listed = set(re.findall(r"^\| `([\w-]+)`", page.read(), re.M))
    faults = [f"docs/dependencies.md gives no reason for `{name}`" for name in sorted(direct - listed)]
    faults += [f"docs/dependencies.md lists `{name}`, which nobody depends on" for name in sorted(listed - direct)]
    unwanted = {package: names & built_of(package) for package, names in NOT_IN.items()}
    unwanted["destrier-rules"] = built_of("destrier-rules") - {"destrier-rules"}
    faults += [f"{package} is built of `{name}`" for package, names in unwanted.items() for name in sorted(names)]
    for fault in faults:
        print("wrong:", fault)
    print(f"{len(direct)} packages from outside are asked for by name; {wrong + len(faults)} wrong")
    return bool(wrong or faults)


if __name__ == "__main__":
    sys.exit(main())
