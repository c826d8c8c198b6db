"""Start-up and one request from the shell, beside curl, alternating: start.py [ROUNDS [OTHER_SORTIE]].

Prints the least and the median of wall and CPU time of the whole process, in milliseconds. Needs `make build`, curl and nginx.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PORT = 18099


def measure(command):
    start = time.monotonic()
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} failed: {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime


def serve(folder):
    text = f"""daemon on; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}
http {{ access_log off; client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3; uwsgi_temp_path {folder}/4;
scgi_temp_path {folder}/5; server {{ listen 127.0.0.1:{PORT}; location / {{ default_type application/json; return 200 '{{"ok":true}}'; }} }} }}"""
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(text)
    subprocess.run([shutil.which("nginx") or "/usr/sbin/nginx", "-c", f"{folder}/nginx.conf"], check=True)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    programs = {"sortie": os.environ.get("SORTIE", os.path.join(ROOT, ".build/release/sortie"))}
    if len(sys.argv) > 2:
        programs["other"] = sys.argv[2]
    url = f"http://127.0.0.1:{PORT}/"
    commands = {"curl --version": ["curl", "--version"], "curl URL": ["curl", "-s", url]}
    for name, path in programs.items():
        commands[f"{name} --help"] = [path, "--help"]
        commands[f"{name} send --no-history URL"] = [path, "send", "--no-history", url]
        commands[f"{name} send URL"] = [path, "send", url]
    folder = tempfile.mkdtemp(prefix="sortie-start-")
    os.environ.update({variable: f"{folder}/{variable}" for variable in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")})
    os.chdir(folder)
    serve(folder)
    try:
        results = {label: [] for label in commands}
        for number in range(rounds + 2):
            for label, command in commands.items():
                result = measure(command)
                # The first rounds fill the page cache and create the history.
                if number >= 2:
                    results[label].append(result)
        for label, figures in results.items():
            wall, cpu = zip(*figures)
            texts = [f"{1000 * min(column):6.1f} {1000 * statistics.median(column):6.1f}" for column in (wall, cpu)]
            print(f"{label:<28} wall {texts[0]} ms   CPU {texts[1]} ms   (least, median of {len(figures)})")
    finally:
        with open(f"{folder}/nginx.pid") as file:
            os.kill(int(file.read()), 15)
        shutil.rmtree(folder, ignore_errors=True)


main()
