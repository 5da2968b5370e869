package org.hubmark.bench.mail.study;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Time that a request takes, about: the sum of the times that are planned, warm-ups at their longest. */
public final class RunEstimate {
    /** Of a rate that is sustained, where no trial has to wait for messages; closed loops among it. */
    static final Duration SEARCH = Duration.ofMinutes(3);

    /** Start and end of a hub, connecting and drain. */
    private static final Duration AROUND = Duration.ofSeconds(10);

    /** Below it, seconds are told. */
    private static final Duration SECONDS_MAX = Duration.ofSeconds(100);

    private RunEstimate() {}

    /**
     * {@return what is left of a request}
     *
     * @param earlier what was measured of it before; null where nothing was
     */
    public static Duration of(RunRequest request, @Nullable Results earlier) {
        Duration all = Duration.ZERO;
        for (ScenarioRequest scenario : request.scenarios()) {
            Scenario known =
                    earlier == null ? null : earlier.scenario(scenario.id()).orElse(null);
            int repeats = request.repeats().count() - request.kept(known);
            int loads = repeats + (request.lacksLatency(scenario, known) ? 1 : 0);
            int searches = scenario.source().pace() instanceof Pace.MaxSustained ? repeats : 0;
            all = all.plus(request.times().whole().plus(AROUND).multipliedBy(loads))
                    .plus(SEARCH.multipliedBy(searches));
        }
        return all;
    }

    /** {@return what is kept of a request, and how long the rest takes, in words} */
    public static String words(RunRequest request, @Nullable Results earlier) {
        int kept = request.scenarios().stream()
                .map(scenario ->
                        earlier == null ? null : earlier.scenario(scenario.id()).orElse(null))
                .mapToInt(request::kept)
                .sum();
        int all = request.scenarios().size() * request.repeats().count();
        return (kept == 0 ? "" : kept + " of " + all + " measurements kept; ") + "takes about "
                + text(of(request, earlier));
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
