"""Programs are killed, refused what they want and kept waiting at each moment of `src/failpoint.rs`."""

import csv
import json
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

from common import BFS, PATIENCE, ROOT, answer, expect, random_boards
from tables import Tables

ACTIONS = ["kill", "error", "wait"]


def moments():
    """All of them, as the source names them."""
    source = (ROOT / "src/failpoint.rs").read_text().split("enum Failpoint {")[1].split("\n}\n")[0]
    return re.findall(r"^    ([A-Z]\w+),$", source, re.MULTILINE)


class Failpoints:
    def __init__(self, program, dice, tally):
        self.program, self.dice, self.tally = program, dice, tally
        self.boards = program.folder / "failpoints.boards"
        self.boards.write_text(random_boards(dice, 60))
        self.folder = Path(tempfile.mkdtemp(dir=program.folder))
        self.code = program.run(*self.batch()).returncode
        self.records = self.journal_records()
        self.tables = Tables(program, dice)

    def run(self, rounds):
        for _ in range(rounds):
            for moment in moments():
                kind = re.match("[A-Z][a-z]+", moment)[0]
                happens = {"Table": self.to_table, "Cache": self.to_table, "Records": self.to_output,
                           "Statistics": self.to_statistics}.get(kind, self.to_batch)
                for action in ACTIONS:
                    happens(moment, action)
                    self.tally[f"failpoints {kind}…: {action}"] += 1

    def happen(self, moment, action, command, time_of="1", with_others="", **more):
        """Runs a command to which something happens at a moment, which must come. While one waits, so
        does not another."""
        wanted = f"{moment}={action}@{time_of}{with_others}"
        variables = {"PERMUTILE_FAILPOINTS": wanted}
        if action == "wait":
            ran = self.with_another(moment, command, variables, **more)
        else:
            ran = self.program.run(*command, variables=variables, killed=action == "kill", **more)
        expect(f"failpoint {moment}: {action.title()}" in ran.stderr, f"{wanted} did not come\n{ran.said}")
        return ran

    def with_another(self, moment, command, variables, cache=None, text=None):
        environment = {**self.program.environment, **variables}
        if cache:
            environment["PERMUTILE_CACHE"] = str(cache)
        waiting = subprocess.Popen([self.program.path, *map(str, command)], env=environment, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, cwd=self.program.folder)
        if text:
            waiting.stdin.write(text)
        waiting.stdin.close()
        stderr = ""
        while f"failpoint {moment}" not in stderr and (line := waiting.stderr.readline()):
            stderr += line
        time.sleep(0.3 * self.dice.random())
        other = self.program.run(*command, cache=cache, text=text)
        stderr += waiting.stderr.read()
        waiting.wait(timeout=PATIENCE)
        codes = f"exit codes {waiting.returncode} and {other.returncode}"
        expect(waiting.returncode in (0, 1, 2) and "panicked" not in stderr,
               f"{codes}\n{stderr}\n{other.said}")
        other.stderr, other.said = stderr, f"{codes}\n{stderr}\n{other.said}"
        return other

    # --- Batches ---

    def batch(self, start="--resume"):
        folder = self.folder
        return ["batch", self.boards, *BFS, "--threads", self.dice.choice("12"), "--ordered", start,
                "--out", folder / "out.jsonl", "--csv", folder / "table.csv",
                "--summary", folder / self.dice.choice(["summary.json", "summary.txt"])]

    def journal_records(self):
        journal = self.folder / "out.jsonl"
        # A line that is not ended is no record.
        lines = journal.read_text().split("\n")[:-1] if journal.exists() else []
        return list(map(json.loads, lines))

    def to_batch(self, moment, action):
        """Something happens to a batch, and it is run again."""
        self.folder = Path(tempfile.mkdtemp(dir=self.program.folder))
        command, more, before = self.batch(), {}, 0
        if moment in ("JournalEmpty", "JournalMend"):
            lines = [json.dumps(record) + "\n" for record in self.records]
            before = self.dice.randrange(40)
            torn = lines[-1][:self.dice.randrange(1, 200)]
            (self.folder / "out.jsonl").write_text("".join(lines[:before]) + torn)
        if moment.startswith("Tidy"):
            # What is in order already is left as it is.
            before = self.dice.randint(2, 60)
            lines = [json.dumps(record) + "\n" for record in self.records[:before]]
            (self.folder / "out.jsonl").write_text("".join(reversed(lines)))
        if moment == "JournalEmpty":
            command, before = self.batch("--force"), 0
        elif moment == "JournalTakeBack":
            more = {"with_others": ",JournalInside=error" + self.dice.choice(["", "@1..", "@2.."])}
        elif moment in ("JournalAppend", "JournalInside", "JournalAppended", "CsvRow"):
            # Of so many lines, some are written together.
            more = {"time_of": str(self.dice.randint(1, 3))}
            before = int(more["time_of"]) if moment == "JournalAppended" else 0
        if action == "error" and self.dice.random() < 0.5:
            more["time_of"] = more.get("time_of", "1") + ".."
        ran = self.happen(moment, action, command, **more)
        known = {record["board"]: answer(record) for record in self.records}
        left = self.journal_records()
        for record in left:
            expect(answer(record) == known[record["board"]], f"{record} is not true\n{ran.said}")
        expect(len(left) >= before, f"of {before} records, there are {len(left)}\n{ran.said}")
        self.run_again(ran.said)

    def run_again(self, before):
        """With the same command, all is as if nothing had happened."""
        ran = self.program.run(*self.batch())
        said = f"{before}\nand then\n{ran.said}"
        expect(ran.returncode == self.code, f"the exit code is not {self.code}\n{said}")
        records = self.journal_records()
        expect(list(map(answer, records)) == list(map(answer, self.records)), f"records differ\n{said}")
        rows = [row["board"] for row in csv.DictReader((self.folder / "table.csv").open())]
        expect(sorted(rows) == sorted(record["board"] for record in records), f"rows differ\n{said}")
        names = {path.name for path in self.folder.iterdir()} - {"summary.json", "summary.txt"}
        expect(names == {"out.jsonl", "table.csv"}, f"there are {names}\n{said}")

    def to_output(self, moment, action):
        """Of records on standard output, all that are whole are true."""
        command = ["batch", self.boards, *BFS]
        ran = self.happen(moment, action, command, time_of=str(self.dice.randint(1, 3)))
        known = {record["board"]: answer(record) for record in self.records}
        records = list(map(json.loads, ran.stdout.split("\n")[:-1]))
        expect(all(answer(record) == known[record["board"]] for record in records), ran.said)
        expect(action == "kill" or ran.returncode == (2 if action == "error" else self.code), ran.said)

    # --- Tables ---

    def to_table(self, moment, action):
        """Something happens to who builds or reads a table; answers stay right, and the table is
        there in the end."""
        tables = self.tables
        if moment == "TableRead":
            tables.build()
        else:
            # Also those of other sizes that an earlier search has kept.
            for path in tables.cache.glob("*.table"):
                path.unlink()
        solves = self.dice.random() < 0.5
        command = [*tables.SOLVE] if solves else tables.BUILD
        ran = self.happen(moment, action, command, cache=tables.cache)
        if action != "kill":
            codes = (0,) if solves or moment in ("CacheLock", "TableRead") else (0, 2)
            expect(ran.returncode in codes, ran.said)
        if solves and action != "kill":
            expect(json.loads(ran.stdout)["length"] == tables.LENGTH, ran.said)
        tables.solve(*tables.SMALL)
        tables.build()
        expect(tables.file.read_bytes() == tables.whole, f"the table is another one\n{ran.said}")
        # What a killed search has left of a larger one is removed by the next that makes it.
        unfinished = list(tables.cache.glob(f".{tables.file.stem}*.unfinished"))
        expect(not unfinished, f"{unfinished} is left\n{ran.said}")

    # --- The game ---

    def to_statistics(self, moment, action):
        """Something happens to who plays; the statistics can be read, and count on."""
        folder = Path(tempfile.mkdtemp(dir=self.program.folder))
        self.program.environment["PERMUTILE_DATA"] = str(folder)
        play = ["play", "--plain", "sliding3", "--exact-depth", "3", "--seed", "4"]
        text = "right\nup\nleft\n"
        solved = self.games(folder, play, text)
        ran = self.happen(moment, action, play, time_of=str(self.dice.randint(1, 2)), text=text)
        now = self.games(folder, play, text)
        expected = range(solved + 1, solved + 4)
        expect(now in expected, f"{now} games are solved, after {solved}\n{ran.said}")
        names = {path.name for path in folder.iterdir()}
        expect(names == {"statistics.json", "statistics.lock"}, f"there are {names}\n{ran.said}")

    def games(self, folder, play, text):
        """How many games are solved after another one."""
        self.program.run(*play, text=text).check_returncode()
        [figures] = json.loads((folder / "statistics.json").read_text())["games"].values()
        return figures["solved"]
