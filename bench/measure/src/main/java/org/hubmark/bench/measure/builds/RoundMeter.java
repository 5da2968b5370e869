package org.hubmark.bench.measure.builds;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.SizeMix;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.machine.Growth;
import org.hubmark.bench.measure.Accounts;
import org.hubmark.bench.measure.Snapshot;
import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.results.Figures.Counts;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Puts one hub at a time under load and counts what came of it. One thread. */
final class RoundMeter implements AutoCloseable {
    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FIRST_REPLY_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FIRST_MESSAGES_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration DRAIN_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration DRAIN_POLL = Duration.ofMillis(100);
    /** Some hubs move what they hold to another place for minutes. */
    private static final Duration QUIET_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration QUIET_POLL = Duration.ofMillis(250);
    /** The kernel counts a process's time by 10 ms. */
    private static final double QUIET_CORE_SHARE = 0.05;

    private static final Duration SHOWN = Duration.ofSeconds(1);

    private final BuildsRequest request;
    private final BiConsumer<Duration, String> elapsed;
    private final Supplier<List<String>> others;
    private final Instant startedAt = Instant.now();
    private final Map<String, Prepared> prepared = new HashMap<>();

    /** Facts about a build, asked for once before its hub starts. */
    private record Prepared(TargetProbe.Announced announced, MessageSet messages) {}

    /**
     * Prepares.
     *
     * @param elapsed gets how far a load is, and what is seen of it
     * @param others tells which other runs measure now
     */
    RoundMeter(
            BuildsRequest request,
            BiConsumer<Duration, String> elapsed,
            Supplier<List<String>> others) {
        this.request = request;
        this.elapsed = elapsed;
        this.others = others;
    }

    /** {@return why the load of a hub before it is counted can't be trusted; none if it can} */
    List<String> warmUp(BuildHub hub, LoadCase load, Duration time)
            throws IOException, InterruptedException {
        try (LoadDriver driver = connect(hub, load, plan(load))) {
            Snapshot begin = hub.instruments().read(driver);
            driver.begin();
            await(driver, time);
            return invalid(settle(hub, driver, begin));
        }
    }

    /** Loads a hub for the time of a round. */
    Repeat load(BuildHub hub, LoadCase load, int round) throws IOException, InterruptedException {
        Repeat.Builder counted = Repeat.counted().name(BuildsResult.ROUND, round);
        try (LoadDriver driver = connect(hub, load, plan(load));
                MachineMeter machine = MachineMeter.begin(hub.machine(), others)) {
            Snapshot begin = hub.instruments().read(driver);
            driver.begin();
            await(driver, request.rounds().duration());
            Snapshot loaded = hub.instruments().read(driver);
            machine.end(counted);
            Settled settled = settle(hub, driver, begin);
            long accepted = loaded.load().accepted() - begin.load().accepted();
            counted.name(BuildsResult.INVALID, invalid(settled));
            // A build that took nothing has no figures.
            if (accepted == 0) {
                return counted.made();
            }
            return counted.count(BuildsResult.MEASURED_NS, loaded.nanos() - begin.nanos())
                    .count(BuildsResult.ACCEPTED, accepted)
                    .count(BuildsResult.ANSWERED, settled.counts().acceptedMsgs())
                    .count(BuildsResult.DELIVERED, settled.counts().deliveredMsgs())
                    .count(BuildsResult.DRAINED_NS, settled.drained().nanos() - begin.nanos())
                    .count(
                            BuildsResult.SERVER_CPU_NS,
                            Growth.of(begin.serverCpuNanos(), settled.end().serverCpuNanos()))
                    .count(
                            BuildsResult.DRIVER_CPU_NS,
                            loaded.load().threadCpuNanos() - begin.load().threadCpuNanos())
                    .count(BuildsResult.DRIVER_THREADS, driver.threads())
                    .made();
        }
    }

    /** Says meanwhile how far it is. */
    private void await(LoadDriver driver, Duration time) throws InterruptedException {
        long beganNanos = System.nanoTime();
        long accepted = driver.snapshot().accepted();
        Duration gone = Duration.ZERO;
        boolean finished = false;
        while (!finished && gone.compareTo(time) < 0) {
            Duration left = time.minus(gone);
            finished = driver.awaitFinished(left.compareTo(SHOWN) < 0 ? left : SHOWN);
            Duration now = Duration.ofNanos(System.nanoTime() - beganNanos);
            long more = driver.snapshot().accepted();
            elapsed.accept(
                    now,
                    Math.round(1e9 * (more - accepted) / now.minus(gone).toNanos()) + " msg/s");
            accepted = more;
            gone = now;
        }
    }

    /**
     * Sends the first messages to a hub that has just started.
     *
     * @param startNanos nanoTime of the start of its process
     */
    Repeat first(BuildHub hub, LoadCase load, long startNanos, int round)
            throws IOException, InterruptedException {
        Repeat.Builder counted = Repeat.counted().name(BuildsResult.ROUND, round);
        LoadPlan rest = plan(load)
                .limited(request.load().plan().connections(), request.load().firstMessages());
        try (MachineMeter machine = MachineMeter.begin(hub.machine(), others)) {
            counted.count(BuildsResult.FIRST_REPLY_NS, firstReplyNanos(hub, load) - startNanos);
            try (LoadDriver driver = connect(hub, load, rest)) {
                Snapshot begin = hub.instruments().read(driver);
                driver.begin();
                List<String> invalid = new ArrayList<>();
                if (!driver.awaitFinished(FIRST_MESSAGES_TIMEOUT)) {
                    invalid.add("the first messages took longer than "
                            + FIRST_MESSAGES_TIMEOUT.toMinutes() + " min");
                }
                machine.end(counted);
                Settled settled = settle(hub, driver, begin);
                invalid.addAll(invalid(settled));
                return counted.name(BuildsResult.INVALID, invalid)
                        .count(BuildsResult.ANSWERED, settled.counts().acceptedMsgs())
                        .count(BuildsResult.SERVER_CPU_NS, settled.end().serverCpuNanos())
                        .made();
            }
        }
    }

