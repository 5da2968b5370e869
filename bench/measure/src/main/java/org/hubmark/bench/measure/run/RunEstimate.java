package org.hubmark.bench.measure.run;

import org.hubmark.bench.load.Pace;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * How long a request takes, before it begins.
 *
 * @param least when every load is steady as early as possible
 * @param most when none is; checkpoints that are waited for take longer still
 * @param lowered by how much longer it takes each time that a searched rate does not hold over the
 *     measured time; null where none is searched
 */
public record RunEstimate(
        Duration least, Duration most, @Nullable Duration lowered) {
    /** For the highest rate that is sustained: a warm-up, some ten trials of 6 s, one of 20 s. */
    private static final Duration SEARCH_LEAST = Duration.ofSeconds(95);

    private static final Duration SEARCH_MOST = Duration.ofMinutes(4);

    /** Connecting, drain, and until rest. */
    private static final Duration AROUND = Duration.ofSeconds(8);

    /** A look at the volumes, start and end. */
    private static final Duration HUB = Duration.ofSeconds(5);

    private static final Duration CEILINGS = Duration.ofSeconds(25);

    /** What a slow SSD writes in order. */
    private static final long WRITTEN_BYTES_PER_S = 200_000_000;

    /** Below it, seconds are told. */
    private static final Duration SHORT = Duration.ofMinutes(2);

    /** {@return about how long a request takes} */
    public static RunEstimate of(RunRequest request) {
        Duration least = once(request);
        Duration most = least;
        Duration lowered = null;
        for (ScenarioRequest scenario : request.scenarios()) {
            boolean searches = scenario.source().pace() instanceof Pace.MaxSustained;
            int latencies = request.latencyAt() == null ? 0 : 1;
            Duration measured = request.duration().plus(AROUND);
            if (searches) {
                lowered = measured.plus(request.warmupMax());
            }
            Duration searchLeast = searches ? SEARCH_LEAST : Duration.ZERO;
            Duration searchMost = searches ? SEARCH_MOST : Duration.ZERO;
            int loads = request.repeat() + latencies;
            least = least.plus(measured.plus(request.warmup()).multipliedBy(loads))
                    .plus(searchLeast.multipliedBy(request.repeat()));
            most = most.plus(measured.plus(request.warmupMax()).multipliedBy(loads))
                    .plus(searchMost.multipliedBy(request.repeat()));
        }
        return new RunEstimate(least, most, lowered);
    }

    private static Duration once(RunRequest request) {
        Duration all = HUB.multipliedBy(request.repeat() + 1L);
        for (ScenarioRequest scenario : request.scenarios()) {
            if (scenario.source() instanceof MailSource mail) {
                all = all.plus(mail.driverWarmUpMax());
            }
        }
        if (request.ceilings()) {
            all = all.plus(CEILINGS.multipliedBy(request.scenarios().size()));
        }
        PublishRequest publish = request.publish();
        return publish == null ? all : all.plus(HUB).plus(preparation(publish));
    }

    /** {@return about how long it takes to prepare volumes that lie on one file system} */
    public static Duration preparation(PublishRequest publish) {
        return publish.warmLoad()
                .plus(publish.idle())
                .plusSeconds(publish.preconditionBytes() / WRITTEN_BYTES_PER_S);
    }

    /** {@return it in one line} */
    public String words() {
        String more = lowered == null
                ? ""
                : ", and up to " + minutes(lowered)
                        + " more each time that a rate does not hold and is lowered";
        return (most.compareTo(SHORT) < 0
                        ? "takes about " + least.toSeconds() + " to " + most.toSeconds()
                                + " seconds"
                        : "takes about " + minutes(least) + " to " + minutes(most) + " minutes")
                + more;
    }

    private static long minutes(Duration time) {
        return time.plusSeconds(59).toMinutes();
    }
}
