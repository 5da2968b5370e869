package org.hubmark.bench.command;

import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.bench.Main;
import org.hubmark.bench.UserError;
import org.hubmark.bench.load.Corpus;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.measure.HubClient;
import org.hubmark.bench.measure.Instruments;
import org.hubmark.bench.measure.Machine;
import org.hubmark.bench.measure.Measurement;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.Repeats;
import org.hubmark.bench.measure.Samples;
import org.hubmark.bench.measure.ServerProcess;
import org.hubmark.bench.measure.Volumes;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.hubmark.core.ByteSize;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * All scenarios of a run, in interleaved order: each size once, then each again, so that what drifts
 * on the machine touches all alike. One thread; ends early, with what there is, when interrupted.
 */
final class RunSession implements AutoCloseable {
    /** What the hub says on standard error; removed when that is nothing. */
    private static final String SERVER_LOG = "server.log";

    private final Request request;
    private final Progress progress;
    private final Path folder;
    private final Samples samples;
    private final Instant startedAt = Instant.now();
    private final List<Part> parts = new ArrayList<>();
    private final Interruption interruption = new Interruption();
    private List<Results.Volume> volumes = List.of();
    private Results.@Nullable Environment environment;
    /** What the hub itself says is in force. */
    private Map<String, String> hubSettings = Map.of();

    private @Nullable ServerProcess server;
    private boolean interrupted;

    /**
     * What is asked.
     *
     * @param target of an existing server, or null to start a hub
     * @param hub what hub to start, when there is no target
     * @param countMax ends each repeat after so many messages; 0 to end it by time
     * @param settings for the results file
     * @param command for the results file
     */
    record Request(
            DriverOptions options,
            @Nullable InetSocketAddress target,
            @Nullable HubRequest hub,
            long countMax,
            Map<String, Object> settings,
            String command) {}

    /**
     * A hub to start.
     *
     * @param arguments of serve, without addresses and volumes
     * @param keepsQueue whether it stores what it accepts
     * @param holds whether it delivers nothing, so that each repeat needs an empty queue of its own
     */
    record HubRequest(
            DataFolders folders,
            List<String> arguments,
            String durability,
            String intake,
            long checkpointDepthBytes,
            boolean keepsQueue,
            boolean holds) {}

    /** One scenario with its messages, made when the server is first known. */
    private static final class Part {
        private final String id;
        private final String title;
        private final long sizeBytes;
        private @Nullable MessageSet messages;
        private @Nullable Repeats repeats;

        private Part(String id, String title, long sizeBytes) {
            this.id = id;
            this.title = title;
            this.sizeBytes = sizeBytes;
        }
    }

    /**
     * Prepares.
     *
     * @param folder an existing folder, for samples.csv, the .hlog files and the hub's log
     */
    RunSession(Request request, Path folder) throws IOException {
        this.request = request;
        this.folder = folder;
        this.progress = new Progress(System.err, request.options().quiet);
        this.samples = new Samples(folder.resolve("samples.csv"));
        if (request.options().corpus != null) {
            parts.add(new Part("corpus", "corpus", 0));
        } else {
            for (long size : request.options().sizes) {
                String text = ByteSize.format(size);
                parts.add(new Part(text.toLowerCase(Locale.ROOT), text, size));
            }
        }
    }

    /** {@return whether it ended early} */
    boolean interrupted() {
        return interrupted;
    }

    /** Measures everything. */
    Results run() throws IOException {
        Map<Part, HistogramLogWriter> logs = new LinkedHashMap<>();
        try {
            for (Part part : parts) {
                logs.put(part, histogramLog(part));
            }
            for (int repeat = 1; repeat <= request.options().repeat; repeat++) {
                for (Part part : parts) {
                    measureOrSayWhy(part, repeat, logs.get(part));
                }
            }
            stopServer();
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            logs.values().forEach(HistogramLogWriter::close);
            progress.close();
        }
        return results();
    }

    private HistogramLogWriter histogramLog(Part part) throws IOException {
        HistogramLogWriter log =
                new HistogramLogWriter(folder.resolve(part.id + ".hlog").toFile());
        log.outputComment("[Accept latency of " + part.title
                + " messages in nanoseconds, one interval a second of measured time]");
        log.outputLogFormatVersion();
        log.outputStartTime(startedAt.toEpochMilli());
        log.setBaseTime(startedAt.toEpochMilli());
        log.outputLegend();
        return log;
    }

    /** When our hub has died, that is what must be said, whatever failed because of it. */
    private void measureOrSayWhy(Part part, int repeat, @Nullable HistogramLogWriter log)
            throws IOException, InterruptedException {
        try {
            measure(part, repeat, log);
        } catch (IOException | UserError e) {
            ServerProcess hub = server;
            String death = hub == null ? null : hub.death();
            if (death != null) {
                throw UserError.failed(death);
            }
            throw e;
        }
    }

    private void measure(Part part, int repeat, @Nullable HistogramLogWriter log)
            throws IOException, InterruptedException {
        InetSocketAddress target = target();
        TargetProbe.Announced announced = TargetProbe.ask(target);
        LoadPlan plan = request.options().plan(target, request.countMax());
        MessageSet messages = messages(part, plan, announced);
        ServerProcess hub = server;
        Instruments instruments = new Instruments(
                hub == null ? null : new HubClient(hub.metricsAddress()),
                hub == null ? null : hub.processId(),
                volumes);
        Results.Environment machine = environment();
        HubRequest own = request.hub();
        Measurement.Plan measurement = new Measurement.Plan(
                part.id,
                repeat,
                part.title + " " + repeat + "/" + request.options().repeat,
                request.countMax() > 0 ? Duration.ZERO : request.options().warmup,
                request.countMax() > 0
                        ? Measurement.UNTIL_FINISHED
                        : request.options().measuredTime(),
                plan.ratePerSecond(),
                own != null && own.keepsQueue(),
                own != null && own.keepsQueue() && !own.holds(),
                machine.logicalCores(),
                machine.cpuClockMhz());
        Measurement.Outcome outcome;
        try (LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
            outcome = new Measurement(
                            measurement, driver, instruments, samples, required(log), progress)
                    .run();
        }
        repeats(part, messages).add(outcome);
        Double rate = outcome.repeat().figures().throughputMsgsPerS();
        progress.note(String.format(
                Locale.ROOT, "%s: %.0f msg/s", measurement.title(), rate == null ? 0 : rate));
        if (outcome.interrupted()) {
            throw new InterruptedException();
        }
        if (own != null && own.holds()) {
            stopServer();
        }
    }

