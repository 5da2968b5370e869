# Exim won't start without the user it was compiled for, which an Exim that was only unpacked lacks: it gets one that
# no other process sees.
set -e
if ! id Debian-exim >/dev/null 2>&1; then
    cp /etc/passwd /etc/group "$0"
    echo "Debian-exim:x:64991:64991::/nonexistent:/usr/sbin/nologin" >>"$0/passwd"
    echo "Debian-exim:x:64991:" >>"$0/group"
    mount --bind "$0/passwd" /etc/passwd
    mount --bind "$0/group" /etc/group
fi
exec "$@"
