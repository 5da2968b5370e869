#!/bin/sh
# Runs a mail server in a control group of its own on a fresh volume, and a command beside it; takes root.
#   on-volume.sh SERVER COMMAND [ARGUMENT]...
# SERVER is the name of a script beside this one, or hubmark. The command finds in its environment
# PORT, GROUP (the control group) and DATA (the server's folder). Then the server is ended and the volume
# removed. PORT (2526), VOLUME_SIZE (16GB) and WORK (/var/tmp, for the volume's image) may be set.
set -eu
. "$(dirname -- "$0")/common.sh"

[ $# -ge 2 ] || fail 'usage: on-volume.sh SERVER COMMAND [ARGUMENT]...' 2
[ "$(id -u)" = 0 ] || fail 'takes root'
work=$(mktemp -d "${WORK:-/var/tmp}/hubmark-peers.XXXXXX")
chmod 755 "$work" # Most servers give up root.
trap 'end_all "$work"' EXIT
trap 'exit 130' INT TERM
data=$work/volume/data
subject=$1
command=$(server_command "$subject" "$data")
shift
make_volume "$work" "${VOLUME_SIZE:-16GB}"
mkdir "$data"
make_group
start_server "$command" "$work/volume/server.log"
code=0
SERVER=$subject PORT=$port GROUP=$group DATA=$data "$@" || code=$?
stop_server
exit "$code"
