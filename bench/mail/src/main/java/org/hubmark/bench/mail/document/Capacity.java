package org.hubmark.bench.mail.document;

import org.jspecify.annotations.Nullable;

/**
 * How far the server and its machine go. In the file it stands flat in a scenario.
 *
 * @param sustainedRate what was searched; null for other rates
 * @param ceilings null when they weren't measured
 */
public record Capacity(
        @Nullable SustainedRate sustainedRate, @Nullable Ceilings ceilings) {
    /** None is known. */
    public static final Capacity UNKNOWN = new Capacity(null, null);
}
