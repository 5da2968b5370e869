package org.hubmark.bench.durability;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.machine.folders.Folders;
import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Our own hub on volumes that have been in use; while it runs, a bit of a message in its queue changes,
 * in a file of the queue database or in a segment of the log. A check beside it, which goes on and on at
 * a pace, must find that in the pass after the next line that it says at the latest. Then the hub is
 * killed, what it left is read, and it is started again to deliver: it may deliver nothing wrong, and
 * nothing may be missing that nobody has named. One seed, one thread.
 */
final class RotHistory {
    private static final int MAIL = 60;
    private static final Duration MAIL_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration PASS_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final long POLL_MILLIS = 50;
    /** Passes, one after the other, until one finds something. */
    private static final List<String> PASSES =
            List.of("sh", "-c", "while :; do \"$@\" || exit; sleep 0.1; done", "passes");

    private static final String SOUND = "nothing wrong";
    /** The pass that is under way when the bit changes may have been there already. */
    private static final int SOUND_PASSES_MAX = 1;

    private final Tally tally;
    private final long seed;
    private final Path folder;
    private final int connections;
    private final Program program;
    private final HubTarget target;

    RotHistory(Program program, Tally tally, long seed, Path folder, int connections) {
        this.program = program;
        this.target = new HubTarget(program);
        this.tally = tally;
        this.seed = seed;
        this.folder = folder;
        this.connections = connections;
    }

    /** One hub, one change. The folder is removed unless a promise was broken. */
    History.Outcome run() throws IOException, InterruptedException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Random random = Seeds.random(seed);
        String failure;
        try (Ledger ledger = new Ledger(folder.resolve("ledger.csv"), seed)) {
            Ageing.age(data, ledger, random);
            List<String> found = new ArrayList<>();
            failure = rot(data, ledger, MessagePlace.held(ledger), random, found);
            long crashNanos = System.nanoTime();
            if (failure == null) {
                Path left = folder.resolve("check");
                Folders.copy(data, left);
                Survivors survivors = survivors(ledger, found);
                tally.recovered(target.recover(left, tally.durability(), folder, survivors));
                Tally.requireUninterrupted();
                failure = tally.judge(ledger, survivors, crashNanos, LossWindow.NOTHING);
                Folders.delete(left);
            }
            if (failure == null) {
                Survivors survivors = survivors(ledger, found);
                deliver(data, survivors);
                Tally.requireUninterrupted();
                failure = tally.judge(ledger, survivors, crashNanos, LossWindow.NOTHING);
            }
        }
        if (failure == null) {
            Folders.delete(folder);
        }
        return new History.Outcome(1, failure);
    }

    private static Survivors survivors(Ledger ledger, List<String> found) {
        Survivors survivors = new Survivors(ledger, false);
        found.forEach(survivors::report);
        return survivors;
    }

    /**
     * {@return what breaks the promise; null if the change was found}
     *
     * @param synced messages in the queue that the log says were synced; damage to what it does not say
     *     that of can't be told from an unfinished write
     */
    private @Nullable String rot(
            Path data, Ledger ledger, List<Ledger.Entry> synced, Random random, List<String> found)
            throws IOException, InterruptedException {
        CrashServer.Launch launch =
                target.launch(data, tally.durability(), Map.of(), folder.resolve("server.txt"));
        try (CrashServer server = CrashServer.start(launch)) {
            try (Load load = new Load(ledger, server.address(), connections, false)) {
                load.awaitAcknowledged(MAIL, MAIL_TIMEOUT);
                load.stop();
                tally.acknowledged(load.acknowledged());
            }
            ledger.flush();
            BlockingQueue<String> lines = new LinkedBlockingQueue<>();
            Process check = startCheck(data, lines);
            try {
                if (!awaitPass(lines, found)) {
                    return "queue check of a sound queue did not end well: " + found;
                }
                String changed = change(data, synced, random);
                if (changed == null) {
                    tally.unfelt("nothing was found to change");
                    return null;
                }
                lines.clear();
                for (int pass = 0; awaitPass(lines, found); pass++) {
                    if (pass > SOUND_PASSES_MAX) {
                        return "queue check has not found the change at " + changed;
                    }
                }
                tally.crashed();
                return check.waitFor(PASS_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                                && check.exitValue() == 1
                        ? null
                        : "queue check did not end with exit code 1 after " + found;
            } finally {
                check.destroyForcibly();
            }
        }
    }

    private Process startCheck(Path data, BlockingQueue<String> lines) throws IOException {
        List<String> command = new ArrayList<>(PASSES);
        command.addAll(program.command(List.of(
                "queue",
                "check",
                "--log-volume=" + HubTarget.log(data),
                "--queue-volume=" + HubTarget.queue(data))));
        Process check = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread.ofPlatform().daemon().name("queue-check").start(() -> {
            try (BufferedReader out = new BufferedReader(
                    new InputStreamReader(check.getInputStream(), StandardCharsets.UTF_8))) {
                out.lines().forEach(lines::add);
            } catch (IOException e) {
                lines.add(String.valueOf(e.getMessage()));
            }
            lines.add("");
        });
        return check;
    }

    /** {@return true after a pass that found nothing; false after the last line, all noted} */
    private static boolean awaitPass(BlockingQueue<String> lines, List<String> found)
            throws InterruptedException {
        while (true) {
            String line = lines.poll(PASS_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            if (line == null || line.isEmpty()) {
                return false;
            }
            if (line.endsWith(SOUND)) {
                return true;
            }
            found.add(line);
        }
    }

    /** Changes a bit of a message that the queue holds. {@return where; null if there is none} */
    private static @Nullable String change(Path data, List<Ledger.Entry> synced, Random random)
            throws IOException {
        MessagePlace place =
                MessagePlace.any(data, synced, random, List.of("content-", "segment-"));
        return place == null
                ? null
                : flip(place.file(), place.at() + random.nextInt(place.bytes()), random.nextInt(8))
                        + ", in the message " + place.entry().queueId;
    }

    private static String flip(Path file, long at, int bit) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(at);
            int old = open.read();
            open.seek(at);
            open.write(old ^ 1 << bit);
        }
        return file.getFileName() + ", offset " + at;
    }

    /** Starts the hub again, to deliver what it can, and reads what it leaves. */
    private void deliver(Path data, Survivors survivors) throws IOException, InterruptedException {
        Path mail = Files.createDirectories(folder.resolve("delivered"));
        CrashServer.Launch launch = target.launch(
                data,
                tally.durability(),
                Map.of(),
                folder.resolve("server.txt"),
                "directory:" + mail,
                Map.of());
        try (CrashServer server = CrashServer.start(launch)) {
            awaitQuiet(server, mail);
        } catch (CrashServer.StartException e) {
            survivors.reportUnreadable(String.valueOf(e.getMessage()));
        }
        for (Path file : Folders.files(mail)) {
            if (file.toString().endsWith(".eml")) {
                survivors.add(Files.readAllBytes(file));
            }
        }
        target.recover(data, tally.durability(), folder, survivors);
    }

    private static void awaitQuiet(CrashServer server, Path mail)
            throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + DELIVERY_TIMEOUT.toNanos();
        long lastNanos = System.nanoTime();
        long count = -1;
        while (server.isAlive()
                && System.nanoTime() < deadlineNanos
                && System.nanoTime() - lastNanos < QUIET.toNanos()) {
            long now = count(mail);
            lastNanos = now == count ? lastNanos : System.nanoTime();
            count = now;
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static long count(Path mail) throws IOException {
        try (Stream<Path> files = Files.list(mail)) {
            return files.count();
        }
    }
}