    private static HistogramLogWriter required(@Nullable HistogramLogWriter log) {
        if (log == null) {
            throw new IllegalStateException("no histogram log");
        }
        return log;
    }

    private InetSocketAddress target() throws IOException, InterruptedException {
        InetSocketAddress given = request.target();
        if (given != null) {
            return given;
        }
        ServerProcess running = server == null ? startServer() : server;
        return Converters.address(running.address());
    }

    private ServerProcess startServer() throws IOException, InterruptedException {
        HubRequest hub = request.hub();
        if (hub == null) {
            throw new IllegalStateException("neither a target nor a hub");
        }
        DataFolders folders = hub.folders();
        folders.makeFresh();
        volumes = List.of(
                Volumes.inspect("log", folders.log()),
                Volumes.inspect("queue", folders.queue()),
                Volumes.inspect("tracking", folders.tracking()));
        List<String> arguments = new ArrayList<>(hub.arguments());
        arguments.addAll(List.of(
                "--listen=127.0.0.1:0",
                "--metrics=127.0.0.1:0",
                "--log-volume=" + folders.log(),
                "--queue-volume=" + folders.queue(),
                "--tracking-volume=" + folders.tracking()));
        progress.phase("start", Duration.ZERO);
        ServerProcess started =
                ServerProcess.start(arguments, folder.resolve(SERVER_LOG), interruption::awaitDone);
        server = started;
        hubSettings = new HubClient(started.metricsAddress()).settings();
        return started;
    }

    private void stopServer() throws InterruptedException {
        ServerProcess running = server;
        if (running != null) {
            running.stop();
            server = null;
        }
    }

    private MessageSet messages(Part part, LoadPlan plan, TargetProbe.Announced announced) {
        MessageSet known = part.messages;
        if (known != null) {
            return known;
        }
        Long sizeMax = announced.sizeMax();
        if (sizeMax != null && sizeMax > 0 && part.sizeBytes > sizeMax) {
            throw UserError.usage("--sizes " + part.title + " is more than the target takes: up to "
                    + ByteSize.format(sizeMax));
        }
        DriverOptions options = request.options();
        Path corpus = options.corpus;
        MessageSet made = corpus == null
                ? MessageSet.generate(
                        (int) part.sizeBytes,
                        new MessageGenerator(
                                options.seed, startedAt, options.sender, options.recipient),
                        plan,
                        announced)
                : MessageSet.of(Corpus.read(corpus), plan, announced);
        part.messages = made;
        return made;
    }

    private Repeats repeats(Part part, MessageSet messages) {
        Repeats known = part.repeats;
        if (known != null) {
            return known;
        }
        HubRequest hub = request.hub();
        Repeats made = new Repeats(part.id, messages.sizeBytesMean() / 1000, conditions(hub));
        part.repeats = made;
        return made;
    }

    private Conditions conditions(@Nullable HubRequest hub) {
        DriverOptions options = request.options();
        Double rate = options.ratePerSecond();
        String unsafe = hub == null || !hub.keepsQueue() ? null : unsafeReason(hub.durability());
        return new Conditions(
                hub == null ? null : hub.durability(),
                hub == null ? null : hub.intake(),
                null,
                null,
                null,
                hub == null ? null : hub.checkpointDepthBytes() / 1e6,
                options.connections,
                rate == null ? options.rate : options.rate + "/s",
                unsafe != null,
                unsafe);
    }

    private static @Nullable String unsafeReason(String durability) {
        return durability.startsWith("synced")
                ? null
                : "durability " + durability + ": a 250 is given before the message is synced";
    }

    private Results.Environment environment() throws IOException {
        Results.Environment known = environment;
        if (known != null) {
            return known;
        }
        Results.Environment found = Machine.inspect(volumes);
        environment = found;
        return found;
    }

    private Results results() throws IOException {
        List<Scenario> scenarios = new ArrayList<>();
        for (Part part : parts) {
            if (part.repeats != null) {
                scenarios.add(part.repeats.scenario());
            }
        }
        return new Results(
                Results.SCHEMA,
                new Results.Tool(Main.version(), SourceCommit.find()),
                startedAt.toString(),
                Instant.now().toString(),
                request.command(),
                environment(),
                settings(),
                scenarios,
                List.of());
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new TreeMap<>(request.settings());
        hubSettings.forEach((key, text) -> settings.put(key, Outcomes.typed(text)));
        return settings;
    }

    /** Kills the hub if it still runs and frees everything; what was asked to wait may go on. */
    @Override
    public void close() throws IOException {
        ServerProcess running = server;
        if (running != null) {
            running.close();
            server = null;
        }
        for (Part part : parts) {
            if (part.messages != null) {
                part.messages.close();
                part.messages = null;
            }
        }
        progress.close();
        samples.close();
        Path log = folder.resolve(SERVER_LOG);
        if (Files.exists(log) && Files.size(log) == 0) {
            Files.delete(log);
        }
        interruption.close();
    }
}
