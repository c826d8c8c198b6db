"""Whether any attempt asked for bytes that its manifest noted as safe, except to compare them: safe-ranges.py FOLDER, with its files `ranges` and `manifest.ATTEMPT`."""
import json
import os
import sys

folder = sys.argv[1]
# The bytes that are fetched again and compared (RangeRequest.overlap).
OVERLAP = 4096
continued = set()
for line in open(f"{folder}/ranges"):
    attempt, asked = line.split()
    path = f"{folder}/manifest.{attempt}"
    if not os.path.exists(path):
        continue
    manifest = json.load(open(path))
    segments = manifest["segments"] or [{"start": 0, "committed": manifest["committed"]}]
    first = int(asked.removeprefix("bytes=").split("-")[0]) if asked != "-" else 0
    for segment in segments:
        if segment["start"] <= first < segment["start"] + segment["committed"] - OVERLAP:
            sys.exit(f"{asked} was asked for in attempt {attempt}, although it was safe: {segments}")
    if manifest["committed"] or any(segment["committed"] for segment in segments):
        continued.add(attempt)
print(f"continued {len(continued)} times, nothing safe was fetched again except to compare it")
