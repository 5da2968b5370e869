package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.FileOperations;
import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.pages.MessageSizes;
import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.core.FileErrors;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/**
 * Writes to databases until the log of each has as much as was asked for, all of which is needed after a
 * crash, says so, and waits to be killed; ends by itself when its standard input is closed. A process of its
 * own, so that it can be killed.
 */
final class LogWriterMain {
    /** The line that it says when all logs are written. */
    static final String READY = "ready";

    private static final long CACHE_BYTES = 64 << 20;
    private static final int PLACE_ARGUMENTS = 3;
    private static final int FIRST_PLACE = 2;
    private static final int SYNC_EVERY = 3;
    private static final int LOOK_EVERY = 64;

    private LogWriterMain() {}

    /** Arguments: octets of log, seed, and of each database its name and its two folders. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        long logBytes = Long.parseLong(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        List<DatabasePlace> places = new ArrayList<>();
        for (int i = FIRST_PLACE; i < arguments.length; i += PLACE_ARGUMENTS) {
            places.add(new DatabasePlace(
                    arguments[i], Path.of(arguments[i + 1]), Path.of(arguments[i + 2])));
        }
        PageCache cache = new PageCache(CacheMode.ALL, CACHE_BYTES, 4 * CACHE_BYTES);
        List<Callable<MailboxDatabase>> tasks = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            DatabasePlace place = places.get(i);
            long own = seed + i;
            tasks.add(() -> write(place, cache, logBytes, own));
        }
        List<MailboxDatabase> open = List.of();
        try {
            open = SideBySide.run(tasks, Duration.ofDays(1), () -> {});
        } catch (IOException e) {
            System.err.println(FileErrors.text(e));
            Runtime.getRuntime().halt(1);
        }
        System.out.println(READY);
        System.out.flush();
        while (System.in.read() >= 0) {
            // Until it is closed, or we are killed.
        }
        System.err.println("not killed, with " + open.size() + " databases open");
        Runtime.getRuntime().halt(1);
    }

    private static MailboxDatabase write(
            DatabasePlace place, PageCache cache, long logBytes, long seed) throws IOException {
        MailboxDatabase database =
                MailboxDatabase.open(place, cache, 0, true, new FileOperations());
        SplittableRandom random = new SplittableRandom(seed);
        MessageSizes sizes = new MessageSizes(random.split());
        for (long i = 0; i % LOOK_EVERY != 0 || database.logBytes() < logBytes; i++) {
            database.run(TransactionMix.DEFAULT.draw(random), sizes, random, i % SYNC_EVERY == 0);
        }
        return database;
    }
}
