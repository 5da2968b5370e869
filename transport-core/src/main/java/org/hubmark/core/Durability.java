package org.hubmark.core;

import java.time.Duration;

/** Durability class of a store: the promise of a 250. */
public sealed interface Durability {
    /** The period of {@code periodic} where none is given. */
    Duration PERIOD_DEFAULT = Duration.ofMillis(10);

    /** What endangers acknowledged mail in every class but {@code synced}. */
    String UNSYNCED_DANGER = "a 250 is given before the message is synced";

    /** The message is written and data-synced before the 250. */
    record Synced() implements Durability {
        @Override
        public String toString() {
            return "synced";
        }
    }

    /**
     * The message is written before the 250 and synced within the period: a power loss takes up to
     * that much.
     *
     * @param period more than zero
     */
    record Periodic(Duration period) implements Durability {
        /** Checks the period. */
        public Periodic {
            if (period.isZero() || period.isNegative()) {
                throw new IllegalArgumentException("the period is more than zero");
            }
        }

        @Override
        public String toString() {
            return "periodic=" + Durations.format(period);
        }
    }

    /** The message is written before the 250; when it reaches the medium is the kernel's affair. */
    record None() implements Durability {
        @Override
        public String toString() {
            return "none";
        }
    }

    /**
     * Reads {@code synced}, {@code periodic}, {@code periodic=10ms} or {@code none}.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    static Durability parse(String text) {
        return switch (text) {
            case "synced" -> new Synced();
            case "periodic" -> new Periodic(PERIOD_DEFAULT);
            case "none" -> new None();
            default -> {
                if (text.startsWith("periodic=")) {
                    yield new Periodic(Durations.parse(text.substring("periodic=".length())));
                }
                throw new IllegalArgumentException(
                        "'" + text + "' is not a durability class (synced, periodic[=10ms], none)");
            }
        };
    }
}
