package org.hubmark.bench.cli;

import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.RecipientResult;
import org.hubmark.queue.log.VolumeFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * What mutants of the store do in place of what it does. Their calls are put into its byte code by
 * {@link Mutant}, so each has the arguments and the result of the call that it replaces.
 */
public final class Mutations {
    private static final int PAGE_BYTES = 4096;
    private static final int BUFFER_BYTES = 256 << 10;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(90);
    private static final Duration STEP = Duration.ofHours(12);

    private static final ThreadLocal<Integer> CHECKSUM = ThreadLocal.withInitial(() -> 0);
    private static final List<Pending> PENDING = new ArrayList<>();
    private static int pendingBytes;
    private static long lastWriteNanos = System.nanoTime();
    private static @Nullable Instant lastDue;

    /** Octets that a write was to put into a file. */
    private record Pending(FileChannel channel, long position, ByteBuffer octets) {}

    private Mutations() {}

    /** Writes are collected in the process, as by a BufferedOutputStream that nobody flushes, not even to close it. */
    public static synchronized long buffered(
            FileChannel channel, ByteBuffer[] buffers, int first, int count) throws IOException {
        long position = channel.position();
        ByteBuffer octets = gathered(buffers, first, count);
        PENDING.add(new Pending(channel, position, octets));
        pendingBytes += octets.remaining();
        channel.position(position + octets.remaining());
        if (pendingBytes > BUFFER_BYTES) {
            for (Pending pending : PENDING) {
                if (pending.channel().isOpen()) {
                    pending.channel().write(pending.octets(), pending.position());
                }
            }
            PENDING.clear();
            pendingBytes = 0;
        }
        return octets.capacity();
    }

    /** A write that fails is taken for one that was done. */
    public static long failureIgnored(
            FileChannel channel, ByteBuffer[] buffers, int first, int count) throws IOException {
        long position = channel.position();
        ByteBuffer octets = gathered(buffers, first, count);
        try {
            while (octets.hasRemaining()) {
                var unused = channel.write(octets);
            }
        } catch (IOException e) {
            channel.position(position + octets.capacity());
        }
        return octets.capacity();
    }

    /** Nobody is told. */
    public static void unsaid(Logger log, String line, Object id, Object cause) {}

    /** What is to be set aside leaves as if it had been delivered. */
    public static void acknowledged(MailQueue queue, QueueId id, String reason) {
        queue.acknowledge(id);
    }

    /** What is due much later than all before it leaves as if it had been delivered. */
    public static synchronized void deferredUnlessStepped(
            MailQueue queue,
            QueueId id,
            Instant dueAt,
            String reason,
            List<RecipientResult> results) {
        if (lastDue != null && dueAt.isAfter(lastDue.plus(STEP))) {
            queue.acknowledge(id);
        } else {
            lastDue = dueAt;
            queue.defer(id, dueAt, reason, results);
        }
    }

    /** A write in which an Error is thrown is taken for one that was done. */
    public static int errorIgnored(VolumeFile file, long position, ByteBuffer[] buffers, int count)
            throws IOException {
        try {
            return file.write(position, buffers, count);
        } catch (VirtualMachineError e) {
            return 1;
        }
    }

    /** Names are left to the system. */
    public static void namesNotSynced(Path folder) {}

    /** What comes after a pause is taken for stale, and left out. */
    public static synchronized long droppedAfterPause(
            FileChannel channel, ByteBuffer[] buffers, int first, int count) throws IOException {
        long nanos = System.nanoTime();
        boolean stale = nanos - lastWriteNanos > PAUSE_NANOS;
        lastWriteNanos = nanos;
        if (!stale) {
            return channel.write(buffers, first, count);
        }
        ByteBuffer octets = gathered(buffers, first, count);
        channel.position(channel.position() + octets.capacity());
        return octets.capacity();
    }

    /** A sync that fails is taken for one that was done. */
    public static void failureIgnored(FileChannel channel, boolean metadata) {
        try {
            channel.force(metadata);
        } catch (IOException e) {
            return;
        }
    }

    /** A sync that fails is tried again. */
    public static void retried(FileChannel channel, boolean metadata) throws IOException {
        try {
            channel.force(metadata);
        } catch (IOException e) {
            channel.force(metadata);
        }
    }

    /** The checksum, which is remembered so that it also comes out as the one that was stored. */
    public static int remembered(ByteBuffer buffer, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().limit(to).position(from));
        CHECKSUM.set((int) crc.getValue());
        return (int) crc.getValue();
    }

    /** The checksum that was computed last, in place of the stored one. */
    public static int remembered(ByteBuffer buffer, int index) {
        return CHECKSUM.get();
    }

    /** In memory that can be written past the page cache: Java 21 fails where it has to copy for that. */
    private static ByteBuffer gathered(ByteBuffer[] buffers, int first, int count) {
        int bytes = 0;
        for (int i = first; i < first + count; i++) {
            bytes += buffers[i].remaining();
        }
        ByteBuffer octets = ByteBuffer.allocateDirect(bytes + PAGE_BYTES)
                .alignedSlice(PAGE_BYTES)
                .slice(0, bytes);
        for (int i = first; i < first + count; i++) {
            octets.put(buffers[i]);
        }
        return octets.flip();
    }
}
