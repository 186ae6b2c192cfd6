#!/usr/bin/env python3
"""What comes in from outside: licences, sources, bans, and a reason for each direct dependency.

Holds `cargo metadata` against deny.toml and docs/dependencies.md, and needs nothing but Python and cargo. cargo-deny
reads the same deny.toml and looks closer (at the licence texts, too); where it is installed, it is asked as well.
"""
import json, re, shutil, subprocess, sys, tomllib

def metadata(manifest):
    command = ["cargo", "metadata", "--format-version", "1", "--all-features", "--manifest-path", manifest]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

def is_free(expression, allowed):
    """An SPDX expression of AND, OR, WITH, brackets and the old slash."""
    words = re.findall(r"\(|\)|[^\s()/]+|/", expression)
    text, k = "", 0
    while k < len(words):
        word = words[k]
        if word in ("(", ")"): text += f" {word} "
        elif word in ("OR", "/"): text += " or "
        elif word == "AND": text += " and "
        else:
            name = word
            if words[k + 1:k + 2] == ["WITH"]: name = f"{word} WITH {words[k + 2]}"; k += 2
            text += f" {name in allowed} "
        k += 1
    return bool(text.strip()) and eval(text)  # made of True, False, and, or and brackets alone

def main():
    rules = tomllib.load(open("deny.toml", "rb"))
    allowed, registries = set(rules["licenses"]["allow"]), set(rules["sources"]["allow-registry"])
    banned = {ban["crate"] for ban in rules["bans"]["deny"]}
    wrong, seen, direct = [], set(), set()
    for manifest in ("Cargo.toml", "fuzz/Cargo.toml"):
        graph = metadata(manifest)
        own = set(graph["workspace_members"])
        for package in graph["packages"]:
            name = f"{package['name']} {package['version']}"
            if package["id"] in own:
                direct |= {need["name"] for need in package["dependencies"] if not need.get("path")}
                wrong += [f"{name}: `{need['name']}` asks for any version" for need in package["dependencies"]
                          if need["req"] == "*" and not need.get("path")]
                continue
            if package["source"] is None: continue
            seen.add(name)
            if not is_free(package["license"] or "", allowed):
                wrong.append(f"{name}: the licence `{package['license']}` is not in deny.toml")
            if package["source"].removeprefix("registry+") not in registries:
                wrong.append(f"{name} comes from {package['source']}")
            if package["name"] in banned: wrong.append(f"{name} is banned")
    listed = set(re.findall(r"^\| `([\w-]+)`", open("docs/dependencies.md").read(), re.M))
    wrong += [f"docs/dependencies.md gives no reason for `{name}`" for name in sorted(direct - listed)]
    wrong += [f"docs/dependencies.md lists `{name}`, which nobody depends on" for name in sorted(listed - direct)]
    for fault in wrong: print("wrong:", fault)
    print(f"{len(seen)} packages from outside, {len(direct)} of them asked for by name; {len(wrong)} wrong")
    if not wrong and shutil.which("cargo-deny"):
        return subprocess.run(["cargo", "deny", "--all-features", "--offline", "check", "licenses", "bans", "sources"]).returncode
    return bool(wrong)

if __name__ == "__main__":
    sys.exit(main())