    /** {@return when the first message was accepted} */
    private long firstReplyNanos(BuildHub hub, LoadCase load) throws InterruptedException {
        try (LoadDriver driver = connect(hub, load, plan(load).limited(1, 1))) {
            driver.begin();
            if (!driver.awaitFinished(FIRST_REPLY_TIMEOUT) || driver.snapshot().accepted() != 1) {
                throw UserError.failed(hub.build().name()
                        + ": the first message was not accepted within "
                        + FIRST_REPLY_TIMEOUT.toSeconds() + " s");
            }
            return System.nanoTime();
        }
    }

    private LoadPlan plan(LoadCase load) {
        return request.load().plan().by(load.transfer());
    }

    private LoadDriver connect(BuildHub hub, LoadCase load, LoadPlan plan)
            throws InterruptedException {
        LoadPlan at = plan.at(hub.address());
        Prepared known = prepared.computeIfAbsent(
                hub.build().label() + " " + load.id(), id -> prepare(at, load));
        return LoadDriver.start(at, known.messages(), known.announced());
    }

    private Prepared prepare(LoadPlan plan, LoadCase load) {
        TargetProbe.Announced announced = TargetProbe.ask(plan);
        Long sizeMax = announced.sizeMax();
        if (sizeMax != null && sizeMax > 0 && load.sizeBytes() > sizeMax) {
            throw UserError.usage("--sizes " + ByteSize.format(load.sizeBytes())
                    + " is more than the hub takes: up to " + ByteSize.format(sizeMax));
        }
        MessageGenerator generator = new MessageGenerator(
                request.rounds().seed(),
                startedAt,
                plan.addresses().sender(),
                plan.addresses().recipient());
        return new Prepared(
                announced,
                MessageSet.generate(SizeMix.of(load.sizeBytes()), generator, plan, announced));
    }

    /**
     * A hub after its load.
     *
     * @param drained when nothing was left to deliver
     * @param end when it had come to rest
     * @param counts of every message since the begin
     * @param load what the driver saw
     */
    private record Settled(Snapshot drained, Snapshot end, Counts counts, LoadSnapshot load) {}

    /**
     * Ends the load and waits until the hub has nothing more to do for what it took: deliveries, and
     * then whatever else keeps its processor busy.
     */
    private Settled settle(BuildHub hub, LoadDriver driver, Snapshot begin)
            throws IOException, InterruptedException {
        driver.stop(ANSWERS_TIMEOUT);
        TimeSource time = hub.instruments().time();
        long endNanos = time.nanoTime() + DRAIN_TIMEOUT.toNanos();
        Snapshot drained = hub.instruments().read(driver);
        while (!drained(Accounts.of(begin, drained, true)) && time.nanoTime() < endNanos) {
            time.sleep(DRAIN_POLL);
            drained = hub.instruments().read(driver);
        }
        awaitQuiet(hub);
        Snapshot end = hub.instruments().read(driver);
        return new Settled(drained, end, Accounts.of(begin, drained, true), end.load());
    }

    private boolean drained(Counts counts) {
        Long left = counts.leftInQueueMsgs();
        Long lost = counts.lostMsgs();
        boolean empty = left == null || left <= 0 || request.hubs().nextHop() == DeliveryMode.HOLD;
        return empty && (lost == null || lost == 0);
    }

    private static void awaitQuiet(BuildHub hub) throws InterruptedException {
        TimeSource time = hub.instruments().time();
        long endNanos = time.nanoTime() + QUIET_TIMEOUT.toNanos();
        double growth;
        do {
            long fromNanos = time.nanoTime();
            Long from = hub.cpu().nanos();
            time.sleep(QUIET_POLL);
            Long to = hub.cpu().nanos();
            growth = from == null || to == null
                    ? 0
                    : (to - from) / (double) (time.nanoTime() - fromNanos);
        } while (growth > QUIET_CORE_SHARE && time.nanoTime() < endNanos);
    }

    private List<String> invalid(Settled settled) {
        List<String> reasons = new ArrayList<>();
        Counts counts = settled.counts();
        Long lost = counts.lostMsgs();
        Long left = counts.leftInQueueMsgs();
        if (lost != null && lost > 0) {
            reasons.add(lost + " accepted messages are lost");
        }
        if (request.hubs().nextHop() != DeliveryMode.HOLD && left != null && left > 0) {
            reasons.add(left + " messages were not delivered within " + DRAIN_TIMEOUT.toMinutes()
                    + " min");
        }
        if (counts.failedMsgs() > 0) {
            reasons.add(counts.failedMsgs() + " messages failed: no answer came");
        }
        if (counts.refusedMsgs() > 0) {
            reasons.add(counts.refusedMsgs() + " messages were refused, first with: "
                    + Objects.requireNonNullElse(settled.load().firstRefusal(), "-"));
        }
        if (settled.load().connectionFailures() > 0) {
            reasons.add(settled.load().connectionFailures()
                    + " connections failed or were closed by the server");
        }
        return reasons;
    }

    @Override
    public void close() {
        prepared.values().forEach(one -> one.messages().close());
        prepared.clear();
    }
}
