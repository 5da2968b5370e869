package org.hubmark.bench.scale;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadDriver;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.TargetProbe;
import org.hubmark.bench.load.Transfer;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Loads several hubs at once, each by a driver of its own. One thread. */
final class HubLoads implements AutoCloseable {
    private static final Duration STOP_MAX = Duration.ofSeconds(40);
    private static final String SENDER = "sender@load.example";
    private static final String RECIPIENT = "recipient@hub.example";

    private final List<MessageSet> messages = new ArrayList<>();
    private final List<LoadDriver> drivers = new ArrayList<>();

    private final boolean clocked;

    private HubLoads(boolean clocked) {
        this.clocked = clocked;
    }

    /**
     * What a hub gets.
     *
     * @param rate messages a second, as if senders knew nothing of each other; null for as many as are
     *     taken
     * @param seed of arrivals and messages
     */
    record Target(
            InetSocketAddress hub,
            int connections,
            @Nullable Double rate,
            int sizeBytes,
            long seed) {}

    /** Connects to all of them; all have a rate, or none has. */
    static HubLoads connect(List<Target> targets) throws InterruptedException {
        HubLoads loads = new HubLoads(targets.stream().allMatch(target -> target.rate() != null));
        boolean connected = false;
        try {
            for (Target target : targets) {
                loads.connect(target);
            }
            connected = true;
            return loads;
        } finally {
            if (!connected) {
                loads.close();
            }
        }
    }

    private void connect(Target target) throws InterruptedException {
        Double rate = target.rate();
        LoadPlan plan = LoadPlan.of(
                target.hub(),
                target.connections(),
                rate == null
                        ? new Pace.ClosedLoop()
                        : new Pace.OpenLoop(rate, Arrivals.POISSON, target.seed()),
                Transfer.DATA,
                SENDER,
                RECIPIENT);
        TargetProbe.Announced announced = TargetProbe.ask(plan);
        MessageSet set = MessageSet.generate(
                target.sizeBytes(),
                new MessageGenerator(target.seed(), Instant.now(), SENDER, RECIPIENT),
                plan,
                announced);
        messages.add(set);
        drivers.add(LoadDriver.start(plan, set, announced));
    }

    void begin() {
        drivers.forEach(LoadDriver::begin);
    }

    /** {@return what each did since the start, in the order of the hubs} */
    List<LoadSnapshot> snapshots() {
        return drivers.stream().map(LoadDriver::snapshot).toList();
    }

    /** {@return how long what was accepted since the last call took, nanoseconds from the intended start} */
    Histogram takeLatencies() {
        Histogram all = new Histogram(3);
        drivers.forEach(driver -> all.add(driver.takeLatencies().intended()));
        return all;
    }

    /**
     * Ends the load. At a rate that was asked for, what is due and not answered counts with the age that it
     * has: else a hub that stands still until the end would look fast.
     *
     * @param latencies are added to
     */
    void end(Histogram latencies) throws InterruptedException {
        for (LoadDriver driver : drivers) {
            Histogram open = driver.end().intended();
            if (clocked) {
                latencies.add(open);
            }
        }
        for (LoadDriver driver : drivers) {
            driver.stop(STOP_MAX);
        }
    }

    @Override
    public void close() {
        drivers.forEach(LoadDriver::close);
        messages.forEach(MessageSet::close);
    }
}
