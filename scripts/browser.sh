#!/bin/sh
# Makes sure that Chromium is there for the browser tests: root installs it, others are told.
command -v chromium >/dev/null 2>&1 && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "== apt-get install chromium"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
    command -v chromium >/dev/null 2>&1 && exit
fi
echo "the browser tests need Chromium as the command chromium; install it (Debian: apt-get install chromium)" >&2
exit 1
