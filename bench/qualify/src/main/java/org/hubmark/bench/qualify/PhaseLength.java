package org.hubmark.bench.qualify;

import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A phase that is to run.
 *
 * @param length how long it is measured; null for as long as the test says, and of a phase that ends by itself
 */
public record PhaseLength(Phase phase, @Nullable Duration length) {
    /**
     * {@return what a text says} PHASE, or PHASE=TIME for a phase with transactions.
     *
     * @throws IllegalArgumentException when it says something else
     */
    public static PhaseLength parse(String text) {
        String[] parts = text.strip().split("=", 2);
        List<Phase> all = List.of(Phase.values());
        Phase phase = all.stream()
                .filter(one -> one.toString().equalsIgnoreCase(parts[0]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + parts[0] + "' is not one of "
                        + all.stream().map(Phase::toString).collect(Collectors.joining(", "))));
        if (parts.length == 1) {
            return new PhaseLength(phase, null);
        }
        if (phase != Phase.PERFORMANCE && phase != Phase.STRESS) {
            throw new IllegalArgumentException(
                    phase + " ends by itself: only performance and stress take a time");
        }
        Duration length = Durations.parse(parts[1]);
        if (length.isZero()) {
            throw new IllegalArgumentException(phase + " must take more than 0s");
        }
        return new PhaseLength(phase, length);
    }

    /** {@return it as the command line has it} */
    @Override
    public String toString() {
        return length == null ? phase.toString() : phase + "=" + Durations.format(length);
    }
}
