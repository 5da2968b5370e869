#!/bin/sh
# An aiosmtpd that stores into a Maildir, on the loopback address.
#   aiosmtpd.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   aiosmtpd.sh read DATA TO       copies each message into TO
#   aiosmtpd.sh fetch | version    gets it without installing it (see common.sh); prints its version
# Needs Python 3. The handler is its own (aiosmtpd.handlers.Mailbox), started as its manual says.
set -eu
. "$(dirname -- "$0")/common.sh"
program=$files/python/aiosmtpd

fetch() {
    python3 -m pip install --quiet --disable-pip-version-check --target "$files/python" aiosmtpd==1.4.6 >&2
}

version() {
    PYTHONPATH="$files/python" python3 -c 'import aiosmtpd; print(aiosmtpd.__version__)'
}

start() {
    export PYTHONPATH="$files/python"
    # It checks only that somebody has given a limit; 32 MiB is its default.
    exec python3 -m aiosmtpd -n -l "127.0.0.1:$port" -s 157286400 \
        -c aiosmtpd.handlers.Mailbox "$data/mail"
}

read_back() {
    python3 "$peers/read.py" aiosmtpd "$data" "$to"
}

peer "$@"
