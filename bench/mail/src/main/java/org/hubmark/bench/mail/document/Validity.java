package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.List;
import java.util.stream.Stream;

/**
 * Whether figures can be trusted. In the file it stands flat in what has them.
 *
 * @param reasons why not; empty when they can
 */
public record Validity(
        boolean valid, @JsonProperty("invalid_reasons") List<String> reasons) {
    /** They can. */
    public static final Validity FULL = new Validity(true, List.of());

    /** Copies the list. */
    public Validity {
        reasons = List.copyOf(reasons);
    }

    /** {@return that they can't for these reasons; that they can where there are none} */
    public static Validity of(List<String> reasons) {
        return new Validity(reasons.isEmpty(), reasons);
    }

    /** {@return the same, not valid for more reasons} */
    public Validity invalid(List<String> more) {
        return new Validity(
                false, Stream.concat(reasons.stream(), more.stream()).toList());
    }
}
