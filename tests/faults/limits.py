"""Too little address space, file size, processes, open files."""

import json
import os
import resource
import subprocess
import tempfile
from pathlib import Path

from common import BFS, expect


def limits(program, tables, tally):
    boards = program.folder / "random.boards"
    hard = ["solve", "15 10 8 12/11 14 9 13/2 6 5 1/3 7 4 0", "--algorithm", "astar", "--max-nodes", "300000",
            "--json"]
    table = tables.SOLVE

    def limited(kind, value, command, **more):
        def prepare():
            resource.setrlimit(kind, (value, value))
        try:
            return program.run(*command, prepare=prepare, **more)
        except (subprocess.SubprocessError, OSError):
            # Too little for the program to be started at all.
            return None

    def answered(ran, lengths):
        """A right answer, or none with an error."""
        if ran is None:
            return
        for record in map(json.loads, ran.stdout.splitlines()):
            expect(record["length"] in (None, *lengths), ran.said)
        expect(ran.stdout or ran.stderr, f"nothing is said\n{ran.said}")

    for megabytes in (40, 60, 80, 100, 150, 200, 300, 500, 1000):
        for command, length in ((hard, 58), (table, tables.LENGTH)):
            for threads in ("1", "2"):
                cache = Path(tempfile.mkdtemp(dir=program.folder))
                ran = limited(resource.RLIMIT_AS, megabytes << 20, [*command, "--threads", threads],
                              cache=cache)
                answered(ran, [length])
                tally["too little address space"] += 1
    for files in (3, 4, 5, 6, 7, 8, 10, 12, 16):
        answered(limited(resource.RLIMIT_NOFILE, files, table), [tables.LENGTH])
        journal = program.folder / "files.jsonl"
        ran = limited(resource.RLIMIT_NOFILE, files, ["batch", boards, *BFS, "--out", journal, "--resume"])
        expect(ran is None or ran.returncode != 0 or ran.stderr == "", "")
        journal.unlink(missing_ok=True)
        tally["too few open files"] += 2
    for kilobytes in (1, 4, 16, 100, 1000):
        journal = program.folder / "size.jsonl"
        batch = ["batch", boards, *BFS, "--out", journal, "--resume"]
        ran = limited(resource.RLIMIT_FSIZE, kilobytes << 10, batch)
        expect(ran is None or ran.returncode in (1, 2), ran.said)
        program.run(*batch)
        expect(len(journal.read_text().splitlines()) == boards.read_text().count("\n"), "records are missing")
        journal.unlink()
        cache = Path(tempfile.mkdtemp(dir=program.folder))
        answered(limited(resource.RLIMIT_FSIZE, kilobytes << 10, table, cache=cache), [tables.LENGTH])
        tally["too small files"] += 2
    if os.geteuid() == 0:
        # The superuser is not limited.
        nobody = 65534
        cache = Path(tempfile.mkdtemp(dir=program.folder))
        for folder in (program.folder, cache):
            folder.chmod(0o777)

        for processes in (0, 1, 2, 3):
            def prepare():
                resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
                os.setgid(nobody)
                os.setuid(nobody)

            for threads in ("1", "4"):
                try:
                    ran = program.run(*table, "--threads", threads, cache=cache, prepare=prepare)
                except (subprocess.SubprocessError, OSError):
                    continue
                answered(ran, [tables.LENGTH])
                tally["too few processes"] += 1
