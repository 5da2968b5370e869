#!/bin/sh
# A store of one file a message behind Node's smtp-server, on the loopback address.
#   smtp-server.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   smtp-server.sh read DATA TO       copies each message into TO
#   smtp-server.sh fetch | version    gets it without installing it (see common.sh); prints its version
# Needs Node.js. The package has no store: what is below is ours, and so are its promises. As shipped, the
# content goes into a file by a stream, as the examples of Node.js do it, and the 250 follows its end. With
# PEER_SETTINGS=durable, file and folder are synced before the 250.
set -eu
. "$(dirname -- "$0")/common.sh"
program=$files/node_modules/smtp-server

fetch() {
    (cd "$files" && npm install --no-audit --no-fund smtp-server@3.21.6 >&2)
}

version() {
    sed -n 's/.*"version": "\(.*\)".*/\1/p' "$files/node_modules/smtp-server/package.json"
}

start() {
    mkdir -p "$data/mail" "$data/tmp"
    cat >"$data/store.js" <<'END'
'use strict'
const fs = require('fs')
const { pipeline } = require('stream/promises')
const { SMTPServer } = require('smtp-server')
const [port, data, settings] = process.argv.slice(2)
const durable = settings === 'durable'
let count = 0

async function store(content) {
    const name = `${Date.now()}-${process.pid}-${String(count++).padStart(9, '0')}`
    const file = `${data}/tmp/${name}`
    await pipeline(content, fs.createWriteStream(file))
    if (durable) await sync(file)
    await fs.promises.rename(file, `${data}/mail/${name}`)
    if (durable) await sync(`${data}/mail`)
}

async function sync(path) {
    const handle = await fs.promises.open(path)
    await handle.sync()
    await handle.close()
}

new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: 150e6,
    onData: (content, session, done) => { store(content).then(() => done(), done) },
}).listen(port, '127.0.0.1')
END
    export NODE_PATH="$files/node_modules"
    exec node "$data/store.js" "$port" "$data" "$settings"
}

read_back() {
    find "$data/mail" -type f -exec cp -t "$to" {} +
}

peer "$@"
