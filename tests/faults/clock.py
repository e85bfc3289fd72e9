"""The clock jumps by a day, forwards and backwards, while a batch runs or a table is built.

That is done by libfaketime (`apt-get install faketime`), which reads from a file what time it is. The
system's monotonic clock does not jump; where it is made to all the same, limits come early.
"""

import json
import subprocess
import tempfile
import time
from pathlib import Path

from common import BFS, PATIENCE, answer, expect, random_boards

LIBRARIES = ["/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib/faketime/libfaketimeMT.so.1"]


def library():
    found = [path for pattern in LIBRARIES for path in Path("/").glob(pattern[1:])]
    return found[0] if found else None


class Clock:
    def __init__(self, program, dice, tables, tally):
        self.program, self.dice, self.tables, self.tally = program, dice, tables, tally
        self.library = library()
        self.boards = program.folder / "clock.boards"
        self.boards.write_text(random_boards(dice, 60))

    def run(self, rounds):
        if not self.library:
            self.tally["clock jumps, left out: there is no libfaketime here"] += 1
            return
        folder = Path(tempfile.mkdtemp(dir=self.program.folder))
        self.whole, seconds = self.batch(folder, None)
        for _ in range(rounds):
            for jump in ("+1d", "-1d", "+1d monotonic"):
                self.batch(folder, jump, seconds)
                self.build(jump)
                self.answer_in_time(jump)
                self.tally[f"the clock jumps: {jump}"] += 3

    def jump(self, command, jump, after, cache=None):
        """Runs a command during which the clock jumps: what it printed, and how long it took."""
        now = Path(tempfile.mkstemp(dir=self.program.folder)[1])
        now.write_text("+0\n")
        environment = {**self.program.environment, "LD_PRELOAD": str(self.library),
                       "FAKETIME_TIMESTAMP_FILE": str(now), "FAKETIME_NO_CACHE": "1",
                       "FAKETIME_DONT_FAKE_MONOTONIC": "0" if "monotonic" in (jump or "") else "1"}
        if cache:
            environment["PERMUTILE_CACHE"] = str(cache)
        began = time.monotonic()
        process = subprocess.Popen([self.program.path, *map(str, command)], env=environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=self.program.folder)
        if jump:
            time.sleep(after)
            # In one step: the file is read all the time.
            other = now.with_suffix(".new")
            other.write_text(jump.split()[0] + "\n")
            other.rename(now)
        stdout, stderr = process.communicate(timeout=PATIENCE)
        seconds = time.monotonic() - began
        said = f"the clock jumps: {jump}, after {after:.2f} s\n  {command}\n{stderr}"
        # 2 is that of malformed boards, too; an error is told.
        expect(process.returncode in (0, 1, 2, 3) and "panicked" not in stderr, said)
        early = "monotonic" in (jump or "") and "the time limit was reached" in stderr
        expect("error:" not in stderr or early, said)
        return stdout, seconds, said

    def batch(self, folder, jump, seconds=0.0):
        """The records, and how long it takes."""
        journal = folder / "out.jsonl"
        journal.unlink(missing_ok=True)
        command = ["batch", self.boards, *BFS, "--timeout", "1h", "--ordered", "--out", journal]
        _, took, said = self.jump(command, jump, seconds * self.dice.random())
        records = list(map(json.loads, journal.read_text().splitlines()))
        if jump:
            expect(len(records) == len(self.whole), f"{len(records)} records\n{said}")
            for record, known in zip(records, self.whole):
                early = "monotonic" in jump and record["status"] == "timeout"
                expect(early or answer(record) == answer(known), f"{record}\n{said}")
            self.program.run("verify", journal, "--boards", self.boards).check_returncode()
            # What was too late is searched again, by a clock that does not jump.
            ran = self.program.run("batch", self.boards, *BFS, "--ordered", "--resume", "--retry", "timeout",
                                   "--out", journal)
            again = list(map(json.loads, journal.read_text().splitlines()))
            expect(list(map(answer, again)) == list(map(answer, self.whole)), f"{said}\n{ran.said}")
        return records, took

    def build(self, jump):
        """A table is the same whatever the clock does; one that comes to be from the future, too."""
        tables = self.tables
        tables.file.unlink(missing_ok=True)
        command = [*tables.BUILD, "--timeout", "1h"]
        _, _, said = self.jump(command, jump, 0.1 * self.dice.random(), cache=tables.cache)
        if "monotonic" not in jump:
            expect(tables.file.read_bytes() == tables.whole, f"the table is another one\n{said}")
        self.program.run("tables", "list", cache=tables.cache).check_returncode()
        tables.solve(*tables.SMALL)
        tables.build()
        expect(tables.file.read_bytes() == tables.whole, f"the table is another one\n{said}")

    def answer_in_time(self, jump):
        """A limit of a second is one of a second: not none, and not of no time."""
        hard = ["solve", "15 10 8 12/11 14 9 13/2 6 5 1/3 7 4 0", "--algorithm", "ida", "--heuristic",
                "misplaced", "--timeout", "1", "--json", "--no-cache"]
        stdout, seconds, said = self.jump(hard, jump, 0.5 * self.dice.random())
        record = json.loads(stdout)
        expect(record["status"] == "timeout", f"{record}\n{said}")
        early = "monotonic" in jump
        expect(seconds < 60 and (early or seconds > 0.9), f"it took {seconds:.2f} s\n{said}")
