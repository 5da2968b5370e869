package org.hubmark.bench.mail.study;

import org.hubmark.bench.load.Pace;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Time that is left of a request, about: the sum of the times that are planned, warm-ups at their longest.
 *
 * @param done repeats that are measured
 * @param all repeats of the request
 */
public record RunEstimate(Duration left, int done, int all) {
    /** Of a rate that is sustained, where no trial has to wait for messages; closed loops among it. */
    static final Duration SEARCH = Duration.ofMinutes(2);

    /** Start and end of a hub, connecting and drain. */
    private static final Duration AROUND = Duration.ofSeconds(10);

    /**
     * {@return what is left of a request}
     *
     * @param earlier what was measured of it before; null where nothing was
     */
    public static RunEstimate of(RunRequest request, @Nullable Results earlier) {
        Duration left = Duration.ZERO;
        int done = 0;
        int repeats = request.repeats().count();
        for (ScenarioRequest scenario : request.scenarios()) {
            Scenario known =
                    earlier == null ? null : earlier.scenario(scenario.id()).orElse(null);
            int more = repeats - request.kept(known);
            int loads = more + (request.lacksLatency(scenario, known) ? 1 : 0);
            boolean searches = scenario.source().pace() instanceof Pace.MaxSustained;
            done += repeats - more;
            left = left.plus(request.times().whole().plus(AROUND).multipliedBy(loads))
                    .plus(SEARCH.multipliedBy(searches ? more : 0));
        }
        return new RunEstimate(left, done, repeats * request.scenarios().size());
    }

    /** {@return it in one line} */
    public String words() {
        return (done == 0 ? "" : done + " of " + all + " measurements done; ") + "takes about "
                + text(left);
    }

    /** {@return a time as people say it: seconds, or from 100 s on minutes, or hours and minutes} */
    static String text(Duration time) {
        long minutes = time.plusSeconds(30).toMinutes();
        return time.toSeconds() < 100
                ? time.toSeconds() + " s"
                : minutes < 60 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
    }
}
