package org.hubmark.testkit;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.Settings;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfiguration;
import org.hubmark.hub.HubParts;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.SimulatedLogVolume;
import org.hubmark.smtp.SmtpCounters;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Predicate;

/**
 * A hub for a test: a real SMTP receiver on a free port of the loopback address, a real durable
 * queue, and a mailbox that it delivers to. The intake log is in memory, where it forgets at a power
 * cut what was not synced; the rest is in a temporary folder.
 *
 * <p>Any thread may call. Delivery is at least once: after {@link #crash} a message may come again,
 * with the same id.
 *
 * {@snippet file="org/hubmark/testkit/ExampleTest.java" region="hub"}
 *
 * <p>Memory is bounded: 64 MiB of mailbox, 32 MiB of mail being received and 16 MiB of log, unless
 * {@link HubOptions} say otherwise; what is more waits in the queue, or is answered with 452.
 */
public final class TestHub implements AutoCloseable {
    private static final long CHECKPOINT_DEPTH_BYTES = 16 << 20;

    private final HubOptions options;
    private final TestFolder folder = new TestFolder();
    private final TestClock clock = new TestClock(this::awaitTried);
    private final DueMail due = new DueMail();
    private final Journal journal = new Journal();
    private final @Nullable SimulatedLogVolume log;
    private final Faults faults;
    private final TestMailbox mailbox;
    private InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private @Nullable Hub hub;
    private long crashes;
    private boolean closed;

    private TestHub(HubOptions options) {
        this.options = options;
        this.log = options.onDisk || options.queue != null
                ? null
                : new SimulatedLogVolume("simulated log");
        this.faults = new Faults(journal, log);
        this.mailbox = new TestMailbox(options.mailboxBytesMax, journal);
    }

    /** Starts a hub with nothing special about it. The caller closes it. */
    public static TestHub start() {
        return start(HubOptions.defaults());
    }

    /** Starts a hub. The caller closes it. */
    public static TestHub start(HubOptions options) {
        Preload.begin();
        TestHub started = new TestHub(options);
        try {
            started.open();
        } catch (RuntimeException e) {
            started.folder.delete();
            throw e;
        }
        return started;
    }

    /** {@return where it listens} The same over crashes and restarts. */
    public InetSocketAddress address() {
        return address;
    }

    /** {@return the host part of {@link #address}} */
    public String host() {
        return address.getHostString();
    }

    /** {@return the port of {@link #address}} */
    public int port() {
        return address.getPort();
    }

    /** {@return what to make go wrong} */
    public Faults faults() {
        return faults;
    }

    /** {@return the clock by which mail is received, due and too old} */
    public TestClock clock() {
        return clock;
    }

    /** {@return the hub itself, that of the life that goes on now} */
    public synchronized Hub hub() {
        Hub running = hub;
        if (running == null) {
            throw new IllegalStateException("the hub is closed");
        }
        return running;
    }

    /** {@return a connection for a dialogue by hand, greeted} The caller closes it. */
    public SmtpDialogue dialogue() {
        return SmtpDialogue.open(address);
    }

    /** {@return what was delivered to the mailbox and not forgotten, in the order of delivery} */
    public List<ReceivedMessage> messages() {
        return mailbox.messages();
    }

    /** Forgets what was delivered, and so makes room in the mailbox. */
    public void clear() {
        mailbox.clear();
    }

    /** Lets mail wait in the queue until {@link #resumeDelivery}. */
    public void pauseDelivery() {
        mailbox.pause(true);
    }

    /** Delivers again. */
    public void resumeDelivery() {
        mailbox.pause(false);
    }

    /** {@return at least so many messages, as soon as they are delivered} */
    public List<ReceivedMessage> await(int count) {
        return await(count, options.waitMax);
    }

    /**
     * {@return at least so many messages, as soon as they are delivered}
     *
     * @throws AssertionError when the time is over; it says what has come instead
     */
    public List<ReceivedMessage> await(int count, Duration limit) {
        if (count < 0) {
            throw new IllegalArgumentException("can't wait for " + count + " messages");
        }
        return await(
                count + (count == 1 ? " message" : " messages"),
                messages -> messages.size() >= count,
                limit);
    }

    /**
     * {@return the messages in the mailbox as soon as they are as wanted}
     *
     * @param what the condition in words, for the failure
     * @param condition asked at each delivery and every 20 ms
     * @throws AssertionError when the time is over; it says what has come instead
     */
    public List<ReceivedMessage> await(
            String what, Predicate<List<ReceivedMessage>> condition, Duration limit) {
        try {
            if (mailbox.await(() -> condition.test(mailbox.messages()), limit)) {
                return mailbox.messages();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + what, e);
        }
        throw new AssertionError(
                "waited " + limit.toMillis() + " ms for " + what + ", but " + describe());
    }

