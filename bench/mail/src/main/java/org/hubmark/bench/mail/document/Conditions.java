package org.hubmark.bench.mail.document;

import org.jspecify.annotations.Nullable;

/**
 * Under which a scenario was measured. In the file they stand flat in the scenario.
 *
 * @param setup what is known of each {@link Condition}
 * @param safety whether acknowledged mail can be lost when the power fails
 */
public record Conditions(Setup setup, Safety safety) {
    private static final String SEARCHED = "max-sustained";

    /** What is known of a server that isn't ours: nothing. */
    public static final Conditions UNKNOWN = new Conditions(Setup.UNKNOWN, Safety.UNKNOWN);

    /** {@return a value; null when it isn't known} */
    public @Nullable Object get(Condition condition) {
        return setup.get(condition);
    }

    /** {@return the same with a value; null when it isn't known} */
    public Conditions with(Condition condition, @Nullable Object value) {
        return new Conditions(setup.with(condition, value), safety);
    }

    /** {@return the same with a value, unless one is known already} */
    public Conditions or(Condition condition, @Nullable Object value) {
        return setup.get(condition) == null ? with(condition, value) : this;
    }

    /** {@return the same with what is known of its safety} */
    public Conditions with(Safety known) {
        return new Conditions(setup, known);
    }

    /** {@return whether the rate is the highest that a search found to be sustained} */
    public boolean rateSearched() {
        return SEARCHED.equals(setup.get(Condition.ASKED_RATE));
    }
}
