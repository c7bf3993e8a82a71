#!/bin/sh
# Makes sure that PostgreSQL's programs are there for the tests: root installs them, others are told.
found() { command -v pg_ctl >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1; }
found && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "== apt-get install postgresql"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null
    found && exit
fi
echo "the tests of the store need PostgreSQL's initdb and pg_ctl; install them (Debian: apt-get install postgresql)" >&2
exit 1
