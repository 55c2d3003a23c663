"""How each crawler is called, and what it was told.

Every client gets the same seed page, the same concurrency and the same core,
obeys robots rules where it knows them, follows every link and keeps nothing
but what it cannot do without.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


@dataclass
class Client:
    """One way to crawl the web under test."""

    name: str
    version: str
    told: str
    command: list
    # Whether it obeys robots rules; the floors do not, and say so.
    robots: bool = True


@dataclass
class Task:
    """What a run is about."""

    seed: str
    pages: int
    concurrency: int
    work: Path


def all_clients(task, venv):
    """The floors, Locavore twice, then the peers that are installed."""
    ours = HERE / "target/release"
    clients = [
        Client(
            "floor: raw sockets",
            "hand-written",
            f"list of URLs, {task.concurrency} keep-alive sockets, nothing parsed",
            [ours / "floor-raw", task.work / "pages.txt", task.concurrency],
            robots=False,
        ),
        Client(
            "floor: hyper + link scan",
            f"hyper {locked('hyper')}",
            f"{task.concurrency} connections, `href=` by memchr, set of seen URLs",
            [ours / "floor-hyper", task.seed, task.concurrency],
            robots=False,
        ),
        locavore(task, "fetch, links, frontier", ["--no-archive", "--no-geoparse"]),
        locavore(task, "all stages", []),
        Client(
            "spider",
            f"spider {locked('spider')}",
            f"default features, `with_concurrency_limit({task.concurrency})`, all external "
            "domains, no depth limit, pages received and dropped; asks for robots.txt of the "
            "first host only",
            [ours / "with-spider", task.seed, task.concurrency],
        ),
    ]
    return clients + [peer for peer in (wget2(task), scrapy(task, venv), httrack(task)) if peer]


def locavore(task, name, flags):
    seeds = task.work / "seed.txt"
    seeds.write_text(task.seed + "\n")
    program = ROOT / "target/release/locavore"
    command = [program, "crawl", "us-top100", "--nodes", 6, "--seeds", seeds]
    # Addresses name no city: by hash all six nodes take part and hand links over.
    command += ["--assign", "hash", "--depth", 1000, "--delay", "0ms"]
    command += ["--out", task.work / "crawl"]
    command += ["--allow-private", "127.0.0.0/8", "--contact", "nobody@example.org"]
    told = "six nodes of 32 slots, hosts shared out by hash, one request at a time for each host, "
    told += "frontier and visit log on disk, " + ("no WARC, no geoparsing" if flags else "WARC and geoparsing")
    return Client(
        f"locavore: {name}", first_line([program, "--version"]), told, command + flags
    )


def wget2(task):
    if not shutil.which("wget2"):
        return None
    command = ["wget2", "--recursive", "--level=inf", "--span-hosts", "--robots=on"]
    command += [f"--max-threads={task.concurrency}", "--output-document=/dev/null"]
    command += ["--quiet", "--no-config", "--tries=1", "--no-hsts", task.seed]
    told = f"`--recursive --level=inf --span-hosts --max-threads={task.concurrency}`, "
    told += "output to /dev/null"
    return Client("wget2", first_line(["wget2", "--version"]), told, command)


def scrapy(task, venv):
    python = venv / "bin/python"
    if not python.exists():
        return None
    version = first_line([python, "-m", "scrapy", "version"])
    told = f"`LinkExtractor` on every page, {task.concurrency} requests, 8 per host, "
    told += "in-memory queues, no items, log level error"
    command = [python, HERE / "scrapy_client.py", task.seed, task.concurrency]
    return Client("scrapy", version, told, command)


def httrack(task):
    if not shutil.which("httrack"):
        return None
    # It has no way to write nothing: its mirror goes to the work folder.
    command = ["httrack", task.seed, "--path", task.work / "mirror", "--ext-depth=1000"]
    command += ["--depth=1000", "--max-rate=0", "--disable-security-limits"]
    command += [f"--sockets={task.concurrency}", "--connection-per-second=0", "--robots=2"]
    command += ["--quiet", "--cache=0", "--max-time=3600", "+*"]
    told = f"{task.concurrency} sockets, no rate limit, mirror written to disk"
    return Client("httrack", first_line(["httrack", "--version"]), told, command)


def locked(crate):
    """The version of a crate in this workspace's lock file."""
    lines = (HERE / "Cargo.lock").read_text().splitlines()
    at = lines.index(f'name = "{crate}"')
    return lines[at + 1].split('"')[1]


def first_line(command):
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    lines = (run.stdout or run.stderr).strip().splitlines()
    if not lines:
        sys.exit(f"`{command[0]}` does not run")
    return lines[0]
