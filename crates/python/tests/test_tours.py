"""Tours as sequences, grids, files and numbers."""

import copy
import functools
import itertools
import json
import pathlib
import subprocess
import sys

import destrier
import numpy
import pytest
from hypothesis import given, settings, strategies

sides = strategies.integers(1, 9)


@settings(max_examples=60, deadline=None)
@given(sides, sides, strategies.booleans(), strategies.randoms())
def test_a_tour_is_a_sequence_of_all_squares(width, height, closed, random):
    try:
        tour = destrier.tour(width, height, closed=closed)
    except destrier.Impossible as none:
        assert destrier.verify(none.certificate)["valid"]
        return
    assert len(tour) == width * height == len(set(tour))
    for earlier, later in itertools.pairwise(tour) if hasattr(itertools, "pairwise") else zip(tour, tour[1:]):
        (one, other), (file, rank) = destrier.coordinates(earlier), destrier.coordinates(later)
        assert sorted((abs(one - file), abs(other - rank))) == [1, 2]
    step = random.randint(1, len(tour))
    square = tour.at(step)
    assert tour.step_of(square) == step and tour[step - 1] == square == tour[step - 1 - len(tour)]
    assert tour.index(square) == step - 1 and square in tour and tour.count(square) == 1
    assert list(reversed(tour)) == tour[::-1] == list(tour)[::-1]
    grid = tour.grid
    assert grid.shape == (height, width)
    file, rank = destrier.coordinates(square)
    assert grid[height - 1 - rank, file] == step
    assert sorted(grid.ravel()) == list(range(1, width * height + 1))
    again = destrier.Tour.of(str(tour), width, height, closed=closed)
    assert again == tour and hash(again) == hash(tour)
    assert destrier.verify(tour)["valid"] and destrier.verify(str(tour), f"{width}x{height}")["valid"]


@functools.lru_cache(maxsize=None)
def census_of(width, height, closed):
    return destrier.census(width, height, closed=closed)


@settings(max_examples=30, deadline=None)
@given(strategies.sampled_from([(3, 4, False), (6, 6, True), (5, 5, False)]), strategies.integers(0, 2**64 - 1))
def test_a_tour_and_its_number_are_the_same(question, number):
    width, height, closed = question
    census = census_of(*question)
    number %= census.total
    tour = census[number]
    assert census.rank(tour) == number
    assert census.rank(destrier.Tour.of(reversed(tour), width, height, closed=closed)) == number
    assert census.sample(3, seed=number) == census.sample(3, seed=number)


def test_numbers_without_a_census_are_the_same():
    tour = destrier.unrank(5, 5, 17)
    assert tour == census_of(5, 5, False)[17] == destrier.unrank("5x5", 17) and destrier.rank(tour) == 17
    assert destrier.sample(5, 5, n=4, seed=3) == census_of(5, 5, False).sample(4, seed=3)


def test_a_census_is_the_list_of_all_tours():
    census = destrier.census(3, 4)
    assert len(census) == 8 == len(set(census)) and census[-1] == census[7] == census[6:][1]
    assert {frozenset((tour.at(1), tour.at(12))) for tour in census} == {
        frozenset((tour.at(1), tour.at(12))) for tour in destrier.enumerate(3, 4)
    }
    with pytest.raises(IndexError, match="there is no number 8: the open tours of 3x4 are numbered 0 to 7"):
        census[8]
    with pytest.raises(destrier.Impossible):
        destrier.sample(4, 4)


def test_tours_are_listed_while_they_are_asked_for():
    some = list(itertools.islice(destrier.enumerate(6, 6, closed=True), 1000))
    assert len(set(some)) == 1000 and all(tour.closed for tour in some)
    assert sum(1 for _ in destrier.enumerate(5, 5, start="a1")) == 304
    assert sum(1 for _ in destrier.enumerate(6, 6, closed=True, limit=10)) == 10
    assert list(destrier.enumerate(4, 4)) == []
    with pytest.raises(destrier.Undecided, match="the node limit was reached"):
        list(destrier.enumerate(7, 7, node_limit=10_000, method="backtrack"))
    with pytest.raises(destrier.QuestionError, match="there is no method `magic`"):
        destrier.enumerate(5, 5, method="magic")


def test_a_huge_tour_is_never_stored(tmp_path):
    tour = destrier.tour(10**6, 10**6, closed=True)
    assert len(tour) == 10**12
    assert tour.step_of(tour[-1]) == 10**12
    assert tour[123456789:123456792] == [tour.at(step) for step in (123456790, 123456791, 123456792)]
    with pytest.raises(OverflowError, match="too large"):
        tour.grid
    with pytest.raises(destrier.QuestionError, match="no certificate"):
        tour.certificate
    with pytest.raises(destrier.QuestionError, match=r"as \.txt or \.bin, not as `\.svg`"):
        tour.save(tmp_path / "tour.svg")
    assert tour._repr_svg_() is None and "1000000000000 squares" in repr(tour)


