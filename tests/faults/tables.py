"""Files of tables are damaged, swapped, and made by builders that are killed or not alone."""

import json
import os
import subprocess
import time
from collections import Counter

from common import PATIENCE, expect

try:
    from xxhash import xxh3_64_intdigest
except ImportError:
    xxh3_64_intdigest = None


class Tables:
    """A table of 1.1 MB, and a board that is searched with it."""

    PUZZLE, LENGTH = "rings:3x4", 7
    SOLVE = ["solve", "6 9 1 8/10 7 12 4/2 11 3 5", "--puzzle", PUZZLE, "--exact", "--heuristic", "zero",
             "--json"]
    # Finds the table of the cache, or makes one in memory: no larger one, which would be kept.
    SMALL = ["--max-memory", "8MB"]
    BUILD = ["tables", "build", PUZZLE, "--size", "small"]

    def __init__(self, program, dice):
        self.program, self.dice, self.tally = program, dice, Counter()
        self.cache = program.folder / "tables"
        program.run(*self.BUILD, cache=self.cache).check_returncode()
        [self.file] = self.cache.glob("*.table")
        self.whole = self.file.read_bytes()
        program.run("tables", "build", "rings3", "--size", "small", cache=self.cache)
        program.run("tables", "build", "torus4", "--size", "small", cache=self.cache)
        self.others = [path.read_bytes() for path in self.cache.glob("*.table") if path != self.file]
        for path in self.cache.glob("*.table"):
            path.unlink()

    def solve(self, *options, cache=None):
        ran = self.program.run(*self.SOLVE, *options, cache=cache or self.cache)
        record = json.loads(ran.stdout)
        expect(record["status"] == "solved" and record["optimal"] and record["length"] == self.LENGTH,
               f"{record}\n{ran.said}")
        return ran

    def damaged(self, what, content):
        """With this file in the cache, there is a warning and a right answer, and the table is made
        again by who is asked to."""
        self.file.write_bytes(content)
        ran = self.solve(*self.SMALL)
        told = "made by another version" if "version" in what else str(self.file)
        expect(str(self.file) in ran.stderr and told in ran.stderr, f"{what} is not told\n{ran.said}")
        self.build()
        expect(self.file.read_bytes() == self.whole, f"{what} stays in the cache\n{ran.said}")
        self.tally[what] += 1

    def build(self):
        ran = self.program.run(*self.BUILD, cache=self.cache)
        expect(ran.returncode == 0, ran.said)

    def run(self, rounds):
        dice, whole = self.dice, self.whole
        for _ in range(rounds):
            place = dice.randrange(len(whole)) if dice.random() < 0.7 else dice.randrange(4096)
            flipped = bytearray(whole)
            flipped[place] ^= 1 << dice.randrange(8)
            self.damaged("a flipped bit", bytes(flipped))
        for _ in range(rounds // 10):
            length = dice.choice([0, dice.randrange(100), dice.randrange(len(whole))])
            self.damaged("a truncated file", whole[:length])
        for _ in range(rounds // 50 + 1):
            self.damaged("a longer file", whole + bytes(dice.randrange(1, 5000)))
            self.damaged("a block of zeros", whole[:8192] + bytes(65536) + whole[8192 + 65536:])
            self.damaged("another version", whole[:8] + bytes([dice.choice([0, 2, 255])]) + whole[9:])
            if xxh3_64_intdigest:
                self.damaged("an older version of its kind", self.of_another_version())
            else:
                self.tally["older versions of a kind, left out: there is no xxhash for Python"] = 1
            for other in self.others:
                self.damaged("the table of another puzzle", other)
        self.others_in_its_place()
        for _ in range(rounds // 20 + 1):
            self.built_at_once()
            self.builder_killed()

    def of_another_version(self):
        """The table with another version of its kind, and a checksum that fits."""
        whole = self.whole
        length = int.from_bytes(whole[12:16], "little")
        description = json.loads(whole[40:40 + length])
        description["version"] += self.dice.choice([-2, -1, 1])
        text = json.dumps(description, separators=(",", ":")).encode()
        start = (40 + length + 4095) // 4096 * 4096
        header = whole[:12] + len(text).to_bytes(4, "little") + whole[16:32]
        rest = text + bytes(start - 40 - len(text))
        checksum = xxh3_64_intdigest(header + rest).to_bytes(8, "little")
        return header + checksum + rest + whole[start:]

    def others_in_its_place(self):
        self.file.unlink()
        self.file.mkdir()
        self.solve(*self.SMALL)
        self.file.rmdir()
        os.mkfifo(self.file)
        self.solve(*self.SMALL)
        self.file.unlink(missing_ok=True)
        self.file.symlink_to(self.cache / "nowhere")
        self.solve(*self.SMALL)
        self.file.unlink(missing_ok=True)
        self.tally["a folder, a pipe or a link in its place"] += 3

    def built_at_once(self):
        self.file.unlink(missing_ok=True)
        environment = dict(self.program.environment, PERMUTILE_CACHE=str(self.cache))
        command = [self.program.path, *self.BUILD]
        builders = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, text=True) for _ in range(4)]
        for builder in builders:
            _, said = builder.communicate(timeout=PATIENCE)
            expect(builder.returncode == 0, f"several builders at once\n{said}")
        expect(self.file.read_bytes() == self.whole, "several builders at once make another table")
        self.tally["four builders at once"] += 1

    def builder_killed(self):
        """While it builds, or while it writes: how far it is can be seen in the folder."""
        self.file.unlink(missing_ok=True)
        environment = dict(self.program.environment, PERMUTILE_CACHE=str(self.cache))
        builder = subprocess.Popen([self.program.path, *self.BUILD], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wanted = self.dice.randrange(len(self.whole) + 1)
        wait = self.dice.random() < 0.3
        while builder.poll() is None and not wait:
            written = [path.stat().st_size for path in self.cache.glob(".*.unfinished") if path.exists()]
            if written and max(written) >= wanted:
                break
        if wait:
            time.sleep(self.dice.random() * 0.1)
        builder.kill()
        builder.wait()
        unfinished = list(self.cache.glob(".*.unfinished"))
        self.tally["a builder killed while writing" if unfinished else "a builder killed"] += 1
        self.solve(*self.SMALL)
        self.build()
        expect(self.file.read_bytes() == self.whole, "after a killed builder, the table is another one")
        expect(not list(self.cache.glob(".*.unfinished")), "what a killed builder left stays there")
