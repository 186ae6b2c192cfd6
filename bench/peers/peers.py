#!/usr/bin/env python3
"""One peer on one question: `peers.py PEER KIND DATA SECONDS`; prints a line of JSON with the answer and its time.

The time is the computing time (of all threads) for building the model and solving it, without the start of Python and
the import of the library, as Destrier's own time leaves out the start of its process. A peer that is not installed
says so and exits with code 4.
"""
import importlib, json, sys, time

JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]


def need(module):
    try:
        return importlib.import_module(module)
    except ImportError as error:
        print(json.dumps({"absent": str(error)}))
        sys.exit(4)


def board(data):
    width, height = map(int, data.split("x"))
    squares = [(x, y) for y in range(height) for x in range(width)]
    number = {square: i for i, square in enumerate(squares)}
    edges = [(number[x, y], number[x + dx, y + dy]) for x, y in squares for dx, dy in JUMPS
             if (x + dx, y + dy) in number]
    return squares, edges


def names(squares):
    def letters(x):
        return (letters(x // 26 - 1) if x >= 26 else "") + chr(97 + x % 26)
    return [letters(x) + str(y + 1) for x, y in squares]


def puzzle(path):
    """Distances from the knight (index 0) and between all pieces, in jumps."""
    lines = open(path).read().split("\n")
    side = int(lines[0].split()[0])
    rows = lines[1:1 + side]
    stops = [(x, y) for y in range(side) for x in range(side) if rows[y][x] == "3"]
    stops += [(x, y) for y in range(side) for x in range(side) if rows[y][x] == "1"]
    table = []
    for start in stops:
        seen, layer, depth = {start: 0}, [start], 0
        while layer:
            depth += 1
            layer = [(x + dx, y + dy) for x, y in layer for dx, dy in JUMPS]
            layer = [s for s in dict.fromkeys(layer) if 0 <= s[0] < side and 0 <= s[1] < side and s not in seen]
            seen.update((square, depth) for square in layer)
        table.append([seen.get(stop, 10 ** 6) for stop in stops])
    return table


def length(table, order):
    assert sorted(order) == list(range(len(table))) and order[0] == 0, "every piece once, from the knight"
    return sum(table[a][b] for a, b in zip(order, order[1:]))


def circuit(model_arcs, seconds, objective=None, count_all=False):
    """A Hamiltonian cycle over arcs by CP-SAT: its successor of each node, or the number of all cycles."""
    cp_model = need("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    arcs = [(a, b, model.new_bool_var("")) for a, b in model_arcs]
    model.add_circuit(arcs)
    if objective:
        model.minimize(sum(objective(a, b) * x for a, b, x in arcs))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    if count_all:
        class Count(cp_model.CpSolverSolutionCallback):
            number = 0
            def on_solution_callback(self):
                self.number += 1
        solver.parameters.enumerate_all_solutions = True
        seen = Count()
        done = solver.solve(model, seen) == cp_model.OPTIMAL
        return done, seen.number
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return False, None
    return status == cp_model.OPTIMAL, {a: b for a, b, x in arcs if solver.value(x)}


def follow(after, start=0):
    order, at = [start], after[start]
    while at != start:
        order.append(at)
        at = after[at]
    return order


def graphillion_count(data, _):
    GraphSet = need("graphillion").GraphSet
    begun = time.process_time()
    squares, edges = board(data)
    GraphSet.set_universe([(a + 1, b + 1) for a, b in edges if a < b])
    # The library's own Hamiltonian cycles: every vertex in the cycle.
    number = GraphSet.cycles(is_hamilton=True).len()
    return {"answer": str(number)}, begun


def cpsat_tour(data, seconds):
    need("ortools.sat.python.cp_model")
    begun = time.process_time()
    squares, edges = board(data)
    _, after = circuit(edges, seconds)
    if after is None:
        return {"gave_up": "no tour within the time limit"}, begun
    return {"answer": "a tour", "tour": " ".join(names([squares[i] for i in follow(after)]))}, begun


def cpsat_count(data, seconds):
    need("ortools.sat.python.cp_model")
    begun = time.process_time()
    _, edges = board(data)
    done, number = circuit(edges, seconds, count_all=True)
    if not done:
        return {"gave_up": f"{number // 2} tours listed by the time limit"}, begun
    return {"answer": str(number // 2)}, begun


def cpsat_capture(path, seconds):
    need("ortools.sat.python.cp_model")
    begun = time.process_time()
    table = puzzle(path)
    number = len(table)
    # An open path from the knight: the way back to it is free.
    arcs = [(a, b) for a in range(number) for b in range(number) if a != b]
    done, after = circuit(arcs, seconds, objective=lambda a, b: 0 if b == 0 else table[a][b])
    if after is None:
        return {"gave_up": "no plan within the time limit"}, begun
    moves = length(table, follow(after))
    if not done:
        return {"gave_up": f"best {moves}, not proved", "best": moves}, begun
    return {"answer": f"{moves}, proved"}, begun


def closing(table):
    """The open path as a cycle: a way back to the knight costs nothing."""
    return [[0 if b == 0 else d for b, d in enumerate(row)] for row in table]


def cycle_from_start(order):
    at = order.index(0)
    return order[at:] + order[:at]


def elkai_tour(data, _):
    elkai = need("elkai")
    begun = time.process_time()
    squares, edges = board(data)
    if len(squares) > 2500:
        return {"unsuited": "its matrix of distances would not fit memory"}, begun
    matrix = [[1] * len(squares) for _ in squares]
    for a, b in edges:
        matrix[a][b] = 0
    order = elkai.DistanceMatrix(matrix).solve_tsp()[:-1]
    if sum(matrix[a][b] for a, b in zip(order, order[1:] + order[:1])):
        return {"gave_up": "its best cycle is no tour"}, begun
    return {"answer": "a tour", "tour": " ".join(names([squares[i] for i in order]))}, begun


def elkai_capture(path, _):
    elkai = need("elkai")
    begun = time.process_time()
    table = puzzle(path)
    order = cycle_from_start(elkai.DistanceMatrix(closing(table)).solve_tsp()[:-1])
    return {"answer": f"{length(table, order)}, not proved"}, begun


def pythontsp_capture(path, _):
    need("python_tsp.exact")
    numpy = need("numpy")
    from python_tsp.exact import solve_tsp_dynamic_programming as exact
    from python_tsp.heuristics import solve_tsp_local_search as local
    begun = time.process_time()
    table = puzzle(path)
    if len(table) > 16:
        order, _ = local(numpy.array(closing(table)), perturbation_scheme="two_opt")
    else:
        order, _ = exact(numpy.array(closing(table)))
    claim = "not proved" if len(table) > 16 else "proved"
    return {"answer": f"{length(table, cycle_from_start(list(order)))}, {claim}"}, begun


def fasttsp_capture(path, _):
    fast_tsp = need("fast_tsp")
    begun = time.process_time()
    table = puzzle(path)
    # It wants equal ways there and back: a stop that is beside the knight and nowhere else closes the path.
    number, far = len(table), 1000
    matrix = [row + [0 if a == 0 else far] for a, row in enumerate(table)] + [[0] + [far] * (number - 1) + [0]]
    order = fast_tsp.find_tour(matrix, duration_seconds=1.0)
    order = cycle_from_start(order)
    order = order[1:] + order[:1] if order[1] == number else order[:]
    order = [stop for stop in order if stop != number]
    order = order if order[0] == 0 else order[::-1]
    return {"answer": f"{length(table, order)}, not proved"}, begun


def networkx_capture(path, _):
    networkx = need("networkx")
    begun = time.process_time()
    table = puzzle(path)
    graph = networkx.DiGraph()
    back = closing(table)
    for a, row in enumerate(back):
        for b, distance in enumerate(row):
            if a != b:
                graph.add_edge(a, b, weight=distance)
    approximation = need("networkx.algorithms.approximation")
    order = approximation.simulated_annealing_tsp(graph, "greedy", source=0, seed=1)[:-1]
    return {"answer": f"{length(table, order)}, not proved"}, begun


def networkx_swap(data, _):
    networkx = need("networkx")
    begun = time.process_time()
    start, goal = (fen.split("/") for fen in data.split())
    def cells(rows):
        return tuple("".join("." * int(c) if c.isdigit() else c for c in "".join(rows)))
    width = sum(int(c) if c.isdigit() else 1 for c in start[0])
    height = len(start)
    at = lambda x, y: y * width + x
    near = [[at(x + dx, y + dy) for dx, dy in JUMPS if 0 <= x + dx < width and 0 <= y + dy < height]
            for y in range(height) for x in range(width)]
    graph, first, last = networkx.Graph(), cells(start), cells(goal)
    stack, seen = [first], {first}
    while stack:
        state = stack.pop()
        for i, piece in enumerate(state):
            if piece != ".":
                for j in near[i]:
                    if state[j] == ".":
                        then = list(state)
                        then[i], then[j] = ".", piece
                        then = tuple(then)
                        graph.add_edge(state, then)
                        if then not in seen:
                            seen.add(then)
                            stack.append(then)
    return {"answer": f"{networkx.shortest_path_length(graph, first, last)}, proved"}, begun


PEERS = {
    ("graphillion", "count"): graphillion_count,
    ("cp-sat", "tour"): cpsat_tour,
    ("cp-sat", "count"): cpsat_count,
    ("cp-sat", "capture"): cpsat_capture,
    ("elkai", "tour"): elkai_tour,
    ("elkai", "capture"): elkai_capture,
    ("python-tsp", "capture"): pythontsp_capture,
    ("fast-tsp", "capture"): fasttsp_capture,
    ("networkx", "capture"): networkx_capture,
    ("networkx", "swap"): networkx_swap,
}

if __name__ == "__main__":
    peer, kind, data, seconds = sys.argv[1:5]
    # The limit on computing time is kept outside; a busy machine may take much longer for it.
    said, begun = PEERS[peer, kind](data, 10 * float(seconds))
    said["seconds"] = time.process_time() - begun
    print(json.dumps(said))
