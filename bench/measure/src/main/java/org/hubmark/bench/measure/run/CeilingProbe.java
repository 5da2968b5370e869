package org.hubmark.bench.measure.run;

import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.machine.OneProcess;
import org.hubmark.bench.machine.volumes.GroupWriter;
import org.hubmark.bench.machine.volumes.VolumeFolders;
import org.hubmark.bench.measure.Instruments;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.Snapshot;
import org.hubmark.bench.measure.WarmUp;
import org.hubmark.bench.measure.hub.ServerProcess;
import org.hubmark.bench.results.Ceilings;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what the parts of the way of mail hold by themselves, after the scenarios and on the same machine:
 * the driver against a sink, the driver against a hub that discards, and the log volume with a writer
 * alone. Driver and load are those of the scenario, and as warm: each is measured when it is steady.
 * One thread.
 */
final class CeilingProbe {
    private static final Duration WARMUP = Duration.ofSeconds(5);
    private static final Duration WARMUP_MAX = Duration.ofSeconds(15);
    private static final Duration MEASURED = Duration.ofSeconds(3);
    static final Duration WRITING = Duration.ofSeconds(1);

    private final Path folder;
    private final Progress progress;
    private final HubHost host;
    private final Map<String, Ceilings> found;

    /**
     * Prepares.
     *
     * @param folder where the volumes of the hub that discards may lie
     * @param host that runs no hub
     * @param found gets the ceilings, by the id of the scenario
     */
    CeilingProbe(Path folder, Progress progress, HubHost host, Map<String, Ceilings> found) {
        this.folder = folder;
        this.progress = progress;
        this.host = host;
        this.found = found;
    }

    /** Measures them for each scenario of which anything was measured. */
    void measure(List<Part> parts) throws IOException, InterruptedException {
        Map<Part, Double> loopback = loopback(parts);
        Map<Part, Double> receive = receive(parts);
        progress.phase("ceiling: log device", WRITING.multipliedBy(parts.size()));
        for (Part part : parts) {
            Scenario scenario = part.scenario();
            Double rate =
                    scenario == null ? null : scenario.figures().get(Figure.THROUGHPUT_MSGS_PER_S);
            if (scenario == null || rate == null) {
                continue;
            }
            Double log = logDevice(part, scenario);
            found.put(
                    scenario.id(),
                    new Ceilings(
                            receive.get(part),
                            percent(rate, receive.get(part)),
                            log,
                            percent(rate, log),
                            loopback.get(part),
                            percent(rate, loopback.get(part))));
        }
    }

    /** {@return what receive path and loopback hold, by the id of the scenario} */
    Map<String, Ceilings> shared(List<Part> parts) throws IOException, InterruptedException {
        Map<Part, Double> loopback = loopback(parts);
        Map<Part, Double> receive = receive(parts);
        Map<String, Ceilings> all = new HashMap<>();
        for (Part part : parts) {
            all.put(
                    part.request().id(),
                    new Ceilings(receive.get(part), null, null, null, loopback.get(part), null));
        }
        return all;
    }

    private Map<Part, Double> loopback(List<Part> parts) throws IOException, InterruptedException {
        progress.phase("ceiling: loopback", duration(parts));
        Map<Part, Double> rates = new HashMap<>();
        try (SinkServer sink = SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                SinkServer.Behaviour.willing())) {
            for (Part part : parts) {
                // The sink speaks in the clear only.
                if (!(part.request().source() instanceof MailSource mail)
                        || mail.plan().tls() != null) {
                    continue;
                }
                put(rates, part, closedLoop(part, mail, sink.address(), null));
            }
        }
        return rates;
    }

    private Map<Part, Double> receive(List<Part> parts) throws IOException, InterruptedException {
        Map<Part, Double> rates = new HashMap<>();
        Path data = folder.resolve("ceiling-data");
        try (DataFolders folders = new DataFolders(VolumeFolders.same(data))) {
            try {
                for (Part part : parts) {
                    HubRequest hub = part.request().hub();
                    if (hub == null
                            || !hub.keepsQueue()
                            || !(part.request().source() instanceof MailSource mail)) {
                        continue;
                    }
                    HubRequest discarding =
                            new HubRequest(folders, hub.spec().discarding(), Map.of());
                    ServerProcess server = host.running(discarding);
                    progress.phase("ceiling: receive path", duration(List.of(part)));
                    put(rates, part, closedLoop(part, mail, server.address(), server));
                }
                host.stop();
            } finally {
                // Before its volumes go.
                host.close();
            }
        }
        return rates;
    }

    private @Nullable Double closedLoop(
            Part part, MailSource mail, InetSocketAddress target, @Nullable ServerProcess server)
            throws IOException, InterruptedException {
        LoadPlan plan = mail.plan().at(target).at(new Pace.ClosedLoop());
        TargetProbe.Announced announced = TargetProbe.ask(plan);
        Instruments instruments = new Instruments(
                null,
                server == null ? null : new OneProcess(server.processId()),
                List.of(),
                Map.of());
        try (MessageSet messages = mail.ownMessages(plan, announced);
                LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
            Snapshot begin = instruments.read(driver);
            driver.begin();
            WarmUp.run(
                    "ceiling of " + part.request().title(),
                    WARMUP,
                    WARMUP_MAX,
                    driver,
                    instruments,
                    progress,
                    begin);
            long before = driver.snapshot().accepted();
            long begunNanos = System.nanoTime();
            Thread.sleep(MEASURED);
            long accepted = driver.snapshot().accepted() - before;
            long nanos = System.nanoTime() - begunNanos;
            driver.stop(Duration.ofSeconds(5));
            return accepted == 0 ? null : accepted * 1e9 / nanos;
        }
    }

    /** Only where each group is synced: else it isn't the device that is asked. */
    static @Nullable Double logDevice(Part part, Scenario scenario)
            throws IOException, InterruptedException {
        HubRequest hub = part.request().hub();
        Figures figures = scenario.figures();
        Double messages = figures.get(Figure.MSGS_PER_GROUP_MEAN);
        Double bytes = figures.get(Figure.LOG_BYTES_PER_ACCEPTED_BYTE);
        boolean synced = "synced".equals(scenario.conditions().get(Condition.DURABILITY));
        if (hub == null || !hub.keepsQueue() || !synced || messages == null || bytes == null) {
            return null;
        }
        long groupBytes = Math.round(scenario.messageSizeKb() * 1000 * bytes * messages);
        double groups = GroupWriter.groupsPerSecond(
                hub.folders().volumes().log(),
                Math.toIntExact(Math.clamp(groupBytes, 512, Integer.MAX_VALUE / 2)),
                WRITING,
                hub.environment());
        return groups * messages;
    }

    private static Duration duration(List<Part> parts) {
        return MEASURED.plus(WARMUP).multipliedBy(parts.size());
    }

    private static void put(Map<Part, Double> rates, Part part, @Nullable Double rate) {
        if (rate != null) {
            rates.put(part, rate);
        }
    }

    private static @Nullable Double percent(double rate, @Nullable Double ceiling) {
        return ceiling == null ? null : 100 * rate / ceiling;
    }
}
