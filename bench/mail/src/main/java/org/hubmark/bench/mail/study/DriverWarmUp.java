package org.hubmark.bench.mail.study;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.MessageCost;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Workload;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Drives a sink in the driver's own process until a message costs the driver no less CPU time than before,
 * so that its code is compiled before the target is asked and not in the target's time. What was sent
 * once needs that no more. The sink speaks no TLS: what encrypts is native code. Blocks; one thread.
 */
final class DriverWarmUp {
    private static final Duration ANSWERS_TIMEOUT = Duration.ofSeconds(5);

    /** Loads for which this process is warm: compiled code belongs to the whole process. */
    private static final Set<String> WARM = ConcurrentHashMap.newKeySet();

    private DriverWarmUp() {}

    /**
     * Warms the driver for what a source sends.
     *
     * @param title of the scenario
     * @param max at most so long; zero for not at all
     */
    static void run(MailSource source, String title, Duration max, Progress progress, Clock time)
            throws IOException, InterruptedException {
        LoadPlan asked = source.plan();
        // Loads of one name take the same path through the driver.
        String sent = title + asked.dialogue().transfer() + asked.dialogue().pipelining();
        if (max.isZero() || WARM.contains(sent)) {
            return;
        }
        progress.phase(title + " driver warm-up against a sink of its own, at most", max);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (SinkServer sink = SinkServer.start(any, SinkServer.Behaviour.willing())) {
            LoadPlan plan = asked.at(sink.address())
                    .unlimited()
                    .at(new Pace.ClosedLoop())
                    .by(null);
            TargetProbe.Announced announced = TargetProbe.ask(plan);
            try (MessageSet messages = source.ownMessages(plan, announced);
                    LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
                driver.begin();
                untilLevel(driver, max, time);
                driver.stop(ANSWERS_TIMEOUT);
                WARM.add(sent);
            }
        }
    }

    /** Waits, with the work going on, until an operation costs no less, or the time is over. */
    static void untilLevel(Workload work, Duration max, Clock time) throws InterruptedException {
        long endNanos = time.nanos() + max.toNanos();
        MessageCost cost = new MessageCost(0);
        LoadSnapshot last = work.snapshot();
        while (time.nanos() < endNanos && !Boolean.TRUE.equals(cost.isLevel(2))) {
            long leftNanos = endNanos - time.nanos();
            time.sleep(Duration.ofNanos(Math.min(leftNanos, MessageCost.SAMPLE.toNanos())));
            LoadSnapshot now = work.snapshot();
            cost.add(
                    now.accepted() - last.accepted(), now.threadCpuNanos() - last.threadCpuNanos());
            last = now;
        }
    }
}
