"""Runs a command and prints its wall time, CPU time and peak memory: measure.py LABEL COMMAND…"""
import os
import sys
import time

start = time.monotonic()
pid = os.fork()
if pid == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execvp(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(pid, 0)
wall = time.monotonic() - start
cpu = usage.ru_utime + usage.ru_stime
print(f"{sys.argv[1]:<28} {wall:6.2f} s wall  {cpu:6.2f} s CPU  {usage.ru_maxrss / 1024:6.1f} MiB peak  exit {os.waitstatus_to_exitcode(status)}", flush=True)