def test_a_planned_tour_has_a_grid_and_files(tmp_path):
    tour = destrier.tour(2100, 2000)
    grid = tour.grid
    assert grid.shape == (2000, 2100) and grid.dtype == numpy.uint32 and not grid.flags.owndata
    file, rank = destrier.coordinates(tour.at(1_234_567))
    assert grid[1999 - rank, file] == 1_234_567
    tour.save(tmp_path / "tour.bin")
    numbers = numpy.fromfile(tmp_path / "tour.bin", dtype="<u4").reshape(2000, 2100)
    assert (numbers[::-1] == grid).all()
    tour.save(tmp_path / "tour.txt")
    assert (tmp_path / "tour.txt").read_text().split(" ", 3)[:3] == tour[:3]


def test_answers_are_saved_in_every_form(tmp_path):
    tour = destrier.tour(6, 6, closed=True, symmetry="half-turn")
    plan = destrier.swap(preset="guarini")
    walk = destrier.capture(board=(5, 5), start="a1", pieces=[(4, 4), "c3", "e1"])
    begins = {"svg": b"<svg", "png": b"\x89PNG", "gif": b"GIF89a", "json": b"{", "csv": b"", "fen": b"", "txt": b""}
    for answer in (tour, plan, walk):
        for kind, head in begins.items():
            path = tmp_path / f"answer.{kind}"
            answer.save(path)
            content = path.read_bytes()
            assert content.lstrip().startswith(head) and len(content) > 5, kind
        assert destrier.verify(tmp_path / "answer.json")["valid"]
        assert answer._repr_svg_().lstrip().startswith("<svg")
        with pytest.raises(destrier.QuestionError, match=r"unknown file extension `\.doc`; there are \.svg"):
            answer.save(tmp_path / "answer.doc")
    assert walk.taken == ["e1", "e5", "c3"] or len(walk.taken) == 3


def test_a_spoilt_certificate_is_refused_with_its_step():
    certificate = destrier.tour(5, 5).certificate
    spoilt = copy.deepcopy(certificate)
    text = json.dumps(spoilt)
    squares = destrier.tour(5, 5)
    assert destrier.verify(certificate)["valid"]
    wrong = text.replace(squares[3], "zz99")
    verdict = destrier.verify(json.loads(wrong))
    assert not verdict["valid"] and verdict["fault"]["message"]
    swapped = [*squares[:3], squares[4], squares[3], *squares[5:]]
    verdict = destrier.verify(" ".join(swapped), "5x5")
    assert not verdict["valid"] and verdict["fault"]["step"] == 4


def test_progress_is_told_and_limits_hold():
    heard = []
    for limit in ("400ms", "4s", "40s"):  # a slow machine takes a later one
        with pytest.raises(destrier.Undecided, match="the time limit was reached"):
            destrier.count(9, 10, time_limit=limit, progress=heard.append)
        if heard:
            break
    assert heard and all("nodes" in report and "text" in report for report in heard)
    with pytest.raises(ZeroDivisionError):
        destrier.count(8, 8, time_limit=60, progress=lambda _: 1 // 0)
    with pytest.raises(destrier.Undecided) as stopped:
        destrier.swap(board="6x4", rows=1, method="best-first", node_limit=1)
    assert stopped.value.best is None or stopped.value.best.cost > 0
    with pytest.raises(destrier.QuestionError, match="is not an amount of memory; write 500M or 4G"):
        destrier.count(6, 6, memory="much")
    assert destrier.count(6, 6, closed=True, memory="64M", threads=2, progress=True) == 9862


def test_an_interrupt_stops_a_long_call():
    script = (
        "import destrier, os, signal, threading, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # whoever runs the tests may ignore Ctrl-C
        "def interrupt():\n"
        "    begun = time.process_time()\n"
        "    while time.process_time() < begun + 0.3: time.sleep(0.01)\n"  # only the search takes that much
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "try:\n"
        "    threading.Thread(target=interrupt).start()\n"
        "    destrier.count(9, 10)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600)
    assert (run.returncode, run.stdout) == (0, "interrupted\n"), run.stderr


def test_other_threads_run_while_a_search_does():
    script = (
        "import destrier, threading\n"
        "ticks = []\n"
        "def tick():\n"
        "    while len(ticks) < 20: ticks.append(1)\n"
        "def count():\n"
        "    try: destrier.count(9, 10, time_limit=60, progress=lambda _: len(ticks) < 20 or 1 // 0)\n"
        "    except ZeroDivisionError: pass\n"
        "threads = [threading.Thread(target=count), threading.Thread(target=tick)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "print(len(ticks))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600)
    assert (run.returncode, run.stdout) == (0, "20\n"), run.stderr


def test_the_wheel_carries_the_command():
    for arguments in ([destrier.command()], [sys.executable, "-m", "destrier"]):
        run = subprocess.run([*arguments, "count", "6x6", "--closed"], capture_output=True, text=True)
        assert run.stdout.startswith("closed tours of 6x6: 9862 undirected"), run.stderr
        assert subprocess.run([*arguments, "tour", "5x5", "--closed"], capture_output=True).returncode == 1
    version = subprocess.run([destrier.command(), "--version"], capture_output=True, text=True).stdout
    assert version.split()[:2] == ["destrier", destrier.__version__]


def test_the_grid_needs_no_numpy():
    script = "import sys; sys.modules['numpy'] = None; import destrier; print(destrier.tour(3, 4).grid.tolist()[0])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout == f"{destrier.tour(3, 4).grid.tolist()[0]}\n", run.stderr


def test_the_package_is_typed():
    folder = pathlib.Path(destrier.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_native.pyi").exists()
