# Sourced by the scripts beside it; does nothing by itself.
# Each starts a mail system of its own on the loopback address with accounts user1@example.test and so on,
# says `ready` with the options for `hubmark users`, and runs until it is interrupted. Then it stops what it
# has started and takes away the folder that it has made. Every password is hubmark.

smtp=${SMTP_PORT:-2525}
imap=${IMAP_PORT:-1143}
lmtp=${LMTP_PORT:-2424}
smtps=${SMTPS_PORT:-2465}
imaps=${IMAPS_PORT:-1993}
children=

fail() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit "${2:-1}"
}

# takes_users_and_folder ARGUMENTS...: sets users and data, and makes the folder
takes_users_and_folder() {
    [ $# = 2 ] || fail "usage: ${0##*/} USERS FOLDER (ports by SMTP_PORT, SMTPS_PORT, IMAP_PORT, IMAPS_PORT, LMTP_PORT)" 2
    users=$1
    data=$2
    case $users in
        '' | *[!0-9]* | 0*) fail "$users: how many users, 1 or more" 2 ;;
    esac
    case $data in
        /*) ;;
        *) data=$PWD/$data ;;
    esac
    [ "$(id -u)" = 0 ] || fail 'takes root'
}

# need_program PROGRAM PACKAGE
need_program() {
    command -v "$1" >/dev/null 2>&1 || fail "$1 not found; apt-get install $2"
}

make_folder() {
    [ ! -e "$data" ] || fail "$data is there already; name a folder that is not" 2
    mkdir -p "$data"
    chmod 755 "$data"
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

# For servers that do not end with their first process.
stop_more() {
    :
}

clean_up() {
    trap - EXIT INT TERM
    stop_more
    for child in $children; do
        kill "$child" 2>/dev/null || true
    done
    for child in $children; do
        wait "$child" 2>/dev/null || true
    done
    rm -rf "$data"
}

# wait_for PORT: until something listens there
wait_for() {
    listening=":$(printf '%04X' "$1") [0-9A-F]*:0000 0A"
    tries=0
    until grep -q "$listening" /proc/net/tcp /proc/net/tcp6 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -le 600 ] || fail "nothing listens on port $1 yet: $(log_lines)"
        for child in $children; do
            kill -0 "$child" 2>/dev/null || fail "a server has ended: $(log_lines)"
        done
        sleep 0.1
    done
}

# log_lines: the last ones of all logs, in one line
log_lines() {
    cat "$data"/log/* 2>/dev/null | tail -n 3 | tr '\n' ' '
}

# A certificate that vouches for itself and names this host, for STARTTLS and TLS at once.
make_certificate() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
        -keyout "$data/key.pem" -out "$data/certificate.pem" 2>/dev/null
}

# A Dovecot with all its files below the folder: IMAP, and LMTP for who delivers.
start_dovecot() {
    mkdir -p "$data/run" "$data/state" "$data/mail" "$data/log"
    chmod 1777 "$data/mail"
    # Each has a user id of its own: the kernel lets one id watch few folders (fs.inotify.max_user_instances),
    # and of the others who wait by IDLE are told half a minute late.
    n=1
    while [ "$n" -le "$users" ]; do
        echo "user$n@example.test:{PLAIN}hubmark:$((100000 + n)):65534::$data/mail/user$n"
        n=$((n + 1))
    done >"$data/accounts"
    cat >"$data/dovecot.conf" <<END
base_dir = $data/run
state_dir = $data/state
log_path = $data/log/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <$data/certificate.pem
ssl_key = <$data/key.pem
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
first_valid_uid = 100001
last_valid_uid = $((100000 + users))
passdb {
  driver = passwd-file
  args = $data/accounts
}
userdb {
  driver = passwd-file
  args = $data/accounts
}
# As many as there are users, and no more than that.
default_client_limit = $((4 * users + 1000))
service imap-login {
  inet_listener imap {
    port = $imap
  }
  inet_listener imaps {
    port = $imaps
    ssl = yes
  }
  # One process for all who log on, which then hands them on.
  service_count = 0
}
service imap {
  process_limit = $((2 * users + 100))
}
service lmtp {
  process_limit = 100
  inet_listener lmtp {
    address = 127.0.0.1
    port = $lmtp
  }
}
protocol imap {
  mail_max_userip_connections = 0
}
END
    dovecot -c "$data/dovecot.conf" -F 2>"$data/log/dovecot.err" &
    children="$! $children"
    wait_for "$imap"
    wait_for "$lmtp"
}

# Our hub, which delivers to whoever takes LMTP.
start_hub() {
    hubmark=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)/hubmark
    mkdir -p "$data/hub" "$data/log"
    "$hubmark" serve --listen "127.0.0.1:$smtp" --deliver "lmtp://127.0.0.1:$lmtp" \
        --log-volume "$data/hub/log" --queue-volume "$data/hub/queue" \
        --tracking-volume "$data/hub/tracking" --tls-certificate "$data/certificate.pem" \
        --tls-key "$data/key.pem" --set "smtp.tls-listen=127.0.0.1:$smtps" >"$data/log/hub.log" 2>&1 &
    children="$! $children"
}

# Says how to measure it, and stays until it is ended.
run_until_interrupted() {
    wait_for "$smtp"
    wait_for "$smtps"
    echo "ready: ./hubmark users --smtp 127.0.0.1:$smtp --imap 127.0.0.1:$imap --users $users"
    echo "by TLS, with ports $smtps and $imaps: --smtp-tls --imap-tls --tls-trust $data/certificate.pem"
    for child in $children; do
        wait "$child" || true
    done
}
