"""What all kinds of faults share: the program, boards, and what a violation is."""

import os
import shlex
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The machine may be busy: nothing takes this long, unless it hangs.
PATIENCE = 300


class Violation(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Violation(text)


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.environment = dict(os.environ, PERMUTILE_CACHE=str(folder / "cache"))

    def run(self, *arguments, cache=None, prepare=None, program=None, variables=None, killed=False,
            text=None):
        """Runs a command to its end; it must end by itself, and without a panic, unless it is killed."""
        environment = dict(self.environment, **({"PERMUTILE_CACHE": str(cache)} if cache else {}),
                           **(variables or {}))
        command = [program or self.path, *map(str, arguments)]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=self.folder,
                             stdin=None if text else subprocess.DEVNULL, input=text, timeout=PATIENCE,
                             preexec_fn=prepare)
        if ran.returncode == 127:
            # The system could not load it.
            raise OSError(ran.stderr)
        said = f"  {shlex.join(command)}\n  exit code {ran.returncode}\n{ran.stderr}"
        expect(ran.returncode in ((-signal.SIGKILL,) if killed else (0, 1, 2, 3, 130)), said)
        expect("panicked" not in ran.stderr, said)
        ran.said = said
        return ran


BFS = ["--algorithm", "bfs"]


def random_boards(dice, count):
    """A collection of 8-puzzles and 3x3 tori at all distances, some unsolvable, some malformed."""
    lines = []
    for number in range(count):
        tiles = list(range(9)) if dice.random() < 0.8 else list(range(1, 10))
        dice.shuffle(tiles)
        if dice.random() < 0.05:
            tiles[0] = tiles[1]
        lines.append(f"b{number}: " + " ".join(map(str, tiles)))
    return "\n".join(lines) + "\n"


def answer(record):
    return record["status"], record["length"], record["optimal"], record.get("start")


def is_interrupted(record):
    return "interrupted" in (record["status"], record.get("stopped_by"))
