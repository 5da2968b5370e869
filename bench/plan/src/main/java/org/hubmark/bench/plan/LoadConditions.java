package org.hubmark.bench.plan;

import org.hubmark.bench.results.Condition;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a hub was measured under, which goes with its figures. Each is null where results do not say it.
 *
 * @param askedRate max is a closed loop
 * @param unsafe whether a power loss may take acknowledged mail
 */
record LoadConditions(
        @Nullable String askedRate,
        @Nullable String durability,
        @Nullable String intake,
        @Nullable String deliver,
        @Nullable Boolean tls,
        @Nullable Integer recipients,
        @Nullable Boolean unsafe,
        @Nullable String unsafeReason) {
    private static final String CLOSED_LOOP = "max";
    private static final String DISCARD = "discard";

    /** {@return whether messages were sent by the clock; false where nobody says so} */
    boolean isOpenLoop() {
        return askedRate != null && !askedRate.equals(CLOSED_LOOP);
    }

    private boolean isClosedLoop() {
        return CLOSED_LOOP.equals(askedRate);
    }

    /**
     * {@return deliveries a second to recipients; null where it isn't known, or mail was not handed on}
     *
     * @param rate of accepted messages a second
     */
    @Nullable
    Double deliveries(
            @Nullable Double rate, @Nullable Double accepted, @Nullable Double delivered) {
        boolean isHandedOn = deliver != null && !deliver.equals(DISCARD) && !deliver.equals("hold");
        return isHandedOn
                        && rate != null
                        && recipients != null
                        && accepted != null
                        && accepted > 0
                        && delivered != null
                ? (Double) (rate * recipients * delivered / accepted)
                : null;
    }

    /** {@return those that are known, in brackets; empty where none is} */
    String words() {
        String known = Stream.of(
                        Condition.ASKED_RATE
                                .word(askedRate)
                                .map(rate -> rate + (isClosedLoop() ? ", a closed loop" : "")),
                        Condition.DURABILITY.word(durability),
                        Condition.INTAKE.word(intake),
                        Condition.DELIVER.word(deliver),
                        Condition.TLS.word(tls),
                        Objects.equals(recipients, 1)
                                ? Optional.of("one recipient")
                                : Condition.RECIPIENTS.word(recipients))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        return known.isEmpty() ? "" : " (" + known + ")";
    }

    /** Takes down what makes the figures say less of mail in service. */
    void warn(String where, Collected into) {
        if (Boolean.TRUE.equals(unsafe)) {
            into.warn(where + " is UNSAFE, its figures are not of durable mail: "
                    + Objects.requireNonNullElse(unsafeReason, "no reason is given"));
        }
        if (isClosedLoop()) {
            into.warn(where + ": its rate is the most in a closed loop, with nothing kept free");
        }
        if (DISCARD.equals(intake)) {
            into.warn(where + ": the intake discarded all mail; storing it is not in the figures");
        }
        if (DISCARD.equals(deliver)) {
            into.warn(where + ": accepted mail was discarded; delivering it is not in the figures");
        }
        if (Boolean.FALSE.equals(tls)) {
            into.warn(where + ": mail came in plain text; TLS is not in the figures");
        }
        if (Objects.equals(recipients, 1)) {
            into.warn(where + ": each message had one recipient; more are not in the figures");
        }
    }
}
