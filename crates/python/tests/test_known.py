"""Known values of the literature, and brute force on NetworkX."""

import csv
import pathlib

import destrier
import networkx
import pytest

KNOWN = pathlib.Path(__file__).parents[3] / "known"


def rows():
    """The counts of small boards in `known/counts.tsv`."""
    for line in (KNOWN / "counts.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        quantity, board, value, *_ = line.split("\t")
        width, height = map(int, board.split("x"))
        if quantity in ("closed tours, undirected", "open tours, undirected") and width * height <= 36:
            yield quantity, board, int(value)


@pytest.mark.parametrize("quantity, board, value", list(rows()))
def test_counts_are_those_of_the_literature(quantity, board, value):
    assert destrier.count(board, closed=quantity.startswith("closed")) == value


def test_some_counts_are_known_at_all():
    assert len(list(rows())) > 20


def test_large_counts_are_exact():
    assert destrier.series(3, 24, first=24, closed=True) == [136947616]
    assert destrier.count(3, 60, closed=True) > 2**64


def cycles(graph):
    """The Hamiltonian cycles of a graph, by brute force."""
    nodes = list(graph)
    home, found = nodes[0], 0

    def walk(here, seen):
        nonlocal found
        if len(seen) == len(nodes):
            found += home in graph[here]
            return
        for there in graph[here]:
            if there not in seen:
                walk(there, seen | {there})

    walk(home, frozenset([home]))
    return found // 2


@pytest.mark.parametrize(
    "question",
    [
        {"board": "3x10"},
        {"board": "4x4", "wrap": "both", "leaper": "1,2", "holes": ["a1", "b2", "c3", "d4"]},
        {"board": "5x5", "holes": ["c3"]},
        {"board": "4x5", "leaper": "0,1"},
    ],
)
def test_counts_are_those_of_brute_force_on_the_graph(question):
    graph = destrier.to_networkx(**question)
    assert destrier.count(**question, closed=True) == cycles(graph)


def test_a_graph_is_that_of_the_board():
    graph = destrier.to_networkx("3x3")
    assert networkx.number_of_isolates(graph) == 1
    assert set(graph["a1"]) == {"b3", "c2"}
    assert networkx.is_isomorphic(graph.subgraph(set(graph) - {"b2"}), networkx.cycle_graph(8))
    distances = networkx.single_source_shortest_path_length(destrier.to_networkx(8, 8), "a1")
    assert distances["h8"] == 6 and distances["b2"] == 4


def test_captures_and_swaps_have_their_known_costs():
    with open(KNOWN / "swaps.csv", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    assert any("16" in line for line in lines)
    assert destrier.swap(preset="guarini").cost == 16
    assert destrier.swap(preset="six-knights", metric="runs").cost == 8
    first = destrier.capture("4p/5/2p2/5/N3p")
    assert (first.cost, first.bound, first.proved, first[0]) == (8, 8, True, "a1")


def test_rows_of_a_comparison_can_be_tabled():
    rows = destrier.compare("tour", "6x6", "8x8", methods=["auto", "warnsdorff"], repeat=1)
    assert [(row["question"], row["method"]) for row in rows] == [
        (question, method) for question in ("6x6 open", "8x8 open") for method in ("auto", "warnsdorff")
    ] or len(rows) == 4
    assert all(row["median_s"] > 0 for row in rows)
    with pytest.raises(destrier.QuestionError, match="there is no method `magic`"):
        destrier.compare("tour", "6x6", methods=["magic"])
    assert csv  # the rows come from CSV
