package org.hubmark.bench.durability;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Our own hub on volumes that have been in use; while it runs, a page can't be read any more: of a content
 * file, of a segment of the log, or of a table of the queue database. Its next hop takes the mail then, so
 * that the hub reads all of it. It may deliver nothing wrong, and what it can't read it must name, or end
 * with the reason. Then it is killed, and what is left is read. One seed, one thread.
 */
final class BadSectorHistory {
    private static final int PAGE_BYTES = 4096;
    private static final int MAIL = 30;
    private static final int MORE_MAIL_MAX = 300;
    private static final Duration MAIL_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofMillis(700);
    private static final long POLL_MILLIS = 10;

    private final Tally tally;
    private final long seed;
    private final Path folder;
    private final int connections;
    private final HubTarget target;
    private final PreloadLibrary faultLibrary;

    /** What can't be read. */
    private enum Place {
        CONTENT_FILE,
        SEGMENT,
        TABLE
    }

    BadSectorHistory(
            Program program,
            Tally tally,
            long seed,
            Path folder,
            int connections,
            PreloadLibrary faultLibrary) {
        this.target = new HubTarget(program);
        this.tally = tally;
        this.seed = seed;
        this.folder = folder;
        this.connections = connections;
        this.faultLibrary = faultLibrary;
    }

    /** One hub, one page. The folder is removed unless a promise was broken. */
    History.Outcome run() throws IOException, InterruptedException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Random random = Seeds.random(seed);
        String failure;
        try (Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed)) {
            Ageing.age(data, ledger, random);
            Place place = Place.values()[random.nextInt(Place.values().length)];
            try (FaultControl faults = FaultControl.open(faultLibrary, folder.resolve("faults"));
                    DeferringSink nextHop = new DeferringSink(ledger)) {
                failure = live(data, ledger, random, place, faults, nextHop);
                if (failure == null && nextHop.corrupted() > 0) {
                    failure = nextHop.corrupted() + " messages were delivered with another content";
                }
                failure = failure == null ? check(data, ledger, faults) : failure;
            }
            failure = failure == null ? null : place + ": " + failure;
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return new History.Outcome(1, failure);
    }

    private @Nullable String live(
            Path data,
            Ledger ledger,
            Random random,
            Place place,
            FaultControl faults,
            DeferringSink nextHop)
            throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(faults.environment(data, null));
        environment.put("LC_ALL", "C");
        CrashServer.Launch launch = target.launch(
                data,
                tally.durability(),
                environment,
                output(),
                nextHop.delivery(),
                Map.of("delivery.retry-min", "100ms", "delivery.retry-max", "500ms"));
        if (place == Place.TABLE) {
            // Once it has looked at a table, the database keeps what it has read.
            breakPage(place, data, ledger, random, faults);
        }
        try (CrashServer server = CrashServer.start(launch)) {
            try (Load load = new Load(ledger, server.address(), connections, false)) {
                load.awaitAcknowledged(MAIL, MAIL_TIMEOUT);
                if (place != Place.TABLE) {
                    breakPage(place, data, ledger, random, faults);
                }
                nextHop.accept();
                // The log wraps meanwhile, so that segments are moved as well.
                load.awaitAcknowledged(MAIL + random.nextInt(MORE_MAIL_MAX), MAIL_TIMEOUT);
                load.stop();
                tally.acknowledged(load.acknowledged());
                tally.inDoubt(ledger.inDoubt().size());
            }
            return awaitQuiet(server, nextHop)
                    ? null
                    : "the hub still delivered after " + DELIVERY_TIMEOUT.toSeconds() + " s";
        } catch (CrashServer.StartException e) {
            // It says why, which is all that it can do.
            if (faults.struck() > 0) {
                return null;
            }
            tally.unfelt(String.valueOf(e.getMessage()));
            return e.getMessage();
        }
    }

    private static void breakPage(
            Place place, Path data, Ledger ledger, Random random, FaultControl faults)
            throws IOException {
        switch (place) {
            case CONTENT_FILE -> breakContent("content-", data, ledger, random, faults);
            case SEGMENT -> breakContent("segment-", data, ledger, random, faults);
            case TABLE -> {
                List<Path> tables = Folders.files(HubTarget.queue(data)).stream()
                        .filter(file -> file.toString().endsWith(".sst"))
                        .sorted()
                        .toList();
                if (!tables.isEmpty()) {
                    Path table = tables.get(random.nextInt(tables.size()));
                    long pages = (Files.size(table) + PAGE_BYTES - 1) / PAGE_BYTES;
                    makeUnreadable(faults, table, random.nextLong(pages) * PAGE_BYTES, PAGE_BYTES);
                }
            }
        }
    }

    private static void breakContent(
            String prefix, Path data, Ledger ledger, Random random, FaultControl faults)
            throws IOException {
        MessagePlace found =
                MessagePlace.any(data, MessagePlace.held(ledger), random, List.of(prefix));
        if (found != null) {
            long at = found.at() + random.nextInt(found.bytes());
            makeUnreadable(faults, found.file(), at - at % PAGE_BYTES, PAGE_BYTES);
        }
    }

    /** A part of a file can't be read (EIO) until it is written as a whole. */
    private static void makeUnreadable(FaultControl faults, Path file, long at, long bytes)
            throws IOException {
        Object inode = Files.getAttribute(file, "unix:ino");
        faults.set(FaultControl.BAD_AT, at);
        faults.set(FaultControl.BAD_SIZE, bytes);
        faults.set(FaultControl.BAD_INODE, ((Number) inode).longValue());
    }

    private static boolean awaitQuiet(CrashServer server, DeferringSink nextHop)
            throws InterruptedException {
        long deadlineNanos = System.nanoTime() + DELIVERY_TIMEOUT.toNanos();
        long lastNanos = System.nanoTime();
        long taken = -1;
        while (server.isAlive() && System.nanoTime() - lastNanos < QUIET.toNanos()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            long now = nextHop.taken();
            lastNanos = now == taken ? lastNanos : System.nanoTime();
            taken = now;
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return true;
    }

    private Path output() {
        return folder.resolve("server.txt");
    }

    private @Nullable String check(Path data, Ledger ledger, FaultControl faults)
            throws IOException, InterruptedException {
        long crashNanos = System.nanoTime();
        ledger.flush();
        Path left = folder.resolve("check");
        Folders.copy(data, left);
        Survivors survivors = new Survivors(ledger, false);
        List<String> said = Files.exists(output())
                ? Files.readAllLines(output()).stream()
                        .filter(line -> line.contains("Input/output error")
                                || line.contains("damaged")
                                || line.contains("can't be read"))
                        .toList()
                : List.of();
        said.forEach(survivors::report);
        if (faults.struck() == 0) {
            tally.unfelt("nobody read the page");
        } else if (said.isEmpty()) {
            tally.crashed();
            return "a page could not be read, and the hub did not say so";
        } else {
            tally.crashed();
        }
        tally.recovered(target.recover(left, tally.durability(), folder, survivors));
        Tally.requireUninterrupted();
        String failure = tally.judge(ledger, survivors, crashNanos, LossWindow.NOTHING);
        if (failure == null) {
            Folders.delete(left);
        }
        return failure;
    }
}
