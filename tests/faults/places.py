"""The cache is a file, cannot be written or is full; the disk of the journal is full."""

import json
import subprocess
import tempfile
from pathlib import Path

from common import BFS, PATIENCE, expect


class SmallDisk:
    """A file system in memory that is soon full; none if that is not allowed here."""

    def __init__(self, folder, kilobytes):
        self.path = Path(tempfile.mkdtemp(dir=folder))
        mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(self.path)]
        self.mounted = subprocess.run(mount, capture_output=True).returncode == 0

    def resize(self, kilobytes):
        subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", str(self.path)], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.path)], check=True)


def places(program, tables, tally):
    folder = program.folder
    (folder / "file").write_text("not a folder")
    for cache in (folder / "file", folder / "file/below", Path("/proc/permutile"), Path("/dev/null")):
        tables.solve(cache=cache)
        tally["a cache that cannot be written"] += 1
    boards = folder / "random.boards"
    for kilobytes in (4, 64, 500):
        with SmallDisk(folder, kilobytes) as disk:
            if not disk.mounted:
                tally["full disks, left out: they cannot be mounted here"] += 1
                continue
            ran = tables.solve(cache=disk.path)
            expect("No space left" in ran.stderr, f"a full cache is not told\n{ran.said}")
            tally["a full cache"] += 1
    for kilobytes in (4, 8):
        with SmallDisk(folder, kilobytes) as disk:
            if not disk.mounted:
                continue
            for option, name in (("--out", "out.jsonl"), ("--csv", "out.csv"), ("--summary", "out.json")):
                out = disk.path / name
                whole = boards.read_text().count("\n")
                filler = disk.path / "filler"
                if option == "--summary":
                    filler.write_bytes(bytes(kilobytes * 1024))
                journal = out if option == "--out" else folder / "elsewhere.jsonl"
                batch = ["batch", boards, *BFS, "--out", journal, "--resume"]
                batch += [] if option == "--out" else [option, out]
                ran = program.run(*batch)
                expect(ran.returncode == 2 and "No space left" in ran.stderr,
                       f"a full disk is not told\n{ran.said}")
                filler.unlink(missing_ok=True)
                if option == "--out":
                    for line in out.read_text().splitlines():
                        json.loads(line)
                    disk.resize(10_000)
                    program.run(*batch)
                    lines = out.read_text().splitlines()
                    expect(len(lines) == whole, f"{len(lines)} records of {whole} boards")
                journal.unlink(missing_ok=True)
                out.unlink(missing_ok=True)
                tally["a full disk"] += 1
                disk.resize(kilobytes)
    for command in (["batch", boards, *BFS], tables.SOLVE, ["count", "torus3"], ["info", "torus3"]):
        with open("/dev/full", "w") as full:
            ran = subprocess.run([program.path, *command], env=program.environment, stdout=full,
                                 stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        expect(ran.returncode == 2 and "No space left" in ran.stderr, f"{command}\n{ran.stderr}")
        tally["a full disk"] += 1
