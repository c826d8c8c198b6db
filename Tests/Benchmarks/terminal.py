"""A program on a pseudo-terminal of 200 × 50, with state of its own."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

STATE = ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")


class Terminal:
    def __init__(self, command, folder):
        self.started = time.monotonic()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
            os.chdir(folder)
            os.environ.update({variable: f"{folder}/{variable}" for variable in STATE}, TERM="xterm-256color", COLORTERM="truecolor", HOME=folder)
            os.execv(command[0], command)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)

    def read(self, until=None, limit=120.0, quiet=0.5):
        """The time at which a text came, or the last output before a pause; None where there was none."""
        seen, end, last = b"", time.monotonic() + limit, None
        while time.monotonic() < end:
            ready, _, _ = select.select([self.terminal], [], [], end - time.monotonic() if until else quiet)
            if not ready:
                break
            try:
                seen += os.read(self.terminal, 1 << 16)
            except OSError:
                break
            last = time.monotonic()
            # A repaint of the whole screen is some 20 kB; a text that is awaited is never longer than this.
            text = re.sub(rb"\x1b\[[0-9;?:>=]*[A-Za-z]|\x1b[()][A-Z0-9]", b"", seen[-65536:])
            if until and re.search(until.encode(), text):
                return last
        return None if until else last

    def drain(self):
        while select.select([self.terminal], [], [], 0)[0]:
            os.read(self.terminal, 1 << 16)

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def key(self, keys, until, limit=120.0):
        """Milliseconds from these keys until a text is on the screen; None where it does not come."""
        start = time.monotonic()
        self.type(keys)
        came = self.read(until, limit)
        return came and (came - start) * 1000

    def still(self, keys):
        """Milliseconds from these keys until the last output before a pause."""
        start = time.monotonic()
        self.type(keys)
        came = self.read()
        return came and (came - start) * 1000

    def memory(self):
        """The private memory in MiB."""
        with open(f"/proc/{self.process}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Private")) / 1024
