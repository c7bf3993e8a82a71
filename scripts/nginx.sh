#!/bin/sh
# Makes sure that nginx is there for the test of the proxy: root installs it, others are told.
PATH="$PATH:/usr/sbin"
command -v nginx >/dev/null 2>&1 && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "== apt-get install nginx-light"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx-light openssl >/dev/null
    systemctl disable --now nginx >/dev/null 2>&1 || true # the test starts its own
    command -v nginx >/dev/null 2>&1 && exit
fi
echo "the test of the proxy needs nginx; install it (Debian: apt-get install nginx-light)" >&2
exit 1
