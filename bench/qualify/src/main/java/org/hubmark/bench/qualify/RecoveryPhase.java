package org.hubmark.bench.qualify;

import org.hubmark.bench.hub.HubJvm;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Soft recovery: a process of its own writes to all databases until the log of each has so much that is
 * in no page yet, and is killed; then the databases are opened side by side, which replays it.
 */
final class RecoveryPhase {
    /** As the source. */
    private static final Duration SAMPLE = Duration.ofSeconds(4);

    private final PhaseContext context;
    private final TestLog log;
    private final PhaseReport report;

    RecoveryPhase(PhaseContext context) {
        this.context = context;
        this.log = new TestLog(context.progress());
        this.report = new PhaseReport(context, log);
    }

    Repeat run() throws IOException, InterruptedException {
        report.sizeBefore();
        log.add("Log generation: " + (context.request().test().recoveryLogBytes() >> 20)
                + " MB for each database");
        generate();
        log.add("Killed; the logs are out of memory; recovering");
        replay();
        report.sizeAfter();
        log.add("recovery is done");
        return report.result();
    }

    private void generate() throws IOException, InterruptedException {
        QualifyRequest request = context.request();
        List<String> command = new ArrayList<>(HubJvm.plainCommand());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                LogWriterMain.class.getName(),
                Long.toString(request.test().recoveryLogBytes()),
                Long.toString(request.load().seed())));
        for (DatabasePlace place : context.places()) {
            command.addAll(List.of(
                    place.instance(), place.database().toString(), place.log().toString()));
        }
        Path said = Files.createTempFile(context.folder(), "log-writer", ".txt");
        Process process =
                new ProcessBuilder(command).redirectError(said.toFile()).start();
        Thread killer = new Thread(process::destroyForcibly, "kill-log-writer");
        Runtime.getRuntime().addShutdownHook(killer);
        try (BufferedReader out = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            if (!LogWriterMain.READY.equals(out.readLine())) {
                process.waitFor();
                throw new IOException("the log could not be written: " + HubJvm.lastWords(said));
            }
        } finally {
            process.destroyForcibly();
            process.onExit().join();
            Files.delete(said);
            forget(killer);
        }
    }

    private static void forget(Thread killer) {
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            // We are ending, and it runs anyhow.
            return;
        }
    }

    private void replay() throws IOException, InterruptedException {
        QualifyRequest request = context.request();
        List<Instance> instances = new ArrayList<>();
        List<Callable<Repeat>> tasks = new ArrayList<>();
        try (SharedCache cache = SharedCache.of(request)) {
            for (DatabasePlace place : context.places()) {
                Instance instance = Instance.reading(place, new FileOperations());
                instances.add(instance);
                tasks.add(() -> replay(place, instance, cache));
            }
            long began = System.nanoTime();
            List<Repeat> all = SampledWork.run(context, instances, report, SAMPLE, tasks);
            report.elapsed(began, all);
            report.found().parts(PhaseFigures.RECOVERY, all);
        }
    }

    private Repeat replay(DatabasePlace place, Instance instance, SharedCache cache)
            throws IOException {
        long began = System.nanoTime();
        MailboxDatabase database =
                cache.open(place, context.request().databases().bytes(), instance.operations());
        long elapsedNanos = System.nanoTime() - began;
        long bytes = database.replayedBytes();
        database.close();
        return Repeat.counted()
                .name(InstanceFigures.INSTANCE, place.instance())
                .count(PhaseFigures.BYTES, bytes)
                .count(PhaseFigures.ELAPSED_NS, elapsedNanos)
                .made();
    }
}
