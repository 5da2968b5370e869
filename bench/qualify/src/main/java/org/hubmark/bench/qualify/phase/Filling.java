package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.pages.MessageSizes;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/**
 * Brings the databases to their size: new ones are filled, those that are there are kept, or grown.
 * What can't fit is refused before anything is written. One thread.
 */
public record Filling(QualifyRequest request, List<DatabasePlace> places, Progress progress) {
    /** A database that is there is as large as asked for, if it is so near to it. */
    private static final double NEAR = 0.05;

    /** A test lets them grow; one that has grown more is another one. */
    private static final double LARGER_MAX = 0.5;

    /** Pages stay in their places; a load adds some. */
    private static final double ROOM = 1.1;

    /** The log of a database holds what is in memory, some times over until it is deleted. */
    private static final int LOG_TIMES = 2;

    private static final Duration LOOK = Duration.ofMillis(250);

    /** Refuses what does not fit, by the file systems and not by the spelling of their folders. */
    public void requireRoom() throws IOException {
        long bytes = request.databases().bytes();
        long logBytes = LOG_TIMES
                        * (request.caches().bytesMax() - request.caches().bytesMin())
                        / places.size()
                + request.test().phases().keySet().stream()
                        .mapToLong(phase -> phase.logBytes(request.test()))
                        .sum();
        Map<String, Path> volumes = new HashMap<>();
        Map<String, Long> needed = new HashMap<>();
        for (DatabasePlace place : places) {
            long there = place.databaseBytes();
            if (there > bytes * (1 + LARGER_MAX)) {
                throw UserError.failed(place.database() + " holds a database of "
                        + mebibytes(there) + ", larger than --database-size "
                        + ByteSize.format(bytes) + ": name that size, or delete the folder");
            }
            long missing = Math.max(0, (long) (bytes * ROOM) - there);
            needed.merge(DatabasePlace.device(place.database(), volumes), missing, Long::sum);
            needed.merge(DatabasePlace.device(place.log(), volumes), logBytes, Long::sum);
        }
        for (Map.Entry<String, Path> volume : volumes.entrySet()) {
            long free = Files.getFileStore(volume.getValue()).getUsableSpace();
            long need = needed.getOrDefault(volume.getKey(), 0L);
            if (need > free) {
                throw UserError.failed("volume " + volume.getValue() + " has " + mebibytes(free)
                        + " free, and " + places.size() + " databases of " + ByteSize.format(bytes)
                        + " need " + mebibytes(need)
                        + " there: name a smaller --database-size or fewer --databases");
            }
        }
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + "MiB";
    }

    /** Fills. Says what it did. */
    public List<String> fill(List<MailboxDatabase> databases)
            throws IOException, InterruptedException {
        List<String> said = new ArrayList<>();
        List<Callable<Boolean>> tasks = new ArrayList<>();
        LongAdder written = new LongAdder();
        long missing = 0;
        long wanted = request.databases().bytes();
        for (MailboxDatabase database : databases) {
            long there = database.place().databaseBytes();
            long bytes = wanted - there;
            String what = there == 0 ? "filled" : "kept as it is, " + mebibytes(there);
            if (bytes > wanted * NEAR) {
                SplittableRandom random =
                        new SplittableRandom(request.load().seed() * 31 + tasks.size());
                tasks.add(() -> fill(database, bytes, random, written));
                missing += bytes;
                what = there == 0 ? what : "kept and grown from " + mebibytes(there);
            }
            said.add(database.place().instance() + ": " + what);
        }
        if (!tasks.isEmpty()) {
            progress.phase("filling the databases", Duration.ZERO);
            long began = System.nanoTime();
            String all = " of " + mebibytes(missing);
            var unused = SideBySide.run(
                    tasks,
                    LOOK,
                    () -> progress.elapsed(
                            Duration.ofNanos(System.nanoTime() - began),
                            mebibytes(written.sum()) + all));
        }
        return said;
    }

    private static boolean fill(
            MailboxDatabase database, long bytes, SplittableRandom random, LongAdder written)
            throws IOException {
        MessageSizes sizes = new MessageSizes(random.split());
        for (long grown = 0; grown < bytes && !Thread.currentThread().isInterrupted(); ) {
            long more = database.fill(sizes, random);
            grown += more;
            written.add(more);
        }
        database.flush();
        return true;
    }
}
