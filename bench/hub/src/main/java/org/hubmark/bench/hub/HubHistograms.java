package org.hubmark.bench.hub;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Distributions that a hub reports.
 *
 * @param residence nanoseconds from acceptance to the end of delivery; null when the hub doesn't
 *     say
 * @param groups what the log's syncs covered; null when the hub doesn't say
 */
public record HubHistograms(
        @Nullable Histogram residence, @Nullable List<LogGroups> groups) {
    /** {@return what came after an earlier look; this one's histogram is changed} */
    public HubHistograms growth(HubHistograms earlier) {
        if (residence != null && earlier.residence != null) {
            residence.subtract(earlier.residence);
        }
        return new HubHistograms(
                earlier.residence == null ? null : residence,
                groups == null || earlier.groups == null
                        ? null
                        : LogGroups.growth(earlier.groups, groups));
    }
}
