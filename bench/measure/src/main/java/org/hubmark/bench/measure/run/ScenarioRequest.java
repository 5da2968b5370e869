package org.hubmark.bench.measure.run;

import org.hubmark.bench.results.Conditions;
import org.jspecify.annotations.Nullable;

/**
 * One scenario to measure.
 *
 * @param id unique in the run; the name of its .hlog too
 * @param title for the progress line
 * @param source of the work; closed with the session
 * @param hub to start, or null to put the work on what the source names
 * @param conditions as far as they are known before; what the volumes tell is added where it is null
 */
public record ScenarioRequest(
        String id,
        String title,
        WorkloadSource source,
        @Nullable HubRequest hub,
        Conditions conditions) {
    /** {@return a rate as it was asked for, as results have it: 1200 becomes 1200/s} */
    public static String rate(String asked) {
        return asked.matches("[0-9.]+") ? asked + "/s" : asked;
    }
}
