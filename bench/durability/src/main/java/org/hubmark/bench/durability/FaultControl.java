package org.hubmark.bench.durability;

import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Faults in a server's reads, writes, syncs and clock, set off while it runs: by a library that is preloaded
 * into it, and a file through which that is told. No privileges needed, and the server's files may lie on
 * emulated devices. One thread.
 */
final class FaultControl implements AutoCloseable {
    private static final int NUMBERS = 17;
    private static final Duration FAULT_TIMEOUT = Duration.ofSeconds(3);
    /** When the nth write or sync has not come by then, the next one will do. */
    private static final Duration NTH_TIMEOUT = Duration.ofSeconds(1);

    private static final long POLL_MILLIS = 2;

    // The numbers in the file, in the order of struct faults.
    private static final int TEAR_AT = 0;
    private static final int TEAR_SHARE = 1;
    private static final int WRITE_EIO_AT = 2;
    private static final int SYNC_EIO_AT = 3;
    private static final int EIO_FOREVER = 4;
    private static final int FULL = 5;
    private static final int BYTES_LEFT = 6;
    static final int CLOCK_OFFSET_NS = 7;
    private static final int SEEN = 8;
    private static final int STRUCK = 9;
    private static final int UNSYNCED_SINCE = 10;
    private static final int SYNC_STARTED = 11;
    private static final int UNPROVEN_SINCE = 12;
    private static final int LONGEST_SYNC_NS = 13;
    static final int BAD_INODE = 14;
    static final int BAD_AT = 15;
    static final int BAD_SIZE = 16;

    private final @Nullable PreloadLibrary library;
    private final Path control;
    private final FileChannel channel;
    private long seenBefore;

    private FaultControl(@Nullable PreloadLibrary library, Path control, FileChannel channel) {
        this.library = library;
        this.control = control;
        this.channel = channel;
    }

    /**
     * Prepares a fault file, with nothing set off.
     *
     * @param library null where none is loaded, and nothing can be set off nor seen
     */
    static FaultControl open(@Nullable PreloadLibrary library, Path control) throws IOException {
        OutputFile.write(control, out -> out.write(new byte[NUMBERS * Long.BYTES]));
        return new FaultControl(
                library,
                control,
                FileChannel.open(control, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /**
     * {@return the variables for a server whose files below a folder are to fail}
     *
     * @param watched the folder in which it is noted what waits for a sync, or null for none
     */
    Map<String, String> environment(Path below, @Nullable Path watched) throws IOException {
        if (library == null) {
            return Map.of();
        }
        Map<String, String> variables = new HashMap<>();
        variables.put("HUBMARK_FAULTS", control.toAbsolutePath().toString());
        variables.put("HUBMARK_FAULTS_BELOW", below.toAbsolutePath().toString());
        if (watched != null) {
            // It must be there when the server loads the library.
            Files.createDirectories(watched);
            variables.put("HUBMARK_FAULTS_WATCHED", watched.toAbsolutePath().toString());
        }
        return library.environment(variables);
    }

    /** The nth write from now is done in part, and the process dies in it. */
    void tear(long nth, int thousandths) throws IOException {
        set(TEAR_SHARE, thousandths);
        setOff(TEAR_AT, nth);
    }

    /** The nth write, or sync, from now fails; each one after it too if that is for good. */
    void fail(boolean write, long nth, boolean forGood) throws IOException {
        set(EIO_FOREVER, forGood ? 1 : 0);
        setOff(write ? WRITE_EIO_AT : SYNC_EIO_AT, nth);
    }

    /** No more than that can be written from now on; the device is full then (ENOSPC). */
    void fill(long bytes) throws IOException {
        set(BYTES_LEFT, bytes);
        setOff(FULL, 1);
    }

    /** There is room again. */
    void makeRoom() throws IOException {
        set(FULL, 0);
    }

    /** Waits for what was set off. If that takes long, the next write or sync gets it. */
    void awaitStruck() throws IOException, InterruptedException {
        if (awaitStruck(NTH_TIMEOUT) || get(SEEN) == seenBefore) {
            return;
        }
        for (int count : List.of(TEAR_AT, WRITE_EIO_AT, SYNC_EIO_AT)) {
            if (get(count) > 0) {
                set(count, 1);
            }
        }
        awaitStruck(FAULT_TIMEOUT);
    }

    private boolean awaitStruck(Duration timeout) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (struck() == 0) {
            if (System.nanoTime() > deadlineNanos) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** {@return why the server did not feel what was set off; null if it did} */
    @Nullable
    String unfelt() throws IOException {
        if (struck() > 0) {
            return null;
        }
        long seen = get(SEEN) - seenBefore;
        if (seen == 0) {
            return "no write of the server below {data} passed the library that makes writes fail (it"
                    + " drops LD_PRELOAD, is linked statically, or writes nothing)";
        }
        return "the library saw " + seen + " writes and syncs of the server below {data}, but none"
                + " that was to fail";
    }

    /** {@return how many reads, writes, syncs and looks at the clock got a fault} */
    long struck() throws IOException {
        return get(STRUCK);
    }

    /** {@return when the oldest write was that no sync has covered, by nanoTime; 0 if all are} */
    long unsyncedSinceNanos() throws IOException {
        return get(UNSYNCED_SINCE);
    }

    /** {@return when the sync that is under way began, by nanoTime; 0 if none is} */
    long syncStartedNanos() throws IOException {
        return get(SYNC_STARTED);
    }

    /** {@return how long the longest sync of a file that is watched took} */
    long longestSyncNanos() throws IOException {
        return get(LONGEST_SYNC_NS);
    }

    /**
     * {@return when the oldest write was after which nothing was written that could say that it was
     * synced, by nanoTime; 0 if nothing was written}
     */
    long unprovenSinceNanos() throws IOException {
        return get(UNPROVEN_SINCE);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void setOff(int index, long value) throws IOException {
        seenBefore = get(SEEN);
        set(index, value);
    }

    private long get(int index) throws IOException {
        ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        channel.read(number, (long) index * Long.BYTES);
        return number.getLong(0);
    }

    /** Sets one of the numbers in the file. */
    void set(int index, long value) throws IOException {
        ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        number.putLong(value).flip();
        channel.write(number, (long) index * Long.BYTES);
    }
}
