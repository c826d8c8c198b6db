"""The medians of what measure.py printed, by label: medians.py FILE."""
import re
import statistics
import sys

rows = {}
for line in open(sys.argv[1]):
    found = re.match(r"(.*?)\s+([\d.]+) s wall\s+([\d.]+) s CPU\s+([\d.]+) MiB peak", line)
    if found:
        rows.setdefault(found[1], []).append([float(found[group]) for group in (2, 3, 4)])
for label, figures in rows.items():
    wall, cpu, peak = (statistics.median(column) for column in zip(*figures))
    print(f"{label:<28} {wall:6.2f} s wall  {cpu:6.2f} s CPU  {peak:6.1f} MiB peak  (median of {len(figures)})")
