# Sourced by the scripts beside it; does nothing by itself.
#
# Each server's script sets program, without which it can't run (on PATH, or a file), and own_mounts=yes where
# it needs a mount namespace of its own. It has four functions:
#   fetch              fetches the server into $files, once; never installs it
#   version            prints its version
#   start              runs it in the foreground on 127.0.0.1:$port, with all its files below $data
#   read_back          writes each message that it holds below $data as a file into $to
# Its last line is: peer "$@"

PATH=$PATH:/usr/sbin:/sbin
peers=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
hubmark=$peers/../../hubmark
server=${0##*/}
server=${server%.sh}
# What is fetched lies here. Where nothing does, the server that is installed is taken.
files=${PEERS:-$HOME/.cache/hubmark-peers}/$server
# As shipped, or durable, where that is not the same.
settings=${PEER_SETTINGS:-shipped}

fail() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit "${2:-1}"
}

usage() {
    fail "usage: ${0##*/} fetch | version | start PORT DATA | read DATA TO" 2
}

peer() {
    case ${1-}.$# in
        fetch.1)
            # Not by ||, after which the shell goes on behind what fails.
            if ! [ -e "$files/complete" ]; then
                rm -rf "$files"
                mkdir -p "$files"
                fetch
                touch "$files/complete"
            fi
            ;;
        version.1)
            enter "$@"
            version
            ;;
        start.3)
            port=$2
            data=$3
            enter "$@"
            command -v "$program" >/dev/null || [ -e "$program" ] ||
                fail "$server not found; docs/peers/$server.sh fetch gets it"
            mkdir -p "$data"
            start
            ;;
        read.3)
            data=$2
            to=$3
            enter "$@"
            read_back
            ;;
        *) usage ;;
    esac
}

enter() {
    [ "${own_mounts-}" = yes ] || return 0
    [ "$(id -u)" = 0 ] || fail 'takes root'
    case ${data-} in
        /usr/* | /etc/* | /run/* | /var/lib/* | /var/spool/*) fail "$data: not below ${data%"${data#/*/}"}" 2 ;;
    esac
    in_own_mounts "$@"
    show_packages
}

# Starts the script again in a mount namespace of its own: what it mounts nobody else sees, and it
# goes with the last process in it, however that ends. The process id stays.
in_own_mounts() {
    [ "${PEER_MOUNTS-}" = own ] && return
    command -v unshare >/dev/null || fail 'unshare not found; apt-get install util-linux'
    PEER_MOUNTS=own exec unshare --mount --propagation private -- "$0" "$@"
}

# fetch_packages NAME...: Debian packages, unpacked but not installed, so that those which exclude each
# other, or what is installed, can lie side by side.
fetch_packages() {
    (
        cd "$files"
        apt-get download -q -o APT::Sandbox::User=root "$@" >&2
        for package in *.deb; do
            dpkg-deb -W "$package" >>packages
            dpkg-deb -x "$package" root
            rm "$package"
        done
        # Libraries of packages that are older than the merge of /lib and /usr/lib.
        [ ! -d root/lib ] || cp -a root/lib root/usr/
    )
}

# fetch_module: the source of a Go module, $module at $release, in a folder that can be written to. Not by
# 'go install', which takes no module that replaces others.
fetch_module() {
    command -v go >/dev/null || fail 'go not found; install Go'
    (
        cd "$files"
        source=$(GOFLAGS=-mod=mod go mod download -json "$module@$release" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
        cp -r "$source" source
        chmod -R u+w source
    )
}

# build_module PACKAGE [OPTION OF go build]...
build_module() {
    package=$1
    shift
    (cd "$files/source" && go build -mod=mod "$@" -o "$files/bin/" "$package")
}

# Lays the unpacked packages, and what a server's script writes, over the system's own folders, for this
# mount namespace alone.
show_packages() {
    mount -t tmpfs -o mode=755 tmpfs /run
    for folder in usr etc var/lib var/spool; do
        below=$files/root/$folder
        [ -d "$below" ] || below=/run/nothing
        mkdir -p /run/nothing "/run/over/$folder" "/run/work/$folder"
        mount -t overlay overlay "/$folder" \
            -o "lowerdir=$below:/$folder,upperdir=/run/over/$folder,workdir=/run/work/$folder"
    done
}

# package_version NAME
package_version() {
    if [ -e "$files/packages" ]; then
        awk -v name="$1" '$1 == name { print $2 }' "$files/packages"
    else
        dpkg-query -W -f '${Version}\n' "$1"
    fi
}

# add_user NAME ID: unless there is one; takes own_mounts=yes, as does what follows.
add_user() {
    grep -q "^$1:" /etc/passwd || echo "$1:x:$2:$2::/nonexistent:/usr/sbin/nologin" >>/etc/passwd
    add_group "$1" "$2"
}

add_group() {
    grep -q "^$1:" /etc/group || echo "$1:x:$2:" >>/etc/group
}

# put_spool FOLDER: what the server keeps in FOLDER is below DATA.
put_spool() {
    mkdir -p "$data/spool" "$1"
    mount --bind "$data/spool" "$1"
}

# Or a server asks name servers about each client before it greets it, and waits for them.
no_name_server() {
    printf 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n' >/etc/resolv.conf
}

# What follows runs one of the servers in a control group, on a volume of its own.

port=${PORT:-2526}

# server_command SERVER DATA: prints what starts it, for a shell.
server_command() {
    case $1 in
        common | *[!a-z0-9-]*) fail "no server '$1'" 2 ;;
        *)
            [ -x "$peers/$1.sh" ] || fail "no server '$1'" 2
            echo "'$peers/$1.sh' start $port '$2'"
            ;;
    esac
}

# make_volume FOLDER SIZE: an ext4 file system on a loop device, in FOLDER/volume.
make_volume() {
    "$hubmark" volumes create "$1/volume" --size "$2" --images "$1/state" >"$1/volumes.txt" ||
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
        # The kernel lists a process that has just ended as 0, which would be the group of this script.
        [ "$process" = 0 ] || kill "-$1" "$process" 2>/dev/null || true
    done <"$group/cgroup.procs"
}

# end_all FOLDER: for a trap on EXIT. A second signal must not leave half of it.
end_all() {
    trap '' INT TERM
    [ -z "${group-}" ] || stop_server
    if [ -d "$1/state" ]; then
        "$hubmark" volumes destroy --force --images "$1/state" >"$1/volumes.txt" ||
            fail "a volume is left: $(tail -n 1 "$1/volumes.txt")"
    fi
    rm -rf "$1"
}
