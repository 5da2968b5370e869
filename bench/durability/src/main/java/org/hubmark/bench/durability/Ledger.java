package org.hubmark.bench.durability;

import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Every message that was sent to one server over some crashes, and whether a 250 for it was read. In
 * the memory of the process that causes the crashes, and line by line in a file beside: neither is on
 * a volume that is crashed. Any thread.
 */
final class Ledger implements AutoCloseable {
    private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong nextToken;
    private final BufferedWriter file;

    /** One message. Written by the connection that sends it, read when that has ended. */
    static final class Entry {
        final long token;
        final int connection;
        final byte[] digest;
        final AtomicInteger attempts = new AtomicInteger();
        volatile long ackedNanos;
        volatile boolean acked;
        volatile @Nullable Integer refusedWith;
        /** What the 250 called it, where that is known. */
        volatile @Nullable String queueId;

        /** What checks have found so far, so that nothing is counted twice. */
        boolean lost;

        boolean corrupted;
        boolean reordered;
        /** How often it went out for good. */
        int delivered;

        int extraCopies;

        private Entry(long token, int connection, byte[] digest) {
            this.token = token;
            this.connection = connection;
            this.digest = digest;
        }

        boolean inDoubt() {
            return attempts.get() > 0 && !acked && refusedWith == null;
        }
    }

    /** Begins a ledger whose tokens no other ledger of this seed has. */
    Ledger(Path file, long seed) throws IOException {
        this.nextToken = new AtomicLong((seed & 0xff_ffff_ffffL) << 20);
        this.file = new BufferedWriter(
                new OutputStreamWriter(OutputFile.begin(file), StandardCharsets.UTF_8));
        this.file.write("token,connection,sha256,state,nanos\n");
    }

    long newToken() {
        return nextToken.incrementAndGet();
    }

    Entry add(long token, int connection, byte[] digest) {
        Entry entry = new Entry(token, connection, digest);
        entries.put(token, entry);
        return entry;
    }

    /** It is about to be sent: from now on it may be in the queue. */
    void sending(Entry entry) {
        entry.attempts.incrementAndGet();
    }

    /** The 250 was read just now. */
    void acknowledged(Entry entry) {
        entry.ackedNanos = System.nanoTime();
        entry.acked = true;
        write(entry, "acknowledged", entry.ackedNanos);
    }

    /** The server has said no. */
    void refused(Entry entry, int code) {
        entry.refusedWith = code;
        write(entry, "refused-" + code, System.nanoTime());
    }

    @Nullable
    Entry find(long token) {
        return entries.get(token);
    }

    Collection<Entry> entries() {
        return entries.values();
    }

    /** {@return messages of which nobody knows whether the server has them, in order} */
    List<Entry> inDoubt() {
        List<Entry> found = new ArrayList<>();
        for (Entry entry : entries.values()) {
            if (entry.inDoubt()) {
                found.add(entry);
            }
        }
        // Tokens grow.
        found.sort((a, b) -> Long.compare(a.token, b.token));
        return found;
    }

    /** Puts all lines in the file. */
    synchronized void flush() throws IOException {
        for (Entry entry : inDoubt()) {
            write(entry, "in-doubt", System.nanoTime());
        }
        file.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }

    private synchronized void write(Entry entry, String state, long nanos) {
        try {
            file.write(entry.token + "," + entry.connection + ","
                    + HexFormat.of().formatHex(entry.digest) + "," + state + "," + nanos + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("the ledger can't be written", e);
        }
    }
}
