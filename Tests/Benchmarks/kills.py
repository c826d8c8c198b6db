#!/usr/bin/env python3
"""Ends programs with SIGKILL at random moments, and checks what is left: kills.py downloads|history [COUNT [CONNECTIONS]].

  downloads  each download is continued until it is complete. Every file must be that of the server, and no continuation may request bytes that its manifest
             lists as safe, except those that it compares. Debug build: 50 kills in 12 downloads, with 4 connections in 14, every file right.
  history    Benchmarks stores exchanges. The database must be intact, every exchange of more than a second before is there, and every body is complete.
"""
import hashlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True

from bench import BENCHMARKS, SORTIE, nginx

# The bytes that are fetched again and compared (RangeRequest.overlap).
OVERLAP = 4096


def downloads(folder, count, connections):
    kills, attempt, rounds = 0, 0, 0
    with nginx(folder, rate=f"{100 // connections}m", log=f"{folder}/ranges ranges") as urls:
        with open(f"{folder}/files/big", "wb") as file:
            file.write(os.urandom(100_000_000))
        while kills < count:
            rounds += 1
            while True:
                attempt += 1
                if os.path.exists(f"{folder}/out.part.json"):
                    shutil.copy(f"{folder}/out.part.json", f"{folder}/manifest.{attempt}")
                process = subprocess.Popen(
                    [SORTIE, "download", f"{urls['plain']}/slow/big", "-o", f"{folder}/out", "--connections", str(connections), "-H", f"X-Attempt: {attempt}"])
                if kills < count:
                    time.sleep(random.uniform(0, 0.9))
                    process.kill()
                if process.wait() == 0:
                    break
                if process.returncode != -9:
                    sys.exit(f"the download ended with {process.returncode}")
                kills += 1
            subprocess.run(["cmp", f"{folder}/files/big", f"{folder}/out"], check=True)
            if left := [name for name in os.listdir(folder) if name.startswith("out.part")]:
                sys.exit(f"{left} were left behind")
            os.unlink(f"{folder}/out")
    continued = 0
    with open(f"{folder}/ranges") as lines:
        for attempt, requested in (line.split() for line in lines):
            if not os.path.exists(f"{folder}/manifest.{attempt}"):
                continue
            with open(f"{folder}/manifest.{attempt}") as file:
                manifest = json.load(file)
            segments = manifest["segments"] or [{"start": 0, "committed": manifest["committed"]}]
            first = int(requested.removeprefix("bytes=").split("-")[0]) if requested != "-" else 0
            if any(segment["start"] <= first < segment["start"] + segment["committed"] - OVERLAP for segment in segments):
                sys.exit(f"{requested} was requested in attempt {attempt}, although it was safe: {segments}")
            continued += any(segment["committed"] for segment in segments)
    print(f"{kills} kills in {rounds} downloads, continued by {continued} requests: every file right, nothing safe was requested again")


def history(folder, count, connections):
    place = f"{folder}/sortie"
    promised, faults = [], []
    for turn in range(count):
        process = subprocess.Popen([BENCHMARKS, "keep", folder], stdout=subprocess.PIPE, text=True)
        seen = []
        reader = threading.Thread(target=lambda: seen.extend((time.monotonic(), line.strip()) for line in process.stdout))
        reader.start()
        time.sleep(random.uniform(0.3, 3))
        process.kill()
        killed = time.monotonic()
        process.wait()
        reader.join()
        promised += [name for moment, name in seen if moment < killed - 1]
        base = sqlite3.connect(f"{place}/history.sqlite")
        state = base.execute("PRAGMA integrity_check").fetchone()[0]
        if state != "ok":
            faults.append(f"turn {turn}: {state}")
        kept = {row[0] for row in base.execute("SELECT id FROM exchange")}
        faults += [f"turn {turn}: {name} is lost" for name in promised if name not in kept]
        named = {row[0] for row in base.execute("SELECT answerDigest FROM exchange WHERE answerDigest IS NOT NULL")}
        faults += [f"turn {turn}: {digest} is missing" for digest in named if not os.path.exists(f"{place}/bodies/{digest[:2]}/{digest}")]
        base.close()
    for root, _, files in os.walk(f"{place}/bodies"):
        for name in files:
            with open(f"{root}/{name}", "rb") as file:
                if len(name) == 64 and hashlib.sha256(file.read()).hexdigest() != name:
                    faults.append(f"{name} is incomplete")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{count} kills, {len(promised)} exchanges promised and {len(named)} bodies: nothing is lost")


if len(sys.argv) < 2 or sys.argv[1] not in ("downloads", "history"):
    sys.exit(__doc__)
with tempfile.TemporaryDirectory(prefix="sortie-kills-", dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
    {"downloads": downloads, "history": history}[sys.argv[1]](folder, *map(int, (sys.argv[2:] + ["50", "1"][len(sys.argv) - 2:])[:2]))
