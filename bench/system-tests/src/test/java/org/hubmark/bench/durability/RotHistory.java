package org.hubmark.bench.durability;

import org.hubmark.bench.machine.folders.Folders;
import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Our own hub on volumes that have been in use; while it runs, a bit of a message in its queue changes,
 * in a file of the queue database or in a segment of the log. A check beside it, which goes on and on at
 * a pace, must find that in the pass after the next line that it says at the latest. Then the hub is
 * killed, what it left is read, and it is started again to deliver: it may deliver nothing wrong, and
 * nothing may be missing that nobody has named.
 *
 * @param found what the check has said
 */
record RotHistory(HubLife life, List<String> found) {
    private static final int MAIL = 60;
    private static final Duration QUIET = Duration.ofSeconds(2);
    /** Passes, one after the other, until one finds something. */
    private static final List<String> PASSES =
            List.of("sh", "-c", "while :; do \"$@\" || exit; sleep 0.1; done", "passes");

    private static final String SOUND = "nothing wrong";
    /** The pass that is under way when the bit changes may have been there already. */
    private static final int SOUND_PASSES_MAX = 1;

    static @Nullable String run(HubLife life) throws IOException, InterruptedException {
        Ageing.age(life.data(), life.ledger(), life.random());
        RotHistory history = new RotHistory(life, new ArrayList<>());
        String failure = history.rot(MessagePlace.held(life.ledger()));
        long crashNanos = System.nanoTime();
        if (failure == null) {
            failure = life.judge(
                    life.left(), new Survivors(life.ledger(), false), history.found, crashNanos);
        }
        return failure == null ? history.deliver(crashNanos) : failure;
    }

    /**
     * {@return what breaks the promise; null if the change was found}
     *
     * @param synced messages in the queue that the log says were synced; damage to what it does not say
     *     that of can't be told from an unfinished write
     */
    private @Nullable String rot(List<Ledger.Entry> synced)
            throws IOException, InterruptedException {
        try (CrashServer server = CrashServer.start(life.launch(Map.of(), "hold", Map.of()))) {
            life.send(server, load -> HubLife.awaitMail(load, MAIL));
            life.ledger().flush();
            BlockingQueue<String> lines = new LinkedBlockingQueue<>();
            Process check = startCheck(lines);
            try {
                if (!awaitPass(lines)) {
                    return "queue check of a sound queue did not end well: " + found;
                }
                MessagePlace place = MessagePlace.any(
                        life.data(), synced, life.random(), List.of("content-", "segment-"));
                if (place == null) {
                    life.tally().unfelt("nothing was found to change");
                    return null;
                }
                flip(place, life.random());
                lines.clear();
                for (int pass = 0; awaitPass(lines); pass++) {
                    if (pass > SOUND_PASSES_MAX) {
                        return "queue check has not found the change in " + place.file()
                                + ", in the message " + place.entry().queueId;
                    }
                }
                life.tally().crashed();
                return check.waitFor(HubLife.WAIT.toSeconds(), TimeUnit.SECONDS)
                                && check.exitValue() == 1
                        ? null
                        : "queue check did not end with exit code 1 after " + found;
            } finally {
                check.destroyForcibly();
            }
        }
    }

    private Process startCheck(BlockingQueue<String> lines) throws IOException {
        List<String> command = new ArrayList<>(PASSES);
        command.addAll(life.program()
                .command(List.of(
                        "queue",
                        "check",
                        "--log-volume=" + HubTarget.log(life.data()),
                        "--queue-volume=" + HubTarget.queue(life.data()))));
        Process check = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread.ofPlatform().daemon().name("queue-check").start(() -> {
            try (BufferedReader out = check.inputReader(StandardCharsets.UTF_8)) {
                out.lines().forEach(lines::add);
            } catch (IOException e) {
                lines.add(String.valueOf(e.getMessage()));
            }
            lines.add("");
        });
        return check;
    }

    /** {@return true after a pass that found nothing; false after the last line, all noted} */
    private boolean awaitPass(BlockingQueue<String> lines) throws InterruptedException {
        while (true) {
            String line = lines.poll(HubLife.WAIT.toSeconds(), TimeUnit.SECONDS);
            if (line == null || line.isEmpty()) {
                return false;
            }
            if (line.endsWith(SOUND)) {
                return true;
            }
            found.add(line);
        }
    }

    /** Changes a bit of a message that the queue holds. */
    private static void flip(MessagePlace place, Random random) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(place.file().toFile(), "rw")) {
            long at = place.at() + random.nextInt(place.bytes());
            open.seek(at);
            int old = open.read();
            open.seek(at);
            open.write(old ^ 1 << random.nextInt(8));
        }
    }

    /** Starts the hub again, to deliver what it can, and judges that with what it leaves. */
    private @Nullable String deliver(long crashNanos) throws IOException, InterruptedException {
        Survivors survivors = new Survivors(life.ledger(), false);
        Path mail = Files.createDirectories(life.folder().resolve("delivered"));
        try (CrashServer server =
                CrashServer.start(life.launch(Map.of(), "directory:" + mail, Map.of()))) {
            var unused = HubLife.awaitQuiet(
                    server, () -> Objects.requireNonNull(mail.toFile().list()).length, QUIET);
        } catch (CrashServer.StartException e) {
            survivors.reportUnreadable(String.valueOf(e.getMessage()));
        }
        for (Path file : Folders.files(mail)) {
            if (file.toString().endsWith(".eml")) {
                survivors.add(Files.readAllBytes(file));
            }
        }
        return life.judge(life.data(), survivors, found, crashNanos);
    }
}
