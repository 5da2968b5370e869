package org.hubmark.bench.durability;

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

/**
 * Our own hub on volumes that have been in use; while it runs, a page can't be read any more: of a content
 * file, of a segment of the log, or of a table of the queue database. Its next hop takes the mail then, so
 * that the hub reads all of it. It may deliver nothing wrong, and what it can't read it must name, or end
 * with the reason. Then it is killed, and what is left is read.
 */
record BadSectorHistory(HubLife life, Place place, FaultControl faults, DeferringSink nextHop) {
    private static final int PAGE_BYTES = 4096;
    private static final int MAIL = 30;
    private static final int MORE_MAIL_MAX = 300;
    private static final Duration QUIET = Duration.ofMillis(700);

    /** What can't be read. */
    private enum Place {
        CONTENT_FILE,
        SEGMENT,
        TABLE
    }

    static @Nullable String run(HubLife life) throws IOException, InterruptedException {
        Ageing.age(life.data(), life.ledger(), life.random());
        Place place = Place.values()[life.random().nextInt(Place.values().length)];
        PreloadLibrary library = PreloadLibrary.load(life.folder());
        try (FaultControl faults = FaultControl.open(library, life.folder().resolve("faults"));
                DeferringSink nextHop = new DeferringSink(life.ledger())) {
            BadSectorHistory history = new BadSectorHistory(life, place, faults, nextHop);
            String failure = history.live();
            failure = failure == null ? nextHop.failure() : failure;
            failure = failure == null ? history.check() : failure;
            return failure == null ? null : place + ": " + failure;
        }
    }

    private @Nullable String live() throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(faults.environment(life.data(), null));
        environment.put("LC_ALL", "C");
        CrashServer.Launch launch =
                life.launch(environment, nextHop.delivery(), DeferringSink.RETRIES);
        if (place == Place.TABLE) {
            // Once it has looked at a table, the database keeps what it has read.
            breakTable();
        }
        try (CrashServer server = CrashServer.start(launch)) {
            life.send(server, load -> {
                HubLife.awaitMail(load, MAIL);
                if (place != Place.TABLE) {
                    breakContent(place == Place.SEGMENT ? "segment-" : "content-");
                }
                nextHop.accept();
                // The log wraps meanwhile, so that segments are moved as well.
                HubLife.awaitMail(load, MAIL + life.random().nextInt(MORE_MAIL_MAX));
            });
            return HubLife.awaitQuiet(server, nextHop::taken, QUIET)
                    ? null
                    : "the hub still delivered after " + HubLife.WAIT.toSeconds() + " s";
        } catch (CrashServer.StartException e) {
            // It says why, which is all that it can do.
            if (faults.struck() > 0) {
                return null;
            }
            life.tally().unfelt(String.valueOf(e.getMessage()));
            return e.getMessage();
        }
    }

    private void breakTable() throws IOException {
        List<Path> tables = Folders.files(HubTarget.queue(life.data())).stream()
                .filter(file -> file.toString().endsWith(".sst"))
                .sorted()
                .toList();
        if (!tables.isEmpty()) {
            Random random = life.random();
            Path table = tables.get(random.nextInt(tables.size()));
            breakPage(table, random.nextLong((Files.size(table) + PAGE_BYTES - 1) / PAGE_BYTES));
        }
    }

    private void breakContent(String prefix) throws IOException {
        MessagePlace found = MessagePlace.any(
                life.data(), MessagePlace.held(life.ledger()), life.random(), List.of(prefix));
        if (found != null) {
            breakPage(
                    found.file(), (found.at() + life.random().nextInt(found.bytes())) / PAGE_BYTES);
        }
    }

    /** A page of a file can't be read (EIO) until it is written as a whole. */
    private void breakPage(Path file, long page) throws IOException {
        Object inode = Files.getAttribute(file, "unix:ino");
        faults.set(FaultControl.BAD_AT, page * PAGE_BYTES);
        faults.set(FaultControl.BAD_SIZE, PAGE_BYTES);
        faults.set(FaultControl.BAD_INODE, ((Number) inode).longValue());
    }

    private @Nullable String check() throws IOException, InterruptedException {
        long crashNanos = System.nanoTime();
        List<String> said = Files.exists(life.output())
                ? Files.readAllLines(life.output()).stream()
                        .filter(line ->
                                line.matches(".*(Input/output error|damaged|can't be read).*"))
                        .toList()
                : List.of();
        if (faults.struck() == 0) {
            life.tally().unfelt("nobody read the page");
        } else {
            life.tally().crashed();
            if (said.isEmpty()) {
                return "a page could not be read, and the hub did not say so";
            }
        }
        return life.judge(life.left(), new Survivors(life.ledger(), false), said, crashNanos);
    }
}
