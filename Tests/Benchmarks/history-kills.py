#!/usr/bin/env python3
"""Kills a program that keeps exchanges, at random moments, and looks what is left: history-kills.py BENCHMARKS [TIMES]"""
import hashlib, os, random, shutil, signal, sqlite3, subprocess, sys, tempfile, threading, time

program, times = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50
folder = tempfile.mkdtemp(prefix="sortie-kills-")
place = os.path.join(folder, "sortie")
promised, faults = [], []
for turn in range(times):
    child = subprocess.Popen([program, "keep", folder], stdout=subprocess.PIPE, text=True)
    seen = []
    reader = threading.Thread(target=lambda: seen.extend((time.monotonic(), line.strip()) for line in child.stdout))
    reader.start()
    time.sleep(random.uniform(0.3, 3))
    child.send_signal(signal.SIGKILL)
    killed = time.monotonic()
    child.wait()
    reader.join()
    promised += [name for moment, name in seen if moment < killed - 1]
    base = sqlite3.connect(os.path.join(place, "history.sqlite"))
    state = base.execute("PRAGMA integrity_check").fetchone()[0]
    if state != "ok": faults.append(f"turn {turn}: {state}")
    kept = {row[0] for row in base.execute("SELECT id FROM exchange")}
    lost = [name for name in promised if name not in kept]
    if lost: faults.append(f"turn {turn}: {len(lost)} lost, such as {lost[0]}")
    for digest, in base.execute("SELECT answerDigest FROM exchange WHERE answerDigest IS NOT NULL"):
        path = os.path.join(place, "bodies", digest[:2], digest)
        if not os.path.exists(path): faults.append(f"turn {turn}: {digest} is named and not there")
    base.close()
named = {row[0] for row in sqlite3.connect(os.path.join(place, "history.sqlite")).execute("SELECT answerDigest FROM exchange")}
orphans = half = 0
for root, _, files in os.walk(os.path.join(place, "bodies")):
    for name in files:
        path = os.path.join(root, name)
        if name.startswith(".new"): orphans += 1
        elif len(name) == 64:
            if name not in named: orphans += 1
            if hashlib.sha256(open(path, "rb").read()).hexdigest() != name: half += 1
print(f"{times} kills, {len(promised)} exchanges promised and {len(named)} bodies kept; {half} files half-written; {orphans} orphans for the next sweep")
print("\n".join(faults) or "nothing lost")
shutil.rmtree(folder)
sys.exit(1 if faults or half else 0)
