package org.hubmark.bench.mail.study;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Estimate of the time that a request takes, made before it begins.
 *
 * @param least when every load is steady as early as possible
 * @param most when none is; checkpoints that are waited for take longer still
 * @param lowered by how much longer it takes each time that a searched rate does not hold over the
 *     measured time; null where none is searched
 */
public record RunEstimate(
        Duration least, Duration most, @Nullable Duration lowered) {
    /** For the highest rate that is sustained: 14 s of closed loops, some four trials of 6 s, a ladder of 21. */
    private static final Duration SEARCH_LEAST = Duration.ofSeconds(165);

    /** Each trial waits for checkpoints, or for the messages of a slow server; or two ladders of 6 s. */
    private static final Duration SEARCH_MOST = Duration.ofMinutes(8);

    /** Connecting and drain. */
    private static final Duration AROUND = Duration.ofSeconds(8);

    /** A look at the volumes, start and end. */
    private static final Duration HUB = Duration.ofSeconds(5);

    private static final Duration CEILINGS = Duration.ofSeconds(2);

    /** What a slow SSD writes in order. */
    private static final long WRITTEN_BYTES_PER_S = 200_000_000;

    /** Below it, seconds are told. */
    private static final Duration SECONDS_MAX = Duration.ofSeconds(100);

    /**
     * {@return about how long what is left of a request takes}
     *
     * @param earlier what an interrupted run left; null where there was none
     */
    public static RunEstimate of(RunRequest request, @Nullable Results earlier) {
        Duration least = request.extras().ceilings()
                ? CEILINGS.multipliedBy(request.scenarios().size())
                : Duration.ZERO;
        Duration most = least;
        Duration lowered = null;
        int hubs = 0;
        Set<String> warm = new HashSet<>();
        for (ScenarioRequest scenario : request.scenarios()) {
            Scenario known =
                    earlier == null ? null : earlier.scenario(scenario.id()).orElse(null);
            int repeats = request.repeats().count() - request.kept(known);
            int loads = repeats + (request.lacksLatency(scenario, known) ? 1 : 0);
            // The scenarios of a run share one.
            hubs = request.cells() == null ? Math.max(hubs, loads) : hubs + loads;
            Duration driver =
                    scenario.source() instanceof MailSource mail && warm.add(scenario.title())
                            ? mail.driverWarmUpMax()
                            : Duration.ZERO;
            boolean searches = scenario.source().pace() instanceof Pace.MaxSustained;
            Duration measured =
                    request.times().duration().plus(request.times().jitWarmUp()).plus(AROUND);
            if (searches) {
                lowered = measured.plus(request.times().warmupMax());
            }
            int searched = searches ? repeats : 0;
            least = least.plus(driver)
                    .plus(measured.plus(request.times().warmup()).multipliedBy(loads))
                    .plus(SEARCH_LEAST.multipliedBy(searched));
            most = most.plus(driver)
                    .plus(measured.plus(request.times().warmupMax()).multipliedBy(loads))
                    .plus(SEARCH_MOST.multipliedBy(searched));
        }
        return new RunEstimate(least, most, lowered).plus(HUB.multipliedBy(hubs));
    }

    /** {@return about how long it takes to write so much in order} */
    public static Duration writing(long bytes) {
        return Duration.ofSeconds(bytes / WRITTEN_BYTES_PER_S);
    }

    /** {@return about how long one search for a rate takes, in words} */
    static String search() {
        return text(SEARCH_LEAST) + " to " + text(SEARCH_MOST);
    }

    /** {@return this, and something that takes so long} */
    public RunEstimate plus(Duration time) {
        return new RunEstimate(least.plus(time), most.plus(time), lowered);
    }

    /** {@return it in one line} */
    public String words() {
        String more = lowered == null
                ? ""
                : ", and up to " + text(lowered)
                        + " more each time that a rate does not hold and is lowered";
        String from = text(least);
        String to = text(most);
        return "takes about " + (from.equals(to) ? from : from + " to " + to) + more;
    }

    /** {@return a time as people say it: seconds, or from 100 s on minutes, or hours and minutes} */
    public static String text(Duration time) {
        if (time.compareTo(SECONDS_MAX) < 0) {
            return time.toSeconds() + " s";
        }
        long minutes = time.plusSeconds(30).toMinutes();
        return minutes < 60 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
    }
}
