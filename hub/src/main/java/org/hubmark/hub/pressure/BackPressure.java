package org.hubmark.hub.pressure;

import org.hubmark.core.Durations;
import org.hubmark.core.Receipt;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Slows mail, and then refuses it, before a resource of the hub is used up: its level is that of the
 * shortest resource. The hard limits of store and receiver stay what they are behind it.
 *
 * <p>One thread looks at the resources ten times a second, while nothing changes twice; what follows
 * from it is one value, which any thread reads.
 */
public final class BackPressure {
    static final Duration PERIOD = Duration.ofMillis(100);
    private static final Duration PERIOD_STILL = Duration.ofMillis(500);

    /** A client waits for five minutes (RFC 5321 4.5.3.2.2). */
    static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    /** A pause is this part of the time since the level left normal: 100 ms more each second. */
    private static final int PAUSE_PART = 10;

    private static final State NORMAL = new State(PressureLevel.NORMAL, 0, null);

    private final Consumer<Change> log;
    private List<WatchedResource> resources = List.of();
    private @Nullable WatchedResource cause;
    private long lastNanos;
    private long sinceNanos;
    private volatile State state = NORMAL;

    /**
     * State until the next sample.
     *
     * @param pauseNanos how long a reply to MAIL is held back
     * @param refusal why MAIL is refused, or null
     */
    private record State(PressureLevel level, long pauseNanos, Receipt.@Nullable Refused refusal) {}

    /**
     * A change of the level.
     *
     * @param level from now on
     * @param resource that is short, or was
     * @param text says it
     */
    public record Change(PressureLevel level, String resource, String text) {}

    /**
     * Watches nothing yet.
     *
     * @param log is told of each change of the level
     */
    public BackPressure(Consumer<Change> log) {
        this.log = log;
    }

    /** {@return the level now} Any thread. */
    public PressureLevel level() {
        return state.level();
    }

    /** {@return how long a reply to MAIL is held back, in nanoseconds} Any thread. */
    public long pauseNanos() {
        return state.pauseNanos();
    }

    /** {@return why MAIL is refused, or null} Any thread. */
    public Receipt.@Nullable Refused refusal() {
        return state.refusal();
    }

    /** {@return what is watched} After {@link #watch}. */
    public List<WatchedResource> resources() {
        return resources;
    }

    /** Watches these from now on; they are not looked at yet. */
    public void watch(List<WatchedResource> watched, long nowNanos) {
        resources = List.copyOf(watched);
        lastNanos = nowNanos;
    }

    /** {@return how soon to look again} What has not changed for a second is looked at less often. */
    public Duration period() {
        return resources.stream().allMatch(WatchedResource::isStill) ? PERIOD_STILL : PERIOD;
    }

    /** Looks at all resources; throws at the end what one of them has thrown. The hub's timer. */
    public void look() {
        look(System.nanoTime());
    }

    void look(long nowNanos) {
        WatchedResource worst = null;
        RuntimeException failed = null;
        for (WatchedResource resource : resources) {
            try {
                resource.sample(nowNanos - lastNanos);
            } catch (RuntimeException e) {
                failed = e;
            }
            if (worst == null || resource.level().compareTo(worst.level()) > 0) {
                worst = resource;
            }
        }
        lastNanos = nowNanos;
        if (worst == null) {
            return;
        }
        PressureLevel before = state.level();
        if (before == PressureLevel.NORMAL) {
            sinceNanos = nowNanos;
        }
        state = state(worst, nowNanos - sinceNanos);
        if (worst.level() != before) {
            tell(worst, nowNanos - sinceNanos);
        }
        cause = worst;
        if (failed != null) {
            throw failed;
        }
    }

    private State state(WatchedResource worst, long lastedNanos) {
        return switch (worst.level()) {
            case NORMAL -> NORMAL;
            case MEDIUM -> {
                long pauseNanos = Math.min(PAUSE_MAX.toNanos(), lastedNanos / PAUSE_PART);
                yield new State(PressureLevel.MEDIUM, pauseNanos, null);
            }
            case HIGH ->
                new State(
                        PressureLevel.HIGH,
                        0,
                        new Receipt.Refused(
                                Receipt.Reason.BACK_PRESSURE,
                                worst.refusal() + ", try again later"));
        };
    }

    private void tell(WatchedResource worst, long lastedNanos) {
        Duration lasted = Duration.ofSeconds(Math.max(1, Math.round(lastedNanos / 1e9)));
        String what = switch (worst.level()) {
            case NORMAL -> "normal again after " + Durations.format(lasted);
            case MEDIUM -> "medium, replies to MAIL are slowed";
            case HIGH -> "high, MAIL is refused";
        };
        boolean isOver = worst.level() == PressureLevel.NORMAL;
        WatchedResource told = isOver && cause != null ? cause : worst;
        log.accept(new Change(
                worst.level(), told.name(), "back pressure is " + what + ": " + told.describe()));
    }
}
