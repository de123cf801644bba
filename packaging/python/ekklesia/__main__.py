"""Runs the program with the same arguments: `python -m ekklesia run configs/first.yaml`."""

import os
import subprocess
import sys

from ekklesia._program import EkklesiaError, find_program


def main() -> int:
    """Replaces this process by the program; on Windows, waits for it."""
    try:
        command = [find_program(), *sys.argv[1:]]
    except EkklesiaError as error:
        print(f"ekklesia: {error}", file=sys.stderr)
        return 1
    if sys.platform != "win32":
        os.execv(command[0], command)
    with subprocess.Popen(command) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # The program has received it, too, and ends when it has kept what is there.


if __name__ == "__main__":
    sys.exit(main())
