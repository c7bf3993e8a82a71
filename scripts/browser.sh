#!/bin/sh
# Makes sure that the browsers of the tests are there: root installs what is missing, others are told.
missing() {
    command -v chromium >/dev/null 2>&1 || echo chromium
    command -v firefox-esr >/dev/null 2>&1 || echo firefox-esr
    command -v WebKitWebDriver >/dev/null 2>&1 || echo webkit2gtk-driver
    command -v Xvfb >/dev/null 2>&1 || echo xvfb
}

packages=$(missing | xargs)
[ -z "$packages" ] && exit
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "== apt-get install $packages"
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null
    packages=$(missing | xargs)
    [ -z "$packages" ] && exit
fi
echo "the browser tests need Chromium, Firefox and WebKitGTK; install them (Debian: apt-get install $packages)" >&2
exit 1
