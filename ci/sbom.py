#!/usr/bin/env python3
"""What a program is made of, as CycloneDX 1.5: `ci/sbom.py [PACKAGE [TARGET]] > FILE`, by default the command for static Linux.

The packages are those that Cargo builds into the program, with versions and checksums from Cargo.lock and the licences that they state.
"""
import json, subprocess, sys, tomllib


def main(package="destrier-cli", target="x86_64-unknown-linux-musl"):
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    packages = {entry["id"]: entry for entry in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    with open("Cargo.lock", "rb") as lock:
        locked = {(entry["name"], entry["version"]): entry.get("checksum") for entry in tomllib.load(lock)["package"]}

    def needs(node):
        """What is built into a package: neither for its tests nor for its build scripts."""
        return sorted(need["pkg"] for need in nodes[node]["deps"] if any(kind["kind"] is None for kind in need["dep_kinds"]))

    root = next(name for name, entry in packages.items() if entry["name"] == package)
    found, waiting = {root}, [root]
    while waiting:
        fresh = set(needs(waiting.pop())) - found
        found |= fresh
        waiting += fresh

    def reference(name):
        return f"pkg:cargo/{packages[name]['name']}@{packages[name]['version']}"

    def component(name):
        entry = packages[name]
        part = {"type": "application" if name == root else "library", "bom-ref": reference(name), "name": entry["name"],
                "version": entry["version"], "purl": reference(name)}
        if entry["description"]:
            part["description"] = entry["description"]
        if entry["license"]:
            part["licenses"] = [{"expression": entry["license"].replace("/", " OR ")}]
        if locked.get((entry["name"], entry["version"])):
            part["hashes"] = [{"alg": "SHA-256", "content": locked[entry["name"], entry["version"]]}]
        return part

    parts = sorted(found - {root}, key=reference)
    print(json.dumps({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": component(root), "properties": [{"name": "target", "value": target}]},
        "components": [component(name) for name in parts],
        "dependencies": [{"ref": reference(name), "dependsOn": [reference(need) for need in needs(name)]} for name in [root, *parts]],
    }, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
