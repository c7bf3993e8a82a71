#!/bin/sh
# Says in one line what this machine lacks to run `make`; says nothing when all is there.
# usage: scripts/missing.sh PYTHON
python=$1

if ! command -v "$python" >/dev/null 2>&1; then
    echo "$python was not found; install Python 3.11 or newer, or name it: make PYTHON=/path/to/python3"
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "$("$python" --version 2>&1) is too old; install Python 3.11 or newer, or name it: make PYTHON=/path/to/python3"
elif ! "$python" -c 'import venv' 2>/dev/null; then
    echo "$python has no venv module; install it (Debian, Ubuntu: apt-get install python3-venv)"
elif ! "$python" -m pip --version >/dev/null 2>&1; then
    echo "$python has no pip; install it (Debian, Ubuntu: apt-get install python3-pip)"
elif ! "$python" -c 'import pip, sys; sys.exit(tuple(map(int, pip.__version__.split(".")[:2])) < (22, 3))'; then
    echo "the pip of $python is too old; bring it to 22.3 or newer: $python -m pip install --upgrade pip"
fi
