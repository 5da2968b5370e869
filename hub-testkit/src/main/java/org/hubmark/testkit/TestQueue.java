package org.hubmark.testkit;

import org.hubmark.core.BodyType;
import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.queue.CheckReport;
import org.hubmark.queue.QueueReader;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.SimulatedLogVolume;
import org.hubmark.queue.StoreConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A durable queue for a test, without a receiver: the intake log is in memory, where it forgets at a
 * power cut what was not synced; the queue database is in a temporary folder. Any thread may call,
 * as far as {@link QueueStore} allows.
 *
 * {@snippet file="org/hubmark/testkit/ExampleTest.java" region="queue"}
 */
public final class TestQueue implements TestResource {
    private static final Logger LOG = LoggerFactory.getLogger(TestQueue.class);
    private static final long CHECKPOINT_DEPTH_BYTES = 16 << 20;
    private static final long BUDGET_BYTES = 64 << 20;

    private final HubOptions options;
    private final TestFolder folder = new TestFolder();
    private final TestClock clock = new TestClock(() -> {});
    private final SimulatedLogVolume log = new SimulatedLogVolume("simulated log");
    private final ContentBudget budget = new ContentBudget(BUDGET_BYTES);
    private @Nullable QueueStore store;
    private long crashes;
    private boolean closed;
    private boolean kept;

    private TestQueue(HubOptions options) {
        this.options = options;
    }

    /** Opens an empty queue. The caller closes it. */
    public static TestQueue open() {
        return open(HubOptions.defaults());
    }

    /** Opens an empty queue; of the options those count that a store has. The caller closes it. */
    public static TestQueue open(HubOptions options) {
        TestQueue opened = new TestQueue(options);
        try {
            opened.start();
        } catch (RuntimeException e) {
            opened.folder.delete();
            throw e;
        }
        return opened;
    }

    /** {@return the store, that of the life that goes on now} */
    public synchronized QueueStore store() {
        QueueStore opened = store;
        if (opened == null) {
            throw new IllegalStateException("the queue is closed");
        }
        return opened;
    }

    /** {@return the clock by which mail is due} */
    public TestClock clock() {
        return clock;
    }

    /** {@return the volume of the intake log, to make slow, small or faulty} */
    public SimulatedLogVolume log() {
        return log;
    }

    /**
     * Hands a message over and waits for the answer.
     *
     * @param content all octets of the message
     */
    public Receipt offer(String reversePath, List<String> forwardPaths, byte[] content) {
        QueueStore opened = store();
        Content octets = Content.open(opened.nextId(), budget, content.length);
        if (octets == null || !octets.append(content, 0, content.length)) {
            if (octets != null) {
                octets.close();
            }
            return new Receipt.Refused(Receipt.Reason.BYTES_IN_FLIGHT, "no memory for the content");
        }
        Envelope envelope = new Envelope(
                reversePath, forwardPaths, BodyType.EIGHT_BIT_MIME, clock.instant(), "");
        CompletableFuture<Receipt> answer = new CompletableFuture<>();
        opened.enqueue(envelope, octets, answer::complete);
        return answer.join();
    }

    /**
     * Hands a message over.
     *
     * @return its id, as soon as it is as durable as the options say
     * @throws AssertionError if it is refused; says why
     */
    public QueueId enqueue(String reversePath, String forwardPath, String content) {
        byte[] octets = content.getBytes(StandardCharsets.UTF_8);
        return switch (offer(reversePath, List.of(forwardPath), octets)) {
            case Receipt.Queued queued -> queued.id();
            case Receipt.Refused refused ->
                throw new AssertionError("the queue refused the message: " + refused.reason() + ", "
                        + refused.detail());
        };
    }

    /**
     * Cuts the power and opens again: of what was not synced an arbitrary part is lost. The first
     * crash of a queue always loses by the same seed, and so on. Nobody may be leasing meanwhile.
     */
    public synchronized void crash() {
        crash(++crashes);
    }

    /** Cuts the power and opens again; the seed decides what of the unsynced part is lost. */
    public synchronized void crash(long seed) {
        log.cutPower(seed);
        try {
            store().closeBroken(new IOException("the power was cut (simulated)"));
        } catch (IOException e) {
            throw new UncheckedIOException("can't end the queue: " + e.getMessage(), e);
        }
        start();
    }

    /** Closes in good order and opens again. */
    public synchronized void restart() {
        end();
        start();
    }

    /** Closes, verifies every checksum and the agreement of both volumes, and opens again. */
    public synchronized CheckReport check() {
        end();
        try {
            log.copyTo(folder.volumes().log());
            try (QueueReader reader =
                    QueueReader.open(folder.volumes().log(), folder.volumes().queue())) {
                return reader.check();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't check the queue: " + e.getMessage(), e);
        } finally {
            start();
        }
    }

    @Override
    public synchronized void keep() {
        kept = true;
    }

    /** Closes the queue and removes its folder. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            end();
        } finally {
            if (kept) {
                keepFolder();
            } else {
                folder.delete();
            }
        }
    }

    private void keepFolder() {
        try {
            log.copyTo(folder.volumes().log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        folder.keep("the queue's volumes are ");
    }

    private void start() {
        StoreConfiguration configuration = new StoreConfiguration(
                folder.volumes().log(),
                folder.volumes().queue(),
                options.durability(),
                CHECKPOINT_DEPTH_BYTES,
                new Settings(options.settings()),
                clock);
        try {
            store = log.openStore(configuration);
        } catch (IOException e) {
            throw new UncheckedIOException("can't open a queue: " + e.getMessage(), e);
        }
    }

    private void end() {
        QueueStore ending = store;
        store = null;
        try {
            if (ending != null) {
                ending.close();
            }
        } catch (IOException e) {
            // A fault that the test asked for ends the store too; the next start recovers.
            LOG.debug("the queue did not close in good order", e);
        }
    }
}
