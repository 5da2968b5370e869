package org.hubmark.bench.plan;

import java.util.List;

/**
 * Something that has to be at least as large as something else.
 *
 * @param has what there is
 * @param needs what is needed
 * @param unless it isn't asked where one of these was given or measured
 * @param informs that it fails does not make the demand one that is not met
 */
public record Check(
        String name, String label, String has, String needs, List<String> unless, boolean informs) {
    /** Copies. */
    public Check {
        unless = List.copyOf(unless);
    }

    /** {@return whether it is asked: not where somebody said what makes it idle} */
    public boolean isAsked(Values values) {
        return unless.stream()
                .map(values::source)
                .allMatch(source -> source == null || source.isAssumption());
    }
}