    /**
     * Cuts the power and starts again on the same port: connections end, and of what was not synced
     * an arbitrary part is lost. The first crash of a hub always loses by the same seed, and so on.
     */
    public synchronized void crash() {
        crash(++crashes);
    }

    /** Cuts the power and starts again; the seed decides what of the unsynced part is lost. */
    public synchronized void crash(long seed) {
        journal.add("crash with seed " + seed);
        if (log != null) {
            log.cutPower(seed);
        }
        end(true);
        open();
    }

    /** Stops in good order and starts again on the same port. */
    public synchronized void restart() {
        journal.add("restart");
        end(false);
        open();
    }

    /** Stops the hub and removes its folder. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            // Nobody waits for what would be drained.
            end(true);
        } finally {
            folder.delete();
        }
    }

    /** Waits until what is due has been tried. */
    private void awaitTried() {
        Hub running;
        synchronized (this) {
            running = hub;
        }
        QueueStore store = running == null ? null : running.store().orElse(null);
        if (store == null || due.isWithinAttempt()) {
            return;
        }
        try {
            var unused = mailbox.await(
                    () -> mailbox.isHeldUp() || due.isEmpty(store, clock.instant()),
                    options.waitMax);
        } catch (IllegalStateException e) {
            // The hub has failed, or was ended by another thread: nothing is tried any more.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    TestFolder folder() {
        return folder;
    }

    @Override
    public String toString() {
        return "hub on " + address;
    }

    private synchronized void open() {
        DeliveryAgent own = options.agent;
        DeliveryAgent agent = new Scripted(own == null ? mailbox.agent() : own, faults, due);
        HubConfiguration configuration = new HubConfiguration(
                address,
                null,
                folder.volumes(),
                options.durability,
                CHECKPOINT_DEPTH_BYTES,
                IntakeKind.STORE,
                new DeliverySpec.Own(agent),
                new Settings(settings(options)),
                clock);
        HubParts parts = HubParts.own()
                .withPolicy(new FaultPolicy(faults))
                .withIntake(intake -> new FaultIntake(intake, faults, due));
        URI queue = options.queue;
        if (queue != null) {
            parts = parts.withQueue(queue);
        } else if (log != null) {
            parts = parts.withStore(log::openStore);
        }
        try {
            Hub started = Hub.start(configuration, parts);
            address = started.address();
            hub = started;
        } catch (IOException e) {
            throw new UncheckedIOException("can't start a hub: " + e.getMessage(), e);
        }
    }

    /** A test counts the messages that it sent; status notifications come only if it asks for them. */
    private static Map<String, String> settings(HubOptions options) {
        Map<String, String> settings = new HashMap<>(options.settings);
        settings.putIfAbsent("delivery.notifications", "false");
        return settings;
    }

    private void end(boolean atOnce) {
        Hub ending = hub;
        hub = null;
        if (ending == null) {
            return;
        }
        mailbox.stopWaiting();
        try {
            if (atOnce) {
                ending.kill();
            } else {
                ending.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't end the hub: " + e.getMessage(), e);
        }
    }

    private String describe() {
        StringJoiner text = new StringJoiner("\n  ");
        List<ReceivedMessage> messages = mailbox.messages();
        text.add(messages.isEmpty() ? "none was delivered" : messages.size() + " delivered:");
        messages.stream().limit(20).forEach(message -> text.add("- " + message));
        if (messages.size() > 20) {
            text.add("- ... and " + (messages.size() - 20) + " more");
        }
        Hub running;
        synchronized (this) {
            running = hub;
        }
        if (running == null) {
            text.add("the hub is closed");
        } else {
            text.add(counts(running));
        }
        text.add(mailbox.state());
        journal.lines().forEach(line -> text.add("* " + line));
        return text.toString();
    }

    private static String counts(Hub running) {
        Throwable cause = running.failure().getNow(null);
        SmtpCounters counters = running.counters();
        String queued = running.store()
                .map(store -> String.valueOf(store.statistics().length().messages()))
                .orElse("-");
        return counters.connectionsOpened.sum() + " connections, "
                + counters.messagesAccepted.sum() + " messages accepted, " + queued
                + " in the queue"
                + (cause == null ? "" : "; the hub has failed: " + cause.getMessage());
    }

    /** An agent with the faults before it. Delivery threads. */
    private record Scripted(DeliveryAgent agent, Faults faults, DueMail due)
            implements DeliveryAgent {
        @Override
        public Outcome deliver(Lease lease) {
            Outcome scripted = faults.nextDelivery(lease);
            if (scripted != null) {
                return scripted;
            }
            due.begin();
            try {
                Outcome outcome = agent.deliver(lease);
                if (outcome instanceof Outcome.Delivered) {
                    due.remove(lease.id());
                }
                return outcome;
            } finally {
                due.end();
            }
        }

        @Override
        public void retryNow() {
            agent.retryNow();
        }

        @Override
        public void abort() {
            agent.abort();
        }
    }
}
