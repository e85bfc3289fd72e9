"""Batches are killed, interrupted, terminated and hung up on at random moments, in all modes."""

import csv
import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from common import BFS, PATIENCE, Violation, answer, expect, is_interrupted, random_boards

SIGNALS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


class Mode:
    """A way to run a batch: its options, and how it is run the first time, if that differs."""

    def __init__(self, name, options, first=None, shards=1, csv=False, mpi=False):
        self.name, self.options, self.first = name, options, first or options
        self.shards, self.csv, self.mpi = shards, csv, mpi


MODES = [
    Mode("plain", BFS),
    Mode("ordered", [*BFS, "--ordered"]),
    Mode("sharded", BFS, shards=3),
    Mode("within", ["--algorithm", "pastar", "--heuristic", "zero", "--parallel", "within"]),
    Mode("csv", [*BFS, "--csv", "table.csv", "--summary", "summary.json"], csv=True),
    Mode("retry", [*BFS, "--retry", "node-limit", "--max-nodes", "200000"],
         first=[*BFS, "--max-nodes", "3000"]),
    Mode("ordered retry", [*BFS, "--retry", "node-limit", "--max-nodes", "200000", "--ordered"],
         first=[*BFS, "--max-nodes", "3000", "--ordered"]),
    Mode("auto", ["--exact", "--heuristic", "zero"]),
    Mode("over MPI", BFS, mpi=True),
]


class Interruptions:
    def __init__(self, program, dice, mpi):
        self.program, self.dice, self.mpi = program, dice, mpi
        self.tally, self.rounds = Counter(), 0
        self.modes = [mode for mode in MODES if mpi or not mode.mpi]
        self.boards = program.folder / "random.boards"
        self.boards.write_text(random_boards(dice, 60))
        self.references = {}

    def command(self, mode, options, journal, shard):
        command = ["batch", str(self.boards), *options, "--threads", "2", "--out", str(journal), "--resume"]
        if mode.shards > 1:
            command += ["--shard", f"{shard}/{mode.shards}"]
        if mode.mpi:
            return ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", self.mpi, *command]
        return [self.program.path, *command]

    def finish(self, command):
        """Runs a command to its end. What was killed may hold its lock for a moment."""
        for _ in range(100):
            ran = self.program.run(*command[1:], program=command[0])
            if "another run is writing" not in ran.stderr:
                return ran
            time.sleep(0.1)
        raise Violation(f"the journal stays locked\n{ran.said}")

    def reference(self, mode):
        """What a run gives that nobody disturbs, its exit codes, and how long it takes."""
        if mode.name not in self.references:
            records, codes, began = {}, [], time.monotonic()
            for shard in range(1, mode.shards + 1):
                journal = self.program.folder / "reference.jsonl"
                journal.unlink(missing_ok=True)
                options = [word for word in mode.options if word not in ("--retry", "node-limit")]
                codes.append(self.finish(self.command(mode, options, journal, shard)).returncode)
                for record in map(json.loads, journal.read_text().splitlines()):
                    records[record["board"]] = record
            self.references[mode.name] = records, codes, time.monotonic() - began
        return self.references[mode.name]

    def run(self, rounds):
        while self.rounds < rounds:
            # A job of several processes takes a second to begin.
            mode = self.dice.choice(self.modes)
            if mode.mpi and self.dice.random() < 0.5:
                continue
            folder = Path(tempfile.mkdtemp(dir=self.program.folder))
            reference, codes, seconds = self.reference(mode)
            records = {}
            for shard in range(1, mode.shards + 1):
                journal = folder / "out.jsonl"
                journal.unlink(missing_ok=True)
                self.disturb(mode, mode.first, journal, shard, reference, seconds)
                if mode.first is not mode.options:
                    self.finish(self.command(mode, mode.first, journal, shard))
                    self.disturb(mode, mode.options, journal, shard, reference, seconds)
                ran = self.finish(self.command(mode, mode.options, journal, shard))
                expect(ran.returncode == codes[shard - 1], f"the exit code is wrong\n{ran.said}")
                lines = [json.loads(line) for line in journal.read_text().splitlines()]
                expect("--ordered" not in mode.options or
                       lines == sorted(lines, key=lambda r: list(reference).index(r["board"])),
                       f"{journal} is not in order")
                for record in lines:
                    expect(record["board"] not in records, f"{record['board']} is twice in {journal}")
                    records[record["board"]] = record
                left = sorted(path.name for path in folder.iterdir())
                expect(left == ["out.jsonl"], f"{folder} has {left}")
            expect({board: answer(record) for board, record in records.items()}
                   == {board: answer(record) for board, record in reference.items()},
                   f"{mode.name}: {folder} differs from a run that was not disturbed")
            if mode.csv:
                rows = list(csv.DictReader((self.program.folder / "table.csv").open()))
                expect(sorted(row["board"] for row in rows) == sorted(reference), "the CSV differs")
            if not mode.shards > 1:
                self.program.run("verify", journal, "--boards", self.boards).check_returncode()
            shutil.rmtree(folder)

    def disturb(self, mode, options, journal, shard, reference, seconds):
        """Starts a batch and stops it, some times."""
        before = set()
        for _ in range(self.dice.randint(1, 4)):
            how = self.dice.choice(SIGNALS)
            command = self.command(mode, options, journal, shard)
            process = subprocess.Popen(command, env=self.program.environment, cwd=self.program.folder,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True, start_new_session=True)
            # Many moments of interest are at the beginning and at the end.
            time.sleep(self.dice.choice([0.02, 0.3, 1, 1.1]) * self.dice.random() * seconds / mode.shards)
            if mode.mpi and how == signal.SIGKILL:
                self.kill_a_rank(process)
            else:
                process.send_signal(how)
            _, said = process.communicate(timeout=PATIENCE)
            expect("panicked" not in said, f"{shlex.join(command)}\n{said}")
            if not mode.mpi and how != signal.SIGKILL:
                # A signal before the program has begun ends it as usual.
                codes = (0, 1, 2, 3, 130, -how)
                expect(process.returncode in codes, f"exit code {process.returncode} after {how}\n{said}")
            if (journal.parent / ".out.jsonl.tidy").exists():
                self.tally["of these, while records that no longer count were dropped"] += 1
            before = self.look_at(journal, reference, before)
            self.rounds += 1
            self.tally[f"{mode.name}, {how.name}"] += 1

    def kill_a_rank(self, job):
        """Kills one of the processes of a job; MPI ends the others."""
        for entry in Path("/proc").iterdir():
            try:
                name, parent = (entry / "comm").read_text().strip(), (entry / "stat").read_text()
                if name == "permutile-mpi" and int(parent.rsplit(")", 1)[1].split()[1]) == job.pid:
                    os.kill(int(entry.name), signal.SIGKILL)
                    return
            except (OSError, ValueError, IndexError):
                continue
        job.send_signal(signal.SIGTERM)

    def look_at(self, journal, reference, before):
        """Each line but the last is a true record, and none is gone."""
        if not journal.exists():
            expect(not before, f"{journal} is gone")
            return set()
        settled = set()
        for line in journal.read_text().split("\n")[:-1]:
            record = json.loads(line)
            known = reference.get(record["board"])
            expect(known, f"{record['board']} is no board of this run")
            if is_interrupted(record):
                continue
            expect(answer(record) == answer(known) or record["status"] == "node-limit",
                   f"{journal}: {record} differs from {known}")
            settled.add(record["board"])
        expect(before <= settled, f"{journal} has lost {before - settled}")
        return settled
