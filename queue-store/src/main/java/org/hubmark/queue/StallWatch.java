package org.hubmark.queue;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Says so when a store does not move. A disk that hangs for a minute comes back, and so do hubs on it:
 * so at first it is said in the log and new mail is refused for a while (451), and all goes on when the
 * disk answers. After ten times that time nobody waits for a reply any more (RFC 5321 4.5.3.2.6 has ten
 * minutes), and a store that still does not move never will by itself: it fails, so that the hub ends
 * and is started again.
 *
 * <p>It counts its own ticks, not the clock: while a process is stopped or a machine sleeps, none pass.
 * Its own thread, {@code store-watch}, runs {@link #run}.
 */
final class StallWatch implements Runnable {
    static final Duration TICK = Duration.ofSeconds(1);

    private static final int FAIL_FACTOR = 10;
    private static final Logger LOG = LoggerFactory.getLogger(StallWatch.class);

    /** What the peer is told meanwhile. */
    private static final String STALLED = "the queue's disk does not answer";

    private final BooleanSupplier isWaiting;
    private final LongSupplier progress;
    private final Gate gate;
    private final Consumer<Throwable> onFailure;
    private final long warnTicks;
    private long lastProgress;
    private long still;

    /**
     * Watches a store.
     *
     * @param isWaiting whether anybody waits for it
     * @param progress changes whenever it moves
     * @param stallTime after which it says so, in whole seconds
     * @param onFailure called once when it gives up
     */
    StallWatch(
            BooleanSupplier isWaiting,
            LongSupplier progress,
            Gate gate,
            Duration stallTime,
            Consumer<Throwable> onFailure) {
        this.isWaiting = isWaiting;
        this.progress = progress;
        this.gate = gate;
        this.onFailure = onFailure;
        this.warnTicks = Math.max(1, stallTime.dividedBy(TICK));
    }

    /** Looks each second; an interruption ends it. */
    @Override
    public void run() {
        try {
            while (true) {
                Thread.sleep(TICK);
                tick();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            // Nobody would notice any more that the queue stands still.
            onFailure.accept(e);
        }
    }

    /** Looks once. */
    void tick() {
        long now = progress.getAsLong();
        if (now != lastProgress || !isWaiting.getAsBoolean()) {
            if (still >= warnTicks) {
                LOG.atWarn()
                        .addKeyValue("event", "queue_moves")
                        .log("the queue moves again after {} s", still * TICK.toSeconds());
                gate.stalled(null);
            }
            lastProgress = now;
            still = 0;
            return;
        }
        still++;
        if (still == warnTicks) {
            LOG.atError().addKeyValue("event", "queue_stalled").log("{}", text());
            gate.stalled(STALLED);
        } else if (still == FAIL_FACTOR * warnTicks) {
            onFailure.accept(new IOException(text()));
        }
    }

    private String text() {
        return "the queue has not moved for " + still * TICK.toSeconds()
                + " s while mail waits; a disk does not answer, or this is a bug in Hubmark";
    }
}
