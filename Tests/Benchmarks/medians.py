"""The medians of what measure.py or requests.sh printed, by label: medians.py FILE."""
import re
import statistics
import sys

rows, requests = {}, {}
for line in open(sys.argv[1]):
    found = re.match(r"(.*?)\s+([\d.]+) s wall\s+([\d.]+) s CPU\s+([\d.]+) MiB peak", line)
    if found:
        rows.setdefault(found[1], []).append([float(found[group]) for group in (2, 3, 4)])
    found = re.match(r"(.*?)\s+([\d.]+) requests/s,\s+([\d.]+) µs CPU/request, (\d+) failed", line)
    if found:
        requests.setdefault(found[1], []).append([float(found[group]) for group in (2, 3, 4)])
for label, figures in requests.items():
    rate, cpu = (statistics.median(column) for column in list(zip(*figures))[:2])
    failed = int(sum(row[2] for row in figures))
    print(f"{label:<28} {rate:8.0f} requests/s  {cpu:6.1f} µs CPU/request  {failed} failed  (median of {len(figures)})")
for label, figures in rows.items():
    wall, cpu, peak = (statistics.median(column) for column in zip(*figures))
    print(f"{label:<28} {wall:6.2f} s wall  {cpu:6.2f} s CPU  {peak:6.1f} MiB peak  (median of {len(figures)})")
