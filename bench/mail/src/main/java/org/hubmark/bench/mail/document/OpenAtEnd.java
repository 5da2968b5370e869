package org.hubmark.bench.mail.document;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * Messages that were due and not answered when the measured time was over.
 *
 * @param unansweredMsgs sent, without an answer yet
 * @param unsentMsgs due at a fixed rate, and not sent
 * @param oldestMs since the intended start of the oldest of them; null when there are none
 */
public record OpenAtEnd(
        long unansweredMsgs, long unsentMsgs, @Nullable Double oldestMs) {
    /** {@return the sums of repeats, and the oldest of all; null of none} */
    static @Nullable OpenAtEnd of(List<OpenAtEnd> repeats) {
        return repeats.isEmpty()
                ? null
                : new OpenAtEnd(
                        repeats.stream().mapToLong(OpenAtEnd::unansweredMsgs).sum(),
                        repeats.stream().mapToLong(OpenAtEnd::unsentMsgs).sum(),
                        repeats.stream()
                                .map(OpenAtEnd::oldestMs)
                                .filter(Objects::nonNull)
                                .max(Double::compare)
                                .orElse(null));
    }
}
