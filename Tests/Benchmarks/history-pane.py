"""Opens the workbench on a terminal, shows the history, types a filter, and tells how long each key took until the screen stood still:
history-pane.py SORTIE WORKSPACE TEXT-IN-A-ROW FILTER

The environment says where the state is. Memory is that of the process at the end, private pages only.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

sortie, workspace, marker, typed = sys.argv[1:5]
pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execv(sortie, [sortie, workspace, "--var", "host=127.0.0.1:9"])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))


def read(until, limit=20.0, quiet=0.25):
    """What came until `until` was seen, or nothing more for a while; and when the last of it came."""
    seen, start, last = b"", time.monotonic(), None
    while time.monotonic() - start < limit:
        ready, _, _ = select.select([terminal], [], [], quiet if last else limit)
        if not ready:
            break
        seen += os.read(terminal, 1 << 16)
        last = time.monotonic()
        text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]", b"", seen)
        if until and until.encode() in text:
            return last - start
    if until:
        sys.exit(f"“{until}” never came; the last of the screen: {text[-400:]!r}")
    return (last or start) - start


def key(text, until=None):
    start = time.monotonic()
    os.write(terminal, text.encode())
    return read(until)


read("Services")
read(None)
time.sleep(1)
print(f"{'H opens the pane':<34} {key('H', marker) * 1000:8.1f} ms")
read(None)
print(f"{'/ begins a filter':<34} {key('/') * 1000:8.1f} ms")
for length in range(1, len(typed) + 1):
    print(f"{'filter ' + typed[:length]:<34} {key(typed[length - 1]) * 1000:8.1f} ms until the screen stood still")
print(f"{'G, to the oldest':<34} {(key(chr(13)), key('G'))[1] * 1000:8.1f} ms until the screen stood still")
private = sum(int(line.split()[1]) for line in open(f"/proc/{pid}/smaps_rollup") if line.startswith("Private"))
print(f"{'private memory':<34} {private / 1024:8.1f} MiB")
os.write(terminal, b"\x11")
time.sleep(0.5)
