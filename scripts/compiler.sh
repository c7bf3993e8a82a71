#!/bin/sh
# Makes sure that C code for this Python can be compiled: root installs what is missing, others are told.
# With `look` nothing is installed: the exit code tells whether all is there.
# usage: scripts/compiler.sh PYTHON [look]
python=$1

compiles() {
    cc=${CC:-$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("CC") or "cc")')}
    include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    # shellcheck disable=SC2086  # CC may carry options
    echo '#include <Python.h>' | $cc -I"$include" -fsyntax-only -x c - 2>/dev/null
}

compiles && exit
packages="gcc libc6-dev $("$python" -c 'import sys; print("python%d.%d-dev" % sys.version_info[:2])')"
if [ "$2" != look ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "== apt-get install $packages"
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null
    compiles && exit
fi
echo "compiling needs a C compiler and Python.h; install them (Debian, Ubuntu: apt-get install $packages)" >&2
exit 1
