#!/usr/bin/env python3
"""Executes a notebook and compares its outputs with those it holds: `ci/notebook.py FILE`; `--write` renews them.

Pictures are compared as text, too: the answers are the same everywhere.
"""
import sys

import nbclient
import nbformat


def outputs(notebook):
    """What the cells print and show, as texts by cell."""
    shown = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            parts = [(out.get("text") or "") + str(sorted((out.get("data") or {}).items())) for out in cell.outputs]
            shown.append((cell.source, "\n".join(parts)))
    return shown


def main(path, write):
    kept = nbformat.read(path, as_version=4)
    run = nbclient.NotebookClient(nbformat.from_dict(kept), timeout=300, kernel_name="python3").execute()
    for cell in run.cells:
        cell.metadata.pop("execution", None)
    run.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    if write:
        nbformat.write(run, path)
        return 0
    wrong = [(source, old, new) for (source, old), (_, new) in zip(outputs(kept), outputs(run)) if old != new]
    for source, old, new in wrong:
        print(f"{path}: this cell has other outputs now:\n{source}\n--- kept\n{old[:400]}\n--- now\n{new[:400]}")
    print(f"{path}: {len(run.cells)} cells, {len(wrong)} with other outputs")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--write" in sys.argv))
