#!/bin/sh
# A Sendmail of its own, on the loopback address; takes root.
#   sendmail.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   sendmail.sh read DATA TO       writes each message in its queue as a file into TO
#   sendmail.sh fetch | version    gets it without installing it (see common.sh); prints its version
# Mail is queued and never looked at again (DeliveryMode q, no queue runner). Ids sort by time of arrival.
# SuperSafe is what it is by default: a message is synced before it is answered.
set -eu
. "$(dirname -- "$0")/common.sh"
own_mounts=yes
program=/usr/libexec/sendmail/sendmail

fetch() {
    fetch_packages sendmail-bin sendmail-base sendmail-cf m4 libwrap0 liblockfile1
}

version() {
    package_version sendmail-bin
}

configure() {
    add_user smmta 64995
    add_user smmsp 64996
    put_spool /var/spool/mqueue
    chmod 755 "$data"
    chmod 700 "$data/spool"
    mkdir -p /var/lib/sendmail /run/sendmail/mta
    # No name server is asked. Without a full name of the machine it waits for a minute.
    echo "127.0.0.1 $(uname -n).example $(uname -n)" >>/etc/hosts
    cp /etc/mail/service.switch-nodns /etc/mail/service.switch
    touch /etc/mail/local-host-names /etc/mail/relay-domains /etc/mail/trusted-users
    cat >"$data/sendmail.mc" <<END
define(\`_USE_ETC_MAIL_')dnl
include(\`/usr/share/sendmail/cf/m4/cf.m4')dnl
OSTYPE(\`debian')dnl
DOMAIN(\`debian-mta')dnl
FEATURE(\`no_default_msa')dnl
FEATURE(\`accept_unresolvable_domains')dnl
FEATURE(\`accept_unqualified_senders')dnl
FEATURE(\`promiscuous_relay')dnl
FEATURE(\`nocanonify')dnl
DAEMON_OPTIONS(\`Family=inet, Name=MTA, Port=$port, Addr=127.0.0.1, Listen=128')dnl
define(\`confDOMAIN_NAME', \`ledger.example')dnl
define(\`confDELIVERY_MODE', \`q')dnl
define(\`confMAX_MESSAGE_SIZE', \`157286400')dnl
define(\`confQUEUE_LA', \`1000')dnl
define(\`confREFUSE_LA', \`1000')dnl
define(\`confTO_IDENT', \`0s')dnl
define(\`ALIAS_FILE', \`')dnl
MAILER_DEFINITIONS
MAILER(\`local')dnl
MAILER(\`smtp')dnl
END
    m4 "$data/sendmail.mc" >"$data/sendmail.cf"
    chmod 644 "$data/sendmail.cf"
}

start() {
    configure
    exec "$program" -C "$data/sendmail.cf" -bD
}

read_back() {
    python3 "$peers/read.py" sendmail "$data" "$to"
}

peer "$@"
