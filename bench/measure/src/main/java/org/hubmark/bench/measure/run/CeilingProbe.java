package org.hubmark.bench.measure.run;

import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.machine.OneProcess;
import org.hubmark.bench.machine.volumes.GroupWriter;
import org.hubmark.bench.measure.Instruments;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.Snapshot;
import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.measure.WarmUpMeter;
import org.hubmark.bench.results.Ceilings;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.LogGroups;
import org.hubmark.bench.results.Scenario;
import org.hubmark.hub.VolumeFolders;
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
 * alone. Driver and load are those of the scenario, and as warm.
 * One thread.
 */
final class CeilingProbe {
    /** The driver has sent this size before, and its sink is as old as the driver. */
    private static final WarmUpMeter.Bounds OF_LOOPBACK =
            new WarmUpMeter.Bounds(Duration.ofSeconds(2), Duration.ofSeconds(2), false);
    /** The hub that discards is a new one. */
    private static final WarmUpMeter.Bounds OF_RECEIVE_PATH =
            new WarmUpMeter.Bounds(Duration.ofSeconds(5), Duration.ofSeconds(8), false);

    private static final Duration MEASURED = Duration.ofSeconds(3);
    static final Duration WRITING = Duration.ofSeconds(1);

    private final Path folder;
    private final Progress progress;
    private final HubHost host;
    private final Map<String, Ceilings> found;
    private final long seed;
    private final TimeSource time;

    /**
     * Prepares.
     *
     * @param folder where the volumes of the hub that discards may lie
     * @param host that runs no hub
     * @param found gets the ceilings, by the id of the scenario
     * @param seed of the order in which groups of different sizes are written
     * @param time by which driver and load are measured
     */
    CeilingProbe(
            Path folder,
            Progress progress,
            HubHost host,
            Map<String, Ceilings> found,
            long seed,
            TimeSource time) {
        this.folder = folder;
        this.progress = progress;
        this.host = host;
        this.found = found;
        this.seed = seed;
        this.time = time;
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
            Double log = logDevice(part, scenario, seed);
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
        progress.phase("ceiling: loopback", duration(OF_LOOPBACK, parts));
        Map<Part, Double> rates = new HashMap<>();
        for (Part part : parts) {
            if (part.request().source() instanceof MailSource mail) {
                put(rates, part, loopback(part, mail));
            }
        }
        return rates;
    }

    private @Nullable Double loopback(Part part, MailSource mail)
            throws IOException, InterruptedException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        SinkServer.Behaviour willing = SinkServer.Behaviour.willing();
        boolean tls = mail.plan().dialogue().tls() != null;
        try (SinkServer sink =
                tls ? SinkServer.startWithTls(any, willing) : SinkServer.start(any, willing)) {
            LoadPlan plan = mail.plan().at(sink.address());
            LoadPlan own = tls ? plan.by(ClientTls.trustingAll()) : plan;
            return closedLoop(part, mail, own, OF_LOOPBACK, null);
        }
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
                    MeasuredHub server = host.running(discarding);
                    progress.phase(
                            "ceiling: receive path", duration(OF_RECEIVE_PATH, List.of(part)));
                    LoadPlan plan = mail.plan().at(server.address());
                    put(rates, part, closedLoop(part, mail, plan, OF_RECEIVE_PATH, server));
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
            Part part,
            MailSource mail,
            LoadPlan load,
            WarmUpMeter.Bounds warmup,
            @Nullable MeasuredHub server)
            throws IOException, InterruptedException {
        LoadPlan plan = load.unlimited().at(new Pace.ClosedLoop());
        TargetProbe.Announced announced = TargetProbe.ask(plan);
        Instruments instruments = new Instruments(
                null,
                server == null || server.processId() == null
                        ? null
                        : new OneProcess(server.processId()),
                null,
                List.of(),
                Map.of(),
                time);
        try (MessageSet messages = mail.ownMessages(plan, announced);
                LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
            Snapshot begin = instruments.read(driver);
            driver.begin();
            WarmUpMeter.run(
                    "ceiling of " + part.request().title(),
                    warmup,
                    driver,
                    instruments,
                    progress,
                    begin);
            long before = driver.snapshot().accepted();
            long begunNanos = time.nanoTime();
            time.sleep(MEASURED);
            long accepted = driver.snapshot().accepted() - before;
            long nanos = time.nanoTime() - begunNanos;
            driver.stop(Duration.ofSeconds(5));
            return accepted == 0 ? null : accepted * 1e9 / nanos;
        }
    }

    /** Only where messages wait for syncs: else it isn't the device that is asked. */
    static @Nullable Double logDevice(Part part, Scenario scenario, long seed)
            throws IOException, InterruptedException {
        HubRequest hub = part.request().hub();
        List<LogGroups> groups = scenario.figures().groups();
        if (hub == null || groups == null || groups.isEmpty()) {
            return null;
        }
        return GroupWriter.messagesPerSecond(
                hub.folders().volumes().log(), writers(groups), seed, WRITING, hub.environment());
    }

    /** {@return the same writes, for a writer alone} */
    static List<GroupWriter.Groups> writers(List<LogGroups> groups) {
        return groups.stream().map(CeilingProbe::writer).toList();
    }

    private static GroupWriter.Groups writer(LogGroups groups) {
        int writes =
                Math.toIntExact(Math.max(1, Math.round((double) groups.writes() / groups.syncs())));
        return new GroupWriter.Groups(
                groups.syncs(),
                writes,
                Math.toIntExact(Math.ceilDiv(groups.bytes(), groups.syncs() * writes)),
                (double) groups.msgs() / groups.syncs());
    }

    private static Duration duration(WarmUpMeter.Bounds warmup, List<Part> parts) {
        return MEASURED.plus(warmup.least()).multipliedBy(parts.size());
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
