package org.hubmark.pulsar;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * How many entries wait in the queue's topics, asked of a broker at a fixed pace by a thread of its own;
 * any thread reads. An entry is a message, or a part of a large one.
 */
final class Backlog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);
    private static final Duration PERIOD = Duration.ofSeconds(5);

    private final PulsarAdmin admin;
    private final PulsarAddress address;
    private final ScheduledExecutorService asking;
    private volatile double mail = Double.NaN;
    private volatile double dead = Double.NaN;

    Backlog(PulsarAdmin admin, PulsarAddress address) {
        this.admin = admin;
        this.address = address;
        this.asking = Executors.newSingleThreadScheduledExecutor(
                task -> Thread.ofPlatform().daemon().name("backlog").unstarted(task));
        var unused = asking.scheduleWithFixedDelay(
                this::ask, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** {@return entries that are not delivered yet; not a number while no broker says} */
    double mail() {
        return mail;
    }

    /** {@return entries of dead letters and of what was set aside} */
    double dead() {
        return dead;
    }

    private void ask() {
        mail = entries(PulsarTopics.MAIL);
        dead = entries(PulsarTopics.DEAD);
    }

    private double entries(String topic) {
        try {
            return admin.waiting(address, topic);
        } catch (IOException e) {
            LOG.debug("the backlog of {} is not known", topic, e);
            return Double.NaN;
        }
    }

    @Override
    public void close() {
        asking.shutdownNow();
    }
}
