package org.hubmark.bench.mail.study;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.mail.document.DriverWarmth;
import org.hubmark.bench.mail.meter.Progress;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Drives a sink in the driver's own process until a message costs the driver no less CPU time than before,
 * so that its code is compiled before the target is asked and not in the target's time. What was sent
 * once needs that no more. Blocks; one thread.
 */
final class DriverWarmUp {
    private static final Duration SAMPLE = Duration.ofMillis(500);
    /** Two seconds: a JVM compiles in steps, and each looks like a plateau for a second. */
    private static final int SAMPLES = 4;
    /** From one two seconds to the next the cost may fall by so much, which is noise. */
    private static final double FALL_MAX = 0.05;

    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(5);

    /** Loads for which this process is warm: compiled code belongs to the whole process. */
    private static final Set<Sent> WARM = ConcurrentHashMap.newKeySet();

    /** Loads that take the same path through the driver. */
    private record Sent(String title, Transfer transfer, boolean pipelining, boolean tls) {}

    private DriverWarmUp() {}

    /**
     * Warms the driver for what a source sends.
     *
     * @param title of the scenario
     * @param max at most so long; zero for not at all
     * @return null where it was warm or isn't wanted to be
     */
    static @Nullable DriverWarmth run(
            MailSource source, String title, Duration max, Progress progress, Clock time)
            throws IOException, InterruptedException {
        LoadPlan asked = source.plan();
        boolean tls = asked.dialogue().tls() != null;
        Sent sent =
                new Sent(title, asked.dialogue().transfer(), asked.dialogue().pipelining(), tls);
        if (max.isZero() || WARM.contains(sent)) {
            return null;
        }
        progress.phase(title + " driver warm-up against a sink of its own, at most", max);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        SinkServer.Behaviour willing = SinkServer.Behaviour.willing();
        try (SinkServer sink =
                tls ? SinkServer.startWithTls(any, willing) : SinkServer.start(any, willing)) {
            LoadPlan plan = asked.at(sink.address())
                    .unlimited()
                    .at(new Pace.ClosedLoop())
                    .by(tls ? ClientTls.trustingAll() : null);
            TargetProbe.Announced announced = TargetProbe.ask(plan);
            try (MessageSet messages = source.ownMessages(plan, announced);
                    LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
                driver.begin();
                DriverWarmth warmth = untilLevel(driver, max, time);
                driver.stop(ANSWERS_TIMEOUT);
                WARM.add(sent);
                progress.note(words(title, warmth));
                return warmth;
            }
        }
    }

    /** Waits, with the work going on, until an operation costs no less, or the time is over. */
    static DriverWarmth untilLevel(Workload work, Duration max, Clock time)
            throws InterruptedException {
        long beginNanos = time.nanos();
        List<LoadSnapshot> samples = new ArrayList<>(List.of(work.snapshot()));
        while (true) {
            long leftNanos = beginNanos + max.toNanos() - time.nanos();
            if (leftNanos > 0) {
                time.sleep(Duration.ofNanos(Math.min(leftNanos, SAMPLE.toNanos())));
            }
            samples.add(work.snapshot());
            Boolean level = level(samples);
            double seconds = (time.nanos() - beginNanos) / 1e9;
            if (leftNanos <= SAMPLE.toNanos() || Boolean.TRUE.equals(level)) {
                int last = samples.size() - 1;
                return new DriverWarmth(
                        seconds, micros(samples, Math.max(0, last - SAMPLES), last), level);
            }
        }
    }

    /** {@return whether a message costs what it did before; null when it is too early to tell} */
    static @Nullable Boolean level(List<LoadSnapshot> samples) {
        int last = samples.size() - 1;
        if (last < 2 * SAMPLES) {
            return null;
        }
        Double now = micros(samples, last - SAMPLES, last);
        Double before = micros(samples, last - 2 * SAMPLES, last - SAMPLES);
        if (now == null || before == null) {
            return null;
        }
        return now >= before * (1 - FALL_MAX);
    }

    /** {@return CPU time of the driver's threads for a message, microseconds} */
    private static @Nullable Double micros(List<LoadSnapshot> samples, int from, int to) {
        LoadSnapshot before = samples.get(from);
        LoadSnapshot after = samples.get(to);
        long messages = after.accepted() - before.accepted();
        return messages == 0
                ? null
                : (Double) ((after.threadCpuNanos() - before.threadCpuNanos()) / 1e3 / messages);
    }

    private static String words(String title, DriverWarmth warmth) {
        Double micros = warmth.cpuUsPerMsg();
        String cost = micros == null ? "-" : String.format(Locale.ROOT, "%.1f us", micros);
        return String.format(
                Locale.ROOT,
                "%s: driver warmed up for %.1f s, its threads take %s of CPU a message%s",
                title,
                warmth.s(),
                cost,
                Boolean.TRUE.equals(warmth.level()) ? "" : ", which may still fall");
    }
}
