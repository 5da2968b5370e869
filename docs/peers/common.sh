# Sourced by the scripts beside it; does nothing by itself.

fail() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit "${2:-1}"
}

usage() {
    fail "usage: ${0##*/} start PORT DATA | read DATA TO" 2
}

need_root() {
    [ "$(id -u)" = 0 ] || fail 'takes root'
}

# need_program PROGRAM HOW-TO-GET-IT
need_program() {
    command -v "$1" >/dev/null 2>&1 || fail "$1 not found; $2"
}

# Starts the script again in a mount namespace of its own: what it mounts nobody else sees, and it
# goes with the last process in it, however that ends. The process id stays.
in_own_mounts() {
    [ "${PEER_MOUNTS-}" = own ] && return
    need_program unshare 'apt-get install util-linux'
    PEER_MOUNTS=own exec unshare --mount --propagation private -- "$0" "$@"
}

# add_user NAME ID DATA: for the processes in this mount namespace only, unless there is one.
add_user() {
    id "$1" >/dev/null 2>&1 && return
    for table in passwd group; do
        # A second user goes into the file that is mounted for the first.
        [ "/etc/$table" -ef "$3/$table" ] && continue
        cp "/etc/$table" "$3/$table"
        mount --bind "$3/$table" "/etc/$table"
    done
    echo "$1:x:$2:$2::/nonexistent:/usr/sbin/nologin" >>/etc/passwd
    echo "$1:x:$2:" >>/etc/group
}

# What follows runs one of the servers in a control group, on a volume of its own.

peers=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
hubmark=$peers/../../hubmark
port=${PORT:-2526}

# server_command SERVER DATA: prints what starts it, for a shell.
server_command() {
    case $1 in
        postfix) echo "'$peers/../durability/postfix.sh' start $port '$2'" ;;
        exim | opensmtpd | haraka) echo "'$peers/$1.sh' start $port '$2'" ;;
        hubmark)
            echo "'$hubmark' serve --listen 127.0.0.1:$port --deliver hold --log-volume '$2/log'" \
                "--queue-volume '$2/queue' --tracking-volume '$2/tracking'"
            ;;
        *) fail "no server '$1'; there are postfix, exim, opensmtpd, haraka and hubmark" 2 ;;
    esac
}

# make_volume FOLDER SIZE: an ext4 file system on a loop device, in FOLDER/volume.
make_volume() {
    "$hubmark" volumes create "$1/volume" --size "$2" --state "$1/state" >"$1/volumes.txt" ||
        fail "no volume: $(tail -n 1 "$1/volumes.txt")"
}

# make_group: sets group to the folder of a new control group (version 2).
make_group() {
    for root in /sys/fs/cgroup /sys/fs/cgroup/unified; do
        [ ! -e "$root/cgroup.controllers" ] || break
    done
    mkdir "$root/hubmark-peer-$$" || fail "$root: no control group can be made here"
    group=$root/hubmark-peer-$$
}

# start_server COMMAND OUTPUT: in the group; returns when it listens.
start_server() {
    # As the kernel shows a socket that listens; also where IPv4 comes in through IPv6.
    listening=$(printf '0100007F:%04X 0*:0000 0A' "$port")
    ! grep -q "$listening" /proc/net/tcp /proc/net/tcp6 || fail "127.0.0.1:$port is taken; set PORT to another"
    (
        sh -c 'echo $PPID' >"$group/cgroup.procs"
        eval "exec $1"
    ) >"$2" 2>&1 &
    tries=0
    until grep -q "$listening" /proc/net/tcp /proc/net/tcp6; do
        tries=$((tries + 1))
        kill -0 $! 2>/dev/null || fail "the server ended: $(tail -n 1 "$2")"
        [ "$tries" -lt 300 ] || fail "the server did not listen within 30 s: $(tail -n 1 "$2")"
        sleep 0.1
    done
    echo "listening on 127.0.0.1:$port"
}

# Ends all that runs in the group: SIGTERM, and SIGKILL 10 s later.
stop_server() {
    tries=0
    until rmdir "$group" 2>/dev/null; do
        case $tries in
            0) signal_group TERM ;;
            100) signal_group KILL ;;
            300) fail "$group: a process does not end" ;;
        esac
        tries=$((tries + 1))
        sleep 0.1
    done
    group=
}

signal_group() {
    while read -r process; do
        kill "-$1" "$process" 2>/dev/null || true
    done <"$group/cgroup.procs"
}

# end_all FOLDER: for a trap on EXIT. A second signal must not leave half of it.
end_all() {
    trap '' INT TERM
    [ -z "${group-}" ] || stop_server
    if [ -d "$1/state" ]; then
        "$hubmark" volumes destroy --state "$1/state" >"$1/volumes.txt" ||
            fail "a volume is left: $(tail -n 1 "$1/volumes.txt")"
    fi
    rm -rf "$1"
}
