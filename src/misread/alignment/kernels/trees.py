"""Edit distance of ordered trees (Zhang & Shasha 1989)."""

import numpy as np

from misread.compiled.jit import jit
from misread.types import FloatArray, IntArray


@jit
def tree_distance(leftmost: IntArray, other_leftmost: IntArray, renaming: FloatArray) -> float:
    """Least cost of turning one tree into another, where inserting or deleting a node costs 1.

    Nodes are in postorder; `leftmost` has the leftmost leaf below each. `renaming` has the cost of turning a node into
    another, shape (nodes, other nodes).
    """
    nodes, others = leftmost.size, other_leftmost.size
    distances = np.zeros((nodes, others))
    forest = np.zeros((nodes + 1, others + 1))
    roots, other_roots = _key_roots(leftmost), _key_roots(other_leftmost)
    for root in roots:
        for other in other_roots:
            first, other_first = leftmost[root], other_leftmost[other]
            rows, columns = root - first + 1, other - other_first + 1
            for row in range(rows + 1):
                forest[row, 0] = row
            for column in range(columns + 1):
                forest[0, column] = column
            for row in range(1, rows + 1):
                node = first + row - 1
                for column in range(1, columns + 1):
                    other_node = other_first + column - 1
                    least = min(forest[row - 1, column], forest[row, column - 1]) + 1.0
                    if leftmost[node] == first and other_leftmost[other_node] == other_first:
                        least = min(least, forest[row - 1, column - 1] + renaming[node, other_node])
                        distances[node, other_node] = least
                    else:
                        before = forest[leftmost[node] - first, other_leftmost[other_node] - other_first]
                        least = min(least, before + distances[node, other_node])
                    forest[row, column] = least
    return float(distances[nodes - 1, others - 1])


@jit
def _key_roots(leftmost: IntArray) -> IntArray:
    """Nodes whose leftmost leaf belongs to no later node, ascending."""
    seen = np.zeros(leftmost.size, np.bool_)
    is_root = np.zeros(leftmost.size, np.bool_)
    for node in range(leftmost.size - 1, -1, -1):
        is_root[node] = not seen[leftmost[node]]
        seen[leftmost[node]] = True
    return np.flatnonzero(is_root)
